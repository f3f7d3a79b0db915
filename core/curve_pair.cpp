#include <linkwork/core/curve_pair.hpp>

#include <linkwork/core/checks.hpp>

#include <Eigen/LU>

namespace linkwork {

namespace {

/// The curve's point where its frame has this pose.
CurveJet placed(const Pose<Spatial>& pose, const CurveJet& own) {
  return {pose.position + pose.rotation * own.position, pose.rotation * own.first, pose.rotation * own.second};
}

Eigen::Vector3d velocity_at(const Pose<Spatial>& pose, const Twist<Spatial>& velocity, const Eigen::Vector3d& point) {
  return velocity.linear + velocity.angular.cross(point - pose.position);
}

/// Newton's step towards c = 0. Far from a common normal, where the gap leans along a curve, only the point of that
/// curve moves: both together would go astray, as they chase each other along curves that are nearly parallel.
Eigen::Vector2d step_from(const CurveApproach& now) {
  constexpr double leaning = 0.3;  // sine
  const Eigen::Vector2d c = now.residual();
  const double distance = now.gap().norm();
  const Eigen::Matrix2d J = now.jacobian();
  if (std::abs(c[0]) > leaning * distance * now.a.first.norm()) return {-c[0] / J(0, 0), 0};
  if (std::abs(c[1]) > leaning * distance * now.b.first.norm()) return {0, -c[1] / J(1, 1)};
  return -J.inverse() * c;
}

}  // namespace

Eigen::Matrix2d CurveApproach::jacobian() const {
  const Eigen::Vector3d d = gap();
  Eigen::Matrix2d out;
  out << d.dot(a.second) - a.first.squaredNorm(), b.first.dot(a.first), -a.first.dot(b.first),
      d.dot(b.second) + b.first.squaredNorm();
  return out;
}

Eigen::Vector2d CurveApproach::rate(const Pose<Spatial>& pose_a, const Twist<Spatial>& velocity_a,
                                    const Pose<Spatial>& pose_b, const Twist<Spatial>& velocity_b) const {
  const Eigen::Vector3d parting =
      velocity_at(pose_b, velocity_b, b.position) - velocity_at(pose_a, velocity_a, a.position);
  const Eigen::Vector2d explicit_rate(parting.dot(a.first) + gap().dot(velocity_a.angular.cross(a.first)),
                                      parting.dot(b.first) + gap().dot(velocity_b.angular.cross(b.first)));
  return -jacobian().inverse() * explicit_rate;
}

CurveApproach CurvePair::at(const Pose<Spatial>& pose_a, const Pose<Spatial>& pose_b, const Exact<2>& u) const {
  return {u, placed(pose_a, trace(a, u[0])), placed(pose_b, trace(b, u[1]))};
}

CurveApproach CurvePair::common_normal(const Pose<Spatial>& pose_a, const Pose<Spatial>& pose_b,
                                       const Exact<2>& u) const {
  constexpr int most_iterations = 30;
  // The next step of a quadratic convergence would be the square of this: below rounding.
  constexpr double last_step = 1e-9;
  CurveApproach now = at(pose_a, pose_b, u);
  for (int k = 0; k < most_iterations; ++k) {
    const Eigen::Vector2d step = step_from(now);
    if (!step.allFinite()) break;
    now = at(pose_a, pose_b, now.u + step);
    if (step.norm() <= last_step * (1 + now.u.norm())) return now;
  }
  throw RecoverableFailure(concat("the curves have no common normal near their parameters (", u.transpose(),
                                  "): Newton's method is at (", now.u.transpose(), ") with a distance of ",
                                  now.gap().norm(), " m; start nearer to one."));
}

void CurvePair::check(std::string_view type) const {
  detail::check_given(type, "first path", a.path);
  detail::check_given(type, "second path", b.path);
  detail::check_finite(type, "offset of the first curve", a.offset, "m");
  detail::check_finite(type, "offset of the second curve", b.offset, "m");
  detail::check_finite(type, "start", start, "(units of the paths)");
}

std::vector<Outline> outlines_of(const CurvePair& curves) {
  const auto outline = [](int frame, const TracedCurve& curve, double start) {
    Outline out;
    out.frame = frame;
    out.curve = [curve](double u) { return Eigen::Vector3d(trace(curve, u).position); };
    out.start = start;
    return out;
  };
  return {outline(0, curves.a, curves.start[0]), outline(1, curves.b, curves.start[1])};
}

}  // namespace linkwork
