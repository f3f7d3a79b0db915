#pragma once

#include "run_description.hpp"

#include <linkwork/solvers/simulation/trajectory.hpp>

#include <ostream>
#include <string>

namespace linkwork::apps {

struct SavedRun {
  RunDescription description;
  Trajectory trajectory;
};

/// Writes a run as CBOR (RFC 8949) between a line that names the format and a checksum. Numbers are kept exactly, so
/// that sampling it later gives the numbers that the run itself would have given.
void write_trajectory(std::ostream& out, const RunDescription& description, const Trajectory& trajectory);

/// Reads it back and builds the model's equations anew, for names and observables.
/// @throws ModelError if the file can't be read, is no such file, was written in another version of the format or
/// damaged in any bit, and for a model that is not among `models`
SavedRun read_trajectory(const std::string& file, const ModelList& models);

}  // namespace linkwork::apps
