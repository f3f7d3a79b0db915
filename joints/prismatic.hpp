#pragma once

#include <linkwork/joints/composed_joint.hpp>

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
  explicit Prismatic(const Axis& axis);
  std::string_view type() const override { return "prismatic"; }
  std::optional<ConstantMotion<Planar>> constant_motion() const override;

 private:
  explicit Prismatic(const Exact<2>& direction);
  void do_pose(Instant time, const double* q, Pose<Planar>& X) const override;
  void do_locate(Instant time, const Pose<Planar>& X, double* q) const override;
  Eigen::Vector2d direction_;
};

/// In space; rows: 2 across the axis, fixed in the father [m], 3 of the orientation [rad].
template <>
class Prismatic<Spatial> final
    : public ComposedJoint<Spatial, pieces::NoTravel<Spatial, 2>, pieces::SameOrientation<Spatial>> {
 public:
  explicit Prismatic(const Axis& axis);
  std::string_view type() const override { return "prismatic"; }
  std::optional<ConstantMotion<Spatial>> constant_motion() const override;

 private:
  void do_pose(Instant time, const double* q, Pose<Spatial>& X) const override;
  void do_locate(Instant time, const Pose<Spatial>& X, double* q) const override;
  Axis axis_;
};

extern template class ComposedJoint<Planar, pieces::NoTravel<Planar, 1>, pieces::SameOrientation<Planar>>;
extern template class ComposedJoint<Spatial, pieces::NoTravel<Spatial, 2>, pieces::SameOrientation<Spatial>>;

}  // namespace linkwork
