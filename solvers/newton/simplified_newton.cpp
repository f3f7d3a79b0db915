#include <linkwork/solvers/newton/simplified_newton.hpp>

#include <linkwork/solvers/newton/background_worker.hpp>
#include <linkwork/solvers/newton/corrector_instruments.hpp>

#include <chrono>
#include <utility>

namespace linkwork {

namespace {

// With a second thread, new factors are begun while the old ones still converge: from this rate on.
constexpr double rate_to_begin_ahead = 0.3;

}  // namespace

SimplifiedNewton::SimplifiedNewton(ResidualFunction& system, const StateLayout& layout, const JacobianOptions& jacobian,
                                   IterationSolver solver, const CorrectorOptions& options)
    : system_(system),
      at_(layout),
      jacobian_(system, jacobian),
      solver_(solver),
      matching_(options.matching),
      delay_(options.factor_delay),
      measures_times_(options.measures_times),
      evaluation_work_((options.schedule.empty() ? options.costs : options.schedule.costs).evaluation * system.size()) {
  if (!options.observe) return;
  counts_work_ = true;
  instruments_ = std::make_unique<CorrectorInstruments>(system, options, jacobian);
}

SimplifiedNewton::~SimplifiedNewton() {
  if (is_pending_) worker_->wait();
}

double SimplifiedNewton::now() const {
  if (!measures_times_) return 0;
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double SimplifiedNewton::seconds_since(double start) const { return measures_times_ ? now() - start : 0; }

std::int64_t SimplifiedNewton::factorizations() const {
  return (factors_ ? factors_->statistics().factorizations : 0) +
         (next_factors_ ? next_factors_->statistics().factorizations : 0);
}

void SimplifiedNewton::forget() {
  if (is_pending_) worker_->wait();
  is_pending_ = wants_ahead_ = false;
  alpha_ = 0;
}

/// Where a second thread factors, a change of the coefficient can wait for it, and an iteration that is slow takes what
/// is being factored before it asks for another matrix.
Outcome SimplifiedNewton::refresh(const JacobianPoint& point, const Eigen::VectorXd& F, JacobianCause cause) {
  if (is_pending_) return take_pending();
  const bool can_wait = delay_ > 0 && alpha_ > 0 && cause == JacobianCause::coefficient;
  if (!can_wait) alpha_ = 0;
  if (Outcome renewed = jacobian_.renew(point, F, cause); !renewed) return renewed;
  if (!can_wait) return factor_here(point);
  factor_beside(point);
  return {};
}

Outcome SimplifiedNewton::factor_here(const JacobianPoint& point) {
  const double start = now();
  if (!factors_) factors_ = make_iteration_matrix(solver_, jacobian_.matrix());
  const Outcome factored =
      factors_->factor(jacobian_.matrix(), jacobian_.alpha(), jacobian_.pattern_version(), system_);
  statistics_.factorization_seconds += seconds_since(start);
  if (factored) take_factors(point.alpha);
  return factored;
}

void SimplifiedNewton::take_factors(double alpha) {
  alpha_ = alpha;
  ++statistics_.refresh_cycles;
  if (instruments_) instruments_->begin();
  if (counts_work_ && system_.size() > 0) {
    statistics_.factor_entries = factors_->entries();
    statistics_.factor_operations = factors_->operations();
    const std::int64_t calls = jacobian_.statistics().function_calls;
    // The parts that are known without differences cost about as much as an evaluation.
    const double work =
        static_cast<double>(calls - jacobian_calls_before_ + 1) * evaluation_work_ + statistics_.factor_operations;
    refresh_work_ += work;
    add_work(work);
    jacobian_calls_before_ = calls;
  }
  note_new_factors();
}

void SimplifiedNewton::factor_beside(const JacobianPoint& point) {
  if (!worker_) {
    worker_ = std::make_unique<BackgroundWorker>();
    next_factors_ = make_iteration_matrix(solver_, jacobian_.matrix());
  }
  next_matrix_ = jacobian_.matrix();
  next_alpha_ = point.alpha;
  next_factors_->prepare(next_matrix_, jacobian_.alpha(), jacobian_.pattern_version(), system_);
  worker_->begin([this] { next_factors_->compute(next_matrix_); });
  is_pending_ = true;
  wants_ahead_ = false;
  due_ = statistics_.solutions + delay_;
  ++statistics_.threaded_factorizations;
}

Outcome SimplifiedNewton::take_pending() {
  const double start = now();
  worker_->wait();
  statistics_.factorization_seconds += seconds_since(start);
  is_pending_ = false;
  std::swap(factors_, next_factors_);
  if (Outcome factored = factors_->conclude(next_matrix_, system_); !factored) {
    alpha_ = 0;
    return factored;
  }
  take_factors(next_alpha_);
  return {};
}

/// A matrix that turned out singular is no news: the next refresh will say so, at the point where it happens.
void SimplifiedNewton::begin(double, double) {
  ++statistics_.solutions;
  work_before_ = statistics_.work;
  if (instruments_) instruments_->begin();
  if (!is_pending_ || statistics_.solutions < due_) return;
  const double alpha = alpha_;
  if (take_pending()) return;
  std::swap(factors_, next_factors_);
  alpha_ = alpha;
}

bool SimplifiedNewton::renews(double, bool has_changed) { return !is_pending_ && (has_changed || wants_ahead_); }

void SimplifiedNewton::observe(double contraction) {
  if (delay_ > 0 && contraction > rate_to_begin_ahead) wants_ahead_ = true;
}

void SimplifiedNewton::end(const CorrectorSolution& solution) {
  ++statistics_.solutions_in_phase[static_cast<std::size_t>(corrected_in_)];
  if (!instruments_) return;
  instruments_->end({.solution = solution,
                     .phase = corrected_in_,
                     .cycle = statistics_.refresh_cycles,
                     .matrix_alpha = alpha_,
                     .drop_tolerance = corrected_in_ == CorrectorPhase::dropped_lu ? statistics_.drop_tolerance : 0,
                     .work = statistics_.work - work_before_});
}

void SimplifiedNewton::begin_correction(CorrectorPhase phase, const JacobianPoint& point, const Eigen::VectorXd& F) {
  corrected_in_ = phase;
  ++statistics_.iterations[static_cast<std::size_t>(phase)];
  if (counts_work_) add_work(evaluation_work_);
  if (!instruments_) return;
  const CorrectorStatistics before = statistics_;  // instruments are not counted
  instruments_->look(point, F, [this, &point](Eigen::VectorXd& x) { solve_in_phase(point.alpha, x); });
  statistics_ = before;
}

void SimplifiedNewton::solve(double alpha, Eigen::VectorXd& x) {
  const double start = now();
  solve_by(alpha, x, [this](Eigen::VectorXd& scaled) { factors_->solve(scaled); });
  statistics_.substitution_seconds += seconds_since(start);
  add_substitution(static_cast<double>(statistics_.factor_entries));
}

void SimplifiedNewton::add_substitution(double multiply_adds) {
  if (!counts_work_) return;
  substitution_work_ += multiply_adds;
  add_work(multiply_adds);
}

void SimplifiedNewton::subtract_matched(double alpha, const Eigen::MatrixXd& A, Eigen::MatrixXd& from) const {
  const Eigen::Index differential = at_.differential(), others = A.rows() - differential, left = at_.lambda;
  Eigen::MatrixXd matched = A;
  if (matching_ == StepSizeMatching::mean) {
    const double c = 2 / (1 + alpha / alpha_);
    matched.bottomRows(others) *= c;
    matched.leftCols(left) /= c;
  } else if (matching_ == StepSizeMatching::rows) {
    matched.topRows(differential) *= alpha / alpha_;
  }
  from -= matched;
}

Outcome SimplifiedNewton::correct(const JacobianPoint& point, const Eigen::VectorXd& F, Eigen::VectorXd& delta) {
  begin_correction(CorrectorPhase::simplified, point, F);
  delta = F;
  solve(point.alpha, delta);
  return {};
}

}  // namespace linkwork
