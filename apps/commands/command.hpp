#pragma once

#include <CLI/CLI.hpp>

#include <functional>
#include <vector>

namespace linkwork::apps {

/// Exit statuses of the command; a signal that ends it adds 128 + signal.
enum ExitStatus : int { done = 0, run_failed = 1, usage_error = 2 };

/// A subcommand: its options, and what it does once they are parsed. Errors in what the user asked for are ModelErrors.
struct Command {
  CLI::App* app = nullptr;
  std::function<int()> action;
};

/// One file per subcommand.
using AddCommand = Command (*)(CLI::App& program);
Command add_list(CLI::App& program);
Command add_run(CLI::App& program);
Command add_sample(CLI::App& program);
Command add_topology(CLI::App& program);
Command add_compare(CLI::App& program);
Command add_reproduce(CLI::App& program);
Command add_bench(CLI::App& program);

/// What `reproduce` and `bench` do stands in linkwork_measure, a program beside this one, which nobody needs for a run:
/// these two call it.
Command add_reproduce_elsewhere(CLI::App& program);
Command add_bench_elsewhere(CLI::App& program);

constexpr const char* reproduce_help = "Recomputes a published table beside the published numbers.";
constexpr const char* bench_help = "Measures the speed of solvers on families of mechanisms.";

/// The whole program: does what the first word of the command line names. @return the exit status
int run_program(const std::vector<AddCommand>& add_commands, int argc, char** argv);

}  // namespace linkwork::apps
