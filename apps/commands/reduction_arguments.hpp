#pragma once

#include <linkwork/solvers/reductions/reduction_options.hpp>

#include <CLI/CLI.hpp>

#include <map>
#include <string>
#include <vector>

namespace linkwork::apps {

/// The reduction to independent coordinates and its options, as `run` takes them.
struct ReductionArguments {
  std::string reduction = name_of(Reduction::none);

  void add_to(CLI::App& app);
  /// @throws ModelError for unknown names, and for options that the reduction does not have
  ReductionOptions options() const;
  /// What the user gave besides its name, as he wrote it: {"alpha", "10"}.
  std::map<std::string, std::string> given() const;

 private:
  std::vector<CLI::Option*> parsed_;  // the application owns them
  ReductionOptions values_;
  std::string pivoting_ = "full", basis_ = "svd";
};

}  // namespace linkwork::apps
