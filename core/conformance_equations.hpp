#pragma once

#include <linkwork/core/state.hpp>

#include <string>

namespace linkwork {

class EquationsOfMotion;

namespace conformance {

/// check_equations at one state, along one direction: what a run does before it starts. The point is the state
/// afterwards. Not public.
/// @returns what does not hold, "" if nothing
std::string first_fault(EquationsOfMotion& equations, const State& at);

}  // namespace conformance
}  // namespace linkwork
