#pragma once

#include <linkwork/joints/composed_joint.hpp>
#include <linkwork/joints/freely_turning.hpp>

namespace linkwork {

/// A bead on a wire: the son's origin stays on the line through the father's origin along the joint axis, and the son
/// turns freely; q: the attitude, then the displacement along the axis [m] (see FreelyTurning). 2 freedoms in the
/// plane, 4 in space. Rows: across the axis, fixed in the father [m].
template <class Space>
class PointOnLine;

template <>
class PointOnLine<Planar> final : public FreelyTurning<Planar, 1, ComposedJoint<Planar, pieces::NoTravel<Planar, 1>>> {
 public:
  /// @throws ModelError if the axis leaves the plane
  explicit PointOnLine(const Axis& axis = Axis::x())
      : PointOnLine(pieces::direction_in_plane(axis, "PointOnLine<Planar>")) {}
  std::string_view type() const override { return "point on line"; }

 private:
  explicit PointOnLine(const Exact<2>& direction)
      : FreelyTurning(direction, pieces::NoTravel<Planar, 1>({cross(1.0, direction)})) {}
};

template <>
class PointOnLine<Spatial> final
    : public FreelyTurning<Spatial, 1, ComposedJoint<Spatial, pieces::NoTravel<Spatial, 2>>> {
 public:
  explicit PointOnLine(const Axis& axis = Axis::x())
      : FreelyTurning(axis.direction(), pieces::NoTravel<Spatial, 2>({axis.frame().col(0), axis.frame().col(1)})) {}
  std::string_view type() const override { return "point on line"; }
};

}  // namespace linkwork
