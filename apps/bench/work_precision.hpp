#pragma once

#include <string>
#include <vector>

namespace linkwork::apps {

/// What a run of a code cost, and how far off it was.
struct WorkPoint {
  std::string code, setting;
  double milliseconds = 0;  ///< of processor time
  double error = 0;         ///< in whatever unit the comparison is in
  double calls = 0;         ///< evaluations of the equations, where they are compared
  double steps = 0;         ///< where they are compared
};

/// What an error costs a code, on straight lines through its points in logarithms, which go from loose to tight
/// settings; NaN outside of them.
double cost_at_error(const std::vector<WorkPoint>& points, double error, double WorkPoint::*cost);
inline double time_at_error(const std::vector<WorkPoint>& points, double error) {
  return cost_at_error(points, error, &WorkPoint::milliseconds);
}

}  // namespace linkwork::apps
