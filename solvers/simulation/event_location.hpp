#pragma once

#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/simulation/events.hpp>
#include <linkwork/solvers/simulation/sign_search.hpp>
#include <linkwork/solvers/simulation/step_interior.hpp>

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace linkwork {

/// An interval at whose ends a function has values of opposite sign.
struct Bracket {
  double left = 0, right = 0, f_left = 0, f_right = 0;
};

/// A zero inside a bracket: damped Newton iteration with the slope through the last two points. Where a step would
/// leave the bracket, or the last one did not halve the value, the bracket is halved instead; so the zero is never
/// lost.
/// @param guess      first point; one outside of the bracket is replaced by the zero of the chord
/// @param slope      of the function at the guess, renewed from the second point on; on return the last one used
/// @param tolerance  on the result, > 0
double find_zero(const std::function<double(double)>& function, Bracket bracket, double guess, double& slope,
                 double tolerance);

/// The nearest change of sign to a guess within limits at which the function should have opposite signs; none where it
/// has not. A guess that is a zero is a bracket of no length.
/// @param slope  of the function, roughly
std::optional<Bracket> widen(const std::function<double(double)>& function, double guess, const Bracket& limits,
                             double slope, double tolerance);

/// How one function is watched.
struct WatchOptions {
  Event::Direction direction = Event::Direction::any;
  double threshold = 0;     ///< values up to it have no sign
  double period = 0;        ///< the function may jump by it, which is no zero; 0: none
  bool ends_step = false;   ///< its first zero in a step is the last
  bool has_effect = false;  ///< where that ends the motion, the function has to stay on the side that it came from
};

/// A zero of a function, found on a step.
struct FoundZero {
  double t = 0;  ///< of the step, where it is treated
  /// The zero itself: before the step, perhaps by many steps, where these ended with values beyond zero that had no
  /// sign yet.
  double exact = 0;
};

/// Watches the sign of one function from step to step and finds its zeros.
class Watch {
 public:
  /// Value at a state; not finite is refused with the name.
  using Function = std::function<double(const State&)>;
  Watch(std::string name, Function function, const WatchOptions& options)
      : name_(std::move(name)),
        function_(std::move(function)),
        direction_(options.direction),
        threshold_(options.threshold),
        period_(options.period),
        ends_step_(options.ends_step),
        has_effect_(options.has_effect) {}

  const std::string& name() const { return name_; }
  /// The motion begins anew at t, inside of the last step or at its end. At a `triggered` restart the function is taken
  /// to be zero, whatever rounding left of it, unless the effect changed it. Else it has the sign of its new value, and
  /// as long as that is too small to have one, the sign that it had at t.
  void restart(bool triggered, double t);
  /// Adds the zeros in the last step to `zeros`, ascending, with the right direction only.
  /// Failure: the step leads through zero against what an effect has left of the motion.
  Outcome find_zeros(StepInterior& step, std::vector<FoundZero>& zeros);

 private:
  double value(const State& state) const;
  int sign_at(double t) const;
  int sign(double value) const { return value > threshold_ ? 1 : (value < -threshold_ ? -1 : 0); }
  bool wanted(int sign_before) const;
  double begin(StepInterior& step);
  void begin_with_sign(double t);
  Outcome depart(int side);
  double slope_at_begin(StepInterior& step);
  void pass(StepInterior& step, const Sample& sample, int sign_here, std::vector<FoundZero>& zeros);
  bool jumps(StepInterior& step, double zero) const;
  void keep_undecided_zero(StepInterior& step, const Sample& end);
  double first_zero(StepInterior& step, double before, double zero);
  std::optional<double> locate(StepInterior& step, const Sample& left, const Sample& right);

  std::string name_;
  Function function_;
  Event::Direction direction_;
  double threshold_, period_;
  bool ends_step_, has_effect_;

  enum class Start { unknown, at_zero, triggered, known } start_ = Start::unknown;
  int sign_ = 0;                     // of the last value that had one
  double last_value_ = 0;            // at the end of the last step, where start_ is not unknown
  double rounding_ = 0;              // of the function at the last zero, by that of the time
  double zero_size_ = 0;             // what the function may be off its zero where it starts at one
  double slope_ = 0;                 // at the last zero
  bool is_launched_ = false;         // an effect was applied at its zero, which it has not left
  double launch_slope_ = 0;          // after the effect
  std::optional<double> undecided_;  // a zero behind which no value has had a sign yet
  struct Side {
    double since = 0;
    int sign = 0;
  };
  std::vector<Side> sides_;   // in this step
  Sample on_side_, agreed_;   // in this step: the last one with the sign, the last one that states agree with
  std::vector<Sample> past_;  // beginnings of the last steps since a restart
  SignSearch search_;
};

/// Recognises infinitely many restarts in a finite time.
class RestartMonitor {
 public:
  /// Notes a restart at t. Returns "" or why the run can't go on: intervals that shrink without end (a bouncing ball
  /// that comes to rest), or many restarts without progress in time. One short interval is no sign of either.
  /// @param is_switch  of an element, not an event of the user
  std::string note(double t, bool is_switch);

 private:
  bool first_ = true;
  double last_time_ = 0, last_interval_ = 0, first_interval_ = 0;
  int shrunk_ = 0, without_progress_ = 0;  // in a row
};

}  // namespace linkwork
