#pragma once

#include <linkwork/joints/composed_joint.hpp>

namespace linkwork {

/// Revolute joint: the son turns about the joint axis; q: the angle [rad]. 1 freedom.
template <class Space>
class Revolute;

/// In the plane:  X(q) = Rot(q),  g = r_son - r_father (2 rows [m], ground axes).
template <>
class Revolute<Planar> final : public ComposedJoint<Planar, pieces::CommonOrigin<Planar>> {
 public:
  Revolute() : ComposedJoint(pieces::CommonOrigin<Planar>()) {}
  std::string_view type() const override { return "revolute"; }
  std::optional<ConstantMotion<Planar>> constant_motion() const override;

 private:
  void do_pose(Instant time, const double* q, Pose<Planar>& X) const override;
  void do_locate(Instant time, const Pose<Planar>& X, double* q) const override;
};

/// In space:  X(q) = Rot(axis, q); rows: 3 of the common origin [m, ground axes], 2 of the parallel axes [rad].
/// Opposite axes are no root (see pieces::ParallelAxes).
template <>
class Revolute<Spatial> final : public ComposedJoint<Spatial, pieces::CommonOrigin<Spatial>, pieces::ParallelAxes> {
 public:
  explicit Revolute(const Axis& axis = Axis::z())
      : ComposedJoint(pieces::CommonOrigin<Spatial>(), pieces::ParallelAxes(axis)), axis_(axis) {}
  std::string_view type() const override { return "revolute"; }
  std::optional<ConstantMotion<Spatial>> constant_motion() const override;

 private:
  void do_pose(Instant time, const double* q, Pose<Spatial>& X) const override;
  void do_locate(Instant time, const Pose<Spatial>& X, double* q) const override;
  Axis axis_;
};

extern template class ComposedJoint<Planar, pieces::CommonOrigin<Planar>>;
extern template class ComposedJoint<Spatial, pieces::CommonOrigin<Spatial>, pieces::ParallelAxes>;

}  // namespace linkwork
