#pragma once

// Internal: notices prescribed motions that jump.

#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/solvers/formulations/drives.hpp>

#include <optional>
#include <string>
#include <vector>

namespace linkwork {

/// Integrators see a prescribed motion at the ends of their steps, and a joint that is driven in joint coordinates has
/// no residual that would show a jump. No motion without a shock follows one of a position or of its rate.
class JumpWatch {
 public:
  /// Where a motion begins, at the start of a run or behind an event.
  void begin(const EquationsOfMotion& equations, double t);
  struct Jump {
    double t = 0;       ///< [s]
    std::string drive;  ///< the constraint's name
  };
  /// The first jump up to the end of a step, from where `begin` or `look` came to. One call for each drive; more only
  /// where it changes in another way than its rates tell.
  std::optional<Jump> look(double t);

 private:
  double t_ = 0;
  std::vector<Drive> drives_;
  std::vector<InputValue> before_;
};

}  // namespace linkwork
