#pragma once

// Internal.

#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/jacobian/jacobian.hpp>
#include <linkwork/solvers/newton/corrector_options.hpp>
#include <linkwork/solvers/newton/truncated_gmres.hpp>

#include <Eigen/Core>
#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>

namespace linkwork {

/// Sizes of unknowns at a point, none of them 0: those by which increments of single unknowns are chosen.
/// @param multipliers  number of the first unknown that acts by its product with the step size
void find_sizes(const JacobianPoint& point, int multipliers, Eigen::VectorXd& sizes);

/// Corrections by truncated GMRES that old factors P precondition from the left: r = P^-1 F, B = P^-1 G. Products with
/// G are differences of F along a direction, one evaluation each, or those of a Jacobian that is taken at the first
/// iterate of each solution and never factored.
/// Source: DASSL+ 3.2.2; Saad (2003), 9.3.
class KrylovCorrection {
 public:
  /// x := P^-1 x
  using Precondition = std::function<void(Eigen::VectorXd&)>;

  /// @param multipliers  number of the first unknown that acts by its product with the step size
  /// @param most  steps of one correction
  /// @throws ModelError for more steps than unknowns
  KrylovCorrection(ResidualFunction& system, int multipliers, int most, const CorrectorOptions& options,
                   const JacobianOptions& jacobian);

  /// A solution begins.
  void begin() { has_jacobian_ = false; }
  /// delta := the correction at a point where F is given. Where F can't be evaluated along a direction it ends with the
  /// steps that it has done, with none as simplified Newton. Fails where a Jacobian can't be evaluated.
  /// @param steps  of those that there is room for
  Outcome correct(const JacobianPoint& point, const Eigen::VectorXd& F, int steps, const Precondition& precondition,
                  Eigen::VectorXd& delta);

  /// Of the preconditioned residual, by the last correction. It is no more than what is linear, so that it is never
  /// trusted to be very small.
  double left() const { return std::max(gmres_.left(), least_left); }
  std::int64_t steps() const { return steps_done_; }
  /// Of F along directions.
  std::int64_t function_calls() const { return function_calls_; }
  /// Of the Jacobian that is never factored.
  JacobianStatistics jacobian_statistics() const { return jacobian_ ? jacobian_->statistics() : JacobianStatistics(); }

 private:
  static constexpr double least_left = 0.03;

  void choose_sizes(const JacobianPoint& point);
  bool multiply(const JacobianPoint& point, const Eigen::VectorXd& F);
  bool difference(const JacobianPoint& point, const Eigen::VectorXd& F, double sign);

  ResidualFunction& system_;
  int multipliers_;
  KrylovNorm norm_;
  TruncatedGmres gmres_;
  std::optional<Jacobian> jacobian_;
  bool has_jacobian_ = false;
  Eigen::VectorXd sizes_;  // of unknowns: increments, and where asked for the unit of the norm
  Eigen::VectorXd units_;  // of the norm
  Eigen::VectorXd right_, solution_, direction_, product_, y_shifted_, rate_shifted_;
  std::int64_t steps_done_ = 0, function_calls_ = 0;
};

}  // namespace linkwork
