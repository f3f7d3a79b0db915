#include <linkwork/topology/topology.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/core/model.hpp>
#include <linkwork/topology/graph_topology.hpp>

#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/connected_components.hpp>
#include <boost/graph/filtered_graph.hpp>
#include <boost/graph/kruskal_min_spanning_tree.hpp>
#include <boost/property_map/function_property_map.hpp>

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>
#include <sstream>
#include <tuple>
#include <utility>

namespace linkwork {

namespace {

using EdgeDescriptor = ModelGraph::edge_descriptor;

bool any_edge(const GraphEdge&) { return true; }
bool is_constraint(const GraphEdge& edge) { return edge.kind != EdgeKind::force; }
bool is_tree_candidate(const GraphEdge& edge) { return is_constraint(edge) && edge.can_be_tree_edge; }

/// Edges of a filtered graph.
struct EdgeFilter {
  const ModelGraph* graph = nullptr;
  bool (*accepts)(const GraphEdge&) = nullptr;
  bool operator()(const EdgeDescriptor& edge) const { return accepts((*graph)[edge]); }
};
using Subgraph = boost::filtered_graph<ModelGraph, EdgeFilter>;

Subgraph subgraph(const ModelGraph& graph, bool (*accepts)(const GraphEdge&)) { return {graph, {&graph, accepts}}; }

std::size_t at(int index) { return static_cast<std::size_t>(index); }

/// Number of the component of each vertex; the ground's is 0.
std::vector<int> component_of_vertices(const ModelGraph& graph, bool (*accepts)(const GraphEdge&)) {
  std::vector<int> component(num_vertices(graph));
  boost::connected_components(subgraph(graph, accepts), component.data());
  return component;
}

/// The ground, then a body with mass (or else the first) of every other part that tree edges can connect.
std::vector<int> find_roots(const ModelGraph& graph) {
  const std::vector<int> part = component_of_vertices(graph, is_tree_candidate);
  std::vector<int> roots(at(*std::max_element(part.begin(), part.end()) + 1), -1);
  roots[0] = 0;
  for (std::size_t vertex = 1; vertex < part.size(); ++vertex) {
    int& root = roots[at(part[vertex])];
    if (root < 0 || (root > 0 && graph[at(root)].massless && !graph[vertex].massless)) root = static_cast<int>(vertex);
  }
  return roots;
}

/// Distance of each vertex from the root of its part.
std::vector<int> find_depths(const ModelGraph& graph, const std::vector<int>& roots) {
  const Subgraph tree_candidates = subgraph(graph, is_tree_candidate);
  std::vector<int> depth(num_vertices(graph), 0);
  std::vector<boost::default_color_type> colors(num_vertices(graph), boost::white_color);
  for (const int root : roots)
    boost::breadth_first_visit(
        tree_candidates, at(root),
        boost::visitor(boost::make_bfs_visitor(boost::record_distances(depth.data(), boost::on_tree_edge())))
            .color_map(boost::make_iterator_property_map(colors.begin(), get(boost::vertex_index, graph))));
  return depth;
}

/// Joints first, then many rows, then the breadth-first tree, then the order in the model.
using Preference = std::tuple<bool, int, int, bool, int>;

std::vector<EdgeDescriptor> choose_tree_edges(const ModelGraph& graph, const std::vector<int>& roots) {
  const std::vector<int> depth = find_depths(graph, roots);
  const auto preference = boost::make_function_property_map<EdgeDescriptor>([&](const EdgeDescriptor& descriptor) {
    const GraphEdge& edge = graph[descriptor];
    const int a = depth[source(descriptor, graph)], b = depth[target(descriptor, graph)];
    return Preference(edge.kind != EdgeKind::joint, -edge.rows, std::min(a, b), a == b, edge.element);
  });
  std::vector<EdgeDescriptor> chosen;
  boost::kruskal_minimum_spanning_tree(subgraph(graph, is_tree_candidate), std::back_inserter(chosen),
                                       boost::weight_map(preference).vertex_index_map(get(boost::vertex_index, graph)));
  return chosen;
}

/// Labels the vertices in depth-first preorder along the tree; sons in the order of their elements.
void label_vertices(const ModelGraph& graph, Topology& out) {
  const std::vector<int> roots = find_roots(graph);
  std::vector<std::vector<std::pair<int, int>>> neighbours(num_vertices(graph));  // element, vertex
  for (const EdgeDescriptor& edge : choose_tree_edges(graph, roots)) {
    const auto a = source(edge, graph), b = target(edge, graph);
    neighbours[a].emplace_back(graph[edge].element, static_cast<int>(b));
    neighbours[b].emplace_back(graph[edge].element, static_cast<int>(a));
  }
  for (auto& list : neighbours) std::sort(list.begin(), list.end(), std::greater<>());

  const std::vector<int> component = component_of_vertices(graph, is_constraint);
  struct Visit {
    int vertex, father, edge;
  };
  std::vector<Visit> stack;
  out.label_of_body.resize(num_vertices(graph) - 1);
  for (const int root : roots) {
    stack.push_back({root, 0, -1});
    while (!stack.empty()) {
      const Visit visit = stack.back();
      stack.pop_back();
      const int label = static_cast<int>(out.nodes.size());
      const GraphVertex& vertex = graph[at(visit.vertex)];
      out.nodes.push_back(
          {vertex.name, visit.vertex - 1, visit.father, visit.edge, vertex.freedoms, component[at(visit.vertex)]});
      if (visit.vertex > 0) out.label_of_body[at(visit.vertex - 1)] = label;
      for (const auto& [element, son] : neighbours[at(visit.vertex)])
        if (element != visit.edge) stack.push_back({son, label, element});
    }
  }
}

int label_of_vertex(const Topology& topology, std::size_t vertex) {
  return vertex == 0 ? 0 : topology.label_of_body[vertex - 1];
}

/// Grows `list` so that it has an entry for the element.
template <class Entry>
Entry& entry(std::vector<Entry>& list, int element) {
  if (list.size() <= at(element)) list.resize(at(element) + 1);
  return list[at(element)];
}

/// An element on more than two bodies comes as several edges from its first body.
void add_ends(std::vector<int>& ends, int first, int second) {
  if (ends.empty()) ends.push_back(first);
  ends.push_back(second);
}

void collect_elements(const ModelGraph& graph, Topology& out) {
  for (const EdgeDescriptor& descriptor : boost::make_iterator_range(edges(graph))) {
    const GraphEdge& edge = graph[descriptor];
    const int first = label_of_vertex(out, source(descriptor, graph));
    const int second = label_of_vertex(out, target(descriptor, graph));
    if (edge.kind == EdgeKind::force) {
      Topology::Force& force = entry(out.forces, edge.element);
      force.name = edge.name;
      force.type = edge.type;
      add_ends(force.ends, first, second);
    } else {
      Topology::Element& element = entry(out.elements, edge.element);
      element.name = edge.name;
      element.type = edge.type;
      element.rows = edge.rows;
      element.holonomic = edge.holonomic;
      add_ends(element.ends, first, second);
    }
  }
}

/// The son, if the element lies between a body and its father; else -1.
int son_of(const Topology& topology, const Topology::Element& element) {
  if (element.ends.size() != 2) return -1;
  const auto [father, son] = std::minmax(element.ends[0], element.ends[1]);
  return topology.nodes[at(son)].father == father ? son : -1;
}

void assign_roles(const TopologyOptions& options, Topology& out) {
  std::vector<int> rows(out.nodes.size(), 0);  // kept with each node
  for (std::size_t label = 1; label < out.nodes.size(); ++label) {
    if (out.nodes[label].edge < 0) continue;
    Topology::Element& element = out.elements[at(out.nodes[label].edge)];
    element.role = Topology::Role::tree;
    element.node = static_cast<int>(label);
    rows[label] = element.rows;
  }
  for (std::size_t index = 0; index < out.elements.size(); ++index) {
    Topology::Element& element = out.elements[index];
    if (element.role == Topology::Role::tree) continue;
    const int son = son_of(out, element);
    if (!options.joint_tree && son > 0 && rows[at(son)] + element.rows <= out.nodes[at(son)].freedoms) {
      element.role = Topology::Role::parallel;
      element.node = son;
      rows[at(son)] += element.rows;
    } else {
      out.cuts.push_back(static_cast<int>(index));
    }
  }
}

void count(const ModelGraph& graph, Topology& out) {
  for (const Topology::Node& node : out.nodes) {
    out.freedoms += node.freedoms;
    out.components = std::max(out.components, node.component + 1);
    if (node.body >= 0 && !graph[at(node.body + 1)].massless) ++out.mass_blocks;
  }
  for (const Topology::Element& element : out.elements) {
    out.rows += element.rows;
    out.constraint_blocks +=
        static_cast<int>(std::count_if(element.ends.begin(), element.ends.end(), [](int end) { return end > 0; }));
  }
}

void warn_of_free_bodies(const ModelGraph& graph, Topology& out) {
  const std::vector<int> part = component_of_vertices(graph, any_edge);
  std::vector<std::vector<std::size_t>> members(at(*std::max_element(part.begin(), part.end()) + 1));
  for (std::size_t vertex = 0; vertex < part.size(); ++vertex) members[at(part[vertex])].push_back(vertex);
  for (std::size_t i = 1; i < members.size(); ++i) {
    const std::size_t others = members[i].size() - 1;
    out.warnings.push_back(concat("body '", graph[members[i].front()].name, "'",
                                  others > 0 ? concat(" with ", others, " more connected to it") : std::string(),
                                  " has no path to the ground by joints or forces: left free by mistake? "
                                  "If so, add a joint."));
  }
}

}  // namespace

Topology analyze(const ModelGraph& graph, const TopologyOptions& options) {
  if (num_vertices(graph) < 2) throw ModelError("topology: the model has no body; add one with add_body.");
  Topology out;
  label_vertices(graph, out);
  collect_elements(graph, out);
  assign_roles(options, out);
  count(graph, out);
  warn_of_free_bodies(graph, out);
  return out;
}

namespace {

/// Leaves as tree candidates only the joints that can lead to a body in joint coordinates.
template <class Space>
void keep_joint_candidates(const ModelData<Space>& data, ModelGraph& graph) {
  std::vector<char> is_read(data.constraints.size(), 0);
  for (const ForceEntry<Space>& entry : data.forces)
    for (const ConstraintRef<Space>& reaction : entry.force->reactions()) is_read[at(reaction.index)] = 1;
  const auto rotates = [&](std::size_t vertex) { return vertex == 0 || data.bodies[vertex - 1].body->rotates(); };
  for (const EdgeDescriptor& descriptor : boost::make_iterator_range(edges(graph))) {
    GraphEdge& edge = graph[descriptor];
    if (edge.kind != EdgeKind::joint || is_read[at(edge.element)] || !rotates(source(descriptor, graph)) ||
        !rotates(target(descriptor, graph)))
      edge.can_be_tree_edge = false;
  }
}

}  // namespace

template <class Space>
Topology analyze(const Model<Space>& model, const TopologyOptions& options) {
  ModelGraph graph = make_graph(model.data());
  if (options.joint_tree) keep_joint_candidates(model.data(), graph);
  return analyze(graph, options);
}
template Topology analyze(const Model<Planar>&, const TopologyOptions&);
template Topology analyze(const Model<Spatial>&, const TopologyOptions&);

std::vector<int> Topology::loop(int cut) const {
  std::set<int> open(elements[at(cut)].ends.begin(), elements[at(cut)].ends.end());
  std::vector<int> path;
  while (open.size() > 1) {  // the largest label can't be an ancestor of the others
    const int label = *open.rbegin();
    open.erase(label);
    open.insert(nodes[at(label)].father);
    if (nodes[at(label)].edge >= 0) path.push_back(nodes[at(label)].edge);
  }
  path.push_back(cut);
  return path;
}

std::vector<std::string> Topology::loop_names(int cut) const {
  std::vector<std::string> names;
  for (const int element : loop(cut)) names.push_back(elements[at(element)].name);
  return names;
}

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

/// One line for each end beyond the first.
void write_edges(std::ostream& out, const std::vector<int>& ends, const std::string& label, const char* style) {
  for (std::size_t i = 1; i < ends.size(); ++i)
    out << "  " << ends[0] << " -> " << ends[i] << " [label=" << quoted(label) << ", " << style << "];\n";
}

}  // namespace

void write_graphviz(std::ostream& out, const Topology& topology) {
  out << "digraph mechanism {\n  node [shape=ellipse];\n  0 [label=\"ground\", shape=box];\n";
  for (std::size_t label = 1; label < topology.nodes.size(); ++label)
    out << "  " << label << " [label=" << quoted(concat(label, ": ", topology.nodes[label].name)) << "];\n";
  for (const Topology::Element& element : topology.elements) {
    if (element.role == Topology::Role::cut)
      write_edges(out, element.ends, element.name, "style=dashed, color=red, dir=none, constraint=false");
    else
      write_edges(out, {topology.nodes[at(element.node)].father, element.node}, element.name,
                  element.role == Topology::Role::tree ? "style=solid" : "style=solid, color=gray, dir=none");
  }
  for (const Topology::Force& force : topology.forces)
    write_edges(out, force.ends, force.name, "style=dotted, color=blue, dir=none, constraint=false");
  out << "}\n";
}

}  // namespace linkwork
