#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

namespace linkwork::apps {

/// A function of one variable, such as the way along a track or a road, with three derivatives.
struct Jet {
  double value = 0, first = 0, second = 0, third = 0;
};
inline Jet operator+(const Jet& a, const Jet& b) {
  return {a.value + b.value, a.first + b.first, a.second + b.second, a.third + b.third};
}
inline Jet operator*(const Jet& a, const Jet& b) {
  return {a.value * b.value, a.first * b.value + a.value * b.first,
          a.second * b.value + 2 * a.first * b.first + a.value * b.second,
          a.third * b.value + 3 * (a.second * b.first + a.first * b.second) + a.value * b.third};
}

/// From 0 to 1 between u = begin and begin + length, along a polynomial whose first four derivatives vanish at both
/// ends: its slope is proportional to (x (1 - x))^4.
inline Jet rise(double u, double begin, double length) {
  const double x = std::clamp((u - begin) / length, 0.0, 1.0), rest = x * (1 - x), slope = 1 - 2 * x;
  return {x * x * x * x * x * (126 + x * (-420 + x * (540 + x * (-315 + x * 70)))),
          630 * rest * rest * rest * rest / length, 2520 * rest * rest * rest * slope / (length * length),
          2520 * rest * rest * (3 * slope * slope - 2 * rest) / (length * length * length)};
}

/// From 0 to 1 within `edge` after begin, and back to 0 within `edge` before begin + length.
inline Jet plateau(double u, double begin, double length, double edge) {
  return rise(u, begin, edge) + Jet{-1} * rise(u, begin + length - edge, edge);
}

/// sin(2 pi u / length + phase)
inline Jet wave(double u, double length, double phase) {
  const double k = 2 * std::numbers::pi / length, s = std::sin(k * u + phase), c = std::cos(k * u + phase);
  return {s, k * c, -k * k * s, -k * k * k * c};
}

}  // namespace linkwork::apps
