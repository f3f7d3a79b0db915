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
  explicit PointOnLine(const Axis& axis = Axis::x());
  std::string_view type() const override { return "point on line"; }

 private:
  explicit PointOnLine(const Exact<2>& direction);
};

template <>
class PointOnLine<Spatial> final
    : public FreelyTurning<Spatial, 1, ComposedJoint<Spatial, pieces::NoTravel<Spatial, 2>>> {
 public:
  explicit PointOnLine(const Axis& axis = Axis::x());
  std::string_view type() const override { return "point on line"; }
};

extern template class ComposedJoint<Planar, pieces::NoTravel<Planar, 1>>;
extern template class ComposedJoint<Spatial, pieces::NoTravel<Spatial, 2>>;
extern template class FreelyTurning<Planar, 1, ComposedJoint<Planar, pieces::NoTravel<Planar, 1>>>;
extern template class FreelyTurning<Spatial, 1, ComposedJoint<Spatial, pieces::NoTravel<Spatial, 2>>>;

}  // namespace linkwork
