#pragma once

#include <linkwork/core/equations_of_motion.hpp>

namespace linkwork {

/// Can the forces of servo constraints move the mechanism as they ask, at the current point? Where [M, G^T - F; G, 0]
/// is singular in a servo's row, no multiplier moves what it prescribes: its forces do not reach that motion, joints
/// hold it, or another servo asks the same. What a run does before it starts; nothing without servos. Dense.
/// @throws ModelError that names the servos
void check_servos(EquationsOfMotion& equations);

}  // namespace linkwork
