#include <linkwork/joints/constant_velocity.hpp>

#include <linkwork/joints/motions.hpp>

#include <cmath>

namespace linkwork {

ConstantVelocity::ConstantVelocity(const Axis& axis)
    : ComposedJoint(pieces::CommonOrigin<Spatial>(), pieces::NoTwist(axis)), frame_(axis.frame()) {}

Eigen::Vector3d ConstantVelocity::bend(const double* q) const {
  return frame_.leftCols<2>() * Eigen::Vector2d(q[0], q[1]);
}

void ConstantVelocity::do_pose(Instant, const double* q, Pose<Spatial>& X) const {
  const Eigen::Vector3d half = 0.5 * bend(q);
  X.rotation = Eigen::Quaterniond(1, half.x(), half.y(), half.z()).normalized().toRotationMatrix();
}

void ConstantVelocity::do_motion(Instant time, const double* q, JointMotion<Spatial>& out) const {
  out.X = {};
  do_pose(time, q, out.X);
  const Eigen::Vector3d g = bend(q);
  const double scale = 1 / (1 + 0.25 * g.squaredNorm());
  out.S.setZero(Spatial::n, 2);
  for (int j = 0; j < 2; ++j)
    out.S.col(j).head<3>() = scale * (frame_.col(j) - 0.5 * g.cross(Eigen::Vector3d(frame_.col(j))));
  out.drift.setZero();
}

/// Of q' - q x q' / 2 nothing is left to differentiate but q'', so that only the denominator counts.
void ConstantVelocity::do_motion_bias(Instant, const double* q, const double* v, Components<Spatial>& bias) const {
  const Eigen::Vector3d g = bend(q), g_rate = bend(v);
  const double scale = 1 / (1 + 0.25 * g.squaredNorm());
  const Eigen::Vector3d omega = scale * (g_rate - 0.5 * g.cross(g_rate));
  bias = components<Spatial>(-0.5 * scale * g.dot(g_rate) * omega, Eigen::Vector3d::Zero());
}

/// The quaternion of a bend has no part along the axis; where the pose's has one, the turn about the axis is taken
/// away.
void ConstantVelocity::do_locate(Instant, const Pose<Spatial>& X, double* q) const {
  const Eigen::Vector3d axis = frame_.col(2);
  const Eigen::Quaterniond found(X.rotation);
  const double along = axis.dot(found.vec()), norm = std::hypot(found.w(), along);
  if (norm == 0) return;  // half a turn about an axis across: q has no bound there
  const Eigen::Quaterniond turn(Eigen::AngleAxisd(-2 * std::atan2(along, found.w()), axis));
  const Eigen::Quaterniond bent = found * turn;
  Eigen::Vector2d::Map(q) = (2 / bent.w()) * (frame_.leftCols<2>().transpose() * bent.vec());
}

template class ComposedJoint<Spatial, pieces::CommonOrigin<Spatial>, pieces::NoTwist>;

}  // namespace linkwork
