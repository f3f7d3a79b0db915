#include <linkwork/topology/tree_measures.hpp>

#include <linkwork/core/at.hpp>
#include <linkwork/topology/tree_paths.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace linkwork {

namespace {

using detail::at;

TreePaths paths_of(const Topology& topology) {
  std::vector<int> father;
  for (const Topology::Node& node : topology.nodes) father.push_back(node.father);
  return TreePaths(std::move(father));
}

/// Rows that come to their meeting point with one of its sons.
struct Arrival {
  int meeting = 0;
  int son = 0;
  int rows = 0;
  bool opens = false, closes = false;  ///< the first and the last of its sons to come
};

/// Rows that pass from each node to its father, and where closures open and close.
struct OpenRows {
  std::vector<int> carried;       ///< by label
  std::vector<Arrival> arrivals;  ///< by meeting point, then by descending son
  std::int64_t loop_length = 0;
};

OpenRows open_rows(const Topology& topology, bool joint_tree) {
  const TreePaths paths = paths_of(topology);
  OpenRows out;
  out.carried.assign(topology.nodes.size(), 0);
  for (const int cut : topology.cuts) {
    const Topology::Element& element = topology.elements[at(cut)];
    std::vector<int> ends = element.ends;
    if (joint_tree && !element.is_joint) ends.push_back(0);
    std::sort(ends.begin(), ends.end());
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    int meeting = ends.front();
    for (const int end : ends) meeting = paths.meeting(meeting, end);

    // In preorder neighbouring ends meet where the paths of all ends branch.
    std::vector<int> sons;
    for (std::size_t i = 0; i < ends.size(); ++i) {
      out.carried[at(ends[i])] += element.rows;
      const int joined = i == 0 ? meeting : paths.meeting(ends[i - 1], ends[i]);
      out.carried[at(joined)] -= element.rows;
      out.loop_length += paths.depth(ends[i]) - paths.depth(joined);
      if (ends[i] != meeting) sons.push_back(paths.ancestor_at_depth(ends[i], paths.depth(meeting) + 1));
    }
    sons.erase(std::unique(sons.begin(), sons.end()), sons.end());
    for (std::size_t i = 0; i < sons.size(); ++i)
      out.arrivals.push_back({meeting, sons[i], element.rows, i + 1 == sons.size(), i == 0});
  }
  for (std::size_t label = topology.nodes.size() - 1; label > 0; --label)
    out.carried[at(topology.nodes[label].father)] += out.carried[label];
  std::sort(out.arrivals.begin(), out.arrivals.end(), [](const Arrival& a, const Arrival& b) {
    return a.meeting != b.meeting ? a.meeting < b.meeting : a.son > b.son;
  });
  return out;
}

double cube(double x) { return x * x * x; }

/// Closures that meet at a node: its sons come in descending order, and rows that are complete go at once.
void close_loops(const Topology& topology, const OpenRows& open, Topology::Measures& out) {
  std::vector<std::vector<int>> sons(topology.nodes.size());
  for (std::size_t label = topology.nodes.size() - 1; label > 0; --label)
    sons[at(topology.nodes[label].father)].push_back(static_cast<int>(label));
  auto arrival = open.arrivals.begin();
  while (arrival != open.arrivals.end()) {
    const int meeting = arrival->meeting;
    int front = 0;
    for (const int son : sons[at(meeting)]) {
      int complete = 0;
      front += open.carried[at(son)];
      for (; arrival != open.arrivals.end() && arrival->meeting == meeting && arrival->son == son; ++arrival) {
        if (!arrival->opens) front -= arrival->rows;  // it was there before
        if (arrival->closes) complete += arrival->rows;
      }
      out.front = std::max(out.front, front);
      front -= complete;
      const double border = front + topology.nodes[at(meeting)].freedoms;
      out.early_operations += cube(complete) / 6 + complete * border * (complete + border) / 2;
    }
  }
}

}  // namespace

Topology::Measures measure_tree(const Topology& topology, bool joint_tree) {
  Topology::Measures out;
  const OpenRows open = open_rows(topology, joint_tree);
  out.loop_length = open.loop_length;
  std::vector<int> kept(topology.nodes.size(), 0);
  int cut_rows = 0;
  for (const Topology::Element& element : topology.elements)
    (element.node >= 0 ? kept[at(element.node)] : cut_rows) += element.rows;

  double along_tree = 0;
  for (std::size_t label = 1; label < topology.nodes.size(); ++label) {
    out.width = std::max(out.width, open.carried[label]);
    const double n = topology.nodes[label].freedoms, rows = open.carried[label];
    const double pivot = joint_tree ? n - kept[label] : n + kept[label];
    along_tree += n * n * (n + pivot) + n * pivot * (pivot + n / 2) + cube(pivot) / 6;  // inertia and pivot
    along_tree += rows * (n * n + 2 * n * pivot + pivot * pivot);                       // rows to the father
    along_tree += rows * rows / 2 * pivot;                                              // their products
  }
  out.front = out.width;
  out.early_operations = along_tree;
  close_loops(topology, open, out);
  out.closure_operations = along_tree + cube(cut_rows) / 6;
  return out;
}

}  // namespace linkwork
