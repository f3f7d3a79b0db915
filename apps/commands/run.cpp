#include "commands/command.hpp"
#include "commands/event_argument.hpp"
#include "commands/integrator_arguments.hpp"
#include "commands/model_arguments.hpp"
#include "commands/option_names.hpp"
#include "commands/progress_line.hpp"
#include "commands/start_arguments.hpp"
#include "methods.hpp"
#include "output_file.hpp"
#include "run_report.hpp"
#include "start_report.hpp"
#include "trajectory_file.hpp"
#include "zoo/zoo.hpp"
#include "zoo_simulation.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/rank_monitor.hpp>
#include <linkwork/solvers/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace linkwork::apps {
namespace {

struct Options {
  ModelArguments model;
  std::string formulation = formulation_names().front(), cuts = cut_strategy_names().front();
  std::string linear_solver = "auto";
  IntegratorArguments integrator;
  StartArguments start;
  std::optional<double> t_end, rate;
  std::string out, json, log, save;
  std::vector<std::string> events;
  bool no_events = false, no_invariants = false, watch_rank = false, check_declarations = false, check_start = false;
  bool quiet = false;

  bool standard_output_is_taken() const { return json == "-" || out == "-" || save == "-"; }
};

/// Of integrators that know them.
void leave_invariants(IntegratorOptions& integrator) {
  std::visit(
      [](auto& chosen) {
        if constexpr (requires { chosen.keep_invariants; }) chosen.keep_invariants = false;
      },
      integrator);
}

SimulationOptions simulation_options(const Options& options, const ZooModel& model) {
  SimulationOptions result;
  result.formulation = formulation_named(options.formulation);
  result.topology = parse_cuts(options.cuts);
  result.linear_solver = options.linear_solver;
  result.integrator = options.integrator.options(model);
  if (options.no_invariants) leave_invariants(result.integrator);
  result.keep_dense_output = result.keep_steps = !options.out.empty() || !options.save.empty();
  result.energy_balance = !options.json.empty();
  result.check_declarations = options.check_declarations;
  result.step_log = options.log;
  result.rough_placement = options.start.any() || options.check_start;
  return result;
}

void add_events(Simulation& simulation, const Options& options, const ZooModel& model) {
  if (!options.no_events && options.events.empty()) add_offered_events(simulation, model);
  for (const std::string& text : options.events) simulation.add_event(parse_event(text));
}

/// Options that ask for a run, beside one that asks for none; and of two that contradict each other.
void expect_no_contradiction(const Options& options) {
  const auto expect_alone = [](const char* option, const char* why, const char* other, bool given) {
    if (given) throw ModelError(concat(option, ' ', why, ", and ", other, " is given; leave one of them out."));
  };
  if (options.no_events) expect_alone("--no-events", "looks for no zeros", "--event", !options.events.empty());
  if (!options.check_start) return;
  const std::pair<const char*, bool> others[] = {{"--out", !options.out.empty()},
                                                 {"--rate", options.rate.has_value()},
                                                 {"--save", !options.save.empty()},
                                                 {"--log", !options.log.empty()},
                                                 {"--event", !options.events.empty()},
                                                 {"--watch-rank", options.watch_rank},
                                                 {"--check-declarations", options.check_declarations},
                                                 {"--assemble", options.start.assemble}};
  for (const auto& [other, given] : others)
    expect_alone("--check-start", "only looks at the initial values", other, given);
}

void expect_different_files(const Options& options) {
  const std::vector<std::pair<std::string, std::string>> files = {
      {"--out", options.out}, {"--json", options.json}, {"--save", options.save}, {"--log", options.log}};
  for (std::size_t i = 0; i < files.size(); ++i)
    for (std::size_t j = i + 1; j < files.size(); ++j) {
      const auto& [option, file] = files[i];
      if (file.empty() || file != files[j].second) continue;
      throw ModelError(concat(option, ' ', file, " and ", files[j].first, ' ', file, " can't both write to ",
                              file == "-" ? "standard output" : "one file", "; give one of them ",
                              file == "-" ? "a file." : "another name."));
    }
}

/// The files that a run writes, opened before it begins.
struct Outputs {
  std::optional<OutputFile> csv, json, trajectory;

  Outputs(const Options& options, double t_end) {
    constexpr double most_samples = 1e9;
    expect_different_files(options);
    if (options.rate && options.out.empty())
      throw ModelError("--rate is for the samples of --out FILE; give --out too.");
    if (options.rate && !(std::isfinite(*options.rate) && *options.rate > 0))
      throw ModelError(concat("--rate is ", *options.rate, " Hz; expected a finite number above 0."));
    if (options.rate && *options.rate * t_end > most_samples)
      throw ModelError(concat("--rate is ", *options.rate, " Hz, which gives ", *options.rate * t_end,
                              " samples up to t = ", t_end, " s; give a lower rate."));
    if (!options.out.empty()) csv.emplace(options.out);
    if (!options.json.empty()) json.emplace(options.json);
    if (!options.save.empty()) trajectory.emplace(options.save);
  }
};

RunEnd integrate(Simulation& simulation, double t_end, bool quiet) {
  ProgressLine line(!quiet);
  simulation.on_progress([&line](double t, double end) { line.update("t =", t, end, "s"); });
  RunEnd result;
  result.t_end = t_end;
  try {
    simulation.run(result.t_begin, t_end);
  } catch (const RunError& error) {
    result.failed = true;
    result.reason = with_options(error.what());
  }
  return result;
}

/// Also after a failure, so that what was computed is not lost.
void write_results(Outputs& outputs, Simulation& simulation, const ZooModel& model, const RunDescription& description,
                   const RunEnd& end, const Options& options) {
  // 1000 samples over the whole run, if it is not so short that their rate overflows.
  const double default_rate = end.t_end > 0 ? std::min(1000 / end.t_end, std::numeric_limits<double>::max()) : 1.0;
  const Trajectory& path = simulation.trajectory();
  if (outputs.csv) {
    UnknownPoints unknown;
    if (!path.empty()) unknown = path.write_csv(outputs.csv->stream(), options.rate.value_or(default_rate));
    outputs.csv->close();
    if (unknown.count > 0) std::cerr << "linkwork: " << unknown.sentence() << '\n';
  }
  if (outputs.trajectory) {
    write_trajectory(outputs.trajectory->stream(), description, path);
    outputs.trajectory->close();
  }
  if (outputs.json) {
    outputs.json->stream() << run_report(simulation, model, description, end).dump(2) << '\n';
    outputs.json->close();
  }
}

void print_observables(Simulation& simulation, const ZooModel& model, const Parameters& parameters) {
  const Eigen::VectorXd values = final_observables(simulation);
  const auto names = simulation.equations().observable_names();
  for (Eigen::Index i = 0; i < values.size(); ++i)
    std::cout << names[static_cast<std::size_t>(i)] << " = " << concat(values[i]) << '\n';
  for (const EventRecord& event : simulation.trajectory().events())
    std::cout << "event " << event.name << " at t = " << concat(event.t) << " s\n";
  const double error = final_reference_error(simulation, model, parameters);
  if (!std::isnan(error)) std::cout << "largest error against the reference: " << concat(error) << '\n';
}

/// Watches the rank of the constraints, on a model of its own: only from that it knows names.
std::unique_ptr<RankMonitor> watch_rank(Simulation& simulation, const ZooModel& model, const Parameters& parameters,
                                        const SimulationOptions& options) {
  auto monitor = std::visit(
      [&](const auto& built) {
        return std::make_unique<RankMonitor>(built, EquationsOptions{options.formulation, options.topology});
      },
      model.graph(parameters));
  simulation.observe(monitor->observer());
  return monitor;
}

/// Tells whether the initial values of the model are consistent, and satisfy the conditions.
int check_start(Simulation& simulation, const Options& options) {
  simulation.set_initial_conditions(options.start.conditions());
  const InitialValues values = simulation.check_initial_values(0);
  if (options.json.empty()) {
    std::cout << (values.consistent ? "the initial values are consistent." : values.reason) << '\n';
  } else {
    OutputFile json(options.json);
    const nlohmann::ordered_json report = {{"consistent", values.consistent}, {"reason", values.reason}};
    json.stream() << report.dump(2) << '\n';
    json.close();
  }
  return values.consistent ? done : run_failed;
}

int run(const Options& options) {
  expect_no_contradiction(options);
  const ZooModel& model = find_model(options.model.name);
  const Parameters parameters = options.model.parameters(model);
  const double t_end = options.t_end.value_or(model.t_end);
  if (!(std::isfinite(t_end) && t_end >= 0))
    throw ModelError(
        concat("--tend is ", t_end, " s; expected a finite time, and not before 0 s, where the run begins."));
  const SimulationOptions chosen = simulation_options(options, model);
  Simulation simulation = make_simulation(model, parameters, chosen);
  if (options.check_start) return check_start(simulation, options);
  // Small systems are searched for a start also where there are no conditions: the report then knows what is free.
  if (options.start.any() || (t_end == 0 && simulation.equations().dimensions().v <= largest_initial_value_problem))
    simulation.set_initial_conditions(options.start.conditions());
  add_events(simulation, options, model);
  const auto monitor = options.watch_rank ? watch_rank(simulation, model, parameters, chosen) : nullptr;
  Outputs outputs(options, t_end);

  RunEnd end = integrate(simulation, t_end, options.quiet);
  if (monitor) end.singular_positions = monitor->reports();
  if (t_end == 0 && !end.failed) end.start = report_start(simulation);
  const RunDescription description{model.name,
                                   parameters,
                                   options.formulation,
                                   options.cuts,
                                   simulation.linear_solver_name(),
                                   simulation.integrator_name(),
                                   options.integrator.rtol,
                                   options.integrator.atol,
                                   options.integrator.given()};
  write_results(outputs, simulation, model, description, end, options);
  if (!options.quiet && !options.standard_output_is_taken()) {
    std::cout << simulation.summary();
    print_observables(simulation, model, parameters);
    if (end.start) print(std::cout, *end.start, simulation.equations());
  }
  // They were asked for: neither --quiet nor a file on standard output keeps them back.
  std::ostream& reports = options.standard_output_is_taken() ? std::cerr : std::cout;
  for (const RankMonitor::Report& report : monitor ? monitor->reports() : std::vector<RankMonitor::Report>())
    reports << report.sentence << '\n';
  if (!end.failed) return done;
  std::cerr << "linkwork: " << end.reason << '\n';
  return run_failed;
}

}  // namespace

Command add_run(CLI::App& program) {
  CLI::App* app = program.add_subcommand("run", "Simulates a model.");
  auto options = std::make_shared<Options>();
  options->model.add_to(*app);
  app->option_defaults()->always_capture_default();  // shown by --help
  app->add_option("--formulation", options->formulation, listed(formulation_names()));
  app->add_option("--cuts", options->cuts, cuts_help());
  app->add_option("--linear", options->linear_solver, listed(linear_solver_names()));
  options->integrator.add_to(*app);
  options->start.add_to(*app);
  app->add_option("--tend", options->t_end,
                  "end of the run [s]; the model's own by default, 0 reports the consistent start");
  app->add_option("--out", options->out, "samples as CSV; - for standard output")->type_name("FILE");
  app->add_option("--rate", options->rate, "samples per second [Hz]; by default 1000 samples over the run");
  app->add_option("--json", options->json, "report as JSON, with the energy balance; - for standard output")
      ->type_name("FILE");
  app->add_option("--log", options->log, "monitor of all steps as CSV")->type_name("FILE");
  app->add_option("--save", options->save, "continuous solution, for 'linkwork sample'")->type_name("FILE");
  app->add_option("--event", options->events,
                  "reports the zeros of an observable, in place of the events that the model offers")
      ->type_name("OBSERVABLE[:rising|:falling][:stop][:threshold=VALUE]")
      ->allow_extra_args(false);
  app->add_flag("--no-events", options->no_events, "looks for no zeros");
  app->add_flag("--no-invariants", options->no_invariants,
                "does not move steps onto the model's solution invariants, such as its energy");
  app->add_flag("--watch-rank", options->watch_rank, "reports singular positions, where constraints lose rank");
  app->add_flag("--check-start", options->check_start, "only tells whether the initial values are consistent");
  app->add_flag("--check-declarations", options->check_declarations,
                "ends where an element uses what it does not declare");
  app->add_flag("--quiet", options->quiet, "prints no summary and no progress");
  return {app, [options] { return run(*options); }};
}

}  // namespace linkwork::apps
