#pragma once

#include <linkwork/solvers/events.hpp>
#include <linkwork/solvers/step_interior.hpp>

#include <functional>
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

/// Watches the sign of one function from step to step and finds its zeros.
class Watch {
 public:
  /// Value at a state; not finite is refused with the name.
  using Function = std::function<double(const State&)>;
  Watch(std::string name, Function function, Event::Direction direction, double threshold, int checking_points)
      : name_(std::move(name)),
        function_(std::move(function)),
        direction_(direction),
        threshold_(threshold),
        checking_points_(checking_points) {}

  const std::string& name() const { return name_; }
  /// Forgets the sign. At a `triggered` restart the function is taken to be zero, whatever rounding left of it, unless
  /// the effect changed it.
  void restart(bool triggered);
  /// Adds the times of the zeros in the last step to `zeros`, ascending, with the right direction only.
  void find_zeros(StepInterior& step, std::vector<double>& zeros);

 private:
  struct Sample {
    double t, value;
  };
  double value(const State& state) const;
  int sign(double value) const { return value > threshold_ ? 1 : (value < -threshold_ ? -1 : 0); }
  bool wanted(int sign_before) const;
  void take_samples(StepInterior& step);
  double locate(StepInterior& step, const Sample& left, const Sample& right);

  std::string name_;
  Function function_;
  Event::Direction direction_;
  double threshold_;
  int checking_points_;

  enum class Start { unknown, at_zero, triggered, known } start_ = Start::unknown;
  int sign_ = 0;           // of the last value that had one
  double last_value_ = 0;  // at the end of the last step, where start_ is not unknown
  double size_ = 0;        // largest value in the last step
  double rounding_ = 0;    // of the function at the last zero, by that of the time
  std::vector<Sample> samples_;
};

/// Recognises infinitely many restarts in a finite time.
class RestartMonitor {
 public:
  /// Notes a restart at t. Returns "" or why the run can't go on: intervals that shrink without end (a bouncing ball
  /// that comes to rest), or many restarts without progress in time. One short interval is no sign of either.
  std::string note(double t);

 private:
  bool first_ = true;
  double last_time_ = 0, last_interval_ = 0, first_interval_ = 0;
  int shrunk_ = 0, without_progress_ = 0;  // in a row
};

}  // namespace linkwork
