#include "bench/radau_beside_ida.hpp"

#include "bench/cpu_clock.hpp"
#include "bench/stabilised_ida.hpp"
#include "bench/started_integrator.hpp"
#include "bench/work_precision.hpp"
#include "text_table.hpp"
#include "zoo/zoo.hpp"

#include <linkwork/solvers/integrators/extrapolation.hpp>
#include <linkwork/solvers/integrators/radau.hpp>
#include <linkwork/solvers/linear/linear_solver.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace linkwork::apps {
namespace {

constexpr int repeats = 5;

std::unique_ptr<EquationsOfMotion> make(Formulation formulation) {
  const ZooModel& model = find_model("andrews");
  return std::visit([&](const auto& built) { return make_equations(built, {.formulation = formulation}); },
                    model.build(model.parameters_with({})));
}

double error_of(const Eigen::VectorXd& p, const Eigen::VectorXd& expected) {
  return ((p - expected).array().abs() / expected.array().abs().max(1.0)).maxCoeff();
}

struct Run {
  WorkPoint point;
  double jacobians = 0;
};

Run run_radau(Formulation formulation, double tolerance, double t_end, const Eigen::VectorXd& expected) {
  Run run{
      {"radau", number(tolerance), std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}};
  for (int k = 0; k < repeats; ++k) {
    StartedIntegrator started(
        make(formulation), make_integrator(RadauOptions{.rtol = tolerance, .atol = tolerance, .dense_output = false}));
    const double begin = cpu_seconds();
    started.run(t_end);
    run.point.milliseconds = std::min(run.point.milliseconds, 1e3 * (cpu_seconds() - begin));
    const IntegratorStatistics& statistics = started.integrator->statistics();
    if (started.outcome) run.point.error = error_of(started.integrator->state().p, expected);
    run.point.calls = static_cast<double>(statistics.function_calls);
    run.point.steps = static_cast<double>(statistics.steps);
    run.jacobians = static_cast<double>(statistics.jacobian_evaluations);
  }
  return run;
}

Run run_ida(Formulation formulation, IdaJacobian kind, double tolerance, double t_end,
            const Eigen::VectorXd& expected) {
  Run run{{kind == IdaJacobian::grouped ? "IDA, grouped differences, KLU" : "IDA, dense differences", number(tolerance),
           std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}};
  for (int k = 0; k < repeats; ++k) {
    const StartedIntegrator started(make(formulation),
                                    make_integrator(RadauOptions{.rtol = tolerance, .atol = tolerance}));
    const StabilisedIdaResult result =
        integrate_with_ida(*started.equations, started.integrator->state(), t_end, tolerance, tolerance, kind);
    run.point.milliseconds = std::min(run.point.milliseconds, 1e3 * result.cpu_seconds);
    if (result.finished) run.point.error = error_of(result.end.p, expected);
    run.point.calls = static_cast<double>(result.calls);
    run.point.steps = static_cast<double>(result.steps);
    run.jacobians = static_cast<double>(result.jacobians);
  }
  return run;
}

/// The smaller one; NaN where neither method reaches the error.
double least_cost(const std::vector<std::vector<WorkPoint>>& peers, double error, double WorkPoint::*cost) {
  double least = std::numeric_limits<double>::quiet_NaN();
  for (const std::vector<WorkPoint>& peer : peers) least = std::fmin(least, cost_at_error(peer, error, cost));
  return least;
}

std::vector<std::string> row_of(const Run& run) {
  const WorkPoint& point = run.point;
  return {point.code,
          point.setting,
          number(point.error, 2),
          number(point.steps, 6),
          number(point.calls, 7),
          number(run.jacobians, 6),
          number(point.milliseconds, 3)};
}

}  // namespace

void compare_radau_with_ida(Formulation formulation, std::ostream& out) {
  const double t_end = find_model("andrews").t_end;
  StartedIntegrator tight(make(formulation), make_integrator(ExtrapolationOptions{.rtol = 1e-12, .atol = 1e-12}));
  tight.run(t_end);
  const Eigen::VectorXd expected = tight.integrator->state().p;
  TextTable table({"code", "rtol", "error", "steps", "calls", "Jacobians", "ms", "steps / IDA's", "ms / IDA's"});
  std::vector<std::vector<WorkPoint>> peers;
  for (const IdaJacobian kind : {IdaJacobian::dense_differences, IdaJacobian::grouped}) {
    peers.emplace_back();
    for (const double tolerance : {1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11}) {
      const Run run = run_ida(formulation, kind, tolerance, t_end, expected);
      if (!std::isnan(run.point.error)) peers.back().push_back(run.point);
      std::vector<std::string> row = row_of(run);
      row.insert(row.end(), 2, "");
      table.add(row);
    }
  }
  for (const double tolerance : {1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9}) {
    const Run run = run_radau(formulation, tolerance, t_end, expected);
    std::vector<std::string> row = row_of(run);
    for (double WorkPoint::*cost : {&WorkPoint::steps, &WorkPoint::milliseconds})
      row.push_back(number(run.point.*cost / least_cost(peers, run.point.error, cost), 2));
    table.add(row);
  }
  out << "radau: andrews, " << name_of(formulation) << " coordinates, " << number(t_end)
      << " s, atol = rtol; ratios to the cheaper IDA at the same error\n";
  table.print(out);
  out << '\n';
}

}  // namespace linkwork::apps
