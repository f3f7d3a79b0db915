#include "commands/option_names.hpp"

#include <linkwork/core/concat.hpp>

#include <cctype>
#include <string_view>
#include <utility>

namespace linkwork::apps {
namespace {

constexpr std::pair<std::string_view, std::string_view> options[] = {
    {"rtol", "--rtol"},
    {"atol_angle", "--atol-angle"},
    {"atol", "--atol"},
    {"maximum_steps", "--max-steps"},
    {"maximum_step", "--max-step"},
    {"maximum_order", "--max-order"},
    {"maximum_iterations", "--newton-iterations"},
    {"first_step", "--first-step"},
    {"consent_to_projection", "--assemble"},
    {"rough_placement", "--assemble"},
    {"set_initial_conditions({})", "--assemble"},
    {"fix(name, value)", "--fix NAME=VALUE"},
    {"keep_invariants", "--no-invariants"},
};

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
  for (const auto& [word, option] : options)
    if (const std::size_t at = find_word(out, word); at != std::string::npos)
      out.insert(at + word.size(), concat(" (", option, ')'));
  return out;
}

}  // namespace linkwork::apps
