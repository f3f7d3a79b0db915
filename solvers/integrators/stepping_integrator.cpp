#include <linkwork/solvers/integrators/stepping_integrator.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/solvers/manifold/consistent_accelerations.hpp>
#include <linkwork/solvers/manifold/initial_projection.hpp>
#include <linkwork/solvers/manifold/projection.hpp>
#include <linkwork/solvers/manifold/solution_manifold.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace linkwork {

namespace {

// How much of usual_step_ is remembered from step to step.
constexpr double usual_share = 0.8;
// Halved a thousand times any step is below what time resolves.
constexpr int most_attempts = 1000;

}  // namespace

std::string SteppingOptions::why_invalid() const {
  if (std::string why = tolerances.why_invalid(); !why.empty()) return why;
  if (!(std::isfinite(maximum_step) && maximum_step >= 0))
    return concat("maximum_step is ", maximum_step, " s; expected > 0, or 0 for no limit.");
  if (maximum_steps <= 0) return concat("maximum_steps is ", maximum_steps, "; expected > 0.");
  return "";
}

SteppingIntegrator::SteppingIntegrator(const SteppingOptions& options, const StepRules& rules)
    : common_(options), rules_(rules), tolerances_(options.tolerances) {}

SteppingIntegrator::~SteppingIntegrator() = default;

double SteppingIntegrator::reach() const {
  return common_.maximum_step > 0 ? common_.maximum_step * static_cast<double>(common_.maximum_steps)
                                  : std::numeric_limits<double>::infinity();
}

// ------------------------------------------------------------------------------------------------ start

void SteppingIntegrator::take_over(EquationsOfMotion& equations, LinearSolver& solver, const State& start) {
  if (const std::string why = common_.why_invalid(); !why.empty()) throw ModelError(concat(options_name(), ": ", why));
  tolerances_ = common_.tolerances.by_component(equations);
  tolerances_.expect_fit(equations.dimensions(), options_name());
  if (share_of_tolerances_ != 1) tolerances_ = share_of_tolerances_ * tolerances_;
  common_.dense.expect_fit(equations.dimensions(), options_name());
  equations_ = &equations;
  solver_ = &solver;
  projection_ = std::make_unique<Projection>(equations, solver);
  state_ = start;
  state_.a.setZero(equations.dimensions().v);
  if (statistics_.steps == 0) t_start_ = start.t;
  step_ = usual_step_ = 0;
  weights_ = ErrorWeights(equations);
  weights_.renew(tolerances_, state_, state_);
  drop_dense();
}

Outcome SteppingIntegrator::start_consistently(EquationsOfMotion& equations, LinearSolver& solver, const State& start,
                                               const std::function<Outcome()>& begin) {
  const Dimensions& n = equations.dimensions();
  take_over(equations, solver, start);
  if (state_.lambda.size() != n.constraints()) state_.lambda.setZero(n.constraints());
  if (n.w > 0 && state_.w.size() != n.w) state_.w.setZero(n.w);
  if (n.s > 0 && state_.s.size() != n.s) state_.s.setZero(n.s);
  try {
    equations.set(state_);
    if (Outcome projected = project_start(); !projected) return projected;
    if (Outcome settled = settle_accelerations(equations, solver, state_); !settled) return settled;
    if (Outcome begun = begin(); !begun) return begun;
  } catch (const RecoverableFailure& failure) {
    return Outcome::failure(concat("the initial state can't be evaluated: ", failure.what()), Failure::not_evaluated);
  }
  previous_ = state_;
  return {};
}

Outcome SteppingIntegrator::project_start() {
  StepRecord record;
  record.t = state_.t;
  record.accepted = true;
  if (!common_.start_is_consistent) {
    const Outcome projected =
        project_initial_values(*equations_, *projection_, tolerances_, common_.consent_to_projection, weights_, state_);
    statistics_.newton_iterations += projection_->iterations();
    if (!projected) return projected;
    record.projection_iterations = projection_->iterations();
    record.position_projection = projection_->position_change();
    record.velocity_projection = projection_->velocity_change();
  }
  records_.assign(1, record);
  return begin_invariants();
}

Outcome SteppingIntegrator::begin_invariants() {
  if (!equations_->holds_invariants()) equations_->hold_invariants();
  manifold_ = std::make_unique<SolutionManifold>(*equations_, *solver_, *projection_, common_.keep_invariants);
  if (!manifold_->has_invariants()) return {};
  const Eigen::VectorXd off = equations_->e();
  constexpr double longest = 100;  // of the tolerances, as of the projection onto the constraints
  const Outcome kept = manifold_->correct(
      state_, weights_, common_.consent_to_projection ? std::numeric_limits<double>::infinity() : longest);
  if (!kept) return kept;
  if (manifold_->gaps() > 0) {
    Eigen::Index worst = 0;
    equations_->e().cwiseAbs().maxCoeff(&worst);
    return Outcome::failure(concat("the initial values are not consistent: invariant '",
                                   equations_->invariant_name(static_cast<int>(worst)), "' is off its level by ",
                                   off[worst], "; reaching it changes positions or velocities by more than ", longest,
                                   " tolerances; give values that fit the level, or set consent_to_projection."));
  }
  return manifold_->conserved();
}

Outcome SteppingIntegrator::move_to_manifold(State& state) {
  const std::int64_t corrections = manifold_->corrections(), gaps = manifold_->gaps();
  const Outcome kept = manifold_->correct(state, weights_);
  statistics_.invariant_corrections += manifold_->corrections() - corrections;
  statistics_.invariant_gaps += manifold_->gaps() - gaps;
  return kept;
}

bool SteppingIntegrator::has_kept_invariants() const { return manifold_->has_invariants(); }

Outcome SteppingIntegrator::invariants_conserved() const { return manifold_->conserved(); }

// ------------------------------------------------------------------------------------------------ one step

Outcome SteppingIntegrator::step(double t_limit) {
  records_.clear();
  if (statistics_.steps >= common_.maximum_steps)
    return Outcome::failure(concat("the limit of ", common_.maximum_steps, " steps is reached at t = ", state_.t,
                                   " s; raise maximum_steps or loosen the tolerances.", why_so_short()));
  const double smallest = smallest_step(t_limit);
  if (step_ == 0) step_ = first_step(t_limit);
  begin_attempts();
  int errors = 0, failures = 0;
  for (;;) {
    double h = limited(step_);
    const double left = t_limit - state_.t;
    const bool is_last = h * rules_.stretch >= left;
    if (is_last)
      h = left;
    else if (!(h > smallest))
      return Outcome::failure(why_too_small(h, smallest, t_limit));
    else if (rules_.halves_before_end && 2 * h > left)
      h = 0.5 * left;
    StepRecord& record = records_.emplace_back();
    record.t = state_.t;
    record.step = h;
    const Verdict verdict = try_attempt({is_last ? t_limit : state_.t + h, h, is_last});
    if (verdict == Verdict::accepted) {
      records_.back().accepted = true;
      usual_step_ = std::max(h, usual_share * usual_step_);
      drop_dense();
      ++statistics_.steps;
      return accept(h);
    }
    if (verdict == Verdict::hopeless) return Outcome::failure(records_.back().reason);
    ++statistics_.rejected_steps;
    if (verdict == Verdict::failure) ++statistics_.convergence_failures;
    ++(verdict == Verdict::failure ? failures : errors);
    reject(h, verdict, errors + failures);
    if (errors + failures == most_attempts)
      return Outcome::failure(concat(most_attempts, " attempts failed in one step at t = ", state_.t,
                                     " s, the last one with a step of ", h,
                                     " s: steps that are rejected have to become shorter; ", last_reason()));
    if (errors == rules_.most_errors || failures == rules_.most_failures)
      return Outcome::failure(concat(verdict == Verdict::failure ? failures : errors,
                                     verdict == Verdict::failure ? " Newton iterations" : " error tests",
                                     " failed in one step at t = ", state_.t, " s, the last one with a step of ", h,
                                     " s and order ", records_.back().order, ": ", last_reason()));
  }
}

double SteppingIntegrator::smallest_step(double t_limit) const {
  return 16 * std::numeric_limits<double>::epsilon() * std::max(std::abs(state_.t), std::abs(t_limit));
}

double SteppingIntegrator::first_share(double share, double t_limit) const {
  const double left = t_limit - state_.t;
  return std::max(share * left, std::min(left, 1.1 * smallest_step(t_limit)));
}

double SteppingIntegrator::limited(double wish) const {
  return common_.maximum_step > 0 ? std::min(wish, common_.maximum_step) : wish;
}

double SteppingIntegrator::step_for(double h, double error, double order, double largest) {
  constexpr double wanted = 0.9, least = 0.2, negligible = 1e-10;
  const double ratio = wanted * std::pow(std::max(error, negligible), -1 / order);
  return h * (ratio > least ? std::min(ratio, largest) : least);  // the least where the error is no number
}

Verdict SteppingIntegrator::try_attempt(const StepEnd& end) {
  try {
    return attempt(end);
  } catch (const RecoverableFailure& failure) {
    records_.back().reason = failure.what();
    return Verdict::failure;
  }
}

void SteppingIntegrator::reject(double h, Verdict verdict, int /*attempts*/) {
  const StepRecord& record = records_.back();
  step_ = verdict == Verdict::failure ? 0.25 * h : step_for(h, record.error, std::max(record.order, 1), 0.9);
}

Outcome SteppingIntegrator::find_rates(State& state, StateRates& rates) {
  equations_->set(state);
  if (Outcome settled = settle_accelerations(*equations_, *solver_, state); !settled) return settled;
  equations_->position_rate(rates.p);
  rates.v = state.a;
  rates.r = equations_->r_rate();
  return {};
}

double SteppingIntegrator::distance_in_tolerances(const State& a, const State& b) {
  weights_.renew(tolerances_, a, b);
  double squares = 0, count = 0;
  const auto add = [&](const Eigen::VectorXd& x, const Eigen::VectorXd& y, const Eigen::VectorXd& weights) {
    squares += (x - y).cwiseQuotient(weights).squaredNorm();
    count += static_cast<double>((weights.array() < std::numeric_limits<double>::infinity()).count());
  };
  add(a.p, b.p, weights_.p);
  add(a.v, b.v, weights_.v);
  add(a.r, b.r, weights_.r);
  return count > 0 ? std::sqrt(squares / count) : 0;
}

// ------------------------------------------------------------------------------------------------ messages

std::string SteppingIntegrator::why_so_short() {
  if (!has_stepped()) return "";
  return concat(" The last step had ", state_.t - previous_.t, " s for the error of ", limiting_component(), '.');
}

std::string SteppingIntegrator::last_reason() { return as_sentence(records_.back().reason) + explanation(); }

std::string SteppingIntegrator::why_too_small(double h, double smallest, double t_limit) {
  constexpr double far = 1e3;  // of the run
  const std::string what = concat("the step size became too small: ", h, " s at t = ", state_.t, " s; ");
  const bool was_wished = !has_stepped() || limited(step_) < step_;  // the error control has no part in it
  if (records_.empty() && was_wished)
    return concat(what, "steps below ", smallest,
                  " s are lost in the rounding of time; give a larger first_step or maximum_step, or begin nearer to "
                  "t = 0.");
  const std::string cause =
      records_.empty() ? concat(
                             "the errors of the steps before have cut it below what time resolves, as where a solution "
                             "goes to infinity or jumps, the largest in ",
                             limiting_component(), '.', explanation())
                       : concat("the last attempt failed: ", last_reason());
  if (std::abs(state_.t) <= far * (t_limit - t_start_)) return what + cause;
  return concat(what, "time has no digits left for shorter steps so far from t = 0: begin nearer to it; ", cause);
}

// ------------------------------------------------------------------------------------------------ dense output

const DensePolynomial& SteppingIntegrator::dense(bool all) {
  if (!common_.dense_output)
    throw ModelError(concat(name(), ": dense output was asked for, but the option dense_output is off; turn it on."));
  if (dense_state_ == DenseState::none && !has_stepped())
    throw ModelError(concat(name(), ": dense output was asked for before the first step."));
  const DenseState wanted = all ? DenseState::full : DenseState::selected;
  if (dense_state_ < wanted) {
    build_dense(all);
    if (dense_.t_begin != previous_.t || dense_.t_end != state_.t)
      throw ModelError(concat(name(), ": build_dense made no polynomials of the step from t = ", previous_.t, " s to ",
                              state_.t, " s; fill dense_, as interpolate_by_rates does."));
    dense_state_ = wanted;
  }
  return dense_;
}

void SteppingIntegrator::keep_dense() {
  build_dense(true);
  dense_state_ = DenseState::full;
}

void SteppingIntegrator::interpolate_by_rates(const StateRates& at_begin, const StateRates& at_end) {
  dense_ = {};
  dense_.t_begin = previous_.t;
  dense_.t_end = state_.t;
  const double h = state_.t - previous_.t;
  const auto cubic = [&](const Eigen::VectorXd& x, const Eigen::VectorXd& rate, const Eigen::VectorXd& x_end,
                         const Eigen::VectorXd& rate_end) {
    Eigen::MatrixXd left(x.size(), 2), right(x.size(), 2);
    left << x, h * rate;
    right << x_end, h * rate_end;
    return DensePolynomial::Group{components({}, true, x.size()), 2, hermite_coefficients(left, right)};
  };
  const auto linear = [&](const Eigen::VectorXd& x, const Eigen::VectorXd& x_end) {
    return DensePolynomial::Group{components({}, true, x.size()), 1, hermite_coefficients(x, x_end)};
  };
  dense_.p = cubic(previous_.p, at_begin.p, state_.p, at_end.p);
  dense_.v = cubic(previous_.v, at_begin.v, state_.v, at_end.v);
  dense_.r = cubic(previous_.r, at_begin.r, state_.r, at_end.r);
  dense_.a = linear(previous_.a, state_.a);
  dense_.lambda = linear(previous_.lambda, state_.lambda);
}

std::vector<int> SteppingIntegrator::components(const std::optional<std::vector<int>>& chosen, bool all,
                                                Eigen::Index count) {
  if (chosen && !all) return *chosen;
  std::vector<int> out(static_cast<std::size_t>(count));
  std::iota(out.begin(), out.end(), 0);
  return out;
}

}  // namespace linkwork
