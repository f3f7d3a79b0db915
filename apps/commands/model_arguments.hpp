#pragma once

#include "zoo/zoo.hpp"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace linkwork::apps {

/// MODEL [--set NAME=VALUE]... as several subcommands take it.
struct ModelArguments {
  std::string name;
  std::vector<std::string> settings;

  void add_to(CLI::App& app);
  /// The model's parameters with the settings applied.
  /// @throws ModelError for a setting that is not NAME=VALUE or that the model refuses
  Parameters parameters(const ZooModel& model) const;
};

}  // namespace linkwork::apps
