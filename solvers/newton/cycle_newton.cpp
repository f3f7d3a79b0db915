#include <linkwork/solvers/newton/cycle_newton.hpp>

#include <linkwork/solvers/newton/dropped_lu_newton.hpp>
#include <linkwork/solvers/newton/krylov_newton.hpp>

#include <algorithm>

namespace linkwork {

namespace {

// A phase is left for the next one from this contraction on: four iterations, as many as a solution may take, make an
// error eight times smaller then.
constexpr double contraction_to_move_on = 0.5;
// The full factors are at hand, and cost little more than dropped ones.
constexpr double contraction_to_take_all = 0.1;
constexpr int most_steps_on_trial = 3;  // that a controller tries

/// Of all intervals, or of what may be tried on the way.
int largest_krylov_steps(const CorrectorOptions& options, int unknowns) {
  if (options.schedule.empty() && options.adapts)
    return std::min(std::max(options.krylov_steps, most_steps_on_trial), std::max(unknowns, 1));
  int most = options.schedule.empty() ? options.krylov_steps : 1;
  for (const CorrectorSchedule::Interval& interval : options.schedule.intervals)
    if (interval.phases.krylov) most = std::max(most, interval.krylov_steps);
  return most;
}

bool uses_krylov(const CorrectorOptions& options) {
  const auto& intervals = options.schedule.intervals;
  if (intervals.empty()) return options.phases.krylov;
  return std::any_of(intervals.begin(), intervals.end(), [](const auto& interval) { return interval.phases.krylov; });
}

}  // namespace

CycleNewton::CycleNewton(ResidualFunction& system, const StateLayout& layout, const JacobianOptions& jacobian,
                         IterationSolver solver, const CorrectorOptions& options)
    : SimplifiedNewton(system, layout, jacobian, solver_for_dropping(solver, options), options),
      options_(options),
      settings_{options.phases, options.drop_tolerance, options.krylov_steps} {
  if (uses_krylov(options))
    krylov_.emplace(system, layout.lambda, largest_krylov_steps(options, system.size()), options, jacobian);
  if (options.adapts && options.schedule.empty()) {
    controller_.emplace(options.phases, options.drop_tolerance, options.krylov_steps,
                        largest_krylov_steps(options, system.size()));
    count_work();
  }
  if (!options.schedule.empty()) count_work();
}

bool CycleNewton::has(CorrectorPhase phase) const {
  switch (phase) {
    case CorrectorPhase::dropped_lu:
      return settings_.phases.dropped_lu;
    case CorrectorPhase::simplified:
      return settings_.phases.simplified;
    case CorrectorPhase::krylov:
      return settings_.phases.krylov;
    default:
      return false;
  }
}

/// The next one that the cycle has; newton, which it has never, where there is none.
CorrectorPhase CycleNewton::phase_after(int phase) const {
  for (int next = phase + 1; next <= static_cast<int>(CorrectorPhase::krylov); ++next)
    if (has(static_cast<CorrectorPhase>(next))) return static_cast<CorrectorPhase>(next);
  return CorrectorPhase::newton;
}

bool CycleNewton::has_next_phase() const {
  return alpha() > 0 && phase_after(static_cast<int>(phase_)) != CorrectorPhase::newton;
}

/// In a cycle of dropped factors alone, as DroppedLuNewton does.
bool CycleNewton::can_take_all(double t) const {
  return phase_ == CorrectorPhase::dropped_lu && !takes_all_ && !dropped_.drops_nothing() && t == factored_time_;
}

double CycleNewton::leaves() const {
  if (corrected_in_ == CorrectorPhase::krylov) return krylov_->left();
  return corrected_in_ == CorrectorPhase::dropped_lu && !dropped_.drops_nothing() ? worst_contraction_.leaves() : -1;
}

void CycleNewton::move_on() {
  phase_ = phase_after(static_cast<int>(phase_));
  ++statistics_.phase_changes;
}

/// The refresh belongs to the cycle that it ends: in the mean that is the same.
void CycleNewton::note_new_factors() {
  if (controller_) {
    controller_->end_cycle(cycle_work() - work_at_begin_, converged_);
    settings_ = controller_->settings();
  } else if (!options_.schedule.empty()) {
    const CorrectorSchedule::Interval& now = options_.schedule.at(t_);
    settings_ = {now.phases, now.drop_tolerance, now.krylov_steps};
  }
  work_at_begin_ = cycle_work();
  converged_ = 0;
  factored_time_ = t_;
  worst_contraction_.forget();
  takes_all_ = false;
  if (is_plain()) ++statistics_.plain_cycles;
  statistics_.drop_tolerance = settings_.phases.dropped_lu ? settings_.drop_tolerance : 0;
  wants_refresh_ = is_dated_ = false;
  dropped_.forget();
  phase_ = phase_after(-1);
}

Outcome CycleNewton::refresh(const JacobianPoint& point, const Eigen::VectorXd& F, JacobianCause cause) {
  const bool may_move = cause == JacobianCause::convergence && !is_pending();
  if (may_move && has_next_phase()) {
    move_on();
    return {};
  }
  if (!may_move || !can_take_all(point.t)) return SimplifiedNewton::refresh(point, F, cause);
  takes_all_ = true;
  return {};
}

void CycleNewton::begin(double t, double new_alpha) {
  t_ = t;
  worst_contraction_.begin(new_alpha);
  SimplifiedNewton::begin(t, new_alpha);
  work_of_solution_ = statistics_.work;
  if (krylov_) krylov_->begin();
}

bool CycleNewton::renews(double new_alpha, bool has_changed) {
  if (wants_refresh_ || is_dated_) return SimplifiedNewton::renews(new_alpha, true);
  if (!has_changed || !settings_.phases.krylov || !krylov_bears(new_alpha / alpha()))
    return SimplifiedNewton::renews(new_alpha, has_changed);
  ++statistics_.postponed_refreshes;
  while (phase_ != CorrectorPhase::krylov) move_on();
  return SimplifiedNewton::renews(new_alpha, false);
}

void CycleNewton::observe(double contraction) {
  SimplifiedNewton::observe(contraction);
  const bool is_dropped = corrected_in_ == CorrectorPhase::dropped_lu;
  if (is_dropped) worst_contraction_.observe(contraction);
  if (corrected_in_ == CorrectorPhase::krylov) is_dated_ = updates_in_parts() && krylov_is_dated(contraction);
  if (contraction > (is_dropped ? contraction_to_take_all : contraction_to_move_on) && has_next_phase()) move_on();
}

void CycleNewton::end(const CorrectorSolution& solution) {
  SimplifiedNewton::end(solution);
  if (solution.converged) ++converged_;
  if (controller_ && !solution.converged && !is_plain() && alpha() > 0) {
    controller_->abandon();
    settings_ = controller_->settings();
    phase_ = phase_after(-1);
  }
  if (!controller_ || corrected_in_ != CorrectorPhase::krylov) return;
  const double usual = controller_->usual_work();
  wants_refresh_ = usual > 0 && statistics_.work - work_of_solution_ > usual;
}

void CycleNewton::solve_dropped(double new_alpha, Eigen::VectorXd& x) {
  if (x.size() > 0) dropped_.prepare(*factors_, takes_all_ ? 0 : settings_.drop_tolerance);
  if (dropped_.drops_nothing()) return solve(new_alpha, x);
  const double start = now();
  statistics_.dropped_entries = dropped_.dropped_entries();
  solve_by(new_alpha, x, [this](Eigen::VectorXd& scaled) { dropped_.solve(*factors_, scaled); });
  add_substitution(static_cast<double>(dropped_.entries()));
  statistics_.substitution_seconds += seconds_since(start);
}

void CycleNewton::solve_in_phase(double new_alpha, Eigen::VectorXd& x) {
  if (phase_ == CorrectorPhase::dropped_lu)
    solve_dropped(new_alpha, x);
  else
    solve(new_alpha, x);
}

Outcome CycleNewton::correct(const JacobianPoint& point, const Eigen::VectorXd& F, Eigen::VectorXd& delta) {
  begin_correction(phase_, point, F);
  if (phase_ == CorrectorPhase::krylov) return correct_by_krylov(point, F, delta);
  delta = F;
  solve_in_phase(point.alpha, delta);
  return {};
}

Outcome CycleNewton::correct_by_krylov(const JacobianPoint& point, const Eigen::VectorXd& F, Eigen::VectorXd& delta) {
  const double start = now();
  const std::int64_t calls = krylov_->function_calls();
  const auto precondition = [this, &point](Eigen::VectorXd& x) { solve(point.alpha, x); };
  const Outcome corrected = krylov_->correct(point, F, settings_.krylov_steps, precondition, delta);
  if (counts_work()) add_work(static_cast<double>(krylov_->function_calls() - calls) * evaluation_work());
  statistics_.krylov_seconds += seconds_since(start);
  return corrected;
}

const JacobianStatistics& CycleNewton::jacobian_statistics() const {
  if (!krylov_) return SimplifiedNewton::jacobian_statistics();
  jacobian_statistics_ = jacobian_.statistics();
  add_products(*krylov_, jacobian_statistics_);
  return jacobian_statistics_;
}

CorrectorStatistics CycleNewton::statistics() const {
  CorrectorStatistics sums = statistics_;
  if (krylov_) {
    sums.krylov_steps = krylov_->steps();
    sums.krylov_function_calls = krylov_->function_calls();
  }
  return sums;
}

}  // namespace linkwork
