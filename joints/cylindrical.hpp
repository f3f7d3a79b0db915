#pragma once

#include <linkwork/joints/composed_joint.hpp>

namespace linkwork {

/// Cylindrical joint: the son turns about the joint axis and slides along it; q: the angle [rad] and the displacement
/// [m]. 2 freedoms.
///   X(q) = Trans(q_1 axis) Rot(axis, q_0)
/// Rows: 2 across the axis, fixed in the father [m], 2 of the parallel axes [rad].
class Cylindrical final : public ComposedJoint<Spatial, pieces::NoTravel<Spatial, 2>, pieces::ParallelAxes> {
 public:
  explicit Cylindrical(const Axis& axis = Axis::z());
  std::string_view type() const override { return "cylindrical"; }
  std::optional<ConstantMotion<Spatial>> constant_motion() const override;

 private:
  void do_pose(Instant time, const double* q, Pose<Spatial>& X) const override;
  void do_locate(Instant time, const Pose<Spatial>& X, double* q) const override;
  Axis axis_;
};

extern template class ComposedJoint<Spatial, pieces::NoTravel<Spatial, 2>, pieces::ParallelAxes>;

}  // namespace linkwork
