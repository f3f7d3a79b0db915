#include <linkwork/joints/constraints/disc_on_plane.hpp>

#include <linkwork/core/checks.hpp>

namespace linkwork {

namespace detail {

DiscAndPlane::DiscAndPlane(std::string_view type, const Frame<Spatial>& plane, const Frame<Spatial>& disc,
                           double radius, const Axis& axle)
    : Constraint(two_frames(type, plane, disc)), radius_(radius), axle_(axle.direction()) {
  check_positive(type, "radius", radius, "m");
}

DiscAndPlane::Contact DiscAndPlane::contact(const Motion<Spatial>& m) const {
  const Pose<Spatial>&plane = m.frame(0).pose, &disc = m.frame(1).pose;
  Contact out;
  out.normal = plane.rotation.col(2);
  out.axle = disc.rotation * axle_;
  const Eigen::Vector3d across = out.normal - out.normal.dot(out.axle) * out.axle;
  out.sine = across.norm();
  if (!(out.sine > 1e-6))
    throw RecoverableFailure(concat(type(),
                                    ": the disc lies flat on the plane (its axle is along the normal), so that ",
                                    "its rim has no lowest point; keep it upright."));
  out.up = across / out.sine;
  out.arm = -radius_ * out.up;
  out.from_plane = disc.position + out.arm - plane.position;
  return out;
}

void DiscAndPlane::add_row(int row, const Contact& at, const Eigen::Vector3d& direction, ConstraintRows<Spatial>& out) {
  out.add(row, 1, at.arm.cross(direction), direction);
  out.add(row, 0, -at.from_plane.cross(direction), -direction);
}

/// A row is t . w with w = v + omega x arm - v_p - omega_p x from_plane, t' = omega_p x t. Its derivative without the
/// accelerations is t' . w + t . (omega x arm' - omega_p x from_plane').
template <int count>
Eigen::Matrix<double, count, 1> DiscAndPlane::bias(const Motion<Spatial>& m,
                                                   const Eigen::Matrix<double, 3, count>& directions) const {
  const Contact at = contact(m);
  const Twist<Spatial>&plane = m.frame(0).velocity, &disc = m.frame(1).velocity;
  const Eigen::Vector3d normal_rate = plane.angular.cross(at.normal), axle_rate = disc.angular.cross(at.axle);
  const double cosine_rate = normal_rate.dot(at.axle) + at.normal.dot(axle_rate);
  const Eigen::Vector3d across_rate = normal_rate - cosine_rate * at.axle - at.normal.dot(at.axle) * axle_rate;
  const Eigen::Vector3d arm_rate = -radius_ / at.sine * (across_rate - at.up.dot(across_rate) * at.up);
  const Eigen::Vector3d from_plane_rate = disc.linear + arm_rate - plane.linear;
  const Eigen::Vector3d slip =
      disc.linear + disc.angular.cross(at.arm) - plane.linear - plane.angular.cross(at.from_plane);
  const Eigen::Vector3d turning = disc.angular.cross(arm_rate) - plane.angular.cross(from_plane_rate);
  return -directions.transpose() * (turning - plane.angular.cross(slip));
}

}  // namespace detail

DiscOnPlane::DiscOnPlane(const Frame<Spatial>& plane, const Frame<Spatial>& disc, double radius, const Axis& axle)
    : DiscAndPlane("disc on plane", plane, disc, radius, axle) {}

void DiscOnPlane::do_residual(const Motion<Spatial>& m, double* g) const {
  const Contact at = contact(m);
  g[0] = at.normal.dot(at.from_plane);
}

void DiscOnPlane::do_rows(const Motion<Spatial>& m, ConstraintRows<Spatial>& out) const {
  const Contact at = contact(m);  // P is where the rim is lowest, so that its height does not feel how P moves along it
  add_row(0, at, at.normal, out);
}

void DiscOnPlane::do_bias(const Motion<Spatial>& m, double* out) const {
  out[0] = bias<1>(m, m.frame(0).pose.rotation.col(2))[0];
}

RollingDisc::RollingDisc(const Frame<Spatial>& plane, const Frame<Spatial>& disc, double radius, const Axis& axle)
    : DiscAndPlane("rolling disc", plane, disc, radius, axle) {}

void RollingDisc::do_rows(const Motion<Spatial>& m, ConstraintRows<Spatial>& out) const {
  const Contact at = contact(m);
  for (int i : {0, 1}) add_row(i, at, m.frame(0).pose.rotation.col(i), out);
}

void RollingDisc::do_bias(const Motion<Spatial>& m, double* out) const {
  Eigen::Vector2d::Map(out) = bias<2>(m, m.frame(0).pose.rotation.leftCols<2>());
}

void DiscOnPlane::do_report(const Motion<Spatial>& m, const Wrench<Spatial>& reaction, double* values) const {
  values[0] = m.frame(0).pose.rotation.col(2).dot(reaction.force);
}

void RollingDisc::do_report(const Motion<Spatial>& m, const Wrench<Spatial>& reaction, double* values) const {
  const Eigen::Matrix3d& axes = m.frame(0).pose.rotation;
  for (int k = 0; k < 2; ++k) values[k] = axes.col(k).dot(reaction.force);
}

}  // namespace linkwork
