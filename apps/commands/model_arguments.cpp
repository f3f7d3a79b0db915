#include "commands/model_arguments.hpp"

#include "commands/subcommand.hpp"
#include "number_text.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>

#include <string_view>

namespace linkwork::apps {

void add_settings(CLI::App& app, std::vector<std::string>& settings, const std::string& description) {
  app.add_option("--set", settings, description)->type_name("NAME=VALUE")->allow_extra_args(false);
}

void ModelArguments::add_to(CLI::App& app, const ModelList& models) {
  models_ = &models;
  const bool is_only = models.size() == 1;
  if (is_only) name = models.begin()->name;
  app.add_option("MODEL", name,
                 is_only ? "the model; it need not be named" : concat("a model, see '", program_name(), " list'"))
      ->required(!is_only);
  add_settings(app, settings, concat("a parameter of the model, see '", program_name(), " list MODEL'"));
}

namespace {

/// What a setting's right-hand side stands for: one of the parameter's choices, or a number.
/// @returns "", or why it is neither
std::string read_value(const CommandModel& model, std::string_view parameter, std::string_view text, double& value) {
  for (const Parameter& known : model.parameters)
    if (known.name == parameter)
      for (std::size_t i = 0; i < known.choices.size(); ++i)
        if (known.choices[i] == text) {
          value = static_cast<double>(i);
          return "";
        }
  return read_number(text, value);
}

/// "", or what may stand in place of a number.
std::string choices_of(const CommandModel& model, std::string_view parameter) {
  std::string out;
  for (const Parameter& known : model.parameters)
    if (known.name == parameter)
      for (const std::string& choice : known.choices) out += " or " + choice;
  return out;
}

}  // namespace

Parameters changes_of(const CommandModel& model, const std::vector<std::string>& settings) {
  Parameters changes;
  for (const std::string& setting : settings) {
    const std::size_t equals = setting.find('=');
    const bool complete = equals != std::string::npos && equals > 0;
    const std::string parameter = complete ? setting.substr(0, equals) : "";
    const std::string text = complete ? setting.substr(equals + 1) : "";
    double value = 0;
    if (const std::string why = read_value(model, parameter, text, value); !why.empty())
      throw ModelError(concat("--set '", setting, "': ", complete ? concat("'", text, "' ", why, "; ") : "",
                              "expected NAME=VALUE with a number", choices_of(model, parameter), " as value."));
    if (!changes.emplace(parameter, value).second)
      throw ModelError(concat("--set '", setting, "': the parameter is given twice."));
  }
  return changes;
}

}  // namespace linkwork::apps
