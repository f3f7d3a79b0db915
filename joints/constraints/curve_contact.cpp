#include <linkwork/joints/constraints/curve_contact.hpp>

#include <linkwork/core/checks.hpp>

#include <Eigen/LU>
#include <utility>

namespace linkwork {

namespace {
constexpr const char* contact_type = "curve contact";
}

CurveContact::CurveContact(const Frame<Spatial>& first, const Frame<Spatial>& second, CurvePair curves, double distance,
                           Points points)
    : Constraint(detail::two_frames(contact_type, first, second)),
      curves_(std::move(curves)),
      distance_(distance),
      points_(points) {
  curves_.check(contact_type);
  detail::check_positive(contact_type, "distance", distance, "m");
}

CurveApproach CurveContact::approach(const Motion<Spatial>& m) const {
  const Pose<Spatial>&first = m.frame(0).pose, &second = m.frame(1).pose;
  if (points_ == Points::carried) return curves_.at(first, second, {m.contact(0), m.contact(1)});
  return curves_.common_normal(first, second, {m.memory(0), m.memory(1)});
}

void CurveContact::do_contact_residual(const Motion<Spatial>& m, double* c) const {
  Eigen::Vector2d::Map(c) = approach(m).residual();
}

void CurveContact::do_contact_rates(const Motion<Spatial>& m, double* rates) const {
  const FrameMotion<Spatial>&first = m.frame(0), &second = m.frame(1);
  Eigen::Vector2d::Map(rates) = approach(m).rate(first.pose, first.velocity, second.pose, second.velocity);
}

void CurveContact::do_residual(const Motion<Spatial>& m, double* g) const {
  g[0] = approach(m).gap().norm() - distance_;
}

/// g' = n . w + g_u u' with w the velocity in which the points' bodies part, and c_u u' = -c' at held u, where
/// c_a' = w . a' + d . (omega_a x a') and likewise for b. So rows and c' are joined by k = -g_u c_u^-1, zero where c
/// is.
void CurveContact::do_rows(const Motion<Spatial>& m, ConstraintRows<Spatial>& out) const {
  const CurveApproach at = approach(m);
  const Eigen::Vector3d d = at.gap(), normal = d.normalized();
  const Eigen::RowVector2d along(-normal.dot(at.a.first), normal.dot(at.b.first));  // g_u
  const Eigen::RowVector2d k = -along * at.jacobian().inverse();
  const Eigen::Vector3d direction = normal + k[0] * at.a.first + k[1] * at.b.first;
  const auto moment = [&](int frame, const CurveJet& curve) {
    return Eigen::Vector3d((curve.position - m.frame(frame).pose.position).cross(direction));
  };
  out.add(0, 1, moment(1, at.b) + k[1] * at.b.first.cross(d), direction);
  out.add(0, 0, -moment(0, at.a) + k[0] * at.a.first.cross(d), -direction);
}

/// |d|'' = n . d'' + (|d'|^2 - (n . d')^2) / |d|. The second derivatives of u drop out, as n is perpendicular to both
/// curves.
void CurveContact::do_bias(const Motion<Spatial>& m, double* bias) const {
  const FrameMotion<Spatial>&first = m.frame(0), &second = m.frame(1);
  const CurveApproach at = approach(m);
  const Eigen::Vector2d rate = at.rate(first.pose, first.velocity, second.pose, second.velocity);
  const auto velocity = [](const FrameMotion<Spatial>& frame, const CurveJet& curve, double u_rate) {
    return Eigen::Vector3d(frame.velocity.linear + frame.velocity.angular.cross(curve.position - frame.pose.position) +
                           u_rate * curve.first);
  };
  const auto acceleration = [](const FrameMotion<Spatial>& frame, const CurveJet& curve, double u_rate) {
    const Eigen::Vector3d& omega = frame.velocity.angular;
    return Eigen::Vector3d(omega.cross(omega.cross(curve.position - frame.pose.position)) +
                           2 * u_rate * omega.cross(curve.first) + u_rate * u_rate * curve.second);
  };
  const double distance = at.gap().norm();
  const Eigen::Vector3d normal = at.gap() / distance;
  const Eigen::Vector3d parting = velocity(second, at.b, rate[1]) - velocity(first, at.a, rate[0]);
  const double along = normal.dot(parting);
  bias[0] = -normal.dot(acceleration(second, at.b, rate[1]) - acceleration(first, at.a, rate[0])) -
            (parting.squaredNorm() - along * along) / distance;
}

void CurveContact::do_remember(const Motion<Spatial>& m, bool restart, double* memory) const {
  if (points_ == Points::carried) return;
  Eigen::Map<Eigen::Vector2d> u(memory);
  if (restart) u = curves_.start;
  u = curves_.common_normal(m.frame(0).pose, m.frame(1).pose, u).u;
}

void CurveContact::do_report(const Motion<Spatial>& m, const Wrench<Spatial>& reaction, double* values) const {
  values[0] = approach(m).gap().normalized().dot(reaction.force);
}

}  // namespace linkwork
