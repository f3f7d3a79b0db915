#include <linkwork/topology/drawn_edges.hpp>

#include <linkwork/core/at.hpp>

namespace linkwork {
namespace {

DrawnEdge::Kind kind_of(Topology::Role role) {
  switch (role) {
    case Topology::Role::tree:
      return DrawnEdge::Kind::tree;
    case Topology::Role::parallel:
      return DrawnEdge::Kind::parallel;
    case Topology::Role::cut:
      break;
  }
  return DrawnEdge::Kind::cut;
}

}  // namespace

std::vector<DrawnEdge> drawn_edges(const Topology& topology) {
  std::vector<DrawnEdge> edges;
  for (const Topology::Element& element : topology.elements) {
    DrawnEdge edge{element.name, kind_of(element.role), element.ends};
    if (edge.kind != DrawnEdge::Kind::cut) edge.ends = {topology.nodes[detail::at(element.node)].father, element.node};
    edges.push_back(edge);
  }
  for (const Topology::Force& force : topology.forces)
    edges.push_back({force.name, DrawnEdge::Kind::force, force.ends});
  return edges;
}

}  // namespace linkwork
