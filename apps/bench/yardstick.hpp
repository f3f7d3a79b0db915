#pragma once

namespace linkwork::apps {

/// Time of a fixed small program: the congruence X^T A X of 6 x 6 matrices and a product with a 6-vector. A speed
/// divided by it can be carried from one machine of a kind to another.
struct Yardstick {
  double minimum = 0, median = 0;  ///< [ns]
};

Yardstick measure_yardstick();

}  // namespace linkwork::apps
