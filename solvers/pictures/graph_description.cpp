#include <linkwork/solvers/pictures/graph_description.hpp>

#include <linkwork/core/at.hpp>
#include <linkwork/solvers/formulations/graph_equations.hpp>
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

const char* name_of(Topology::Role role) {
  switch (role) {
    case Topology::Role::tree:
      return "tree";
    case Topology::Role::parallel:
      return "parallel";
    case Topology::Role::cut:
      break;
  }
  return "cut";
}

}  // namespace

Json describe_graph(const EquationsOfMotion& equations) {
  const Topology* topology = topology_of(equations);
  if (!topology) return nullptr;
  Json nodes = Json::array(), edges = Json::array();
  for (const Topology::Node& node : topology->nodes) nodes.push_back({{"name", node.name}, {"father", node.father}});
  for (const Topology::Element& element : topology->elements) {
    Json ends = element.ends;
    if (element.role != Topology::Role::cut) ends = {topology->nodes[detail::at(element.node)].father, element.node};
    edges.push_back({{"name", element.name}, {"role", name_of(element.role)}, {"ends", ends}});
  }
  for (const Topology::Force& force : topology->forces)
    edges.push_back({{"name", force.name}, {"role", "force"}, {"ends", force.ends}});
  return {{"nodes", nodes}, {"edges", edges}};
}

}  // namespace linkwork
