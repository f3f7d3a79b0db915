#pragma once

// What a run looks at in its elements before it starts: do their functions fit each other at one point, along one
// direction, and do they keep to their sizes? The conformance kit looks at much more. Not public.

#include <linkwork/core/joint.hpp>
#include <linkwork/core/usage_check.hpp>

#include <string>

namespace linkwork::detail {

/// Rows against the residual, bias against rows; sizes.
/// @param at      positions on or near the constraint; velocities are not read
/// @param length  that makes a turn of 1 rad and a displacement comparable [m]
/// @returns what is wrong, "" if nothing
template <class Space>
std::string false_function(const Constraint<Space>& constraint, const ElementPoint<Space>& at, double length);
/// The explicit side: S, drift and bias against poses, q' against retractions.
/// @param X  pose of the son in the father
template <class Space>
std::string false_motion(const Joint<Space>& joint, Instant time, const Pose<Space>& X, double length);
/// What it writes: wrenches on its own frames, as many numbers as it declares.
template <class Space>
std::string false_function(const ForceElement<Space>& force, const ElementPoint<Space>& at);

}  // namespace linkwork::detail
