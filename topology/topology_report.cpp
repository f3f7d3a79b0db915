#include <linkwork/core/at.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/topology/drawn_edges.hpp>
#include <linkwork/topology/elimination_plan.hpp>
#include <linkwork/topology/topology.hpp>

#include <ostream>
#include <sstream>

namespace linkwork {

namespace {

using detail::at;

/// Three digits are enough for an estimate.
std::string rounded(double value) {
  std::ostringstream out;
  out.precision(3);
  out << value;
  return out.str();
}

}  // namespace

std::string Topology::summary() const {
  std::ostringstream out;
  out << bodies() << " bodies, " << elements.size() << " joints and constraints, " << forces.size() << " forces, "
      << components << (components == 1 ? " component\n" : " components, the ground's included\n") << "mobility "
      << mobility() << ": " << freedoms << " freedoms less " << rows << " constraint rows\n"
      << "blocks: " << mass_blocks << " of the mass matrix, " << constraint_blocks << " of the constraint matrix\n"
      << "tree (label, body, label of the father, joint):\n";
  for (std::size_t label = 1; label < nodes.size(); ++label) {
    const Node& node = nodes[label];
    out << "  " << label << "  " << node.name << "  " << node.father << "  "
        << (node.edge < 0 ? "(free)" : elements[at(node.edge)].name) << '\n';
  }
  for (const Element& element : elements)
    if (element.role == Role::parallel)
      out << "parallel to the tree edge of label " << element.node << ": " << element.name << '\n';
  for (const int cut : cuts) {
    out << "cut: " << elements[at(cut)].name << ", loop:";
    for (const std::string& name : loop_names(cut)) out << ' ' << name << (name == elements[at(cut)].name ? "" : ",");
    out << '\n';
  }
  for (const Element& element : elements)
    if (element.is_joint && !element.obstacle.empty())
      out << "not in the tree: " << element.name << ", " << element.obstacle << '\n';
  out << "elimination along the tree: at most " << measures.width << " closure rows carried, " << measures.front
      << " open at once; loops of " << measures.loop_length << " tree joints together; about "
      << rounded(measures.early_operations) << " multiply-adds with closures eliminated where they meet, "
      << rounded(measures.closure_operations) << " with C T^-1 C^T\n"
      << "elimination along the graph, absolute coordinates: " << plan_elimination(block_graph(*this)).summary()
      << '\n';
  for (const std::string& warning : warnings) out << "warning: " << warning << '\n';
  return out.str();
}

namespace {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

const char* style_of(const DrawnEdge& edge) {
  if (!edge.role) return "style=dotted, color=blue, dir=none, constraint=false";
  switch (*edge.role) {
    case Topology::Role::tree:
      return "style=solid";
    case Topology::Role::parallel:
      return "style=solid, color=gray, dir=none";
    case Topology::Role::cut:
      return "style=dashed, color=red, dir=none, constraint=false";
  }
  return "";  // of no role
}

}  // namespace

void write_graphviz(std::ostream& out, const Topology& topology) {
  out << "digraph mechanism {\n  node [shape=ellipse];\n  0 [label=\"ground\", shape=box];\n";
  for (std::size_t label = 1; label < topology.nodes.size(); ++label)
    out << "  " << label << " [label=" << quoted(concat(label, ": ", topology.nodes[label].name)) << "];\n";
  for (const DrawnEdge& edge : drawn_edges(topology))
    for (std::size_t i = 1; i < edge.ends.size(); ++i)  // one line for each end beyond the first
      out << "  " << edge.ends[0] << " -> " << edge.ends[i] << " [label=" << quoted(edge.name) << ", " << style_of(edge)
          << "];\n";
  out << "}\n";
}

}  // namespace linkwork
