#pragma once

#include <linkwork/joints/composed_joint.hpp>

namespace linkwork {

/// Constant-velocity joint (as in drive shafts): two shafts along the joint axis meet in one point, and both turn
/// equally fast about their own axis at every angle between them, without the ripple of a Universal joint. The son
/// bends off the axis in any direction, but does not turn about it: the points that touch lie in the plane that bisects
/// the shafts.
///   q = 2 tan(theta / 2) (cos(psi), sin(psi))    theta the angle between the shafts (near zero: q is in radians),
///   about
///       the direction (cos(psi), sin(psi)) of the first two columns of Axis::frame()
///   omega = (q' - q x q' / 2) / (1 + |q|^2 / 4)  in the son's axes
/// 2 freedoms. Rows: 3 of the common origin [m, ground axes], 1 of the turn about the axis [rad]. Opposite shafts
/// (theta = pi) cannot be reached.
class ConstantVelocity final : public ComposedJoint<Spatial, pieces::CommonOrigin<Spatial>, pieces::NoTwist> {
 public:
  explicit ConstantVelocity(const Axis& axis = Axis::z());
  std::string_view type() const override { return "constant velocity"; }

 private:
  /// Twice the tangent of half the angle, along the axis of the bend.
  Eigen::Vector3d bend(const double* q) const;
  void do_pose(Instant time, const double* q, Pose<Spatial>& X) const override;
  void do_motion(Instant time, const double* q, JointMotion<Spatial>& out) const override;
  void do_motion_bias(Instant time, const double* q, const double* v, Components<Spatial>& bias) const override;
  void do_locate(Instant time, const Pose<Spatial>& X, double* q) const override;
  Eigen::Matrix3d frame_;
};

extern template class ComposedJoint<Spatial, pieces::CommonOrigin<Spatial>, pieces::NoTwist>;

}  // namespace linkwork
