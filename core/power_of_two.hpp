#pragma once

#include <cmath>

namespace linkwork::detail {

/// The power of two nearest to a positive number in logarithms; 0 and infinity stay. Scaling by it commits no rounding
/// error. The mantissa alone decides, so that numbers in another unit, a power of two times as large, have powers that
/// are as many times as large, where a rounded logarithm would decide halves by its own rounding.
inline double nearest_power_of_two(double x) {
  constexpr double half_way = 0.70710678118654752;  // the square root of 1/2
  int exponent = 0;
  const double mantissa = std::frexp(x, &exponent);  // in [1/2, 1)
  if (!(mantissa > 0 && std::isfinite(mantissa))) return x;
  return std::ldexp(1.0, mantissa < half_way ? exponent - 1 : exponent);
}

}  // namespace linkwork::detail
