#include <linkwork/solvers/integrators/stepping_integrator.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/solvers/newton/consistent_accelerations.hpp>
#include <linkwork/solvers/newton/initial_projection.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace linkwork {

std::string SteppingOptions::why_invalid() const {
  if (std::string why = tolerances.why_invalid(); !why.empty()) return why;
  if (!(std::isfinite(maximum_step) && maximum_step >= 0))
    return concat("maximum_step is ", maximum_step, " s; expected > 0, or 0 for no limit.");
  if (maximum_steps <= 0) return concat("maximum_steps is ", maximum_steps, "; expected > 0.");
  return "";
}

void SteppingIntegrator::fit_to(const EquationsOfMotion& equations, std::string_view options) {
  tolerances_ = common_.tolerances.by_component(equations);
  tolerances_.expect_fit(equations.dimensions(), options);
  common_.dense.expect_fit(equations.dimensions(), options);
}

Outcome SteppingIntegrator::start_consistently(EquationsOfMotion& equations, LinearSolver& solver, const State& start,
                                               const std::function<Outcome()>& begin) {
  const Dimensions& n = equations.dimensions();
  equations_ = &equations;
  solver_ = &solver;
  projection_ = std::make_unique<Projection>(equations, solver);
  state_ = start;
  if (state_.lambda.size() != n.constraints()) state_.lambda.setZero(n.constraints());
  if (n.w > 0 && state_.w.size() != n.w) state_.w.setZero(n.w);
  if (n.s > 0 && state_.s.size() != n.s) state_.s.setZero(n.s);
  state_.a.setZero(n.v);
  weights_ = ErrorWeights(equations);
  weights_.renew(tolerances(), state_, state_);
  try {
    equations.set(state_);
    if (Outcome projected = project_start(); !projected) return projected;
    if (Outcome settled = settle_accelerations(equations, solver, state_); !settled) return settled;
    if (Outcome begun = begin(); !begun) return begun;
  } catch (const RecoverableFailure& failure) {
    return Outcome::failure(concat("the initial state can't be evaluated: ", failure.what()));
  }
  previous_ = state_;
  drop_dense();
  return {};
}

void SteppingIntegrator::count_calls(const JacobianStatistics& jacobian, std::int64_t own) {
  statistics_.jacobian_evaluations = earlier_.jacobian_evaluations + jacobian.differenced;
  statistics_.jacobian_refreshes = earlier_.jacobian_refreshes + jacobian.refreshed;
  statistics_.jacobian_updates = earlier_.jacobian_updates + jacobian.updates;
  statistics_.jacobian_function_calls = earlier_.jacobian_function_calls + jacobian.function_calls;
  statistics_.jacobian_groups = jacobian.groups;
  statistics_.jacobian_groups_lower_bound = jacobian.lower_bound;
  statistics_.function_calls = earlier_.function_calls + own + jacobian.function_calls;
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

Outcome SteppingIntegrator::begin_step() {
  records_.clear();
  if (statistics_.steps < common_.maximum_steps) return {};
  return Outcome::failure(concat("the limit of ", common_.maximum_steps, " steps is reached at t = ", state_.t,
                                 " s; raise maximum_steps or loosen the tolerances."));
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

std::string SteppingIntegrator::why_lost_in_rounding(double smallest) {
  return concat("steps below ", smallest,
                " s are lost in the rounding of time; give a larger first_step or maximum_step, or begin nearer to "
                "t = 0.");
}

const DensePolynomial& SteppingIntegrator::dense(bool all) {
  if (!common_.dense_output)
    throw ModelError(concat(name(), ": dense output was asked for, but the option dense_output is off; turn it on."));
  if (dense_state_ == DenseState::none && !has_stepped())
    throw ModelError(concat(name(), ": dense output was asked for before the first step."));
  const DenseState wanted = all ? DenseState::full : DenseState::selected;
  if (dense_state_ < wanted) {
    build_dense(all);
    dense_state_ = wanted;
  }
  return dense_;
}

void SteppingIntegrator::keep_dense() {
  build_dense(true);
  dense_state_ = DenseState::full;
}

std::vector<int> SteppingIntegrator::components(const std::optional<std::vector<int>>& chosen, bool all,
                                                Eigen::Index count) {
  if (chosen && !all) return *chosen;
  std::vector<int> out(static_cast<std::size_t>(count));
  std::iota(out.begin(), out.end(), 0);
  return out;
}

}  // namespace linkwork
