#include "bench/bdf_beside_ida.hpp"

#include "bench/cpu_clock.hpp"
#include "bench/stabilised_ida.hpp"
#include "bench/work_precision.hpp"
#include "text_table.hpp"

#include <linkwork/solvers/integrators/bdf.hpp>
#include <linkwork/solvers/integrators/extrapolation.hpp>
#include <linkwork/solvers/linear/linear_solver.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <utility>

namespace linkwork::apps {
namespace {

constexpr int repeats = 3;

std::unique_ptr<EquationsOfMotion> make(const BdfComparison& comparison) {
  const ZooModel& model = find_model(comparison.model);
  EquationsOptions options;
  options.formulation = comparison.formulation;
  options.auxiliary = AuxiliaryUnknowns::carried;
  return std::visit([&](const auto& built) { return make_equations(built, options); },
                    model.build(model.parameters_with(comparison.changes)));
}

/// What a run of either code came to.
struct Run {
  WorkPoint point;
  double jacobian_calls = 0, jacobians = 0, steps = 0;
  std::string outcome = "done";
};

/// max |x - x_ref| / max(1, |x_ref|) over positions and velocities.
double error_of(const State& end, const State& reference) {
  const auto largest = [](const Eigen::VectorXd& x, const Eigen::VectorXd& expected) {
    return ((x - expected).array().abs() / expected.array().abs().max(1.0)).maxCoeff();
  };
  return std::max(largest(end.p, reference.p), largest(end.v, reference.v));
}

/// A start of an integrator on equations, ready to step.
struct Started {
  Started(const BdfComparison& comparison, std::unique_ptr<Integrator> made)
      : equations(make(comparison)),
        solver(make_linear_solver("auto", *equations, equations->forces_read_multipliers())),
        integrator(std::move(made)) {
    State start = equations->initial_state();
    equations->set(start);
    equations->remember(true, -1);
    outcome = solver->analyze(*equations);
    if (outcome) outcome = integrator->initialize(*equations, *solver, start);
  }
  void run(double t_end) {
    while (outcome && integrator->state().t < t_end) outcome = integrator->step(t_end);
  }

  std::unique_ptr<EquationsOfMotion> equations;
  std::unique_ptr<LinearSolver> solver;
  std::unique_ptr<Integrator> integrator;
  Outcome outcome;
};

State reference_end(const BdfComparison& comparison, double t_end) {
  constexpr double tight = 1e-11;
  Started started(comparison, make_extrapolation(ExtrapolationOptions{.rtol = tight, .atol = tight}));
  started.run(t_end);
  return started.integrator->state();
}

Run run_linkwork(const BdfComparison& comparison, double rtol, double t_end, const State& reference,
                 const JacobianOptions& jacobian, const std::string& name) {
  Run run{{name, number(rtol), std::numeric_limits<double>::infinity(), 0}};
  BdfOptions options;
  options.rtol = rtol;
  options.atol = comparison.absolute_share * rtol;
  options.jacobian = jacobian;
  options.dense_output = false;
  for (int k = 0; k < repeats; ++k) {
    Started started(comparison, make_bdf(options));
    const double begin = cpu_seconds();
    started.run(t_end);
    run.point.milliseconds = std::min(run.point.milliseconds, 1e3 * (cpu_seconds() - begin));
    const IntegratorStatistics& statistics = started.integrator->statistics();
    run.point.error =
        started.outcome ? error_of(started.integrator->state(), reference) : std::numeric_limits<double>::quiet_NaN();
    run.point.calls = static_cast<double>(statistics.function_calls);
    run.jacobian_calls = static_cast<double>(statistics.jacobian_function_calls);
    run.jacobians = static_cast<double>(statistics.jacobian_evaluations);
    run.steps = static_cast<double>(statistics.steps);
    if (!started.outcome) run.outcome = started.outcome.reason();
  }
  return run;
}

Run run_ida(const BdfComparison& comparison, double rtol, double t_end, const State& reference, IdaJacobian kind,
            const std::string& name) {
  Run run{{name, number(rtol), std::numeric_limits<double>::infinity(), 0}};
  const double atol = comparison.absolute_share * rtol;
  for (int k = 0; k < repeats; ++k) {
    const Started started(comparison, make_bdf({.rtol = rtol, .atol = atol}));
    const StabilisedIdaResult result =
        integrate_with_ida(*started.equations, started.integrator->state(), t_end, rtol, atol, kind);
    run.point.milliseconds = std::min(run.point.milliseconds, 1e3 * result.cpu_seconds);
    run.point.error = result.finished ? error_of(result.end, reference) : std::numeric_limits<double>::quiet_NaN();
    run.point.calls = static_cast<double>(result.calls);
    run.jacobian_calls = static_cast<double>(result.jacobian_calls);
    run.jacobians = static_cast<double>(result.jacobians);
    run.steps = static_cast<double>(result.steps);
    if (!result.finished) run.outcome = "fails at t = " + number(result.end.t);
  }
  return run;
}

void add(TextTable& table, const Run& run, const std::vector<WorkPoint>* peer) {
  const WorkPoint& point = run.point;
  std::vector<std::string> row = {point.code,
                                  point.setting,
                                  number(point.error, 2),
                                  number(point.calls, 7),
                                  number(point.calls - run.jacobian_calls, 7),
                                  number(run.jacobians, 6),
                                  number(run.steps, 6),
                                  number(point.milliseconds, 3)};
  if (peer) {
    row.push_back(number(point.calls / cost_at_error(*peer, point.error, &WorkPoint::calls), 2));
    row.push_back(number(point.milliseconds / time_at_error(*peer, point.error), 2));
  } else {
    row.insert(row.end(), 2, "");
  }
  row.push_back(run.outcome);
  table.add(row);
}

}  // namespace

const std::vector<BdfComparison>& bdf_comparisons() {
  static const std::vector<BdfComparison> comparisons = [] {
    const std::vector<double> all = {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10},
                              loose = {1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8};
    std::vector<BdfComparison> list = {{"andrews", "andrews", {}, Formulation::relative, 1, all},
                                       {"andrews_absolute", "andrews", {}, Formulation::absolute, 1, all},
                                       {"train_carriage", "train_carriage", {}, Formulation::relative, 1, loose}};
    // The absolute tolerance of CORR 4.2.1 is a hundredth of the relative one.
    for (int n : {12, 14, 16})
      list.push_back(
          {"pendulum_chain_" + std::to_string(n), "pendulum_chain", {{"n", n}}, Formulation::relative, 0.01, loose});
    list.push_back({"pendulum_chain_absolute", "pendulum_chain", {{"n", 12}}, Formulation::absolute, 0.01, loose});
    return list;
  }();
  return comparisons;
}

void compare_bdf_with_ida(const BdfComparison& comparison, std::ostream& out) {
  const double t_end = find_model(comparison.model).t_end;
  const State reference = reference_end(comparison, t_end);
  TextTable table({"code", "rtol", "error", "calls", "without Jacobians", "Jacobians", "steps", "ms", "calls / IDA's",
                   "ms / IDA's", "outcome"});
  std::vector<WorkPoint> peer;
  for (const auto& [kind, name] : {std::pair{IdaJacobian::dense_differences, "IDA, dense differences"},
                                   std::pair{IdaJacobian::grouped, "IDA, grouped differences, KLU"}})
    for (const double rtol : comparison.tolerances) {
      const Run run = run_ida(comparison, rtol, t_end, reference, kind, name);
      if (kind == IdaJacobian::dense_differences && !std::isnan(run.point.error)) peer.push_back(run.point);
      add(table, run, kind == IdaJacobian::dense_differences ? nullptr : &peer);
    }
  JacobianOptions dense, grouped;
  dense.differences = Differences::dense;
  dense.partitioned = PartitionedUpdates::off;
  for (const auto& [options, name] :
       {std::pair{dense, "bdf, dense differences"}, std::pair{grouped, "bdf, grouped, partitioned"}})
    for (const double rtol : comparison.tolerances)
      add(table, run_linkwork(comparison, rtol, t_end, reference, options, name), &peer);
  out << comparison.name << ": " << comparison.model << ", " << name_of(comparison.formulation) << " coordinates, "
      << number(t_end) << " s, atol = " << number(comparison.absolute_share)
      << " rtol; ratios to IDA with dense differences at the same error\n";
  table.print(out);
  out << '\n';
}

}  // namespace linkwork::apps
