#pragma once

#include <linkwork/solvers/newton/dropped_solution.hpp>
#include <linkwork/solvers/newton/simplified_newton.hpp>

namespace linkwork {

/// Simplified Newton with dropped LU (SDLU, DASSL+ 3.2.2): corrections by factors of which entries below a tolerance,
/// relative to their rows, are left out. Costs fewer multiply-adds than simplified Newton in each iteration, and takes
/// more iterations. Where nothing is dropped it is simplified Newton to the last bit. How much a correction leaves
/// depends on its direction, so that the worst contraction since the factorisation is what it is trusted for; and where
/// even a matrix of the same solution does not make it converge, the full factors serve until the next one.
class DroppedLuNewton final : public SimplifiedNewton {
 public:
  /// @throws ModelError where a tolerance above 0 meets a solver that does not give its factors
  DroppedLuNewton(ResidualFunction& system, const StateLayout& layout, const JacobianOptions& jacobian,
                  IterationSolver solver, const CorrectorOptions& options);

  std::string_view name() const override { return "dropped-lu"; }
  Outcome refresh(const JacobianPoint& point, const Eigen::VectorXd& F, JacobianCause cause) override;
  bool can_improve(double t) const override { return can_take_all(t) || SimplifiedNewton::can_improve(t); }
  double leaves() const override { return dropped_.drops_nothing() ? -1 : worst_contraction_.leaves(); }
  void begin(double t, double alpha) override;
  void observe(double contraction) override;
  Outcome correct(const JacobianPoint& point, const Eigen::VectorXd& F, Eigen::VectorXd& delta) override;

 private:
  bool can_take_all(double t) const { return !takes_all_ && !dropped_.drops_nothing() && t == factored_time_; }
  void note_new_factors() override;
  void solve_in_phase(double alpha, Eigen::VectorXd& x) override;

  double tolerance_;
  DroppedSolution dropped_;
  double t_ = 0, factored_time_ = -1;  // of this solution, and of that in which the factors were made
  WorstContraction worst_contraction_;
  bool takes_all_ = false;  // the full factors
};

/// The solver to take where entries are dropped: KLU, unless nothing is.
/// @throws ModelError naming a solver that can't
IterationSolver solver_for_dropping(IterationSolver solver, const CorrectorOptions& options);

}  // namespace linkwork
