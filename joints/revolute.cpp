#include <linkwork/joints/revolute.hpp>

#include <linkwork/joints/angles.hpp>
#include <linkwork/joints/motions.hpp>

namespace linkwork {

std::optional<ConstantMotion<Planar>> Revolute<Planar>::constant_motion() const {
  return constant_motion_along<Planar>(Eigen::Vector3d::UnitX());
}

void Revolute<Planar>::do_pose(Instant, const double* q, Pose<Planar>& X) const {
  X.rotation = rotation_matrix(q[0]);
  X.angle = q[0];
}

void Revolute<Planar>::do_locate(Instant, const Pose<Planar>& X, double* q) const {
  q[0] = nearest_turn(turn_of(X.rotation), q[0]);
}

std::optional<ConstantMotion<Spatial>> Revolute<Spatial>::constant_motion() const {
  return constant_motion_along<Spatial>(components<Spatial>(axis_.direction(), Eigen::Vector3d::Zero()));
}

void Revolute<Spatial>::do_pose(Instant, const double* q, Pose<Spatial>& X) const {
  X.rotation = Eigen::AngleAxisd(q[0], axis_.direction()).toRotationMatrix();
}

void Revolute<Spatial>::do_locate(Instant, const Pose<Spatial>& X, double* q) const {
  q[0] = nearest_turn(turn_about(axis_.direction(), X.rotation), q[0]);
}

template class ComposedJoint<Planar, pieces::CommonOrigin<Planar>>;
template class ComposedJoint<Spatial, pieces::CommonOrigin<Spatial>, pieces::ParallelAxes>;

}  // namespace linkwork
