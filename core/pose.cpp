#include <linkwork/core/pose.hpp>

namespace linkwork {

namespace {

/// (theta / 2) cot(theta / 2), smooth at zero.
double half_cotangent(double theta) {
  const double half = 0.5 * theta;
  return std::abs(half) < 1e-4 ? 1 - half * half / 3 : half * std::cos(half) / std::sin(half);
}

}  // namespace

Pose<Planar> relative_pose(const Pose<Planar>& a, const Pose<Planar>& b) {
  return {a.rotation.transpose() * (b.position - a.position), a.rotation.transpose() * b.rotation, b.angle - a.angle};
}
Pose<Spatial> relative_pose(const Pose<Spatial>& a, const Pose<Spatial>& b) {
  return {a.rotation.transpose() * (b.position - a.position), a.rotation.transpose() * b.rotation};
}

Components<Planar> logarithm(const Pose<Planar>& X) {
  const double theta = std::atan2(X.rotation(1, 0) - X.rotation(0, 1), X.rotation.trace());
  const double diagonal = half_cotangent(theta);
  const double x = X.position.x(), y = X.position.y();
  return {theta, diagonal * x + 0.5 * theta * y, diagonal * y - 0.5 * theta * x};
}

Components<Spatial> logarithm(const Pose<Spatial>& X) {
  Eigen::Quaterniond quaternion(X.rotation);
  if (quaternion.w() < 0) quaternion.coeffs() *= -1;
  const double sine = quaternion.vec().norm();  // of half the angle
  const double theta = 2 * std::atan2(sine, quaternion.w());
  const Eigen::Vector3d rotation = (sine < 1e-8 ? 2.0 : theta / sine) * quaternion.vec();
  const double factor = theta < 1e-3 ? 1.0 / 12 + theta * theta / 720 : (1 - half_cotangent(theta)) / (theta * theta);
  const Eigen::Vector3d turned = rotation.cross(X.position);
  Components<Spatial> out;
  out << rotation, X.position - 0.5 * turned + factor * rotation.cross(turned);
  return out;
}

Pose<Planar> moved(const Pose<Planar>& pose, const Twist<Planar>& velocity, double time) {
  const double turn = velocity.angular * time;
  return {pose.position + time * velocity.linear, rotation_matrix(turn) * pose.rotation, pose.angle + turn};
}
Pose<Spatial> moved(const Pose<Spatial>& pose, const Twist<Spatial>& velocity, double time) {
  Pose<Spatial> out{pose.position + time * velocity.linear, pose.rotation};
  const double speed = velocity.angular.norm();
  if (speed > 0)
    out.rotation = Eigen::AngleAxisd(speed * time, velocity.angular / speed).toRotationMatrix() * pose.rotation;
  return out;
}

}  // namespace linkwork
