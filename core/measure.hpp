#pragma once

namespace linkwork {

/// What a coordinate or a residual measures. The unit follows: metres or radians.
enum class Measure {
  unknown,  ///< not known, or a number without a unit such as an entry of a quaternion
  length,
  angle
};

/// "m", "rad" or "".
constexpr const char* unit_of(Measure measure) {
  return measure == Measure::length ? "m" : measure == Measure::angle ? "rad" : "";
}
/// Of its rate: "m/s", "rad/s" or "".
constexpr const char* rate_unit_of(Measure measure) {
  return measure == Measure::length ? "m/s" : measure == Measure::angle ? "rad/s" : "";
}

}  // namespace linkwork
