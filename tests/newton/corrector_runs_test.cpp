// Whole runs of the zoo by every corrector, beside those of simplified Newton.

#include "../apps/command.hpp"
#include "../messages.hpp"

#include "corrector_analysis.hpp"
#include "corrector_schedule_file.hpp"
#include "zoo_simulation.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/solvers/newton/iteration_estimates.hpp>
#include <linkwork/solvers/newton/position_elimination.hpp>
#include <linkwork/solvers/newton/simplified_newton.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

namespace linkwork::apps {
namespace corrector_runs_test {

using test::contains;

struct Result {
  State end;
  IntegratorStatistics counts;
};

/// In joint coordinates.
template <class Options>
Result run(const std::string& name, const Options& integrator, double t) {
  const ZooModel& model = find_model(name);
  SimulationOptions options{.formulation = Formulation::relative, .integrator = integrator};
  options.keep_dense_output = options.keep_steps = false;
  Simulation simulation = make_simulation(model, model.parameters_with({}), options);
  const State end = simulation.run(0, t).final_state();
  return {end, simulation.statistics().integrator};
}

BdfOptions bdf(const CorrectorOptions& newton, double tolerance = 1e-5) {
  return {.rtol = tolerance, .atol = tolerance, .matrix = IterationSolver::klu, .newton = newton};
}
RadauOptions radau(const CorrectorOptions& newton, double tolerance = 1e-5) {
  return {.rtol = tolerance, .atol = tolerance, .solver = StageSolver::sparse, .newton = newton};
}

void expect_same_bits(const Result& a, const Result& b) {
  EXPECT_EQ(a.end.p, b.end.p);
  EXPECT_EQ(a.end.v, b.end.v);
  EXPECT_EQ(a.counts.steps, b.counts.steps);
  EXPECT_EQ(a.counts.function_calls, b.counts.function_calls);
  EXPECT_EQ(a.counts.factorizations, b.counts.factorizations);
  EXPECT_EQ(a.counts.newton_iterations, b.counts.newton_iterations);
  EXPECT_EQ(a.counts.corrector.krylov_steps, b.counts.corrector.krylov_steps);
}

/// Largest difference of positions and velocities, in units of 1 and of their size.
double difference(const State& a, const State& b) {
  const auto of = [](const Eigen::VectorXd& x, const Eigen::VectorXd& exact) {
    return ((x - exact).array().abs() / exact.array().abs().max(1.0)).maxCoeff();
  };
  return std::max(of(a.p, b.p), of(a.v, b.v));
}

struct Named {
  const char* name;
  CorrectorOptions options;
};

std::vector<Named> correctors() {
  using Method = CorrectorMethod;
  return {
      {"newton", {.method = Method::newton}},
      {"dropped-lu", {.method = Method::dropped_lu}},
      {"krylov", {.method = Method::krylov, .krylov_steps = 2}},
      {"krylov by Jacobians", {.method = Method::krylov, .krylov_products = KrylovProducts::jacobian}},
      {"broyden", {.method = Method::broyden}},
      {"broyden at the end", {.method = Method::broyden, .broyden_updates = BroydenUpdates::at_last_iteration}},
      {"broyden by singular values", {.method = Method::broyden, .broyden_updates = BroydenUpdates::singular_values}},
      {"cycle", {.method = Method::cycle}},
      {"cycle as it is given", {.method = Method::cycle, .adapts = false}},
      {"second thread", {.factor_delay = 2}},
      {"cycle with a second thread", {.method = Method::cycle, .factor_delay = 2}}};
}

std::vector<Named> correctors_of_radau() {
  using Method = CorrectorMethod;
  return {{"dropped-lu", {.method = Method::dropped_lu}},
          {"krylov", {.method = Method::krylov, .krylov_steps = 2}},
          {"cycle", {.method = Method::cycle}}};
}

// ---------------------------------------------------------------------------------------------- switched off

TEST(CorrectorRuns, SwitchedOffAreTheShorterOnesToTheLastBit) {
  using Method = CorrectorMethod;
  struct Pair {
    const char* name;
    CorrectorOptions longer, shorter;
  };
  const Pair pairs[] = {
      {"dropped-lu 0", {.method = Method::dropped_lu, .drop_tolerance = 0}, {}},
      {"cycle of simplified", {.method = Method::cycle, .phases = {false, true, false}}, {}},
      {"cycle of simplified, adaptive or not",
       {.method = Method::cycle, .phases = {false, true, false}, .adapts = false},
       {}},
      {"cycle of dropped-lu",
       {.method = Method::cycle, .drop_tolerance = 1e-2, .phases = {true, false, false}, .adapts = false},
       {.method = Method::dropped_lu, .drop_tolerance = 1e-2}},
      {"cycle of krylov",
       {.method = Method::cycle, .krylov_steps = 2, .phases = {false, false, true}, .adapts = false},
       {.method = Method::krylov, .krylov_steps = 2}}};
  for (const char* model : {"andrews", "truck"})
    for (const Pair& pair : pairs) {
      SCOPED_TRACE(concat(model, ", ", pair.name));
      const double t = std::string(model) == "andrews" ? 0.01 : 0.2;
      expect_same_bits(run(model, bdf(pair.longer), t), run(model, bdf(pair.shorter), t));
      if (pair.longer.method == Method::cycle && pair.longer.adapts) continue;
      expect_same_bits(run(model, radau(pair.longer), t), run(model, radau(pair.shorter), t));
    }
}

TEST(CorrectorRuns, RepeatToTheLastBit) {
  for (const Named& each : correctors()) {
    SCOPED_TRACE(each.name);
    expect_same_bits(run("andrews", bdf(each.options), 0.01), run("andrews", bdf(each.options), 0.01));
  }
  for (const Named& each : correctors_of_radau()) {
    SCOPED_TRACE(each.name);
    expect_same_bits(run("andrews", radau(each.options), 0.01), run("andrews", radau(each.options), 0.01));
  }
}

// ---------------------------------------------------------------------------------------------- the same solution

struct Whole {
  const char* model;
  double t, tolerance;
};

void expect_errors_like_simplified(const Whole& whole) {
  const State exact = run(whole.model, radau({}, 1e-3 * whole.tolerance), whole.t).end;
  const double of_bdf = difference(run(whole.model, bdf({}, whole.tolerance), whole.t).end, exact);
  for (const Named& each : correctors()) {
    const Result result = run(whole.model, bdf(each.options, whole.tolerance), whole.t);
    EXPECT_LT(difference(result.end, exact), 2 * of_bdf) << whole.model << ", " << each.name;
  }
  const double of_radau = difference(run(whole.model, radau({}, whole.tolerance), whole.t).end, exact);
  for (const Named& each : correctors_of_radau()) {
    const Result result = run(whole.model, radau(each.options, whole.tolerance), whole.t);
    // radau's errors lie far below its tolerance, where a step more or less decides: half a tolerance is added.
    EXPECT_LT(difference(result.end, exact), 2 * of_radau + 0.5 * whole.tolerance) << whole.model << ", " << each.name;
  }
}

TEST(CorrectorRuns, AndrewsIsThatOfSimplified) { expect_errors_like_simplified({"andrews", 0.03, 1e-5}); }
TEST(CorrectorRuns, TrainCarriageIsThatOfSimplified) { expect_errors_like_simplified({"train_carriage", 3, 1e-5}); }
TEST(CorrectorRuns, TruckIsThatOfSimplified) { expect_errors_like_simplified({"truck", 1, 1e-5}); }

// ---------------------------------------------------------------------------------------------- what they count

TEST(CorrectorRuns, KrylovPhasesPostponeFactorisations) {
  const IntegratorStatistics plain = run("train_carriage", bdf({}), 3).counts;
  const CorrectorOptions krylov{.method = CorrectorMethod::cycle, .phases = {false, true, true}, .adapts = false};
  const IntegratorStatistics counts = run("train_carriage", bdf(krylov), 3).counts;
  EXPECT_LT(counts.factorizations, 0.6 * static_cast<double>(plain.factorizations));
  EXPECT_GT(counts.corrector.postponed_refreshes, 0);
  EXPECT_GT(counts.corrector.phase_changes, 0);
  EXPECT_EQ(counts.corrector.refresh_cycles, counts.factorizations);
}

TEST(CorrectorRuns, CountWhatTheyDo) {
  const auto of = [](CorrectorPhase phase) { return static_cast<std::size_t>(phase); };
  const IntegratorStatistics dropped =
      run("truck", bdf({.method = CorrectorMethod::dropped_lu, .drop_tolerance = 1e-2}), 0.2).counts;
  EXPECT_EQ(dropped.corrector.iterations[of(CorrectorPhase::dropped_lu)], dropped.newton_iterations);
  EXPECT_GT(dropped.corrector.dropped_entries, 0);
  const IntegratorStatistics exact = run("truck", bdf({.method = CorrectorMethod::newton}), 0.2).counts;
  EXPECT_EQ(exact.factorizations, exact.newton_iterations);
  EXPECT_EQ(exact.jacobian_evaluations, exact.newton_iterations);
  const IntegratorStatistics threaded = run("truck", bdf({.factor_delay = 2}), 0.2).counts;
  EXPECT_GT(threaded.corrector.threaded_factorizations, 0);
  EXPECT_GE(threaded.factorizations, threaded.corrector.threaded_factorizations);
  const IntegratorStatistics broyden = run("truck", bdf({.method = CorrectorMethod::broyden}), 0.2).counts;
  EXPECT_GT(broyden.corrector.low_rank_updates, 0);
  const IntegratorStatistics krylov =
      run("truck", radau({.method = CorrectorMethod::krylov, .krylov_steps = 2}), 0.2).counts;
  EXPECT_EQ(krylov.corrector.krylov_steps, 2 * krylov.newton_iterations);
  EXPECT_EQ(krylov.corrector.krylov_function_calls, 3 * krylov.corrector.krylov_steps);  // three stages
}

// Right after a factorisation the matrix is that of the iterate, but for differences; then it ages.
TEST(CorrectorRuns, RecordsSayWhatHappened) {
  std::vector<CorrectorRecord> records;
  CorrectorOptions newton{.measures_spectral_radius = true, .measures_times = true};
  newton.observe = [&](const CorrectorRecord& record) { records.push_back(record); };
  BdfOptions options = bdf(newton);
  options.jacobian.partitioned = PartitionedUpdates::off;
  const IntegratorStatistics counts = run("andrews", options, 0.01).counts;
  ASSERT_EQ(static_cast<std::int64_t>(records.size()), counts.corrector.solutions);
  std::int64_t iterations = 0, cycle = 0;
  double work = 0;
  int compared = 0;
  for (const CorrectorRecord& record : records) {
    iterations += record.solution.iterations;
    work += record.work;
    EXPECT_GE(record.spectral_radius, 0);
    if (record.cycle != cycle && record.matrix_alpha == record.solution.alpha && record.solution.converged) {
      EXPECT_LT(record.spectral_radius, 1e-3);  // the matrix is that of the prediction, which differences repeat
    }
    // The contraction of a nearly linear problem: where three corrections were made at one matrix.
    if (record.cycle == cycle && record.solution.iterations == 3 && record.spectral_radius > 0.02) {
      EXPECT_LT(record.solution.contraction, 1.5 * record.spectral_radius);  // the radius bounds it in the long run
      ++compared;
    }
    cycle = record.cycle;
  }
  EXPECT_GT(compared, 0);
  EXPECT_EQ(iterations, counts.newton_iterations);
  EXPECT_NEAR(work, counts.corrector.work, 1e-9 * work);
  EXPECT_GT(counts.corrector.evaluation_seconds, 0);
  EXPECT_GT(counts.corrector.factorization_seconds, 0);
  EXPECT_GT(counts.corrector.substitution_seconds, 0);
  // Instruments change nothing.
  BdfOptions plain = bdf({});
  plain.jacobian.partitioned = PartitionedUpdates::off;
  EXPECT_EQ(run("andrews", plain, 0.01).counts.function_calls, counts.function_calls);
}

TEST(IterationEstimates, AreThoseOfTheThesis) {
  EXPECT_NEAR(matched_iterations(0.01, 2, 0.1), 4, 1e-12);  // 0.01^2 = 0.1^4
  EXPECT_EQ(matched_iterations(0.5, 2, 1.2), std::numeric_limits<double>::infinity());
  std::vector<CorrectorRecord> records;
  for (const auto& [rho, iterations] : {std::pair(0.1, 2), std::pair(0.3, 4), std::pair(0.2, 5), std::pair(0.5, 3)})
    records.push_back({.solution = {.iterations = iterations}, .spectral_radius = rho});
  EXPECT_EQ(worst_observed_iterations(records, 0.25), 5);
  EXPECT_EQ(worst_observed_iterations(records, 0.15), 2);
  EXPECT_EQ(worst_observed_iterations(records, 0.05), 0);
  EXPECT_EQ(nearest_observed_iterations(records, 0.25), 4);
  EXPECT_EQ(nearest_observed_iterations(records, 0.2), 5);
  EXPECT_EQ(nearest_observed_iterations(records, 0.6), 0);
}

// ---------------------------------------------------------------------------------------------- size reduction

/// Simplified Newton that shows its last matrix.
struct Shown {
  SparseMatrix last;
  int positions = 0;

  CorrectorFactory factory() {
    return [this](ResidualFunction& system, const StateLayout& layout) {
      struct Showing : SimplifiedNewton {
        Shown& shown;
        Showing(ResidualFunction& of, const StateLayout& at, Shown& to)
            : SimplifiedNewton(of, at, JacobianOptions{}, IterationSolver::klu), shown(to) {}
        Outcome refresh(const JacobianPoint& point, const Eigen::VectorXd& F, JacobianCause cause) override {
          const Outcome refreshed = SimplifiedNewton::refresh(point, F, cause);
          shown.last = *matrix();
          return refreshed;
        }
      };
      positions = layout.v;
      return std::make_unique<Showing>(system, layout, *this);
    };
  }
};

TEST(PositionElimination, LeavesTheOtherUnknownsAndTheSolution) {
  for (const char* name : {"truck", "insulator_chain", "train_carriage", "lane_change_car"})
    for (const Formulation formulation : {Formulation::absolute, Formulation::relative}) {
      SCOPED_TRACE(concat(name, ", ", name_of(formulation)));
      Shown shown;
      const ZooModel& model = find_model(name);
      Simulation simulation =
          make_simulation(model, model.parameters_with({}),
                          {.formulation = formulation, .integrator = BdfOptions{.corrector = shown.factory()}});
      simulation.run(0, 0.01);
      PositionElimination costs;
      const Outcome compared = compare_position_elimination(shown.last, shown.positions, costs);
      ASSERT_TRUE(compared) << compared.reason();
      EXPECT_EQ(costs.reduced.unknowns, costs.whole.unknowns - shown.positions);
      // Condition numbers of the scaled matrices, up to 1e7, times rounding.
      EXPECT_LT(costs.difference, 1e-8);
      std::cout << name << ", " << name_of(formulation) << ": " << costs.whole.unknowns << " unknowns, "
                << costs.whole.nonzeros << " nonzeros, " << costs.whole.entries << " entries, "
                << costs.whole.operations << " operations; reduced " << costs.reduced.unknowns << ", "
                << costs.reduced.nonzeros << ", " << costs.reduced.entries << " + " << costs.elimination_entries << ", "
                << costs.reduced.operations << " + " << costs.elimination_operations << ", blocks up to "
                << costs.largest_block << '\n';
    }
}

// ---------------------------------------------------------------------------------------------- refusals

TEST(CorrectorRuns, RadauRefusesByNameWhatItCanNotUse) {
  using Method = CorrectorMethod;
  const auto refusal = [](const CorrectorOptions& newton, StageSolver solver = StageSolver::automatic) {
    return RadauOptions{.solver = solver, .newton = newton}.why_invalid();
  };
  EXPECT_TRUE(contains(refusal({.method = Method::newton}), "newton.method is 'newton', a matrix of each iterate"));
  EXPECT_TRUE(contains(refusal({.method = Method::broyden}), "newton.method is 'broyden', whose updates couple"));
  EXPECT_TRUE(contains(refusal({.factor_delay = 1}), "newton.factor_delay is 1, and radau's error estimate needs"));
  EXPECT_TRUE(contains(refusal({.method = Method::krylov, .krylov_products = KrylovProducts::jacobian}),
                       "newton.krylov_products are those of a Jacobian"));
  CorrectorOptions scheduled{.method = Method::cycle};
  scheduled.schedule.intervals.resize(1);
  EXPECT_TRUE(contains(refusal(scheduled), "newton.schedule is that of a cycle of bdf"));
  EXPECT_TRUE(contains(refusal({.measures_spectral_radius = true}), "are instruments of bdf"));
  EXPECT_TRUE(contains(refusal({.method = Method::dropped_lu}, StageSolver::dense),
                       "newton.method is 'dropped-lu', which drops entries of sparse factors, and a dense solver"));
  EXPECT_EQ(refusal({.method = Method::dropped_lu, .drop_tolerance = 0}, StageSolver::dense), "");
  EXPECT_TRUE(contains(refusal({.drop_tolerance = 1}), "newton: drop_tolerance is 1; expected a number in [0, 1)"));
  const BdfOptions both{.newton = {.method = Method::krylov},
                        .corrector = [](ResidualFunction&, const StateLayout&) { return nullptr; }};
  EXPECT_EQ(both.why_invalid(), "newton.method is 'krylov', and corrector is one of your own; leave one of them out.");
  EXPECT_TRUE(contains(BdfOptions{.newton = {.krylov_steps = 0}}.why_invalid(), "newton: krylov_steps is 0"));
  EXPECT_TRUE(
      contains(test::error_of([] { run("andrews", radau({.method = Method::krylov, .krylov_steps = 1000}), 0.01); }),
               "the corrector is to take 1000 Krylov steps, and the three stages have "));
}

TEST_F(Command, RunTakesTheCorrectorsAndRefusesTheirMisuse) {
  const std::string andrews = "run andrews --integrator bdf --formulation relative --tend 0.005 ";
  const auto report = json_of(andrews + "--corrector cycle --drop-tolerance 1e-2 --krylov-steps 2");
  EXPECT_EQ(report["integrator_options"]["corrector"], "cycle");
  EXPECT_GT(report["statistics"]["corrector"]["refresh_cycles"].get<int>(), 0);
  EXPECT_GT(report["statistics"]["corrector"]["work"].get<double>(), 0);
  expect_refused(andrews + "--corrector dropped-lu --drop-tolerance 1", {"drop_tolerance (--drop-tolerance) is 1"});
  expect_refused(andrews + "--corrector krylov --krylov-steps 0", {"krylov_steps (--krylov-steps) is 0"});
  expect_refused(andrews + "--corrector perfect", {"unknown corrector 'perfect'", "dropped-lu"});
  expect_refused("run andrews --integrator radau --corrector broyden", {"newton.method is 'broyden'"});
  expect_refused("run andrews --corrector broyden", {"--corrector is an option of the integrators bdf, radau"});
  expect_refused("run andrews --integrator radau --factor-delay 2",
                 {"--factor-delay is an option of the integrator bdf"});
  expect_refused("run andrews --integrator radau --corrector-log -", {"give --integrator bdf"});
  expect_refused("run andrews --spectral-radius", {"--spectral-radius is for the lines of --corrector-log"});
  expect_refused(andrews + "--analyse-corrector - --json x", {"--analyse-corrector runs the model many times"});
  expect_refused(andrews + "--corrector cycle --corrector-schedule " + path("none"), {"none' can't be read."});
  std::ofstream(path("other.json")) << "{\"format\": \"another\"}";
  expect_refused(andrews + "--corrector cycle --corrector-schedule " + path("other.json"),
                 {"is no corrector's schedule", "its format is another one"});
  // More steps than unknowns are known when the system is.
  const Result result = run(andrews + "--corrector krylov --krylov-steps 1000");
  EXPECT_NE(result.status, 0);
  EXPECT_NE(result.err.find("the corrector is to take 1000 Krylov steps, and the system has "), std::string::npos)
      << result.err;
}

TEST_F(Command, RunWritesTheCorrectorsLog) {
  const Result result =
      run("run andrews --integrator bdf --formulation relative --tend 0.005 --spectral-radius --corrector-log -");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.out.substr(0, result.out.find('\n')),
            "t,h,alpha,cycle,phase,iterations,converged,contraction,spectral_radius,matched_iterations,"
            "worst_observed_iterations,nearest_observed_iterations,matrix_alpha,drop_tolerance,work");
  EXPECT_GT(std::count(result.out.begin(), result.out.end(), '\n'), 50);
}

TEST_F(Command, RunFollowsAScheduleOfTheSameModelOnly) {
  const std::string options = " --integrator bdf --rtol 1e-5 --atol 1e-5 --formulation ";
  const Result analysed = run("run andrews --tend 0.005 --analyse-corrector " + path("s.json") + options + "relative");
  ASSERT_EQ(analysed.status, 0) << analysed.err;
  EXPECT_NE(analysed.out.find(": simplified\n"), std::string::npos) << analysed.out;
  EXPECT_NE(analysed.out.find("from 0 s: "), std::string::npos) << analysed.out;
  const std::string follow = " --quiet --corrector cycle --corrector-schedule " + path("s.json");
  EXPECT_EQ(run("run andrews --tend 0.005" + options + "relative" + follow).status, 0);
  for (const char* other : {"run andrews --tend 0.005", "run truck --tend 0.005"}) {
    const Result refused = run(other + options + "absolute" + follow);
    EXPECT_NE(refused.status, 0);
    EXPECT_NE(refused.err.find("the corrector's schedule is that of 'andrews' with "), std::string::npos)
        << refused.err;
  }
}

}  // namespace corrector_runs_test
}  // namespace linkwork::apps
