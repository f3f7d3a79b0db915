#include <linkwork/solvers/newton/krylov_newton.hpp>

namespace linkwork {

namespace {

// The factors are those of an M alpha of another alpha. At this ratio the mean of CORR (18) still contracts by 0.67.
constexpr double borne_ratio = 0.2;
// Two steps with good factors contract by some percent.
constexpr double dated_krylov_contraction = 0.1;

}  // namespace

bool krylov_bears(double ratio) { return ratio >= borne_ratio && ratio <= 1 / borne_ratio; }

bool krylov_is_dated(double contraction) { return contraction > dated_krylov_contraction; }

void add_products(const KrylovCorrection& krylov, JacobianStatistics& sums) {
  const JacobianStatistics products = krylov.jacobian_statistics();
  sums.differenced += products.differenced;
  sums.function_calls += products.function_calls + krylov.function_calls();
}

KrylovNewton::KrylovNewton(ResidualFunction& system, const StateLayout& layout, const JacobianOptions& jacobian,
                           IterationSolver solver, const CorrectorOptions& options)
    : SimplifiedNewton(system, layout, jacobian, solver, options),
      steps_(options.krylov_steps),
      krylov_(system, layout.lambda, options.krylov_steps, options, jacobian) {
  phase_ = CorrectorPhase::krylov;
}

void KrylovNewton::begin(double t, double alpha) {
  SimplifiedNewton::begin(t, alpha);
  krylov_.begin();
}

void KrylovNewton::observe(double contraction) {
  SimplifiedNewton::observe(contraction);
  is_dated_ = updates_in_parts() && krylov_is_dated(contraction);
}

bool KrylovNewton::renews(double new_alpha, bool has_changed) {
  if (is_dated_) return SimplifiedNewton::renews(new_alpha, true);
  if (!has_changed || !krylov_bears(new_alpha / alpha())) return SimplifiedNewton::renews(new_alpha, has_changed);
  ++statistics_.postponed_refreshes;
  return SimplifiedNewton::renews(new_alpha, false);
}

Outcome KrylovNewton::correct(const JacobianPoint& point, const Eigen::VectorXd& F, Eigen::VectorXd& delta) {
  begin_correction(CorrectorPhase::krylov, point, F);
  const double start = now();
  const std::int64_t calls = krylov_.function_calls();
  const Outcome corrected = krylov_.correct(
      point, F, steps_, [this, &point](Eigen::VectorXd& x) { solve(point.alpha, x); }, delta);
  if (counts_work()) add_work(static_cast<double>(krylov_.function_calls() - calls) * evaluation_work());
  statistics_.krylov_seconds += seconds_since(start);
  return corrected;
}

const JacobianStatistics& KrylovNewton::jacobian_statistics() const {
  jacobian_statistics_ = jacobian_.statistics();
  add_products(krylov_, jacobian_statistics_);
  return jacobian_statistics_;
}

CorrectorStatistics KrylovNewton::statistics() const {
  CorrectorStatistics sums = statistics_;
  sums.krylov_steps = krylov_.steps();
  sums.krylov_function_calls = krylov_.function_calls();
  return sums;
}

}  // namespace linkwork
