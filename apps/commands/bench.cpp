#include "bench/measure.hpp"
#include "bench/yardstick.hpp"
#include "commands/command.hpp"
#include "output_file.hpp"
#include "text_table.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace linkwork::apps {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::string benchmark = "factor_solve", case_name = "insulator_chain", json;
  std::vector<int> sizes = {64, 128, 256, 512, 1024, 2048, 4096};
  std::vector<std::string> solvers = {"recursive", "sparse-lu"};
};

std::vector<BenchJob> jobs_of(const Options& options) {
  std::vector<BenchJob> jobs;
  for (int size : options.sizes) {
    if (size < 2) throw ModelError(concat("--sizes: ", size, " is too small; expected 2 or more."));
    for (const std::string& solver : options.solvers)
      jobs.push_back({options.benchmark, options.case_name, size, solver});
  }
  return jobs;
}

Json to_json(const std::vector<Measurement>& measurements, const std::vector<Fit>& fits, double yardstick) {
  Json rows = Json::array(), exponents = Json::array();
  for (const Measurement& m : measurements)
    rows.push_back({{"benchmark", m.job.benchmark},
                    {"case", m.job.case_name},
                    {"size", m.job.size},
                    {"solver", m.job.solver},
                    {"nanoseconds", m.nanoseconds},
                    {"operations", m.operations}});
  for (const Fit& fit : fits)
    exponents.push_back({{"benchmark", fit.job.benchmark},
                         {"case", fit.job.case_name},
                         {"solver", fit.job.solver},
                         {"exponent", fit.exponent}});
  return {{"rows", rows}, {"fits", exponents}, {"yardstick_nanoseconds", yardstick}};
}

int bench(const Options& options) {
  std::optional<OutputFile> json;
  if (!options.json.empty()) json.emplace(options.json);
  std::ostringstream nowhere;
  std::ostream& text = options.json == "-" ? static_cast<std::ostream&>(nowhere) : std::cout;

  const std::vector<Measurement> measurements = measure(jobs_of(options), text);
  const std::vector<Fit> fits = fit_growth(measurements);
  const double yardstick = yardstick_nanoseconds();
  for (const Fit& fit : fits)
    text << fit.job.benchmark << "  " << fit.job.case_name << "  " << fit.job.solver << "  grows with size^"
         << number(fit.exponent, 3) << '\n';
  text << "yardstick  " << number(yardstick) << " ns (a 6 x 6 congruence; all times are medians of processor time)\n";
  if (json) {
    json->stream() << to_json(measurements, fits, yardstick).dump(2) << '\n';
    json->close();
  }
  return done;
}

}  // namespace

Command add_bench(CLI::App& program) {
  CLI::App* app = program.add_subcommand("bench", "Measures the speed of solvers on families of mechanisms.");
  auto options = std::make_shared<Options>();
  app->option_defaults()->always_capture_default();
  app->add_option("--benchmark", options->benchmark, "factor_solve or forward_dynamics");
  app->add_option("--case", options->case_name, "chain, tree, ring or insulator_chain");
  app->add_option("--sizes", options->sizes, "numbers of bodies")->delimiter(',');
  app->add_option("--linear", options->solvers, "linear solvers")->delimiter(',');
  app->add_option("--json", options->json, "results as JSON; - for standard output")->type_name("FILE");
  return {app, [options] { return bench(*options); }};
}

}  // namespace linkwork::apps
