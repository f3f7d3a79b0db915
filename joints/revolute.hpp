#pragma once

#include <linkwork/joints/angles.hpp>
#include <linkwork/joints/composed_joint.hpp>
#include <linkwork/joints/motions.hpp>

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
  std::optional<ConstantMotion<Planar>> constant_motion() const override {
    return constant_motion_along<Planar>(Eigen::Vector3d::UnitX());
  }

 private:
  void do_pose(Instant, const double* q, Pose<Planar>& X) const override {
    X.rotation = rotation_matrix(q[0]);
    X.angle = q[0];
  }
  void do_locate(Instant, const Pose<Planar>& X, double* q) const override {
    q[0] = nearest_turn(turn_of(X.rotation), q[0]);
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
  std::optional<ConstantMotion<Spatial>> constant_motion() const override {
    return constant_motion_along<Spatial>(components<Spatial>(axis_.direction(), Eigen::Vector3d::Zero()));
  }

 private:
  void do_pose(Instant, const double* q, Pose<Spatial>& X) const override {
    X.rotation = Eigen::AngleAxisd(q[0], axis_.direction()).toRotationMatrix();
  }
  void do_locate(Instant, const Pose<Spatial>& X, double* q) const override {
    q[0] = nearest_turn(turn_about(axis_.direction(), X.rotation), q[0]);
  }
  Axis axis_;
};

}  // namespace linkwork
