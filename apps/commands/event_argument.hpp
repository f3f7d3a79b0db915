#pragma once

#include <linkwork/solvers/simulation/events.hpp>

#include <string>

namespace linkwork::apps {

/// OBSERVABLE[:rising|:falling][:stop][:threshold=VALUE], named like the whole text.
/// @throws ModelError for anything else
Event parse_event(const std::string& text);

}  // namespace linkwork::apps
