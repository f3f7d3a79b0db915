#include "commands/integrator_arguments.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>

#include <algorithm>

namespace linkwork::apps {
namespace {

/// Those that have an option, in the order of the table.
std::vector<std::string> owners_of(const std::string& option) {
  std::vector<std::string> owners;
  for (const IntegratorEntry& entry : integrator_table())
    if (std::any_of(entry.options.begin(), entry.options.end(),
                    [&](const IntegratorOption& each) { return each.name == option; }))
      owners.push_back(entry.name);
  return owners;
}

}  // namespace

void IntegratorArguments::add_to(CLI::App& app) {
  app.add_option("--integrator", integrator, listed(integrator_names()));
  app.add_option("--rtol", common.rtol, "relative tolerance");
  app.add_option("--atol", common.atol, "absolute tolerance");
  for (const IntegratorEntry& entry : integrator_table())
    for (const IntegratorOption& option : entry.options)
      if (!app.get_option_no_throw("--" + option.name)) add_option(app, option);
}

void IntegratorArguments::add_option(CLI::App& app, const IntegratorOption& option) {
  const std::vector<std::string> owners = owners_of(option.name);
  std::string help = owners.size() == integrator_table().size() ? "" : listed(owners) + ": ";
  help += option.help;
  if (!option.words.empty()) help += concat(option.help.empty() ? "" : ", ", listed(option.words));
  const std::string flag = "--" + option.name;
  const auto keep = [this, name = option.name](const auto& value) { values_[name] = value; };
  CLI::Option* parsed = nullptr;
  if (!option.words.empty() || option.is_file)
    parsed = app.add_option_function<std::string>(flag, keep, help);
  else if (option.is_whole)
    parsed = app.add_option_function<std::int64_t>(flag, keep, help);
  else
    parsed = app.add_option_function<double>(flag, keep, help);
  if (option.is_file) parsed->type_name("FILE");
  parsed_.push_back(parsed);
}

std::map<std::string, std::string> IntegratorArguments::given() const {
  std::map<std::string, std::string> texts;
  for (const CLI::Option* option : parsed_)
    if (option->count() > 0) texts[option->get_single_name()] = option->as<std::string>();
  return texts;
}

double IntegratorArguments::maximum_step() const {
  const auto found = values_.find("max-step");
  return found == values_.end() ? 0.0 : std::get<double>(found->second);
}

IntegratorOptions IntegratorArguments::options(const CommandModel& model) const {
  const IntegratorEntry& entry = find_integrator(integrator);
  for (const CLI::Option* option : parsed_) {
    if (option->count() == 0) continue;
    const std::vector<std::string> owners = owners_of(option->get_single_name());
    if (std::find(owners.begin(), owners.end(), integrator) != owners.end()) continue;
    throw ModelError(concat("--", option->get_single_name(), " is an option of the integrator",
                            owners.size() > 1 ? "s " : " ", listed(owners), ", and '", integrator,
                            "' was chosen; leave it out, or give --integrator ", owners.front(), "."));
  }
  return entry.make(model, common, values_);
}

}  // namespace linkwork::apps
