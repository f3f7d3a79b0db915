#pragma once

#include <linkwork/core/joint_tree.hpp>

// Twists and wrenches on their way through a JointTree.

namespace linkwork {

namespace detail {

/// Components in body axes of a torque or angular row in ground axes.
inline double to_body(const Eigen::Matrix2d&, double angular) { return angular; }
inline Eigen::Vector3d to_body(const Eigen::Matrix3d& R, const Eigen::Vector3d& angular) {
  return R.transpose() * angular;
}
inline double to_ground(const Eigen::Matrix2d&, double angular) { return angular; }
inline Eigen::Vector3d to_ground(const Eigen::Matrix3d& R, const Eigen::Vector3d& angular) { return R * angular; }

}  // namespace detail

/// A twist of the father, at the link's origin and in its axes.
template <class Space>
Twist<Space> to_link(const Rotation<Space>& R, const Vector<Space>& r, const Twist<Space>& of_father) {
  const Vector<Space> linear = of_father.linear + cross(of_father.angular, r);
  return {detail::to_body(R, of_father.angular), R.transpose() * linear};
}
/// A wrench on the link, at the father's origin and in its axes.
template <class Space>
Wrench<Space> to_father(const Rotation<Space>& R, const Vector<Space>& r, const Wrench<Space>& on_link) {
  const Vector<Space> force = R * on_link.force;
  return {detail::to_ground(R, on_link.torque) + cross(r, force), force};
}
/// I A
template <class Space>
Wrench<Space> times(const LinkInertia<Space>& inertia, const Twist<Space>& A) {
  Wrench<Space> out;
  out.force = inertia.mass * A.linear + cross(A.angular, inertia.moment);
  if constexpr (Space::dimension == 2)
    out.torque = inertia.inertia(0, 0) * A.angular + cross(inertia.moment, A.linear);
  else
    out.torque = inertia.inertia * A.angular + cross(inertia.moment, A.linear);
  return out;
}

}  // namespace linkwork
