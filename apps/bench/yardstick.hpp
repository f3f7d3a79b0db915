#pragma once

namespace linkwork::apps {

/// Median time [ns] of a fixed small program: the congruence X^T A X of 6 x 6 matrices and a product with a 6-vector.
/// A speed divided by it can be carried from one machine of a kind to another.
double yardstick_nanoseconds();

}  // namespace linkwork::apps
