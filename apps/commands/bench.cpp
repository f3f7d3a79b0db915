#include "bench/measure.hpp"
#include "bench/yardstick.hpp"
#include "comma_list.hpp"
#include "commands/progress_line.hpp"
#include "commands/subcommand.hpp"
#include "interruption.hpp"
#include "output_file.hpp"
#include "text_table.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/files/json_number.hpp>

#include <algorithm>
#include <cmath>
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
  std::vector<std::string> benchmarks = {"factor_solve"}, cases = {"insulator_chain"}, solvers;
  std::vector<int> sizes;
  std::string formulation, json;
};

/// As they stand on the command line: lists of lists with commas.
struct Arguments {
  BenchOptions options;
  std::vector<std::string> sizes;

  BenchOptions separated() const {
    BenchOptions out = options;
    out.benchmarks = comma_list("--benchmark", options.benchmarks);
    out.cases = comma_list("--case", options.cases);
    out.solvers = comma_list("--linear", options.solvers);
    out.sizes = comma_list_of_integers("--sizes", sizes);
    return out;
  }
};

bool wants_all(const std::vector<std::string>& names) { return names.size() == 1 && names.front() == all; }

std::vector<std::string> cases_of(const BenchOptions& options) {
  if (!wants_all(options.cases)) return options.cases;
  std::vector<std::string> names;
  for (const BenchCase& known : bench_cases()) names.push_back(known.name);
  return names;
}

void check_size(const BenchCase& known, int size) {
  const int least = known.sizes.front() < 2 ? known.sizes.front() : 2;
  if (size < least) throw ModelError(concat("--sizes: ", size, " is too small; expected ", least, " or more."));
  if (size > known.largest)
    throw ModelError(
        concat("--sizes: ", size, " is too large for case '", known.name, "'; expected ", known.largest, " at most."));
}

/// Whether a case has a size of its own that --sizes does not name.
bool ignores_sizes(const BenchCase& known, const BenchOptions& options) {
  return known.sizes.size() == 1 && !options.sizes.empty() && options.sizes != known.sizes;
}

/// The cases that keep to their own size beside others that take those given.
std::vector<std::string> check_sizes_are_used(const BenchOptions& options) {
  std::vector<std::string> kept;
  for (const std::string& name : cases_of(options))
    if (ignores_sizes(find_bench_case(name), options)) kept.push_back(name);
  if (!kept.empty() && kept.size() == cases_of(options).size()) {
    const BenchCase& known = find_bench_case(kept.front());
    throw ModelError(concat("--sizes: case '", known.name, "' has one size, ", known.sizes.front(),
                            "; leave --sizes away, or add a case that grows, such as 'chain'."));
  }
  return kept;
}

void add_jobs(const BenchOptions& options, const std::string& benchmark, const BenchCase& known,
              std::vector<BenchJob>& jobs) {
  const auto& sizes = options.sizes.empty() || ignores_sizes(known, options) ? known.sizes : options.sizes;
  const auto solvers = options.solvers.empty()      ? known.solvers
                       : wants_all(options.solvers) ? linear_solver_names()
                                                    : options.solvers;
  const Formulation formulation =
      options.formulation.empty() ? known.formulation : formulation_named(options.formulation);
  for (int size : sizes) {
    check_size(known, size);
    for (const std::string& solver : solvers) jobs.push_back({benchmark, known.name, size, formulation, solver});
  }
}

std::vector<BenchJob> jobs_of(const BenchOptions& options) {
  std::vector<BenchJob> jobs;
  for (const std::string& benchmark : wants_all(options.benchmarks) ? benchmark_names() : options.benchmarks) {
    find_operation(benchmark);
    for (const std::string& name : cases_of(options)) add_jobs(options, benchmark, find_bench_case(name), jobs);
  }
  return jobs;
}

Json to_json(const BenchJob& job) {
  Json json = {{"benchmark", job.benchmark}, {"case", job.case_name}};
  if (job.size > 0) json["size"] = job.size;  // fits have none
  json["formulation"] = name_of(job.formulation);
  json["solver"] = job.solver;
  return json;
}

Json to_json(const Measurements& measurements, const std::vector<Fit>& fits, const Yardstick& yardstick) {
  Json rows = Json::array(), exponents = Json::array(), refused = Json::array();
  for (const Measurement& m : measurements.done) {
    Json row = to_json(m.job);
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

void print(const Measurements& measurements, const std::vector<Fit>& fits, const Yardstick& yardstick) {
  TextTable table({"benchmark", "case", "size", "formulation", "solver", "min us", "median us", "yardsticks",
                   "per size", "qdd0", "qdd norm"});
  for (const Measurement& m : measurements.done) {
    const double yardsticks = m.minimum / yardstick.minimum;
    table.add({m.job.benchmark, m.job.case_name, std::to_string(m.job.size), name_of(m.job.formulation), m.job.solver,
               number(m.minimum / 1000), number(m.median / 1000), number(yardsticks), number(yardsticks / m.job.size),
               number(m.qdd0, 9), number(m.qdd_norm, 9)});
  }
  table.print(std::cout);
  for (const Fit& fit : fits)
    std::cout << fit.job.benchmark << "  " << fit.job.case_name << "  " << name_of(fit.job.formulation) << "  "
              << fit.job.solver << "  grows with size^" << number(fit.exponent, 3) << '\n';
  for (const Refusal& refusal : measurements.refused)
    std::cout << refusal.job.benchmark << "  " << refusal.job.case_name << "  size " << refusal.job.size << "  "
              << refusal.job.solver << "  refused: " << refusal.reason << '\n';
  std::cout << "yardstick  " << number(yardstick.minimum) << " ns, median " << number(yardstick.median)
            << " ns (a 6 x 6 congruence; all times are processor times of one call)\n";
}

/// Before and after the measurements, because the machine's speed may change meanwhile.
Yardstick faster(const Yardstick& a, const Yardstick& b) {
  return {std::min(a.minimum, b.minimum), std::min(a.median, b.median)};
}

int bench(const BenchOptions& options) {
  defer_interruption();
  expect_different_files({{"--json", options.json}});
  std::optional<OutputFile> json;
  const std::vector<std::string> of_one_size = check_sizes_are_used(options);
  const std::vector<BenchJob> jobs = jobs_of(options);
  if (!options.json.empty()) json.emplace(options.json);

  Yardstick yardstick = measure_yardstick();
  Measurements measurements;
  {
    ProgressLine line(true);
    measurements = measure(jobs, [&](std::size_t done) {
      line.update("job", static_cast<double>(done), static_cast<double>(jobs.size()), "");
      return !is_interrupted();
    });
  }
  yardstick = faster(yardstick, measure_yardstick());
  if (measurements.done.empty() && !measurements.refused.empty()) throw ModelError(measurements.refused.front().reason);
  const std::vector<Fit> fits = fit_growth(measurements.done);
  if (!is_standard_output(options.json)) {
    print(measurements, fits, yardstick);
    for (const std::string& name : of_one_size) std::cout << name << "  has one size; --sizes is for the other cases\n";
  }
  if (json) {
    json->stream() << to_json(measurements, fits, yardstick).dump(2) << '\n';
    json->close();
  }
  return is_interrupted() ? interruption_status() : done;
}

}  // namespace

Command add_bench(CLI::App& program, const ModelList&) {
  CLI::App* app = program.add_subcommand("bench", bench_help);
  auto arguments = std::make_shared<Arguments>();
  BenchOptions* options = &arguments->options;
  std::string footer = "Cases:";
  for (const BenchCase& known : bench_cases()) footer += "\n  " + known.name + "  " + known.description;
  app->footer(footer);
  app->add_option("--benchmark", options->benchmarks, listed(benchmark_names()) + "; or all")->capture_default_str();
  app->add_option("--case", options->cases, "one of the cases listed below, or all")->capture_default_str();
  app->add_option("--sizes", arguments->sizes, "numbers of links, loops or the like; the case's own by default");
  app->add_option("--formulation", options->formulation, listed(formulation_names()) + "; the case's own by default");
  app->add_option("--linear", options->solvers, "linear solvers, or all that apply; the case's own by default");
  app->add_option("--json", options->json, "results as JSON; - for standard output")->type_name("FILE");
  return {app, [arguments] { return bench(arguments->separated()); }};
}

}  // namespace linkwork::apps
