#include "commands/bench.hpp"

#include "bench/measure.hpp"
#include "bench/yardstick.hpp"
#include "comma_list.hpp"
#include "commands/model_arguments.hpp"
#include "commands/progress_line.hpp"
#include "interruption.hpp"
#include "output_file.hpp"
#include "text_table.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/files/json_number.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace linkwork::apps {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* all = "all";

struct BenchOptions {
  std::vector<std::string> benchmarks = {"factor_solve"}, cases, solvers, settings;
  std::vector<int> sizes;
  std::string formulation, json;
};

/// What was asked for twice is measured once.
template <class Item>
std::vector<Item> each_once(const std::vector<Item>& items) {
  std::vector<Item> out;
  for (const Item& item : items)
    if (std::find(out.begin(), out.end(), item) == out.end()) out.push_back(item);
  return out;
}

/// As they stand on the command line: lists of lists with commas.
struct Arguments {
  BenchOptions options;
  std::vector<std::string> sizes;

  BenchOptions separated() const {
    BenchOptions out = options;
    out.benchmarks = comma_list("--benchmark", options.benchmarks);
    out.cases = comma_list("--case", options.cases);
    out.solvers = comma_list("--linear", options.solvers);
    out.sizes = each_once(comma_list_of_integers("--sizes", sizes));
    return out;
  }
};

/// The names, each once, with those that "all" means in its place.
std::vector<std::string> chosen_names(const std::vector<std::string>& names, const std::vector<std::string>& meant) {
  std::vector<std::string> chosen;
  for (const std::string& name : names)
    if (name == all)
      chosen.insert(chosen.end(), meant.begin(), meant.end());
    else
      chosen.push_back(name);
  return each_once(chosen);
}

using Cases = std::vector<const BenchCase*>;

Cases chosen_cases(const BenchOptions& options, const std::vector<BenchCase>& known) {
  Cases chosen;
  for (const std::string& name : options.cases)
    if (name == all)
      for (const BenchCase* each : select_cases(known, /*among_all*/ true)) chosen.push_back(each);
    else
      chosen.push_back(&find_bench_case(known, name));
  return each_once(chosen);
}

/// The chosen cases with --set applied to each of them, beside the others.
std::vector<BenchCase> with_settings(const BenchOptions& options, std::vector<BenchCase> known) {
  if (options.settings.empty()) return known;
  for (const BenchCase* each : chosen_cases(options, known)) {
    BenchCase& of = known[static_cast<std::size_t>(each - known.data())];
    if (!of.set)
      throw ModelError(concat("--set is for the parameters of models, and case '", of.name,
                              "' is a family that has none; name a model by --case, or leave --set out."));
    of.set(of, options.settings);
  }
  return known;
}

std::vector<std::string> chosen_benchmarks(const BenchOptions& options) {
  const std::vector<std::string> chosen = chosen_names(options.benchmarks, benchmark_names());
  for (const std::string& benchmark : chosen) find_operation(benchmark);
  return chosen;
}

/// None where each case has its own.
std::vector<std::string> chosen_solvers(const BenchOptions& options) {
  const std::vector<std::string> known = linear_solver_names(), chosen = chosen_names(options.solvers, known);
  for (const std::string& solver : chosen)
    if (std::find(known.begin(), known.end(), solver) == known.end())
      throw ModelError(concat("unknown linear solver '", solver, "'; there are: ", listed(known), "."));
  return chosen;
}

void check_size(const BenchCase& known, int size) {
  const auto refusal = [&](const char* what, int limit, const char* expected) {
    return ModelError(concat("--sizes: ", size, " is too ", what, " for case '", known.name, "'; expected ", limit, ' ',
                             expected, '.'));
  };
  if (size < known.least) throw refusal("small", known.least, "or more");
  if (size > known.largest) throw refusal("large", known.largest, "at most");
}

/// Whether a case has a size of its own that --sizes does not name.
bool ignores_sizes(const BenchCase& known, const BenchOptions& options) {
  return known.has_one_size() && !options.sizes.empty() && options.sizes != known.sizes;
}

/// "", or which case does grow.
std::string hint_at_growth(const std::vector<BenchCase>& cases) {
  const auto grows = std::find_if_not(cases.begin(), cases.end(), std::mem_fn(&BenchCase::has_one_size));
  return grows == cases.end() ? "" : concat(", or add a case that grows, such as '", grows->name, "'");
}

/// The cases that keep to their own size beside others that take those given.
Cases check_sizes_are_used(const BenchOptions& options, const Cases& chosen, const std::vector<BenchCase>& known) {
  Cases kept;
  for (const BenchCase* each : chosen)
    if (ignores_sizes(*each, options)) kept.push_back(each);
  if (!kept.empty() && kept.size() == chosen.size())
    throw ModelError(concat("--sizes: case '", kept.front()->name, "' has one size, ", kept.front()->sizes.front(),
                            "; leave --sizes away", hint_at_growth(known), '.'));
  return kept;
}

/// @param options  with names that are known
void add_jobs(const BenchOptions& options, const std::string& benchmark, const BenchCase& known,
              std::vector<BenchJob>& jobs) {
  const auto& sizes = options.sizes.empty() || ignores_sizes(known, options) ? known.sizes : options.sizes;
  const auto& solvers = options.solvers.empty() ? known.solvers : options.solvers;
  const Formulation formulation =
      options.formulation.empty() ? known.formulation : formulation_named(options.formulation);
  for (int size : sizes) {
    check_size(known, size);
    for (const std::string& solver : solvers) jobs.push_back({benchmark, &known, size, formulation, solver});
  }
}

std::vector<BenchJob> jobs_of(const BenchOptions& options, const Cases& chosen) {
  std::vector<BenchJob> jobs;
  for (const std::string& benchmark : options.benchmarks)
    for (const BenchCase* each : chosen) add_jobs(options, benchmark, *each, jobs);
  return jobs;
}

Json to_json(const BenchJob& job) {
  Json json = {{"benchmark", job.benchmark}, {"case", job.bench_case->name}};
  if (job.size > 0) json["size"] = job.size;  // fits have none
  json["formulation"] = name_of(job.formulation);
  json["solver"] = job.solver;
  return json;
}

Json to_json(const Measurements& measurements, const std::vector<Fit>& fits, const Yardstick& yardstick) {
  Json rows = Json::array(), exponents = Json::array(), refused = Json::array();
  for (const Measurement& m : measurements.done) {
    Json row = to_json(m.job);
    row["solver_at_work"] = m.solver_at_work;
    row["velocities"] = m.velocities;
    row["nanoseconds"] = m.median;
    row["min_nanoseconds"] = m.minimum;
    row["yardsticks"] = m.minimum / yardstick.minimum;
    row["operations"] = m.operations;
    row["repetitions"] = m.repetitions;
    row["qdd0"] = number_or_null(m.qdd0);
    row["qdd_norm"] = number_or_null(m.qdd_norm);
    rows.push_back(row);
  }
  for (const Fit& fit : fits) {
    exponents.push_back(to_json(fit.job));
    exponents.back()["exponent"] = fit.exponent;
  }
  for (const Refusal& refusal : measurements.refused) {
    refused.push_back(to_json(refusal.job));
    refused.back()["reason"] = refusal.reason;
  }
  return {{"rows", rows},
          {"fits", exponents},
          {"refused", refused},
          {"yardstick_nanoseconds", yardstick.median},
          {"yardstick_min_nanoseconds", yardstick.minimum}};
}

/// "auto" tells what it has chosen.
std::string solver_text(const Measurement& m) {
  return m.solver_at_work == m.job.solver ? m.job.solver : concat(m.job.solver, " (", m.solver_at_work, ')');
}

void print(const Measurements& measurements, const std::vector<Fit>& fits, const Yardstick& yardstick) {
  TextTable table({"benchmark", "case", "size", "formulation", "solver", "min us", "median us", "yardsticks",
                   "per size", "qdd0", "qdd norm"});
  for (const Measurement& m : measurements.done) {
    const double yardsticks = m.minimum / yardstick.minimum;
    table.add({m.job.benchmark, m.job.bench_case->name, std::to_string(m.job.size), name_of(m.job.formulation),
               solver_text(m), number(m.minimum / 1000), number(m.median / 1000), number(yardsticks),
               number(yardsticks / m.job.size), number(m.qdd0, 9), number(m.qdd_norm, 9)});
  }
  table.print(std::cout);
  for (const Fit& fit : fits)
    std::cout << fit.job.benchmark << "  " << fit.job.bench_case->name << "  " << name_of(fit.job.formulation) << "  "
              << fit.job.solver << "  grows with size^" << number(fit.exponent, 3) << '\n';
  for (const Refusal& refusal : measurements.refused)
    std::cout << refusal.job.benchmark << "  " << refusal.job.bench_case->name << "  size " << refusal.job.size << "  "
              << refusal.job.solver << "  refused: " << refusal.reason << '\n';
  std::cout << "yardstick  " << number(yardstick.minimum) << " ns, median " << number(yardstick.median)
            << " ns (a 6 x 6 congruence; all times are processor times of one call)\n";
}

/// Before and after the measurements, because the machine's speed may change meanwhile.
Yardstick faster(const Yardstick& a, const Yardstick& b) {
  return {std::min(a.minimum, b.minimum), std::min(a.median, b.median)};
}

int bench(BenchOptions options, const std::vector<BenchCase>& offered) {
  options.benchmarks = chosen_benchmarks(options);
  options.solvers = chosen_solvers(options);
  expect_different_files({{"--json", options.json}});
  std::optional<OutputFile> json;
  const std::vector<BenchCase> known = with_settings(options, offered);
  const Cases chosen = chosen_cases(options, known);
  const Cases of_one_size = check_sizes_are_used(options, chosen, known);
  const std::vector<BenchJob> jobs = jobs_of(options, chosen);
  if (!options.json.empty()) json.emplace(options.json);

  Yardstick yardstick = measure_yardstick();
  Measurements measurements;
  {
    ProgressLine line(true);
    measurements = measure(jobs, [&](std::size_t done) {
      if (done > 0) defer_interruption();  // the first job may take long, and leaves nothing to keep
      line.update("job", static_cast<double>(done), static_cast<double>(jobs.size()), "");
      return !is_interrupted();
    });
  }
  defer_interruption();
  yardstick = faster(yardstick, measure_yardstick());
  if (measurements.done.empty() && !measurements.refused.empty()) throw ModelError(measurements.refused.front().reason);
  const std::vector<Fit> fits = fit_growth(measurements.done);
  if (!is_standard_output(options.json)) {
    print(measurements, fits, yardstick);
    for (const BenchCase* each : of_one_size)
      std::cout << each->name << "  has one size; --sizes is for the other cases\n";
  }
  if (json) {
    json->stream() << to_json(measurements, fits, yardstick).dump(2) << '\n';
    json->close();
  }
  return is_interrupted() ? interruption_status() : done;
}

std::string list_of_cases(const char* heading, const Cases& cases) {
  std::string list = heading;
  for (const BenchCase* known : cases)
    list += concat("\n  ", known->name, known->description.empty() ? "" : "  ", known->description);
  return list;
}

}  // namespace

Command add_bench_of(CLI::App& program, const BenchOffer& offer) {
  CLI::App* app = program.add_subcommand("bench", bench_help);
  auto arguments = std::make_shared<Arguments>();
  BenchOptions* options = &arguments->options;
  options->cases = {offer.usual_case};
  app->footer([cases = offer.cases] {
    const std::vector<BenchCase> known = cases();
    const Cases others = select_cases(known, /*among_all*/ false);
    return concat(list_of_cases("Cases, which all means:", select_cases(known, /*among_all*/ true)),
                  others.empty() ? "" : list_of_cases("\nCases that all leaves out:", others));
  });
  app->add_option("--benchmark", options->benchmarks, listed(benchmark_names()) + "; or all")->capture_default_str();
  app->add_option("--case", options->cases, "cases listed below; or all")->capture_default_str();
  add_settings(*app, options->settings, "a parameter of the models that are named by --case");
  app->add_option("--sizes", arguments->sizes, "numbers of links, loops or the like; the case's own by default");
  app->add_option("--formulation", options->formulation, listed(formulation_names()) + "; the case's own by default");
  app->add_option("--linear", options->solvers, "linear solvers, or all that apply; the case's own by default");
  app->add_option("--json", options->json, "results as JSON; - for standard output")->type_name("FILE");
  return {app, [arguments, cases = offer.cases] { return bench(arguments->separated(), cases()); }};
}

}  // namespace linkwork::apps
