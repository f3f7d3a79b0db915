#pragma once

#include <linkwork/solvers/simulation/output.hpp>
#include <linkwork/solvers/simulation/trajectory.hpp>

#include <optional>

// Internal: when pictures look at a run.

namespace linkwork {

constexpr double most_frames = 1e6;  ///< of a rate that is given

/// Frames from the begin of a run to its end, which is always one.
/// @param function  that asks, for messages
/// @param rate      frames per second [Hz]; none: 30, but 300 to 3000 over the run
/// @throws ModelError for a rate that makes no sense
OutputPoints frame_times(const char* function, const Trajectory& path, std::optional<double> rate);

}  // namespace linkwork
