#include "commands/model_arguments.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>

#include <charconv>

namespace linkwork::apps {

void ModelArguments::add_to(CLI::App& app) {
  app.add_option("MODEL", name, "a model of the zoo, see 'linkwork list'")->required();
  app.add_option("--set", settings, "a parameter of the model, see 'linkwork list MODEL'")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
}

Parameters ModelArguments::parameters(const ZooModel& model) const {
  Parameters changes;
  for (const std::string& setting : settings) {
    const std::size_t equals = setting.find('=');
    double value = 0;
    bool understood = equals != std::string::npos && equals > 0;
    if (understood) {
      const char *first = setting.data() + equals + 1, *last = setting.data() + setting.size();
      const auto [end, error] = std::from_chars(first, last, value);
      understood = error == std::errc() && end == last;
    }
    if (!understood) throw ModelError(concat("--set '", setting, "': expected NAME=VALUE with a number as value."));
    if (!changes.emplace(setting.substr(0, equals), value).second)
      throw ModelError(concat("--set '", setting, "': the parameter is given twice."));
  }
  return model.parameters_with(changes);
}

}  // namespace linkwork::apps
