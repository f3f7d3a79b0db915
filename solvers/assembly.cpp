#include <linkwork/solvers/assembly.hpp>

#include <linkwork/core/errors.hpp>

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

namespace linkwork {

namespace {

constexpr int most_iterations = 200;
constexpr double closed = 1e-13;  // [m, rad]: a few rounding errors of metres and radians

/// Infinite where elements can't be evaluated: such a trial is refused.
double weighted_norm(EquationsOfMotion& equations, const Eigen::VectorXd& weights) {
  try {
    return equations.g().cwiseProduct(weights).norm();
  } catch (const RecoverableFailure&) {
    return std::numeric_limits<double>::infinity();
  }
}

}  // namespace

double assemble(EquationsOfMotion& equations, const Eigen::VectorXd& weights, double length, Eigen::VectorXd& p) {
  const double t = equations.time();
  if (equations.dimensions().lambda == 0) return 0;
  Eigen::VectorXd start = p, trial, step;
  equations.normalise(start, p);
  equations.set_position(t, p);
  double size = weighted_norm(equations, weights);
  double damping = 1e-3;
  for (int iteration = 0; iteration < most_iterations && equations.g().cwiseAbs().maxCoeff() > closed; ++iteration) {
    const Eigen::MatrixXd J = weights.asDiagonal() * equations.C().dense();
    const Eigen::MatrixXd H = J.transpose() * J;
    const Eigen::VectorXd gradient = J.transpose() * weights.cwiseProduct(equations.g());
    bool improved = false;
    while (!improved && damping < 1e8) {
      Eigen::MatrixXd damped = H;
      damped.diagonal().array() += damping * std::max(1.0, length * length);
      step = -damped.ldlt().solve(gradient);
      equations.position_step(step, trial);
      equations.normalise(p, trial);
      equations.set_position(t, trial);
      const double trial_size = weighted_norm(equations, weights);
      improved = trial_size < size;
      if (improved) {
        const bool stagnates = trial_size > (1 - 1e-12) * size;
        p = trial;
        size = trial_size;
        damping = std::max(0.1 * damping, 1e-12);
        if (stagnates) return equations.g().cwiseAbs().maxCoeff();
      } else {
        equations.set_position(t, p);
        damping *= 10;
      }
    }
    if (!improved) break;
  }
  equations.set_position(t, p);
  return equations.g().cwiseAbs().maxCoeff();
}

Eigen::MatrixXd allowed_motion(EquationsOfMotion& equations) {
  constexpr double negligible = 1e-7;  // pivots of redundant rows are below, those near a singular position above
  const int nv = equations.dimensions().v;
  const Eigen::MatrixXd everything = Eigen::MatrixXd::Identity(nv, nv);
  if (equations.dimensions().constraints() == 0) return everything;
  const Eigen::MatrixXd G = equations.G().dense();
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factors(G.rows(), G.cols());
  factors.setThreshold(negligible);
  factors.compute(G);
  return everything - factors.solve(G);
}

}  // namespace linkwork
