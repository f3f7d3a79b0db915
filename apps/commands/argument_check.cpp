#include "commands/argument_check.hpp"

#include "number_text.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>

#include <cstdint>
#include <string>

namespace linkwork::apps {
namespace {

std::string why_no_number(const CLI::Option& option, const std::string& text) {
  double number = 0;
  std::int64_t whole = 0;
  if (option.get_type_name() == "FLOAT") return read_number(text, number);
  if (option.get_type_name() == "INT") return read_whole_number(text, whole);
  return "";
}

}  // namespace

void check_arguments(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options())
    for (const std::string& text : option->results()) {
      if (text.empty())
        throw ModelError(concat(option->get_name(), " '' is empty; it takes: ", option->get_description(), '.'));
      if (const std::string why = why_no_number(*option, text); !why.empty())
        throw ModelError(
            concat(option->get_name(), " '", text, "' ", why, "; it takes: ", option->get_description(), '.'));
    }
}

}  // namespace linkwork::apps
