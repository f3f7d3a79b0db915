#include "dense_solution.hpp"

#include <linkwork/core/dense_factors.hpp>

#include <gtest/gtest.h>

namespace linkwork::test {

void solve_accelerations(EquationsOfMotion& equations, State& state) {
  const int nv = equations.dimensions().v, rows = equations.dimensions().constraints();
  equations.set(state);
  const Eigen::MatrixXd G = equations.G().dense();
  Eigen::MatrixXd augmented = Eigen::MatrixXd::Zero(nv + rows, nv + rows);
  augmented.topLeftCorner(nv, nv) = equations.M().dense();
  augmented.topRightCorner(nv, rows) = G.transpose();
  augmented.bottomLeftCorner(rows, nv) = G;
  Eigen::VectorXd right(nv + rows);
  right << equations.f(), equations.gamma();
  FullyPivotedLu lu;
  lu.compute(augmented);
  ASSERT_EQ(lu.rank(), nv + rows) << "singular: the mechanism has redundant rows or a loose massless body";
  Eigen::VectorXd solution(nv + rows);
  lu.solve(right, solution);
  state.a = solution.head(nv);
  state.lambda = solution.tail(rows);
  equations.set_multipliers(state.lambda);
}

Eigen::VectorXd consistent_velocity(EquationsOfMotion& equations, const Eigen::VectorXd& wish) {
  const Eigen::MatrixXd G = equations.G().dense();
  if (G.rows() == 0) return wish;
  return wish - OrthogonalFactors(G).solve(G * wish + equations.velocity_offset());
}

}  // namespace linkwork::test
