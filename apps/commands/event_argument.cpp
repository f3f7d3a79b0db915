#include "commands/event_argument.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>

#include <charconv>
#include <sstream>

namespace linkwork::apps {
namespace {

bool parse_threshold(const std::string& part, double& value) {
  constexpr std::string_view key = "threshold=";
  if (part.rfind(key, 0) != 0) return false;
  const char* last = part.data() + part.size();
  const auto [end, error] = std::from_chars(part.data() + key.size(), last, value);
  return error == std::errc() && end == last;
}

}  // namespace

Event parse_event(const std::string& text) {
  Event event;
  event.name = text;
  std::istringstream parts(text);
  std::getline(parts, event.observable, ':');
  constexpr const char* expected = "expected OBSERVABLE[:rising|:falling][:stop][:threshold=VALUE].";
  if (event.observable.empty()) throw ModelError(concat("--event '", text, "' names no observable; ", expected));
  std::string part;
  while (std::getline(parts, part, ':')) {
    if (part == "rising")
      event.direction = Event::Direction::rising;
    else if (part == "falling")
      event.direction = Event::Direction::falling;
    else if (part == "stop")
      event.action = Event::Action::stop;
    else if (!parse_threshold(part, event.residual_threshold))
      throw ModelError(concat("--event '", text, "': '", part, "' is not known; ", expected));
  }
  return event;
}

}  // namespace linkwork::apps
