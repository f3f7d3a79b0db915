#include <linkwork/topology/topology.hpp>

#include <linkwork/core/at.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/core/model.hpp>
#include <linkwork/topology/graph_topology.hpp>
#include <linkwork/topology/spanning_tree.hpp>
#include <linkwork/topology/tree_measures.hpp>

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

namespace linkwork {

namespace {

using EdgeDescriptor = ModelGraph::edge_descriptor;

bool any_edge(const GraphEdge&) { return true; }
bool is_constraint(const GraphEdge& edge) { return edge.kind != EdgeKind::force; }

using detail::at;

/// Labels the vertices in depth-first preorder along the tree; sons in the order of their elements.
void label_vertices(const ModelGraph& graph, const SpanningTree& tree, Topology& out) {
  std::vector<std::vector<std::pair<int, int>>> neighbours(num_vertices(graph));  // element, vertex
  for (const EdgeDescriptor& edge : boost::make_iterator_range(edges(graph))) {
    if (!is_constraint(graph[edge]) || !tree.in_tree[at(graph[edge].element)]) continue;
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
  for (const int root : tree.roots) {
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
      element.is_joint = edge.kind == EdgeKind::joint;
      element.obstacle = edge.obstacle;
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
  label_vertices(graph, choose_spanning_tree(graph, options), out);
  collect_elements(graph, out);
  assign_roles(options, out);
  count(graph, out);
  warn_of_free_bodies(graph, out);
  out.measures = measure_tree(out, options.joint_tree);
  return out;
}

template <class Space>
Topology analyze(const Model<Space>& model, const TopologyOptions& options) {
  for (const std::string& name : options.cuts) model.constraint(name);  // throws with the nearest names
  ModelGraph graph = make_graph(model.data());
  if (options.joint_tree) keep_joint_candidates(model.data(), graph);
  return analyze(graph, options);
}
template Topology analyze(const Model<Planar>&, const TopologyOptions&);
template Topology analyze(const Model<Spatial>&, const TopologyOptions&);

std::vector<int> Topology::loop(int cut) const {
  const std::vector<int>& ends = elements[at(cut)].ends;
  std::set<int> open(ends.begin(), ends.end());
  std::vector<int> path, path_back;  // from the first end up, from the others up
  int first = ends[0];
  while (open.size() > 1) {  // the largest label can't be an ancestor of the others
    const int label = *open.rbegin();
    const Node& node = nodes[at(label)];
    open.erase(label);
    open.insert(node.father);
    if (node.edge >= 0) (label == first ? path : path_back).push_back(node.edge);
    if (label == first) first = node.father;
  }
  path.insert(path.end(), path_back.rbegin(), path_back.rend());
  path.push_back(cut);
  return path;
}

std::vector<std::string> Topology::loop_names(int cut) const {
  std::vector<std::string> names;
  for (const int element : loop(cut)) names.push_back(elements[at(element)].name);
  return names;
}

}  // namespace linkwork
