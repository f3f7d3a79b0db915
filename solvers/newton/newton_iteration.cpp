#include <linkwork/solvers/newton/newton_iteration.hpp>

#include <linkwork/core/concat.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

namespace linkwork {

namespace {

// The iteration ends when the error that is left, estimated from the rate of convergence, is below this part of the
// tolerance; a rate above the largest one means that it does not converge. What is left enters the history of a
// multistep method as noise. DASSL's value goes with matrices that are differenced whenever the iteration is slow;
// where updates keep an old dF/dy, it would take `andrews` several times the steps.
constexpr double tolerance_of_whole_matrices = 0.33, tolerance_of_updated_matrices = 0.03;
constexpr double largest_rate = 0.9;
constexpr int most_newton_iterations = 4;
// A correction below this part of the tolerance needs no rate.
constexpr double negligible_correction = 1e-4;
// What is left over after a correction, in units of it, as long as no rate is known: after a new matrix, and after a
// change of the coefficient.
constexpr double remainder_of_new_matrix = 20, remainder_of_old_matrix = 100;
// A rate that was measured in an earlier step is not trusted to be smaller than this: with a matrix that is kept for
// long, corrections that are large would pass unmeasured while the iteration has long become slow.
constexpr double least_remembered_remainder = 0.003;
// The coefficient may change by this ratio before the matrix is renewed. Where an update costs no evaluation, a smaller
// change is worth one as soon as a coefficient has stayed for some steps and still takes more than one iteration.
constexpr double coefficient_ratio = 0.6, settled_coefficient_ratio = 0.95;
constexpr int steps_to_settle = 4;
// What a residual would move if inertia alone resisted may count for more than the tolerance: then stiff forces resist,
// or the matrix has a stiffness that is gone (see hides_error). The answer holds for steps up to this ratio longer.
constexpr double known_step_ratio = 2;
constexpr int most_refreshes = 10;  // in one solution; the library's own corrector has no more than four means

/// After a correction that leaves this part of an error.
double remainder_of(double left) {
  return left < largest_rate ? std::max(left / (1 - left), least_remembered_remainder) : remainder_of_old_matrix;
}

}  // namespace

NewtonIteration::NewtonIteration(ResidualFunction& system, const StateLayout& layout, Corrector& corrector,
                                 UnknownWeights& weights)
    : system_(system),
      at_(layout),
      corrector_(corrector),
      weights_(weights),
      rate_matrix_(system.rate_pattern()),
      remainder_(remainder_of_old_matrix) {
  F_predicted_.setZero(system.equations());
  F_ = F_predicted_;
  delta_.setZero(system.size());
}

void NewtonIteration::forget() { corrector_.forget(); }

bool NewtonIteration::take_news() {
  const bool is_new = matrix_is_new_;
  matrix_is_new_ = false;
  return is_new;
}

void NewtonIteration::evaluate(double t, const Eigen::VectorXd& y, const Eigen::VectorXd& y_rate, Eigen::VectorXd& F) {
  ++evaluations_;
  if (!measures_times_) return system_.evaluate(t, y, y_rate, F);
  const auto start = std::chrono::steady_clock::now();
  system_.evaluate(t, y, y_rate, F);
  evaluation_seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Outcome NewtonIteration::solve(const Step& step, Eigen::VectorXd& y, Eigen::VectorXd& y_rate) {
  contraction_ = 0;
  corrector_.begin(step.t, step.alpha);
  const Outcome solved = solve_with_refreshes(step, y, y_rate);
  corrector_.end({step.t, step.h, step.alpha, iterations_, contraction_, static_cast<bool>(solved)});
  return solved;
}

/// The matrix is renewed when the coefficient has changed much, and when the iteration does not converge with it.
Outcome NewtonIteration::solve_with_refreshes(const Step& step, Eigen::VectorXd& y, Eigen::VectorXd& y_rate) {
  met_singular_matrix_ = false;
  last_iterations_ = iterations_;
  iterations_ = 0;
  ++steps_of_coefficient_;
  if (step.alpha != last_alpha_) {
    remainder_ = remainder_of_old_matrix;
    steps_of_coefficient_ = 1;
  }
  last_alpha_ = step.alpha;
  y_predicted_ = y;
  y_rate_predicted_ = y_rate;
  try {
    evaluate(step.t, y, y_rate, F_predicted_);
    const bool has_matrix = corrector_.alpha() > 0;
    if (!has_matrix || corrector_.renews(step.alpha, coefficient_has_changed(step.alpha))) {
      const JacobianCause cause = has_matrix ? JacobianCause::coefficient : JacobianCause::start;
      if (Outcome renewed = refresh(step, y, y_rate, cause); !renewed) return renewed;
    }
    for (int refreshes = 0;; ++refreshes) {
      F_ = F_predicted_;
      Result result = Result::slow;
      if (Outcome iterated = iterate(step, y, y_rate, result); !iterated) return iterated;
      if (result == Result::converged && !hides_error(step, y, y_rate)) return {};
      if (refreshes == most_refreshes || !corrector_.can_improve(step.t))
        return Outcome::failure(why_not(step.h), Failure::no_convergence);
      y = y_predicted_;
      y_rate = y_rate_predicted_;
      if (Outcome renewed = refresh(step, y, y_rate, JacobianCause::convergence); !renewed) return renewed;
    }
  } catch (const RecoverableFailure& failure) {
    return Outcome::failure(failure.what(), Failure::not_evaluated);
  }
}

Outcome NewtonIteration::refresh(const Step& step, const Eigen::VectorXd& y, const Eigen::VectorXd& y_rate,
                                 JacobianCause cause) {
  increments_ = weights_.for_increments(step.sizes);
  const JacobianPoint point{step.t, y, y_rate, step.alpha, step.h, increments_};
  if (Outcome renewed = corrector_.refresh(point, F_predicted_, cause); !renewed) {
    met_singular_matrix_ = renewed.is(Failure::singular);
    return renewed;
  }
  remainder_ = remainder_of_new_matrix;
  matrix_is_new_ = true;
  known_step_ = std::min(known_step_, step.h);
  if (system_.knows_rate_matrix()) measure_inertia(point, cause);
  return {};
}

/// Masses change so little that they are asked for only where the iteration was slow; units change as weights do.
void NewtonIteration::measure_inertia(const JacobianPoint& point, JacobianCause cause) {
  if (cause != JacobianCause::coefficient) {
    rate_matrix_.set_zero();
    system_.rate_matrix(point.t, point.y, point.y_rate, rate_matrix_);
  }
  inertia_.setZero(system_.equations());
  for (int j = 0; j < rate_matrix_.columns(); ++j)
    for (int place = rate_matrix_.begin(j); place < rate_matrix_.end(j); ++place)
      inertia_[rate_matrix_.row(place)] += std::abs(rate_matrix_.value(place)) * weights_.values()[j];
}

/// What the last residual would move if nothing but inertia resisted, in units of the tolerance.
double NewtonIteration::size_by_inertia(double alpha) const {
  double size = 0;
  for (Eigen::Index i = 0; i < inertia_.size(); ++i)
    if (inertia_[i] > 0) size = std::max(size, std::abs(F_[i]) / (alpha * inertia_[i]));
  return size;
}

/// Whether an iteration that says it has converged has not: where the matrix still has the stiffness of a contact that
/// has ended, it corrects the motion along it thousands of times too little, which drowns in what it corrects rightly.
/// The residual tells, as it does not fall. Costs an evaluation where stiff forces may be the reason, and the step is
/// much longer than any whose answer is known.
bool NewtonIteration::hides_error(const Step& step, const Eigen::VectorXd& y, const Eigen::VectorXd& y_rate) {
  if (step.h <= known_step_ratio * known_step_) return false;
  const double before = size_by_inertia(step.alpha);
  if (before <= 1 || !corrector_.can_improve(step.t)) return false;
  evaluate(step.t, y, y_rate, F_);
  if (size_by_inertia(step.alpha) > largest_rate * before) return true;
  known_step_ = step.h;
  return false;
}

bool NewtonIteration::coefficient_has_changed(double alpha) const {
  const bool has_settled =
      corrector_.updates_in_parts() && steps_of_coefficient_ > steps_to_settle && last_iterations_ > 1;
  const double allowed = has_settled ? settled_coefficient_ratio : coefficient_ratio;
  const double ratio = corrector_.alpha() / alpha;
  return ratio < allowed || ratio > 1 / allowed;
}

/// One iteration after the other, F_ given for the first one. Where multipliers alone don't converge, and no force
/// reads them, the step has converged all the same: what they do is seen in the positions and velocities that change
/// with them. Near positions where constraints lose rank they go to infinity on smooth motions.
Outcome NewtonIteration::iterate(const Step& step, Eigen::VectorXd& y, Eigen::VectorXd& y_rate, Result& result) {
  const double tolerance =
      step.share * (corrector_.updates_in_parts() ? tolerance_of_updated_matrices : tolerance_of_whole_matrices);
  const int differential = at_.differential();
  double first_size = 0, first_of_motion = 0;
  remainder_ = std::max(remainder_, least_remembered_remainder);
  const auto converged = [&result] {
    result = Result::converged;
    return Outcome();
  };
  result = Result::slow;
  for (int m = 0; m < most_newton_iterations; ++m) {
    if (m > 0) evaluate(step.t, y, y_rate, F_);
    const JacobianPoint iterate{step.t, y, y_rate, step.alpha, step.h, increments_};
    if (Outcome corrected = corrector_.correct(iterate, F_, delta_); !corrected) {
      met_singular_matrix_ = corrected.is(Failure::singular);
      return corrected;
    }
    if (delta_.size() != y.size())
      throw ModelError(concat("corrector '", corrector_.name(), "' gave a correction of ", delta_.size(),
                              " unknowns; the system has ", y.size(), "."));
    y -= delta_;
    y_rate.head(differential) -= step.alpha * delta_.head(differential);
    ++iterations_;
    const double left = corrector_.leaves();
    if (left >= 0) remainder_ = remainder_of(left);
    const double size = weights_.norm(delta_, step.h);
    if (!std::isfinite(size))
      if (Outcome numbers = expect_numbers(); !numbers) return numbers;
    if (m == 0) {
      first_size = size;
      first_of_motion = weights_.norm_of_motion(delta_);
      if (size <= negligible_correction * tolerance) return converged();
    } else {
      const double rate = std::pow(size / first_size, 1.0 / m);
      contraction_ = rate;
      corrector_.observe(rate);
      const bool is_slow = !(rate <= largest_rate);
      if ((is_slow || m + 1 == most_newton_iterations) && !step.multipliers_are_read &&
          motion_has_converged(first_of_motion, m, tolerance))
        return converged();
      if (is_slow) return {};
      remainder_ = rate / (1 - rate);
      if (left >= 0) remainder_ = std::max(remainder_, remainder_of(corrector_.leaves()));
    }
    if (remainder_ * size <= tolerance) return converged();
  }
  return {};
}

/// A corrector that makes no numbers of numbers is at fault, and no model.
Outcome NewtonIteration::expect_numbers() const {
  for (Eigen::Index i = 0; i < delta_.size(); ++i)
    if (!std::isfinite(delta_[i]) && F_.allFinite())
      return Outcome::failure(concat("corrector '", corrector_.name(), "' corrects ",
                                     system_.unknown_name(static_cast<int>(i)), " by ", delta_[i],
                                     ", and all equations are numbers."));
  return {};
}

/// @param m  iterations after the first one
bool NewtonIteration::motion_has_converged(double first_size, int m, double tolerance) const {
  const double size = weights_.norm_of_motion(delta_);
  if (size <= negligible_correction * tolerance) return true;
  const double rate = std::pow(size / first_size, 1.0 / m);
  return rate <= largest_rate && rate / (1 - rate) * size <= tolerance;
}

/// Names the unknown that changed most in the last iteration, and the equation that is furthest from being satisfied
/// in units of what the tolerances of its unknowns make of it.
std::string NewtonIteration::why_not(double h) const {
  const int unknown = weights_.worst(delta_, h);
  const std::string what = concat("Newton's iteration does not converge: after ", iterations_, " iterations ",
                                  system_.unknown_name(unknown), " still changes by ", delta_[unknown]);
  const SparseMatrix* J = corrector_.matrix();
  if (!J) return what;
  Eigen::VectorXd unit = Eigen::VectorXd::Constant(system_.equations(), std::numeric_limits<double>::min());
  for (int j = 0; j < J->columns(); ++j)
    for (int place = J->begin(j); place < J->end(j); ++place)
      unit[J->row(place)] += std::abs(J->value(place)) * weights_.values()[j];
  int equation = 0;
  for (int i = 0; i < system_.equations(); ++i)
    if (!(std::abs(F_[i]) / unit[i] <= std::abs(F_[equation]) / unit[equation])) equation = i;
  return concat(what, ", and ", system_.equation_name(equation), " is off by ", F_[equation]);
}

}  // namespace linkwork
