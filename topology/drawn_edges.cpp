#include <linkwork/topology/drawn_edges.hpp>

#include <linkwork/core/at.hpp>

namespace linkwork {

std::vector<DrawnEdge> drawn_edges(const Topology& topology) {
  std::vector<DrawnEdge> edges;
  for (const Topology::Element& element : topology.elements) {
    DrawnEdge edge{element.name, element.role, element.ends};
    if (element.role != Topology::Role::cut)
      edge.ends = {topology.nodes[detail::at(element.node)].father, element.node};
    edges.push_back(edge);
  }
  for (const Topology::Force& force : topology.forces) edges.push_back({force.name, std::nullopt, force.ends});
  return edges;
}

}  // namespace linkwork
