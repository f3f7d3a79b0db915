#pragma once

#include <linkwork/core/space.hpp>

namespace linkwork {

/// Components of a twist (or of the logarithm of a pose), angular part first.
template <class Space>
using Components = Eigen::Matrix<double, Space::n, 1>;

/// Pose of b in the axes of a: a^-1 b.
Pose<Planar> relative_pose(const Pose<Planar>& a, const Pose<Planar>& b);
Pose<Spatial> relative_pose(const Pose<Spatial>& a, const Pose<Spatial>& b);

/// Pose in the axes of a of what has the pose X in b, b having the pose `b` in a: b X. Planar angles add up.
Pose<Planar> compose(const Pose<Planar>& b, const Pose<Planar>& X);
Pose<Spatial> compose(const Pose<Spatial>& b, const Pose<Spatial>& X);

/// Logarithm of a pose: the constant twist, in the moving axes [rad, m], that leads from the identity to X in unit
/// time. The rotation angle is in [-pi, pi]; a planar pose's count of turns is not read.
Components<Planar> logarithm(const Pose<Planar>& X);
Components<Spatial> logarithm(const Pose<Spatial>& X);

/// The pose that a constant twist in the moving axes [rad, m] leads to in unit time from the identity: the inverse of
/// the logarithm; a planar pose counts full turns.
Pose<Planar> exponential(const Components<Planar>& twist);
Pose<Spatial> exponential(const Components<Spatial>& twist);

/// Where a frame is after `time` [s] at constant velocity (ground axes, linear part that of the frame's origin).
Pose<Planar> moved(const Pose<Planar>& pose, const Twist<Planar>& velocity, double time);
Pose<Spatial> moved(const Pose<Spatial>& pose, const Twist<Spatial>& velocity, double time);

}  // namespace linkwork
