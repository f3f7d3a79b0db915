#pragma once

#include <string>
#include <vector>

namespace linkwork::apps {

/// What a run of a code cost, and how far off it was.
struct WorkPoint {
  std::string code, setting;
  double milliseconds = 0;  ///< of processor time
  double error = 0;         ///< in whatever unit the comparison is in
};

/// Time that a code takes for an error, on straight lines through its points in logarithms, which go from loose to
/// tight settings; NaN outside of them.
double time_at_error(const std::vector<WorkPoint>& points, double error);

}  // namespace linkwork::apps
