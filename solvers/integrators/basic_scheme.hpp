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
  /// Result of n sub-steps: what p, v and r have gained. Increments are summed apart from the values, so that
  /// extrapolation amplifies less rounding.
  struct Result {
    Eigen::VectorXd dp, dv, dr;
  };
  /// A step of size H and the lines that have crossed it.
  struct Lines {
    const std::vector<History>& history;  ///< of lines 1 .. count
    int count;
    double H;
  };
  /// What is known of the ends of an accepted step.
  struct StepEnds {
    const State &begin, &end;
    const Eigen::VectorXd &begin_p_rate, &end_p_rate, &begin_r_rate, &end_r_rate;
  };

  /// An acceleration at an end of the step that the lines do not fit. Extrapolation takes it for granted that the force
  /// is as smooth there as between the sub-steps: one that sets in behind the last of them, or is gone after the first,
  /// is a part of no line, and all lines agree without it.
  struct Surprise {
    double size = 0;    ///< what it makes of the velocity within a sub-step, in tolerances; 0: the lines fit
    int component = 0;  ///< of v, the one that contributes most
    bool at_start = false;
  };

  virtual ~BasicScheme() = default;
  virtual const StepSequence& sequence() const = 0;

  /// Evaluates what all lines of a step share at its start, and writes the a and lambda of its equations into the
  /// state. Where forces read multipliers, the search for them starts from the state's.
  /// @param is_factored  the equations are at this state, and its velocity matrix is what the solver has factored last
  /// Failure: singular matrix, or multipliers that don't come to rest. Throws RecoverableFailure from the elements.
  virtual Outcome begin(State& start, bool is_factored) = 0;
  /// p' at the start of the step.
  virtual const Eigen::VectorXd& start_p_rate() const = 0;

  /// n steps of size H / n from the state given to begin.
  /// Failure: singular matrix. Throws RecoverableFailure from the elements.
  virtual Outcome run(int n, double H, Result& result, History& history) = 0;

  /// Compares a at both ends of a step with what the sub-steps between them lead to expect of it.
  /// @param weights  error weights of v
  virtual Surprise surprise(const Lines& lines, const State& begin, const State& end,
                            const Eigen::VectorXd& weights) const = 0;

  /// Polynomials of the components that the groups of `dense` name, over an accepted step.
  /// @param maximum_degree  of the polynomials for p, v and r; 0: no limit
  virtual void interpolate(const Lines& lines, int maximum_degree, const StepEnds& ends,
                           DensePolynomial& dense) const = 0;
};

}  // namespace linkwork
