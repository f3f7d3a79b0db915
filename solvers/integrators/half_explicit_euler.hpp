#pragma once

#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/solvers/linear/linear_solver.hpp>

#include <Eigen/Core>

namespace linkwork {

/// The half-explicit Euler method (MEXX 2.1) and its variant for forces that depend on multipliers (2.2): the basic
/// scheme of the extrapolation. From a starting state it computes n steps of size H / n.
class HalfExplicitEuler {
 public:
  /// Values along the sub-steps, one column each, for dense output.
  struct History {
    Eigen::MatrixXd p_rate, r_rate;  ///< at the sub-step's start: difference quotients of p and r
    Eigen::MatrixXd a, lambda;       ///< at the sub-step's end
  };
  /// Result of n steps: what p, v and r have gained, and a and lambda at the end. Increments are summed apart from the
  /// values, so that extrapolation amplifies less rounding.
  struct Result {
    Eigen::VectorXd dp, dv, dr, a, lambda;
    Eigen::VectorXd first_a, first_lambda;  ///< after the first sub-step
  };

  HalfExplicitEuler(EquationsOfMotion& equations, LinearSolver& solver, bool friction);

  /// Evaluates what all lines of a step share: f, p' and, for the friction variant, F at the start.
  void begin(const State& start);
  /// p' at the start of the step.
  const Eigen::VectorXd& start_p_rate() const { return start_p_rate_; }

  /// n steps of size H / n from the state given to begin.
  /// @param history  null where no dense output is wanted
  /// Failure: singular matrix. Throws RecoverableFailure from the elements.
  Outcome run(int n, double H, Result& result, History* history);

 private:
  EquationsOfMotion& equations_;
  LinearSolver& solver_;
  bool friction_;
  State start_;
  Eigen::VectorXd start_force_, start_p_rate_;
  BlockMatrix start_force_jacobian_;
  Eigen::VectorXd p_, v_, r_, lambda_, p_rate_, force_, residual_, increment_, impulse_;
};

}  // namespace linkwork
