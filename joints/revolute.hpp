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

 private:
  void do_pose(double, const double* q, Pose<Planar>& X) const override {
    X.rotation = rotation_matrix(q[0]);
    X.angle = q[0];
  }
};

/// In space:  X(q) = Rot(axis, q); rows: 3 of the common origin [m, ground axes], 2 of the parallel axes [rad].
/// Opposite axes are no root (see pieces::ParallelAxes).
template <>
class Revolute<Spatial> final : public ComposedJoint<Spatial, pieces::CommonOrigin<Spatial>, pieces::ParallelAxes> {
 public:
  explicit Revolute(const Axis& axis = Axis::z())
      : ComposedJoint(pieces::CommonOrigin<Spatial>(), pieces::ParallelAxes(axis)), axis_(axis) {}
  std::string_view type() const override { return "revolute"; }

 private:
  void do_pose(double, const double* q, Pose<Spatial>& X) const override {
    X.rotation = Eigen::AngleAxisd(q[0], axis_.direction()).toRotationMatrix();
  }
  Axis axis_;
};

}  // namespace linkwork
