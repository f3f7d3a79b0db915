#include <linkwork/solvers/newton/dropped_lu_newton.hpp>

#include <linkwork/core/concat.hpp>

namespace linkwork {

IterationSolver solver_for_dropping(IterationSolver solver, const CorrectorOptions& options) {
  if (!options.drops() || solver == IterationSolver::klu) return solver;
  if (solver == IterationSolver::automatic) return IterationSolver::klu;
  throw ModelError(concat(
      "corrector '", name_of(options.method), "' drops entries of KLU's factors, and the iteration matrix is to be '",
      solver == IterationSolver::dense ? "dense" : "umfpack", "'; take 'klu' or 'automatic', or drop nothing."));
}

DroppedLuNewton::DroppedLuNewton(ResidualFunction& system, const StateLayout& layout, const JacobianOptions& jacobian,
                                 IterationSolver solver, const CorrectorOptions& options)
    : SimplifiedNewton(system, layout, jacobian, solver_for_dropping(solver, options), options),
      tolerance_(options.drop_tolerance) {
  phase_ = CorrectorPhase::dropped_lu;
  statistics_.drop_tolerance = tolerance_;
}

void DroppedLuNewton::solve_in_phase(double alpha, Eigen::VectorXd& x) {
  const double start = now();
  if (x.size() > 0) dropped_.prepare(*factors_, takes_all_ ? 0 : tolerance_);
  if (dropped_.drops_nothing()) return solve(alpha, x);
  statistics_.dropped_entries = dropped_.dropped_entries();
  solve_by(alpha, x, [this](Eigen::VectorXd& scaled) { dropped_.solve(*factors_, scaled); });
  add_substitution(static_cast<double>(dropped_.entries()));
  statistics_.substitution_seconds += seconds_since(start);
}

void DroppedLuNewton::note_new_factors() {
  dropped_.forget();
  factored_time_ = t_;
  worst_contraction_.forget();
  takes_all_ = false;
}

void DroppedLuNewton::begin(double t, double new_alpha) {
  t_ = t;
  worst_contraction_.begin(new_alpha);
  SimplifiedNewton::begin(t, new_alpha);
}

void DroppedLuNewton::observe(double contraction) {
  SimplifiedNewton::observe(contraction);
  worst_contraction_.observe(contraction);
}

/// Without a new matrix where the last one is of this solution, and its dropped factors have not made it converge.
Outcome DroppedLuNewton::refresh(const JacobianPoint& point, const Eigen::VectorXd& F, JacobianCause cause) {
  if (cause != JacobianCause::convergence || !can_take_all(point.t)) return SimplifiedNewton::refresh(point, F, cause);
  takes_all_ = true;
  return {};
}

Outcome DroppedLuNewton::correct(const JacobianPoint& point, const Eigen::VectorXd& F, Eigen::VectorXd& delta) {
  begin_correction(CorrectorPhase::dropped_lu, point, F);
  delta = F;
  solve_in_phase(point.alpha, delta);
  return {};
}

}  // namespace linkwork
