#pragma once

#include <linkwork/core/equations_of_motion.hpp>

#include <gtest/gtest.h>

#include <Eigen/Dense>

namespace linkwork::test {

/// Sets v' and the multipliers of `state` from [M G^T; G 0] [v'; lambda] = [f; gamma], by a dense LU with full pivots
/// that fails the test if the matrix is singular. Forces must not read multipliers.
inline void solve_accelerations(EquationsOfMotion& equations, State& state) {
  const int nv = equations.dimensions().v, rows = equations.dimensions().constraints();
  equations.set(state);
  const Eigen::MatrixXd G = equations.G().dense();
  Eigen::MatrixXd augmented = Eigen::MatrixXd::Zero(nv + rows, nv + rows);
  augmented.topLeftCorner(nv, nv) = equations.M().dense();
  augmented.topRightCorner(nv, rows) = G.transpose();
  augmented.bottomLeftCorner(rows, nv) = G;
  Eigen::VectorXd right(nv + rows);
  right << equations.f(), equations.gamma();
  const Eigen::FullPivLU<Eigen::MatrixXd> lu(augmented);
  ASSERT_EQ(lu.rank(), nv + rows) << "singular: the mechanism has redundant rows or a loose massless body";
  const Eigen::VectorXd solution = lu.solve(right);
  state.a = solution.head(nv);
  state.lambda = solution.tail(rows);
  equations.set_multipliers(state.lambda);
}

/// The velocity nearest to `wish` that satisfies the constraints at the current position.
inline Eigen::VectorXd consistent_velocity(EquationsOfMotion& equations, const Eigen::VectorXd& wish) {
  const Eigen::MatrixXd G = equations.G().dense();
  return wish - G.completeOrthogonalDecomposition().solve(G * wish + equations.velocity_offset());
}

}  // namespace linkwork::test
