#pragma once

#include "model_list.hpp"

#include <CLI/CLI.hpp>

#include <functional>
#include <string>
#include <vector>

namespace linkwork::apps {

/// Exit statuses of the command; a signal that ends it adds 128 + signal.
enum ExitStatus : int { done = 0, run_failed = 1, usage_error = 2 };

/// A subcommand: its options, and what it does once they are parsed. Errors in what the user asked for are ModelErrors.
struct Command {
  CLI::App* app = nullptr;
  std::function<int()> action;
};

/// Adds the options of a subcommand once the command line names it: those of all of them together cost as much as a
/// short run.
void when_named(CLI::App* app, std::function<void()> add_options);

/// One file per subcommand. `models` outlives the program.
using AddCommand = Command (*)(CLI::App& program, const ModelList& models);
Command add_list(CLI::App& program, const ModelList& models);
Command add_run(CLI::App& program, const ModelList& models);
Command add_view(CLI::App& program, const ModelList& models);
Command add_sample(CLI::App& program, const ModelList& models);
Command add_topology(CLI::App& program, const ModelList& models);
Command add_compare(CLI::App& program, const ModelList& models);
Command add_reproduce(CLI::App& program, const ModelList& models);
/// Those that any models have, but for `bench` (commands/bench.hpp).
const std::vector<AddCommand>& usual_commands();

/// What `reproduce` and `bench` do with the zoo stands in linkwork_measure, a program beside this one, which nobody
/// needs for a run: these two call it.
Command add_reproduce_elsewhere(CLI::App& program, const ModelList& models);
Command add_bench_elsewhere(CLI::App& program, const ModelList& models);

constexpr const char* reproduce_help = "Recomputes a published table beside the published numbers.";
constexpr const char* bench_help = "Measures the speed of solvers on mechanisms, of several sizes where they grow.";

/// By which the user calls the program: messages begin with it, and name further commands by it.
const std::string& program_name();

/// The whole program: does what the first word of the command line names.
/// @param name    program_name() from now on
/// @param models  called once, so that errors in models are reported as all others; they outlive the program
/// @return the exit status
int run_program(const std::string& name, const std::vector<AddCommand>& add_commands,
                const std::function<const ModelList&()>& models, int argc, char** argv);

}  // namespace linkwork::apps
