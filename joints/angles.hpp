#pragma once

#include <linkwork/core/space.hpp>

#include <cmath>
#include <numbers>

namespace linkwork {

/// Of all angles that differ from `angle` by full turns, the nearest to `guess` [rad].
inline double nearest_turn(double angle, double guess) {
  return guess + std::remainder(angle - guess, 2 * std::numbers::pi);
}

/// The angle of a rotation in the plane, between -pi and pi.
inline double turn_of(const Eigen::Matrix2d& rotation) {
  return std::atan2(rotation(1, 0) - rotation(0, 1), rotation.trace());
}

/// The angle by which a rotation turns about an axis (unit vector), between -2 pi and 2 pi; the rest of the rotation is
/// about an axis perpendicular to it. Zero where that rest is half a turn, so that no angle is left to find.
inline double turn_about(const Eigen::Vector3d& axis, const Eigen::Matrix3d& rotation) {
  const Eigen::Quaterniond quaternion(rotation);
  return 2 * std::atan2(axis.dot(quaternion.vec()), quaternion.w());
}

}  // namespace linkwork
