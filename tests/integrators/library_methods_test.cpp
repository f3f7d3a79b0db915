// Integrators from libraries: dopri5 and bulirsch-stoer of Boost.Odeint, cvode of SUNDIALS where that is there.

#include "posed_systems.hpp"

#include "../allocations.hpp"
#include "../messages.hpp"

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/bodies/point_mass.hpp>
#include <linkwork/core/model.hpp>
#include <linkwork/forces/spring_damper.hpp>
#include <linkwork/joints/fixed.hpp>
#include <linkwork/joints/revolute.hpp>
#include <linkwork/joints/spherical.hpp>
#include <linkwork/solvers/integrators/bulirsch_stoer.hpp>
#include <linkwork/solvers/integrators/cvode.hpp>
#include <linkwork/solvers/integrators/dopri5.hpp>
#include <linkwork/solvers/integrators/first_order_system.hpp>
#include <linkwork/solvers/simulation/events.hpp>
#include <linkwork/solvers/simulation/simulation.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace linkwork {
namespace library_methods_test {

using test::contains;
using test::error_of;
using test::FilteredOscillator;
using test::Mass;
using test::pendulum_angle;

bool has_cvode() {
  return !contains(error_of([] { (void)make_integrator(CvodeOptions{}); }), "built without SUNDIALS");
}

/// What a test varies; the rest is as the options have it.
struct Wish {
  double rtol = 1e-6, atol = 1e-6;
  std::optional<double> atol_angle = {};
  double maximum_step = 0;
  std::int64_t maximum_steps = 1000000;
};

template <class Options>
IntegratorOptions with(Options options, const Wish& wish) {
  options.rtol = wish.rtol;
  options.atol = wish.atol;
  options.atol_angle = wish.atol_angle;
  options.maximum_step = wish.maximum_step;
  options.maximum_steps = wish.maximum_steps;
  return options;
}

struct Method {
  std::string name;
  std::function<IntegratorOptions(const Wish&)> options;
  IntegratorOptions at(double tolerance) const { return options({.rtol = tolerance, .atol = tolerance}); }
};

const Method dopri5{"dopri5", [](const Wish& wish) { return with(Dopri5Options{}, wish); }};
const Method bulirsch_stoer{"bulirsch-stoer", [](const Wish& wish) { return with(BulirschStoerOptions{}, wish); }};
const Method adams{"cvode-adams",
                   [](const Wish& wish) { return with(CvodeOptions{.method = CvodeMethod::adams}, wish); }};
const Method bdf{"cvode-bdf", [](const Wish& wish) { return with(CvodeOptions{.method = CvodeMethod::bdf}, wish); }};

std::vector<Method> methods() {
  std::vector<Method> all{dopri5, bulirsch_stoer};
  if (has_cvode()) all.insert(all.end(), {adams, bdf});
  return all;
}

/// The pendulum of pendulum_angle as a lever with an inertia, in whose place gravity is larger.
PlanarModel lever() {
  PlanarModel model("lever");
  constexpr double mass = 2, inertia = 0.5, length = 1;
  model.set_gravity({0, -test::CartesianPendulum::gravity * (inertia + mass * length * length) / (mass * length)});
  auto bar = model.add_body("bar", MassProperties::planar(mass, inertia)).place({length, 0}, std::acos(0.0));
  model.add_joint<Revolute>("bearing", model.ground().origin(), bar.at({0, length}));
  model.add_observable("angle", "rad", [=](const Snapshot<Planar>& at) { return at.pose(bar.origin()).angle; });
  model.add_observable("rate", "rad/s", [=](const Snapshot<Planar>& at) { return at.velocity(bar.origin()).angular; });
  return model;
}

Simulation lever_by(const IntegratorOptions& options) {
  return Simulation(lever(), {.formulation = Formulation::relative, .integrator = options});
}

double final_error(Simulation& simulation, double from, double to) {
  const Trajectory path = simulation.run(from, to);
  const auto [angle, rate] = pendulum_angle(to - from);
  return std::max(std::abs(path.values("angle").values.back() - angle),
                  std::abs(path.values("rate").values.back() - rate));
}

// ------------------------------------------------------------------------------------------------ order and accuracy

// Half an order: the next term of the error is smaller by the step, here a quarter of the pendulum's time.
TEST(Dopri5, HasOrderFive) {
  const auto error = [](double step) {
    Simulation simulation = lever_by(Dopri5Options{.rtol = 0.5, .atol = 0.5, .first_step = step, .maximum_step = step});
    return final_error(simulation, 0, 1);
  };
  EXPECT_NEAR(std::log2(error(0.02) / error(0.01)), 5, 0.5);
}

// A continuous solution of order 4 errs by h^5 within a step, its derivative by h^4.
TEST(Dopri5, InterpolatesWithOrderFour) {
  const auto errors = [](double h) {
    Simulation simulation = lever_by(Dopri5Options{.rtol = 0.5, .atol = 0.5, .first_step = h, .maximum_step = h});
    const Trajectory path = simulation.run(0, h);
    const DensePolynomial& dense = *path.segments().front().dense;
    const double start = path.segments().front().begin.p[0];
    State state = path.final_state();
    std::pair<double, double> worst;
    for (int i = 1; i < 8; ++i) {
      dense.evaluate(h * i / 8, state);
      const auto [angle, rate] = pendulum_angle(h * i / 8);
      const double a = -test::CartesianPendulum::gravity * std::sin(angle);
      worst.first =
          std::max({worst.first, std::abs(state.p[0] - start - angle + std::acos(0.0)), std::abs(state.v[0] - rate)});
      worst.second = std::max(worst.second, std::abs(state.a[0] - a));
    }
    return worst;
  };
  const auto coarse = errors(0.1), fine = errors(0.05);
  EXPECT_NEAR(std::log2(coarse.first / fine.first), 5, 0.5);
  EXPECT_NEAR(std::log2(coarse.second / fine.second), 4, 0.5);
}

// Errors of at most a tolerance for each step add up, and grow tenfold along the pendulum's swing. Worst seen: 12 of
// dopri5, 8 of bulirsch-stoer, 60 and 110 of adams and bdf, whose steps are many.
TEST(LibraryMethods, ReachTheirTolerance) {
  for (const Method& method : methods())
    for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
      Simulation simulation = lever_by(method.at(tolerance));
      EXPECT_LT(final_error(simulation, 0, 2), 500 * tolerance) << method.name << ' ' << tolerance;
      EXPECT_EQ(simulation.trajectory().final_state().t, 2);
    }
}

// At the ends of steps the worst seen is 40 tolerances, of adams. Between them as the promise of Simulation has it: ten
// times that, plus ten tolerances; seen are the same errors as at the ends.
TEST(LibraryMethods, AreAsGoodBetweenStepsAndCarryTheStatesOfElements) {
  for (const Method& method : methods())
    for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
      Simulation simulation(std::make_unique<FilteredOscillator>(), {.integrator = method.at(tolerance)});
      const Trajectory path = simulation.run(0, 10);
      double at_ends = 0, between = 0;
      const auto error = [](const State& state) {
        return std::max({std::abs(state.p[0] - std::cos(state.t)), std::abs(state.v[0] + std::sin(state.t)),
                         std::abs(state.r[0] - FilteredOscillator::filtered(state.t))});
      };
      for (const TrajectorySegment& segment : path.segments()) {
        at_ends = std::max(at_ends, error(segment.end));
        State state = segment.end;
        for (int i = 0; i <= 8; ++i) {
          segment.dense->evaluate(segment.begin.t + (segment.end.t - segment.begin.t) * i / 8, state);
          between = std::max(between, error(state));
        }
      }
      EXPECT_LT(at_ends, 200 * tolerance) << method.name << ' ' << tolerance;
      EXPECT_LT(between, 10 * at_ends + 10 * tolerance) << method.name << ' ' << tolerance;
    }
}

// To rounding of the polynomials' coefficients.
TEST(LibraryMethods, InterpolateFromEndToEnd) {
  for (const Method& method : methods()) {
    Simulation simulation = lever_by(method.at(1e-7));
    const Trajectory path = simulation.run(0, 1);
    ASSERT_GT(path.segments().size(), 2u);
    for (const TrajectorySegment& segment : path.segments()) {
      State state = segment.end;
      for (const State* end : {&segment.begin, &segment.end}) {
        segment.dense->evaluate(end->t, state);
        EXPECT_NEAR(state.p[0], end->p[0], 1e-13) << method.name;
        EXPECT_NEAR(state.v[0], end->v[0], 1e-12) << method.name;
        EXPECT_NEAR(state.a[0], end->a[0], 1e-9 / (segment.end.t - segment.begin.t)) << method.name;
      }
    }
  }
}

TEST(LibraryMethods, KeepToTheSelectedComponents) {
  for (const Method& method : methods()) {
    FilteredOscillator oscillator;
    const auto solver = make_linear_solver("dense-lu", oscillator);
    ASSERT_TRUE(solver->analyze(oscillator));
    const auto start = [&](auto options) {
      options.dense.p = std::vector<int>{};
      return make_integrator(options);
    };
    const auto integrator = method.name == "dopri5"           ? start(Dopri5Options{})
                            : method.name == "bulirsch-stoer" ? start(BulirschStoerOptions{})
                            : method.name == "cvode-adams"    ? start(CvodeOptions{.method = CvodeMethod::adams})
                                                              : start(CvodeOptions{.method = CvodeMethod::bdf});
    ASSERT_TRUE(integrator->initialize(oscillator, *solver, oscillator.initial_state()));
    ASSERT_TRUE(integrator->step(1));
    EXPECT_EQ(integrator->dense(false).p.coefficients.rows(), 0) << method.name;
    EXPECT_EQ(integrator->dense(false).r.coefficients.rows(), 1) << method.name;
    EXPECT_EQ(integrator->dense(true).p.coefficients.rows(), 1) << method.name;
  }
}

// ------------------------------------------------------------------------------------------------ where they run

// Steps differ by rounding, 2e-12 s of time there, and with them errors as large as those against the exact solution:
// worst seen 20 tolerances, of cvode-bdf.
TEST(LibraryMethods, DoNotDependOnWhereTimeBegins) {
  for (const Method& method : methods()) {
    Simulation here = lever_by(method.at(1e-7)), there = lever_by(method.at(1e-7));
    here.run(0, 2);
    there.run(1e4, 1e4 + 2);
    EXPECT_EQ(there.trajectory().final_state().t, 1e4 + 2);
    EXPECT_NEAR(there.trajectory().final_state().p[0], here.trajectory().final_state().p[0], 1e-5) << method.name;
  }
}

// Powers of two leave every digit as it is: what differs was measured by an absolute length.
TEST(LibraryMethods, TakeTheSameStepsInAllUnits) {
  const auto steps = [](const Method& method, double unit) {
    SpatialModel model("bodies on springs");
    model.set_gravity({0, 0, -9.81 * unit});
    auto box = model.add_body("box", MassProperties::box(2, unit * Eigen::Vector3d(0.1, 0.2, 0.3)));
    box.place(unit * Eigen::Vector3d(0.3, 0.1, -1)).move(unit * Eigen::Vector3d(1, 0, 0), {1, 2, 0.5});
    model.add_force<SpringDamper>("spring", model.ground().origin(), box.at(unit * Eigen::Vector3d(0.05, 0.1, 0.15)),
                                  {.stiffness = 200, .damping = 1, .free_length = 0.7 * unit});
    Simulation simulation(model, {.integrator = method.options({.atol = 1e-6 * unit, .atol_angle = 1e-6})});
    simulation.run(0, 1);
    return std::pair(simulation.statistics().integrator.steps, simulation.statistics().integrator.rejected_steps);
  };
  for (const Method& method : methods())
    for (const double unit : {std::exp2(-20), std::exp2(-10), std::exp2(10), std::exp2(20)})
      EXPECT_EQ(steps(method, unit), steps(method, 1)) << method.name << ' ' << unit;
}

TEST(LibraryMethods, RunWhatHasNoFreedoms) {
  for (const Method& method : methods()) {
    PlanarModel model("post");
    auto post = model.add_body("post", MassProperties::planar(1, 1)).place({0, 1});
    model.add_joint<Fixed>("foot", model.ground().origin(), post.at({0, -1}));
    model.add_observable("height", "m",
                         [=](const Snapshot<Planar>& at) { return at.pose(post.origin()).position.y(); });
    Simulation simulation(model, {.formulation = Formulation::relative, .integrator = method.at(1e-6)});
    const Trajectory path = simulation.run(0, 1);
    EXPECT_EQ(path.final_state().t, 1) << method.name;
    EXPECT_EQ(path.values("height").values.back(), 1) << method.name;
  }
}

/// A box in free fall that tumbles about its middle axis.
SpatialModel tumbling_box() {
  SpatialModel model("tumbling box");
  model.set_gravity({0, 0, -9.81});
  auto box = model.add_body("box", MassProperties::box(1, {0.1, 0.2, 0.3})).move({1, 0, 0}, {0.01, 0.02, 10});
  model.add_observable("x axis", "", [=](const Snapshot<Spatial>& at) { return at.pose(box.origin()).rotation(2, 0); });
  return model;
}

// Worst seen 1.8e-8, of bdf.
TEST(LibraryMethods, TurnFreeBodiesInQuaternionsOfNormOne) {
  Simulation reference(tumbling_box(), {.integrator = ExtrapolationOptions{.rtol = 1e-12, .atol = 1e-12}});
  const double expected = reference.run(0, 2).values("x axis").values.back();
  for (const Method& method : methods()) {
    Simulation simulation(tumbling_box(), {.integrator = method.at(1e-8)});
    const Trajectory path = simulation.run(0, 2);
    EXPECT_NEAR(path.values("x axis").values.back(), expected, 2e-7) << method.name;
    EXPECT_LT(simulation.constraint_residual().normalisation, 1e-14) << method.name;
  }
}

TEST(LibraryMethods, KeepSolutionInvariantsToRounding) {
  for (const Method& method : methods()) {
    if (method.name == "cvode-adams") continue;
    SpatialModel model = tumbling_box();
    model.add_energy_invariant();
    model.add_momentum_invariant("momentum", {1, 0, 0});
    Simulation simulation(model, {.integrator = method.at(1e-5)});
    simulation.run(0, 1);
    ASSERT_EQ(simulation.invariants().size(), 2u);
    for (const InvariantReport& kept : simulation.invariants())
      EXPECT_LT(kept.max_drift, 1e-10 * std::max(1.0, std::abs(kept.level))) << method.name << ' ' << kept.name;
  }
}

// ------------------------------------------------------------------------------------------------ events

// A ball that falls from 1 m and keeps 0.8 of its speed. Parabolas are exact by dopri5 and bulirsch-stoer; worst seen
// 3e-8, of bdf, whose error is three tolerances.
TEST(LibraryMethods, FindEventsAndBeginAnewThere) {
  constexpr double g = 9.81, kept = 0.8;
  for (const Method& method : methods()) {
    PlanarModel court("court");
    court.set_gravity({0, -g});
    auto ball = court.add_body<PointMass>("ball", 0.05).place({0, 1});
    court.add_observable("height", "m",
                         [=](const Snapshot<Planar>& at) { return at.pose(ball.origin()).position.y(); });
    Simulation simulation(court, {.integrator = method.at(1e-8)});
    simulation.add_event({.observable = "height",
                          .direction = Event::Direction::falling,
                          .action = Event::Action::change,
                          .effect = [](State& state, EquationsOfMotion&) { state.v[1] *= -kept; }});
    const Trajectory path = simulation.run(0, 2);
    const double fall = std::sqrt(2 / g);
    double expected = fall, flight = 2 * fall;
    ASSERT_GE(path.events().size(), 3u) << method.name;
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(path.events()[i].t, expected, 3e-7) << method.name;
      flight *= kept;
      expected += flight;
    }
  }
}

// ------------------------------------------------------------------------------------------------ stiff forces

/// x'' = -rate (x' + sin t) - cos t: x = cos t, and what is off that dies out with the rate.
class Follower final : public EquationsOfMotion {
 public:
  static constexpr double rate = 1e4;
  Follower() : EquationsOfMotion({.p = 1, .v = 1}) { M_.add_block(0, 0, 1, 1); }
  State initial_state() const override {
    State s = EquationsOfMotion::initial_state();
    s.p << 1;
    return s;
  }

 private:
  void do_M(BlockMatrix& M) override { M.data()[0] = 1; }
  void do_G(BlockMatrix&, Eigen::VectorXd&) override {}
  void do_g(Eigen::VectorXd&) override {}
  void do_f(Eigen::VectorXd& f) override { f[0] = -rate * (velocity()[0] + std::sin(time())) - std::cos(time()); }
  void do_gamma(Eigen::VectorXd&) override {}
};

TEST(LibraryMethods, TakeStiffForcesByCvodeBdf) {
  if (!has_cvode()) GTEST_SKIP() << "SUNDIALS is not there";
  Simulation simulation(std::make_unique<Follower>(), {.integrator = bdf.at(1e-6)});
  Simulation own(std::make_unique<Follower>(), {.integrator = BdfOptions{.rtol = 1e-6, .atol = 1e-6}});
  const double found = simulation.run(0, 10).final_state().p[0], by_own = own.run(0, 10).final_state().p[0];
  EXPECT_NEAR(found, std::cos(10.0), 1e-4);  // seen are 6e-6 and, by bdf, 9e-6
  EXPECT_NEAR(found, by_own, 1e-4);
  const IntegratorStatistics& counts = simulation.statistics().integrator;
  EXPECT_LT(counts.steps, 2 * own.statistics().integrator.steps);
  EXPECT_GT(counts.jacobian_evaluations, 0);
  EXPECT_GT(counts.factorizations, 0);
  EXPECT_NEAR(static_cast<double>(counts.function_calls),
              static_cast<double>(simulation.statistics().evaluations.force),
              3);  // without those of the start
}

TEST(LibraryMethods, SayWhereStabilityHoldsTheSteps) {
  for (const Method& method : {dopri5, bulirsch_stoer}) {
    Simulation simulation(std::make_unique<Follower>(), {.integrator = method.at(1e-4)});
    simulation.run(0, 0.5);
    EXPECT_TRUE(contains(simulation.summary(), "the model is stiff for " + method.name + "; integrator radau or bdf"))
        << simulation.summary();
    Simulation smooth = lever_by(method.at(1e-6));
    smooth.run(0, 2);
    EXPECT_EQ(smooth.statistics().integrator.stability_limited_steps, 0) << method.name;
  }
}

// ------------------------------------------------------------------------------------------------ failures, refusals

TEST(LibraryMethods, RepeatStepsShorterWhereElementsFail) {
  for (const Method& method : methods()) {
    int calls = 0;
    const auto force = [&calls](double, double x) {
      if (++calls == 60) throw RecoverableFailure("not this time");
      return -x;
    };
    Simulation simulation(std::make_unique<Mass>(force), {.integrator = method.at(1e-7)});
    EXPECT_NEAR(simulation.run(0, 6).final_state().p[0], std::cos(6.0), 1e-4) << method.name;
    EXPECT_GE(simulation.statistics().integrator.convergence_failures, 1) << method.name;
  }
}

TEST(LibraryMethods, SayWhyTheyEnd) {
  for (const Method& method : methods()) {
    const auto ends = [](double, double x) {
      if (x < 0.5) throw RecoverableFailure("the law ends at 0.5");
      return -x;
    };
    Simulation failing(std::make_unique<Mass>(ends), {.integrator = method.at(1e-6)});
    const std::string failure = error_of([&] { failing.run(0, 6); });
    EXPECT_TRUE(contains(failure, "the step size became too small")) << method.name << ": " << failure;
    EXPECT_TRUE(contains(failure, "the law ends at 0.5.")) << method.name << ": " << failure;

    Simulation few = lever_by(method.options({.maximum_steps = 3}));
    const std::string limited = error_of([&] { few.run(0, 2); });
    EXPECT_TRUE(contains(limited, "the limit of 3 steps is reached")) << method.name << ": " << limited;
    EXPECT_TRUE(contains(limited, " s for the error of ")) << method.name << ": " << limited;
  }
}

TEST(LibraryMethods, HandOnWhatUsersThrow) {
  for (const Method& method : methods()) {
    int calls = 0;
    const auto force = [&calls](double, double x) {
      if (++calls == 60) throw std::out_of_range("a table was left");
      return -x;
    };
    Simulation simulation(std::make_unique<Mass>(force), {.integrator = method.at(1e-7)});
    EXPECT_TRUE(contains(error_of([&] { simulation.run(0, 6); }), "a table was left")) << method.name;
  }
}

TEST(LibraryMethods, RefuseConstraintRowsByName) {
  for (const Method& method : methods()) {
    Simulation simulation(std::make_unique<test::CartesianPendulum>(), {.integrator = method.at(1e-6)});
    const std::string refusal = error_of([&] { simulation.run(0, 1); });
    EXPECT_TRUE(contains(refusal, method.name +
                                      ": model 'equations' has 1 constraint row in given coordinates, and this method "
                                      "takes none; use extrapolation, bdf or radau, or for a tree of joints relative "
                                      "coordinates."))
        << refusal;
    Simulation lever_in_space(lever(), {.formulation = Formulation::absolute, .integrator = method.at(1e-6)});
    EXPECT_TRUE(contains(error_of([&] { lever_in_space.run(0, 1); }),
                         method.name + ": model 'lever' has 2 constraint rows in absolute coordinates"));
  }
}

TEST(LibraryMethods, RefuseOptionsThatMakeNoSense) {
  EXPECT_EQ(error_of([] { (void)make_integrator(Dopri5Options{.first_step = -1}); }),
            "Dopri5Options: first_step is -1 s; expected > 0, or 0 for a choice by the rates at the start.");
  EXPECT_EQ(error_of([] { (void)make_integrator(BulirschStoerOptions{.maximum_step = -1}); }),
            "BulirschStoerOptions: maximum_step is -1 s; expected > 0, or 0 for no limit.");
  EXPECT_EQ(CvodeOptions{.maximum_order = 6}.why_invalid(),
            "maximum_order is 6; expected 1 to 5 for cvode-bdf, or 0 for the greatest.");
  EXPECT_EQ((CvodeOptions{.method = CvodeMethod::adams, .maximum_order = 13}.why_invalid()),
            "maximum_order is 13; expected 1 to 12 for cvode-adams, or 0 for the greatest.");
  if (!has_cvode()) return;
  EXPECT_TRUE(contains(error_of([] { (void)make_integrator(CvodeOptions{.maximum_order = 6}); }),
                       "CvodeOptions: maximum_order is 6"));
}

TEST(LibraryMethods, RefuseInvariantsThatAdamsCanNotKeep) {
  if (!has_cvode()) GTEST_SKIP() << "SUNDIALS is not there";
  SpatialModel model = tumbling_box();
  model.add_energy_invariant();
  Simulation keeping(model, {.integrator = adams.at(1e-6)});
  EXPECT_TRUE(contains(error_of([&] { keeping.run(0, 1); }),
                       "cvode-adams: model 'tumbling box' has solution invariants, which this method can't keep; turn "
                       "keep_invariants off (--no-invariants), or take cvode-bdf, dopri5 or extrapolation."));
  Simulation leaving(model, {.integrator = CvodeOptions{.method = CvodeMethod::adams, .keep_invariants = false}});
  EXPECT_EQ(leaving.run(0, 1).final_state().t, 1);
}

// ------------------------------------------------------------------------------------------------ hot path

TEST(FirstOrderSystem, AllocatesNothingAfterItsFirstUse) {
  if (!test::allocations_are_counted) GTEST_SKIP() << "the sanitizer has an allocator of its own";
  SpatialModel model("chain");
  model.set_gravity({0, 0, -9.81});
  Frame<Spatial> last = model.ground().origin();
  for (int i = 0; i < 12; ++i) {
    auto box = model.add_body("box " + std::to_string(i), MassProperties::box(1, {0.5, 0.1, 0.1}));
    box.place({0.5 * i + 0.25, 0, 0});
    model.add_joint<Spherical>("joint " + std::to_string(i), last, box.at({-0.25, 0, 0}));
    last = box.at({0.25, 0, 0});
  }
  for (const char* name : {"dense-lu", "recursive"}) {
    const auto equations = make_equations(model, {.formulation = Formulation::relative});
    const auto solver = make_linear_solver(name, *equations);
    ASSERT_TRUE(solver->analyze(*equations));
    FirstOrderSystem system(*equations, *solver);
    Eigen::VectorXd y(system.size()), rate(system.size());
    system.copy_from_state(equations->initial_state(), y);
    system.rates(0, y, rate);
    const long before = test::allocations;
    for (int i = 1; i < 4; ++i) system.rates(0.1 * i, y, rate);
    EXPECT_EQ(test::allocations, before) << name;
  }
}

}  // namespace library_methods_test
}  // namespace linkwork
