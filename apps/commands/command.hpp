#pragma once

#include <CLI/CLI.hpp>

#include <functional>

namespace linkwork::apps {

/// Exit statuses of the command; a signal that ends it adds 128 + signal.
enum ExitStatus : int { done = 0, run_failed = 1, usage_error = 2 };

/// A subcommand: its options, and what it does once they are parsed. Errors in what the user asked for are ModelErrors.
struct Command {
  CLI::App* app = nullptr;
  std::function<int()> action;
};

// One file per subcommand.
Command add_list(CLI::App& program);
Command add_run(CLI::App& program);
Command add_sample(CLI::App& program);
Command add_topology(CLI::App& program);
Command add_compare(CLI::App& program);
Command add_reproduce(CLI::App& program);
Command add_bench(CLI::App& program);

}  // namespace linkwork::apps
