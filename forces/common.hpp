#pragma once

#include <linkwork/core/checks.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/core/force_element.hpp>

#include <cmath>
#include <string_view>

/// What the force elements share: directions, and pairs of opposite forces.
namespace linkwork::detail {

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

/// From the origin of frame 0 to that of frame 1 [m], ground axes.
template <class Space>
Vector<Space> line_between(const Motion<Space>& m) {
  return m.frame(1).pose.position - m.frame(0).pose.position;
}

/// How fast that line grows [m/s], where it has a length.
template <class Space>
double rate_of_line(const Motion<Space>& m) {
  const Vector<Space> line = line_between(m);
  return line.dot(m.frame(1).velocity.linear - m.frame(0).velocity.linear) / line.norm();
}

/// Length [m] of the line that an element acts along.
/// @throws RecoverableFailure where it is zero
template <class V>
double length_of_line(std::string_view type, const V& line) {
  const double length = line.norm();
  if (!(length > 0))
    throw RecoverableFailure(
        concat(type, ": its length is ", length, " m, so that its force has no direction; keep its ends apart."));
  return length;
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
