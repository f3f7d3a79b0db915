#include <linkwork/core/path.hpp>

#include <linkwork/core/checks.hpp>

#include <utility>

namespace linkwork {

namespace {

/// Axes e_1, e_2, e_3 of a track from T = c' and N = up x T:  e_1 = T / |T|, e_2 = N / |N|, e_3 = e_1 x e_2. The turn
/// omega in these axes follows from e_1' = omega_3 e_2 - omega_2 e_3 and e_2' = omega_1 e_3 - omega_3 e_1.
PathPoint track_frame(const SpaceCurvePoint& c, const Eigen::Vector3d& up) {
  const Eigen::Vector3d N = up.cross(c.first), N_1 = up.cross(c.second), N_2 = up.cross(c.third);
  const double along = c.first.norm(), level = N.norm();
  if (!(level > 1e-9 * along && along > 0))
    throw RecoverableFailure(concat("track_path: the curve's derivative is (", c.first.transpose(),
                                    ") m, so that the track stands still or is vertical and has no level axis; keep ",
                                    "it away from that."));
  PathPoint out;
  const Eigen::Vector3d e_1 = c.first / along, e_2 = N / level, e_3 = e_1.cross(e_2);
  out.pose.position = c.position;
  out.pose.rotation << e_1, e_2, e_3;
  const double omega_1 = N_1.dot(e_3) / level, omega_2 = -c.second.dot(e_3) / along,
               omega_3 = c.second.dot(e_2) / along;
  const double along_rate = c.second.dot(e_1), level_rate = N_1.dot(e_2);
  out.twist << omega_1, omega_2, omega_3, along, 0, 0;
  const Eigen::Vector3d e_2_rate = omega_1 * e_3 - omega_3 * e_1, e_3_rate = omega_2 * e_1 - omega_1 * e_2;
  out.twist_rate << (N_2.dot(e_3) + N_1.dot(e_3_rate) - omega_1 * level_rate) / level,
      -(c.third.dot(e_3) + c.second.dot(e_3_rate) + omega_2 * along_rate) / along,
      (c.third.dot(e_2) + c.second.dot(e_2_rate) - omega_3 * along_rate) / along, along_rate, 0, 0;
  return out;
}

}  // namespace

Path turning_path(const Axis& axis) {
  return [axis = axis.direction()](double u) {
    PathPoint out;
    out.pose.rotation = Eigen::AngleAxisd(u, axis).toRotationMatrix();
    out.twist.head<3>() = axis;
    return out;
  };
}

Path track_path(std::function<SpaceCurvePoint(double)> center, const Axis& up) {
  detail::check_given("track_path", "center", center);
  return [center = std::move(center), up = up.direction()](double u) { return track_frame(center(u), up); };
}

CurveJet trace(const TracedCurve& curve, double u) {
  const PathPoint at = curve.path(u);
  const Eigen::Vector3d omega = at.twist.head<3>(), omega_rate = at.twist_rate.head<3>();
  const Eigen::Vector3d velocity = at.twist.tail<3>() + omega.cross(curve.offset);  // per unit of u, own axes
  const Eigen::Matrix3d& R = at.pose.rotation;
  return {at.pose.position + R * curve.offset, R * velocity,
          R * (at.twist_rate.tail<3>() + omega_rate.cross(curve.offset) + omega.cross(velocity))};
}

}  // namespace linkwork
