#pragma once

#include "figures/chart.hpp"

#include <linkwork/solvers/simulation/trajectory.hpp>

#include <string>
#include <vector>

namespace linkwork::apps {

/// Quantities over the time of a run, those of one kind and unit in one chart.
/// @param curves  which ones, by patterns in which * stands for any text and ? for any character; empty: the
///                observables, or where there are none coordinates
/// @throws ModelError for a pattern that nothing fits, and for the reasons of Trajectory::visit
std::vector<Chart> charts_of(const Trajectory& path, const std::vector<std::string>& curves);

}  // namespace linkwork::apps
