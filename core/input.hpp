#pragma once

#include <functional>

namespace linkwork {

/// Value of a prescribed quantity with its first two time derivatives.
struct InputValue {
  double value = 0, rate = 0, acceleration = 0;
};

/// A prescribed motion u(t): gives u, u' and u'' at a time [s].
using Input = std::function<InputValue(double time)>;

}  // namespace linkwork
