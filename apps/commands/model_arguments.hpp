#pragma once

#include "model_list.hpp"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace linkwork::apps {

/// Adds --set NAME=VALUE, as often as one likes.
void add_settings(CLI::App& app, std::vector<std::string>& settings, const std::string& description);
/// What settings, NAME=VALUE each, give to parameters of a model.
/// @throws ModelError for a setting that is not NAME=VALUE
Parameters changes_of(const CommandModel& model, const std::vector<std::string>& settings);

/// MODEL [--set NAME=VALUE]... as several subcommands take it.
struct ModelArguments {
  std::string name;
  std::vector<std::string> settings;

  /// @param models  outlive this; where there is one, it need not be named
  void add_to(CLI::App& app, const ModelList& models);
  /// @throws ModelError for an unknown name, listing the known ones
  const CommandModel& model() const { return models_->find(name); }
  /// The model's parameters with the settings applied.
  /// @throws ModelError as changes_of, and for what the model refuses
  Parameters parameters(const CommandModel& model) const { return model.parameters_with(changes_of(model, settings)); }

 private:
  const ModelList* models_ = nullptr;
};

}  // namespace linkwork::apps
