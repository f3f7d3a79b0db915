#pragma once

#include <linkwork/solvers/simulation/simulation.hpp>

#include <nlohmann/json.hpp>

// Internal: parts of reports of runs, as values.

namespace linkwork {

nlohmann::ordered_json to_json(const SimulationStatistics& statistics);
/// What the counters count whose names don't tell.
nlohmann::ordered_json meaning_of_statistics();
nlohmann::ordered_json to_json(const ConstraintResidual& residual);
nlohmann::ordered_json to_json(const EnergyReport& energy);

/// What write_json writes.
nlohmann::ordered_json report_of_run(Simulation& simulation);

}  // namespace linkwork
