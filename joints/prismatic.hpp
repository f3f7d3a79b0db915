#pragma once

#include <linkwork/joints/composed_joint.hpp>
#include <linkwork/joints/motions.hpp>

namespace linkwork {

/// Prismatic joint: the son slides along the joint axis without turning; q: the displacement [m]. 1 freedom.
///   X(q) = Trans(q axis)
template <class Space>
class Prismatic;

/// In the plane; rows: 1 across the axis, fixed in the father [m], 1 of the angle [rad]. A son that starts some full
/// turns off is consistent (see pieces::SameOrientation).
template <>
class Prismatic<Planar> final
    : public ComposedJoint<Planar, pieces::NoTravel<Planar, 1>, pieces::SameOrientation<Planar>> {
 public:
  /// @throws ModelError if the axis leaves the plane
  explicit Prismatic(const Axis& axis) : Prismatic(pieces::direction_in_plane(axis, "Prismatic<Planar>")) {}
  std::string_view type() const override { return "prismatic"; }
  std::optional<ConstantMotion<Planar>> constant_motion() const override {
    return constant_motion_along<Planar>(components<Planar>(0.0, direction_));
  }

 private:
  explicit Prismatic(const Exact<2>& direction)
      : ComposedJoint(pieces::NoTravel<Planar, 1>({Eigen::Vector2d(-direction.y(), direction.x())}),
                      pieces::SameOrientation<Planar>()),
        direction_(direction) {}
  void do_pose(Instant, const double* q, Pose<Planar>& X) const override { X.position = q[0] * direction_; }
  void do_locate(Instant, const Pose<Planar>& X, double* q) const override { q[0] = direction_.dot(X.position); }
  Eigen::Vector2d direction_;
};

/// In space; rows: 2 across the axis, fixed in the father [m], 3 of the orientation [rad].
template <>
class Prismatic<Spatial> final
    : public ComposedJoint<Spatial, pieces::NoTravel<Spatial, 2>, pieces::SameOrientation<Spatial>> {
 public:
  explicit Prismatic(const Axis& axis)
      : ComposedJoint(pieces::NoTravel<Spatial, 2>({axis.frame().col(0), axis.frame().col(1)}),
                      pieces::SameOrientation<Spatial>()),
        axis_(axis) {}
  std::string_view type() const override { return "prismatic"; }
  std::optional<ConstantMotion<Spatial>> constant_motion() const override {
    return constant_motion_along<Spatial>(components<Spatial>(Eigen::Vector3d::Zero(), axis_.direction()));
  }

 private:
  void do_pose(Instant, const double* q, Pose<Spatial>& X) const override { X.position = q[0] * axis_.direction(); }
  void do_locate(Instant, const Pose<Spatial>& X, double* q) const override {
    q[0] = axis_.direction().dot(X.position);
  }
  Axis axis_;
};

}  // namespace linkwork
