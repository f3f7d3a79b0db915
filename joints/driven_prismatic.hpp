#pragma once

#include <linkwork/joints/composed_joint.hpp>
#include <linkwork/joints/motions.hpp>

#include <utility>

namespace linkwork {

/// Prismatic joint whose displacement is prescribed, u(t) [m] with u' and u'': X(t) = Trans(u(t) axis). No freedoms;
/// rows: across the axis, fixed in the father [m], the displacement [m] (the drive, whose force is its reaction), the
/// orientation [rad]. Half a turn is no root (see pieces::SameOrientation).
template <class Space>
class DrivenPrismatic final : public ComposedJoint<Space, pieces::NoTravel<Space, Space::dimension - 1>,
                                                   pieces::DrivenTravel<Space>, pieces::SameOrientation<Space>> {
  using Across = pieces::NoTravel<Space, Space::dimension - 1>;
  using Base = ComposedJoint<Space, Across, pieces::DrivenTravel<Space>, pieces::SameOrientation<Space>>;

 public:
  /// @throws ModelError if the input is empty, or the axis leaves the plane of a planar model
  DrivenPrismatic(const Axis& axis, Input displacement)
      : Base(Across(across(axis)),
             {along(axis), pieces::checked(std::move(displacement), "DrivenPrismatic", "displacement")}, {}) {}
  std::string_view type() const override { return "driven prismatic"; }

 private:
  static Vector<Space> along(const Axis& axis) {
    if constexpr (Space::dimension == 2)
      return pieces::direction_in_plane(axis, "DrivenPrismatic<Planar>");
    else
      return axis.direction();
  }
  static std::array<ExactVector<Space>, Space::dimension - 1> across(const Axis& axis) {
    if constexpr (Space::dimension == 2)
      return {cross(1.0, along(axis))};
    else
      return {axis.frame().col(0), axis.frame().col(1)};
  }

  const pieces::DrivenTravel<Space>& drive() const { return this->template piece<1>(); }
  Components<Space> along_axis(double rate) const {
    return components<Space>(zero_angular<Space>(), rate * drive().direction());
  }
  void do_pose(Instant time, const double*, Pose<Space>& X) const override {
    X.position = drive().displacement(time).value * drive().direction();
  }
  void do_motion(Instant time, const double*, JointMotion<Space>& out) const override {
    const InputValue displacement = drive().displacement(time);
    out.X = {};
    out.X.position = displacement.value * drive().direction();
    out.S.resize(Space::n, 0);
    out.drift = along_axis(displacement.rate);
  }
  void do_motion_bias(Instant time, const double*, const double*, Components<Space>& bias) const override {
    bias = along_axis(drive().displacement(time).acceleration);
  }
};

extern template class ComposedJoint<Planar, pieces::NoTravel<Planar, 1>, pieces::DrivenTravel<Planar>,
                                    pieces::SameOrientation<Planar>>;
extern template class ComposedJoint<Spatial, pieces::NoTravel<Spatial, 2>, pieces::DrivenTravel<Spatial>,
                                    pieces::SameOrientation<Spatial>>;
extern template class DrivenPrismatic<Planar>;
extern template class DrivenPrismatic<Spatial>;

}  // namespace linkwork
