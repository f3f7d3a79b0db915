#pragma once

// Internal: do the rates that inputs declare belong to their values?

#include <linkwork/core/input.hpp>

#include <string>

namespace linkwork {

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
std::string jump_between(const InputValue& before, const InputValue& after, double time_between);

}  // namespace linkwork
