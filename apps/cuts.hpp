#pragma once

#include <linkwork/topology/topology.hpp>

#include <string>
#include <vector>

namespace linkwork::apps {

/// "fewest-rows" and "shortest-loops".
const std::vector<std::string>& cut_strategy_names();
/// What --cuts takes, for --help.
std::string cuts_help();
/// How loops are cut: a name of the above, or names of joints and constraints with commas between them.
/// @throws ModelError for an empty text
TopologyOptions parse_cuts(const std::string& text);

}  // namespace linkwork::apps
