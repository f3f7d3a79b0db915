#include <linkwork/solvers/reductions/constraint_stabilisation.hpp>

#include <linkwork/core/concat.hpp>

#include <algorithm>
#include <memory>

namespace linkwork {

Outcome ConstraintStabilisation::begin(const State& /*full*/) {
  const Dimensions& n = full_.dimensions();
  set_independent(n.p, n.v, n.normalisation);
  alpha_ = options_.alpha;
  longest_step_ = 0;
  steps_since_growth_ = 0;
  ++choices_;
  return {};
}

Outcome ConstraintStabilisation::accept(State& full, double h, ReductionChange& change) {
  bool rows_changed = false;
  if (Outcome renewed = renew_independent_rows(full, rows_changed); !renewed) return renewed;
  change.state = rows_changed;  // accelerations of what is violated change with them
  adapt_damping(h);
  point_.lambda = full.lambda;
  return {};
}

/// The damping that steps allow, weak enough for explicit methods to take steps that grow. Nothing is known as long as
/// steps grow from the first one on, and a large alpha^2 would amplify the rounding of g. The longest step counts:
/// if damping answered to short ones, it would be raised by the steps that it cuts.
void ConstraintStabilisation::adapt_damping(double h) {
  constexpr double share = 0.1, growing = 1.5;
  constexpr int settled = 10;
  steps_since_growth_ = h > growing * longest_step_ ? 0 : steps_since_growth_ + 1;
  longest_step_ = std::max(h, longest_step_);
  if (options_.alpha > 0) return;
  if (alpha_ > 0 || steps_since_growth_ >= settled) alpha_ = share / longest_step_;
}

/// The real stability intervals of explicit methods, over alpha, in which steps have long not grown.
std::string ConstraintStabilisation::why_steps_are_short(double h) const {
  constexpr double shortest = 0.3, longest = 30;
  constexpr int many = 20;
  const double covered = options_.alpha * h;
  if (!(covered > shortest && covered < longest) || steps_since_growth_ < many) return "";
  return concat(" Violations are damped with alpha = ", options_.alpha,
                " 1/s, and explicit methods take no steps much longer than 1/alpha (the last one: ", h,
                " s); choose a smaller alpha, or none.");
}

const Eigen::VectorXd* ConstraintStabilisation::acceleration_correction() {
  const double beta = options_.beta > 0 ? options_.beta : alpha_;
  const int holonomic = full_.dimensions().lambda;
  correction_ = -alpha_ * full_.velocity_residual();
  correction_.head(holonomic) *= 2;
  correction_.head(holonomic) -= beta * beta * full_.g();
  return &correction_;
}

std::unique_ptr<ReducedEquations> make_stabilised(EquationsOfMotion& full, LinearSolver& solver,
                                                  const ReductionOptions& options) {
  return std::make_unique<ConstraintStabilisation>(full, solver, options);
}

}  // namespace linkwork
