#pragma once

#include <string>
#include <utility>
#include <vector>

namespace linkwork {

/// Which points the dense output is delivered at (MEXX's four modes).
struct OutputPoints {
  enum class Mode { none, equidistant, per_step, at_most, given };
  Mode mode = Mode::none;
  int count = 0;        ///< equidistant: points between the ends; per_step: points inside each step; 0 to most_points
  double interval = 0;  ///< at_most: largest distance [s], > 0
  std::vector<double> times = {};  ///< given: ascending, within the run [s]

  static OutputPoints equidistant(int count) { return {Mode::equidistant, count, 0, {}}; }
  static OutputPoints per_step(int count) { return {Mode::per_step, count, 0, {}}; }
  static OutputPoints at_most(double interval) { return {Mode::at_most, 0, interval, {}}; }
  static OutputPoints given(std::vector<double> times) { return {Mode::given, 0, 0, std::move(times)}; }

  static constexpr int most_points = 1000000000;  ///< between the ends of a run, or inside one step

  /// "" when usable, else the reason.
  std::string why_invalid() const;
};

}  // namespace linkwork
