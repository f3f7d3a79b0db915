#pragma once

#include <linkwork/core/equations_of_motion.hpp>

#include <functional>
#include <string>

namespace linkwork {

/// A zero of a function along the solution (MEXX 2.16).
///
/// What counts as a zero. Signs are compared at the ends of every step and at the checking points inside it. A value no
/// larger than `residual_threshold` has no sign. A function without a sign (at the start, after a restart at its own
/// zero) has no event until it has left zero. A value that is exactly zero at a checking point is an event there, once.
/// A function that rests within its threshold over the end of a step, and leaves it on the other side, has no event;
/// neither has one that jumps across zero by another event's effect.
///
/// Zeros of one step are treated in the order of time; zeros closer than 1e-9 of the step are one instant.
struct Event {
  enum class Direction { any, rising, falling };
  /// report: the run goes on untouched.  stop: it ends at the zero.  change: `effect` is applied and the run restarts.
  enum class Action { report, stop, change };

  std::string name = {};  ///< that of the observable, if left out
  /// Called with the state (t, p, v, r, a, lambda) set; may ask the equations anything.
  std::function<double(const State&, EquationsOfMotion&)> function = {};
  /// In place of a function: the zeros of a named observable.
  std::string observable = {};
  Direction direction = Direction::any;
  Action action = Action::report;
  double residual_threshold = 0;  ///< MEXX 4.1b: both values around a sign change must be larger in size; >= 0
  int checking_points = 1;        ///< subintervals of a step in which signs are compared; >= 1
  int maximum_count = 10000;      ///< more zeros than this end the run with a message; >= 1
  /// Action::change: alters v (and r) at the zero, an impact; the state is then projected and the run restarts.
  std::function<void(State&, EquationsOfMotion&)> effect = {};

  /// "" when usable, else the reason.
  std::string why_invalid() const;
};

}  // namespace linkwork
