#pragma once

#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/solvers/integrators/basic_scheme.hpp>
#include <linkwork/solvers/linear/linear_solver.hpp>

#include <Eigen/Core>

namespace linkwork {

/// Gragg's midpoint rule for equations without constraint rows, with y = (p, v, r) and h = H / n, n even:
///
///   y_1 = y_0 + h F(t_0, y_0),     y_{i+1} = y_{i-1} + 2 h F(t_i, y_i),     F = (Z v, M^-1 f, b)
///
/// The error of y_n has an expansion in powers of h^2, so that each line of the tableau raises the order by two
/// (Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.9). Gragg's last smoothing step is left out:
/// it costs an evaluation and enlarges the domain of stability by no more than that.
class MidpointRule final : public BasicScheme {
 public:
  MidpointRule(EquationsOfMotion& equations, LinearSolver& solver);

  const StepSequence& sequence() const override { return midpoint_sequence; }
  /// F at the start, of which v' becomes the state's a.
  Outcome begin(State& start, bool is_factored) override;
  const Eigen::VectorXd& start_p_rate() const override { return start_p_rate_; }
  /// n is even.
  Outcome run(int n, double H, Result& result, History& history) override;
  /// By the slope of a dense output that is not told the slope at the end, and by how sub-steps of both kinds agree
  /// next to the ends: those of one kind know the force at the start from the first sub-step alone, and at the end each
  /// kind may go on where the other one has changed its force.
  Surprise surprise(const Lines& lines, const State& begin, const State& end,
                    const Eigen::VectorXd& weights) const override;
  void interpolate(const Lines& lines, int maximum_degree, const StepEnds& ends, DensePolynomial& dense) const override;

 private:
  /// F at the current point of the equations.
  Outcome evaluate();
  /// Where accelerations of three sub-steps in a row next to an end bend as much as they are large.
  Surprise bend(const Lines& lines, const State& begin, const State& end, const Eigen::VectorXd& weights) const;
  /// gain = before + factor F, for p, v and r.
  void advance(const Result& before, double factor, Result& gain) const;

  EquationsOfMotion& equations_;
  LinearSolver& solver_;
  State start_;
  Eigen::VectorXd start_p_rate_, start_r_rate_;
  Eigen::VectorXd p_rate_, a_, r_rate_;
  Eigen::VectorXd p_, v_, r_, lambda_;
  Result previous_;
};

}  // namespace linkwork
