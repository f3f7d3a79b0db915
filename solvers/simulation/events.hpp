#pragma once

#include <linkwork/core/equations_of_motion.hpp>

#include <functional>
#include <string>

namespace linkwork {

/// A zero of a function along the solution (MEXX 2.16).
///
/// Where zeros are found: anywhere in time, several in one step too. In every step the function is looked at along the
/// dense output, at as many places as it takes to know its course (see sign_search.hpp): those of the degree of
/// the motion, more where it bends, kinks or jumps near zero, one where it goes on as before far from zero. So a
/// function that crosses zero and comes back is found, unless it does so within a small part of a step (less than the
/// distance of the places, about a tenth) without a sign of it elsewhere; give a smaller maximum_step where a function
/// is that much quicker than the motion. A zero that is only touched may be missed. The zero is then located, to
/// rounding, on states that are as good as accepted ones, which is what the function, observers and effects see there.
///
/// What counts as a zero. A value no larger than `residual_threshold` has no sign; nor has one that is rounding of the
/// function. A function without a sign (at the start, after a restart at its own zero) has no event until it has left
/// zero. A value that is exactly zero where it is looked at is an event there, once. Where steps end behind a zero, but
/// within the threshold, the event is known only when the function has left it: one that is reported has the time of
/// the zero, one that stops or changes the motion acts where the next step begins. A restart by another event changes
/// nothing in that. A function that jumps across zero by an effect has no event.
///
/// Zeros of one step are treated in the order of time; zeros closer than 1e-9 of the step are one instant.
///
/// Impacts, and where they end. An effect that changes velocities is written in no formulation's coordinates:
/// linkwork::collide and apply_impulse (solvers/impulses.hpp). An event makes impacts, but no contact that carries:
/// bounces that become infinitely many, or shorter than a step resolves, end the run with a message. So does an event
/// with a direction whose effect leaves the function at rest at zero (less than a thousandth of its slope) where what
/// acts then takes it to the other side, as gravity takes a ball through a floor that has caught it. One that goes on
/// through zero at a speed is none of that, and an event without a direction keeps nothing on a side. Stop the run
/// there: by an event that stops, or by an observer, which is asked after every effect.
struct Event {
  enum class Direction { any, rising, falling };
  /// report: the run goes on untouched.  stop: it ends at the zero.  change: `effect` is applied and the run restarts.
  enum class Action { report, stop, change };

  std::string name = {};  ///< that of the observable, if left out
  /// Called with the state (t, p, v, r, a, lambda) set; may ask the equations anything.
  std::function<double(const State&, EquationsOfMotion&)> function = {};
  /// In place of a function: the zeros of a named observable, or of what an element tells, "buffer: force".
  std::string observable = {};
  /// Of a function that jumps by it, as an angle does that is known up to full turns; such a jump is no zero. That of
  /// what an element tells is known. 0: none.
  double period = 0;
  Direction direction = Direction::any;
  Action action = Action::report;
  double residual_threshold = 0;  ///< MEXX 4.1b: both values around a sign change must be larger in size; >= 0
  int maximum_count = 10000;      ///< more zeros than this end the run with a message; >= 1
  /// Action::change: alters the state at the zero, v (an impact) and r as a rule; it is then projected and the run
  /// restarts. Sizes must stay.
  std::function<void(State&, EquationsOfMotion&)> effect = {};

  /// "" when usable, else the reason.
  std::string why_invalid() const;
};

}  // namespace linkwork
