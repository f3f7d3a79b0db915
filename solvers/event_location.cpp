#include <linkwork/solvers/event_location.hpp>

#include <linkwork/core/concat.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace linkwork {

namespace {

constexpr double rounding = std::numeric_limits<double>::epsilon();

// Where a function that starts at zero is looked at to see to which side it leaves, as parts of the step. Close to the
// start a smooth function may be lost in rounding, so the first place is used only after an effect, which as a rule
// leaves the function with a slope; without it a short flight between two impacts would be stepped over.
constexpr double close_departure = 1e-6;
constexpr double departure = 1e-3;
// A value counts as departed when it is this many times what rounding left, or may leave, at the zero.
constexpr double departed = 16;

// At a restart a function is still at its zero if it is no larger than this part of its values in the step before.
constexpr double still_zero = 1e-8;

// Restarts whose intervals shrank by this much without a break lead to infinitely many.
constexpr double vanishing_ratio = 1e-6;
constexpr int fewest_shrinkages = 3;  // two zeros may lie close to each other
// Restarts closer than this, relative to the time, make no progress; so many in a row are too many.
constexpr double no_progress = 1e-12;
constexpr int maximum_without_progress = 50;

int sign_of(double x) { return (x > 0) - (x < 0); }

}  // namespace

// --------------------------------------------------------------------------------------------------- zeros

double find_zero(const std::function<double(double)>& function, Bracket bracket, double guess, double& slope,
                 double tolerance) {
  constexpr int maximum_evaluations = 200;  // halving alone needs 60
  const auto is_inside = [&](double t) { return t > bracket.left && t < bracket.right; };
  const double chord = (bracket.f_right - bracket.f_left) / (bracket.right - bracket.left);
  const int sign_left = sign_of(bracket.f_left);
  if (!is_inside(guess)) guess = bracket.left - bracket.f_left / chord;
  if (!is_inside(guess)) guess = 0.5 * (bracket.left + bracket.right);
  if (slope == 0 || !std::isfinite(slope)) slope = chord;

  double t = guess, last_t = 0, last_value = std::numeric_limits<double>::infinity();
  for (int i = 0; i < maximum_evaluations; ++i) {
    const double value = function(t);
    if (value == 0) return t;
    (sign_of(value) == sign_left ? bracket.left : bracket.right) = t;
    if (i > 0) slope = (value - last_value) / (t - last_t);
    double next = t - value / slope;
    const bool converges = is_inside(next) && std::abs(value) <= 0.5 * std::abs(last_value);
    // The value can't be told from zero any more when Newton's step is below the tolerance.
    if (std::abs(next - t) <= tolerance) return std::clamp(next, bracket.left, bracket.right);
    if (!converges) next = 0.5 * (bracket.left + bracket.right);
    if (bracket.right - bracket.left <= tolerance || next == t) return next;
    last_t = t;
    last_value = value;
    t = next;
  }
  return t;
}

double Watch::value(const State& state) const {
  const double result = function_(state);
  if (!std::isfinite(result))
    throw RunError(
        concat("event '", name_, "': its function is ", result, " at t = ", state.t, " s; expected a finite value."),
        state.t);
  return result;
}

void Watch::restart(bool triggered) {
  start_ = triggered ? Start::triggered : Start::unknown;
  if (!triggered) rounding_ = 0;
  sign_ = 0;
}

bool Watch::wanted(int sign_before) const {
  return direction_ == Event::Direction::any || (direction_ == Event::Direction::rising) == (sign_before < 0);
}

/// Values at the points where signs are compared: the ends, the checking points, and shortly after a zero at the
/// beginning the points that show to which side the function leaves it.
void Watch::take_samples(StepInterior& step) {
  const double begin = step.begin().t, length = step.end().t - begin;
  samples_.clear();
  if (start_ == Start::unknown || start_ == Start::triggered) last_value_ = value(step.begin());
  const double still_zero_value = std::max(still_zero * size_, departed * rounding_);
  if (start_ == Start::triggered && std::abs(last_value_) > still_zero_value) start_ = Start::unknown;
  if (start_ == Start::unknown) {
    sign_ = sign(last_value_);
    start_ = sign_ == 0 ? Start::at_zero : Start::known;
  }
  samples_.push_back({begin, last_value_});
  const double end_value = value(step.end());

  const bool leaves = sign_ == 0 && start_ != Start::known && (sign(end_value) != 0 || checking_points_ > 1);
  if (leaves) {
    for (double part : {close_departure, departure}) {
      if (part == close_departure && start_ != Start::triggered) continue;
      const double t = begin + part * length;
      const double at_t = value(step.interpolated(t));
      if (std::abs(at_t) > departed * std::max(std::abs(last_value_), rounding_)) samples_.push_back({t, at_t});
    }
  }
  for (int k = 1; k < checking_points_; ++k) {
    const double t = begin + length * k / checking_points_;
    if (t > samples_.back().t) samples_.push_back({t, value(step.interpolated(t))});
  }
  samples_.push_back({step.end().t, end_value});
}

void Watch::find_zeros(StepInterior& step, std::vector<double>& zeros) {
  take_samples(step);
  for (std::size_t k = 1; k < samples_.size(); ++k) {
    const Sample& right = samples_[k];
    const int sign_right = sign(right.value);
    if (sign_right == 0) {
      if (threshold_ == 0 && sign_ != 0) {
        if (wanted(sign_)) zeros.push_back(right.t);
        sign_ = 0;
      }
      continue;
    }
    if (sign_ != 0 && sign_right != sign_ && wanted(sign_)) {
      // The nearest point before it on the old side; there is none if the function crossed zero in an earlier step.
      for (std::size_t left = k; left-- > 0;)
        if (sign_of(samples_[left].value) == sign_) {
          zeros.push_back(locate(step, samples_[left], right));
          break;
        }
    }
    sign_ = sign_right;
  }
  last_value_ = samples_.back().value;
  size_ = 0;
  for (const Sample& sample : samples_) size_ = std::max(size_, std::abs(sample.value));
  start_ = sign_ == 0 ? Start::at_zero : Start::known;
}

/// First on the dense output itself, then from there on settled states, where the slope is known already: the run goes
/// on from one.
double Watch::locate(StepInterior& step, const Sample& left, const Sample& right) {
  const Bracket bracket{left.t, right.t, left.value, right.value};
  const double tolerance = 4 * rounding * std::max({std::abs(left.t), std::abs(right.t), right.t - left.t});
  rounding_ = std::abs((right.value - left.value) / (right.t - left.t)) * tolerance;
  double slope = 0;
  const double nearby = find_zero([&](double t) { return value(step.interpolated(t)); }, bracket,
                                  std::numeric_limits<double>::quiet_NaN(), slope, tolerance);
  const double zero = find_zero([&](double t) { return value(step.settled(t)); }, bracket, nearby, slope, tolerance);
  rounding_ = std::max(rounding_, std::abs(value(step.settled(zero))));
  return zero;
}

// ------------------------------------------------------------------------------------------------- restarts

std::string RestartMonitor::note(double t) {
  if (first_) {
    first_ = false;
    last_time_ = t;
    return "";
  }
  const double interval = t - last_time_;
  const bool shrinks = interval < last_interval_;
  shrunk_ = shrinks ? shrunk_ + 1 : 0;
  if (!shrinks) first_interval_ = interval;
  last_time_ = t;
  last_interval_ = interval;
  if (shrunk_ >= fewest_shrinkages && interval < vanishing_ratio * first_interval_)
    return concat("the times between its zeros shrink towards nothing (from ", first_interval_, " s to ", interval,
                  " s): infinitely many would follow; stop the run there, or let the effect end the motion");
  without_progress_ = interval <= no_progress * std::abs(t) ? without_progress_ + 1 : 0;
  if (without_progress_ >= maximum_without_progress)
    return concat(without_progress_,
                  " of its zeros followed each other without progress in time; the effect does not "
                  "lead away from the zero");
  return "";
}

}  // namespace linkwork
