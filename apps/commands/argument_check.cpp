#include "commands/argument_check.hpp"

#include "commands/subcommand.hpp"
#include "number_text.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/core/nearest_names.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace linkwork::apps {
namespace {

std::string why_no_number(const CLI::Option& option, const std::string& text) {
  double number = 0;
  std::int64_t whole = 0;
  if (option.get_type_name() == "FLOAT") return read_number(text, number);
  if (option.get_type_name() == "INT") return read_whole_number(text, whole);
  return "";
}

std::string help_of(const CLI::App& app) { return concat("'", program_name(), ' ', app.get_name(), " --help'"); }

/// "it takes: end of the run [s]" for "--tend: ..." and "--tend ..."; "" where no option stands in front.
std::string taken_by(const CLI::App& app, const std::string& sentence) {
  const CLI::Option* option = app.get_option_no_throw(sentence.substr(0, sentence.find_first_of(": ")));
  return option ? concat("it takes: ", option->get_description()) : "";
}

std::string explain_extra(const CLI::App& app, const std::string& extra) {
  if (extra.rfind('-', 0) != 0)
    return concat("'", extra, "' was not expected: options begin with --, and texts with spaces want quotes; see ",
                  help_of(app));
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return concat("unknown option '", extra,
                "'; there are: ", nearest_names(extra.substr(0, extra.find('=')), {names.begin(), names.end()}),
                "; see ", help_of(app));
}

}  // namespace

void check_arguments(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options())
    for (const std::string& text : option->results()) {
      if (text.empty())
        throw ModelError(concat(option->get_name(), " '' is empty; it takes: ", option->get_description(), '.'));
      if (option->get_items_expected_max() == 0 && text != "true")
        throw ModelError(concat(option->get_name(), " takes no value, and '", text, "' is given; leave it out."));
      if (const std::string why = why_no_number(*option, text); !why.empty())
        throw ModelError(
            concat(option->get_name(), " '", text, "' ", why, "; it takes: ", option->get_description(), '.'));
    }
}

std::string explain(const CLI::App& app, const CLI::ParseError& error) {
  try {
    check_arguments(app);  // knows more about numbers
  } catch (const ModelError& mistake) {
    return mistake.what();
  }
  if (const std::vector<std::string> extras = app.remaining(); !extras.empty())
    return explain_extra(app, extras.front()) + '.';
  const std::string taken = taken_by(app, error.what());
  return concat(error.what(), "; ", taken.empty() ? "see " + help_of(app) : taken, '.');
}

}  // namespace linkwork::apps
