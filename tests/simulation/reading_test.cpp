// What is read of a run: at steps and between them, by every reader.

#include "../core/expect_error.hpp"
#include "../messages.hpp"
#include "systems.hpp"

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/forces/applied_force.hpp>
#include <linkwork/forces/dry_friction.hpp>
#include <linkwork/forces/torsion_spring_damper.hpp>
#include <linkwork/joints/driven_revolute.hpp>
#include <linkwork/joints/prismatic.hpp>
#include <linkwork/joints/revolute.hpp>
#include <linkwork/solvers/analyses/quantities.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

namespace linkwork::test {
namespace reading_test {

constexpr double g = 9.81;

struct Method {
  std::string name;
  IntegratorOptions (*options)(double tolerance);
};
const std::vector<Method> methods = {
    {"extrapolation",
     [](double tolerance) -> IntegratorOptions { return ExtrapolationOptions{.rtol = tolerance, .atol = tolerance}; }},
    {"bdf",
     [](double tolerance) -> IntegratorOptions {
       BdfOptions options;
       options.rtol = options.atol = tolerance;
       return options;
     }},
    {"radau", [](double tolerance) -> IntegratorOptions {
       RadauOptions options;
       options.rtol = options.atol = tolerance;
       return options;
     }}};
const std::array formulations = {Formulation::absolute, Formulation::mixed, Formulation::relative};

/// Calls with options and a name, for each formulation and integrator.
template <class Function>
void for_each_method(double tolerance, Function&& function) {
  for (const Formulation formulation : formulations)
    for (const Method& method : methods) {
      SimulationOptions options;
      options.formulation = formulation;
      options.integrator = method.options(tolerance);
      function(options, concat(name_of(formulation), ", ", method.name, ", ", tolerance), method.name);
    }
}

std::vector<double> equidistant_times(double t_end, int count) {
  std::vector<double> times;
  for (int k = 0; k <= count; ++k) times.push_back(t_end * k / count);
  return times;
}

/// Values of the observables, by their order, at points and at the ends of steps.
struct Curves {
  std::vector<double> t;
  std::vector<Eigen::VectorXd> values;
};
Curves curves_of(Simulation& simulation, double t_end, int points) {
  Curves out;
  simulation.on_output(OutputPoints::given(equidistant_times(t_end, points)), [&](const State& state) {
    Eigen::VectorXd values;
    simulation.equations().observables(state, values);
    out.t.push_back(state.t);
    out.values.push_back(values);
  });
  const Trajectory path = simulation.run(0, t_end);
  for (const TrajectorySegment& segment : path.segments()) {
    Eigen::VectorXd values;
    simulation.equations().observables(path.at(segment.end.t), values);
    out.t.push_back(segment.end.t);
    out.values.push_back(values);
  }
  return out;
}

// ---------------------------------------------------------------------------------- mechanisms with closed forms

/// A slider-crank whose crank is driven: no freedom is left.
struct SliderCrank {
  double crank = 0.3, rod = 0.8;
  double crank_mass = 1, rod_mass = 1, slider_mass = 1;
  double friction = 0, slip_speed = 1;  ///< of the guide, smoothed
  std::function<InputValue(double)> angle = {};

  PlanarModel model() const {
    PlanarModel m("slider-crank");
    m.set_gravity({0, -g});
    auto crank_body = m.add_body("crank", MassProperties::rod(crank_mass, crank));
    auto rod_body = m.add_body("rod", MassProperties::rod(rod_mass, rod));
    auto slider = m.add_body("slider", MassProperties::planar(slider_mass, 1e-3));
    const double w = angle(0).rate, turning = -crank * w / rod;
    crank_body.place({crank / 2, 0}).move({0, crank / 2 * w}, w);
    rod_body.place({crank + rod / 2, 0}).move({0, crank * w / 2}, turning);
    slider.place({crank + rod, 0});
    const auto motor = m.add_joint<DrivenRevolute>("motor", m.ground().origin(), crank_body.at({-crank / 2, 0}),
                                                   Input([law = angle](double t) { return law(t); }));
    m.add_joint<Revolute>("pin", crank_body.at({crank / 2, 0}), rod_body.at({-rod / 2, 0}));
    m.add_joint<Revolute>("small end", rod_body.at({rod / 2, 0}), slider.origin());
    const auto guide = m.add_joint<Prismatic>("guide", m.ground().origin(), slider.origin(), Axis::x());
    if (friction > 0)
      m.add_force<DryFriction>("rubbing", guide, m.ground().origin(), slider.origin(),
                               DryFriction<Planar>::Options{.coefficient = friction,
                                                            .normal = {0, 1},
                                                            .tangent = {1, 0},
                                                            .direction = DryFriction<Planar>::Direction::smoothed,
                                                            .speed = slip_speed});
    const auto s = slider.origin();
    m.add_observable("x", "m", [=](const auto& n) { return n.pose(s).position.x(); });
    m.add_observable("v", "m/s", [=](const auto& n) { return n.velocity(s).linear.x(); });
    m.add_observable("off", "m", [=](const auto& n) { return n.pose(s).position.y(); });
    m.add_observable("torque", "N m", [=](const auto& n) { return n.reaction(motor).torque; });
    m.add_observable("push", "N", [=](const auto& n) { return n.reaction(guide).force.y(); });
    return m;
  }

  /// x, v, torque and push by Newton and Euler, body by body.
  std::array<double, 4> exact(double t) const {
    using Vec = Eigen::Vector2d;
    const auto cross = [](const Vec& a, const Vec& b) { return a.x() * b.y() - a.y() * b.x(); };
    /// Of a point at `arm` from a pivot, turned with a rate and an acceleration.
    const auto acceleration = [](const Vec& arm, double rate, double rise) {
      return Vec(Vec(-arm.y(), arm.x()) * rise - arm * rate * rate);
    };
    const InputValue a = angle(t);
    const Vec P = crank * Vec(std::cos(a.value), std::sin(a.value));
    const Vec d(std::sqrt(rod * rod - P.y() * P.y()), -P.y());  // from the pin to the slider
    const Vec P_rate = a.rate * Vec(-P.y(), P.x());
    const double rate = -P_rate.y() / d.x();  // of the rod: P_rate + rate x d has no y
    const Vec P_rise = acceleration(P, a.rate, a.acceleration);
    const double rise = -(P_rise.y() - d.y() * rate * rate) / d.x();
    const double v = P_rate.x() - rate * d.y();
    const Vec C_rise = P_rise + acceleration(d / 2, rate, rise);
    const double slider_rise = (P_rise + acceleration(d, rate, rise)).x();
    const Vec weightless = rod_mass * (C_rise + Vec(0, g));
    const double K = rod_mass * rod * rod / 12 * rise + cross(d / 2, weightless);  // = -d x F, F on the slider
    // F.x = m x'' + mu |N| tanh, F.y = m g - N
    const double grip = friction * std::tanh(v / slip_speed);
    const double right = K + d.x() * slider_mass * g - d.y() * slider_mass * slider_rise;
    double N = right / (d.x() + d.y() * grip);
    if (N < 0) N = right / (d.x() - d.y() * grip);
    const Vec F(slider_mass * slider_rise + grip * std::abs(N), slider_mass * g - N);
    const Vec B = weightless + F;  // on the rod at the pin
    const double torque = crank_mass * crank * crank / 3 * a.acceleration + crank_mass * g * P.x() / 2 + cross(P, B);
    return {P.x() + d.x(), v, torque, N};
  }
};

TEST(Reading, CurvesOfADrivenMechanismAreThoseOfItsClosedForm) {
  constexpr double w = 10, t_end = 5;
  SliderCrank mechanism;
  mechanism.angle = [](double t) { return InputValue{w * t, w, 0}; };
  for_each_method(1e-8, [&](SimulationOptions options, const std::string& name, const std::string& method) {
    Simulation simulation(mechanism.model(), options);
    const Curves curves = curves_of(simulation, t_end, 1000);
    std::array<double, 4> error{};
    for (std::size_t k = 0; k < curves.t.size(); ++k) {
      const auto exact = mechanism.exact(curves.t[k]);
      const Eigen::VectorXd& values = curves.values[k];
      const std::array off = {values[0] - exact[0], values[1] - exact[1], values[2], values[3] - exact[2]};
      for (std::size_t i = 0; i < off.size(); ++i) error[i] = std::max(error[i], std::abs(off[i]));
    }
    // No freedom is left, so that constraints to rounding (1e-16 of a length of 1 m, over the cosine of the rod) leave
    // nothing else. Ends of steps are those of the integrator: bdf satisfies the constraints to its tolerance, and has
    // what is asked of all, 1e-7 m and 1e-6 m/s. Before, radau's errors were 5.6e-5 and 3.4e-3.
    const bool to_rounding = method != "bdf";
    EXPECT_LT(error[0], to_rounding ? 1e-13 : 1e-7) << name;
    EXPECT_LT(error[1], to_rounding ? 1e-12 : 1e-6) << name;
    EXPECT_LT(error[2], to_rounding ? 1e-14 : 1e-7) << name;
    EXPECT_LT(error[3], to_rounding ? 1e-10 : 1e-6) << name;  // of 100 N m
  });
}

TEST(Reading, SmoothedFrictionThatReadsAReactionIsThatOfItsState) {
  constexpr double t_end = 2;
  SliderCrank mechanism{.friction = 0.3, .slip_speed = 0.05};
  mechanism.angle = [](double t) {
    return InputValue{2 * std::sin(5 * t), 10 * std::cos(5 * t), -50 * std::sin(5 * t)};
  };
  for (const double tolerance : {1e-6, 1e-8})
    for_each_method(tolerance, [&](SimulationOptions options, const std::string& name, const std::string& method) {
      Simulation simulation(mechanism.model(), options);
      const Curves curves = curves_of(simulation, t_end, 500);
      double torque_error = 0, push_error = 0, torque_peak = 0, push_peak = 0;
      for (std::size_t k = 0; k < curves.t.size(); ++k) {
        const auto exact = mechanism.exact(curves.t[k]);
        torque_error = std::max(torque_error, std::abs(curves.values[k][3] - exact[2]));
        push_error = std::max(push_error, std::abs(curves.values[k][4] - exact[3]));
        torque_peak = std::max(torque_peak, std::abs(exact[2]));
        push_peak = std::max(push_peak, std::abs(exact[3]));
      }
      EXPECT_GT(torque_peak, 5) << name;
      // A rigid motion, so that rounding remains, and the 1e-12 to which the iteration for reactions settles; and at
      // the ends of bdf's steps its tolerance. Asked is 1e-4; before, extrapolation was off by more than the peak.
      const double limit = method == "bdf" ? 10 * tolerance : 1e-9;
      EXPECT_LT(torque_error, limit * torque_peak) << name;
      EXPECT_LT(push_error, limit * push_peak) << name;
    });
}

/// A crank whose angle is 2 sin 5 t, with a rod behind it that swings freely.
struct CrankAndRod {
  double crank = 0.3, rod = 0.8, crank_mass = 1, rod_mass = 1;

  static InputValue angle(double t) { return {2 * std::sin(5 * t), 10 * std::cos(5 * t), -50 * std::sin(5 * t)}; }
  PlanarModel model() const {
    PlanarModel m("crank and rod");
    m.set_gravity({0, -g});
    auto first = m.add_body("crank", MassProperties::rod(crank_mass, crank));
    auto second = m.add_body("rod", MassProperties::rod(rod_mass, rod));
    first.place({crank / 2, 0}).move({0, crank / 2 * 10}, 10);
    second.place({crank + rod / 2, 0}).move({0, crank * 10}, 0);
    const auto motor = m.add_joint<DrivenRevolute>("motor", m.ground().origin(), first.at({-crank / 2, 0}),
                                                   Input([](double t) { return angle(t); }));
    m.add_joint<Revolute>("pin", first.at({crank / 2, 0}), second.at({-rod / 2, 0}));
    const auto of_rod = second.origin();
    m.add_observable("torque", "N m", [=](const auto& n) { return n.reaction(motor).torque; });
    m.add_observable("turn", "rad", [=](const auto& n) { return n.pose(of_rod).angle; });
    m.add_observable("rate", "rad/s", [=](const auto& n) { return n.velocity(of_rod).angular; });
    return m;
  }

  using Vec = Eigen::Vector2d;
  static Vec direction(double angle) { return {std::cos(angle), std::sin(angle)}; }
  static Vec across(double angle) { return {-std::sin(angle), std::cos(angle)}; }
  Vec pin_acceleration(double t) const {
    const InputValue a = angle(t);
    return crank * (a.acceleration * across(a.value) - a.rate * a.rate * direction(a.value));
  }
  double rod_acceleration(double t, double turn) const {
    return -1.5 / rod * across(turn).dot(pin_acceleration(t) + Vec(0, g));  // m c / (m L^2 / 3), c = L / 2
  }
  double torque(double t, double turn, double rate) const {
    const InputValue a = angle(t);
    const Vec C =
        pin_acceleration(t) + rod / 2 * (rod_acceleration(t, turn) * across(turn) - rate * rate * direction(turn));
    const Vec on_rod = rod_mass * (C + Vec(0, g)), P = crank * direction(a.value);
    return crank_mass * crank * crank / 3 * a.acceleration + crank_mass * g * P.x() / 2 + P.x() * on_rod.y() -
           P.y() * on_rod.x();
  }
  /// Runge-Kutta's fourth-order method from t to t + h.
  void advance(double t, double h, double& turn, double& rate) const {
    const auto slope = [&](double dt, double x, double v) { return Vec(v, rod_acceleration(t + dt, x)); };
    const Vec k1 = slope(0, turn, rate), k2 = slope(h / 2, turn + h / 2 * k1[0], rate + h / 2 * k1[1]),
              k3 = slope(h / 2, turn + h / 2 * k2[0], rate + h / 2 * k2[1]),
              k4 = slope(h, turn + h * k3[0], rate + h * k3[1]);
    const Vec change = h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    turn += change[0];
    rate += change[1];
  }
};

TEST(Reading, TorqueOfADrivenCrankIsThatOfItsStateAtStepsAndBetween) {
  const CrankAndRod mechanism;
  constexpr double t_end = 2, h = 1e-4;  // (5 h)^4 t_end: 1e-13
  std::vector<std::array<double, 2>> grid{{0, 0}};
  for (int k = 0; k < 20000; ++k) {
    std::array<double, 2> next = grid.back();
    mechanism.advance(k * h, h, next[0], next[1]);
    grid.push_back(next);
  }
  const auto exact = [&](double t) {
    const auto k = static_cast<std::size_t>(std::min(t / h, 19999.0));
    std::array<double, 2> at = grid[k];
    mechanism.advance(static_cast<double>(k) * h, t - static_cast<double>(k) * h, at[0], at[1]);
    return mechanism.torque(t, at[0], at[1]);
  };
  constexpr int points = 500;
  for_each_method(1e-9, [&](SimulationOptions options, const std::string& name, const std::string& method) {
    Simulation simulation(mechanism.model(), options);
    const Curves curves = curves_of(simulation, t_end, points);
    double error_at_steps = 0, error_between = 0, error_of_state = 0, peak = 0;
    for (std::size_t k = 0; k < curves.t.size(); ++k) {
      const double torque = exact(curves.t[k]), read = curves.values[k][0];
      double& error = k > points ? error_at_steps : error_between;
      error = std::max(error, std::abs(read - torque));
      const double of_state = mechanism.torque(curves.t[k], curves.values[k][1], curves.values[k][2]);
      error_of_state = std::max(error_of_state, std::abs(read - of_state));
      peak = std::max(peak, std::abs(torque));
    }
    EXPECT_GT(peak, 30) << name;
    // What the equations give for the rod's angle and rate, to rounding of 30 N m; bdf's crank is off by its tolerance.
    EXPECT_LT(error_of_state, method == "bdf" ? 1e-6 : 1e-11) << name;
    // The global errors of the rod's motion at 1e-9; bdf's error per step adds up over thousands.
    EXPECT_LT(error_at_steps, method == "bdf" ? 1e-5 : 1e-6) << name;
    EXPECT_LT(error_between, method == "bdf" ? 1e-5 : 1e-6) << name;
  });
}

// ------------------------------------------------------------------------------------------ what elements remember

TEST(Reading, KnowsTheDirectionInWhichAContactSlidThen) {
  // Thrown up a rough slope it comes back: mu = 0.2 does not hold it on a slope of 1 in 1.
  PlanarModel m("slope");
  const double slope = std::numbers::pi / 4, mu = 0.2;
  m.set_gravity({-g * std::sin(slope), -g * std::cos(slope)});  // x along the slope
  auto block = m.add_body("block", MassProperties::planar(2, 1));
  block.move({3, 0}, 0);
  const auto guide = m.add_joint<Prismatic>("guide", m.ground().origin(), block.origin(), Axis::x());
  m.add_force<DryFriction>(
      "rubbing", guide, m.ground().origin(), block.origin(),
      DryFriction<Planar>::Options{
          .coefficient = mu, .normal = {0, 1}, .tangent = {1, 0}, .direction = DryFriction<Planar>::Direction::frozen});
  const double up = -g * (std::sin(slope) + mu * std::cos(slope)), down = -g * (std::sin(slope) - mu * std::cos(slope));
  const double turns = -3 / up;
  for_each_method(1e-8, [&](SimulationOptions options, const std::string& name, const std::string&) {
    Simulation simulation(m, options);
    const Trajectory path = simulation.run(0, 1);
    ASSERT_EQ(path.events().size(), 1u) << name;
    EXPECT_NEAR(path.events()[0].t, turns, 1e-7) << name;
    constexpr int x = 1;  // behind the angular velocity: a joint whose reaction is read stays a constraint
    for (const double t : {0.01, 0.1, 0.3}) EXPECT_NEAR(path.at(t).a[x], up, 1e-10) << name << t;
    for (const double t : {0.5, 0.7, 1.0}) EXPECT_NEAR(path.at(t).a[x], down, 1e-10) << name << t;
    const double t = path.events()[0].t;
    EXPECT_NEAR(path.at(t, Side::left).a[x], up, 1e-10) << name;
    EXPECT_NEAR(path.at(t, Side::right).a[x], down, 1e-10) << name;
  });
}

TEST(Reading, KnowsTheTurnsOfASpringThen) {
  SpatialModel m("torsion");
  auto disc = m.add_body("disc", MassProperties::sphere(1, 0.1));
  const double inertia = 0.4 * 0.01, stiffness = 1e-3, w = 30;  // [rad/s]
  disc.move({0, 0, 0}, {0, 0, w});
  m.add_joint<Revolute>("bearing", m.ground().origin(), disc.origin(), Axis::z());
  m.add_force<TorsionSpringDamper>("spring", m.ground().origin(), disc.origin(), Axis::z(),
                                   TorsionSpringDamper<Spatial>::Options{.stiffness = stiffness});
  m.add_observable("rise", "rad/s^2", [=](const auto& n) { return n.acceleration(disc.origin()).angular.z(); });
  const double omega = std::sqrt(stiffness / inertia);
  for_each_method(1e-9, [&](SimulationOptions options, const std::string& name, const std::string&) {
    Simulation simulation(m, options);
    const Trajectory path = simulation.run(0, 3);  // to 53 rad
    const Series rise = path.values("rise", OutputPoints::equidistant(100));
    for (std::size_t k = 0; k < rise.t.size(); ++k)
      // Asked is the right turn: a wrong one gives 2 pi stiffness / inertia = 1.6. The error is that of the angle.
      EXPECT_NEAR(rise.values[k], -w * omega * std::sin(omega * rise.t[k]), 1e-5) << name << ", t = " << rise.t[k];
  });
}

TEST(Reading, KnowsTheAppliedForceThen) {
  // A sampled controller: each step has the force that its beginning asked for.
  Simulation simulation(oscillator(), {.integrator = BdfOptions{}});
  std::vector<double> times;
  simulation.observe([&](const State& state, EquationsOfMotion& equations) {
    equations.set_applied_force(Eigen::VectorXd::Constant(1, static_cast<double>(times.size())));
    times.push_back(state.t);
    return true;
  });
  const Trajectory path = simulation.run(0, 1);
  ASSERT_GT(times.size(), 5u);
  for (std::size_t k = 0; k + 1 < times.size(); ++k) {
    const State inside = path.at(0.5 * (times[k] + times[k + 1]));
    EXPECT_NEAR(inside.a[0] + inside.p[0], static_cast<double>(k), 1e-12 * static_cast<double>(times.size()));
  }
}

// -------------------------------------------------------------------------------- runs and what is read beside them

TEST(Reading, WhileARunGoesOnChangesNothingOfIt) {
  const CrankAndRod mechanism;
  for_each_method(1e-6, [&](SimulationOptions options, const std::string& name, const std::string&) {
    Simulation plain(mechanism.model(), options), read(mechanism.model(), options);
    int count = 0;
    read.observe([&](const State& state, EquationsOfMotion& equations) {
      const Trajectory& path = read.trajectory();
      if (path.empty() || path.t_begin() == path.t_end()) return true;
      const State before = path.at(0.4 * path.t_begin() + 0.6 * path.t_end());
      EXPECT_TRUE(before.lambda.allFinite());
      EXPECT_EQ(equations.time(), state.t);
      EXPECT_EQ(equations.position(), state.p);
      ++count;
      return true;
    });
    read.on_output(OutputPoints::per_step(2), [](const State&) {});
    const Trajectory quiet = plain.run(0, 0.5), watched = read.run(0, 0.5);
    EXPECT_GT(count, 3) << name;
    EXPECT_EQ(quiet.final_state().p, watched.final_state().p) << name;
    EXPECT_EQ(quiet.final_state().v, watched.final_state().v) << name;
    const SimulationStatistics &a = plain.statistics(), &b = read.statistics();
    EXPECT_EQ(a.integrator.steps, b.integrator.steps) << name;
    EXPECT_EQ(a.evaluations.force, b.evaluations.force) << name;
    EXPECT_EQ(a.evaluations.matrix, b.evaluations.matrix) << name;
    EXPECT_EQ(a.linear.factorizations, b.linear.factorizations) << name;
    EXPECT_GT(b.driver_evaluations.force, a.driver_evaluations.force) << name;
  });
}

TEST(Reading, ObserversAndEventsSeeTheAccelerationsOfTheEquations) {
  // x'' = -x: the equations give a = -x at every state, also at the start, whatever the integrator estimates.
  for (const Method& method : methods) {
    Simulation simulation(oscillator(), {.integrator = method.options(1e-5)});
    simulation.observe([&](const State& state, EquationsOfMotion&) {
      EXPECT_EQ(state.a[0], -state.p[0]) << method.name << ", t = " << state.t;
      return true;
    });
    Event event;
    event.name = "turn";
    event.function = [&](const State& state, EquationsOfMotion& equations) {
      EXPECT_EQ(equations.accelerations(), state.a);
      return state.a[0] + 0.5;
    };
    simulation.add_event(event);
    const Trajectory path = simulation.run(0, 2);
    ASSERT_EQ(path.events().size(), 1u) << method.name;
    EXPECT_NEAR(path.at(path.events()[0].t).p[0], 0.5, 1e-12) << method.name;
    EXPECT_EQ(path.final_state().a[0], -path.final_state().p[0]) << method.name;
  }
}

TEST(Trajectory, StaysAsItIsWhenItsSimulationRunsAgain) {
  Simulation simulation(oscillator());
  const Trajectory& first = simulation.run(0, 1);
  const Trajectory& second = simulation.run(0, 2);
  EXPECT_EQ(first.t_end(), 1);
  EXPECT_EQ(second.t_end(), 2);
  EXPECT_NEAR(first.at(0.5).p[0], std::cos(0.5), 1e-5);
  EXPECT_EQ(simulation.trajectory().t_end(), 2);
}

TEST(Trajectory, CopiedDuringARunDoesNotGrow) {
  Simulation simulation(free_particle(0, 1), straight_line(0.25));
  std::vector<Trajectory> copies;
  simulation.on_progress([&](double, double) { copies.push_back(simulation.trajectory()); });
  simulation.run(0, 1);
  ASSERT_EQ(copies.size(), 4u);
  for (std::size_t k = 0; k < copies.size(); ++k) {
    EXPECT_EQ(copies[k].segments().size(), k + 1);
    EXPECT_EQ(copies[k].t_end(), 0.25 * static_cast<double>(k + 1));
  }
}

// ------------------------------------------------------------------------------------------------ series and places

TEST(Trajectory, GivesSeriesByName) {
  Simulation simulation(oscillator(), with_tolerance(1e-8));
  const Trajectory path = simulation.run(0, 1);
  const Series at_steps = path.values("a");
  EXPECT_EQ(at_steps.name, "a");
  ASSERT_EQ(at_steps.t.size(), path.segments().size() + 1);
  EXPECT_EQ(at_steps.t.front(), 0);
  for (std::size_t k = 0; k < at_steps.t.size(); ++k)
    EXPECT_NEAR(at_steps.values[k], -std::cos(at_steps.t[k]), 1e-6) << at_steps.t[k];
  const Series given = path.values("v", OutputPoints::given({0.25, 0.5}));
  EXPECT_EQ(given.t, (std::vector<double>{0.25, 0.5}));
  EXPECT_EQ(given.values, (std::vector<double>{path.at(0.25).v[0], path.at(0.5).v[0]}));
  EXPECT_EQ(path.values("x (observable)", OutputPoints::equidistant(3)).values,
            path.values("x", OutputPoints::equidistant(3)).values);
  expect_error<ModelError>(
      "Trajectory::values: there is no 'camber'; there are: x, v, x (observable), v (observable), a.",
      [&] { path.values("camber"); });
  expect_error<ModelError>(
      "OutputPoints: the output time 3 s is outside of the run [0, 1] s; leave it out or run longer.",
      [&] { path.values("x", OutputPoints::given({3})); });
  expect_error<ModelError>("Trajectory::values: the trajectory is empty; run a simulation first.",
                           [] { Trajectory().values("x"); });
}

TEST(Trajectory, SeriesHaveBothValuesAtAJump) {
  Simulation simulation(free_particle(-0.4, 1), straight_line(0.25));
  Event event = position_event("wall", 0);
  event.action = Event::Action::change;
  event.effect = [](State& state, EquationsOfMotion&) { state.v *= -1; };
  simulation.add_event(event);
  const Series v = simulation.run(0, 0.65).values("v");
  ASSERT_EQ(v.t.size(), 5u);  // 0, 0.25, the wall twice, 0.65
  EXPECT_EQ(v.t[2], v.t[3]);
  EXPECT_EQ(v.values, (std::vector<double>{1, 1, 1, -1, -1}));
}

TEST(Places, OfAJointAreThoseOfItsCoordinatesInTheStates) {
  SpatialModel m("arm");
  m.set_gravity({0, 0, -g});
  auto first = m.add_body("first", MassProperties::rod(1, 1)), second = m.add_body("second", MassProperties::rod(1, 1));
  first.place({0.5, 0, 0});
  second.place({1.5, 0, 0});
  const auto shoulder = m.add_joint<Revolute>("shoulder", m.ground().origin(), first.at({-0.5, 0, 0}), Axis::y());
  const auto elbow = m.add_joint<Revolute>("elbow", first.at({0.5, 0, 0}), second.at({-0.5, 0, 0}), Axis::y());
  for (const Formulation formulation : {Formulation::mixed, Formulation::relative}) {
    Simulation simulation(m, {.formulation = formulation});
    const State state = simulation.run(0, 0.2).final_state();
    for (const auto& joint : {shoulder, elbow}) {
      const CoordinatePlaces places = simulation.places_of(joint);
      EXPECT_EQ(places.coordinates, 1);
      EXPECT_EQ(places.freedoms, 1);
      EXPECT_NEAR(state.p[places.p], measure(simulation.equations(), state, joint_coordinate(joint).value), 1e-12);
      EXPECT_NEAR(state.v[places.v], measure(simulation.equations(), state, joint_velocity(joint).value), 1e-12);
    }
  }
  const Simulation absolute(m);
  expect_error<ModelError>(
      "places_of: joint 'elbow' has no coordinates of its own in the absolute formulation; measure joint_coordinate "
      "and joint_velocity instead.",
      [&] { absolute.places_of(elbow); });
  SpatialModel other("other");
  auto ball = other.add_body("ball", MassProperties::sphere(1, 1));
  const auto foreign = other.add_joint<Revolute>("pin", other.ground().origin(), ball.origin(), Axis::z());
  expect_error<ModelError>(
      "places_of: the joint is none of model 'arm'; give a joint of the model that the equations were made from.",
      [&] { absolute.places_of(foreign); });
}

TEST(Places, OfAJointThatClosesALoopAreRefused) {
  PlanarModel m("triangle");
  auto a = m.add_body("a", MassProperties::rod(1, 1)), b = m.add_body("b", MassProperties::rod(1, 1));
  a.place({0.5, 0});
  b.place({1.5, 0});
  const std::array joints = {m.add_joint<Revolute>("left", m.ground().origin(), a.at({-0.5, 0})),
                             m.add_joint<Revolute>("middle", a.at({0.5, 0}), b.at({-0.5, 0})),
                             m.add_joint<Revolute>("right", m.ground().at({2, 0}), b.at({0.5, 0}))};
  const Simulation simulation(m, {.formulation = Formulation::relative});
  int refused = 0;
  for (const auto& joint : joints) {
    const std::string text = error_of([&] { simulation.places_of(joint); });
    if (contains(text, "has no coordinates of its own in the relative formulation, where it closes a loop; measure"))
      ++refused;
  }
  EXPECT_EQ(refused, 1);
}

// ----------------------------------------------------------------------------- where there is nothing to be read

/// A free mass that vanishes for an instant.
class Vanishing final : public EquationsOfMotion {
 public:
  static constexpr double instant = 0.5;
  Vanishing() : EquationsOfMotion({.p = 1, .v = 1}) { M_.add_block(0, 0, 1, 1); }
  std::string model_name() const override { return "vanishing"; }
  State initial_state() const override {
    State out = EquationsOfMotion::initial_state();
    out.v[0] = 1;
    return out;
  }
  std::vector<std::string> observable_names() const override { return {"x", "a"}; }
  void observables(const State& state, Eigen::VectorXd& values) override {
    values = Eigen::Vector2d(state.p[0], state.a[0]);
  }

 private:
  void do_M(BlockMatrix& M) override { M.values(0)[0] = time() == instant ? 0 : 1; }
  void do_G(BlockMatrix&, Eigen::VectorXd&) override {}
  void do_g(Eigen::VectorXd&) override {}
  void do_f(Eigen::VectorXd& f) override { f[0] = 0; }
  void do_gamma(Eigen::VectorXd&) override {}
};

TEST(Reading, WhereTheEquationsHaveNoAccelerationsSaysSo) {
  Simulation simulation(std::make_unique<Vanishing>(), straight_line(0.4));
  std::vector<State> delivered;
  simulation.on_output(OutputPoints::given({0.3, 0.5, 0.7}), [&](const State& state) { delivered.push_back(state); });
  const Trajectory path = simulation.run(0, 1);
  ASSERT_EQ(delivered.size(), 3u);
  EXPECT_EQ(delivered[1].p[0], 0.5);
  EXPECT_TRUE(std::isnan(delivered[1].a[0]));
  EXPECT_EQ(delivered[2].a[0], 0);
  EXPECT_EQ(simulation.unknown_points().count, 1);
  EXPECT_EQ(simulation.unknown_points().first, 0.5);
  EXPECT_TRUE(contains(simulation.summary(),
                       "  unknown         accelerations and multipliers could not be found at 1 point that was read, "
                       "first at t = 0.5 s: "))
      << simulation.summary();

  EXPECT_EQ(path.at(0.6).a[0], 0);
  const std::string refusal = error_of([&] { path.at(0.5); });
  EXPECT_TRUE(
      contains(refusal, "Trajectory::at: model 'vanishing' has no accelerations and multipliers at t = 0.5 s: "))
      << refusal;
  const Series a = path.values("a", OutputPoints::equidistant(1)), x = path.values("x", OutputPoints::equidistant(1));
  EXPECT_TRUE(std::isnan(a.values[1]));
  EXPECT_EQ(a.unknown.count, 1);
  EXPECT_EQ(x.values[1], 0.5);
  std::ostringstream csv;
  const UnknownPoints unknown = path.write_csv(csv, 2);
  EXPECT_EQ(unknown.count, 1);
  EXPECT_TRUE(contains(csv.str(), "\n0.5,0.5,1,0.5,nan\n")) << csv.str();
}

TEST(Simulation, SaysWhichObservablesAreNoNumbersAtTheEnd) {
  PlanarModel m("odd");
  auto body = m.add_body("body", MassProperties::planar(1, 1));
  const auto frame = body.origin();
  m.add_observable("root", "", [=](const auto& n) { return std::sqrt(-1 - n.pose(frame).position.x()); });
  m.add_observable("x", "m", [=](const auto& n) { return n.pose(frame).position.x(); });
  Simulation simulation(m);
  simulation.run(0, 1);
  EXPECT_TRUE(contains(simulation.summary(), "  no number       observable 'root' is ")) << simulation.summary();
  EXPECT_FALSE(contains(simulation.summary(), "observable 'x'")) << simulation.summary();
}

TEST(Simulation, WhatIsThrownButNoExceptionEndsItByNameToo) {
  const auto expect_reason = [](const std::string& who, auto&& add) {
    Simulation simulation(free_particle(0, 1), straight_line(0.25));
    add(simulation);
    expect_error<RunError>(concat("model 'particle': the run stopped at t = 0.5 s: ", who,
                                  " threw an exception: it is no std::exception, so that nothing more is known; throw "
                                  "one with a message"),
                           [&] { simulation.run(0, 1); });
    EXPECT_EQ(simulation.trajectory().t_end(), 0.5) << who;
  };
  expect_reason("an observer", [](Simulation& simulation) {
    simulation.observe([](const State& state, EquationsOfMotion&) {
      if (state.t >= 0.5) throw 7;
      return true;
    });
  });
  expect_reason("an output callback", [](Simulation& simulation) {
    simulation.on_output(OutputPoints::per_step(0), [](const State& state) {
      if (state.t >= 0.5) throw "text";
    });
  });
}

}  // namespace reading_test
}  // namespace linkwork::test
