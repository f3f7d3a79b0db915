#pragma once

// Internal: prescribed motions. Do the rates that they declare belong to their values, and do they jump?

#include <linkwork/core/constraint.hpp>
#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/core/input.hpp>

#include <optional>
#include <string>
#include <vector>

namespace linkwork {

/// A motion that a constraint prescribes.
struct Drive {
  std::string name, type;  ///< of the constraint
  Input input;
  int number = 0;  ///< of the input, as EquationsOfMotion counts them
  /// Of the constraint: u is a position where it is holonomic, an acceleration of a servo constraint, else a velocity.
  Level level = Level::holonomic;

  bool asks_acceleration() const { return level == Level::holonomic; }
};

/// Those of a graph's constraints, in their order; none of other equations.
std::vector<Drive> drives_of(const EquationsOfMotion& equations);

/// Compares what an input's value does from a time on, over intervals of 1e-2 s down to 1e-9 s, with the integral of
/// the declared rate, and the rate with that of the acceleration. What is false shows in all intervals; a kink, a jump
/// or a fast motion in the long ones only. Where nothing moves at first, or the function can't be evaluated, nothing is
/// found.
/// @param tolerance          relative to the change
/// @param with_acceleration  whether anybody asks for the acceleration
/// @return "" or a clause such as "the declared rate is not the derivative of the value: ..."
std::string false_rates(const Input& input, double time, double tolerance, bool with_acceleration);

/// Changes of u and of u' that are too small to count as jumps, in their units.
struct JumpLimits {
  double value = 0, rate = 0;
};

/// "u from 0 to 1" where no rate leads from the value at one time to that at another, a bit later; the same of u' where
/// the values go on. "" where both do.
/// @param with_rate  whether u' is looked at
std::string jump_between(const InputValue& before, const InputValue& after, double time_between, bool with_rate = true,
                         const JumpLimits& limits = {});

/// Times nearer to each other than this are not told apart where a drive jumps: 1e-9 s, or some roundings of the time.
double width_of_jumps(double t);

/// A time in (begin, end], to width_of_jumps, at which a prescribed position or its rate jumps, or a prescribed
/// velocity; nobody asks whether accelerations do. Looks where the values at both ends of an interval do not follow
/// from the rates there, and halves it: no call of the input where they do. Not found are a jump there and back between
/// two calls, one that is no larger than what the rate makes in 1e-7 s, and one in a drive that is so much faster than
/// the interval that 1,000 calls don't show it.
/// @param before, after  the input at `begin` and `end`
std::optional<double> find_jump(const Drive& drive, double begin, double end, const InputValue& before,
                                const InputValue& after, const JumpLimits& limits);

}  // namespace linkwork
