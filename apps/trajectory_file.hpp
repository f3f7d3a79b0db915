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

/// Writes a run as linkwork::write_trajectory does, with what the command knows of it.
void write_trajectory(std::ostream& out, const RunDescription& description, const Trajectory& trajectory);

/// Reads it back and builds the model's equations anew, for names and observables.
/// @throws ModelError as linkwork::read_trajectory, and for a model that is not among `models`
SavedRun read_trajectory(const std::string& file, const ModelList& models);

}  // namespace linkwork::apps
