// Plane curves that touch: contact coordinates against closed forms and against the same mechanism without them.

#include <linkwork/linkwork.hpp>

#include "../forces/element_motion.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace linkwork {
namespace plane_curve_contact_test {

using std::numbers::pi;
using test::expect_contains;
using test::model_error;

constexpr double gravity = 9.81;
constexpr double tolerance = 1e-10;  // of the integrator, per step; some hundred steps

SimulationOptions tight(Formulation formulation) {
  return {.formulation = formulation, .integrator = ExtrapolationOptions{.rtol = tolerance, .atol = tolerance}};
}

/// x^2 / a^2 + y^2 / b^2 = 1, counter-clockwise, position only.
PlaneCurve ellipse(double a, double b) {
  return PlaneCurve([a, b](double s) { return Eigen::Vector2d(a * std::cos(s), b * std::sin(s)); }, 0.02);
}

TEST(PlaneCurve, DerivativesFollowFromPositions) {
  const double s = 0.7, a = 2, b = 0.5;
  const PlaneCurvePoint point = ellipse(a, b).at(s);
  // Truncation 0.02^6 a / 140 = 1e-12; rounding of the second derivative 4 eps a / 0.02^2 = 5e-12.
  EXPECT_LT((point.first - Eigen::Vector2d(-a * std::sin(s), b * std::cos(s))).norm(), 1e-11);
  EXPECT_LT((point.second + Eigen::Vector2d(a * std::cos(s), b * std::sin(s))).norm(), 1e-10);
  const PlaneCurvePoint of_circle = PlaneCurve::circle(3).at(s);
  EXPECT_LT((of_circle.position - 3 * Eigen::Vector2d(std::cos(s), std::sin(s))).norm(), 1e-15);
  EXPECT_LT((of_circle.first - 3 * Eigen::Vector2d(-std::sin(s), std::cos(s))).norm(), 1e-15);
  EXPECT_LT((of_circle.second + of_circle.position).norm(), 1e-15);
}

TEST(PlaneCurve, RefusesWhatIsNoCurve) {
  using Position = std::function<Eigen::Vector2d(double)>;
  using Point = std::function<PlaneCurvePoint(double)>;
  const Position position = [](double s) { return Eigen::Vector2d(s, 0); };
  expect_contains(model_error([&] { static_cast<void>(PlaneCurve(Position())); }),
                  "PlaneCurve: the function of its position is empty");
  expect_contains(model_error([&] { static_cast<void>(PlaneCurve(Point())); }),
                  "PlaneCurve: the function of its point is empty");
  expect_contains(model_error([&] { static_cast<void>(PlaneCurve(position, 0.0)); }),
                  "PlaneCurve: step of differences is 0");
  expect_contains(model_error([&] { static_cast<void>(PlaneCurve::circle(-1)); }),
                  "PlaneCurve::circle: radius is -1 m");
}

/// Two discs on pins at their rims would do; here the bodies are free, so that all six freedoms matter.
struct Pair {
  PlanarModel model;
  BodyRef<Planar> a, b;
  Pair() {
    model.set_gravity({0, -gravity});
    a = model.add_body("a", MassProperties::planar(2, 0.3));
    b = model.add_body("b", MassProperties::planar(1, 0.1));
  }
};

TEST(PlaneCurveContact, ConformsInRandomMotion) {
  Pair pair;
  const Frame<Planar> first = pair.a.at({0.1, 0.2}, 0.3), second = pair.b.at({-0.2, 0.1}, -0.4);
  // Points in reach lie outside of the curves' centres of curvature.
  const ConformanceOptions options{.reach = 0.3};
  for (const ConformanceReport& report :
       {check_constraint(PlaneCurveContact(first, ellipse(2, 1.6), second, PlaneCurve::circle(3), {0.1, 0.2}), options),
        check_constraint(PlaneCurveContact(first, PlaneCurve::line(), second, ellipse(1, 0.7), {0, -pi / 2}), options),
        check_constraint(PointOnPlaneCurve(first, ellipse(3, 2.8), second, 0.4), options),
        check_constraint(PointOnPlaneCurve(first, PlaneCurve::line(), second, 0), options),
        check_constraint(PlaneCurveRolling(first, PlaneCurve::line(), second, PlaneCurve::circle(1), {0, -pi / 2}),
                         options)}) {
    EXPECT_TRUE(report) << report.summary();
    EXPECT_GT(report.comparisons(), 100);
  }
}

/// Circle on circle keeps the distance of the centres: a rod of R + r with the same forces.
TEST(PlaneCurveContact, CircleOnCircleIsARod) {
  const double R = 0.4, r = 0.25;
  const auto build = [&](bool with_contact) {
    PlanarModel model;
    model.set_gravity({0, -gravity});
    auto disc = model.add_body("disc", MassProperties::planar(1.5, 0.05));
    const Eigen::Vector2d up(std::sin(0.3), std::cos(0.3));
    disc.place((R + r) * up, 0.2).move({0, 0}, 1.5);
    ConstraintRef<Planar> link;
    if (with_contact)
      link = model.add_constraint<PlaneCurveContact>("link", model.ground().origin(), PlaneCurve::circle(R),
                                                     disc.origin(), PlaneCurve::circle(r), Eigen::Vector2d(1.2, -2.0));
    else
      link = model.add_constraint<Rod>("link", model.ground().origin(), disc.origin(), R + r);
    // A weight outside of the centre, so that the disc's turning matters.
    model.add_force<SpringDamper>("spring", model.ground().at({1, 1}), disc.at({0.1, 0.1}),
                                  {.stiffness = 20, .damping = 0.5, .free_length = 0.3});
    model.add_observable("force", "N", [link](const auto& now) { return now.reaction(link).force.norm(); });
    model.add_observable("torque", "N m", [link](const auto& now) { return now.reaction(link).torque; });
    return model;
  };
  for (const Formulation formulation : {Formulation::absolute, Formulation::mixed, Formulation::relative}) {
    State ends[2];
    Eigen::VectorXd observed[2];
    for (const bool with_contact : {false, true}) {
      Simulation simulation(build(with_contact), tight(formulation));
      ends[with_contact] = simulation.run(0, 1.5).final_state();
      simulation.equations().observables(ends[with_contact], observed[with_contact]);
    }
    EXPECT_LT((ends[0].p - ends[1].p).norm(), 1e-8);
    EXPECT_LT((ends[0].v - ends[1].v).norm(), 1e-7);
    EXPECT_LT((observed[0] - observed[1]).norm(), 1e-6);
    // The contact lies on the line of centres.
    const Eigen::Vector2d center = ends[1].p.tail<2>();
    EXPECT_NEAR(std::remainder(ends[1].s[0] - std::atan2(center.y(), center.x()), 2 * pi), 0, 1e-9);
    EXPECT_NEAR(std::remainder(ends[1].s[1] + ends[1].p[0] - ends[1].s[0] - pi, 2 * pi), 0, 1e-9);
  }
}

/// A disc rolls down a plane: a = g sin / (1 + J / (m r^2)), normal force m g cos, friction m g sin - m a.
TEST(PlaneCurveRolling, DiscRollsDownAPlane) {
  const double angle = 0.3, mass = 2, inertia = 0.04, radius = 0.2, t_end = 1;
  const double a = gravity * std::sin(angle) / (1 + inertia / (mass * radius * radius));
  for (const Formulation formulation : {Formulation::absolute, Formulation::mixed, Formulation::relative}) {
    PlanarModel model;
    model.set_gravity({gravity * std::sin(angle), -gravity * std::cos(angle)});
    auto disc = model.add_body("disc", MassProperties::planar(mass, inertia));
    disc.place({0, radius});
    const auto arguments = [&](auto add) {
      return add(model.ground().origin(), PlaneCurve::line(), disc.origin(), PlaneCurve::circle(radius),
                 Eigen::Vector2d(0.01, -1.5));
    };
    const auto contact =
        arguments([&](auto... each) { return model.add_constraint<PlaneCurveContact>("contact", each...); });
    const auto rolling =
        arguments([&](auto... each) { return model.add_constraint<PlaneCurveRolling>("rolling", each...); });
    model.add_observable("normal", "N", [=](const auto& now) { return now.reaction(contact).force.y(); });
    model.add_observable("friction", "N", [=](const auto& now) { return now.reaction(rolling).force.x(); });
    model.add_observable("s", "m", [=](const auto& now) { return now.contact(contact, 0); });
    Simulation simulation(model, tight(formulation));
    const State end = simulation.run(0, t_end).final_state();
    Eigen::VectorXd observed;
    simulation.equations().observables(end, observed);
    const double way = 0.5 * a * t_end * t_end;
    EXPECT_NEAR(end.p[1], way, 1e-9);
    EXPECT_NEAR(end.p[0], -way / radius, 1e-8);
    EXPECT_NEAR(observed[0], mass * gravity * std::cos(angle), 1e-8);
    EXPECT_NEAR(observed[1], mass * (a - gravity * std::sin(angle)), 1e-8);
    EXPECT_NEAR(observed[2], way, 1e-9);
  }
}

/// A disc in a trough is a pendulum of the length 3/2 (R - r); the trough's centre is on the left of its curve.
TEST(PlaneCurveRolling, DiscInATroughIsAPendulum) {
  const double R = 1, r = 0.2, mass = 1, amplitude = 1;
  PlanarModel model;
  model.set_gravity({0, -gravity});
  auto disc = model.add_body("disc", MassProperties::planar(mass, 0.5 * mass * r * r));
  disc.place((R - r) * Eigen::Vector2d(std::sin(amplitude), -std::cos(amplitude)));
  const double place = amplitude - pi / 2;
  model.add_constraint<PlaneCurveContact>("contact", model.ground().origin(), PlaneCurve::circle(R), disc.origin(),
                                          PlaneCurve::circle(r), Eigen::Vector2d(place, place));
  model.add_constraint<PlaneCurveRolling>("rolling", model.ground().origin(), PlaneCurve::circle(R), disc.origin(),
                                          PlaneCurve::circle(r), Eigen::Vector2d(place, place));
  const double period = 4 * std::sqrt(1.5 * (R - r) / gravity) * std::comp_ellint_1(std::sin(amplitude / 2));
  Simulation simulation(model, tight(Formulation::absolute));
  const State end = simulation.run(0, 1.25 * period).final_state();
  EXPECT_NEAR(end.p[1], 0, 1e-8);
  EXPECT_NEAR(end.p[2], -(R - r), 1e-8);
  // Half the potential energy of a pendulum with twice the inertia: v^2 = 4/3 g (R - r) (1 - cos).
  EXPECT_NEAR(end.v.tail<2>().norm(), std::sqrt(4.0 / 3 * gravity * (R - r) * (1 - std::cos(amplitude))), 1e-7);
}

TEST(PointOnPlaneCurve, BeadOnACircleIsAPendulum) {
  const double R = 0.7;
  PlanarModel model;
  model.set_gravity({0, -gravity});
  auto bead = model.add_body<PointMass>("bead", 0.3);
  bead.place({R, 0});
  const auto wire = model.add_constraint<PointOnPlaneCurve>("wire", model.ground().origin(), PlaneCurve::circle(R),
                                                            bead.origin(), 0.1);
  model.add_observable("force", "N", [wire](const auto& now) { return now.multiplier(wire, 0); });
  const double quarter = std::sqrt(R / gravity) * std::comp_ellint_1(std::sin(pi / 4));
  Simulation simulation(model, tight(Formulation::absolute));
  const State end = simulation.run(0, quarter).final_state();
  EXPECT_NEAR(end.p[0], 0, 1e-8);
  EXPECT_NEAR(end.s[0], -pi / 2, 1e-8);
  Eigen::VectorXd observed;
  simulation.equations().observables(end, observed);
  // Three times the weight, along the left normal, which points to the centre.
  EXPECT_NEAR(observed[0], -3 * 0.3 * gravity, 1e-7);
}

TEST(PlaneCurveContact, EqualCurvaturesHaveNoContactPoint) {
  PlanarModel model;
  auto disc = model.add_body("disc", MassProperties::planar(1, 1));
  disc.place({0, 0.1});
  model.add_constraint<PlaneCurveContact>("contact", model.ground().origin(), PlaneCurve::line(), disc.origin(),
                                          PlaneCurve::line(), Eigen::Vector2d(0.3, 0.2));
  expect_contains(
      model_error([&] { static_cast<void>(make_equations(model)); }),
      "'contact' at t = 0 s: its contact equations c = 0 have no solution for s: the derivative is singular at "
      "(0.3, 0.2)");
}

TEST(PlaneCurveContact, RefusesStartsThatAreNotFinite) {
  Pair pair;
  const Frame<Planar> a = pair.a.origin(), b = pair.b.origin();
  expect_contains(model_error([&] {
                    static_cast<void>(PlaneCurveContact(a, PlaneCurve::line(), b, PlaneCurve::circle(1), {NAN, 0}));
                  }),
                  "plane curve contact: start is (nan");
  expect_contains(model_error([&] { static_cast<void>(PointOnPlaneCurve(a, PlaneCurve::line(), b, NAN)); }),
                  "point on plane curve: start is nan");
  expect_contains(model_error([&] {
                    static_cast<void>(PlaneCurveRolling(a, PlaneCurve::line(), a, PlaneCurve::circle(1), {0, 0}));
                  }),
                  "plane curve rolling: both of its frames are on one body");
}

}  // namespace plane_curve_contact_test
}  // namespace linkwork
