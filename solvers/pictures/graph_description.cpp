#include <linkwork/solvers/pictures/graph_description.hpp>

#include <linkwork/solvers/formulations/graph_equations.hpp>
#include <linkwork/topology/drawn_edges.hpp>
#include <linkwork/topology/topology.hpp>

#include <nlohmann/json.hpp>

namespace linkwork {
namespace {

using Json = nlohmann::json;

const Topology* topology_of(const EquationsOfMotion& equations) {
  if (const auto* planar = dynamic_cast<const GraphEquations<Planar>*>(&equations)) return &planar->topology();
  if (const auto* spatial = dynamic_cast<const GraphEquations<Spatial>*>(&equations)) return &spatial->topology();
  return nullptr;
}

const char* name_of(DrawnEdge::Kind kind) {
  switch (kind) {
    case DrawnEdge::Kind::tree:
      return "tree";
    case DrawnEdge::Kind::parallel:
      return "parallel";
    case DrawnEdge::Kind::cut:
      return "cut";
    case DrawnEdge::Kind::force:
      break;
  }
  return "force";
}

}  // namespace

Json describe_graph(const EquationsOfMotion& equations) {
  const Topology* topology = topology_of(equations);
  if (!topology) return nullptr;
  Json nodes = Json::array(), edges = Json::array();
  for (const Topology::Node& node : topology->nodes) nodes.push_back({{"name", node.name}, {"father", node.father}});
  for (const DrawnEdge& edge : drawn_edges(*topology))
    edges.push_back({{"name", edge.name}, {"role", name_of(edge.kind)}, {"ends", edge.ends}});
  return {{"nodes", nodes}, {"edges", edges}};
}

}  // namespace linkwork
