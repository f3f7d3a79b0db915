#pragma once

#include <linkwork/solvers/dae/error_weights.hpp>
#include <linkwork/solvers/dae/tolerances.hpp>
#include <linkwork/solvers/manifold/projection.hpp>

namespace linkwork {

/// Projects the positions and velocities of initial values onto the constraints, for every integrator. The equations
/// are at the state; they are left at the projected positions and velocities, and the velocity matrix factored. What
/// was done stands in `projection`.
/// Failure: values that would change by more than 100 times their absolute tolerance (the relative one where that is
/// zero) without consent; quaternions of norm 0; constraints that can't be closed. The message names the worst one.
/// @param consent  accept larger changes
Outcome project_initial_values(EquationsOfMotion& equations, Projection& projection, const Tolerances& tolerances,
                               bool consent, const ErrorWeights& weights, State& state);

}  // namespace linkwork
