#pragma once

#include <string>
#include <vector>

namespace linkwork::apps {

/// What Simbody made of a mechanism.
struct SimbodyRun {
  bool finished = false;  ///< before its limit of processor time
  double cpu_seconds = 0;
  double x = 0, y = 0;  ///< n_four_bar: the upper end of the first crank [m]
  double drift = 0;     ///< of the energy [J]; rod pendulum: over the largest kinetic energy
};

/// Integrators of Simbody by name.
std::vector<std::string> simbody_integrators();

// Each run is a process of its own, because integrators may stop making progress inside a step; it ends after
// `limit` seconds of processor time. What Simbody prints is dropped.

/// The zoo's n_four_bar: cranks and couplers on pins, the right pins closed by two rows each.
SimbodyRun run_n_four_bar_in_simbody(int windows, double t_end, const std::string& integrator, double accuracy,
                                     double limit);
/// The pendulum of slender rods of 1 m and 1 kg, released from rest and horizontal.
SimbodyRun run_rod_pendulum_in_simbody(int rods, double t_end, const std::string& integrator, double accuracy,
                                       double limit);

}  // namespace linkwork::apps
