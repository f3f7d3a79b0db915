#pragma once

#include "integrator_table.hpp"
#include "model_list.hpp"

#include <CLI/CLI.hpp>

#include <map>
#include <string>
#include <vector>

namespace linkwork::apps {

/// The integrator and its options, as `run` takes them.
struct IntegratorArguments {
  std::string integrator = integrator_table().front().name;
  CommonChoices common;

  void add_to(CLI::App& app);
  /// @throws ModelError for unknown names, and for options that the integrator does not have
  IntegratorOptions options(const CommandModel& model) const;
  /// The largest step that was given [s]; 0: none.
  double maximum_step() const;
  /// What the user gave besides the tolerances, as he wrote it: {"form", "index2"}.
  std::map<std::string, std::string> given() const;

 private:
  void add_option(CLI::App& app, const IntegratorOption& option);

  std::vector<CLI::Option*> parsed_;  // the application owns them
  OptionValues values_;
};

}  // namespace linkwork::apps
