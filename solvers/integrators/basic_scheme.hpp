#pragma once

#include <linkwork/core/errors.hpp>
#include <linkwork/core/state.hpp>
#include <linkwork/solvers/integrators/dense_polynomial.hpp>
#include <linkwork/solvers/integrators/extrapolation_tableau.hpp>

#include <Eigen/Core>
#include <vector>

namespace linkwork {

/// A method of low order that crosses a step of size H in n equal sub-steps, for n = n_1, n_2, ... of its sequence. Its
/// results are extrapolated to n without end.
class BasicScheme {
 public:
  /// Values along the sub-steps, one column each, for dense output. A scheme fills what its `interpolate` reads.
  struct History {
    Eigen::MatrixXd p_rate, r_rate;                   ///< at the sub-step's start
    Eigen::MatrixXd a, lambda;                        ///< half-explicit Euler: at its end; midpoint rule: at its start
    Eigen::VectorXd middle_dp, middle_dv, middle_dr;  ///< what p, v and r have gained in the middle of the step
  };
  /// Result of n sub-steps: what p, v and r have gained, and a and lambda at the end, empty where the scheme finds them
  /// at the start of a step. Increments are summed apart from the values, so that extrapolation amplifies less
  /// rounding.
  struct Result {
    Eigen::VectorXd dp, dv, dr, a, lambda;
    Eigen::VectorXd first_a, first_lambda;  ///< after the first sub-step
  };
  /// What is known of the ends of an accepted step.
  struct StepEnds {
    const State &begin, &end;
    const Eigen::VectorXd &begin_p_rate, &end_p_rate, &begin_r_rate, &end_r_rate;
    double size() const { return end.t - begin.t; }
  };

  virtual ~BasicScheme() = default;
  virtual const StepSequence& sequence() const = 0;
  /// Whether `begin` finds a, so that it needs no extrapolation.
  virtual bool begins_with_accelerations() const = 0;

  /// Evaluates what all lines of a step share at its start, and writes a into the state if it finds it.
  /// Failure: singular matrix. Throws RecoverableFailure from the elements.
  virtual Outcome begin(State& start) = 0;
  /// p' at the start of the step.
  virtual const Eigen::VectorXd& start_p_rate() const = 0;

  /// n steps of size H / n from the state given to begin.
  /// @param history  null where no dense output is wanted
  /// Failure: singular matrix. Throws RecoverableFailure from the elements.
  virtual Outcome run(int n, double H, Result& result, History* history) = 0;

  /// Polynomials of the components that the groups of `dense` name, over an accepted step.
  /// @param history  of lines 1 .. lines
  /// @param maximum_degree  of the polynomials for p, v and r; 0: no limit
  virtual void interpolate(const std::vector<History>& history, int lines, int maximum_degree, const StepEnds& ends,
                           DensePolynomial& dense) const = 0;
};

}  // namespace linkwork
