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
  Level level =
      Level::holonomic;  ///< of the constraint: the value is one of positions, of velocities or of accelerations

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

/// "u from 0 to 1" where no rate leads from the value at one time to that at another, a bit later; the same of u' where
/// the values go on. "" where both do.
/// @param with_rate  whether u' is looked at
std::string jump_between(const InputValue& before, const InputValue& after, double time_between, bool with_rate = true);

/// A time in (begin, end] at which a prescribed position or its rate jumps, or a prescribed velocity. Looks where the
/// values at both ends do not follow from the rates there, in ever shorter intervals, by one call of the input for
/// each; by none where they do. A jump there and back within the interval is not seen.
/// @param before, after  the input at `begin` and `end`
std::optional<double> find_jump(const Drive& drive, double begin, double end, const InputValue& before,
                                const InputValue& after);

}  // namespace linkwork
