#pragma once

#include <linkwork/joints/composed_joint.hpp>

#include <utility>

namespace linkwork {

/// Revolute joint whose angle is prescribed, u(t) [rad] with u' and u'': X(t) = Rot(axis, u(t)). No freedoms; rows: the
/// common origin [m, ground axes] and the orientation [rad]; the last is the drive, whose torque is its reaction.
/// A difference of full turns from u(t) is none; half a turn is no root (see pieces::SameOrientation).
template <class Space>
class DrivenRevolute final
    : public ComposedJoint<Space, pieces::CommonOrigin<Space>, pieces::DrivenOrientation<Space>> {
  using Base = ComposedJoint<Space, pieces::CommonOrigin<Space>, pieces::DrivenOrientation<Space>>;

 public:
  /// @throws ModelError if the input is empty
  DrivenRevolute(const Axis& axis, Input angle) requires(Space::dimension == 3)
      : Base({}, {axis, pieces::checked(std::move(angle), "DrivenRevolute", "angle")}) {}
  /// Planar: positive counter-clockwise.
  explicit DrivenRevolute(Input angle) requires(Space::dimension == 2)
      : Base({}, {Axis::z(), pieces::checked(std::move(angle), "DrivenRevolute", "angle")}) {}
  std::string_view type() const override { return "driven revolute"; }

 private:
  void do_pose(double time, const double*, Pose<Space>& X) const override {
    const pieces::DrivenOrientation<Space>& drive = this->template piece<1>();
    if constexpr (Space::dimension == 2) {
      X.angle = drive.angle(time);
      X.rotation = rotation_matrix(X.angle);
    } else {
      X.rotation = Eigen::AngleAxisd(drive.angle(time), drive.axis().direction()).toRotationMatrix();
    }
  }
};

}  // namespace linkwork
