#include "bench/cpu_clock.hpp"
#include "commands/model_arguments.hpp"
#include "commands/progress_line.hpp"
#include "commands/subcommand.hpp"
#include "cuts.hpp"
#include "figures/chart.hpp"
#include "integrator_table.hpp"
#include "interruption.hpp"
#include "model_simulation.hpp"
#include "output_file.hpp"
#include "run_description.hpp"
#include "text_table.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/files/json_number.hpp>
#include <linkwork/solvers/files/run_json.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace linkwork::apps {
namespace {

using Json = nlohmann::ordered_json;

struct CompareArguments {
  ModelArguments model;
  std::string cuts = cut_strategy_names().front(), json, svg;
  Tolerances tolerances;
  std::optional<double> t_end;
  std::string reduction = name_of(Reduction::none);

  /// Those that are compared besides the direct methods.
  std::vector<Reduction> reductions() const {
    if (reduction != "all") {
      const Reduction one = reduction_named(reduction);
      return one == Reduction::none ? std::vector<Reduction>() : std::vector{one};
    }
    std::vector<Reduction> all;
    for (const std::string& name : reduction_names())
      if (name != name_of(Reduction::none)) all.push_back(reduction_named(name));
    return all;
  }
};

/// One combination of methods and what became of it.
struct Run {
  RunDescription description;
  std::string status, reason;  ///< done, failed, refused or interrupted
  SimulationStatistics statistics;
  ConstraintResidual residual;
  EnergyReport energy;
  Eigen::VectorXd observables;
  double cpu_seconds = unknown, reference_error = unknown;
  double difference = unknown;  ///< of the observables from those of the first run that was done

  bool is_done() const { return status == "done"; }
};

/// max |x - y| / max(1, |y|)
double scaled_difference(const Eigen::VectorXd& x, const Eigen::VectorXd& y) {
  if (x.size() == 0 || x.size() != y.size()) return unknown;
  return ((x - y).array().abs() / y.array().abs().max(1.0)).maxCoeff();
}

/// Takes the smallest processor time of several runs; one is enough where it takes long.
void simulate(const CommandModel& model, const SimulationOptions& options, double t_end, Run& run) {
  constexpr int most_repetitions = 5;
  constexpr double long_enough = 0.2;  // [s] in all
  double spent = 0;
  run.cpu_seconds = std::numeric_limits<double>::infinity();
  for (int k = 0; k < most_repetitions && spent < long_enough; ++k) {
    Simulation simulation = make_simulation(model, run.description.parameters, options);
    simulation.on_progress([](double t, double end) {
      if (is_interrupted() && t < end) throw RunError(concat(interruption_name(), " ended it at t = ", t, " s."), t);
    });
    const double start = cpu_seconds();
    simulation.run(0, t_end);
    const double seconds = cpu_seconds() - start;
    spent += seconds;
    run.cpu_seconds = std::min(run.cpu_seconds, seconds);
    run.statistics = simulation.statistics();
    run.residual = simulation.constraint_residual();
    run.energy = simulation.energy();
    run.observables = final_observables(simulation);
    run.reference_error = final_reference_error(simulation, model, run.description.parameters);
  }
}

Run try_combination(const CommandModel& model, RunDescription description, const CompareArguments& options,
                    double t_end) {
  SimulationOptions simulation_options;
  simulation_options.formulation = formulation_named(description.formulation);
  simulation_options.topology = parse_cuts(options.cuts);
  simulation_options.linear_solver = description.linear_solver;
  simulation_options.reduction.method = reduction_named(description.reduction);
  const CommonChoices common{.rtol = options.tolerances.rtol, .atol = options.tolerances.atol};
  simulation_options.integrator = find_integrator(description.integrator).make(model, common, {});
  simulation_options.keep_dense_output = simulation_options.keep_steps = false;
  Run run;
  run.description = std::move(description);
  try {
    simulate(model, simulation_options, t_end, run);
    run.status = "done";
  } catch (const ModelError& error) {
    run.status = "refused";
    run.reason = error.what();
  } catch (const RunError& error) {
    run.status = is_interrupted() ? "interrupted" : "failed";
    run.reason = error.what();
  }
  if (!run.is_done()) run.cpu_seconds = unknown;
  return run;
}

/// Whether equations of motion in a formulation have no constraint rows: then integrators from libraries take them.
bool has_no_rows(const CommandModel& model, const Parameters& parameters, const std::string& formulation,
                 const std::string& cuts) {
  try {
    const auto equations = make_equations(
        model, parameters, {.formulation = formulation_named(formulation), .topology = parse_cuts(cuts)});
    return equations->dimensions().constraints() == 0;
  } catch (const ModelError&) {  // the runs of the others say why
    return false;
  }
}

/// "auto" is left out where it is one of the others. Methods that factor matrices of their own need a linear solver at
/// the start only.
std::vector<RunDescription> combinations(const CommandModel& model, const Parameters& parameters,
                                         const CompareArguments& options) {
  std::vector<RunDescription> all;
  const auto add = [&](const std::string& formulation, const std::string& solver, const std::string& integrator,
                       Reduction reduction = Reduction::none) {
    all.push_back({model.name,
                   parameters,
                   formulation,
                   options.cuts,
                   solver,
                   integrator,
                   options.tolerances.rtol,
                   options.tolerances.atol,
                   {},
                   name_of(reduction),
                   {}});
  };
  for (const std::string& formulation : formulation_names()) {
    for (const std::string& solver : linear_solver_names())
      if (solver != "auto") add(formulation, solver, "extrapolation");
    add(formulation, "auto", "bdf");
    add(formulation, "auto", "radau");
    for (const Reduction reduction : options.reductions())
      for (const std::string& integrator : integrator_names()) add(formulation, "auto", integrator, reduction);
    if (!has_no_rows(model, parameters, formulation, options.cuts)) continue;
    for (const char* integrator : {"dopri5", "bulirsch-stoer", "cvode-adams", "cvode-bdf"})
      add(formulation, "auto", integrator);
  }
  return all;
}

Json row_of(const Run& run, double fastest) {
  Json json = to_json(run.description);
  json["status"] = run.status;
  json["reason"] = run.reason;
  if (!run.is_done()) return json;
  json["statistics"] = to_json(run.statistics);
  json["cpu_milliseconds"] = number_or_null(1e3 * run.cpu_seconds);
  json["cpu_ratio"] = number_or_null(run.cpu_seconds / fastest);
  json["reference_error"] = number_or_null(run.reference_error);
  json["difference"] = number_or_null(run.difference);
  json["constraint_residual"] = to_json(run.residual);
  json["energy"] = to_json(run.energy);
  return json;
}

void print(const std::vector<Run>& runs, double fastest) {
  TextTable table({"formulation", "linear solver", "integrator", "reduction", "steps", "evaluations", "factorizations",
                   "iterations", "CPU ms", "ratio", "error", "difference", "position", "velocity", "drift J"});
  for (const Run& run : runs) {
    if (!run.is_done()) continue;
    const ConstraintResidual& r = run.residual;
    table.add({run.description.formulation, run.description.linear_solver, run.description.integrator,
               run.description.reduction, std::to_string(run.statistics.integrator.steps),
               std::to_string(run.statistics.evaluations.force),
               std::to_string(run.statistics.linear.factorizations + run.statistics.integrator.factorizations),
               std::to_string(run.statistics.linear.iterations), number(1e3 * run.cpu_seconds),
               number(run.cpu_seconds / fastest, 3), number(run.reference_error, 2), number(run.difference, 2),
               number(std::max(r.position_m, r.position_rad), 2),
               number(std::max(r.velocity_m_per_s, r.velocity_rad_per_s), 2), number(run.energy.max_drift, 2)});
  }
  table.print(std::cout);
  for (const Run& run : runs)
    if (!run.is_done())
      std::cout << run.description.formulation << ", " << run.description.linear_solver << ", "
                << run.description.integrator
                << (run.description.reduction == "none" ? "" : ", " + run.description.reduction) << ": " << run.status
                << ": " << run.reason << '\n';
  std::cout << "evaluations: of forces; factorizations: of masses with constraints and of iteration matrices; error: "
               "against the reference; difference: of the observables from those of the "
               "first line;\nposition, velocity: largest residuals of the constraints [m, rad, s]\n";
}

/// The same methods at other tolerances, by the automatic linear solver: processor time against errors. Errors are
/// those against the model's reference at t_end, or where it has none differences from the observables of radau at
/// 1e-12. None where the user interrupts it.
std::optional<Chart> work_against_precision(const CommandModel& model, const Parameters& parameters,
                                            CompareArguments options, double t_end) {
  constexpr double reference_tolerance = 1e-12;
  const auto at_tolerance = [&](RunDescription method, double tolerance) {
    options.tolerances.rtol = options.tolerances.atol = method.rtol = method.atol = tolerance;
    method.linear_solver = "auto";
    return try_combination(model, std::move(method), options, t_end);
  };
  std::vector<RunDescription> methods = combinations(model, parameters, options);
  const auto same_but_solver = [](const RunDescription& x, const RunDescription& y) {
    return x.formulation == y.formulation && x.integrator == y.integrator && x.reduction == y.reduction;
  };
  methods.erase(std::unique(methods.begin(), methods.end(), same_but_solver), methods.end());
  Eigen::VectorXd reference;
  if (!model.reference_at(parameters, t_end)) {
    RunDescription radau = methods.front();
    radau.integrator = "radau";
    const Run run = at_tolerance(radau, reference_tolerance);
    if (is_interrupted()) return {};
    if (!run.is_done()) throw ModelError(concat("--svg has no reference to measure errors by: ", run.reason));
    reference = run.observables;
  }
  Chart chart{model.name, {"error", true}, {"processor time [ms]", true}, {}};
  ProgressLine line(true);
  for (const RunDescription& method : methods) {
    line.update("method", static_cast<double>(chart.series.size()), static_cast<double>(methods.size()), "");
    ChartSeries& series = chart.series.emplace_back();
    series.name =
        concat(method.integrator, ", ", method.formulation, method.reduction == "none" ? "" : ", " + method.reduction);
    series.style = ChartSeries::Style::line_with_points;
    for (int digits = 3; digits <= 10 && !is_interrupted(); ++digits) {
      const Run run = at_tolerance(method, std::pow(10.0, -digits));
      if (!run.is_done()) continue;
      series.x.push_back(reference.size() > 0 ? scaled_difference(run.observables, reference) : run.reference_error);
      series.y.push_back(1e3 * run.cpu_seconds);
    }
  }
  if (is_interrupted()) return {};
  return chart;
}

void expect_errors_to_measure(const CommandModel& model, const Parameters& parameters, double t_end) {
  if (model.reference_at(parameters, t_end) || !make_equations(model, parameters, {})->observable_names().empty())
    return;
  throw ModelError(concat("--svg draws work against errors of observables, and model '", model.name,
                          "' has none; add one by add_observable."));
}

/// What no method takes is no property of one: a cut with an unknown name, a model that is not in order.
void refuse_what_all_refuse(const std::vector<Run>& runs) {
  const bool is_one_reason = std::all_of(runs.begin(), runs.end(), [&](const Run& run) {
    return run.status == "refused" && run.reason == runs.front().reason;
  });
  if (is_one_reason) throw ModelError(runs.front().reason);
}

int compare(const CompareArguments& options) {
  defer_interruption();
  const CommandModel& model = options.model.model();
  const Parameters parameters = options.model.parameters(model);
  const double t_end = options.t_end.value_or(model.t_end);
  if (!(std::isfinite(t_end) && t_end > 0))
    throw ModelError(concat("--tend is ", t_end, " s; expected a finite time above 0 s, where the runs begin."));
  if (const std::string reason = options.tolerances.why_invalid(); !reason.empty()) throw ModelError(reason);
  parse_cuts(options.cuts);
  expect_different_files({{"--json", options.json}, {"--svg", options.svg}});
  std::optional<OutputFile> json, svg;
  if (!options.json.empty()) json.emplace(options.json);
  if (!options.svg.empty()) {
    expect_errors_to_measure(model, parameters, t_end);
    require_gnuplot();
    svg.emplace(options.svg);
  }

  std::vector<Run> runs;
  double fastest = std::numeric_limits<double>::infinity();
  {
    const std::vector<RunDescription> all = combinations(model, parameters, options);
    ProgressLine line(true);
    for (const RunDescription& description : all) {
      line.update("run", static_cast<double>(runs.size()), static_cast<double>(all.size()), "");
      runs.push_back(try_combination(model, description, options, t_end));
      if (is_interrupted()) break;
    }
  }
  refuse_what_all_refuse(runs);
  const auto first = std::find_if(runs.begin(), runs.end(), [](const Run& run) { return run.is_done(); });
  for (Run& run : runs) {
    if (!run.is_done()) continue;
    run.difference = scaled_difference(run.observables, first->observables);
    fastest = std::min(fastest, run.cpu_seconds);
  }
  if (!is_standard_output(options.json) && !is_standard_output(options.svg)) print(runs, fastest);
  if (json) {
    Json rows = Json::array();
    for (const Run& run : runs) rows.push_back(row_of(run, fastest));
    json->stream() << Json{{"model", model.name}, {"t_end", t_end}, {"rows", rows}}.dump(2) << '\n';
    json->close();
  }
  if (svg && first != runs.end() && !is_interrupted()) {
    if (const std::optional<Chart> chart = work_against_precision(model, parameters, options, t_end)) {
      svg->stream() << svg_of({*chart});
      svg->close();
    }
  }
  if (is_interrupted()) return interruption_status();
  if (first != runs.end()) return done;
  std::cerr << program_name() << ": no combination ran to the end.\n";
  return run_failed;
}

}  // namespace

Command add_compare(CLI::App& program, const ModelList& models) {
  CLI::App* app = program.add_subcommand(
      "compare",
      "Runs a model in every formulation, by extrapolation with every linear solver, by bdf and by radau, and where "
      "there are no constraint rows by the integrators from libraries too, one table. "
      "What fails or is refused is a finding and named below it, with exit status 0; 1 is for none that ran to the "
      "end. "
      "A signal ends it after the present step and writes what was compared.");
  auto options = std::make_shared<CompareArguments>();
  when_named(app, [app, options, &models] {
    options->model.add_to(*app, models);
    app->option_defaults()->always_capture_default();
    app->add_option("--rtol", options->tolerances.rtol, "relative tolerance");
    app->add_option("--atol", options->tolerances.atol, "absolute tolerance");
    app->add_option("--tend", options->t_end, "end of the runs [s]; the model's own by default");
    app->add_option("--cuts", options->cuts, cuts_help());
    app->add_option("--reduction", options->reduction,
                    "with every integrator, besides direct methods: all, or " + listed(reduction_names()));
    app->add_option("--json", options->json, "results as JSON; - for standard output")->type_name("FILE");
    app->add_option(
           "--svg", options->svg,
           "draws work against precision: every integrator in every formulation at tolerances from 1e-3 to 1e-10; "
           "- for standard output")
        ->type_name("FILE");
  });
  return {app, [options] { return compare(*options); }};
}

}  // namespace linkwork::apps
