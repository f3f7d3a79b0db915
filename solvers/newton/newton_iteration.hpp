#pragma once

#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/dae/residual_function.hpp>
#include <linkwork/solvers/dae/state_layout.hpp>
#include <linkwork/solvers/dae/unknown_weights.hpp>
#include <linkwork/solvers/linear/sparse_matrix.hpp>
#include <linkwork/solvers/newton/corrector.hpp>

#include <Eigen/Core>
#include <cstdint>
#include <string>

namespace linkwork {

/// Newton's iteration (CORR 14) for y at the end of a step of a multistep method, where y' follows y by the leading
/// coefficient alpha. Says when an iterate is good enough, when the corrector's matrix has to be renewed, and when the
/// step is too long for it. One object per system.
class NewtonIteration {
 public:
  /// A step to t.
  struct Step {
    double t = 0, h = 0, alpha = 0;
    /// Unknowns whose sizes choose the increments of differences: those of the step's start.
    const Eigen::Ref<const Eigen::VectorXd>& sizes;
    /// Whether forces read multipliers: these then have to converge as all else has to.
    bool multipliers_are_read = false;
    double share = 1;  ///< of the tolerance, that the step may have as its error
  };

  /// @param layout  of the system's first unknowns
  /// @param weights  of the unknowns; all outlive this object
  NewtonIteration(ResidualFunction& system, const StateLayout& layout, Corrector& corrector, UnknownWeights& weights);

  /// Nothing of earlier solutions has to do with what follows.
  void forget();

  /// @param y, y_rate  the prediction, and then what the iteration came to
  /// Failure: it does not converge, with what is known of the reason; F can't be evaluated; the matrix is singular
  Outcome solve(const Step& step, Eigen::VectorXd& y, Eigen::VectorXd& y_rate);

  // Of the last solution.
  int iterations() const { return iterations_; }
  /// Whether it failed at a singular matrix.
  bool met_singular_matrix() const { return met_singular_matrix_; }
  /// Whether the matrix is newer than the last call of this function.
  bool take_news();
  /// Evaluations of F, those of the corrector left out.
  std::int64_t evaluations() const { return evaluations_; }
  /// Of these evaluations, where asked for [s].
  void measure_times(bool wanted) { measures_times_ = wanted; }
  double evaluation_seconds() const { return evaluation_seconds_; }

 private:
  enum class Result { converged, slow };
  Outcome solve_with_refreshes(const Step& step, Eigen::VectorXd& y, Eigen::VectorXd& y_rate);
  Outcome iterate(const Step& step, Eigen::VectorXd& y, Eigen::VectorXd& y_rate, Result& result);
  Outcome refresh(const Step& step, const Eigen::VectorXd& y, const Eigen::VectorXd& y_rate, JacobianCause cause);
  bool coefficient_has_changed(double alpha) const;
  Outcome expect_numbers() const;
  bool motion_has_converged(double first_size, int m, double tolerance) const;
  void evaluate(double t, const Eigen::VectorXd& y, const Eigen::VectorXd& y_rate, Eigen::VectorXd& F);
  void measure_inertia(const JacobianPoint& point, JacobianCause cause);
  double size_by_inertia(double alpha) const;
  bool hides_error(const Step& step, const Eigen::VectorXd& y, const Eigen::VectorXd& y_rate);
  std::string why_not(double h) const;

  ResidualFunction& system_;
  StateLayout at_;
  Corrector& corrector_;
  UnknownWeights& weights_;
  Eigen::VectorXd y_predicted_, y_rate_predicted_, F_predicted_, F_, delta_;
  Eigen::VectorXd increments_;  // of differences, as they were at the last refresh
  SparseMatrix rate_matrix_;    // dF/dy' when the iteration was slow last, to its order of magnitude
  Eigen::VectorXd inertia_;     // by it, what a unit of each unknown's rate changes in each equation
  double known_step_ = 0;       // the longest whose residual is known to fall as corrections do [s]
  double last_alpha_ = 0;
  double remainder_;                          // what a correction leaves over, in units of it
  int iterations_ = 0, last_iterations_ = 0;  // of this solution, and of the one before
  int steps_of_coefficient_ = 0;              // solutions with the present coefficient, this one included
  double contraction_ = 0;                    // measured last in this solution
  bool matrix_is_new_ = false;
  bool met_singular_matrix_ = false;
  bool measures_times_ = false;
  double evaluation_seconds_ = 0;
  std::int64_t evaluations_ = 0;
};

}  // namespace linkwork
