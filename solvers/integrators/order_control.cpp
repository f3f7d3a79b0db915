#include <linkwork/solvers/integrators/order_control.hpp>

#include <algorithm>
#include <cmath>

namespace linkwork {

namespace {
constexpr double step_safety = 0.94;         // (SAFE2)
constexpr double shrink_factor = 0.5;        // after a breakdown
constexpr double expected_error_limit = 20;  // a step goes on while its last line may bring the error below this
constexpr double lines_per_digit = 0.6;      // order of the first step

// For the half-explicit Euler method from a search over the seven-body mechanism, the cable drum and the insulator
// chains at all published tolerances; for the midpoint rule those of ODEX, which extrapolates it too.
constexpr OrderControl::Constants of_half_explicit = {0.65, 0.01, 3.0, 0.7, 1.0};
constexpr OrderControl::Constants of_midpoint = {0.65, 0.02, 4.0, 0.8, 0.9};

/// The step size rounded to six binary digits. Error estimates are known no better than that; and so runs that differ
/// in rounding errors only, by the linear solver or the machine, take the same steps, also where the step size goes up
/// and down at a limit of stability, which magnifies every difference. A finer grid would part them sooner: at 1e-9 the
/// estimates have 1e-4 of rounding errors, and every step may fall on another side of a border.
double on_grid(double step) {
  constexpr double digits = 1 << 6;
  int exponent = 0;
  const double mantissa = std::frexp(step, &exponent);
  return std::ldexp(std::round(digits * mantissa) / digits, exponent);
}

}  // namespace

OrderControl::OrderControl(const StepSequence& sequence, int maximum_lines, double tolerance)
    : sequence_(&sequence), constants_(sequence.power == 1 ? of_half_explicit : of_midpoint), maximum_(maximum_lines) {
  cost_[0] = 1;  // the evaluation after the projection
  for (int line = 1; line <= maximum_; ++line)
    cost_[static_cast<std::size_t>(line)] = cost_[static_cast<std::size_t>(line - 1)] + sequence.evaluations(line);
  const int from_tolerance = static_cast<int>(-std::log10(tolerance + 1e-40) * lines_per_digit + 1.5);
  target_ = std::clamp(from_tolerance, least_lines_, highest_target());
}

void OrderControl::begin(double step, bool tentative) {
  step_ = step;
  tentative_ = tentative;
  largest_error_ = 1e10;
}

OrderControl::Decision OrderControl::judge(int line, double error) {
  const auto at = static_cast<std::size_t>(line);
  if (!std::isfinite(error) || (line > 2 && error >= largest_error_)) {
    allowed_step_[at] = 0;
    return Decision::reject;
  }
  largest_error_ = std::max(4 * error, 1.0);
  previous_error_ = last_error_;
  last_error_ = error;
  last_line_ = line;
  predict(line, error);

  if (line < least_lines_) return Decision::next_line;
  const bool converged = error <= 1;
  if (tentative_ && converged) return Decision::accept;
  if (line < target_ - 1) return Decision::next_line;
  if (converged) return Decision::accept;
  if (line > target_ || line == maximum_) return Decision::reject;
  if (line < target_ && (rejected_ || tentative_)) return Decision::next_line;
  return expected_error(target_ + 1) <= expected_error_limit ? Decision::next_line : Decision::reject;
}

double OrderControl::expected_error(int line) const {
  const double quotient = static_cast<double>(sequence_->steps(1)) / sequence_->steps(last_line_);
  const double by_numbers = std::pow(quotient, sequence_->power);
  const double measured = last_line_ > 2 ? last_error_ / previous_error_ : 1.0;
  return last_error_ * std::pow(std::min(by_numbers, measured), line - last_line_);
}

void OrderControl::predict(int line, double error) {
  const auto at = static_cast<std::size_t>(line);
  const double exponent = 1.0 / error_order(line);
  const double smallest = std::pow(constants_.smallest_factor, exponent);
  const double inverse = std::clamp(std::pow(error / constants_.error_target, exponent) / step_safety, smallest,
                                    constants_.largest_factor / smallest);
  allowed_step_[at] = on_grid(step_ / inverse);
  work_[at] = cost(line) / allowed_step_[at];
}

int OrderControl::best_line_near(int line) const {
  if (line <= target_) {
    int best = line;
    if (work(line - 1) < work(line) * constants_.lower_line_gain) best = std::max(line - 1, least_lines_);
    if (work(line) < work(line - 1) * constants_.higher_line_gain) best = std::min(line + 1, highest_target());
    return best;
  }
  int best = line - 1;
  if (line - 2 >= least_lines_ && work(line - 2) < work(line - 1) * constants_.lower_line_gain) best = line - 2;
  if (work(line) < work(best) * constants_.higher_line_gain) best = std::min(line, highest_target());
  return best;
}

void OrderControl::accept(int line) {
  const int best = best_line_near(line);
  if (rejected_) {
    target_ = std::min(best, line);
    step_ = std::min(step_, step_for(target_));
    rejected_ = false;
    return;
  }
  if (best <= line)
    step_ = step_for(best);
  else if (line < target_ && work(line) < work(line - 1) * constants_.higher_line_gain)
    step_ = step_for(line) * cost(best + 1) / cost(line);
  else
    step_ = step_for(line) * cost(best) / cost(line);
  target_ = best;
}

void OrderControl::reject(int line) {
  rejected_ = true;
  if (step_for(line) <= 0) {
    shrink();
    return;
  }
  for (int higher = line + 1; higher <= target_; ++higher) predict(higher, expected_error(higher));
  const int top = std::min(std::max(target_, line), highest_target());
  int best = std::min(top, std::max(least_lines_, line - 1));
  for (int candidate = best + 1; candidate <= top; ++candidate)
    if (work(candidate) < work(best)) best = candidate;
  target_ = best;
  step_ = step_for(best);
}

void OrderControl::shrink() {
  step_ *= shrink_factor;
  rejected_ = true;
}

}  // namespace linkwork
