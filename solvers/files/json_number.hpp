#pragma once

#include <cmath>
#include <nlohmann/json.hpp>

// Internal.

namespace linkwork {

/// For JSON, which has no other word for numbers that were not measured, or are not known.
inline nlohmann::ordered_json number_or_null(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

}  // namespace linkwork
