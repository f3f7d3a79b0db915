#pragma once

#include <linkwork/solvers/dae/motion_residual.hpp>

#include <Eigen/Core>

namespace linkwork::test {

/// dF/dy of a pendulum of mass 1 kg and length 1 m whose constraint is g = p^T p - 1, for RadauOptions::given_jacobian.
/// @param mass  of the motion along y; a false one is a false Jacobian [kg]
inline auto pendulum_jacobian(double mass = 1) {
  return [mass](const MotionResidual& e, double, const Eigen::VectorXd& y, Eigen::MatrixXd& J) {
    const MotionLayout& at = e.layout();
    const int g = e.position().first, rate = e.velocity().first, dynamics = e.acceleration().first;
    for (int i = 0; i < 2; ++i) {
      J(e.position_rate().first + i, at.v + i) = J(e.velocity_rate().first + i, at.a + i) = -1;
      J(g, at.p + i) = J(rate, at.v + i) = J(dynamics + 2, at.a + i) = J(dynamics + i, at.lambda) = 2 * y[at.p + i];
      J(rate, at.p + i) = 2 * y[at.v + i];
      J(dynamics + i, at.a + i) = i == 1 ? mass : 1;
      J(dynamics + i, at.p + i) = 2 * y[at.lambda];
      J(dynamics + 2, at.p + i) = 2 * y[at.a + i];
      J(dynamics + 2, at.v + i) = 4 * y[at.v + i];
    }
  };
}

}  // namespace linkwork::test
