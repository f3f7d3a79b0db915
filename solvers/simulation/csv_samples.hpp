#pragma once

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/simulation/trajectory.hpp>

#include <algorithm>
#include <cmath>
#include <string>

// Internal: what tables of samples share.

namespace linkwork {

/// As it stands between commas.
inline std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

/// Samples at t_begin + k / samples_per_second, k = 0, 1, ..., last.
struct CsvSamples {
  double t_begin = 0, t_end = 0, rate = 0, last = 0;

  /// @param function  that asks, for messages
  /// @throws ModelError for an empty trajectory, and for a rate that makes no sense
  CsvSamples(const char* function, const Trajectory& path, double samples_per_second)
      : t_begin(path.t_begin()), t_end(path.t_end()), rate(samples_per_second) {
    if (!(std::isfinite(rate) && rate > 0))
      throw ModelError(
          concat(function, ": the rate is ", rate, " samples per second; expected a finite value above 0."));
    // A sample that misses the end by rounding belongs to it.
    last = std::floor((t_end - t_begin) * rate * (1 + 1e-12));
    constexpr double most_samples = 1e15;  // whole numbers that a double can count
    if (!(last <= most_samples))
      throw ModelError(concat(function, ": the rate of ", rate, " samples per second gives ", last,
                              " samples over the run; give a lower one."));
  }
  double time(double k) const { return std::min(t_begin + k / rate, t_end); }
  OutputPoints points() const {
    OutputPoints out;
    out.mode = OutputPoints::Mode::given;
    for (double k = 0; k <= last; ++k) out.times.push_back(time(k));
    return out;
  }
};

}  // namespace linkwork
