#pragma once

// The entry point on the object graph itself, apart from topology.hpp because it needs Boost.Graph.

#include <linkwork/core/model_graph.hpp>
#include <linkwork/topology/topology.hpp>

namespace linkwork {

/// Cost O(E log E) in the number of edges. @throws ModelError if the graph has no body
Topology analyze(const ModelGraph& graph, const TopologyOptions& options = {});

}  // namespace linkwork
