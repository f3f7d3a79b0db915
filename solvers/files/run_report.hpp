#pragma once

#include <linkwork/solvers/simulation/simulation.hpp>

#include <iosfwd>
#include <string>

namespace linkwork {

/// Writes what the last run of a simulation was and what it cost, as JSON: methods and tolerances, sizes, statistics
/// with what they count, residuals, energy, invariants, events, remarks, and the observables at the end. Numbers that
/// are not finite are null. The linkwork command writes the same, and what it knows besides.
/// @throws ModelError if the file can't be written
void write_json(Simulation& simulation, const std::string& file);
void write_json(Simulation& simulation, std::ostream& out);

}  // namespace linkwork
