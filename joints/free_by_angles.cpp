#include <linkwork/joints/free_by_angles.hpp>

namespace linkwork {

FreeByAngles::FreeByAngles(const CardanAxes& axes) : CardanTurning(axes, Eigen::Matrix3d::Identity()) {}

PointOnPlaneByAngles::PointOnPlaneByAngles(const Axis& normal, const CardanAxes& axes)
    : CardanTurning(axes, normal.frame().leftCols<2>(), pieces::NoTravel<Spatial, 1>({normal.direction()})) {}

template class CardanTurning<3, Joint<Spatial>>;
template class CardanTurning<2, ComposedJoint<Spatial, pieces::NoTravel<Spatial, 1>>>;

}  // namespace linkwork
