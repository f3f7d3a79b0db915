#include "comma_list.hpp"
#include "commands/event_argument.hpp"
#include "commands/integrator_arguments.hpp"
#include "commands/model_arguments.hpp"
#include "commands/open_page.hpp"
#include "commands/option_names.hpp"
#include "commands/progress_line.hpp"
#include "commands/reduction_arguments.hpp"
#include "commands/sample_rate.hpp"
#include "commands/start_arguments.hpp"
#include "commands/subcommand.hpp"
#include "corrector_analysis.hpp"
#include "corrector_log.hpp"
#include "corrector_schedule_file.hpp"
#include "cuts.hpp"
#include "figures/run_charts.hpp"
#include "interruption.hpp"
#include "model_list.hpp"
#include "model_simulation.hpp"
#include "output_file.hpp"
#include "run_report.hpp"
#include "start_report.hpp"
#include "trajectory_file.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/analyses/rank_monitor.hpp>
#include <linkwork/solvers/pictures/frame_times.hpp>
#include <linkwork/solvers/pictures/gltf.hpp>
#include <linkwork/solvers/pictures/poses.hpp>
#include <linkwork/solvers/pictures/web_page.hpp>
#include <linkwork/solvers/simulation/columns.hpp>
#include <linkwork/solvers/simulation/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <exception>
#include <filesystem>
#include <iostream>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace linkwork::apps {
namespace {

struct RunArguments {
  ModelArguments model;
  std::string formulation = formulation_names().front(), cuts = cut_strategy_names().front();
  std::string linear_solver = "auto";
  IntegratorArguments integrator;
  ReductionArguments reduction;
  StartArguments start;
  std::optional<double> t_end, rate, frame_rate;
  std::string out, json, log, save, poses, html, svg;
  std::vector<std::string> columns, curves;
  std::string corrector_log, analysis;
  bool spectral_radius = false;
  std::vector<std::string> events;
  bool no_events = false, watch_rank = false, check_declarations = false, check_start = false;
  bool quiet = false;

  std::vector<NamedFile> files() const {
    return {{"--out", out},
            {"--poses", poses},
            {"--html", html},
            {"--svg", svg},
            {"--json", json},
            {"--save", save},
            {"--log", log},
            {"--corrector-log", corrector_log},
            {"--analyse-corrector", analysis}};
  }
  /// As they stand on the command line, lists are in lists with commas.
  void separate_lists() {
    columns = comma_list("--columns", columns);
    curves = comma_list("--curves", curves);
  }
  /// --out is an animation then, and no table.
  bool out_is_animation() const { return out.ends_with(".glb"); }
  bool has_samples() const { return (!out.empty() && !out_is_animation()) || !poses.empty(); }
  bool has_frames() const { return out_is_animation() || !html.empty(); }
  /// Files that are made of the motion between the ends of steps.
  bool shows_motion() const { return !(out.empty() && poses.empty() && html.empty() && svg.empty() && save.empty()); }
  bool standard_output_is_taken() const {
    const std::vector<NamedFile> named = files();
    return std::any_of(named.begin(), named.end(), [](const NamedFile& f) { return is_standard_output(f.name); });
  }
};

SimulationOptions simulation_options(const RunArguments& options, const CommandModel& model) {
  SimulationOptions result;
  result.formulation = formulation_named(options.formulation);
  result.topology = parse_cuts(options.cuts);
  result.linear_solver = options.linear_solver;
  result.integrator = options.integrator.options(model);
  result.reduction = options.reduction.options();
  result.keep_dense_output = result.keep_steps = options.shows_motion();
  result.energy_balance = !options.json.empty();
  result.check_declarations = options.check_declarations;
  result.step_log = options.log == "-" ? "/dev/stdout" : options.log;
  result.rough_placement = options.start.any() || options.check_start;
  return result;
}

/// Instruments of the corrector, for the log and for an analysis.
BdfOptions& instrumented(SimulationOptions& options, const char* asked_by) {
  BdfOptions* bdf = options.integrator.get_if<BdfOptions>();
  if (!bdf) throw ModelError(concat(asked_by, " looks at the corrector of integrator 'bdf'; give --integrator bdf."));
  return *bdf;
}

/// Runs the model by one setting after the other, and writes the schedule.
int analyse(const RunArguments& options, const CommandModel& model, const Parameters& parameters, double t_end) {
  SimulationOptions chosen = simulation_options(options, model);
  chosen.keep_dense_output = chosen.keep_steps = chosen.energy_balance = false;
  BdfOptions& bdf = instrumented(chosen, "--analyse-corrector");
  OutputFile file(options.analysis);
  const auto run = [&](const CorrectorOptions& newton) {
    bdf.newton = newton;
    Simulation simulation = make_simulation(model, parameters, chosen);
    if (options.start.any()) simulation.set_initial_conditions(options.start.conditions());
    simulation.run(0, t_end);
  };
  const CorrectorOptions base = bdf.newton;
  const std::string system = corrector_system(make_simulation(model, parameters, chosen));
  const CorrectorAnalysis analysis = analyse_corrector(run, base, model.name, system, t_end);
  write_corrector_schedule(file.stream(), analysis.schedule);
  file.close();
  if (options.quiet || is_standard_output(options.analysis)) return done;
  for (const CorrectorTrial& trial : analysis.trials)
    std::cout << concat("work ", std::accumulate(trial.work.begin(), trial.work.end(), 0.0), ": ",
                        text_of(trial.setting), '\n');
  for (const CorrectorSchedule::Interval& each : analysis.schedule.intervals)
    std::cout << concat("from ", each.from, " s: ", text_of(each), '\n');
  return done;
}

void add_events(Simulation& simulation, const RunArguments& options, const CommandModel& model) {
  if (!options.no_events && options.events.empty()) add_offered_events(simulation, model);
  for (const std::string& text : options.events) simulation.add_event(parse_event(text));
}

/// Options that ask for a run, beside one that asks for none; and of two that contradict each other.
void expect_no_contradiction(const RunArguments& options) {
  const auto expect_alone = [](const char* option, const char* why, const char* other, bool given) {
    if (given) throw ModelError(concat(option, ' ', why, ", and ", other, " is given; leave one of them out."));
  };
  if (options.spectral_radius && options.corrector_log.empty())
    throw ModelError("--spectral-radius is for the lines of --corrector-log FILE; give it too.");
  const std::pair<const char*, bool> of_one_run[] = {
      {"--out", !options.out.empty()},       {"--poses", !options.poses.empty()},
      {"--html", !options.html.empty()},     {"--svg", !options.svg.empty()},
      {"--json", !options.json.empty()},     {"--save", !options.save.empty()},
      {"--log", !options.log.empty()},       {"--corrector-log", !options.corrector_log.empty()},
      {"--event", !options.events.empty()},  {"--watch-rank", options.watch_rank},
      {"--check-start", options.check_start}};
  for (const auto& [other, given] : of_one_run)
    if (!options.analysis.empty()) expect_alone("--analyse-corrector", "runs the model many times", other, given);
  if (options.no_events) expect_alone("--no-events", "looks for no zeros", "--event", !options.events.empty());
  if (!options.check_start) return;
  const std::pair<const char*, bool> others[] = {
      {"--out", !options.out.empty()},       {"--poses", !options.poses.empty()},
      {"--html", !options.html.empty()},     {"--svg", !options.svg.empty()},
      {"--rate", options.rate.has_value()},  {"--save", !options.save.empty()},
      {"--log", !options.log.empty()},       {"--event", !options.events.empty()},
      {"--watch-rank", options.watch_rank},  {"--check-declarations", options.check_declarations},
      {"--assemble", options.start.assemble}};
  for (const auto& [other, given] : others)
    expect_alone("--check-start", "only looks at the initial values", other, given);
}

/// The files that a run writes, begun before it. Each replaces an older one when it is whole.
struct Outputs {
  std::optional<OutputFile> csv, poses, html, svg, json, trajectory, corrector;

  Outputs(const RunArguments& options, double t_end) {
    const auto needs = [](const char* option, bool given, const char* what, bool is_there) {
      if (given && !is_there) throw ModelError(concat(option, " is for ", what, " too."));
    };
    needs("--rate", options.rate.has_value(), "the samples of --out FILE.csv and --poses FILE; give one of these",
          options.has_samples());
    needs("--columns", !options.columns.empty(), "the samples of --out FILE.csv; give that",
          !options.out.empty() && !options.out_is_animation());
    needs("--fps", options.frame_rate.has_value(), "the motion of --html FILE and --out FILE.glb; give one of these",
          options.has_frames());
    needs("--curves", !options.curves.empty(), "the curves of --html FILE and --svg FILE; give one of these",
          !(options.html.empty() && options.svg.empty()));
    if (options.rate) check_sample_rate("--rate", *options.rate, t_end);
    if (options.frame_rate) check_sample_rate("--fps", *options.frame_rate, t_end, most_frames);
    if (!options.html.empty()) require_page_scripts();
    if (!options.svg.empty()) require_gnuplot();
    if (!options.out.empty()) csv.emplace(options.out);
    if (!options.poses.empty()) poses.emplace(options.poses);
    if (!options.html.empty()) html.emplace(options.html);
    if (!options.svg.empty()) svg.emplace(options.svg);
    if (!options.json.empty()) json.emplace(options.json);
    if (!options.save.empty()) trajectory.emplace(options.save);
    if (!options.corrector_log.empty()) corrector.emplace(options.corrector_log);
  }
};

RunEnd integrate(Simulation& simulation, double t_end, bool quiet) {
  ProgressLine line(!quiet);
  RunEnd result;
  result.t_end = t_end;
  simulation.on_progress([&](double t, double end) {
    line.update("t =", t, end, "s");
    if (!is_interrupted() || t >= end) return;
    result.status = RunEnd::Status::interrupted;
    throw RunError(concat(interruption_name(), " ended the run at t = ", t, " s; what was computed is kept."), t);
  });
  try {
    simulation.run(result.t_begin, t_end);
  } catch (const RunError& error) {
    if (result.status != RunEnd::Status::interrupted) result.status = RunEnd::Status::failed;
    result.reason = with_options(error.what());
  }
  return result;
}

Drawing drawing_of(const CommandModel& model, const Parameters& parameters) {
  return model.draw ? model.draw(parameters) : Drawing();
}

/// What files about bodies and columns need, which would else be missed after the run.
void expect_what_is_written(const RunArguments& options, const CommandModel& model, const Parameters& parameters,
                            const EquationsOfMotion& equations) {
  if (!options.columns.empty() || !options.curves.empty() || !options.svg.empty()) {
    Columns columns(equations);
    columns.chosen("--columns", options.columns);
    const bool has_curves = !columns.as_curves("--curves", options.curves).empty();
    if (!options.svg.empty() && !has_curves)
      throw ModelError(concat("--svg draws curves, and model '", model.name,
                              "' has neither observables nor coordinates; choose others by --curves."));
  }
  const bool has_drawing = options.out_is_animation() || (!options.html.empty() && model.draw);
  if (has_drawing) check_drawing(equations, drawing_of(model, parameters));
  if (!options.poses.empty()) check_drawing(equations, {});  // there have to be bodies
}

/// What the page of a run says and shows beside the motion.
WebPageOptions page_options(const RunArguments& options, const CommandModel& model, const RunDescription& description,
                            const RunEnd& end) {
  WebPageOptions page;
  page.frames_per_second = options.frame_rate;
  page.curves = options.curves;
  page.drawing = drawing_of(model, description.parameters);
  page.subtitle = concat(description.formulation, " coordinates, ", description.integrator, ", ",
                         description.linear_solver, ", rtol ", description.rtol, ", atol ", description.atol);
  page.t_end = end.t_end;
  page.reason = end.reason;
  return page;
}

/// Also after a failure, so that what was computed is not lost; where nothing was, older files of samples and of the
/// trajectory stay. A file that can't be written keeps none of the others back.
/// @returns what went wrong, a sentence for each file
std::vector<std::string> write_results(Outputs& outputs, Simulation& simulation, const CommandModel& model,
                                       const RunDescription& description, const RunEnd& end,
                                       const RunArguments& options, const std::vector<CorrectorRecord>& solutions) {
  std::vector<std::string> failures;
  const auto deliver = [&failures](std::optional<OutputFile>& file, const auto& write) {
    if (!file) return;
    try {
      write(file->stream());
      file->close();
    } catch (const std::exception& error) {
      failures.push_back(with_options(error.what()));
    }
  };
  const Trajectory& path = simulation.trajectory();
  if (!path.empty()) {
    // 1000 samples over what was run, if it is not so short that their rate overflows.
    const double seconds = path.t_end() - path.t_begin();
    const double default_rate = seconds > 0 ? std::min(1000 / seconds, std::numeric_limits<double>::max()) : 1.0;
    deliver(outputs.csv, [&](std::ostream& out) {
      if (options.out_is_animation())
        return write_gltf(path, out, {options.frame_rate, drawing_of(model, description.parameters)});
      const UnknownPoints unknown = path.write_csv(out, options.rate.value_or(default_rate), options.columns);
      if (unknown.count > 0) std::cerr << program_name() << ": " << unknown.sentence() << '\n';
    });
    deliver(outputs.poses, [&](std::ostream& out) { write_poses(path, out, options.rate.value_or(default_rate)); });
    deliver(outputs.html,
            [&](std::ostream& out) { write_html(path, out, page_options(options, model, description, end)); });
    deliver(outputs.svg, [&](std::ostream& out) { out << svg_of(charts_of(path, options.curves)); });
    deliver(outputs.trajectory, [&](std::ostream& out) { write_trajectory(out, description, path); });
  }
  deliver(outputs.corrector, [&](std::ostream& out) { write_corrector_log(out, solutions); });
  deliver(outputs.json,
          [&](std::ostream& out) { out << run_report(simulation, model, description, end).dump(2) << '\n'; });
  return failures;
}

void print_observables(Simulation& simulation, const CommandModel& model, const Parameters& parameters) {
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
std::unique_ptr<RankMonitor> watch_rank(Simulation& simulation, const CommandModel& model, const Parameters& parameters,
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
int check_start(Simulation& simulation, const RunArguments& options) {
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

/// Steps that are too short, or too few, to reach the end.
void expect_end_in_reach(const IntegratorOptions& options, double maximum_step, double t_end) {
  const double reach = options.make()->reach();
  if (reach < t_end)
    throw ModelError(concat("with maximum_step ", maximum_step,
                            " s and maximum_steps as they are, steps reach t = ", reach,
                            " s at most, before the end at ", t_end, " s (--tend); allow more steps, or longer ones."));
}

/// What became of a run.
struct Ran {
  int status = run_failed;
  bool has_page = false;
};

Ran run(const RunArguments& options) {
  defer_interruption();
  expect_no_contradiction(options);
  expect_different_files(options.files());
  const CommandModel& model = options.model.model();
  const Parameters parameters = options.model.parameters(model);
  const double t_end = options.t_end.value_or(model.t_end);
  if (!(std::isfinite(t_end) && t_end >= 0))
    throw ModelError(
        concat("--tend is ", t_end, " s; expected a finite time, and not before 0 s, where the run begins."));
  if (!options.analysis.empty()) return {.status = analyse(options, model, parameters, t_end)};
  SimulationOptions chosen = simulation_options(options, model);
  std::vector<CorrectorRecord> solutions;
  if (!options.corrector_log.empty()) {
    CorrectorOptions& newton = instrumented(chosen, "--corrector-log").newton;
    newton.observe = [&](const CorrectorRecord& record) { solutions.push_back(record); };
    newton.measures_spectral_radius = options.spectral_radius;
    newton.measures_times = true;
  }
  expect_end_in_reach(chosen.integrator, options.integrator.maximum_step(), t_end);
  Simulation simulation = make_simulation(model, parameters, chosen);
  if (options.check_start) return {.status = check_start(simulation, options)};
  expect_what_is_written(options, model, parameters, simulation.equations());
  // Small systems are searched for a start also where there are no conditions: the report then knows what is free.
  if (options.start.any() || (t_end == 0 && simulation.equations().dimensions().v <= largest_initial_value_problem))
    simulation.set_initial_conditions(options.start.conditions());
  add_events(simulation, options, model);
  const auto monitor = options.watch_rank ? watch_rank(simulation, model, parameters, chosen) : nullptr;
  Outputs outputs(options, t_end);

  RunEnd end = integrate(simulation, t_end, options.quiet);
  if (monitor) end.singular_positions = monitor->reports();
  if (t_end == 0 && end.status == RunEnd::Status::done) end.start = report_start(simulation);
  const RunDescription description{model.name,
                                   parameters,
                                   options.formulation,
                                   options.cuts,
                                   simulation.linear_solver_name(),
                                   simulation.integrator_name(),
                                   options.integrator.common.rtol,
                                   options.integrator.common.atol,
                                   options.integrator.given(),
                                   options.reduction.reduction,
                                   options.reduction.given()};
  const std::vector<std::string> failures =
      write_results(outputs, simulation, model, description, end, options, solutions);
  if (!options.quiet && !options.standard_output_is_taken()) {
    std::cout << simulation.summary();
    print_observables(simulation, model, parameters);
    if (end.start) print(std::cout, *end.start, simulation.equations());
  }
  // They were asked for: neither --quiet nor a file on standard output keeps them back.
  std::ostream& reports = options.standard_output_is_taken() ? std::cerr : std::cout;
  for (const RankMonitor::Report& report : monitor ? monitor->reports() : std::vector<RankMonitor::Report>())
    reports << report.sentence << '\n';
  if (!end.reason.empty()) std::cerr << program_name() << ": " << end.reason << '\n';
  for (const std::string& failure : failures) std::cerr << program_name() << ": " << failure << '\n';
  Ran ran;
  ran.has_page = outputs.html && !simulation.trajectory().empty() && failures.empty();
  if (end.status != RunEnd::Status::failed && failures.empty())
    ran.status = is_interrupted() ? interruption_status() : done;
  return ran;
}

/// Runs and opens the page; also that of a run which came to no end.
int view(RunArguments options) {
  if (is_standard_output(options.html)) throw ModelError("view opens its page; give --html a file, or leave it out.");
  if (options.check_start) throw ModelError("view shows a run, and --check-start asks for none; leave it out.");
  const bool is_temporary = options.html.empty();
  if (is_temporary) options.html = temporary_page(options.model.model().name);
  Ran ran;
  try {
    ran = run(options);
  } catch (...) {
    if (is_temporary) std::filesystem::remove(options.html);
    throw;
  }
  if (!ran.has_page) {
    if (is_temporary) std::filesystem::remove(options.html);
    return ran.status;
  }
  std::cout << (open_by_desktop(options.html) ? "the page is " : "open it in a browser: ") << options.html << '\n';
  return ran.status;
}

void add_run_options(CLI::App* app, const ModelList& models, const std::shared_ptr<RunArguments>& options) {
  app->footer(
      "Files are written beside their targets and replace them when they are whole. A run that fails (exit status 1),\n"
      "or that SIGINT (^C, 130), SIGTERM (143) or SIGHUP (129) ends after its present step, writes what it has\n"
      "computed; where that is nothing, older files stay, but for the report of --json. A second signal ends at once\n"
      "and writes nothing.");
  options->model.add_to(*app, models);
  app->option_defaults()->always_capture_default();  // shown by --help
  app->add_option("--formulation", options->formulation, listed(formulation_names()));
  app->add_option("--cuts", options->cuts, cuts_help());
  app->add_option("--linear", options->linear_solver, listed(linear_solver_names()));
  options->integrator.add_to(*app);
  options->reduction.add_to(*app);
  options->start.add_to(*app);
  app->add_option("--tend", options->t_end,
                  "end of the run [s]; the model's own by default, 0 reports the consistent start");
  app->add_option(
         "--out", options->out,
         "samples as CSV; a file that ends in .glb gets an animation as binary glTF 2.0; - for standard output")
      ->type_name("FILE");
  app->add_option("--columns", options->columns,
                  "columns of --out, in this order: names with commas between them, in which * stands for any text and "
                  "? for any character; all by default but what elements tell, such as 'buffer: force'")
      ->allow_extra_args(false);
  app->add_option("--poses", options->poses,
                  "where the bodies are, as CSV: positions and quaternions, the same in every formulation; - for "
                  "standard output")
      ->type_name("FILE");
  app->add_option("--rate", options->rate,
                  "samples per second [Hz] of --out and --poses; by default 1000 samples over the run");
  app->add_option("--html", options->html,
                  "a page that shows the motion and its curves in a browser, without network; - for standard output")
      ->type_name("FILE");
  app->add_option("--svg", options->svg, "curves over time as a picture, drawn by gnuplot; - for standard output")
      ->type_name("FILE");
  app->add_option(
      "--fps", options->frame_rate,
      "frames per second [Hz] of the motion in pages and animations; by default 30, and 300 to 3000 over the run");
  app->add_option("--curves", options->curves,
                  "curves that --html and --svg show, as --columns has them; all observables by default")
      ->allow_extra_args(false);
  app->add_option("--json", options->json, "report as JSON, with the energy balance; - for standard output")
      ->type_name("FILE");
  app->add_option("--log", options->log, "monitor of all steps as CSV; - for standard output")->type_name("FILE");
  app->add_option("--save", options->save, "continuous solution, for 'sample'; - for standard output")
      ->type_name("FILE");
  app->add_option("--corrector-log", options->corrector_log,
                  "bdf: every solution by Newton's iteration as CSV, and times of its parts in the report")
      ->type_name("FILE");
  app->add_flag("--spectral-radius", options->spectral_radius,
                "with --corrector-log: measures that of I - G~^-1 G, for a Jacobian more in each solution");
  app->add_option("--analyse-corrector", options->analysis,
                  "bdf: runs the model by several settings of --corrector cycle, and writes the schedule of the best")
      ->type_name("FILE");
  app->add_option("--event", options->events,
                  "reports the zeros of an observable, in place of the events that the model offers")
      ->type_name("OBSERVABLE[:rising|:falling][:stop][:threshold=VALUE]")
      ->allow_extra_args(false);
  app->add_flag("--no-events", options->no_events, "looks for no zeros");
  app->add_flag_callback(
      "--no-invariants", [options] { options->integrator.common.keep_invariants = false; },
      "does not move steps onto the model's solution invariants, such as its energy");
  app->add_flag("--watch-rank", options->watch_rank, "reports singular positions, where constraints lose rank");
  app->add_flag("--check-start", options->check_start, "only tells whether the initial values are consistent");
  app->add_flag("--check-declarations", options->check_declarations,
                "ends where an element uses what it does not declare");
  app->add_flag("--quiet", options->quiet, "prints no summary and no progress");
}

}  // namespace

Command add_run(CLI::App& program, const ModelList& models) {
  CLI::App* app = program.add_subcommand("run", "Simulates a model.");
  auto options = std::make_shared<RunArguments>();
  when_named(app, [app, options, &models] { add_run_options(app, models, options); });
  return {app, [options] {
            options->separate_lists();
            return run(*options).status;
          }};
}

Command add_view(CLI::App& program, const ModelList& models) {
  CLI::App* app = program.add_subcommand(
      "view", "Simulates a model, as 'run' does with the same options, and opens the page of its motion in a browser.");
  auto options = std::make_shared<RunArguments>();
  when_named(app, [app, options, &models] { add_run_options(app, models, options); });
  return {app, [options] {
            options->separate_lists();
            return view(*options);
          }};
}

}  // namespace linkwork::apps
