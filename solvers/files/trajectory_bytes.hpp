#pragma once

#include <linkwork/solvers/simulation/trajectory.hpp>

#include <iosfwd>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

// Internal: the format of files of trajectories, whatever is said of their runs beside the numbers.

namespace linkwork {

/// What such a file holds.
struct TrajectoryBytes {
  nlohmann::ordered_json description;
  std::vector<TrajectorySegment> segments;
  std::vector<EventRecord> events;
  std::vector<StepAttempt> attempts;

  /// Whether w and s were unknowns of the integrator.
  bool carries_unknowns() const;
};

/// CBOR (RFC 8949) between a line that names the format and a checksum. Numbers are kept exactly, so that sampling it
/// later gives the numbers that the run itself would have given.
void write_trajectory_bytes(const Trajectory& path, const nlohmann::ordered_json& description, std::ostream& out);
/// @throws ModelError if the file can't be read, is no such file, was written in another version of the format or
/// damaged in any bit
TrajectoryBytes read_trajectory_bytes(const std::string& file);
/// Of a file that is whole, by its checksum.
[[noreturn]] void refuse_content(const std::string& file, const std::string& why);

}  // namespace linkwork
