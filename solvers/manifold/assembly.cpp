#include <linkwork/solvers/manifold/assembly.hpp>

#include <linkwork/core/dense_factors.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/dae/unit_sizes.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace linkwork {

namespace {

constexpr int most_iterations = 200;
constexpr double assembled = 1e-13;  // [rad, characteristic lengths]: a few rounding errors

/// Infinite where elements can't be evaluated: such a trial is refused.
double size_of(LeastSquaresProblem& problem) {
  try {
    return problem.residual().norm();
  } catch (const RecoverableFailure&) {
    return std::numeric_limits<double>::infinity();
  }
}

class PositionConstraints final : public LeastSquaresProblem {
 public:
  PositionConstraints(EquationsOfMotion& equations, const Eigen::VectorXd& weights, double length, Eigen::VectorXd& p)
      : equations_(equations), weights_(weights), length_(length), t_(equations.time()), p_(p), trial_(p) {
    go_back();
  }
  Eigen::VectorXd residual() override { return equations_.g().cwiseProduct(weights_); }
  Eigen::MatrixXd jacobian() override { return weights_.asDiagonal() * equations_.C().dense(); }
  bool is_solved() override { return residual().lpNorm<Eigen::Infinity>() <= assembled * length_; }
  void try_step(const Eigen::VectorXd& step) override {
    equations_.position_step(step, trial_);
    equations_.normalise(p_, trial_);
    equations_.set_position(t_, trial_);
  }
  void keep() override { p_ = trial_; }
  void go_back() override { equations_.set_position(t_, p_); }

 private:
  EquationsOfMotion& equations_;
  const Eigen::VectorXd& weights_;
  double length_, t_;
  Eigen::VectorXd &p_, trial_;
};

}  // namespace

void minimise(LeastSquaresProblem& problem, const Eigen::VectorXd& damping_units) {
  double size = size_of(problem);
  double damping = 1e-3;
  LdltFactors factors;
  Eigen::VectorXd step;
  for (int iteration = 0; iteration < most_iterations && !problem.is_solved(); ++iteration) {
    const Eigen::MatrixXd J = problem.jacobian();
    const Eigen::MatrixXd H = J.transpose() * J;
    const Eigen::VectorXd gradient = J.transpose() * problem.residual();
    bool improved = false;
    while (!improved && damping < 1e8) {
      Eigen::MatrixXd damped = H;
      damped.diagonal() += damping * damping_units;
      factors.compute(damped);
      step = gradient;
      factors.solve_in_place(step);
      problem.try_step(-step);
      const double trial_size = size_of(problem);
      improved = trial_size < size;
      if (improved) {
        const bool stagnates = trial_size > (1 - 1e-12) * size;
        problem.keep();
        size = trial_size;
        damping = std::max(0.1 * damping, 1e-12);
        if (stagnates) return;
      } else {
        problem.go_back();
        damping *= 10;
      }
    }
    if (!improved) return;
  }
}

void assemble(EquationsOfMotion& equations, const Eigen::VectorXd& weights, double length, Eigen::VectorXd& p) {
  if (equations.dimensions().lambda == 0) return;
  const Eigen::VectorXd start = p;
  equations.normalise(start, p);
  PositionConstraints problem(equations, weights, length, p);
  minimise(problem, (length * velocity_sizes(equations, length).cwiseInverse()).cwiseAbs2());
}

Eigen::MatrixXd allowed_motion(EquationsOfMotion& equations) {
  constexpr double negligible = 1e-7;  // pivots of redundant rows are below, those near a singular position above
  const int nv = equations.dimensions().v;
  const Eigen::MatrixXd everything = Eigen::MatrixXd::Identity(nv, nv);
  if (equations.dimensions().constraints() == 0) return everything;
  const Eigen::MatrixXd G = constraint_sizes(equations).cwiseInverse().asDiagonal() * equations.G().dense() *
                            velocity_sizes(equations).asDiagonal();
  return everything - OrthogonalFactors(G, negligible).solve_columns(G);
}

}  // namespace linkwork
