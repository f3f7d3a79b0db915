#include "commands/event_argument.hpp"

#include "number_text.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>

#include <algorithm>
#include <string>

namespace linkwork::apps {
namespace {

/// Takes a part of the argument that may come once.
/// @param of  what parts exclude each other: the direction, the action, the threshold
void expect_first(bool& taken, const std::string& text, const std::string& part, const char* of) {
  if (taken) throw ModelError(concat("--event '", text, "': '", part, "' is a second ", of, "; give one of them."));
  taken = true;
}

bool parse_threshold(const std::string& part, double& value) {
  constexpr std::string_view key = "threshold=";
  if (part.rfind(key, 0) != 0) return false;
  return read_number(std::string_view(part).substr(key.size()), value).empty();
}

}  // namespace

Event parse_event(const std::string& text) {
  Event event;
  event.name = text;
  constexpr const char* expected = "expected OBSERVABLE[:rising|:falling][:stop][:threshold=VALUE].";
  // What elements tell has colons in its name, "spring: force": names go on behind a colon with a blank.
  const auto end_of_part = [&](std::size_t from) {
    std::size_t colon = text.find(':', from);
    while (colon != std::string::npos && colon + 1 < text.size() && text[colon + 1] == ' ')
      colon = text.find(':', colon + 1);
    return std::min(colon, text.size());
  };
  std::size_t end = end_of_part(0);
  event.observable = text.substr(0, end);
  if (event.observable.empty()) throw ModelError(concat("--event '", text, "' names no observable; ", expected));
  bool has_direction = false, has_action = false, has_threshold = false;
  while (end < text.size()) {
    const std::size_t begin = end + 1;
    end = end_of_part(begin);
    const std::string part = text.substr(begin, end - begin);
    if (part == "rising" || part == "falling") {
      expect_first(has_direction, text, part, "direction");
      event.direction = part == "rising" ? Event::Direction::rising : Event::Direction::falling;
    } else if (part == "stop") {
      expect_first(has_action, text, part, "action");
      event.action = Event::Action::stop;
    } else if (parse_threshold(part, event.residual_threshold)) {
      expect_first(has_threshold, text, part, "threshold");
    } else {
      throw ModelError(concat("--event '", text, "': '", part, "' is not known; ", expected));
    }
  }
  return event;
}

}  // namespace linkwork::apps
