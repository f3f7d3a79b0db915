#pragma once

#include <linkwork/joints/composed_joint.hpp>
#include <linkwork/joints/freely_turning.hpp>

namespace linkwork {

/// A point that slides in a plane: the son's origin stays in the plane through the father's origin across the normal,
/// and the son turns freely; q: the attitude, then two displacements [m] along the first two columns of Axis::frame()
/// of the normal (see FreelyTurning). 5 freedoms. Rows: 1 along the normal, fixed in the father [m]. In a planar model
/// the plane is a line: PointOnLine.
class PointOnPlane final : public FreelyTurning<Spatial, 2, ComposedJoint<Spatial, pieces::NoTravel<Spatial, 1>>> {
 public:
  explicit PointOnPlane(const Axis& normal = Axis::z());
  std::string_view type() const override { return "point on plane"; }
};

extern template class ComposedJoint<Spatial, pieces::NoTravel<Spatial, 1>>;
extern template class FreelyTurning<Spatial, 2, ComposedJoint<Spatial, pieces::NoTravel<Spatial, 1>>>;

}  // namespace linkwork
