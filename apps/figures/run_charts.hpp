#pragma once

#include "figures/chart.hpp"

#include <linkwork/solvers/simulation/trajectory.hpp>

#include <string>
#include <vector>

namespace linkwork::apps {

/// Observables over the time of a run, those of one unit in one chart; coordinates where the model has no observables.
/// @param curves  which ones, by patterns in which * stands for any text and ? for any character; empty: all
/// @throws ModelError for the reasons of Trajectory::visit
std::vector<Chart> charts_of(const Trajectory& path, const std::vector<std::string>& curves);

}  // namespace linkwork::apps
