#include <linkwork/solvers/simulation/event_location.hpp>

#include <linkwork/core/concat.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace linkwork {

namespace {

constexpr double rounding_of_times = std::numeric_limits<double>::epsilon();

// A value counts as departed when it is this many times what rounding left, or may leave, at the zero.
constexpr double departed = 16;

// An effect that leaves less of the function's slope than this has ended its motion.
constexpr double ended_motion = 1e-3;

// The end of what events can do.
constexpr const char* resting_advice =
    "an event makes impacts, but no contact that carries: stop the run there, by an observer that returns false or an "
    "event that stops, and go on with a model that has a joint or a stiff spring in its place";

constexpr const char* smoothing_advice = "; smooth the law of this element, or let its switches lie further apart";

// At a restart a function is still at its zero if it is no larger than this part of its values in the step before.
constexpr double still_zero = 1e-8;

// Restarts whose intervals shrank by this much without a break lead to infinitely many.
constexpr double vanishing_ratio = 1e-6;
constexpr int fewest_shrinkages = 3;  // two zeros may lie close to each other
// Restarts closer than this, relative to the time, make no progress; so many in a row are too many.
constexpr double no_progress = 1e-12;
constexpr int maximum_without_progress = 50;

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

std::optional<Bracket> widen(const std::function<double(double)>& function, double guess, const Bracket& limits,
                             double slope, double tolerance) {
  const double value = function(guess);
  if (value == 0) return Bracket{guess, guess, 0, 0};
  const bool is_before = sign_of(value) == sign_of(limits.f_left);
  const double limit = is_before ? limits.right : limits.left;
  double step = std::max(2 * std::abs(value / slope), 2 * tolerance);
  for (double last = guess, last_value = value; last != limit; step *= 4) {
    const double t = is_before ? std::min(last + step, limit) : std::max(last - step, limit);
    const double at_t = function(t);
    if (at_t == 0) return Bracket{t, t, 0, 0};
    if (sign_of(at_t) != sign_of(value))
      return is_before ? Bracket{last, t, last_value, at_t} : Bracket{t, last, at_t, last_value};
    last = t;
    last_value = at_t;
  }
  return {};
}

double Watch::value(const State& state) const {
  const double result = function_(state);
  if (!std::isfinite(result))
    throw RunError(
        concat("event '", name_, "': its function is ", result, " at t = ", state.t, " s; expected a finite value."),
        state.t);
  return result;
}

void Watch::restart(bool triggered, double t) {
  const bool is_at_zero = triggered || is_launched_;
  start_ = is_at_zero ? Start::triggered : Start::unknown;
  if (!is_at_zero) rounding_ = 0;
  is_launched_ = is_at_zero && has_effect_;
  sign_ = is_at_zero ? 0 : sign_at(t);
  if (is_at_zero || (undecided_ && *undecided_ > t)) undecided_.reset();
  past_.clear();
}

/// At a time of the last step.
int Watch::sign_at(double t) const {
  int sign = 0;
  for (const Side& side : sides_)
    if (side.since <= t) sign = side.sign;
  return sign;
}

bool Watch::wanted(int sign_before) const {
  return direction_ == Event::Direction::any || (direction_ == Event::Direction::rising) == (sign_before < 0);
}

/// Whether the function starts at a zero, and within what size it is one.
double Watch::begin(StepInterior& step) {
  const bool begins = start_ == Start::triggered || start_ == Start::unknown;
  if (begins) last_value_ = value(step.begin());
  const double still_zero_value = std::max(still_zero * search_.size(), departed * rounding_);
  if (start_ == Start::triggered && std::abs(last_value_) > still_zero_value) start_ = Start::unknown;
  if (start_ == Start::unknown) {
    begin_with_sign(step.dense(true).t_begin);
    start_ = sign_ == 0 ? Start::at_zero : Start::known;
    is_launched_ = is_launched_ && sign_ == 0;
  }
  if (begins && is_launched_) launch_slope_ = slope_at_begin(step);
  if (sign_ != 0 || start_ == Start::known) return 0;
  // Of the start alone: values of later steps grow with the function, and would never be told from zero.
  if (begins)
    zero_size_ = departed * (start_ == Start::triggered ? std::max(std::abs(last_value_), rounding_) : rounding_);
  return zero_size_;
}

/// A value that is too small to have a sign leaves the function on the side that it was on; a zero behind which it lies
/// is decided by later values.
void Watch::begin_with_sign(double t) {
  const int here = sign(last_value_);
  const bool is_behind_zero = sign_ != 0 && sign_of(last_value_) == -sign_ && wanted(sign_);
  if (here == 0 && is_behind_zero && !undecided_) undecided_ = t;
  if (here == 0 || (is_behind_zero && undecided_)) return;
  sign_ = here;
  undecided_.reset();
}

Outcome Watch::find_zeros(StepInterior& step, std::vector<FoundZero>& zeros) {
  const double zero = begin(step);
  const DensePolynomial& dense = step.dense(true);
  const int degree = std::max(dense.differential_degree(), dense.algebraic_degree());
  const Sample left{dense.t_begin, last_value_}, right{dense.t_end, value(step.end())};
  on_side_ = agreed_ = left;
  sides_.assign(1, {left.t, sign_});
  bool ends_without_sign = false;
  Outcome outcome;
  const auto visit = [&](const Sample& sample, bool is_noise) {
    const bool is_zero = is_noise || (sign_ == 0 && std::abs(sample.value) <= zero);
    const int sign_here = is_zero ? 0 : sign(sample.value);
    ends_without_sign = sign_here == 0;
    if (sign_ == 0 && sign_here != 0) outcome = depart(sign_here);
    if (!outcome) return false;
    const std::size_t known = zeros.size();
    pass(step, sample, sign_here, zeros);
    return !(ends_step_ && zeros.size() > known);
  };
  search_.search([&](double t) { return value(step.interpolated(t)); }, left, right, past_, degree, zero, visit);
  if (ends_without_sign && !(ends_step_ && !zeros.empty())) keep_undecided_zero(step, right);
  past_.push_back(left);
  if (past_.size() > longest_past) past_.erase(past_.begin());
  last_value_ = right.value;
  start_ = sign_ == 0 ? Start::at_zero : Start::known;
  return outcome;
}

/// The function leaves a zero where an effect was applied. The dense output has to show the way that the effect gave
/// it; and where the effect has ended its motion, it must not go to the side that the event keeps it from.
Outcome Watch::depart(int side) {
  if (!is_launched_) return {};
  is_launched_ = false;
  const bool moves = std::abs(launch_slope_) > ended_motion * std::abs(slope_);
  if (moves && sign_of(launch_slope_) != side)
    return Outcome::failure(
        concat("its effect leads away from zero, but for less than a step resolves; give a smaller tolerance or "
               "first_step; where this is the end of bounces, ",
               resting_advice));
  const bool is_allowed =
      direction_ == Event::Direction::any || side == (direction_ == Event::Direction::falling ? 1 : -1);
  if (moves || is_allowed) return {};
  return Outcome::failure(
      concat("its effect leaves the function at rest at zero, and what acts then takes it to the side that direction `",
             direction_ == Event::Direction::falling ? "falling" : "rising", "` keeps it from; ", resting_advice));
}

/// How fast the function goes on from a zero, by the velocities and accelerations there.
double Watch::slope_at_begin(StepInterior& step) {
  constexpr double little = 1e-7;  // of the time in which the function was as far from zero as before
  const DensePolynomial& dense = step.dense(true);
  const double scale = search_.size() / std::abs(slope_), length = dense.t_end - dense.t_begin;
  const double dt = little * (scale > 0 && std::isfinite(scale) ? scale : length);
  return (value(step.shortly_after_begin(dt)) - last_value_) / dt;
}

/// The step ends at zero or beyond, by a value that is too small to have a sign: whether the function goes on that way
/// is seen in later steps, where its zero was is seen here.
void Watch::keep_undecided_zero(StepInterior& step, const Sample& end) {
  if (sign_ == 0 || !wanted(sign_) || sign_of(end.value) == sign_ || sign_of(on_side_.value) != sign_) return;
  const double rounding = rounding_, slope = slope_;
  undecided_ = locate(step, on_side_, end);
  rounding_ = rounding;
  slope_ = slope;
}

/// One sample more, of steps in the order of time.
void Watch::pass(StepInterior& step, const Sample& sample, int sign_here, std::vector<FoundZero>& zeros) {
  if (sign_here == 0) {
    const double noise = search_.noise();
    if (threshold_ == 0 && sample.value == 0 && sign_ != 0 && std::abs(on_side_.value) > noise) {
      agreed_ = {first_zero(step, on_side_.t, sample.t), 0};
      slope_ = on_side_.value / (on_side_.t - agreed_.t);
      if (wanted(sign_)) zeros.push_back({agreed_.t, agreed_.t});
      sign_ = 0;
      zero_size_ = 0;
      sides_.push_back({agreed_.t, 0});
    } else if (sign_of(sample.value) == sign_ && std::abs(sample.value) > noise) {
      on_side_ = sample;
    }
    return;
  }
  const bool crosses = sign_ != 0 && sign_here != sign_ && wanted(sign_);
  double since = sample.t;
  if (crosses && sign_of(on_side_.value) == sign_) {
    const std::optional<double> zero = locate(step, on_side_, sample);
    if (!zero) return;  // the dense output has one, the states have none
    if (!jumps(step, *zero)) zeros.push_back({*zero, *zero});
    agreed_ = {*zero, 0};
    since = *zero;
  } else if (crosses && undecided_) {
    const double begin = step.dense(true).t_begin, length = sample.t - begin;
    const double t = std::min(begin + 4 * rounding_of_times * std::max(std::abs(begin), length), sample.t);
    slope_ = (sample.value - on_side_.value) / (sample.t - on_side_.t);
    zeros.push_back({t, *undecided_});
    agreed_ = {t, 0};
    since = t;
  }
  undecided_.reset();
  if (sign_here != sign_) sides_.push_back({since, sign_here});
  sign_ = sign_here;
  on_side_ = sample;
}

/// Whether a change of sign is a jump by the period: half of it lies on either side.
bool Watch::jumps(StepInterior& step, double zero) const {
  return period_ > 0 && std::abs(value(step.projected(zero))) > 0.25 * period_;
}

/// Of a function that is exactly zero at a sample, and may have been so for a while, as what is cut off at zero.
double Watch::first_zero(StepInterior& step, double before, double zero) {
  constexpr double while_before = 1e-6;
  const auto is_zero = [&](double t) { return value(step.projected(t)) == 0; };
  const double tolerance = 4 * rounding_of_times * std::max(std::abs(zero), zero - before);
  const double last = zero - while_before * (zero - before);
  if (!is_zero(last)) return zero;
  for (zero = last; zero - before > tolerance;) {
    const double middle = 0.5 * (before + zero);
    (is_zero(middle) ? zero : before) = middle;
  }
  return zero;
}

/// First on the dense output itself, then from there on projected states, where the slope is known already: the run
/// goes on from one. There the zero may lie beyond the samples, by the error of the dense output, or not exist.
std::optional<double> Watch::locate(StepInterior& step, const Sample& left, const Sample& right) {
  const double tolerance = 4 * rounding_of_times * std::max({std::abs(left.t), std::abs(right.t), right.t - left.t});
  rounding_ = std::abs((right.value - left.value) / (right.t - left.t)) * tolerance;
  double slope = 0;
  const double nearby =
      find_zero([&](double t) { return value(step.interpolated(t)); }, {left.t, right.t, left.value, right.value},
                std::numeric_limits<double>::quiet_NaN(), slope, tolerance);
  const double end = step.dense(true).t_end;
  const auto agreed = [&](double t) { return t < end ? value(step.projected(t)) : value(step.end()); };
  const std::optional<Bracket> bracket =
      widen(agreed, nearby, {agreed_.t, right.t, left.value, right.value}, slope, tolerance);
  if (!bracket) return {};
  const double zero = bracket->left == bracket->right
                          ? bracket->left
                          : find_zero(agreed, *bracket, std::numeric_limits<double>::quiet_NaN(), slope, tolerance);
  rounding_ = std::max(rounding_, std::abs(agreed(zero)));
  slope_ = slope;
  return zero;
}

// ------------------------------------------------------------------------------------------------- restarts

std::string RestartMonitor::note(double t, bool is_switch) {
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
                  " s): infinitely many would follow",
                  is_switch ? smoothing_advice : concat(", and what bounces comes to rest; ", resting_advice));
  without_progress_ = interval <= no_progress * std::abs(t) ? without_progress_ + 1 : 0;
  if (without_progress_ >= maximum_without_progress)
    return concat(without_progress_, " of its zeros followed each other without progress in time",
                  is_switch ? smoothing_advice : "; the effect does not lead away from the zero");
  return "";
}

}  // namespace linkwork
