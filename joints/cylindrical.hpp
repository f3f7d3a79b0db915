#pragma once

#include <linkwork/joints/angles.hpp>
#include <linkwork/joints/composed_joint.hpp>
#include <linkwork/joints/motions.hpp>

namespace linkwork {

/// Cylindrical joint: the son turns about the joint axis and slides along it; q: the angle [rad] and the displacement
/// [m]. 2 freedoms.
///   X(q) = Trans(q_1 axis) Rot(axis, q_0)
/// Rows: 2 across the axis, fixed in the father [m], 2 of the parallel axes [rad].
class Cylindrical final : public ComposedJoint<Spatial, pieces::NoTravel<Spatial, 2>, pieces::ParallelAxes> {
 public:
  explicit Cylindrical(const Axis& axis = Axis::z())
      : ComposedJoint(pieces::NoTravel<Spatial, 2>({axis.frame().col(0), axis.frame().col(1)}),
                      pieces::ParallelAxes(axis)),
        axis_(axis) {}
  std::string_view type() const override { return "cylindrical"; }
  std::optional<ConstantMotion<Spatial>> constant_motion() const override {
    return constant_motion_along<Spatial>(components<Spatial>(axis_.direction(), Eigen::Vector3d::Zero()),
                                          components<Spatial>(Eigen::Vector3d::Zero(), axis_.direction()));
  }

 private:
  void do_pose(Instant, const double* q, Pose<Spatial>& X) const override {
    X.rotation = Eigen::AngleAxisd(q[0], axis_.direction()).toRotationMatrix();
    X.position = q[1] * axis_.direction();
  }
  void do_locate(Instant, const Pose<Spatial>& X, double* q) const override {
    q[0] = nearest_turn(turn_about(axis_.direction(), X.rotation), q[0]);
    q[1] = axis_.direction().dot(X.position);
  }
  Axis axis_;
};

}  // namespace linkwork
