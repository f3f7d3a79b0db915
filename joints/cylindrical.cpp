#include <linkwork/joints/cylindrical.hpp>

#include <linkwork/joints/angles.hpp>
#include <linkwork/joints/motions.hpp>

namespace linkwork {

Cylindrical::Cylindrical(const Axis& axis)
    : ComposedJoint(pieces::NoTravel<Spatial, 2>({axis.frame().col(0), axis.frame().col(1)}),
                    pieces::ParallelAxes(axis)),
      axis_(axis) {}

std::optional<ConstantMotion<Spatial>> Cylindrical::constant_motion() const {
  return constant_motion_along<Spatial>(components<Spatial>(axis_.direction(), Eigen::Vector3d::Zero()),
                                        components<Spatial>(Eigen::Vector3d::Zero(), axis_.direction()));
}

void Cylindrical::do_pose(Instant, const double* q, Pose<Spatial>& X) const {
  X.rotation = Eigen::AngleAxisd(q[0], axis_.direction()).toRotationMatrix();
  X.position = q[1] * axis_.direction();
}

void Cylindrical::do_locate(Instant, const Pose<Spatial>& X, double* q) const {
  q[0] = nearest_turn(turn_about(axis_.direction(), X.rotation), q[0]);
  q[1] = axis_.direction().dot(X.position);
}

template class ComposedJoint<Spatial, pieces::NoTravel<Spatial, 2>, pieces::ParallelAxes>;

}  // namespace linkwork
