#include "commands/option_names.hpp"

#include "integrator_table.hpp"

#include <linkwork/core/concat.hpp>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>
#include <vector>

namespace linkwork::apps {
namespace {

/// Words of the library's messages and the options that set what they name.
std::vector<std::pair<std::string, std::string>> words_and_options() {
  std::vector<std::pair<std::string, std::string>> out = {{"rtol", "--rtol"},
                                                          {"atol", "--atol"},
                                                          {"consent_to_projection", "--assemble"},
                                                          {"rough_placement", "--assemble"},
                                                          {"set_initial_conditions({})", "--assemble"},
                                                          {"fix(name, value)", "--fix NAME=VALUE"},
                                                          {"keep_invariants", "--no-invariants"}};
  for (const IntegratorEntry& entry : integrator_table())
    for (const IntegratorOption& option : entry.options)
      if (const std::pair<std::string, std::string> pair{option.member, "--" + option.name};
          !option.member.empty() && std::find(out.begin(), out.end(), pair) == out.end())
        out.push_back(pair);
  return out;
}

bool is_part_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-'; }

/// Where a whole word stands first; npos for nowhere.
std::size_t find_word(const std::string& text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_part_of_word(text[at - 1])) && (end == text.size() || !is_part_of_word(text[end]))) return at;
  }
  return std::string::npos;
}

}  // namespace

std::string with_options(const std::string& message) {
  std::string out = message;
  for (const auto& [word, option] : words_and_options())
    if (const std::size_t at = find_word(out, word); at != std::string::npos)
      out.insert(at + word.size(), concat(" (", option, ')'));
  return out;
}

}  // namespace linkwork::apps
