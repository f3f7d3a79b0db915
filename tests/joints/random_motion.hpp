#pragma once

#include <linkwork/core/constraint.hpp>
#include <linkwork/core/joint.hpp>
#include <linkwork/core/pose.hpp>

#include <Eigen/Core>
#include <random>
#include <vector>

namespace linkwork::test {

/// The numbers behind a Motion, for elements that are evaluated without a model.
template <class Space>
struct FramesInMotion {
  double time = 0;
  std::vector<FrameMotion<Space>> frames;
  std::vector<double> memory;

  Motion<Space> view() const { return {time, frames.data(), nullptr, memory.data(), nullptr}; }

  /// Twists of all frames, one below the other.
  Eigen::VectorXd twists() const {
    return stacked([](const FrameMotion<Space>& frame) { return frame.velocity; });
  }
  /// The accelerations kept in the frames' biases, one below the other.
  Eigen::VectorXd accelerations() const {
    return stacked([](const FrameMotion<Space>& frame) { return frame.bias; });
  }
  /// After dt at constant velocity; the memory is kept.
  FramesInMotion after(double dt) const {
    FramesInMotion out = *this;
    out.time += dt;
    for (FrameMotion<Space>& frame : out.frames) frame.pose = moved(frame.pose, frame.velocity, dt);
    return out;
  }
  /// Starts the memory of an element.
  void start(const Constraint<Space>& element) {
    memory.assign(static_cast<std::size_t>(element.memory_size()), 0.0);
    element.remember(view(), true, memory.data());
  }

 private:
  template <class Part>
  Eigen::VectorXd stacked(Part&& part) const {
    Eigen::VectorXd out(static_cast<Eigen::Index>(frames.size()) * Space::n);
    for (std::size_t k = 0; k < frames.size(); ++k) {
      const Twist<Space> twist = part(frames[k]);
      out.segment<Space::n>(static_cast<Eigen::Index>(k) * Space::n) << twist.angular, twist.linear;
    }
    return out;
  }
};

/// Sixth-order central differences at zero of a function of time that returns a vector: first and second derivative.
template <class Function>
Eigen::VectorXd first_derivative(double step, Function&& f) {
  return (45 * (f(step) - f(-step)) - 9 * (f(2 * step) - f(-2 * step)) + (f(3 * step) - f(-3 * step))) / (60 * step);
}
template <class Function>
Eigen::VectorXd second_derivative(double step, Function&& f) {
  const Eigen::VectorXd sum =
      270 * (f(step) + f(-step)) - 27 * (f(2 * step) + f(-2 * step)) + 2 * (f(3 * step) + f(-3 * step)) - 490 * f(0);
  return sum / (180 * step * step);
}

/// Seeded random poses (positions within 1 m, any attitude), twists (within 1 m/s and 1 rad/s per component) and
/// motions of joints.
template <class Space>
class RandomMotion {
 public:
  explicit RandomMotion(unsigned seed) : generator_(seed) {}

  /// Between -1 and 1.
  double number() { return uniform_(generator_); }
  Vector<Space> vector() {
    return Vector<Space>::NullaryExpr([this] { return number(); });
  }
  Twist<Space> twist() {
    Twist<Space> out;
    if constexpr (Space::dimension == 2)
      out.angular = number();
    else
      out.angular = vector();
    out.linear = vector();
    return out;
  }
  Pose<Space> pose() {
    Twist<Space> turn = twist();
    turn.angular *= 3;
    return moved(Pose<Space>{}, turn, 1.0);
  }

  /// Frames that move freely; the first at any pose, the others within `spread` [m, rad] of it along each axis.
  FramesInMotion<Space> free(std::size_t frames, double spread = 0.4) {
    FramesInMotion<Space> out;
    out.time = number();
    const Pose<Space> center = pose();
    for (std::size_t k = 0; k < frames; ++k) {
      FrameMotion<Space> frame;
      frame.pose = k == 0 ? center : moved(center, twist(), spread);
      frame.velocity = twist();
      out.frames.push_back(frame);
    }
    return out;
  }

  /// Father and son of a joint that moves as it may, at random coordinates up to `reach` [m, rad] from its zero. The
  /// son's acceleration at constant rates of the coordinates is its bias; the father has none.
  FramesInMotion<Space> of_joint(const Joint<Space>& joint, double reach = 1.2) {
    const auto freedoms = static_cast<std::size_t>(joint.freedoms());
    const auto coordinates = static_cast<std::size_t>(joint.coordinates());
    std::vector<double> home(coordinates + 1), q(coordinates + 1), rates(freedoms + 1), step(freedoms + 1);
    joint.home(home.data());
    for (double& entry : step) entry = reach * number();
    for (double& entry : rates) entry = number();
    joint.retract(home.data(), step.data(), q.data());

    FramesInMotion<Space> out;
    out.time = number();
    out.frames.resize(2);
    out.frames[0].pose = pose();
    out.frames[0].velocity = twist();
    const auto son_after = [&](double dt) {
      std::vector<double> moved_step(freedoms + 1), moved_q(coordinates + 1);
      for (std::size_t i = 0; i < freedoms; ++i) moved_step[i] = dt * rates[i];
      joint.retract(q.data(), moved_step.data(), moved_q.data());
      const Pose<Space> father = moved(out.frames[0].pose, out.frames[0].velocity, dt);
      const Pose<Space> X = joint.pose(out.time + dt, moved_q.data());
      Pose<Space> son;
      son.position = father.position + father.rotation * X.position;
      son.rotation = father.rotation * X.rotation;
      if constexpr (Space::dimension == 2) son.angle = father.angle + X.angle;
      return son;
    };
    set_motion(out.frames[1], son_after);
    return out;
  }

 private:
  /// Pose, twist and acceleration (as bias) of a frame from its pose as a function of time.
  template <class Function>
  void set_motion(FrameMotion<Space>& frame, Function&& pose_after) {
    constexpr double step = 0.01;
    frame.pose = pose_after(0);
    const auto path = [&](double dt) -> Eigen::VectorXd {
      return logarithm(relative_pose(frame.pose, pose_after(dt)));
    };
    // In the moving axes the twist and its derivative are the first two derivatives of the logarithm.
    frame.velocity = to_ground(frame.pose, first_derivative(step, path));
    frame.bias = to_ground(frame.pose, second_derivative(step, path));
    frame.bias.linear += cross(frame.velocity.angular, frame.velocity.linear);
  }
  static Twist<Space> to_ground(const Pose<Space>& pose, const Eigen::VectorXd& components) {
    Twist<Space> out;
    if constexpr (Space::dimension == 2)
      out.angular = components[0];
    else
      out.angular = pose.rotation * components.template head<3>();
    out.linear = pose.rotation * components.template tail<Space::dimension>();
    return out;
  }

  std::mt19937 generator_;
  std::uniform_real_distribution<double> uniform_{-1, 1};
};

/// What an element says at one point: its rows over the stacked twists of all frames.
struct EvaluatedRows {
  Eigen::MatrixXd rows;
  Eigen::VectorXd rate;
};
template <class Space>
EvaluatedRows rows_of(const Constraint<Space>& element, const FramesInMotion<Space>& m) {
  using Row = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::Index count = element.rows(), frames = static_cast<Eigen::Index>(m.frames.size());
  std::vector<double> blocks(static_cast<std::size_t>(count * frames * Space::n), 0.0);
  EvaluatedRows out{Eigen::MatrixXd(count, frames * Space::n), Eigen::VectorXd::Zero(count)};
  ConstraintRows<Space> rows(element.rows(), blocks.data(), out.rate.data());
  element.velocity_rows(m.view(), rows);
  for (Eigen::Index k = 0; k < frames; ++k)
    out.rows.middleCols(k * Space::n, Space::n) =
        Eigen::Map<const Row>(blocks.data() + k * count * Space::n, count, Space::n);
  return out;
}
template <class Space>
Eigen::VectorXd residual_of(const Constraint<Space>& element, const FramesInMotion<Space>& m) {
  Eigen::VectorXd g(element.rows());
  element.residual(m.view(), g.data());
  return g;
}
template <class Space>
Eigen::VectorXd bias_of(const Constraint<Space>& element, const FramesInMotion<Space>& m) {
  Eigen::VectorXd bias(element.rows());
  element.bias(m.view(), bias.data());
  return bias;
}

}  // namespace linkwork::test
