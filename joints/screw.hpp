#pragma once

#include <linkwork/joints/composed_joint.hpp>

namespace linkwork {

/// Screw joint: the son advances along the joint axis by the pitch times the angle by which it turns about it; q: the
/// angle [rad], full turns included. 1 freedom.
///   X(q) = Trans(pitch q axis) Rot(axis, q)
/// Rows: 2 across the axis, fixed in the father [m], 2 of the parallel axes [rad], 1 of the advance less pitch times
/// the angle [m] (its multiplier is the axial force that the thread takes). Which turn the son is on follows from its
/// displacement.
class Screw final
    : public ComposedJoint<Spatial, pieces::NoTravel<Spatial, 2>, pieces::ParallelAxes, pieces::Threaded> {
 public:
  /// @param pitch  advance per angle [m/rad], not zero; positive: right-handed. The lead of a thread is 2 pi times
  /// that.
  /// @throws ModelError if the pitch is zero or not finite
  Screw(const Axis& axis, double pitch);
  std::string_view type() const override { return "screw"; }
  std::optional<ConstantMotion<Spatial>> constant_motion() const override;

 private:
  void do_pose(Instant time, const double* q, Pose<Spatial>& X) const override;
  void do_locate(Instant time, const Pose<Spatial>& X, double* q) const override;
  Axis axis_;
  double pitch_;
};

extern template class ComposedJoint<Spatial, pieces::NoTravel<Spatial, 2>, pieces::ParallelAxes, pieces::Threaded>;

}  // namespace linkwork
