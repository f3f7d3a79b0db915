#pragma once

#include "reproduce/newton_study.hpp"

#include <ostream>
#include <vector>

namespace linkwork::apps {

/// The models of the correctors' whole runs, in joint coordinates.
const std::vector<NewtonCase>& whole_run_cases();

/// Whole runs by each corrector beside those of simplified Newton, as comma-separated values: by bdf with partitioned
/// updates and with a differenced Jacobian for every matrix, and by radau. Work is counted as CorrectorCosts says, by
/// bdf only; errors are those at the end, against radau at a thousandth of the tolerance, and those of single runs
/// scatter by some times with rounding. What does not get to the end has empty fields.
void write_whole_runs(std::ostream& out, const std::vector<NewtonCase>& cases);

}  // namespace linkwork::apps
