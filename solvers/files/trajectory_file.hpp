#pragma once

#include <linkwork/core/model.hpp>
#include <linkwork/solvers/formulations/formulation.hpp>
#include <linkwork/solvers/simulation/trajectory.hpp>

#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>

namespace linkwork {

/// Writes the continuous solution of a run, so that it can be sampled, drawn and asked later without a new run: CBOR
/// between a line that names the format and a checksum. All numbers are kept exactly.
/// @throws ModelError if the trajectory is empty or the file can't be written
void write_trajectory(const Trajectory& path, const std::string& file);
void write_trajectory(const Trajectory& path, std::ostream& out);

/// Makes the equations that were run.
/// @param formulation  its name
/// @param auxiliary    whether w and s were unknowns of the integrator
using MakeReadEquations =
    std::function<std::unique_ptr<EquationsOfMotion>(const std::string& formulation, AuxiliaryUnknowns auxiliary)>;

/// Reads it back, with the equations of the model that was run made anew.
/// @param topology  that of the run
/// @throws ModelError if the file can't be read, is no such file, was written in another version of the format or
/// damaged in any bit, and for a model, or cuts, with other coordinates than those that were run
template <class Space>
Trajectory read_trajectory(const std::string& file, const Model<Space>& model, const TopologyOptions& topology = {});
/// The same for equations that were posed directly.
Trajectory read_trajectory(const std::string& file, const MakeReadEquations& make);

template <class Space>
Trajectory read_trajectory(const std::string& file, const Model<Space>& model, const TopologyOptions& topology) {
  return read_trajectory(file, [&](const std::string& formulation, AuxiliaryUnknowns auxiliary) {
    return make_equations(model, {formulation_named(formulation), topology, auxiliary, /*rough_placement*/ true});
  });
}

}  // namespace linkwork
