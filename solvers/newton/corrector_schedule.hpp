#pragma once

#include <linkwork/solvers/dae/residual_function.hpp>

#include <string>
#include <vector>

namespace linkwork {

/// Which phases a refresh cycle has; one at least.
struct CyclePhases {
  bool dropped_lu = true, simplified = true, krylov = true;
  bool operator==(const CyclePhases&) const = default;
};

/// What decisions about a cycle count with.
struct CorrectorCosts {
  /// Of an evaluation of F, in multiply-adds of substitutions per unknown.
  double evaluation = 100;
};

/// What the cycle does from which time on, as an analysis of earlier runs of the same system has found it best
/// (DASSL+ 4.3.2).
struct CorrectorSchedule {
  struct Interval {
    double from = 0;  ///< [s]; up to where the next one begins
    CyclePhases phases = {};
    double drop_tolerance = 0;
    int krylov_steps = 1;
  };

  std::string model;   ///< for messages
  std::string system;  ///< the identity of the system, see system_identity
  std::vector<Interval> intervals;
  CorrectorCosts costs = {};

  bool empty() const { return intervals.empty(); }
  /// The one that holds at a time; that of the start before it.
  const Interval& at(double t) const;
  /// "" when usable, else the reason.
  std::string why_invalid() const;
};

/// The number of the first unknowns, those of a state, and a checksum of their names: the same for two runs of a model
/// in one formulation, whichever of its constraint rows are redundant.
std::string system_identity(const ResidualFunction& system, int unknowns);

}  // namespace linkwork
