#pragma once

#include <nlohmann/json_fwd.hpp>

// Internal: forces and torques, as pages draw them.

namespace linkwork {

class ForceArrows;

/// Those that show more than noise.
nlohmann::json describe_forces(const ForceArrows& forces);
/// @param length  of the mechanism [m]; where a joint transmits no torque, its reaction has one by rounding, of a
///                millionth of the usual force at that arm
nlohmann::json describe_torques(const ForceArrows& forces, double length);

}  // namespace linkwork
