#pragma once

// Internal: notices where a reduced motion leaves its smooth path at a singular position.

#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/core/state.hpp>

#include <Eigen/Core>
#include <string>

namespace linkwork {

/// Where constraints lose rank, branches of motion cross. Violations and rounding errors that mean nothing elsewhere
/// become accelerations of any size there, which short enough steps follow onto another branch with every error
/// estimate in order. A smooth motion has no such accelerations.
class BranchWatch {
 public:
  /// @param rank  of the constraint rows away from singular positions
  void begin(const EquationsOfMotion& equations, int rank);
  /// The end of an accepted step of length h [s] that an integrator has chosen, with its accelerations; the equations
  /// are at it. Costs two norms, and an eigenvalue problem of the rows where steps have become short and accelerations
  /// large.
  /// Failure: the motion leaves for another branch; the message names the elements whose rows depend on each other
  Outcome look(EquationsOfMotion& equations, const State& end, double h);
  /// A sentence, with a space before it, for a run that failed at a state; "" where no constraints nearly lose rank.
  std::string why_near_singular(EquationsOfMotion& equations, const State& state) const;

 private:
  int rank_ = 0;
  Eigen::VectorXd sizes_;  // of velocities
  double longest_step_ = 0, largest_usual_ = 0;
};

}  // namespace linkwork
