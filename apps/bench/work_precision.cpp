#include "bench/work_precision.hpp"

#include <cmath>
#include <limits>

namespace linkwork::apps {

double cost_at_error(const std::vector<WorkPoint>& points, double error, double WorkPoint::*cost) {
  for (std::size_t k = 0; k + 1 < points.size(); ++k) {
    const WorkPoint &loose = points[k], &tight = points[k + 1];
    if (error > loose.error || error < tight.error) continue;
    const double share = std::log(loose.error / error) / std::log(loose.error / tight.error);
    return loose.*cost * std::pow(tight.*cost / (loose.*cost), share);
  }
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace linkwork::apps
