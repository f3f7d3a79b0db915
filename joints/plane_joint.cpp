#include <linkwork/joints/plane_joint.hpp>

#include <linkwork/joints/angles.hpp>
#include <linkwork/joints/motions.hpp>

namespace linkwork {

PlaneJoint::PlaneJoint(const Axis& normal)
    : ComposedJoint(pieces::NoTravel<Spatial, 1>({normal.direction()}), pieces::ParallelAxes(normal)),
      frame_(normal.frame()) {}

void PlaneJoint::do_pose(Instant, const double* q, Pose<Spatial>& X) const {
  X.rotation = Eigen::AngleAxisd(q[0], frame_.col(2)).toRotationMatrix();
  X.position = frame_.leftCols<2>() * Eigen::Vector2d(q[1], q[2]);
}

void PlaneJoint::do_motion(Instant time, const double* q, JointMotion<Spatial>& out) const {
  do_pose(time, q, out.X);  // writes all of it
  out.S.setZero(Spatial::n, 3);
  out.S.col(0).head<3>() = frame_.col(2);
  out.S.bottomRightCorner<3, 2>() = out.X.rotation.transpose() * frame_.leftCols<2>();
  out.drift.setZero();
}

void PlaneJoint::do_motion_bias(Instant, const double* q, const double* v, Components<Spatial>& bias) const {
  const Eigen::Vector3d& normal = frame_.col(2);
  const Eigen::Vector3d velocity =
      Eigen::AngleAxisd(-q[0], normal) * (frame_.leftCols<2>() * Eigen::Vector2d(v[1], v[2]));
  bias = components<Spatial>(Eigen::Vector3d::Zero(), -v[0] * normal.cross(velocity));
}

void PlaneJoint::do_locate(Instant, const Pose<Spatial>& X, double* q) const {
  q[0] = nearest_turn(turn_about(frame_.col(2), X.rotation), q[0]);
  Eigen::Vector2d::Map(q + 1) = frame_.leftCols<2>().transpose() * X.position;
}

template class ComposedJoint<Spatial, pieces::NoTravel<Spatial, 1>, pieces::ParallelAxes>;

}  // namespace linkwork
