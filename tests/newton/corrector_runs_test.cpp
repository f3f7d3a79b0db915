// Whole runs of the zoo by every corrector, beside those of simplified Newton.

#include "corrector_runs.hpp"
#include "../apps/command.hpp"
#include "../messages.hpp"

#include "corrector_analysis.hpp"
#include "corrector_schedule_file.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/solvers/newton/iteration_estimates.hpp>
#include <linkwork/solvers/newton/position_elimination.hpp>
#include <linkwork/solvers/newton/simplified_newton.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

namespace linkwork::apps {
namespace corrector_runs_test {

using namespace corrector_runs;
using test::contains;

void expect_same_bits(const Result& a, const Result& b) {
  EXPECT_EQ(a.end.p, b.end.p);
  EXPECT_EQ(a.end.v, b.end.v);
  EXPECT_EQ(a.counts.steps, b.counts.steps);
  EXPECT_EQ(a.counts.function_calls, b.counts.function_calls);
  EXPECT_EQ(a.counts.factorizations, b.counts.factorizations);
  EXPECT_EQ(a.counts.newton_iterations, b.counts.newton_iterations);
  EXPECT_EQ(a.counts.corrector.krylov_steps, b.counts.corrector.krylov_steps);
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

std::int64_t all_iterations(const IntegratorStatistics& counts) {
  return std::accumulate(counts.corrector.iterations.begin(), counts.corrector.iterations.end(), std::int64_t{0});
}

TEST(CorrectorRuns, CountWhatTheyDo) {
  const auto of = [](CorrectorPhase phase) { return static_cast<std::size_t>(phase); };
  const IntegratorStatistics dropped =
      run("truck", bdf({.method = CorrectorMethod::dropped_lu, .drop_tolerance = 1e-2}), 0.2).counts;
  EXPECT_EQ(dropped.corrector.iterations[of(CorrectorPhase::dropped_lu)], all_iterations(dropped));
  // Those of the start's projection are among them.
  EXPECT_GE(dropped.newton_iterations, all_iterations(dropped));
  EXPECT_GT(dropped.corrector.dropped_entries, 0);
  const IntegratorStatistics exact = run("truck", bdf({.method = CorrectorMethod::newton}), 0.2).counts;
  EXPECT_EQ(exact.factorizations, exact.corrector.iterations[of(CorrectorPhase::newton)]);
  EXPECT_EQ(exact.jacobian_evaluations, exact.corrector.iterations[of(CorrectorPhase::newton)]);
  const IntegratorStatistics threaded = run("truck", bdf({.factor_delay = 2}), 0.2).counts;
  EXPECT_GT(threaded.corrector.threaded_factorizations, 0);
  EXPECT_GE(threaded.factorizations, threaded.corrector.threaded_factorizations);
  const IntegratorStatistics broyden = run("truck", bdf({.method = CorrectorMethod::broyden}), 0.2).counts;
  EXPECT_GT(broyden.corrector.low_rank_updates, 0);
  const IntegratorStatistics krylov =
      run("truck", radau({.method = CorrectorMethod::krylov, .krylov_steps = 2}), 0.2).counts;
  EXPECT_EQ(krylov.corrector.krylov_steps, 2 * krylov.corrector.iterations[of(CorrectorPhase::krylov)]);
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
  std::vector<double> ratios;
  for (const CorrectorRecord& record : records) {
    iterations += record.solution.iterations;
    work += record.work;
    EXPECT_GE(record.spectral_radius, 0);
    if (record.cycle != cycle && record.matrix_alpha == record.solution.alpha && record.solution.converged) {
      EXPECT_LT(record.spectral_radius, 1e-3);  // the matrix is that of the prediction, which differences repeat
    }
    if (record.cycle == cycle && record.solution.iterations == 3 && record.spectral_radius > 0.02)
      ratios.push_back(record.solution.contraction / record.spectral_radius);
    cycle = record.cycle;
  }
  // Three corrections at one matrix contract about as the radius says: it is what they come to after many.
  ASSERT_GT(ratios.size(), 5u);
  std::sort(ratios.begin(), ratios.end());
  EXPECT_GT(ratios[ratios.size() / 2], 0.3);
  EXPECT_LT(ratios[ratios.size() / 2], 1.5);
  EXPECT_EQ(iterations, all_iterations(counts));
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

// The table of solvers/README.md.
TEST(CorrectorRuns, CostWhatIsPublished) {
  struct Row {
    const char* model;
    double t, tolerance;
    CorrectorOptions options;
    double evaluations, factorizations;
  };
  using Method = CorrectorMethod;
  const CorrectorOptions dropped{.method = Method::dropped_lu, .drop_tolerance = 1e-6};
  const CorrectorOptions broyden{.method = Method::broyden, .broyden_updates = BroydenUpdates::at_last_iteration};
  const CorrectorOptions rows_matched{.matching = StepSizeMatching::rows},
      unmatched{.matching = StepSizeMatching::none};
  const Row rows[] = {{"truck", 20, 1e-5, {}, 5015, 265},
                      {"truck", 20, 1e-5, {.method = Method::newton}, 78183, 3726},
                      {"truck", 20, 1e-5, dropped, 6071, 291},
                      {"truck", 20, 1e-5, {.method = Method::krylov}, 13070, 25},
                      {"truck", 20, 1e-5, {.method = Method::broyden}, 4821, 212},
                      {"truck", 20, 1e-5, broyden, 4581, 199},
                      {"truck", 20, 1e-5, {.method = Method::cycle}, 5015, 265},
                      {"truck", 20, 1e-5, rows_matched, 4475, 190},
                      {"truck", 20, 1e-5, unmatched, 5175, 316},
                      {"train_carriage", 15, 1e-4, {}, 447, 25},
                      {"train_carriage", 15, 1e-4, {.method = Method::newton}, 13489, 290},
                      {"train_carriage", 15, 1e-4, dropped, 487, 28},
                      {"train_carriage", 15, 1e-4, {.method = Method::krylov}, 913, 14},
                      {"train_carriage", 15, 1e-4, {.method = Method::broyden}, 409, 24},
                      {"train_carriage", 15, 1e-4, broyden, 419, 24},
                      {"train_carriage", 15, 1e-4, {.method = Method::cycle}, 447, 25},
                      {"train_carriage", 15, 1e-4, rows_matched, 438, 31},
                      {"train_carriage", 15, 1e-4, unmatched, 466, 32},
                      {"gimbal", 5, 1e-5, {}, 3082, 198},
                      {"gimbal", 5, 1e-5, dropped, 3749, 199},
                      {"gimbal", 5, 1e-5, {.method = Method::krylov}, 6810, 41},
                      {"gimbal", 5, 1e-5, {.method = Method::broyden}, 2797, 154},
                      {"gimbal", 5, 1e-5, broyden, 2445, 133},
                      {"gimbal", 5, 1e-5, {.method = Method::cycle}, 3095, 190},
                      {"atv", 2.5, 1e-4, {}, 3656, 422},
                      {"atv", 2.5, 1e-4, dropped, 4615, 466},
                      {"atv", 2.5, 1e-4, {.method = Method::krylov}, 6558, 221},
                      {"atv", 2.5, 1e-4, {.method = Method::broyden}, 3993, 414},
                      {"atv", 2.5, 1e-4, broyden, 4091, 420},
                      {"atv", 2.5, 1e-4, {.method = Method::cycle}, 3916, 366}};
  for (const Row& row : rows) {
    SCOPED_TRACE(concat(row.model, ", ", name_of(row.options.method)));
    BdfOptions options = bdf(row.options, row.tolerance);
    options.matrix = IterationSolver::automatic;
    const IntegratorStatistics counts = run(row.model, options, row.t).counts;
    // Other roundings move them by some percent, and where they are few by some.
    EXPECT_NEAR(static_cast<double>(counts.function_calls), row.evaluations, 0.1 * row.evaluations + 30);
    EXPECT_NEAR(static_cast<double>(counts.factorizations), row.factorizations, 0.15 * row.factorizations + 8);
  }
}

// Along directions that several kinds of unknowns share, increments of single unknowns drown in rounding: with those
// it took 982,163 evaluations, and 7,647 factorisations. By simplified Newton they are 16,059 and 901.
TEST(CorrectorRuns, KrylovSolvesThePassengerCar) {
  const IntegratorStatistics counts =
      run("lane_change_car", bdf({.method = CorrectorMethod::krylov}, 1e-4), 12.5).counts;
  EXPECT_LT(counts.function_calls, 45000);  // 35,727
  EXPECT_LT(counts.factorizations, 220);    // 167
}

// The figure asked for: at most 0.6 of the factorisations.
TEST(CorrectorRuns, KrylovFactorsSeldomOnTheAtv) {
  const auto factorizations = [](const CorrectorOptions& newton) {
    return static_cast<double>(run("atv", bdf(newton, 1e-4), 2.5).counts.factorizations);
  };
  EXPECT_LT(factorizations({.method = CorrectorMethod::krylov}), 0.6 * factorizations({}));
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
  struct Row {
    const char* name;
    Formulation formulation;
    double gain;  // operations of a factorisation by those with the elimination, as solvers/README.md has them
  };
  for (const Row& each :
       {Row{"truck", Formulation::absolute, 0.77}, Row{"truck", Formulation::relative, 0.78},
        Row{"insulator_chain", Formulation::absolute, 1.05}, Row{"insulator_chain", Formulation::relative, 1.19},
        Row{"train_carriage", Formulation::absolute, 2.19}, Row{"train_carriage", Formulation::relative, 1.77},
        Row{"lane_change_car", Formulation::absolute, 1.26}, Row{"lane_change_car", Formulation::relative, 1.59}}) {
    const char* name = each.name;
    const Formulation formulation = each.formulation;
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
    // Rounding, times the growth of an elimination without a choice of pivots.
    EXPECT_LT(costs.residual, 1e-10);
    const double gain = costs.whole.operations / (costs.reduced.operations + costs.elimination_operations);
    EXPECT_NEAR(gain, each.gain, 0.1 * each.gain);
  }
}

// ---------------------------------------------------------------------------------------------- analysis

/// A run of 80 solutions in one second, where dropped factors pay in the first half and Krylov steps creep.
struct CountedRuns {
  double work_by_schedule = 0;        // of each solution
  std::int64_t krylov_solutions = 0;  // in all

  void operator()(const CorrectorOptions& newton) {
    constexpr int solutions = 80;
    const bool has_schedule = !newton.schedule.empty();
    for (int k = 1; k <= solutions; ++k) {
      double work = 1;
      if (newton.phases.dropped_lu) work = 2 * k <= solutions ? 0.5 : 1.4;
      if (newton.phases.krylov) work = 100;
      if (has_schedule) work = work_by_schedule;
      if (!has_schedule && newton.phases.krylov) ++krylov_solutions;
      newton.observe({.solution = {.t = static_cast<double>(k) / solutions, .converged = true}, .work = work});
    }
  }
};

TEST(CorrectorAnalysis, TakesAScheduleOnlyWhereItPaysAndGivesUpDearTrials) {
  for (const bool pays : {true, false}) {
    CountedRuns runs{pays ? 0.75 : 0.99};
    const CorrectorSchedule schedule = analyse_corrector(std::ref(runs), {}, "counted", "", 1).schedule;
    ASSERT_EQ(schedule.intervals.size(), pays ? 2u : 1u);  // else by dropped factors all the time, which take 0.95
    EXPECT_TRUE(schedule.intervals[0].phases.dropped_lu);
    EXPECT_EQ(schedule.intervals[0].from, 0);
    if (pays) {
      EXPECT_FALSE(schedule.intervals[1].phases.dropped_lu);
      EXPECT_EQ(schedule.intervals[1].from, 0.5);
    }
    EXPECT_LT(runs.krylov_solutions, 20);  // four trials, each given up at three times the work of the plain run
  }
}

// ---------------------------------------------------------------------------------------------- refusals

TEST(CorrectorRuns, RadauRefusesByNameWhatItCanNotUse) {
  using Method = CorrectorMethod;
  const auto refusal = [](const CorrectorOptions& newton, StageSolver solver = StageSolver::automatic) {
    return RadauOptions{.solver = solver, .newton = newton}.why_invalid();
  };
  EXPECT_EQ(refusal({.method = Method::newton}), "");
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
