#include "reproduce/whole_runs.hpp"

#include "corrector_analysis.hpp"
#include "text_table.hpp"

#include <linkwork/solvers/dae/motion_residual.hpp>
#include <linkwork/solvers/integrators/radau.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

namespace linkwork::apps {
namespace {

constexpr double share_of_reference = 1e-3;  // its tolerance, in units of that of the runs

struct NamedCorrector {
  const char* name;
  CorrectorOptions options;
};

std::vector<NamedCorrector> correctors_of(const NewtonCase& of) {
  using Method = CorrectorMethod;
  return {{"simplified", {}},
          {"dropped-lu", {.method = Method::dropped_lu, .drop_tolerance = of.drop_tolerance}},
          {"krylov", {.method = Method::krylov}},
          {"broyden", {.method = Method::broyden}},
          {"broyden at the last iteration",
           {.method = Method::broyden, .broyden_updates = BroydenUpdates::at_last_iteration}},
          {"cycle that adapts", {.method = Method::cycle, .drop_tolerance = of.drop_tolerance}},
          {"simplified with a second thread", {.factor_delay = 2}},
          {"cycle with a second thread",
           {.method = Method::cycle, .drop_tolerance = of.drop_tolerance, .factor_delay = 2}}};
}

std::vector<NamedCorrector> correctors_of_radau(const NewtonCase& of) {
  std::vector<NamedCorrector> all = correctors_of(of);
  all.erase(std::remove_if(all.begin(), all.end(),
                           [](const NamedCorrector& each) {
                             return each.options.method == CorrectorMethod::broyden || each.options.factor_delay > 0;
                           }),
            all.end());
  return all;
}

/// What the analysis of runs finds best, interval by interval.
CorrectorOptions scheduled(const NewtonCase& of) {
  CorrectorOptions options{.method = CorrectorMethod::cycle};
  options.schedule = analyse_corrector([&](const CorrectorOptions& newton) { run_corrector(of, newton); }, options,
                                       of.model, corrector_system(simulation_of(of, study_options(of))), of.t_end)
                         .schedule;
  return options;
}

CorrectorRun run_radau(const NewtonCase& of, const CorrectorOptions& corrector, double tolerance) {
  Simulation simulation =
      simulation_of(of, RadauOptions{.rtol = tolerance,
                                     .atol = tolerance,
                                     .solver = corrector.drops() ? StageSolver::sparse : StageSolver::automatic,
                                     .newton = corrector});
  CorrectorRun out;
  out.end = simulation.run(0, of.t_end).final_state();
  out.counts = simulation.statistics().integrator;
  out.unknowns = MotionResidual(simulation.equations(), {}).size();
  return out;
}

/// Largest difference of positions and velocities, in units of 1 and of their size.
double difference(const State& a, const State& b) {
  const auto of = [](const Eigen::VectorXd& x, const Eigen::VectorXd& exact) {
    return ((x - exact).array().abs() / exact.array().abs().max(1.0)).maxCoeff();
  };
  return std::max(of(a.p, b.p), of(a.v, b.v));
}

std::int64_t substitutions(const CorrectorRun& run) {
  const CorrectorStatistics& counts = run.counts.corrector;
  return std::accumulate(counts.iterations.begin(), counts.iterations.end(), counts.krylov_steps);
}

/// Work of the dearest solution of a step over that of the mean one.
double longest_over_mean(const CorrectorRun& run) {
  if (run.records.empty()) return unknown;
  double longest = 0, sum = 0;
  for (const CorrectorRecord& record : run.records) {
    longest = std::max(longest, record.work);
    sum += record.work;
  }
  return longest * static_cast<double>(run.records.size()) / sum;
}

std::string csv_field(double value) { return std::isfinite(value) ? number(value, 6) : ""; }

double gain(double plain, double other) { return other > 0 ? plain / other : unknown; }

/// One model by one integrator, with one strategy for its Jacobians; the first run is simplified Newton's.
class Lines {
 public:
  Lines(std::ostream& out, const NewtonCase& of, const char* integrator, const char* jacobian, const State& exact)
      : out_(out), of_(of), integrator_(integrator), jacobian_(jacobian), exact_(exact) {}

  template <class Run>
  void add(const char* corrector, const Run& run) {
    out_ << of_.model << ',' << integrator_ << ',' << jacobian_ << ',' << corrector;
    try {
      write(run());
    } catch (const RunError&) {  // it does not get to the end
      out_ << std::string(figures, ',') << '\n';
    }
  }

 private:
  static constexpr std::size_t figures = 12;  // that follow the names of a run

  void write(const CorrectorRun& run) {
    const auto evaluations = static_cast<double>(run.counts.function_calls);
    const double work = run.counts.corrector.work, error = difference(run.end, exact_);
    if (plain_evaluations_ == 0) {
      plain_evaluations_ = evaluations;
      plain_work_ = work;
      plain_error_ = error;
    }
    out_ << ',' << run.unknowns << ',' << run.counts.steps << ',' << run.counts.function_calls << ','
         << run.counts.factorizations;
    for (const double value :
         {work > 0 ? static_cast<double>(run.counts.corrector.factor_entries) : unknown,
          static_cast<double>(substitutions(run)), work > 0 ? work : unknown, gain(plain_evaluations_, evaluations),
          gain(plain_work_, work), longest_over_mean(run), error, error / plain_error_})
      out_ << ',' << csv_field(value);
    out_ << '\n';
  }

  std::ostream& out_;
  const NewtonCase& of_;
  const char *integrator_, *jacobian_;
  const State& exact_;
  double plain_evaluations_ = 0, plain_work_ = 0, plain_error_ = 0;
};

void write_runs_of_bdf(std::ostream& out, const NewtonCase& of, const char* jacobian, const State& exact) {
  Lines lines(out, of, "bdf", jacobian, exact);
  for (const NamedCorrector& each : correctors_of(of))
    lines.add(each.name, [&] { return run_corrector(of, each.options); });
  lines.add("cycle on its schedule", [&] { return run_corrector(of, scheduled(of)); });
}

}  // namespace

void write_whole_runs(std::ostream& out, const std::vector<NewtonCase>& cases) {
  out << "model,integrator,jacobian,corrector,unknowns,steps,evaluations,factorisations,factor_entries,substitutions,"
         "work,gain_in_evaluations,gain_in_work,longest_over_mean_work,error,error_ratio\n";
  for (NewtonCase each : cases) {
    const State exact = run_radau(each, {}, share_of_reference * each.tolerance).end;
    each.updates = PartitionedUpdates::on;
    write_runs_of_bdf(out, each, "partitioned updates", exact);
    each.updates = PartitionedUpdates::off;
    write_runs_of_bdf(out, each, "differenced", exact);
    Lines lines(out, each, "radau", "differenced", exact);
    for (const NamedCorrector& corrector : correctors_of_radau(each))
      lines.add(corrector.name, [&] { return run_radau(each, corrector.options, each.tolerance); });
  }
}

const std::vector<NewtonCase>& whole_run_cases() {
  constexpr auto relative = Formulation::relative;
  static const std::vector<NewtonCase> cases = {
      {.model = "gimbal", .t_end = 5, .tolerance = 1e-5, .formulation = relative},
      {.model = "andrews", .t_end = 0.03, .tolerance = 1e-5, .formulation = relative},
      {.model = "truck", .t_end = 20, .tolerance = 1e-5, .formulation = relative},
      {.model = "train_carriage", .t_end = 15, .tolerance = 1e-4, .formulation = relative},
      {.model = "atv", .t_end = 2.5, .tolerance = 1e-4, .formulation = relative},
      {.model = "sprocket_chain", .t_end = 0.05, .tolerance = 1e-4, .formulation = relative}};
  return cases;
}

}  // namespace linkwork::apps
