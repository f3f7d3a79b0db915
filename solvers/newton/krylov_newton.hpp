#pragma once

#include <linkwork/solvers/newton/krylov_correction.hpp>
#include <linkwork/solvers/newton/simplified_newton.hpp>

namespace linkwork {

/// Newton's method with truncated GMRES (DASSL+ 3.2.2): each correction takes a few steps of it, which the factors of
/// an old matrix precondition, and products with the present matrix, which is never factored. A change of the leading
/// coefficient is seen by these products, so that the old factors bear more of it.
class KrylovNewton final : public SimplifiedNewton {
 public:
  /// @throws ModelError for more steps than unknowns
  KrylovNewton(ResidualFunction& system, const StateLayout& layout, const JacobianOptions& jacobian,
               IterationSolver solver, const CorrectorOptions& options);

  std::string_view name() const override { return "krylov"; }
  double leaves() const override { return krylov_.left(); }
  void begin(double t, double alpha) override;
  void observe(double contraction) override;
  bool renews(double alpha, bool has_changed) override;
  Outcome correct(const JacobianPoint& point, const Eigen::VectorXd& F, Eigen::VectorXd& delta) override;
  const JacobianStatistics& jacobian_statistics() const override;
  CorrectorStatistics statistics() const override;

 private:
  void note_new_factors() override { is_dated_ = false; }

  int steps_;
  KrylovCorrection krylov_;
  bool is_dated_ = false;
  mutable JacobianStatistics jacobian_statistics_;  // with the evaluations of the products
};

/// Whether GMRES does with the factors of a matrix whose leading coefficient is so far from the present one.
bool krylov_bears(double ratio_of_coefficients);
/// Whether the factors precondition too badly to be kept where an update costs no evaluation. What GMRES leaves is
/// small by what the factors make of the equations, and an error that they make little of stays unseen: where they are
/// so dated, some solutions of `andrews` are off by 80 tolerances when they seem to have converged.
bool krylov_is_dated(double contraction);
/// Adds what products cost.
void add_products(const KrylovCorrection& krylov, JacobianStatistics& sums);

}  // namespace linkwork
