#pragma once

#include "bench/work_precision.hpp"

#include <cstdint>

namespace linkwork::apps {

/// A run of the pendulum of slender rods of 1 m and 1 kg, released from rest and horizontal. The motion is chaotic, so
/// that codes are compared by the time they take for a drift of the energy.
struct RodPendulumRun {
  WorkPoint point;  ///< error: drift of the energy over [0, t_end], relative to the largest kinetic energy
  std::int64_t steps = 0, accelerations = 0;
};

/// In relative coordinates with the recursive solver; the smallest time of several runs.
/// @param t_end      [s]
/// @param tolerance  rtol and atol
RodPendulumRun run_rod_pendulum(int rods, double t_end, double tolerance);

}  // namespace linkwork::apps
