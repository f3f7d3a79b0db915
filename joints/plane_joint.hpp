#pragma once

#include <linkwork/joints/composed_joint.hpp>

namespace linkwork {

/// Planar joint (the tag Planar names the space): the son moves in a plane of the father and turns about its normal;
/// q: the angle [rad] and two displacements [m] along the first two columns of Axis::frame() of the normal. 3 freedoms.
///   X(q) = Trans(q_1 b_1 + q_2 b_2) Rot(normal, q_0)
/// Rows: 1 along the normal [m], 2 of the parallel normals [rad].
class PlaneJoint final : public ComposedJoint<Spatial, pieces::NoTravel<Spatial, 1>, pieces::ParallelAxes> {
 public:
  explicit PlaneJoint(const Axis& normal = Axis::z());
  std::string_view type() const override { return "planar joint"; }

 private:
  void do_pose(Instant time, const double* q, Pose<Spatial>& X) const override;
  void do_motion(Instant time, const double* q, JointMotion<Spatial>& out) const override;
  void do_motion_bias(Instant time, const double* q, const double* v, Components<Spatial>& bias) const override;
  void do_locate(Instant time, const Pose<Spatial>& X, double* q) const override;
  Eigen::Matrix3d frame_;
};

extern template class ComposedJoint<Spatial, pieces::NoTravel<Spatial, 1>, pieces::ParallelAxes>;

}  // namespace linkwork
