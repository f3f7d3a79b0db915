#pragma once

#include <linkwork/solvers/dae/state_layout.hpp>
#include <linkwork/solvers/jacobian/jacobian.hpp>
#include <linkwork/solvers/newton/corrector.hpp>
#include <linkwork/solvers/newton/iteration_matrix.hpp>

#include <memory>

namespace linkwork {

/// Simplified Newton: one factored matrix for many iterations and steps (CORR 14), kept up to date by the cheapest
/// means (Jacobian).
class SimplifiedNewton final : public Corrector {
 public:
  /// @param layout  of the system's first unknowns
  /// @throws ModelError as Jacobian and make_iteration_matrix
  SimplifiedNewton(ResidualFunction& system, const StateLayout& layout, const JacobianOptions& options,
                   IterationSolver solver);

  std::string_view name() const override { return "simplified"; }
  Outcome refresh(const JacobianPoint& point, const Eigen::VectorXd& F, JacobianCause cause) override;
  std::string why_singular() const override { return factors_ ? factors_->why_singular(system_) : ""; }
  bool can_improve(double t) const override { return jacobian_.can_improve(t); }
  double alpha() const override { return alpha_; }
  void forget() override { alpha_ = 0; }
  bool updates_in_parts() const override { return jacobian_.options().partitioned != PartitionedUpdates::off; }
  Outcome correct(const JacobianPoint& point, const Eigen::VectorXd& F, Eigen::VectorXd& delta) override;
  const SparseMatrix* matrix() const override { return &jacobian_.matrix(); }
  const JacobianStatistics& jacobian_statistics() const override { return jacobian_.statistics(); }
  std::int64_t factorizations() const override { return factors_ ? factors_->statistics().factorizations : 0; }

 private:
  ResidualFunction& system_;
  StateLayout at_;
  Jacobian jacobian_;
  IterationSolver solver_;
  std::unique_ptr<IterationMatrix> factors_;  // made with the first matrix
  double alpha_ = 0;
};

}  // namespace linkwork
