#pragma once

#include <nlohmann/json_fwd.hpp>

// Internal: the graph of a mechanism, as pages draw it.

namespace linkwork {

class EquationsOfMotion;

/// Bodies by their labels, each with its father, and edges between labels: of the tree, beside it, cuts and forces.
/// null where the equations were never a graph of bodies.
nlohmann::json describe_graph(const EquationsOfMotion& equations);

}  // namespace linkwork
