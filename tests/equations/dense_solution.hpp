#pragma once

#include <linkwork/core/equations_of_motion.hpp>

#include <Eigen/Core>

namespace linkwork::test {

/// Sets v' and the multipliers of `state` from [M G^T; G 0] [v'; lambda] = [f; gamma], by a dense LU with full pivots
/// that fails the test if the matrix is singular. Forces must not read multipliers.
void solve_accelerations(EquationsOfMotion& equations, State& state);

/// The velocity nearest to `wish` that satisfies the constraints at the current position.
Eigen::VectorXd consistent_velocity(EquationsOfMotion& equations, const Eigen::VectorXd& wish);

}  // namespace linkwork::test
