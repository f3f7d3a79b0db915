#include "commands/sample_rate.hpp"
#include "commands/subcommand.hpp"
#include "output_file.hpp"
#include "trajectory_file.hpp"

#include <iostream>
#include <memory>
#include <string>

namespace linkwork::apps {
namespace {

struct SampleArguments {
  std::string run, out = "-";
  double rate = 0;
};

int sample(const SampleArguments& options, const ModelList& models) {
  check_sample_rate("--rate", options.rate, 0);
  if (!is_standard_output(options.out)) expect_different_files({{"RUN", options.run}, {"--out", options.out}});
  const SavedRun run = read_trajectory(options.run, models);
  if (!run.trajectory.empty())
    check_sample_rate("--rate", options.rate, run.trajectory.t_end() - run.trajectory.t_begin());
  OutputFile out(options.out);
  const UnknownPoints unknown = run.trajectory.write_csv(out.stream(), options.rate);
  out.close();
  if (unknown.count > 0) std::cerr << program_name() << ": " << unknown.sentence() << '\n';
  return done;
}

}  // namespace

Command add_sample(CLI::App& program, const ModelList& models) {
  CLI::App* app = program.add_subcommand("sample", "Samples a trajectory that 'run --save' has written.");
  auto options = std::make_shared<SampleArguments>();
  app->add_option("RUN", options->run, "the saved trajectory")->required()->type_name("FILE");
  app->add_option("--rate", options->rate, "samples per second [Hz]")->required();
  app->add_option("--out", options->out, "CSV file; standard output by default")->type_name("FILE");
  return {app, [options, &models] { return sample(*options, models); }};
}

}  // namespace linkwork::apps
