#include "dense_solution.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

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
  const Eigen::FullPivLU<Eigen::MatrixXd> lu(augmented);
  ASSERT_EQ(lu.rank(), nv + rows) << "singular: the mechanism has redundant rows or a loose massless body";
  const Eigen::VectorXd solution = lu.solve(right);
  state.a = solution.head(nv);
  state.lambda = solution.tail(rows);
  equations.set_multipliers(state.lambda);
}

Eigen::VectorXd consistent_velocity(EquationsOfMotion& equations, const Eigen::VectorXd& wish) {
  const Eigen::MatrixXd G = equations.G().dense();
  return wish - G.completeOrthogonalDecomposition().solve(G * wish + equations.velocity_offset());
}

}  // namespace linkwork::test
