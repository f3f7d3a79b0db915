#pragma once

// What is derived from an element by differences, here and in joints without closed forms, comes by one formula.

namespace linkwork::detail {

/// Sixth-order central differences of a first derivative:  f' = sum_k weight_k (f(k h) - f(-k h)) / h,  k = 1, 2, 3.
inline constexpr double difference_weights[] = {45.0 / 60, -9.0 / 60, 1.0 / 60};

/// Sixth-order central differences of a second derivative where f(0) = 0:
///   f'' = sum_k weight_k (f(k h) + f(-k h)) / h^2,  k = 1, 2, 3.
inline constexpr double second_difference_weights[] = {3.0 / 2, -3.0 / 20, 1.0 / 90};

}  // namespace linkwork::detail
