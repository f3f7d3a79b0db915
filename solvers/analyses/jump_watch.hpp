#pragma once

// Internal: notices prescribed motions that jump.

#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/solvers/dae/tolerances.hpp>
#include <linkwork/solvers/formulations/drives.hpp>

#include <optional>
#include <string>
#include <vector>

namespace linkwork {

/// Looks along each step whether prescribed positions, their rates or prescribed velocities jump by more than the
/// tolerance. Integrators see them at the ends of their steps only, and in joint coordinates a driven joint has no
/// residual that would show a jump; after one only a shock leads on.
class JumpWatch {
 public:
  struct Jump {
    double t = 0;       ///< [s]
    std::string input;  ///< its name
  };

  /// At the start of a run.
  JumpWatch(const EquationsOfMotion& equations, const Tolerances& tolerances);
  /// The motion begins at a time, or anew behind an event.
  void begin(double t);
  /// The first jump of an input up to the end of a step, from where `begin` or `look` came to; see find_jump for what
  /// it costs and for what it misses.
  std::optional<Jump> look(double t);

 private:
  struct Watched {
    Drive drive;
    std::string name;
    InputValue before;
    double largest_value = 0, largest_rate = 0;  // |u| and |u'| so far
  };

  double rtol_, atol_, t_ = 0;
  std::vector<Watched> watched_;
};

}  // namespace linkwork
