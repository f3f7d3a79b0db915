// Runs by every reduction with every integrator.

#include "reduced_runs.hpp"

#include "../messages.hpp"

#include <linkwork/joints/driven_revolute.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace linkwork::apps {
namespace runs_test {

using test::contains;
using test::error_of;
using namespace reduced_runs;

// A point mass off its rod by 1e-3 m and at rest, without gravity.
TEST(Reductions, BaumgarteDampsViolationsCritically) {
  PlanarModel model("point on a rod");
  auto bob = model.add_body<PointMass>("bob", 2.0).place({1.001, 0});
  model.add_constraint<Rod>("rod", model.ground().origin(), bob.origin(), 1.0);
  for (const double alpha : {1.0, 5.0, 20.0})
    for (const Named& integrator : integrators(1e-9)) {
      SCOPED_TRACE(concat(integrator.name, ", alpha ", alpha));
      Simulation simulation(model,
                            {.integrator = integrator.options,
                             .reduction = {.method = Reduction::baumgarte, .alpha = alpha, .project_start = false}});
      double first = 0, worst = 0;
      simulation.observe([&](const State& state, EquationsOfMotion& equations) {
        equations.set(state);
        if (first == 0) first = equations.g()[0];
        const double expected = (1 + alpha * state.t) * std::exp(-alpha * state.t) * first;
        worst = std::max(worst, std::abs(equations.g()[0] - expected));
        return true;
      });
      simulation.run(0, 1);
      EXPECT_NEAR(first, 1e-3, 1e-6);
      EXPECT_LT(worst, 1e-4 * first);
    }
}

// In the pendulum's own coordinates the dependent ones are found in each evaluation, or corrected at ends of steps.
TEST(Reductions, HybridCorrectsRarely) {
  const ExtrapolationOptions extrapolation{.rtol = 1e-8, .atol = 1e-8};
  for (const char* name : {"double_rod_pendulum", "spatial_slider_crank"}) {
    const auto hybrid = run(name, extrapolation, {.method = Reduction::hybrid}, 2).statistics.integrator;
    const auto partitioning = run(name, extrapolation, {.method = Reduction::partitioning}, 2).statistics.integrator;
    EXPECT_GT(hybrid.constraint_corrections, 0);
    EXPECT_LT(hybrid.constraint_corrections, 0.05 * static_cast<double>(partitioning.constraint_closures)) << name;
  }
}

/// A crank, a rod and a slider, lengths in `unit` times metres.
struct CountsInUnit {
  std::int64_t steps, choices, corrections, closures, forces;
};
CountsInUnit counts_in_unit(double unit, Reduction method) {
  const auto along = [](double angle) { return Eigen::Vector2d(std::cos(angle), std::sin(angle)); };
  const double lean = -std::asin(0.3 * std::sin(0.7) / 0.5);
  PlanarModel model("crank and slider");
  model.set_gravity({0, -9.81 * unit});
  auto crank = model.add_body("crank", MassProperties::rod(1, 0.3 * unit)).place(0.15 * unit * along(0.7), 0.7);
  auto rod = model.add_body("rod", MassProperties::rod(1, 0.5 * unit))
                 .place((0.3 * along(0.7) + 0.25 * along(lean)) * unit, lean);
  auto slider = model.add_body("slider", MassProperties::planar(1, 1e-3 * unit * unit))
                    .place({(0.3 * std::cos(0.7) + 0.5 * std::cos(lean)) * unit, 0});
  model.add_joint<Revolute>("bearing", model.ground().origin(), crank.at({-0.15 * unit, 0}));
  model.add_joint<Revolute>("big end", crank.at({0.15 * unit, 0}), rod.at({-0.25 * unit, 0}));
  model.add_joint<Revolute>("small end", rod.at({0.25 * unit, 0}), slider.origin());
  model.add_joint<Prismatic>("guide", model.ground().origin(), slider.origin(), Axis::x());
  constexpr double tolerance = 1e-7;
  Simulation simulation(
      model, {.integrator = ExtrapolationOptions{.rtol = tolerance, .atol = tolerance * unit, .atol_angle = tolerance},
              .reduction = {.method = method}});
  simulation.run(0, 2);
  const SimulationStatistics& all = simulation.statistics();
  return {all.integrator.steps, all.integrator.coordinate_choices, all.integrator.constraint_corrections,
          all.integrator.constraint_closures, all.evaluations.force};
}

// Metres, millimetres, and a unit that is a power of two of the metre.
TEST(Reductions, CountTheSameInMetresAndMillimetres) {
  for (const Reduction method : reductions)
    for (const double unit : {1000.0, 1024.0}) {
      SCOPED_TRACE(concat(name_of(method), ", ", unit));
      const CountsInUnit metres = counts_in_unit(1, method), small = counts_in_unit(unit, method);
      EXPECT_GT(metres.steps, 10);
      EXPECT_EQ(metres.steps, small.steps);
      EXPECT_EQ(metres.choices, small.choices);
      EXPECT_EQ(metres.corrections, small.corrections);
      EXPECT_EQ(metres.forces, small.forces);
      // The last iterations that close a position are about rounding, which scaling by lengths makes another.
      EXPECT_NEAR(static_cast<double>(metres.closures), static_cast<double>(small.closures),
                  0.02 * static_cast<double>(small.closures));
    }
}

// The run ends at its limit of steps, and says what keeps them short.
TEST(Reductions, NameTheDampingThatMakesStepsCollapse) {
  const auto message = [](double alpha, std::int64_t steps) {
    return error_of([&] {
      const ExtrapolationOptions few{.rtol = 1e-6, .atol = 1e-6, .maximum_steps = steps};
      run("double_rod_pendulum", few, {.method = Reduction::baumgarte, .alpha = alpha}, 1);
    });
  };
  EXPECT_TRUE(contains(message(1e6, 200), "Violations are damped with alpha = 1000000 1/s")) << message(1e6, 200);
  EXPECT_TRUE(contains(message(1e6, 200), "choose a smaller alpha, or none."));
  EXPECT_FALSE(contains(message(1, 3), "alpha")) << message(1, 3);
  EXPECT_FALSE(contains(message(50, 5), "alpha")) << "steps that still grow: " << message(50, 5);
  const std::string implicit = error_of([] {
    const RadauOptions few{.rtol = 1e-6, .atol = 1e-6, .maximum_steps = 25};
    run("double_rod_pendulum", few, {.method = Reduction::baumgarte, .alpha = 1e3}, 1);
  });
  EXPECT_FALSE(contains(implicit, "alpha")) << implicit;
}

// Half a turn takes all components of a quaternion that moved away from the motion: others have to be chosen before.
TEST(Reductions, SpinningBodiesTurnAsOftenAsTheyLike) {
  const double two_turns = 4 * 3.14159265358979 / 150;
  const Eigen::VectorXd exact =
      run("heavy_top", ExtrapolationOptions{.rtol = 1e-11, .atol = 1e-11}, {}, two_turns).observables;
  for (const Formulation formulation : {Formulation::absolute, Formulation::mixed})
    for (const Named& integrator : integrators(1e-6))
      for (const Reduction method : reductions) {
        SCOPED_TRACE(concat(name_of(formulation), ", ", integrator.name, ", ", name_of(method)));
        const Result result = run("heavy_top", integrator.options, {.method = method}, two_turns, formulation);
        // Some tolerances for the error of some ten steps, in forces of 1e3 N and velocities of 1e2 rad/s.
        EXPECT_LT(((result.observables - exact).array() / exact.array().abs().max(1.0)).abs().maxCoeff(), 1e-3);
      }
}

TEST(Reductions, RedundantConstraintsAreSolvedAndNamed) {
  for (const char* name : {"bricard", "four_bar"})
    for (const Reduction method : reductions) {
      SCOPED_TRACE(concat(name, ", ", name_of(method)));
      const ZooModel& model = find_model(name);
      Simulation simulation = make_simulation(
          model, model.parameters_with({}),
          {.integrator = ExtrapolationOptions{.rtol = 1e-8, .atol = 1e-8}, .reduction = {.method = method}});
      simulation.run(0, 1);
      EXPECT_TRUE(contains(simulation.summary(), "redundant"));
    }
}

// z0: the crank turns as it is driven, and independent coordinates drift with it.
TEST(Reductions, DrivenMechanismsMoveAsDirectMethodsMoveThem) {
  PlanarModel model("driven crank with a pendulum");
  model.set_gravity({0, -9.81});
  auto crank = model.add_body("crank", MassProperties::rod(1, 0.3)).place({0.15, 0});
  auto rod = model.add_body("rod", MassProperties::rod(1, 0.5)).place({0.3, -0.25}, -1.5707963267948966);
  const Input turning([](double t) { return InputValue{std::sin(3 * t), 3 * std::cos(3 * t), -9 * std::sin(3 * t)}; });
  model.add_joint<DrivenRevolute>("motor", model.ground().origin(), crank.at({-0.15, 0}), turning);
  model.add_joint<Revolute>("pin", crank.at({0.15, 0}), rod.at({-0.25, 0}));
  const auto run_with = [&](const IntegratorOptions& integrator, Reduction method, double t) {
    Simulation simulation(model, {.integrator = integrator, .reduction = {.method = method}});
    simulation.set_initial_conditions({});
    simulation.run(0, 2);
    return Eigen::VectorXd(simulation.trajectory().at(t).p);
  };
  const ExtrapolationOptions tight{.rtol = 1e-12, .atol = 1e-12};
  for (const double t : {1.2345, 2.0}) {
    const Eigen::VectorXd exact = run_with(tight, Reduction::none, t);
    for (const Named& integrator : integrators(1e-8))
      for (const Reduction method : reductions) {
        SCOPED_TRACE(concat(integrator.name, ", ", name_of(method), " at ", t));
        // bdf's errors add up over some hundred steps.
        EXPECT_LT((run_with(integrator.options, method, t) - exact).lpNorm<Eigen::Infinity>(), 5e-6);
      }
  }
}

// Curves between steps, and zeros of observables: with default options as exact as ends of steps.
TEST(Reductions, CurvesAndEventsAreAsExactAsEndsOfSteps) {
  const ZooModel& model = find_model("double_rod_pendulum");
  const auto simulation_with = [&](double tolerance, Reduction method) {
    return make_simulation(
        model, model.parameters_with({}),
        {.integrator = ExtrapolationOptions{.rtol = tolerance, .atol = tolerance}, .reduction = {.method = method}});
  };
  Simulation exact = simulation_with(1e-12, Reduction::none);
  exact.add_event({.name = "passage", .observable = exact.equations().observable_names()[0]});
  const Trajectory path = exact.run(0, 2);
  ASSERT_FALSE(path.events().empty());
  for (const Reduction method : reductions) {
    SCOPED_TRACE(name_of(method));
    Simulation simulation = simulation_with(1e-8, method);
    simulation.add_event({.name = "passage", .observable = simulation.equations().observable_names()[0]});
    const Trajectory other = simulation.run(0, 2);
    ASSERT_EQ(other.events().size(), path.events().size());
    for (std::size_t i = 0; i < path.events().size(); ++i) EXPECT_NEAR(other.events()[i].t, path.events()[i].t, 1e-6);
    double worst = 0;
    for (int i = 0; i <= 1000; ++i) {
      const double t = 2e-3 * i;
      worst = std::max(worst, (other.at(t).p - path.at(t).p).lpNorm<Eigen::Infinity>());
      worst = std::max(worst, 0.1 * (other.at(t).v - path.at(t).v).lpNorm<Eigen::Infinity>());
    }
    EXPECT_LT(worst, 2e-6);
  }
}

TEST(Reductions, TreesInJointCoordinatesAreWhatTheIntegratorSees) {
  const auto end = [](Reduction method) {
    return run("double_rod_pendulum", ExtrapolationOptions{.rtol = 1e-8, .atol = 1e-8}, {.method = method}, 2,
               Formulation::relative)
        .observables;
  };
  for (const Reduction method : reductions) EXPECT_EQ(end(method), end(Reduction::none)) << name_of(method);
}

TEST(Reductions, OptionsWithoutSenseAreRefused) {
  const auto refusal = [](const ReductionOptions& options) {
    return error_of([&] { run("double_pendulum", ExtrapolationOptions{}, options, 0.1); });
  };
  const Reduction method = Reduction::baumgarte;
  EXPECT_TRUE(contains(refusal({.method = method, .alpha = -1}),
                       "ReductionOptions: alpha is -1; expected > 0 [1/s], or 0 for a choice by the step."));
  EXPECT_TRUE(contains(refusal({.method = method, .beta = 3}), "beta is 3 and alpha is not given; give both"));
  EXPECT_TRUE(contains(refusal({.method = method, .alpha = 1, .beta = -3}), "beta is -3; expected > 0 [1/s]"));
  EXPECT_TRUE(contains(refusal({.method = Reduction::hybrid, .correction_share = 0}),
                       "correction_share is 0; expected a number above 0 and at most 1"));
  EXPECT_TRUE(contains(refusal({.method = Reduction::null_space, .basis = NullSpaceBasis::given}),
                       "given_basis is empty; give a matrix with a row for each independent velocity"));
  EXPECT_TRUE(contains(error_of([] { reduction_named("lu"); }),
                       "unknown reduction 'lu'; there are: none, partitioning, baumgarte, hybrid, svd, null-space."));
}

// Nothing is independent: everything is held, and nothing moves.
TEST(Reductions, MechanismsWithoutFreedomsRest) {
  PlanarModel model("welded");
  auto block = model.add_body("block", MassProperties::planar(1, 1)).place({1, 2});
  model.add_joint<Fixed>("weld", model.ground().at({1, 2}), block.origin());
  model.set_gravity({0, -9.81});
  for (const Named& integrator : integrators(1e-6))
    for (const Reduction method : reductions) {
      SCOPED_TRACE(concat(integrator.name, ", ", name_of(method)));
      Simulation simulation(model, {.integrator = integrator.options, .reduction = {.method = method}});
      const State end = simulation.run(0, 1).final_state();
      EXPECT_NEAR((Eigen::Vector3d(0, 1, 2) - end.p).norm(), 0, 1e-12);
      EXPECT_NEAR(end.lambda.norm(), 9.81, 1e-9);
    }
}

}  // namespace runs_test
}  // namespace linkwork::apps
