#pragma once

#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/solvers/linear/linear_solver.hpp>

namespace linkwork {

/// w, v' and lambda of a state that fit its p, v and r, for the starts of implicit integrators. The equations are at
/// the projected positions and velocities; s is taken from them. Where forces read multipliers, by Newton's method with
/// F = df/dlambda; where w depends on them, by a fixed point. What does not settle is left at the last iterate: the
/// integrator's own iteration finds out whether it can go on from there.
/// Failure: a singular matrix.
/// @param correction  added to gamma, by row; null: none
Outcome settle_accelerations(EquationsOfMotion& equations, LinearSolver& solver, State& state,
                             const Eigen::VectorXd* correction = nullptr);

/// The same for a whole state that nobody corrects afterwards, also with the w and s that the equations eliminate. The
/// equations are set to it.
/// Failure: a singular matrix, or multipliers that do not settle.
Outcome find_accelerations(EquationsOfMotion& equations, LinearSolver& solver, State& state);
/// With the solver `auto`.
Outcome find_accelerations(EquationsOfMotion& equations, State& state);

}  // namespace linkwork
