#include <linkwork/core/pose.hpp>

namespace linkwork {

namespace {

/// (theta / 2) cot(theta / 2), smooth at zero.
double half_cotangent(double theta) {
  const double half = 0.5 * theta;
  return std::abs(half) < 1e-4 ? 1 - half * half / 3 : half * std::cos(half) / std::sin(half);
}

/// sin(x) / x, (1 - cos(x)) / x^2 and (x - sin(x)) / x^3, smooth at zero.
double sinc(double x) { return std::abs(x) < 1e-4 ? 1 - x * x / 6 : std::sin(x) / x; }
double cosine_deficit(double x) { return 0.5 * sinc(0.5 * x) * sinc(0.5 * x); }
double sine_deficit(double x) { return std::abs(x) < 1e-2 ? (1 - x * x / 20) / 6 : (x - std::sin(x)) / (x * x * x); }

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

Pose<Planar> compose(const Pose<Planar>& b, const Pose<Planar>& X) {
  return {b.position + b.rotation * X.position, b.rotation * X.rotation, b.angle + X.angle};
}
Pose<Spatial> compose(const Pose<Spatial>& b, const Pose<Spatial>& X) {
  return {b.position + b.rotation * X.position, b.rotation * X.rotation};
}

Pose<Planar> exponential(const Exact<Planar::n>& twist) {
  const double theta = twist[0];
  const Vector<Planar> linear = twist.tail<2>();
  const double along = sinc(theta), across = theta * cosine_deficit(theta);
  return {{along * linear.x() - across * linear.y(), across * linear.x() + along * linear.y()},
          rotation_matrix(theta),
          theta};
}
Pose<Spatial> exponential(const Exact<Spatial::n>& twist) {
  const Eigen::Vector3d rotation = twist.head<3>(), linear = twist.tail<3>();
  const double theta = rotation.norm();
  Pose<Spatial> X;
  if (theta > 0) X.rotation = Eigen::AngleAxisd(theta, rotation / theta).toRotationMatrix();
  const Eigen::Vector3d turned = rotation.cross(linear);
  X.position = linear + cosine_deficit(theta) * turned + sine_deficit(theta) * rotation.cross(turned);
  return X;
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
