#include <linkwork/solvers/integrators/radau_stages.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/solvers/integrators/radau_coefficients.hpp>
#include <linkwork/solvers/jacobian/difference_quotients.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace linkwork {

namespace {

constexpr double diverging_rate = 0.99;
// An iteration that comes to rest above its own tolerance, but below this share of the step's, has met rounding errors:
// near singular positions multipliers have many of them.
constexpr double rounding_share = 0.03;
// Newton's method proper converges at once or not at all; what follows the step begins with a rate that is usual.
constexpr int most_of_newton = 15;
constexpr double rate_of_newton = 0.1, rate_at_rest = 0.5;
// So near a singular position rounding may move it by a part of the tolerance.
constexpr double largest_rounding_share = 0.3;
// A phase of a cycle is left for the next one from this contraction on.
constexpr double slow_stage_contraction = 0.1;

CyclePhases phases_of(const CorrectorOptions& newton) {
  switch (newton.method) {
    case CorrectorMethod::dropped_lu:
      return {true, false, false};
    case CorrectorMethod::krylov:
      return {false, false, true};
    case CorrectorMethod::cycle:
      return newton.phases;
    default:
      return {false, true, false};
  }
}

/// The first phase from one on that there is; newton where there is none.
CorrectorPhase phase_from(int first, const CyclePhases& phases) {
  const bool is_there[] = {phases.dropped_lu, phases.simplified, phases.krylov};
  for (int phase = first; phase < 3; ++phase)
    if (is_there[phase]) return static_cast<CorrectorPhase>(phase);
  return CorrectorPhase::newton;
}

}  // namespace

RadauStages::RadauStages(MotionResidual& equations, const Options& options)
    : equations_(equations), options_(options), y_rate_(Eigen::VectorXd::Zero(equations.size())) {
  Z_.setZero(equations.size(), 3);
  W_ = transformed_change_ = Z_;
  F_of_stages_.setZero(equations.equations(), 3);
  transformed_F_ = F_of_stages_;
  options_.newton.phases = phases_of(options.newton);
  begin_cycle();
  if (!options_.newton.phases.krylov) return;
  const int unknowns = 3 * equations.size();
  if (options.newton.krylov_steps > unknowns && unknowns > 0)
    throw ModelError(concat("the corrector is to take ", options.newton.krylov_steps,
                            " Krylov steps, and the three stages have ", unknowns,
                            " unknowns, which as many steps determine; take 1 to ", unknowns, "."));
  gmres_.emplace(unknowns, options.newton.krylov_steps);
  moved_Z_ = moved_change_ = Z_;
  moved_F_ = F_of_stages_;
  right_ = solution_ = sizes_ = Eigen::VectorXd::Ones(unknowns);
}

void RadauStages::begin_cycle() {
  phase_ = phase_from(0, options_.newton.phases);
  ++statistics_.refresh_cycles;
}

/// @return whether the next phase takes over from one that contracts so slowly
bool RadauStages::moves_on(double ratio) {
  const CorrectorPhase next = phase_from(static_cast<int>(phase_) + 1, options_.newton.phases);
  if (!(ratio > slow_stage_contraction) || next == CorrectorPhase::newton) return false;
  phase_ = next;
  ++statistics_.phase_changes;
  return true;
}

void RadauStages::begin(const Step& step, const CollocationPolynomial* before, double ratio) {
  const RadauCoefficients& radau = radau_coefficients();
  iterations_ = 0;
  rate_ = 0;
  step_factor_ = 1;
  if (!before) {
    Z_.setZero();
    W_.setZero();
    return;
  }
  for (int i = 0; i < 3; ++i) {
    before->evaluate(1 + radau.nodes[i] * ratio, y_);
    Z_.col(i) = y_ - step.y;
  }
  W_.noalias() = Z_ * radau.T_inverse.transpose();
}

void RadauStages::evaluate(const Step& step, const Increments& Z, Increments& transformed) {
  const RadauCoefficients& radau = radau_coefficients();
  const int differential = equations_.layout().differential();
  for (int i = 0; i < 3; ++i) {
    y_ = step.y + Z.col(i);
    y_rate_.head(differential).noalias() = Z.topRows(differential) * radau.inverse.row(i).transpose() / step.h;
    ++evaluations_;
    equations_.evaluate(step.t + radau.nodes[i] * step.h, y_, y_rate_, F_);
    F_of_stages_.col(i) = F_;
  }
  transformed.noalias() = F_of_stages_ * radau.T_inverse.transpose();
}

void RadauStages::solve(const Increments& transformed, StageSystem& system, Increments& change) {
  F_real_ = transformed.col(0);
  system.solve(F_real_, change_);
  change.col(0) = change_;
  F_real_ = transformed.col(1);
  F_imaginary_ = transformed.col(2);
  system.solve(F_real_, F_imaginary_, change_, change_imaginary_);
  change.col(1) = change_;
  change.col(2) = change_imaginary_;
}

/// transformed_change_, which is that of simplified Newton, by GMRES for the three stages together.
void RadauStages::improve(const Step& step, StageSystem& system) {
  const Eigen::Index n = Z_.rows();
  const MotionLayout& at = equations_.layout();
  for (int i = 0; i < 3; ++i) {
    sizes_.segment(i * n, n) = step.y.cwiseAbs().cwiseMax(step.sizes);
    sizes_.segment(i * n + at.lambda, at.a - at.lambda) /= std::abs(step.h);  // what multipliers do in the step
  }
  for (double& size : sizes_)
    if (!(size > 0)) size = 1;
  const bool is_by_unit = options_.newton.krylov_norm == KrylovNorm::by_unit;
  right_ = Eigen::VectorXd::Map(transformed_change_.data(), 3 * n);
  if (is_by_unit) right_.array() /= sizes_.array();
  const auto apply = [&](const Eigen::VectorXd& direction, Eigen::VectorXd& product) {
    return multiply(step, system, direction, product);
  };
  const std::int64_t evaluations = evaluations_;
  statistics_.krylov_steps += gmres_->solve(right_, options_.newton.krylov_steps, std::ref(apply), solution_);
  statistics_.krylov_function_calls += evaluations_ - evaluations;
  if (is_by_unit) solution_.array() *= sizes_.array();
  transformed_change_ = Eigen::Map<const Increments>(solution_.data(), n, 3);
}

/// product := P^-1 times the derivative of transformed_F_ along a direction of W. @return whether it could be evaluated
bool RadauStages::multiply(const Step& step, StageSystem& system, const Eigen::VectorXd& direction,
                           Eigen::VectorXd& product) {
  const Eigen::Index n = Z_.rows();
  const bool is_by_unit = options_.newton.krylov_norm == KrylovNorm::by_unit;
  product = direction;
  if (is_by_unit) product.array() *= sizes_.array();
  const double increment = root_epsilon / product.cwiseQuotient(sizes_).lpNorm<Eigen::Infinity>();
  moved_change_ = Eigen::Map<const Increments>(product.data(), n, 3);
  moved_Z_.noalias() = Z_ + increment * moved_change_ * radau_coefficients().T.transpose();
  try {
    evaluate(step, moved_Z_, moved_F_);
  } catch (const RecoverableFailure&) {
    return false;
  }
  moved_F_ = (transformed_F_ - moved_F_) / increment;  // the system solves for -F
  solve(moved_F_, system, moved_change_);
  product = Eigen::VectorXd::Map(moved_change_.data(), 3 * n);
  if (is_by_unit) product.array() /= sizes_.array();
  return true;
}

/// @return the size of the change
double RadauStages::correct(const Step& step, StageSystem& system) {
  const bool drops = phase_ == CorrectorPhase::dropped_lu;
  ++statistics_.iterations[static_cast<std::size_t>(phase_)];
  if (Z_.rows() == 0) return 0;  // everything is prescribed
  if (drops) system.drop(options_.newton.drop_tolerance);
  solve(transformed_F_, system, transformed_change_);
  if (drops) system.drop(0);
  if (phase_ == CorrectorPhase::krylov) improve(step, system);
  return take_change(step);
}

/// @return its size, root mean square over all stages (GEOMS 19)
double RadauStages::take_change(const Step& step) {
  const double squares = (step.scales.asDiagonal() * transformed_change_).squaredNorm();
  const auto counted = static_cast<double>(std::max<Eigen::Index>((step.scales.array() > 0).count(), 1));
  W_ += transformed_change_;
  Z_.noalias() = W_ * radau_coefficients().T.transpose();
  change_ = transformed_change_ * radau_coefficients().T.row(2).transpose();
  return std::sqrt(squares / (3 * counted));
}

void RadauStages::last_rate(const Step& step, Eigen::VectorXd& rate) const {
  const int differential = equations_.layout().differential();
  rate.setZero(equations_.size());
  rate.head(differential).noalias() =
      Z_.topRows(differential) * radau_coefficients().inverse.row(2).transpose() / step.h;
}

RadauStages::Result RadauStages::iterate(const Step& step, StageSystem& system, int most) {
  // What is left over after a change, in units of it: as known from the step before, but more and more careful.
  remainder_ = std::pow(std::max(remainder_, std::numeric_limits<double>::epsilon()), 0.8);
  double size_before = 0, ratio_before = 0;
  for (int k = 1; k <= most; ++k) {
    evaluate(step, Z_, transformed_F_);
    const double size = correct(step, system);
    ++iterations_;
    if (!std::isfinite(size)) return Result::diverges;
    if (k > 1 && k < most) {
      const double ratio = size / size_before;
      rate_ = k == 2 ? ratio : std::sqrt(ratio * ratio_before);
      ratio_before = ratio;
      if (moves_on(ratio) && rate_ < diverging_rate) {
        size_before = std::max(size, std::numeric_limits<double>::epsilon());
        remainder_ = rate_ / (1 - rate_);
        if (remainder_ * size <= options_.tolerance) return Result::converged;
        continue;
      }
      if (rate_ >= diverging_rate) return size <= rounding_share ? Result::converged : Result::diverges;
      remainder_ = rate_ / (1 - rate_);
      const int left = most - 1 - k;
      const double at_the_end = remainder_ * size * std::pow(rate_, left) / options_.tolerance;
      if (at_the_end >= 1 && remainder_ * size <= rounding_share) return Result::converged;
      if (at_the_end >= 1) {
        step_factor_ = 0.8 * std::pow(std::clamp(at_the_end, 1e-4, 20.0), -1.0 / (4 + left));
        return Result::slow;
      }
    }
    size_before = std::max(size, std::numeric_limits<double>::epsilon());
    if (remainder_ * size <= options_.tolerance) return Result::converged;
  }
  step_factor_ = 0.5;
  return Result::slow;
}

Outcome RadauStages::iterate_together(const Step& step, CoupledStages& coupled, const std::function<Outcome()>& renew,
                                      Result& result) {
  result = Result::diverges;
  rate_ = rate_of_newton;
  double size_before = std::numeric_limits<double>::infinity();
  for (int k = 1; k <= most_of_newton; ++k) {
    evaluate(step, Z_, transformed_F_);
    if (Outcome renewed = renew(); !renewed) return renewed;
    coupled.solve(F_of_stages_, transformed_change_);
    transformed_change_ *= radau_coefficients().T_inverse.transpose();
    const double size = take_change(step);
    ++iterations_;
    ++statistics_.iterations[static_cast<std::size_t>(CorrectorPhase::newton)];
    // It is at rest where rounding moves it; one of its last points may be a better one.
    const bool is_at_rest = size <= rounding_share && !(size < rate_at_rest * size_before);
    const bool is_last = k == most_of_newton && size <= largest_rounding_share;
    if (size <= options_.tolerance || is_at_rest || is_last) {
      result = Result::converged;
      return {};
    }
    const bool falls = size < diverging_rate * size_before;
    if (!std::isfinite(size) || (size > largest_rounding_share && !falls)) return {};
    size_before = size;
  }
  return {};
}

}  // namespace linkwork
