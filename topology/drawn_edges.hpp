#pragma once

#include <linkwork/topology/topology.hpp>

#include <optional>
#include <string>
#include <vector>

// Internal: the graph of a mechanism as those who draw it see it.

namespace linkwork {

/// A joint, constraint or force between bodies.
struct DrawnEdge {
  std::string name;
  std::optional<Topology::Role> role;  ///< none of a force
  std::vector<int> ends;  ///< labels; tree and parallel: father, body; cut and force: as the element lists its frames
};

/// Joints and constraints as they are numbered in the model, then forces.
std::vector<DrawnEdge> drawn_edges(const Topology& topology);

}  // namespace linkwork
