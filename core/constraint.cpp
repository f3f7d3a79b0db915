#include <linkwork/core/constraint.hpp>

#include <linkwork/core/differences.hpp>
#include <linkwork/core/pose.hpp>

#include <algorithm>
#include <boost/container/small_vector.hpp>

namespace linkwork {

namespace {

/// The larger of both parts of a twist: a motion over time t covers at most speed * t, in metres and radians.
double speed(const Twist<Planar>& twist) { return std::max(std::abs(twist.angular), twist.linear.norm()); }
double speed(const Twist<Spatial>& twist) { return std::max(twist.angular.norm(), twist.linear.norm()); }

/// Frames and rows of a constraint at points of its motion, its velocities kept. On the stack for two frames.
template <class Space>
class MovedRows {
 public:
  MovedRows(const Constraint<Space>& constraint, const Motion<Space>& m)
      : constraint_(constraint),
        m_(m),
        frames_(constraint.frames().size()),
        blocks_(frames_.size() * static_cast<std::size_t>(constraint.rows() * Space::n)),
        rate_(static_cast<std::size_t>(constraint.rows())) {}

  double largest_speed() const {
    double largest = 0;
    for (std::size_t k = 0; k < frames_.size(); ++k)
      largest = std::max(largest, speed(m_.frame(static_cast<int>(k)).velocity));
    return largest;
  }

  /// out += factor * (rows V + rate) where the motion is after `time`
  void add_product(double time, double factor, double* out) {
    for (std::size_t k = 0; k < frames_.size(); ++k) {
      frames_[k] = m_.frame(static_cast<int>(k));
      frames_[k].pose = moved(frames_[k].pose, frames_[k].velocity, time);
    }
    std::fill(blocks_.begin(), blocks_.end(), 0.0);
    std::fill(rate_.begin(), rate_.end(), 0.0);
    ConstraintRows<Space> rows(constraint_.rows(), blocks_.data(), rate_.data());
    constraint_.velocity_rows(m_.at(m_.time() + time, frames_.data()), rows);

    Eigen::Map<Eigen::VectorXd> sum(out, constraint_.rows());
    for (std::size_t k = 0; k < frames_.size(); ++k) {
      Components<Space> twist;
      twist << frames_[k].velocity.angular, frames_[k].velocity.linear;
      sum.noalias() += factor * (rows.block(static_cast<int>(k)) * twist);
    }
    for (std::size_t i = 0; i < rate_.size(); ++i) out[i] += factor * rate_[i];
  }

 private:
  const Constraint<Space>& constraint_;
  const Motion<Space>& m_;
  boost::container::small_vector<FrameMotion<Space>, 2> frames_;
  boost::container::small_vector<double, 2 * Space::n * Space::n> blocks_;
  boost::container::small_vector<double, Space::n> rate_;
};

}  // namespace

// Velocities are held, so that what is differentiated are the rows and the rate alone.
template <class Space>
void Constraint<Space>::do_bias(const Motion<Space>& m, double* bias) const {
  MovedRows<Space> moved_rows(*this, m);
  const double step = difference_step() / std::max(1.0, moved_rows.largest_speed());
  std::fill_n(bias, rows(), 0.0);
  for (int k = 1; k <= 3; ++k) {
    const double factor = detail::difference_weights[k - 1] / step;
    moved_rows.add_product(k * step, -factor, bias);
    moved_rows.add_product(-k * step, factor, bias);
  }
}

template class Constraint<Planar>;
template class Constraint<Spatial>;

}  // namespace linkwork
