#pragma once

#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/solvers/integrators/basic_scheme.hpp>
#include <linkwork/solvers/linear/linear_solver.hpp>

#include <Eigen/Core>

namespace linkwork {

/// The half-explicit Euler method (MEXX 2.1) and its variant for forces that depend on multipliers (2.2). Its error has
/// an expansion in powers of h.
class HalfExplicitEuler final : public BasicScheme {
 public:
  HalfExplicitEuler(EquationsOfMotion& equations, LinearSolver& solver, bool friction);

  const StepSequence& sequence() const override { return half_explicit_sequence; }
  /// a, lambda, f, p' and, for the friction variant, F at the start.
  Outcome begin(State& start, bool is_factored) override;
  const Eigen::VectorXd& start_p_rate() const override { return start_p_rate_; }
  Outcome run(int n, double H, Result& result, History& history) override;
  /// By the accelerations of the second and of the last sub-step, extrapolated.
  Surprise surprise(const Lines& lines, const State& begin, const State& end,
                    const Eigen::VectorXd& weights) const override;
  void interpolate(const Lines& lines, int maximum_degree, const StepEnds& ends, DensePolynomial& dense) const override;

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
