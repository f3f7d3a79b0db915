#include <linkwork/solvers/initial_values/continuation.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/core/dense_factors.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace linkwork {

Continuation::Continuation(Consistency& problem, StartLevel level, const ChosenConditions& along,
                           StartCondition quantity, State x)
    : problem_(problem), level_(level), target_(quantity.value), quantity_(std::move(quantity)), x_(std::move(x)) {
  ChosenConditions conditions = along;
  conditions.push_back(&quantity_);
  problem_.choose(level, std::move(conditions));
  quantity_.value = 0;
  const double period = std::exchange(quantity_.period, 0);
  reached_ = problem_.violation(quantity_, x_);
  quantity_.period = period;
}

bool Continuation::go() {
  double longest = 0.1 * (quantity_.unit == "m" ? problem_.length() : 1.0);
  if (level_ != StartLevel::positions) longest = std::max(longest, 0.1 * std::abs(target_ - reached_));
  const double shortest = 1e-9 * longest;
  double step = longest;
  while (reached_ != target_ && step > shortest) {
    const double rest = target_ - reached_;
    const double next = std::abs(rest) <= step ? target_ : reached_ + std::copysign(step, rest);
    if (advance(next)) {
      reached_ = next;
      step = std::min(longest, 2 * step);
    } else {
      step *= 0.5;
    }
  }
  if (reached_ != target_ && std::abs(target_ - reached_) <= 1e-6 * longest && arrive()) reached_ = target_;
  quantity_.value = reached_;
  return reached_ == target_;
}

/// At a target that is a dead point itself: there is no tangent, and Newton's method alone would not settle.
bool Continuation::arrive() {
  constexpr double farthest = 0.01;  // in characteristic lengths; the root of what the steps left
  quantity_.value = target_;
  State trial = x_;
  try {
    if (!problem_.solve(trial, 1)) return false;
  } catch (const RecoverableFailure&) {  // elements can't be evaluated there
    return false;
  }
  if ((problem_.change(trial) - problem_.change(x_)).norm() > farthest * problem_.length()) return false;
  x_ = trial;
  return true;
}

bool Continuation::advance(double next) {
  quantity_.value = next;
  if (problem_.unknowns() == 0) return false;
  try {
    if (reach(next, tangent())) return true;
    return direction_.size() > 0 && reach(next, (next - reached_) * direction_);
  } catch (const RecoverableFailure&) {  // elements can't be evaluated there
    return false;
  }
}

Eigen::VectorXd Continuation::tangent() {
  constexpr double negligible = 1e-10;
  const OrthogonalFactors factors(problem_.jacobian(x_), negligible);
  return -factors.solve(problem_.residual(x_));
}

/// Refused where the step or the way back is long: the tangent of a dead point is without bound.
bool Continuation::reach(double next, const Eigen::VectorXd& step) {
  constexpr double longest_step = 0.3, way_back = 0.1;  // in characteristic lengths; of the step
  const double limit = longest_step * problem_.length() * std::sqrt(static_cast<double>(step.size()));
  if (!(level_ == StartLevel::velocities || step.norm() <= limit)) return false;
  const State predicted = problem_.moved(x_, step);
  State trial = predicted;
  problem_.refine(trial);
  if (!problem_.holds(trial)) return false;
  const double back = (problem_.change(trial) - problem_.change(predicted)).norm();
  if (back > way_back * step.norm() + 1e-9 * problem_.length()) return false;
  x_ = trial;
  direction_ = step / (next - reached_);
  problem_.equations().set(x_);
  problem_.equations().remember(false, -1);
  return true;
}

std::string Continuation::reached_text() const {
  constexpr double digits = 1e8;
  return concat(std::round(reached_ * digits) / digits + 0.0);  // no minus before zero
}

/// From the combinations of rows that move nothing. Permanent redundancies are among them: those count that have the
/// quantity in them.
std::string Continuation::obstacle() {
  constexpr double vanishing = 1e-3;  // singular values at a dead point are the root of what the search leaves
  if (problem_.unknowns() == 0) return "";
  const Eigen::MatrixXd J = problem_.scaled_jacobian(x_);
  const SingularValues svd(J, Eigen::ComputeFullU);
  const Eigen::MatrixXd& U = svd.U();
  Eigen::VectorXd balance = Eigen::VectorXd::Zero(J.rows());
  for (Eigen::Index j = 0; j < U.cols(); ++j)
    if (j >= svd.values().size() || svd.values()[j] < vanishing) balance += U(U.rows() - 1, j) * U.col(j);
  return problem_.named(problem_.rows_in_balance(balance), &quantity_);
}

}  // namespace linkwork
