// Runs by every reduction with every integrator, beside the integrators themselves and references.

#include "zoo_simulation.hpp"

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

constexpr Reduction reductions[] = {Reduction::partitioning, Reduction::baumgarte, Reduction::hybrid, Reduction::svd,
                                    Reduction::null_space};

struct Named {
  std::string name;
  IntegratorOptions options;
};
std::vector<Named> integrators(double tolerance) {
  return {{"extrapolation", ExtrapolationOptions{.rtol = tolerance, .atol = tolerance}},
          {"bdf", BdfOptions{.rtol = tolerance, .atol = tolerance}},
          {"radau", RadauOptions{.rtol = tolerance, .atol = tolerance}}};
}

struct Result {
  Eigen::VectorXd observables;
  double reference_error = 0, drift = 0;
  ConstraintResidual residual;
  SimulationStatistics statistics;
};
Result run(const std::string& name, const IntegratorOptions& integrator, const ReductionOptions& reduction, double t,
           Formulation formulation = Formulation::absolute, const Parameters& parameters = {}) {
  const ZooModel& model = find_model(name);
  SimulationOptions options{.formulation = formulation, .integrator = integrator, .reduction = reduction};
  options.keep_dense_output = options.keep_steps = false;
  const Parameters values = model.parameters_with(parameters);
  Simulation simulation = make_simulation(model, values, options);
  simulation.run(0, t);
  return {final_observables(simulation), final_reference_error(simulation, model, values),
          simulation.energy().max_drift, simulation.constraint_residual(), simulation.statistics()};
}

double largest_position(const Result& result) {
  return std::max(result.residual.position_m, result.residual.position_rad);
}
double largest_velocity(const Result& result) {
  return std::max(result.residual.velocity_m_per_s, result.residual.velocity_rad_per_s);
}

// The figures asked for: 2e-7 and 1e-8 of angles that are chaotic.
TEST(Reductions, DoublePendulumIsThatOfTheReference) {
  const ReductionOptions direct;
  for (const Reduction method : reductions) {
    if (method == Reduction::baumgarte) continue;
    SCOPED_TRACE(name_of(method));
    const ReductionOptions options{.method = method};
    EXPECT_LT(run("double_pendulum", ExtrapolationOptions{.rtol = 1e-11, .atol = 1e-11}, options, 10).reference_error,
              2e-7);
    EXPECT_LT(run("double_pendulum", RadauOptions{.rtol = 1e-11, .atol = 1e-11}, options, 10).reference_error, 1e-8);
  }
}

// Over 100 s at 1e-8; residuals prove nothing, so that the energy is looked at too.
TEST(Reductions, KeepConstraintsAndEnergyForLong) {
  const ExtrapolationOptions extrapolation{.rtol = 1e-8, .atol = 1e-8};
  for (const Reduction method : {Reduction::partitioning, Reduction::svd, Reduction::hybrid}) {
    SCOPED_TRACE(name_of(method));
    const Result result = run("double_rod_pendulum", extrapolation, {.method = method}, 100);
    EXPECT_LT(largest_position(result), 1e-9);
    EXPECT_LT(largest_velocity(result), 1e-9);
    EXPECT_LT(result.drift, 1e-3);
  }
  for (const bool corrects : {false, true}) {
    const Result result = run("double_rod_pendulum", extrapolation,
                              {.method = Reduction::null_space, .corrects_positions = corrects}, 100);
    EXPECT_LT(largest_velocity(result), 1e-10);
    if (corrects) {
      EXPECT_LT(largest_position(result), 1e-9);
    }
    EXPECT_LT(result.drift, 1e-3);
  }
}

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

TEST(Reductions, AndrewsIsThatOfTheReference) {
  for (const Reduction method : reductions) {
    if (method == Reduction::baumgarte) continue;
    SCOPED_TRACE(name_of(method));
    const ReductionOptions options{.method = method};
    EXPECT_LT(run("andrews", ExtrapolationOptions{.rtol = 1e-9, .atol = 1e-9}, options, 0.03).reference_error, 1e-6);
    EXPECT_LT(run("andrews", RadauOptions{.rtol = 1e-9, .atol = 1e-9}, options, 0.03).reference_error, 1e-6);
  }
}

// At most five times the error of the same integrator without a reduction, and 100 tolerances.
TEST(Reductions, ErrAsTheIntegratorItself) {
  constexpr double tolerance = 1e-8;
  struct Case {
    const char* name;
    double t;
  };
  for (const Case& each : {Case{"andrews", 0.03}, Case{"bricard", 2}, Case{"spatial_slider_crank", 1}}) {
    const Eigen::VectorXd exact =
        run(each.name, ExtrapolationOptions{.rtol = 1e-12, .atol = 1e-12}, {}, each.t, Formulation::relative)
            .observables;
    const auto error = [&](const Result& result) {
      return ((result.observables - exact).array().abs() / exact.array().abs().max(1.0)).maxCoeff();
    };
    for (const Formulation formulation : {Formulation::absolute, Formulation::relative})
      for (const Named& integrator : integrators(tolerance)) {
        const double direct = error(run(each.name, integrator.options, {}, each.t, formulation));
        for (const Reduction method : reductions) {
          SCOPED_TRACE(concat(each.name, ", ", name_of(formulation), ", ", integrator.name, ", ", name_of(method)));
          EXPECT_LT(error(run(each.name, integrator.options, {.method = method}, each.t, formulation)),
                    5 * direct + 100 * tolerance);
        }
      }
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

// The bars pass a position in one line, where constraints lose rank: through within 1e-3 m and 1e-4 J, or a stop by
// name.
TEST(Reductions, NFourBarPassesItsSingularPositionOrStopsByName) {
  const double t = 0.72;
  const Eigen::VectorXd exact =
      run("n_four_bar", ExtrapolationOptions{.rtol = 1e-10, .atol = 1e-10}, {}, t, Formulation::absolute).observables;
  for (const Reduction method : reductions) {
    SCOPED_TRACE(name_of(method));
    try {
      const Result result = run("n_four_bar", ExtrapolationOptions{.rtol = 1e-8, .atol = 1e-8}, {.method = method}, t);
      EXPECT_LT(std::abs(result.observables[0] - exact[0]), 1e-3);
      EXPECT_LT(result.drift, 1e-4);
    } catch (const RunError& error) {
      EXPECT_TRUE(contains(error.what(), "n_four_bar"));
      EXPECT_TRUE(contains(error.what(), "singular") || contains(error.what(), "reduction") ||
                  contains(error.what(), "redundant"))
          << error.what();
    }
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
