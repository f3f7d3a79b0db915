#pragma once

#include <linkwork/solvers/newton/dropped_solution.hpp>
#include <linkwork/solvers/newton/simplified_newton.hpp>

namespace linkwork {

/// Simplified Newton with dropped LU (SDLU, DASSL+ 3.2.2): corrections by factors of which entries below a tolerance,
/// relative to their rows, are left out. Costs fewer multiply-adds than simplified Newton in each iteration, and takes
/// more iterations. Where nothing is dropped it is simplified Newton to the last bit.
class DroppedLuNewton final : public SimplifiedNewton {
 public:
  /// @throws ModelError where a tolerance above 0 meets a solver that does not give its factors
  DroppedLuNewton(ResidualFunction& system, const StateLayout& layout, const JacobianOptions& jacobian,
                  IterationSolver solver, const CorrectorOptions& options);

  std::string_view name() const override { return "dropped-lu"; }
  Outcome correct(const JacobianPoint& point, const Eigen::VectorXd& F, Eigen::VectorXd& delta) override;

 private:
  void note_new_factors() override { dropped_.forget(); }
  void solve_in_phase(double alpha, Eigen::VectorXd& x) override;

  double tolerance_;
  DroppedSolution dropped_;
};

/// The solver to take where entries are dropped: KLU, unless nothing is.
/// @throws ModelError naming a solver that can't
IterationSolver solver_for_dropping(IterationSolver solver, const CorrectorOptions& options);

}  // namespace linkwork
