#pragma once

// Internal: the matrices of the iteration for the stages of a step, from the Jacobian to its factors.

#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/jacobian/jacobian.hpp>
#include <linkwork/solvers/linear/sparse_matrix.hpp>
#include <linkwork/solvers/newton/stage_system.hpp>

#include <Eigen/Core>
#include <complex>
#include <cstdint>
#include <functional>
#include <memory>

namespace linkwork {

/// dF/dy with y' = 0, by differences or as a user gives it, decomposed by a StageSystem and factored for one size of
/// steps; and how old it is.
class StageMatrix {
 public:
  /// Writes dF/dy of all equations into zeros.
  using GivenJacobian =
      std::function<void(const MotionResidual& equations, double t, const Eigen::VectorXd& y, Eigen::MatrixXd& J)>;
  /// Where a Jacobian is taken.
  struct Point {
    double t;
    const Eigen::VectorXd& y;
    const Eigen::VectorXd& F;      ///< there, with y' = 0
    const Eigen::VectorXd& sizes;  ///< of y_j, by which increments of differences are chosen
  };

  /// @param equations  outlive the matrix
  /// @param given      taken in place of differences, if there is one
  StageMatrix(MotionResidual& equations, const JacobianOptions& differences, GivenJacobian given,
              std::unique_ptr<StageSystem> system);

  StageSystem& system() { return *system_; }

  /// Takes the Jacobian at a point and decomposes it. @param h  of the step that it is for
  Outcome renew(const Point& point, double h);
  /// Takes it for somebody else, without a decomposition: `renew` has to follow before the system is used.
  Outcome take(const Point& point, double h);
  /// That taken last.
  const SparseMatrix& jacobian() const { return give_ ? given_ : differenced_.matrix(); }
  /// Factors it for steps of size h, for which dF/dy' has these coefficients.
  Outcome factor(double h, double c_real, std::complex<double> c_complex);
  bool is_factored() const { return factored_for_ != 0; }
  bool is_factored_for(double h) const { return factored_for_ == h; }
  /// From now on the factors belong to no step.
  void forget_factors() { factored_for_ = 0; }

  /// Whether the next attempt takes another Jacobian.
  bool is_wanted() const { return is_wanted_; }
  void want(bool another) { is_wanted_ = another; }
  /// Whether that at hand was taken for a step before, or lacks entries.
  bool is_dated() const { return !is_new_ || searches_pattern_; }
  /// That at hand is one of a step before.
  void grow_old() { is_new_ = false; }
  /// An iteration at time t has failed with it: entries may be missing where it was new.
  void doubt_pattern(double t) { searches_pattern_ = is_new_ && !give_ && differenced_.can_improve(t); }

  const JacobianStatistics& statistics() const { return differenced_.statistics(); }
  std::int64_t given_jacobians() const { return given_count_; }

 private:
  Outcome difference(const Point& point, double h);
  Outcome take_given(const Point& point);

  MotionResidual& equations_;
  Jacobian differenced_;
  GivenJacobian give_;
  SparseMatrix given_;  // all entries
  std::int64_t given_count_ = 0;
  std::unique_ptr<StageSystem> system_;
  Eigen::VectorXd zero_rate_;
  double factored_for_ = 0;                 // a step; 0: none
  bool is_wanted_ = true, is_new_ = false;  // new: taken for the next step, or in it
  bool searches_pattern_ = false;           // entries may be missing
};

}  // namespace linkwork
