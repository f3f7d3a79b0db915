#include <linkwork/core/model_graph.hpp>

#include <linkwork/core/model.hpp>

#include <algorithm>

namespace linkwork {

namespace {

/// The vertices that the frames belong to, each once, in the order of the frames.
template <class Space>
std::vector<std::size_t> vertices_of(const std::vector<Frame<Space>>& frames) {
  std::vector<std::size_t> vertices;
  for (const Frame<Space>& frame : frames) {
    const auto vertex = static_cast<std::size_t>(frame.body + 1);
    if (std::find(vertices.begin(), vertices.end(), vertex) == vertices.end()) vertices.push_back(vertex);
  }
  return vertices;
}

template <class Space>
void add_edges(ModelGraph& graph, const std::vector<Frame<Space>>& frames, GraphEdge edge) {
  std::vector<std::size_t> vertices = vertices_of(frames);
  if (vertices.size() == 1) vertices.insert(vertices.begin(), 0);
  edge.can_be_tree_edge = vertices.size() == 2;
  if (!edge.can_be_tree_edge) edge.obstacle = "it acts on more than two bodies";
  for (std::size_t k = 1; k < vertices.size(); ++k) boost::add_edge(vertices[0], vertices[k], edge, graph);
}

}  // namespace

template <class Space>
ModelGraph make_graph(const ModelData<Space>& data) {
  ModelGraph graph(data.bodies.size() + 1);
  graph[0] = {"ground", "ground", 0, false};
  for (std::size_t b = 0; b < data.bodies.size(); ++b) {
    const Body<Space>& body = *data.bodies[b].body;
    graph[b + 1] = {data.bodies[b].name, std::string(body.type()), body.freedoms(), body.mass() == 0};
  }

  int element = 0;
  for (const ConstraintEntry<Space>& entry : data.constraints) {
    const Constraint<Space>& constraint = *entry.constraint;
    const EdgeKind kind = entry.joint ? EdgeKind::joint : EdgeKind::constraint;
    add_edges(graph, constraint.frames(),
              {entry.name, std::string(constraint.type()), kind, element++, constraint.rows(),
               constraint.level() == Level::holonomic});
  }
  element = 0;
  for (const ForceEntry<Space>& entry : data.forces)
    add_edges(graph, entry.force->frames(), {entry.name, std::string(entry.force->type()), EdgeKind::force, element++});
  return graph;
}

template ModelGraph make_graph(const ModelData<Planar>& data);
template ModelGraph make_graph(const ModelData<Spatial>& data);

}  // namespace linkwork
