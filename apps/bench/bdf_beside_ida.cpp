#include "bench/bdf_beside_ida.hpp"

#include "bench/cpu_clock.hpp"
#include "bench/stabilised_ida.hpp"
#include "bench/started_integrator.hpp"
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

constexpr int repeats = 2;
// What a run comes to depends on where its steps happen to change. Each row is the geometric mean over these multiples
// of its tolerance.
constexpr double multiples[] = {0.63, 0.79, 1.0, 1.26, 1.58};

std::unique_ptr<EquationsOfMotion> make(const BdfComparison& comparison) {
  const ZooModel& model = find_model(comparison.model);
  EquationsOptions options;
  options.formulation = comparison.formulation;
  options.auxiliary = AuxiliaryUnknowns::carried;
  return std::visit([&](const auto& built) { return make_equations(built, options); },
                    model.build(model.parameters_with(comparison.changes)));
}

/// What a run of either code came to, or several ones in the mean.
struct Run {
  double milliseconds = std::numeric_limits<double>::infinity(), error = 0;
  double calls = 0, jacobian_calls = 0, jacobians = 0, steps = 0;
  std::string failure;
};

double geometric_mean(const std::vector<double>& values) {
  double logarithms = 0;
  for (const double value : values) logarithms += std::log(value);
  return std::exp(logarithms / static_cast<double>(values.size()));
}

/// Runs around a tolerance; NaN where one of them fails.
Run mean_run(double rtol, const std::function<Run(double)>& run_at) {
  std::vector<Run> runs;
  Run mean;
  for (const double multiple : multiples) {
    runs.push_back(run_at(multiple * rtol));
    if (!runs.back().failure.empty()) mean.failure = runs.back().failure;
  }
  for (double Run::*part :
       {&Run::milliseconds, &Run::error, &Run::calls, &Run::jacobian_calls, &Run::jacobians, &Run::steps}) {
    std::vector<double> values;
    for (const Run& run : runs) values.push_back(run.*part);
    mean.*part = mean.failure.empty() ? geometric_mean(values) : std::numeric_limits<double>::quiet_NaN();
  }
  return mean;
}

/// max |x - x_ref| / max(1, |x_ref|) over positions and velocities.
double error_of(const State& end, const State& reference) {
  const auto largest = [](const Eigen::VectorXd& x, const Eigen::VectorXd& expected) {
    return ((x - expected).array().abs() / expected.array().abs().max(1.0)).maxCoeff();
  };
  return std::max(largest(end.p, reference.p), largest(end.v, reference.v));
}

State reference_end(const BdfComparison& comparison, double t_end) {
  constexpr double tight = 1e-11;
  StartedIntegrator started(make(comparison), make_integrator(ExtrapolationOptions{.rtol = tight, .atol = tight}));
  started.run(t_end);
  return started.integrator->state();
}

Run run_linkwork(const BdfComparison& comparison, double rtol, double t_end, const State& reference,
                 const JacobianOptions& jacobian) {
  Run run;
  BdfOptions options;
  options.rtol = rtol;
  options.atol = comparison.absolute_share * rtol;
  options.jacobian = jacobian;
  options.dense_output = false;
  for (int k = 0; k < repeats; ++k) {
    StartedIntegrator started(make(comparison), make_integrator(options));
    const double begin = cpu_seconds();
    started.run(t_end);
    run.milliseconds = std::min(run.milliseconds, 1e3 * (cpu_seconds() - begin));
    const IntegratorStatistics& statistics = started.integrator->statistics();
    run.error = error_of(started.integrator->state(), reference);
    run.calls = static_cast<double>(statistics.function_calls);
    run.jacobian_calls = static_cast<double>(statistics.jacobian_function_calls);
    run.jacobians = static_cast<double>(statistics.jacobian_evaluations);
    run.steps = static_cast<double>(statistics.steps);
    run.failure = started.outcome.reason();
  }
  return run;
}

Run run_ida(const BdfComparison& comparison, double rtol, double t_end, const State& reference, IdaJacobian kind) {
  Run run;
  const double atol = comparison.absolute_share * rtol;
  for (int k = 0; k < repeats; ++k) {
    const StartedIntegrator started(make(comparison), make_integrator(BdfOptions{.rtol = rtol, .atol = atol}));
    const StabilisedIdaResult result =
        integrate_with_ida(*started.equations, started.integrator->state(), t_end, rtol, atol, kind);
    run.milliseconds = std::min(run.milliseconds, 1e3 * result.cpu_seconds);
    run.error = error_of(result.end, reference);
    run.calls = static_cast<double>(result.calls);
    run.jacobian_calls = static_cast<double>(result.jacobian_calls);
    run.jacobians = static_cast<double>(result.jacobians);
    run.steps = static_cast<double>(result.steps);
    if (!result.finished) run.failure = "fails at t = " + number(result.end.t);
  }
  return run;
}

/// Rows of one code, what they cost beside the peer, and what that comes to in the mean over the rows.
class CodeTable {
 public:
  /// @param peer  costs at errors; null for the peer itself
  CodeTable(std::string code, TextTable& table, const std::vector<WorkPoint>* peer)
      : code_(std::move(code)), table_(table), peer_(peer) {}

  void add(double rtol, const Run& run, double jacobians_of_peer) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double calls = peer_ ? run.calls / cost_at_error(*peer_, run.error, &WorkPoint::calls) : nan;
    const double time = peer_ ? run.milliseconds / time_at_error(*peer_, run.error) : nan;
    const double jacobians = peer_ ? run.jacobians / jacobians_of_peer : nan;
    table_.add({code_, number(rtol), number(run.error, 2), number(run.calls, 5),
                number(run.calls - run.jacobian_calls, 5), number(run.jacobians, 3), number(run.steps, 5),
                number(run.milliseconds, 3), number(calls, 2), number(time, 2), number(jacobians, 2),
                run.failure.empty() ? "done" : run.failure});
    for (const auto& [ratio, all] :
         {std::pair{calls, &calls_}, std::pair{time, &times_}, std::pair{jacobians, &jacobians_}})
      if (!std::isnan(ratio)) all->push_back(ratio);
  }
  void print_means(std::ostream& out) const {
    out << code_ << ", in the mean over the rows: " << in_words("calls", calls_) << ", " << in_words("time", times_)
        << ", " << in_words("Jacobians", jacobians_) << " of the peer's\n";
  }

 private:
  static std::string in_words(const std::string& what, const std::vector<double>& ratios) {
    if (ratios.empty()) return what + " -";
    const auto [least, most] = std::minmax_element(ratios.begin(), ratios.end());
    return what + " " + number(geometric_mean(ratios), 2) + " (" + number(*least, 2) + " to " + number(*most, 2) + ")";
  }

  std::string code_;
  TextTable& table_;
  const std::vector<WorkPoint>* peer_;
  std::vector<double> calls_, times_, jacobians_;
};

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
  JacobianOptions dense, grouped;
  dense.differences = Differences::dense;
  dense.partitioned = PartitionedUpdates::off;
  using RunAt = std::function<Run(double)>;
  const auto ida = [&](IdaJacobian kind) -> RunAt {
    return [&, kind](double rtol) { return run_ida(comparison, rtol, t_end, reference, kind); };
  };
  const auto bdf = [&](const JacobianOptions& options) -> RunAt {
    return [&](double rtol) { return run_linkwork(comparison, rtol, t_end, reference, options); };
  };

  TextTable table({"code", "rtol", "error", "calls", "without Jacobians", "Jacobians", "steps", "ms", "calls / IDA's",
                   "ms / IDA's", "Jacobians / IDA's", "outcome"});
  std::vector<WorkPoint> peer;
  std::vector<double> jacobians_of_peer;
  CodeTable peer_rows("IDA, dense differences", table, nullptr);
  for (const double rtol : comparison.tolerances) {
    const Run run = mean_run(rtol, ida(IdaJacobian::dense_differences));
    if (run.failure.empty()) peer.push_back({"", "", run.milliseconds, run.error, run.calls});
    jacobians_of_peer.push_back(run.jacobians);
    peer_rows.add(rtol, run, run.jacobians);
  }
  std::vector<CodeTable> codes;
  for (const auto& [name, run_at] :
       {std::pair{"IDA, grouped differences, KLU", ida(IdaJacobian::grouped)},
        std::pair{"bdf, dense differences", bdf(dense)}, std::pair{"bdf, grouped, partitioned", bdf(grouped)}}) {
    CodeTable& code = codes.emplace_back(name, table, &peer);
    for (std::size_t k = 0; k < comparison.tolerances.size(); ++k)
      code.add(comparison.tolerances[k], mean_run(comparison.tolerances[k], run_at), jacobians_of_peer[k]);
  }
  out << comparison.name << ": " << comparison.model << ", " << name_of(comparison.formulation) << " coordinates, "
      << number(t_end) << " s, atol = " << number(comparison.absolute_share)
      << " rtol; calls and time beside IDA with dense differences at the same error, Jacobians at the same tolerance\n";
  table.print(out);
  for (const CodeTable& code : codes) code.print_means(out);
  out << '\n';
}

}  // namespace linkwork::apps
