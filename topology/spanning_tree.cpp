#include <linkwork/topology/spanning_tree.hpp>

#include <linkwork/core/at.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/core/model.hpp>
#include <linkwork/topology/short_loops.hpp>

#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/connected_components.hpp>
#include <boost/graph/filtered_graph.hpp>
#include <boost/graph/kruskal_min_spanning_tree.hpp>
#include <boost/property_map/function_property_map.hpp>

#include <algorithm>
#include <iterator>
#include <string>
#include <tuple>

namespace linkwork {

namespace {

using EdgeDescriptor = ModelGraph::edge_descriptor;

bool is_tree_candidate(const GraphEdge& edge) { return edge.kind != EdgeKind::force && edge.can_be_tree_edge; }

/// Edges of a filtered graph.
struct EdgeFilter {
  const ModelGraph* graph = nullptr;
  bool (*accepts)(const GraphEdge&) = nullptr;
  bool operator()(const EdgeDescriptor& edge) const { return accepts((*graph)[edge]); }
};
using Subgraph = boost::filtered_graph<ModelGraph, EdgeFilter>;

Subgraph subgraph(const ModelGraph& graph, bool (*accepts)(const GraphEdge&)) { return {graph, {&graph, accepts}}; }

using detail::at;

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

std::size_t count_elements(const ModelGraph& graph) {
  int count = 0;
  for (const EdgeDescriptor& descriptor : boost::make_iterator_range(edges(graph)))
    if (graph[descriptor].kind != EdgeKind::force) count = std::max(count, graph[descriptor].element + 1);
  return at(count);
}

/// For each element whether it is in the tree.
std::vector<char> tree_of_fewest_rows(const ModelGraph& graph, const std::vector<int>& roots) {
  const std::vector<int> depth = find_depths(graph, roots);
  const auto preference = boost::make_function_property_map<EdgeDescriptor>([&](const EdgeDescriptor& descriptor) {
    const GraphEdge& edge = graph[descriptor];
    const int a = depth[source(descriptor, graph)], b = depth[target(descriptor, graph)];
    return Preference(edge.kind != EdgeKind::joint, -edge.rows, std::min(a, b), a == b, edge.element);
  });
  std::vector<EdgeDescriptor> chosen;
  boost::kruskal_minimum_spanning_tree(subgraph(graph, is_tree_candidate), std::back_inserter(chosen),
                                       boost::weight_map(preference).vertex_index_map(get(boost::vertex_index, graph)));
  std::vector<char> in_tree(count_elements(graph), 0);
  for (const EdgeDescriptor& edge : chosen) in_tree[at(graph[edge].element)] = 1;
  return in_tree;
}

std::vector<char> tree_of_shortest_loops(const ModelGraph& graph, const std::vector<int>& roots) {
  const std::vector<char> fewest_rows = tree_of_fewest_rows(graph, roots);
  std::vector<int> element;
  std::vector<LoopEdge> loop_edges;
  std::vector<char> start;
  for (const EdgeDescriptor& descriptor : boost::make_iterator_range(edges(graph))) {
    const GraphEdge& edge = graph[descriptor];
    if (edge.kind == EdgeKind::force) continue;
    element.push_back(edge.element);
    loop_edges.push_back({static_cast<int>(source(descriptor, graph)), static_cast<int>(target(descriptor, graph)),
                          edge.rows, edge.can_be_tree_edge});
    start.push_back(fewest_rows[at(edge.element)]);
  }
  for (const int root : roots)  // bridges that hang all parts on the ground
    if (root > 0) {
      loop_edges.push_back({0, root});
      start.push_back(1);
    }

  const std::vector<char> chosen = short_loop_tree(static_cast<int>(num_vertices(graph)), loop_edges, start);
  std::vector<char> in_tree(fewest_rows.size(), 0);
  for (std::size_t e = 0; e < element.size(); ++e)
    if (chosen[e]) in_tree[at(element[e])] = 1;
  return in_tree;
}

/// Bars the given elements from the tree.
void bar_cuts(const std::vector<std::string>& cuts, ModelGraph& graph) {
  if (cuts.empty())
    throw ModelError("topology: the cuts are to be those given, and none is given; name joints or constraints.");
  for (const std::string& name : cuts) {
    bool found = false;
    for (const EdgeDescriptor& descriptor : boost::make_iterator_range(edges(graph))) {
      GraphEdge& edge = graph[descriptor];
      if (edge.kind == EdgeKind::force || edge.name != name) continue;
      edge.can_be_tree_edge = false;
      found = true;
    }
    if (!found) throw ModelError(concat("topology: there is no joint or constraint '", name, "' that could be cut."));
  }
}

/// @param whole  the graph before the cuts were barred
void refuse_lost_bodies(const ModelGraph& whole, const ModelGraph& barred, const TopologyOptions& options) {
  const std::vector<int> before = component_of_vertices(whole, is_tree_candidate);
  const std::vector<int> after = component_of_vertices(barred, is_tree_candidate);
  const std::vector<int> roots = find_roots(whole);
  const auto is_lost = [&](std::size_t vertex) { return after[vertex] != after[at(roots[at(before[vertex])])]; };
  std::size_t lost = 0;
  while (lost < before.size() && !is_lost(lost)) ++lost;
  if (lost == before.size()) return;

  std::string cuts, obstacles;
  for (const EdgeDescriptor& descriptor : boost::make_iterator_range(edges(whole))) {
    const GraphEdge& edge = whole[descriptor];
    const bool leads_out =
        (after[source(descriptor, whole)] == after[lost]) != (after[target(descriptor, whole)] == after[lost]);
    if (edge.kind == EdgeKind::force || !leads_out) continue;
    if (edge.can_be_tree_edge)
      cuts += concat(cuts.empty() ? "'" : " or '", edge.name, "'");
    else if (edge.kind == EdgeKind::joint)
      obstacles += concat(" The joint '", edge.name, "' can't lead to it: ", edge.obstacle, ".");
  }
  throw ModelError(concat("topology: with ", listed(options.cuts, [](const auto& name) { return "'" + name + "'"; }),
                          " cut, body '", whole[lost].name, "' has no way left to '",
                          whole[at(roots[at(before[lost])])].name, "'; leave ", cuts, " uncut.", obstacles));
}

}  // namespace

std::vector<int> component_of_vertices(const ModelGraph& graph, bool (*accepts)(const GraphEdge&)) {
  std::vector<int> component(num_vertices(graph));
  boost::connected_components(subgraph(graph, accepts), component.data());
  return component;
}

template <class Space>
void keep_joint_candidates(const ModelData<Space>& data, ModelGraph& graph) {
  std::vector<const ForceEntry<Space>*> reader(data.constraints.size(), nullptr);
  for (const ForceEntry<Space>& entry : data.forces)
    for (const ConstraintRef<Space>& reaction : entry.force->reactions()) reader[at(reaction.index)] = &entry;
  const auto refuse = [](GraphEdge& edge, std::string obstacle) {
    edge.can_be_tree_edge = false;
    edge.obstacle = std::move(obstacle);
  };
  for (const EdgeDescriptor& descriptor : boost::make_iterator_range(edges(graph))) {
    GraphEdge& edge = graph[descriptor];
    if (!is_tree_candidate(edge)) continue;
    if (edge.kind != EdgeKind::joint) {
      refuse(edge, "it has no coordinates of its own");
    } else if (const ForceEntry<Space>* force = reader[at(edge.element)]) {
      refuse(edge, concat("its reaction is read by force '", force->name, "'"));
    } else {
      for (const std::size_t vertex : {source(descriptor, graph), target(descriptor, graph)})
        if (vertex > 0 && !data.bodies[vertex - 1].body->rotates())
          refuse(edge, concat("body '", graph[vertex].name, "' does not rotate"));
    }
  }
}
template void keep_joint_candidates(const ModelData<Planar>&, ModelGraph&);
template void keep_joint_candidates(const ModelData<Spatial>&, ModelGraph&);

SpanningTree choose_spanning_tree(const ModelGraph& graph, const TopologyOptions& options) {
  if (options.strategy != CutStrategy::given && !options.cuts.empty())
    throw ModelError(concat("topology: cuts are given (", listed(options.cuts),
                            "), but the strategy chooses its own; set it to CutStrategy::given."));
  SpanningTree out;
  if (options.strategy == CutStrategy::given) {
    ModelGraph barred = graph;
    bar_cuts(options.cuts, barred);
    refuse_lost_bodies(graph, barred, options);
    out.roots = find_roots(barred);
    out.in_tree = tree_of_fewest_rows(barred, out.roots);
  } else {
    out.roots = find_roots(graph);
    out.in_tree = options.strategy == CutStrategy::shortest_loops ? tree_of_shortest_loops(graph, out.roots)
                                                                  : tree_of_fewest_rows(graph, out.roots);
  }
  return out;
}

}  // namespace linkwork
