#pragma once

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/core/force_element.hpp>

#include <cmath>
#include <functional>
#include <string_view>
#include <vector>

/// What the force elements share: checks of their arguments, and pairs of opposite forces.
namespace linkwork::detail {

/// @throws ModelError unless `value` is finite and >= 0
inline void check_not_negative(std::string_view type, const char* what, double value, const char* unit) {
  if (!(std::isfinite(value) && value >= 0))
    throw ModelError(concat(type, ": ", what, " is ", value, " ", unit, "; give a finite value >= 0."));
}

/// @throws ModelError unless `value` is finite and > 0
inline void check_positive(std::string_view type, const char* what, double value, const char* unit) {
  if (!(std::isfinite(value) && value > 0))
    throw ModelError(concat(type, ": ", what, " is ", value, " ", unit, "; give a finite value > 0."));
}

/// @throws ModelError unless `value` is finite
inline void check_finite(std::string_view type, const char* what, double value, const char* unit) {
  if (!std::isfinite(value))
    throw ModelError(concat(type, ": ", what, " is ", value, " ", unit, "; give a finite value."));
}
template <class Derived>
void check_finite(std::string_view type, const char* what, const Eigen::MatrixBase<Derived>& value, const char* unit) {
  if (!value.allFinite())
    throw ModelError(concat(type, ": ", what, " is (", value.transpose(), ") ", unit, "; give finite values."));
}

/// @throws ModelError if `function` is empty
template <class Signature>
void check_given(std::string_view type, const char* what, const std::function<Signature>& function) {
  if (!function)
    throw ModelError(concat(type, ": the function of its ", what, " is empty; give one that can be called."));
}

/// The two frames of an element between bodies.
/// @throws ModelError if they are on one body, where opposite wrenches do nothing
template <class Space>
std::vector<Frame<Space>> two_frames(std::string_view type, const Frame<Space>& first, const Frame<Space>& second) {
  if (first.body == second.body && first.model == second.model)
    throw ModelError(concat(type, ": both of its frames are on one body, so that the element does nothing; ",
                            "give frames of two bodies, or of a body and the ground."));
  return {first, second};
}

/// `direction` at length one.
/// @throws ModelError if its length is zero or not finite
template <class V>
V unit_direction(std::string_view type, const char* what, const V& direction) {
  const double length = direction.norm();
  if (!(std::isfinite(length) && length > 0))
    throw ModelError(concat(type, ": ", what, " is (", direction.transpose(),
                            "), which has no finite length above zero; give a direction."));
  return direction / length;
}

/// Puts `force` [N] on frame 1 and its opposite on frame 0, both acting at `point` [m]; ground axes.
template <class Space>
void add_opposite_forces(const Motion<Space>& m, const Vector<Space>& force, const Vector<Space>& point,
                         ForceSums<Space>& sums) {
  const Vector<Space> opposite = -force;
  sums.add_force(0, opposite);
  sums.add_torque(0, cross(Vector<Space>(point - m.frame(0).pose.position), opposite));
  sums.add_force(1, force);
  sums.add_torque(1, cross(Vector<Space>(point - m.frame(1).pose.position), force));
}

/// Puts `torque` [N m] on frame 1 and its opposite on frame 0; ground axes.
template <class Space>
void add_opposite_torques(const Angular<Space>& torque, ForceSums<Space>& sums) {
  sums.add_torque(0, -torque);
  sums.add_torque(1, torque);
}

/// Velocity [m/s] of the point of frame k's body that is at `point` [m]; ground axes.
template <class Space>
Vector<Space> velocity_at(const Motion<Space>& m, int k, const Vector<Space>& point) {
  const FrameMotion<Space>& frame = m.frame(k);
  return frame.velocity.linear + cross(frame.velocity.angular, Vector<Space>(point - frame.pose.position));
}

}  // namespace linkwork::detail
