#include "commands/start_arguments.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>

#include <charconv>
#include <optional>
#include <utility>

namespace linkwork::apps {

void StartArguments::add_to(CLI::App& app) {
  app.add_option("--fix", fixed, "a value at the start, by the name of an observable or coordinate; as it is without =")
      ->type_name("NAME[=VALUE]")
      ->allow_extra_args(false);
  app.add_option("--guess", guessed, "a value that the start is looked for from, such as that of another branch")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  app.add_flag("--assemble", assemble, "searches for a start that satisfies all constraints; --fix and --guess do too");
}

namespace {

struct NamedNumber {
  std::string name;
  std::optional<double> value;
};

NamedNumber parse(const char* option, const std::string& text, const char* expected) {
  const std::size_t equals = text.rfind('=');
  NamedNumber out{text.substr(0, equals), {}};
  double value = 0;
  bool is_number = true;
  if (equals != std::string::npos) {
    const char* last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data() + equals + 1, last, value);
    is_number = error == std::errc() && end == last;
    out.value = value;
  }
  if (out.name.empty() || !is_number) throw ModelError(concat(option, " '", text, "': expected ", expected, "."));
  return out;
}

}  // namespace

InitialConditions StartArguments::conditions() const {
  InitialConditions out;
  for (const std::string& text : fixed) {
    const NamedNumber given = parse("--fix", text, "NAME=VALUE with a number as value, or NAME");
    if (given.value)
      out.fix(given.name, *given.value);
    else
      out.fix(given.name);
  }
  for (const std::string& text : guessed) {
    constexpr const char* expected = "NAME=VALUE with a number as value";
    const NamedNumber given = parse("--guess", text, expected);
    if (!given.value) throw ModelError(concat("--guess '", text, "': expected ", expected, "."));
    out.guess(given.name, *given.value);
  }
  return out;
}

}  // namespace linkwork::apps
