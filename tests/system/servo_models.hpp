#pragma once

// Constraints whose rows depend on velocities, and mechanisms that they act in.

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/bodies/point_mass.hpp>
#include <linkwork/core/model.hpp>
#include <linkwork/joints/prismatic.hpp>
#include <linkwork/joints/revolute.hpp>

#include <cmath>

namespace linkwork::test {

/// z' + ratio |(x', y')| = 0 of a frame's origin, by phi alone: rows and bias follow by differences.
class FallingWeight final : public Constraint<Spatial> {
 public:
  FallingWeight(const Frame<Spatial>& weight, double ratio) : Constraint<Spatial>({weight}), ratio_(ratio) {}
  std::string_view type() const override { return "falling weight"; }
  Level level() const override { return Level::nonlinear; }
  int rows() const override { return 1; }

 private:
  void do_velocity_residual(const Motion<Spatial>& m, double* phi) const override {
    const Eigen::Vector3d& v = m.frame(0).velocity.linear;
    phi[0] = v.z() + ratio_ * v.head<2>().norm();
  }
  double ratio_;
};

/// (|v|^2 - c^2) / (2 c) = 0 of a frame's origin.
class ConstantSpeed final : public Constraint<Planar> {
 public:
  ConstantSpeed(const Frame<Planar>& point, double speed) : Constraint<Planar>({point}), speed_(speed) {}
  std::string_view type() const override { return "constant speed"; }
  Level level() const override { return Level::nonlinear; }
  int rows() const override { return 1; }

 private:
  void do_velocity_residual(const Motion<Planar>& m, double* phi) const override {
    phi[0] = (m.frame(0).velocity.linear.squaredNorm() - speed_ * speed_) / (2 * speed_);
  }
  double speed_;
};

/// theta'' = -2 decay theta' - frequency^2 theta of a body, by a torque on it or by a force along an axis of the ground
/// on another one.
class AngleServo final : public Constraint<Planar> {
 public:
  AngleServo(const Frame<Planar>& turned) : Constraint<Planar>({turned}) {}
  AngleServo(const Frame<Planar>& turned, const Frame<Planar>& pushed, const Eigen::Vector2d& along)
      : Constraint<Planar>({turned, pushed}), along_(along) {}
  std::string_view type() const override { return "angle servo"; }
  Level level() const override { return Level::servo; }
  int rows() const override { return 1; }
  bool is_angular(int /*row*/) const override { return true; }
  bool has_own_forces() const override { return frames().size() > 1; }

  static constexpr double frequency = 3, decay = 0.75;  // [1/s]

 private:
  void do_rows(const Motion<Planar>& /*m*/, ConstraintRows<Planar>& out) const override { out.add(0, 0, 1, {0, 0}); }
  void do_bias(const Motion<Planar>& m, double* bias) const override {
    bias[0] = -2 * decay * m.frame(0).velocity.angular - frequency * frequency * m.frame(0).pose.angle;
  }
  void do_force_rows(const Motion<Planar>& /*m*/, ConstraintRows<Planar>& out) const override {
    out.add_linear(0, 1, along_);
  }
  Eigen::Vector2d along_ = {0, 0};
};

inline constexpr double gravity = 9.81;

/// A weight that falls as it moves sideways: without other forces in a straight line.
inline SpatialModel falling_weight(double ratio, double speed) {
  SpatialModel model("falling weight");
  model.set_gravity({0, 0, -gravity});
  auto weight = model.add_body<PointMass>("weight", 2.0);
  weight.move({0.6 * speed, 0.8 * speed, -ratio * speed});
  const auto pulley = model.add_constraint<FallingWeight>("pulley", weight.origin(), ratio);
  model.add_observable("x", "m", [=](const auto& now) { return now.pose(weight.origin()).position.x(); });
  model.add_observable("multiplier", "N", [=](const auto& now) { return now.multiplier(pulley, 0); });
  return model;
}

/// Two rods that hang on the ground, the tip of the lower one at a constant speed.
inline PlanarModel driven_double_pendulum() {
  PlanarModel model("driven double pendulum");
  model.set_gravity({0, -gravity});
  auto upper = model.add_body("upper", MassProperties::rod(1, 0.6));
  auto lower = model.add_body("lower", MassProperties::rod(0.7, 0.5));
  upper.place({0.3, 0}).move({0, 0}, 0);
  lower.place({0.6, -0.25}, -std::acos(0.0)).move({0.3, 0}, 1.2);
  model.add_joint<Revolute>("shoulder", model.ground().origin(), upper.at({-0.3, 0}));
  model.add_joint<Revolute>("elbow", upper.at({0.3, 0}), lower.at({-0.25, 0}));
  const auto tip = lower.at({0.25, 0});
  const auto speed = model.add_constraint<ConstantSpeed>("speed", tip, 0.6);
  model.add_observable("x", "m", [=](const auto& now) { return now.pose(tip).position.x(); });
  model.add_observable("multiplier", "N", [=](const auto& now) { return now.multiplier(speed, 0); });
  return model;
}

enum class Push { by_torque, along_rail, across_rail };

struct CartPole {
  static constexpr double cart_mass = 2, pole_mass = 0.5, half_length = 0.4, start = 0.3;
  static constexpr double inertia = pole_mass * half_length * half_length / 3;

  PlanarModel model{"cart and pole"};
  ConstraintRef<Planar> servo;

  explicit CartPole(Push push) {
    model.set_gravity({0, -gravity});
    auto cart = model.add_body("cart", MassProperties::planar(cart_mass, 0.1));
    auto pole = model.add_body("pole", MassProperties::planar(pole_mass, inertia));
    pole.place({-half_length * std::sin(start), half_length * std::cos(start)}, start);
    model.add_joint<Prismatic>("rail", model.ground().origin(), cart.origin(), Axis::x());
    model.add_joint<Revolute>("hinge", cart.origin(), pole.at({0, -half_length}));
    if (push == Push::by_torque)
      servo = model.add_constraint<AngleServo>("servo", pole.origin());
    else
      servo =
          model.add_constraint<AngleServo>("servo", pole.origin(), cart.origin(),
                                           push == Push::along_rail ? Eigen::Vector2d(1, 0) : Eigen::Vector2d(0, 1));
    const auto frame = pole.origin();
    model.add_observable("theta", "rad", [=](const auto& now) { return now.pose(frame).angle; });
    model.add_observable("effort", "N", [=, s = servo](const auto& now) { return -now.multiplier(s, 0); });
  }

  struct Angle {
    double value, rate, acceleration;
  };
  /// The damped oscillation that the servo asks.
  static Angle angle(double t) {
    constexpr double decay = AngleServo::decay, square = AngleServo::frequency * AngleServo::frequency;
    const double turning = std::sqrt(square - decay * decay);
    const double c = std::cos(turning * t), s = std::sin(turning * t), e = start * std::exp(-decay * t);
    const double value = e * (c + decay / turning * s), rate = -e * square / turning * s;
    return {value, rate, -2 * decay * rate - square * value};
  }
  /// The force along the rail: m l x'' cos theta = (J + m l^2) theta'' - m g l sin theta of the moments about the
  /// hinge, F = (M + m) x'' - m l (theta'' cos theta - theta'^2 sin theta) of the momenta.
  static double force(double t) {
    const Angle a = angle(t);
    const double of_cart = ((inertia + pole_mass * half_length * half_length) * a.acceleration -
                            pole_mass * gravity * half_length * std::sin(a.value)) /
                           (pole_mass * half_length * std::cos(a.value));
    return (cart_mass + pole_mass) * of_cart -
           pole_mass * half_length * (a.acceleration * std::cos(a.value) - a.rate * a.rate * std::sin(a.value));
  }
};

}  // namespace linkwork::test
