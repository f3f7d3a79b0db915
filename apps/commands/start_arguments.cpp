#include "commands/start_arguments.hpp"

#include "number_text.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>

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
  std::string why;
  if (equals != std::string::npos) {
    const std::string digits = text.substr(equals + 1);
    why = read_number(digits, out.value.emplace());
    if (!why.empty()) why = concat("'", digits, "' ", why, "; ");
  }
  if (out.name.empty() || !why.empty())
    throw ModelError(concat(option, " '", text, "': ", why, "expected ", expected, "."));
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
