#include <linkwork/joints/point_on_plane.hpp>

namespace linkwork {

PointOnPlane::PointOnPlane(const Axis& normal)
    : FreelyTurning(normal.frame().leftCols<2>(), pieces::NoTravel<Spatial, 1>({normal.direction()})) {}

template class ComposedJoint<Spatial, pieces::NoTravel<Spatial, 1>>;
template class FreelyTurning<Spatial, 2, ComposedJoint<Spatial, pieces::NoTravel<Spatial, 1>>>;

}  // namespace linkwork
