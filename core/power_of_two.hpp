#pragma once

#include <cmath>

namespace linkwork::detail {

/// The power of two nearest to a positive number in logarithms. Scaling by it commits no rounding error.
inline double nearest_power_of_two(double x) { return std::exp2(std::round(std::log2(x))); }

}  // namespace linkwork::detail
