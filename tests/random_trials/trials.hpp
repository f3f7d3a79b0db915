#pragma once

#include "description.hpp"

#include <map>
#include <set>
#include <string>

namespace linkwork::test {

/// What became of comparisons.
struct Tally {
  struct Refusals {
    int count = 0;
    unsigned seed = 0;         ///< of the first
    std::set<std::string> by;  ///< solvers or integrators
  };
  int tried = 0, agreed = 0;
  std::map<std::string, Refusals> refused;       ///< by reason, without names and numbers
  std::map<std::string, std::string> disagreed;  ///< what differs, by case

  void refuse(const std::string& who, const std::string& reason, unsigned seed);
  int refusals() const;
  Tally& operator+=(const Tally& other);
};

/// Accelerations and unique reactions of every formulation with every linear solver, against the independent equations;
/// with elements added in another order, so that other joints close the loops, and in other units. A relative
/// difference of more than 1000 eps times the condition number (see NewtonEuler) is a disagreement, and so is a refusal
/// of the solver `auto`.
Tally try_accelerations(const Description& mechanism);

/// A motion of 0.1 s at 1e-8 by every formulation and integrator: attitudes and positions within 1000 tolerances of
/// each other.
Tally try_motion(const Description& mechanism);

/// The number of steps is the same in every unit of length, by every formulation and integrator. @param unit a power of
/// 2
Tally try_units(const Description& mechanism, double unit);

}  // namespace linkwork::test
