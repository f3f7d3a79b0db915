#pragma once

#include <linkwork/solvers/linear/linear_solver.hpp>

#include <gtest/gtest.h>
#include <cstdlib>

namespace linkwork {

/// Solutions move with positions that drift off the constraints. A rank decided by drift gives multipliers in
/// proportion to 1 / drift.
/// @param solver   factored at the equations' position
/// @param largest  [m, rad]
inline void expect_smooth_under_drift(EquationsOfMotion& equations, LinearSolver& solver, double largest) {
  Eigen::VectorXd exact, lambda, drifted, drifted_lambda;
  solver.solve(equations.f(), equations.gamma(), exact, lambda);
  const Eigen::VectorXd p = equations.position();
  std::srand(1);
  const Eigen::VectorXd direction = Eigen::VectorXd::Random(equations.dimensions().v);
  for (double drift = largest; drift > 1e-12; drift /= 10) {
    SCOPED_TRACE(drift);
    equations.set_position(0, p);
    Eigen::VectorXd nearby;
    equations.position_step(drift * direction, nearby);
    equations.set_position(0, nearby);
    ASSERT_TRUE(solver.factor(MatrixKind::velocity));
    solver.solve(equations.f(), equations.gamma(), drifted, drifted_lambda);
    EXPECT_LE((drifted - exact).norm(), 100 * drift * exact.norm());  // 5 seen
    EXPECT_LE((drifted_lambda - lambda).norm(), 100 * drift * lambda.norm());
  }
}

}  // namespace linkwork
