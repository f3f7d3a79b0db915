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
Pose<Planar> exponential(const Exact<Planar::n>& twist);
Pose<Spatial> exponential(const Exact<Spatial::n>& twist);

/// Ad_X: a twist of a frame with pose X, from the frame's own axes and origin to those in which X is given.
template <class Space>
Components<Space> carried(const Pose<Space>& X, const Exact<Space::n>& twist) {
  Components<Space> out;
  const Vector<Space> linear = X.rotation * twist.template tail<Space::dimension>();
  if constexpr (Space::dimension == 2) {
    out << twist[0], linear - cross(twist[0], X.position);
  } else {
    const Eigen::Vector3d angular = X.rotation * twist.template head<3>();
    out << angular, linear - cross(angular, X.position);
  }
  return out;
}
/// Ad_X^T: a wrench, from the axes and origin in which X is given to those of the frame with pose X.
template <class Space>
Components<Space> carried_back(const Pose<Space>& X, const Exact<Space::n>& wrench) {
  Components<Space> out;
  const Vector<Space> force = wrench.template tail<Space::dimension>();
  if constexpr (Space::dimension == 2)
    out << wrench[0] - cross(X.position, force), X.rotation.transpose() * force;
  else
    out << X.rotation.transpose() * (wrench.template head<3>() - cross(X.position, force)),
        X.rotation.transpose() * force;
  return out;
}

/// Where a frame is after `time` [s] at constant velocity (ground axes, linear part that of the frame's origin).
Pose<Planar> moved(const Pose<Planar>& pose, const Twist<Planar>& velocity, double time);
Pose<Spatial> moved(const Pose<Spatial>& pose, const Twist<Spatial>& velocity, double time);

}  // namespace linkwork
