#pragma once

// Not included by any public header: Boost.Graph would add seconds to every user's file.

#include <linkwork/core/handles.hpp>

#include <boost/graph/adjacency_list.hpp>

#include <string>

namespace linkwork {

enum class EdgeKind { joint, constraint, force };

/// A vertex of the object graph. Vertex 0 is the ground; vertex b + 1 is body b.
struct GraphVertex {
  std::string name;
  std::string type;
  int freedoms = 0;
  bool massless = false;
};

/// An edge: a joint, a constraint or a force element between two bodies. An element on more bodies has one edge from
/// its first body to each other; an element on one body has an edge to the ground.
struct GraphEdge {
  std::string name;
  std::string type;
  EdgeKind kind = EdgeKind::joint;
  int element = -1;  ///< index among the constraints (joints included), or among the forces
  int rows = 0;      ///< constraint rows; 0 for forces
  bool holonomic = true;
  bool can_be_tree_edge = true;  ///< false if the element has more than two bodies, so that it can't be a tree edge
  std::string obstacle = {};     ///< why it can't be a tree edge, for messages
};

using ModelGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, GraphVertex, GraphEdge>;

/// The object graph of a model. Edges stand in the order of the elements, constraints (joints included) before forces;
/// a joint's edge leads from the father to the son. O(elements).
template <class Space>
ModelGraph make_graph(const ModelData<Space>& data);

extern template ModelGraph make_graph(const ModelData<Planar>& data);
extern template ModelGraph make_graph(const ModelData<Spatial>& data);

}  // namespace linkwork
