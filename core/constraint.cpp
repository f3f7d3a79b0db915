#include <linkwork/core/constraint.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/core/differences.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/core/pose.hpp>
#include <linkwork/core/small_system.hpp>

#include <algorithm>
#include <boost/container/small_vector.hpp>

namespace linkwork {

using detail::SmallArray;

namespace {

/// The larger of both parts of a twist: a motion over time t covers at most speed * t, in metres and radians.
double speed(const Twist<Planar>& twist) { return std::max(std::abs(twist.angular), twist.linear.norm()); }
double speed(const Twist<Spatial>& twist) { return std::max(twist.angular.norm(), twist.linear.norm()); }

/// A constraint at points near the one that it is asked at.
template <class Space>
class Neighbourhood {
 public:
  Neighbourhood(const Constraint<Space>& constraint, const Motion<Space>& m)
      : m_(m),
        time_(m.time()),
        frames_(constraint.frames().size()),
        contacts_(static_cast<std::size_t>(constraint.contacts())) {
    for (std::size_t k = 0; k < frames_.size(); ++k) frames_[k] = m.frame(static_cast<int>(k));
    for (std::size_t i = 0; i < contacts_.size(); ++i) contacts_[i] = m.contact(static_cast<int>(i));
  }

  double largest_speed() const {
    double largest = 0;
    for (const FrameMotion<Space>& frame : frames_) largest = std::max(largest, speed(frame.velocity));
    return largest;
  }
  const Twist<Space>& velocity(std::size_t frame) const { return frames_[frame].velocity; }

  void move_time(double by) { time_ = m_.time() + by; }
  void move_frame(int k, const Twist<Space>& twist, double time) {
    frames_[static_cast<std::size_t>(k)].pose = moved(m_.frame(k).pose, twist, time);
  }
  void move_velocity(int k, const Twist<Space>& along, double by) {
    Twist<Space>& velocity = frames_[static_cast<std::size_t>(k)].velocity;
    velocity = m_.frame(k).velocity;
    velocity.angular += by * along.angular;
    velocity.linear += by * along.linear;
  }
  void move_contact(int i, double by) { contacts_[static_cast<std::size_t>(i)] = m_.contact(i) + by; }
  /// Time and frames; the velocities are kept.
  void go_on(double time) {
    move_time(time);
    for (int k = 0; k < static_cast<int>(frames_.size()); ++k) move_frame(k, m_.frame(k).velocity, time);
  }

  Motion<Space> motion() const { return m_.at(time_, frames_.data()).with_contacts(contacts_.data()); }

 private:
  const Motion<Space>& m_;
  Instant time_;
  boost::container::small_vector<FrameMotion<Space>, 2> frames_;
  SmallArray contacts_;
};

/// Central differences of [g; c]: out[i * stride] += derivative along move(x), which moves the neighbourhood.
template <class Space>
class ResidualDerivatives {
 public:
  /// @param with_g  false: of c alone
  ResidualDerivatives(const Constraint<Space>& constraint, const Motion<Space>& m, bool with_g)
      : constraint_(constraint),
        near_(constraint, m),
        rows_(with_g ? constraint.rows() : 0),
        values_(static_cast<std::size_t>(rows_ + constraint.contacts())) {}

  Neighbourhood<Space>& near() { return near_; }
  int size() const { return static_cast<int>(values_.size()); }

  template <class Move>
  void add(double step, const Move& move, double* out, int stride) {
    for (int k = 1; k <= 3; ++k)
      for (const double side : {1.0, -1.0}) {
        move(side * k * step);
        const Motion<Space> m = near_.motion();
        if (rows_ > 0) constraint_.residual(m, values_.data());
        if (constraint_.contacts() > 0) constraint_.contact_residual(m, values_.data() + rows_);
        const double factor = side * detail::difference_weights[k - 1] / step;
        for (std::size_t i = 0; i < values_.size(); ++i) out[static_cast<int>(i) * stride] += factor * values_[i];
      }
    move(0.0);
  }

 private:
  const Constraint<Space>& constraint_;
  Neighbourhood<Space> near_;
  int rows_;
  SmallArray values_;
};

[[noreturn]] void refuse_singular(const double* contacts, int count) {
  throw RecoverableFailure(concat("its contact equations c = 0 are singular in s at s = ",
                                  detail::listed_values(contacts, count), ": the contact point is not unique there"));
}

/// [g_s; c_s], row by row.
template <class Space>
void add_contact_columns(ResidualDerivatives<Space>& derivatives, int contacts, double step, double* out) {
  for (int j = 0; j < contacts; ++j)
    derivatives.add(
        step, [&](double x) { derivatives.near().move_contact(j, x); }, out + j, contacts);
}

/// A twist along one freedom of a frame.
template <class Space>
Twist<Space> unit_twist(int freedom) {
  Twist<Space> out;
  if (freedom >= Space::angular)
    out.linear[freedom - Space::angular] = 1;
  else if constexpr (Space::dimension == 2)
    out.angular = 1;
  else
    out.angular[freedom] = 1;
  return out;
}

/// Adds weighted values of phi, of a nonlinear constraint, at the neighbourhood.
template <class Space>
void add_residual(const Constraint<Space>& constraint, const Neighbourhood<Space>& near, double factor,
                  SmallArray& values, double* out, int stride) {
  constraint.velocity_residual(near.motion(), values.data());
  for (std::size_t i = 0; i < values.size(); ++i) out[static_cast<int>(i) * stride] += factor * values[i];
}

/// Central differences of phi along move(x), which moves the neighbourhood.
template <class Space, class Move>
void add_residual_derivative(const Constraint<Space>& constraint, const Neighbourhood<Space>& near, double step,
                             SmallArray& values, const Move& move, double* out, int stride) {
  for (int k = 1; k <= 3; ++k)
    for (const double side : {1.0, -1.0}) {
      move(side * k * step);
      add_residual(constraint, near, side * detail::difference_weights[k - 1] / step, values, out, stride);
    }
  move(0.0);
}

/// d phi / d V.
template <class Space>
void differentiate_by_velocities(const Constraint<Space>& constraint, const Motion<Space>& m,
                                 ConstraintRows<Space>& out) {
  Neighbourhood<Space> near(constraint, m);
  const double step = constraint.difference_step() * std::max(1.0, near.largest_speed());
  SmallArray values(static_cast<std::size_t>(constraint.rows()));
  for (int k = 0; k < static_cast<int>(constraint.frames().size()); ++k) {
    auto block = out.block(k);
    for (int freedom = 0; freedom < Space::n; ++freedom) {
      const Twist<Space> along = unit_twist<Space>(freedom);
      add_residual_derivative(
          constraint, near, step, values, [&](double x) { near.move_velocity(k, along, x); }, &block(0, freedom),
          Space::n);
    }
  }
}

/// Minus the rate of phi along the motion, the velocities held.
template <class Space>
void differentiate_along_motion(const Constraint<Space>& constraint, const Motion<Space>& m, double* bias) {
  Neighbourhood<Space> near(constraint, m);
  const double step = constraint.difference_step() / std::max(1.0, near.largest_speed());
  SmallArray values(static_cast<std::size_t>(constraint.rows()));
  std::fill_n(bias, values.size(), 0.0);
  add_residual_derivative(
      constraint, near, step, values, [&](double x) { near.go_on(x); }, bias, 1);
  for (std::size_t i = 0; i < values.size(); ++i) bias[i] = -bias[i];
}

}  // namespace

template <class Space>
void Constraint<Space>::do_rows(const Motion<Space>& m, ConstraintRows<Space>& out) const {
  if (level() == Level::nonlinear) return differentiate_by_velocities(*this, m, out);
  if (level() == Level::servo)
    throw ModelError(concat(type(), ": a servo constraint has no residual that its rows could be derived from; ",
                            "give do_rows and do_bias."));
  if (level() != Level::holonomic)
    throw ModelError(concat(type(), ": a nonholonomic constraint has no residual that its rows could be derived from; ",
                            "give do_rows."));
  const int count = rows(), s_count = contacts();
  const double step = difference_step();
  ResidualDerivatives<Space> derivatives(*this, m, true);
  const auto size = static_cast<std::size_t>(derivatives.size());
  Neighbourhood<Space>& near = derivatives.near();

  // K = g_s c_s^-1 from c_s^T K^T = g_s^T.
  SmallArray by_contact(size * static_cast<std::size_t>(s_count)), c_s, K;
  if (s_count > 0) {
    add_contact_columns(derivatives, s_count, step, by_contact.data());
    c_s.resize(static_cast<std::size_t>(s_count * s_count));
    K.resize(static_cast<std::size_t>(s_count * count));
    for (int j = 0; j < s_count; ++j) {
      for (int i = 0; i < s_count; ++i)
        c_s[static_cast<std::size_t>(j * s_count + i)] =
            by_contact[static_cast<std::size_t>((count + i) * s_count + j)];
      for (int r = 0; r < count; ++r)
        K[static_cast<std::size_t>(j * count + r)] = by_contact[static_cast<std::size_t>(r * s_count + j)];
    }
    if (!detail::solve_in_place(c_s.data(), s_count, K.data(), count)) {
      for (int i = 0; i < s_count; ++i) by_contact[static_cast<std::size_t>(i)] = m.contact(i);
      refuse_singular(by_contact.data(), s_count);
    }
  }
  SmallArray column(size);
  const auto derivative = [&](const auto& move) {
    std::fill(column.begin(), column.end(), 0.0);
    derivatives.add(step, move, column.data(), 1);
    for (int r = 0; r < count; ++r)
      for (int i = 0; i < s_count; ++i)
        column[static_cast<std::size_t>(r)] -=
            K[static_cast<std::size_t>(i * count + r)] * column[static_cast<std::size_t>(count + i)];
  };
  for (int k = 0; k < static_cast<int>(frames().size()); ++k) {
    auto block = out.block(k);
    for (int freedom = 0; freedom < Space::n; ++freedom) {
      const Twist<Space> twist = unit_twist<Space>(freedom);
      derivative([&](double x) { near.move_frame(k, twist, x); });
      for (int r = 0; r < count; ++r) block(r, freedom) = column[static_cast<std::size_t>(r)];
    }
  }
  derivative([&](double x) { near.move_time(x); });
  for (int r = 0; r < count; ++r) out.rate(r) = column[static_cast<std::size_t>(r)];
}

template <class Space>
void Constraint<Space>::do_contact_rates(const Motion<Space>& m, double* rates) const {
  const int count = contacts();
  if (count == 0) return;
  ResidualDerivatives<Space> derivatives(*this, m, false);
  Neighbourhood<Space>& near = derivatives.near();
  SmallArray c_s(static_cast<std::size_t>(count * count));
  add_contact_columns(derivatives, count, difference_step(), c_s.data());
  std::fill_n(rates, count, 0.0);
  derivatives.add(
      difference_step() / std::max(1.0, near.largest_speed()), [&](double x) { near.go_on(x); }, rates, 1);
  if (!detail::solve_in_place(c_s.data(), count, rates, 1)) {
    for (int i = 0; i < count; ++i) rates[i] = m.contact(i);
    refuse_singular(rates, count);
  }
  for (int i = 0; i < count; ++i) rates[i] = -rates[i];
}

// Velocities are held, so that what is differentiated are the rows and the rate alone.
template <class Space>
void Constraint<Space>::do_bias(const Motion<Space>& m, double* bias) const {
  if (level() == Level::nonlinear) return differentiate_along_motion(*this, m, bias);
  if (level() == Level::servo)
    throw ModelError(concat(type(), ": a servo constraint prescribes accelerations: rows A = bias; give do_bias."));
  const int count = rows(), s_count = contacts();
  SmallArray s_rate(static_cast<std::size_t>(s_count));
  contact_rates(m, s_rate.data());
  Neighbourhood<Space> near(*this, m);
  double fastest = std::max(1.0, near.largest_speed());
  for (const double rate : s_rate) fastest = std::max(fastest, std::abs(rate));
  const double step = difference_step() / fastest;

  SmallArray blocks(frames().size() * static_cast<std::size_t>(count * Space::n));
  SmallArray rate(static_cast<std::size_t>(count));
  Eigen::Map<Eigen::VectorXd> sum(bias, count);
  sum.setZero();
  const auto add_product = [&](double time, double factor) {
    near.go_on(time);
    for (int i = 0; i < s_count; ++i) near.move_contact(i, time * s_rate[static_cast<std::size_t>(i)]);
    std::fill(blocks.begin(), blocks.end(), 0.0);
    std::fill(rate.begin(), rate.end(), 0.0);
    ConstraintRows<Space> there(count, blocks.data(), rate.data());
    velocity_rows(near.motion(), there);
    for (std::size_t k = 0; k < frames().size(); ++k) {
      Components<Space> twist;
      twist << near.velocity(k).angular, near.velocity(k).linear;
      sum.noalias() += factor * (there.block(static_cast<int>(k)) * twist);
    }
    for (int i = 0; i < count; ++i) bias[i] += factor * rate[static_cast<std::size_t>(i)];
  };
  for (int k = 1; k <= 3; ++k) {
    const double factor = detail::difference_weights[k - 1] / step;
    add_product(k * step, -factor);
    add_product(-k * step, factor);
  }
}

template class Constraint<Planar>;
template class Constraint<Spatial>;

}  // namespace linkwork
