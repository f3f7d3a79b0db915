#include <linkwork/joints/constraints/plane_curve.hpp>

#include <linkwork/core/checks.hpp>
#include <linkwork/core/differences.hpp>

#include <cmath>
#include <utility>

namespace linkwork {

namespace {

PlaneCurvePoint differentiated(const std::function<Eigen::Vector2d(double)>& position, double s, double step) {
  PlaneCurvePoint out;
  out.position = position(s);
  for (int k = 1; k <= 3; ++k) {
    const Eigen::Vector2d ahead = position(s + k * step) - out.position, behind = position(s - k * step) - out.position;
    out.first += detail::difference_weights[k - 1] / step * (ahead - behind);
    out.second += detail::second_difference_weights[k - 1] / (step * step) * (ahead + behind);
  }
  return out;
}

}  // namespace

PlaneCurve::PlaneCurve(std::function<Eigen::Vector2d(double)> position, double step) {
  detail::check_given("PlaneCurve", "position", position);
  detail::check_positive("PlaneCurve", "step of differences", step, "");
  point_ = [position = std::move(position), step](double s) { return differentiated(position, s, step); };
}

PlaneCurve::PlaneCurve(std::function<PlaneCurvePoint(double)> point) : point_(std::move(point)) {
  detail::check_given("PlaneCurve", "point", point_);
}

PlaneCurve PlaneCurve::line() {
  return PlaneCurve([](double s) { return PlaneCurvePoint{{s, 0}, {1, 0}, {0, 0}}; });
}

PlaneCurve PlaneCurve::circle(double radius) {
  detail::check_positive("PlaneCurve::circle", "radius", radius, "m");
  return PlaneCurve([radius](double s) {
    const Eigen::Vector2d outward(std::cos(s), std::sin(s)), along(-outward.y(), outward.x());
    return PlaneCurvePoint{radius * outward, radius * along, -radius * outward};
  });
}

}  // namespace linkwork
