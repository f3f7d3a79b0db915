#pragma once

// Internal.

#include <linkwork/topology/topology.hpp>

namespace linkwork {

/// The measures of a topology whose nodes, elements and cuts are known. O(n log n).
Topology::Measures measure_tree(const Topology& topology, bool joint_tree);

}  // namespace linkwork
