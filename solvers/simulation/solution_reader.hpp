#pragma once

#include <linkwork/solvers/dae/error_weights.hpp>
#include <linkwork/solvers/linear/linear_solver_choice.hpp>
#include <linkwork/solvers/manifold/projection.hpp>
#include <linkwork/solvers/manifold/solution_manifold.hpp>
#include <linkwork/solvers/simulation/trajectory.hpp>

#include <functional>
#include <memory>
#include <string>

// Internal to the driver and to trajectories.

namespace linkwork {

/// Makes an interpolated state the state of the mechanism at that time. Interpolation gives positions and velocities to
/// the accuracy of the run; here they are projected onto their constraints, to rounding, and all else follows from the
/// equations: w and s, and accelerations and multipliers from one augmented system (more where forces read reactions).
///
/// It has a linear solver of its own, so that what is read changes nothing of a run: neither its pivots and ranks nor
/// its counters.
class SolutionReader {
 public:
  /// @param linear_solver  that of the run, so that redundant rows have the same multipliers; made at the first use
  SolutionReader(std::shared_ptr<EquationsOfMotion> equations, LinearSolverChoice linear_solver);

  EquationsOfMotion& equations() { return *equations_; }

  /// The state at a time of a segment, with the memory that the equations had there; they are left as they were found.
  /// What dense output was not selected for is no number, and nothing is projected then.
  /// Failure: no accelerations and multipliers could be found; they are no numbers then, and the rest is interpolated.
  Outcome read(const TrajectorySegment& segment, double t, State& state);
  /// The same, and has a function look at the equations while they are set to the state.
  Outcome visit(const TrajectorySegment& segment, double t, State& state,
                const std::function<void(const State&, EquationsOfMotion&)>& look);

  /// Moves p and v onto their constraints, to rounding; s and the quaternions go along. The equations are at it.
  Outcome project(State& state);
  /// a, lambda, w and s of a state whose p, v and r are right. The equations are set to it.
  Outcome complete(State& state);

 private:
  struct Work;
  Work& work();
  Outcome find(const TrajectorySegment& segment, double t, State& state);

  std::shared_ptr<EquationsOfMotion> equations_;
  LinearSolverChoice linear_solver_;
  std::shared_ptr<Work> work_;  // shared only so that its type may stay incomplete here
};

/// What the equations hold during a step: their StepMemory, if they have one, and the applied force.
Eigen::VectorXd memory_of(const EquationsOfMotion& equations);
/// Puts it back; nothing becomes stale where nothing changes.
void recall(EquationsOfMotion& equations, const Eigen::VectorXd& memory);

/// Accelerations and multipliers that nobody knows.
void forget_accelerations(State& state);
/// Whether dense output has all that a state is read from: all of p, v and r, and of w and s where they are unknowns.
bool is_readable(const TrajectorySegment& segment, const Dimensions& dimensions);

}  // namespace linkwork
