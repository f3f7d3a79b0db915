#pragma once

#include <linkwork/topology/topology.hpp>

#include <string>
#include <vector>

// Internal: the graph of a mechanism as those who draw it see it.

namespace linkwork {

/// A joint, constraint or force between bodies.
struct DrawnEdge {
  enum class Kind { tree, parallel, cut, force };

  std::string name;
  Kind kind = Kind::tree;
  std::vector<int> ends;  ///< labels: of what lies with the tree edge the father and the body, else in its own order
};

/// Joints and constraints as they are numbered in the model, then forces.
std::vector<DrawnEdge> drawn_edges(const Topology& topology);

}  // namespace linkwork
