#pragma once

// Internal: the choice of the spanning tree. Needs Boost.Graph.

#include <linkwork/core/model_graph.hpp>
#include <linkwork/topology/topology.hpp>

#include <vector>

namespace linkwork {

/// Number of the component of each vertex, with the edges that `accepts`; the ground's is 0.
std::vector<int> component_of_vertices(const ModelGraph& graph, bool (*accepts)(const GraphEdge&));

/// A forest: the ground and the first bodies of what tree edges can't connect to it, and the tree edges.
struct SpanningTree {
  std::vector<int> roots;     ///< vertices
  std::vector<char> in_tree;  ///< by element: joints and constraints
};

/// Leaves as tree candidates only the joints that can lead to a body in joint coordinates, and says of the others why.
template <class Space>
void keep_joint_candidates(const ModelData<Space>& data, ModelGraph& graph);

extern template void keep_joint_candidates(const ModelData<Planar>&, ModelGraph&);
extern template void keep_joint_candidates(const ModelData<Spatial>&, ModelGraph&);

/// Cost O(E log E) in the number of edges; for CutStrategy::shortest_loops see short_loop_tree.
/// @throws ModelError for cuts that are unknown, missing, given for another strategy, or that leave a body without a
/// way to its root
SpanningTree choose_spanning_tree(const ModelGraph& graph, const TopologyOptions& options);

}  // namespace linkwork
