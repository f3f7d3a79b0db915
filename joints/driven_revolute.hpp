#pragma once

#include <linkwork/joints/composed_joint.hpp>
#include <linkwork/joints/motions.hpp>

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
  void do_pose(Instant time, const double*, Pose<Space>& X) const override { turn_to(drive().angle(time).value, X); }
  void do_motion(Instant time, const double*, JointMotion<Space>& out) const override {
    const InputValue angle = drive().angle(time);
    out.X = {};
    turn_to(angle.value, out.X);
    out.S.resize(Space::n, 0);
    out.drift = along_axis(angle.rate);
  }
  void do_motion_bias(Instant time, const double*, const double*, Components<Space>& bias) const override {
    bias = along_axis(drive().angle(time).acceleration);
  }

  const pieces::DrivenOrientation<Space>& drive() const { return this->template piece<1>(); }
  void turn_to(double angle, Pose<Space>& X) const {
    if constexpr (Space::dimension == 2) {
      X.angle = angle;
      X.rotation = rotation_matrix(angle);
    } else {
      X.rotation = Eigen::AngleAxisd(angle, drive().axis().direction()).toRotationMatrix();
    }
  }
  /// Twist of a turn about the axis.
  Components<Space> along_axis(double rate) const {
    if constexpr (Space::dimension == 2)
      return components<Space>(rate, Eigen::Vector2d::Zero());
    else
      return components<Space>(rate * drive().axis().direction(), Eigen::Vector3d::Zero());
  }
};

extern template class ComposedJoint<Planar, pieces::CommonOrigin<Planar>, pieces::DrivenOrientation<Planar>>;
extern template class ComposedJoint<Spatial, pieces::CommonOrigin<Spatial>, pieces::DrivenOrientation<Spatial>>;
extern template class DrivenRevolute<Planar>;
extern template class DrivenRevolute<Spatial>;

}  // namespace linkwork
