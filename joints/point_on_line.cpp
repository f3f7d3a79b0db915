#include <linkwork/joints/point_on_line.hpp>

namespace linkwork {

PointOnLine<Planar>::PointOnLine(const Axis& axis)
    : PointOnLine(pieces::direction_in_plane(axis, "PointOnLine<Planar>")) {}

PointOnLine<Planar>::PointOnLine(const Exact<2>& direction)
    : FreelyTurning(direction, pieces::NoTravel<Planar, 1>({cross(1.0, direction)})) {}

PointOnLine<Spatial>::PointOnLine(const Axis& axis)
    : FreelyTurning(axis.direction(), pieces::NoTravel<Spatial, 2>({axis.frame().col(0), axis.frame().col(1)})) {}

template class ComposedJoint<Planar, pieces::NoTravel<Planar, 1>>;
template class ComposedJoint<Spatial, pieces::NoTravel<Spatial, 2>>;
template class FreelyTurning<Planar, 1, ComposedJoint<Planar, pieces::NoTravel<Planar, 1>>>;
template class FreelyTurning<Spatial, 1, ComposedJoint<Spatial, pieces::NoTravel<Spatial, 2>>>;

}  // namespace linkwork
