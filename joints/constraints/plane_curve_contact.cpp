#include <linkwork/joints/constraints/plane_curve_contact.hpp>

#include <linkwork/core/checks.hpp>

#include <cmath>
#include <utility>

namespace linkwork {

namespace {

/// Of the material of frame k at `point`.
Eigen::Vector2d velocity_at(const Motion<Planar>& m, int k, const Eigen::Vector2d& point) {
  const FrameMotion<Planar>& frame = m.frame(k);
  return frame.velocity.linear + cross(frame.velocity.angular, Eigen::Vector2d(point - frame.pose.position));
}

PlaneCurve single_point() {
  return PlaneCurve([](double) { return PlaneCurvePoint{}; });
}

}  // namespace

namespace detail {

PlaneCurvePair::PlaneCurvePair(std::string_view type, const Frame<Planar>& first, PlaneCurve first_curve,
                               const Frame<Planar>& second, PlaneCurve second_curve, const Exact<2>& start)
    : Constraint<Planar>(two_frames(type, first, second)),
      curves_{std::move(first_curve), std::move(second_curve)},
      has_second_(true),
      start_(start) {
  check_finite(type, "start", start, "(parameters of the curves)");
}

PlaneCurvePair::PlaneCurvePair(std::string_view type, const Frame<Planar>& first, PlaneCurve first_curve,
                               const Frame<Planar>& second, double start)
    : Constraint<Planar>(two_frames(type, first, second)),
      curves_{std::move(first_curve), single_point()},
      has_second_(false),
      start_(start, 0) {
  check_finite(type, "start", start, "(parameter of the curve)");
}

PlaneCurvePair::Side PlaneCurvePair::side(const Motion<Planar>& m, int k) const {
  const Pose<Planar>& pose = m.frame(k).pose;
  Side out;
  out.position = pose.position;
  if (k == 1 && !has_second_) return out;
  const PlaneCurvePoint point = curves_[k].at(m.contact(k));
  out.stretch = point.first.norm();
  out.position += pose.rotation * point.position;
  out.tangent = pose.rotation * point.first / out.stretch;
  out.curvature = cross(point.first, point.second) / (out.stretch * out.stretch * out.stretch);
  return out;
}

void PlaneCurvePair::do_contact_residual(const Motion<Planar>& m, double* c) const {
  const Side first = side(m, 0), second = side(m, 1);
  c[0] = first.tangent.dot(second.position - first.position);
  if (has_second_) c[1] = cross(first.tangent, second.tangent);
}

/// The tangent of the first curve turns with its body and along the curve, that of the second one likewise; they stay
/// parallel. With the speeds along the curves, positive along t_1,
///   (1 - g curvature_1) speed_1 - speed_2 = g omega_1 + t_1 . slip,
///   curvature_1 speed_1 - sign curvature_2 speed_2 = omega_2 - omega_1.
PlaneCurvePair::Rates PlaneCurvePair::rates(const Motion<Planar>& m, const Side& first, const Side& second) const {
  const double omega = m.frame(0).velocity.angular, turn = m.frame(1).velocity.angular - omega;
  const Eigen::Vector2d at_first = velocity_at(m, 0, first.position), at_second = velocity_at(m, 1, second.position);
  const double gap = cross(1.0, first.tangent).dot(second.position - first.position);
  const double sign = first.tangent.dot(second.tangent) < 0 ? -1 : 1;
  Rates out;
  const double along = gap * omega + first.tangent.dot(at_second - at_first), lever = 1 - gap * first.curvature;
  double first_speed = along / lever, second_speed = 0;
  bool unique = std::abs(lever) > 1e-12;
  if (has_second_) {
    const double curvature = sign * second.curvature, determinant = first.curvature - lever * curvature;
    unique = std::abs(determinant) > 1e-12 * (std::abs(first.curvature) + std::abs(lever * curvature));
    first_speed = (turn - along * curvature) / determinant;
    second_speed = (lever * turn - first.curvature * along) / determinant;
    out.s[1] = sign * second_speed / second.stretch;
  }
  if (!unique)
    throw RecoverableFailure(
        concat("the curves fit each other at s = ", m.contact(0), ": the contact point is not unique there"));
  out.s[0] = first_speed / first.stretch;
  out.turning = omega + first.curvature * first_speed;
  out.second = at_second + second_speed * first.tangent;
  return out;
}

void PlaneCurvePair::do_contact_rates(const Motion<Planar>& m, double* s_rates) const {
  const Rates rate = rates(m, side(m, 0), side(m, 1));
  for (int i = 0; i < contacts(); ++i) s_rates[i] = rate.s[i];
}

void PlaneCurvePair::do_residual(const Motion<Planar>& m, double* g) const {
  const Side first = side(m, 0);
  g[0] = direction(first.tangent).dot(side(m, 1).position - first.position);
}

/// On the material of both bodies at x_2, so that a common motion is not seen where the curves are apart, either.
void PlaneCurvePair::do_rows(const Motion<Planar>& m, ConstraintRows<Planar>& out) const {
  const Eigen::Vector2d n = direction(side(m, 0).tangent), point = side(m, 1).position;
  for (const int k : {0, 1}) {
    const double sign = k == 0 ? -1 : 1;
    out.add(0, k, sign * cross(Eigen::Vector2d(point - m.frame(k).pose.position), n), sign * n);
  }
}

/// The direction turns with t_1, and the material points that the row acts on change.
void PlaneCurvePair::do_bias(const Motion<Planar>& m, double* bias) const {
  const Side first = side(m, 0), second = side(m, 1);
  const Eigen::Vector2d n = direction(first.tangent);
  const Rates rate = rates(m, first, second);
  const Eigen::Vector2d slip = velocity_at(m, 1, second.position) - velocity_at(m, 0, second.position);
  const auto change = [&](int k) {
    const Twist<Planar>& velocity = m.frame(k).velocity;
    return cross(velocity.angular, Eigen::Vector2d(rate.second - velocity.linear));
  };
  bias[0] = -cross(rate.turning, n).dot(slip) - n.dot(change(1) - change(0));
}

void PlaneCurvePair::do_report(const Motion<Planar>& m, const Wrench<Planar>& reaction, double* values) const {
  values[0] = direction(side(m, 0).tangent).dot(reaction.force);
}

std::vector<Outline> PlaneCurvePair::outlines() const {
  std::vector<Outline> out;
  for (int k = 0; k < contacts(); ++k) {
    Outline& outline = out.emplace_back();
    outline.frame = k;
    outline.curve = [curve = curves_[k]](double s) {
      const Eigen::Vector2d at = curve.at(s).position;
      return Eigen::Vector3d(at.x(), at.y(), 0);
    };
    outline.start = start_[k];
  }
  return out;
}

}  // namespace detail

PointOnPlaneCurve::PointOnPlaneCurve(const Frame<Planar>& on, PlaneCurve curve, const Frame<Planar>& point,
                                     double start)
    : PlaneCurvePair("point on plane curve", on, std::move(curve), point, start) {}

PlaneCurveContact::PlaneCurveContact(const Frame<Planar>& first, PlaneCurve first_curve, const Frame<Planar>& second,
                                     PlaneCurve second_curve, const Exact<2>& start)
    : PlaneCurvePair("plane curve contact", first, std::move(first_curve), second, std::move(second_curve), start) {}

PlaneCurveRolling::PlaneCurveRolling(const Frame<Planar>& first, PlaneCurve first_curve, const Frame<Planar>& second,
                                     PlaneCurve second_curve, const Exact<2>& start)
    : PlaneCurvePair("plane curve rolling", first, std::move(first_curve), second, std::move(second_curve), start) {}

}  // namespace linkwork
