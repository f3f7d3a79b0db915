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

const char* role_of(const DrawnEdge& edge) {
  if (!edge.role) return "force";
  switch (*edge.role) {
    case Topology::Role::tree:
      return "tree";
    case Topology::Role::parallel:
      return "parallel";
    case Topology::Role::cut:
      return "cut";
  }
  return "";  // of no role
}

}  // namespace

Json describe_graph(const EquationsOfMotion& equations) {
  const Topology* topology = topology_of(equations);
  if (!topology) return nullptr;
  Json nodes = Json::array(), edges = Json::array();
  for (const Topology::Node& node : topology->nodes) nodes.push_back({{"name", node.name}, {"father", node.father}});
  for (const DrawnEdge& edge : drawn_edges(*topology))
    edges.push_back({{"name", edge.name}, {"role", role_of(edge)}, {"ends", edge.ends}});
  return {{"nodes", nodes}, {"edges", edges}};
}

}  // namespace linkwork
