#pragma once

#include <linkwork/forces/common.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <string_view>
#include <vector>

namespace linkwork {

/// Torsion spring and damper between two frames. With theta the angle of the second frame relative to the first,
///
///   torque on the second frame = -(stiffness (theta - free_angle) + damping theta'),   the opposite on the first
///   V = stiffness (theta - free_angle)^2 / 2,   power on the bodies = -dV/dt - damping theta'^2
///
/// It reports theta, theta', that torque (in space along n), the power on the bodies and the dissipation.
///
/// Full turns count. In the plane theta is the difference of the frames' angles, counter-clockwise. In space it is the
/// twist of the relative rotation about an axis given in both frames: with a_1, a_2 the axis in either frame,
/// theta' = n (omega_2 - omega_1) with n = (a_1 + a_2) / (1 + a_1 a_2), and the torque acts along n. So the element
/// stores its energy exactly, also where the axes are not quite parallel; n is the axis where they are. Opposite axes
/// have no twist: a RecoverableFailure. Frames tell it up to full turns: at the start it is taken between -pi and pi,
/// later nearest to where angle and rate of the last accepted step lead. A spring refuses a step that departs from
/// there by more than an eighth of a turn, before it could be taken for the wrong one: evaluation throws
/// RecoverableFailure, and the integrator takes a shorter step.
template <class Space>
class TorsionSpringDamper final : public ForceElement<Space> {
 public:
  struct Options {
    double stiffness = 0;   ///< [N m/rad], >= 0
    double damping = 0;     ///< [N m s/rad], >= 0
    double free_angle = 0;  ///< [rad], either sign, also beyond a full turn
  };

  /// @throws ModelError if a number is negative or not finite, or if stiffness and damping are both zero
  TorsionSpringDamper(const Frame<Space>& first, const Frame<Space>& second,
                      const Options& options) requires(Space::dimension == 2)
      : TorsionSpringDamper(first, second, options, Vector3::UnitZ()) {}
  /// @param axis  of the angle, in the axes of both frames
  TorsionSpringDamper(const Frame<Space>& first, const Frame<Space>& second, const Axis& axis,
                      const Options& options) requires(Space::dimension == 3)
      : TorsionSpringDamper(first, second, options, axis.direction()) {}

  std::string_view type() const override { return type_name; }
  int memory_size() const override { return Space::dimension == 3 ? size : 0; }
  std::optional<ForceUse> use() const override {
    const FrameUse end{.position = false,
                       .rotation = Space::dimension == 3 || options_.stiffness > 0,
                       .velocity = false,
                       .angular_velocity = options_.damping > 0,
                       .force = false};
    return ForceUse{.frames = {end, end}};
  }
  std::vector<ElementReport> reports() const override {
    return {{"angle", "rad"}, {"rate", "rad/s"}, {"torque", "N m"}, {"power", "W"}, {"dissipation", "W"}};
  }

 private:
  static constexpr const char* type_name = "torsion spring-damper";
  using Vector3 = Eigen::Vector3d;
  /// What is remembered in space: theta, theta', the time, and 1 where they are known.
  enum Memory { turned = 0, rate = 1, time = 2, known = 3, size = 4 };

  TorsionSpringDamper(const Frame<Space>& first, const Frame<Space>& second, const Options& options,
                      const Vector3& axis)
      : ForceElement<Space>(detail::two_frames(type_name, first, second)), options_(options), axis_(axis) {
    detail::check_not_negative(type_name, "stiffness", options.stiffness, "N m/rad");
    detail::check_not_negative(type_name, "damping", options.damping, "N m s/rad");
    detail::check_finite(type_name, "free angle", options.free_angle, "rad");
    if (options.stiffness == 0 && options.damping == 0)
      throw ModelError(concat(type_name, ": stiffness is 0 N m/rad and damping 0 N m s/rad, so that the element does ",
                              "nothing; give one of them."));
  }

  void do_add_to(const Motion<Space>& m, ForceSums<Space>& sums) const override {
    const Angular<Space> direction = gradient(m);
    double torque = -options_.damping * turning(m, direction);
    if (options_.stiffness > 0) {
      refuse_long_step(m);
      torque -= options_.stiffness * (angle(m) - options_.free_angle);
    }
    detail::add_opposite_torques<Space>(torque * direction, sums);
  }

  void do_report(const Motion<Space>& m, double* values) const override {
    const double turn_rate = turning(m, gradient(m));
    values[0] = angle(m);
    values[1] = turn_rate;
    values[2] = -options_.stiffness * (values[0] - options_.free_angle) - options_.damping * turn_rate;
    values[3] = values[2] * turn_rate;
    values[4] = options_.damping * turn_rate * turn_rate;
  }

  double do_potential_energy(const Motion<Space>& m) const override {
    const double turn = angle(m) - options_.free_angle;
    return 0.5 * options_.stiffness * turn * turn;
  }

  void do_remember(const Motion<Space>& m, bool, int, double* memory) const override {
    if constexpr (Space::dimension == 3) {
      memory[turned] = angle(m);
      memory[rate] = turning(m, gradient(m));
      memory[time] = m.time();
      memory[known] = 1;
    }
  }

  /// theta' [rad/s]
  static double turning(const Motion<Space>& m, const Angular<Space>& gradient) {
    return dot(gradient, m.frame(1).velocity.angular - m.frame(0).velocity.angular);
  }

  /// Where the last accepted step leads: of all angles that differ by full turns the nearest is taken. Only what comes
  /// later follows from it.
  static double expected(const Motion<Space>& m) {
    return m.memory(turned) + m.memory(rate) * std::max<double>(m.time() - m.memory(time), 0.0);
  }

  void refuse_long_step(const Motion<Space>& m) const {
    if constexpr (Space::dimension == 3) {
      constexpr double farthest = std::numbers::pi / 4;
      if (m.memory(known) == 0 || !(m.time() > m.memory(time))) return;
      const double departure = angle(m) - expected(m);
      if (std::abs(departure) > farthest)
        throw RecoverableFailure(concat("its angle departs by ", departure,
                                        " rad from where the last step at t = ", m.memory(time),
                                        " s leads, so that the number of turns is not known any more; take shorter "
                                        "steps (maximum_step)"));
    }
  }

  /// theta [rad]
  double angle(const Motion<Space>& m) const {
    if constexpr (Space::dimension == 2) {
      return m.frame(1).pose.angle - m.frame(0).pose.angle;
    } else {
      // Of the quaternion (w, u) of R, with z = u axis: the two entries are 4 w z and 2 (w^2 - z^2), so that this is
      // the angle of (w + i z)^2.
      const Eigen::Matrix3d R = m.frame(0).pose.rotation.transpose() * m.frame(1).pose.rotation;
      const Vector3 antisymmetric(R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1));
      const double twist = std::atan2(axis_.dot(antisymmetric), R.trace() - axis_.dot(R * axis_));
      constexpr double turn = 2 * std::numbers::pi;
      return twist + turn * std::round((expected(m) - twist) / turn);
    }
  }

  /// d theta / d (rotation of the second frame relative to the first), ground axes
  Angular<Space> gradient(const Motion<Space>& m) const {
    if constexpr (Space::dimension == 2) {
      return 1;
    } else {
      const Vector3 a_1 = m.frame(0).pose.rotation * axis_, a_2 = m.frame(1).pose.rotation * axis_;
      const double cosine = a_1.dot(a_2);
      if (!(1 + cosine > 1e-12))
        throw RecoverableFailure(concat(type_name,
                                        ": the axes of its frames are opposite, so that the angle about them is "
                                        "undefined; use it where they are parallel."));
      return (a_1 + a_2) / (1 + cosine);
    }
  }

  Options options_;
  Vector3 axis_;  ///< in space
};

extern template class TorsionSpringDamper<Planar>;
extern template class TorsionSpringDamper<Spatial>;

}  // namespace linkwork
