#pragma once

#include <linkwork/solvers/newton/low_rank_updates.hpp>
#include <linkwork/solvers/newton/simplified_newton.hpp>

#include <limits>

namespace linkwork {

/// Simplified Newton whose matrix learns from the iteration (DASSL+ 5.2.2): after a correction by z from f_i to f_(i+1)
/// it becomes
///   G~ + beta f_(i+1) z^T / (z^T z)
/// which for beta = 1 meets the secant equation G~ z = f_(i+1) - f_i; z^T z is measured in units of the sizes of the
/// unknowns, so that no unit decides. The factors stay; updates are added to their inverse by Sherman, Morrison and
/// Woodbury, and cost no evaluation and no substitution more. They end with the factors, and where the leading
/// coefficient changes. In place of them, the best update of a rank: the largest singular values of J - J~, rows and
/// columns scaled as the factors are. ((5.16) takes eigenvalues instead; eigenvectors of J - J~ are nearly dependent or
/// complex, and no bound goes with what is left out.)
class BroydenNewton final : public SimplifiedNewton {
 public:
  /// @throws ModelError for singular values of a system with more than 300 unknowns
  BroydenNewton(ResidualFunction& system, const StateLayout& layout, const JacobianOptions& jacobian,
                IterationSolver solver, const CorrectorOptions& options);

  std::string_view name() const override { return "broyden"; }
  Outcome refresh(const JacobianPoint& point, const Eigen::VectorXd& F, JacobianCause cause) override;
  bool can_improve(double t) const override {
    return can_take_best() || newer_time_ == t || SimplifiedNewton::can_improve(t);
  }
  void begin(double t, double alpha) override;
  void observe(double contraction) override;
  void end(const CorrectorSolution& solution) override;
  Outcome correct(const JacobianPoint& point, const Eigen::VectorXd& F, Eigen::VectorXd& delta) override;

 private:
  void note_new_factors() override;
  void solve_in_phase(double alpha, Eigen::VectorXd& x) override;
  void learn(const Eigen::VectorXd& sizes);
  void keep(const Eigen::VectorXd& u, const Eigen::VectorXd& delta);
  bool can_take_best() const;
  Outcome take_best_update(const JacobianPoint& point, const Eigen::VectorXd& F);

  BroydenUpdates kind_;
  double damping_;
  LowRankUpdates updates_;
  double updates_alpha_ = 0;      // coefficient that they were made with
  double contraction_ = 0;        // the last one that was measured with these factors
  bool has_last_ = false;         // a correction of this solution
  bool has_pair_ = false;         // and the residual after it
  Eigen::VectorXd z_;             // the last correction
  Eigen::VectorXd u_, u_before_;  // A^-1 f after it and before, A the matrix of the factors
  Eigen::VectorXd q_, w_, pair_q_, pair_w_;
  Eigen::MatrixXd factored_;  // J of the factors, where singular values are taken
  bool has_best_ = false;
  double newer_time_ = std::numeric_limits<double>::quiet_NaN();  // of a Jacobian that is newer than the factors
};

}  // namespace linkwork
