#pragma once

// Internal: spanning trees whose fundamental loops are short.

#include <vector>

namespace linkwork {

/// An edge of an undirected graph.
struct LoopEdge {
  int a = 0, b = 0;     ///< vertices
  int rows = 0;         ///< what is carried around the loop if this edge is cut
  bool is_free = true;  ///< may be in the tree or not; else it is cut
};

/// A spanning tree with a small total of rows times loop length over all cuts: for each edge whether it is in the tree.
///
/// Two trees are made: that of `start`, and one that grows by contraction of stars (each vertex with its neighbours
/// becomes one vertex, and so on), whose loops are local. The one with the smaller total is improved: a cut takes the
/// place of a tree edge on its loop while the total falls. All loops through that edge are then added to it modulo 2.
/// Cost: near linear where the loops of the better tree are of bounded length and number at each edge; else the
/// improvement stops when a fixed budget of work is spent. The result depends on nothing but the arguments.
///
/// @param vertices  their number; free edges connect them all
/// @param start     for each edge whether it is in some spanning tree
std::vector<char> short_loop_tree(int vertices, const std::vector<LoopEdge>& edges, const std::vector<char>& start);

}  // namespace linkwork
