#include <linkwork/topology/short_loops.hpp>

#include <linkwork/core/at.hpp>
#include <linkwork/topology/tree_paths.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

namespace linkwork {

namespace {

constexpr std::int64_t most_work = 20'000'000;  // visits of an edge on a loop: about a tenth of a second

using detail::at;

/// Edges by vertex, in compressed form.
class Incidence {
 public:
  template <class Accepts>
  Incidence(std::size_t vertices, const std::vector<LoopEdge>& edges, const std::vector<int>& vertex_of,
            Accepts&& accepts)
      : first_(vertices + 1, 0) {
    const auto for_each_end = [&](auto&& visit) {
      for (std::size_t e = 0; e < edges.size(); ++e) {
        const int a = vertex_of[at(edges[e].a)], b = vertex_of[at(edges[e].b)];
        if (a == b || !accepts(e)) continue;
        visit(a, b, static_cast<int>(e));
        visit(b, a, static_cast<int>(e));
      }
    };
    for_each_end([&](int from, int, int) { ++first_[at(from) + 1]; });
    for (std::size_t v = 0; v < vertices; ++v) first_[v + 1] += first_[v];
    entries_.resize(at(first_.back()));
    std::vector<int> next(first_.begin(), first_.end() - 1);
    for_each_end([&](int from, int to, int edge) { entries_[at(next[at(from)]++)] = {edge, to}; });
  }

  struct Entry {
    int edge = 0, vertex = 0;
  };
  const Entry* begin(int vertex) const { return entries_.data() + first_[at(vertex)]; }
  const Entry* end(int vertex) const { return entries_.data() + first_[at(vertex) + 1]; }

 private:
  std::vector<int> first_;
  std::vector<Entry> entries_;
};

std::vector<int> every_vertex(int vertices) {
  std::vector<int> out(at(vertices));
  for (int v = 0; v < vertices; ++v) out[at(v)] = v;
  return out;
}

/// A tree of edges hung up at vertex 0, its vertices labelled in breadth-first order.
struct RootedTree {
  std::vector<int> label;            ///< by vertex
  std::vector<int> father, edge_up;  ///< by label
  TreePaths paths;

  RootedTree(int vertices, const std::vector<LoopEdge>& edges, const std::vector<char>& in_tree)
      : label(at(vertices), -1), father{0}, edge_up{-1} {
    const Incidence incidence(at(vertices), edges, every_vertex(vertices),
                              [&](std::size_t e) { return in_tree[e] != 0; });
    std::vector<int> order{0};
    label[0] = 0;
    for (std::size_t next = 0; next < order.size(); ++next)
      for (const auto* entry = incidence.begin(order[next]); entry != incidence.end(order[next]); ++entry) {
        if (label[at(entry->vertex)] >= 0) continue;
        label[at(entry->vertex)] = static_cast<int>(order.size());
        order.push_back(entry->vertex);
        father.push_back(static_cast<int>(next));
        edge_up.push_back(entry->edge);
      }
    paths = TreePaths(father);
  }

  int distance(const LoopEdge& edge) const {
    const int a = label[at(edge.a)], b = label[at(edge.b)];
    return paths.depth(a) + paths.depth(b) - 2 * paths.depth(paths.meeting(a, b));
  }
  std::vector<int> path(const LoopEdge& edge) const {
    std::vector<int> out;
    int a = label[at(edge.a)], b = label[at(edge.b)];
    while (a != b) {
      if (a < b) std::swap(a, b);
      out.push_back(edge_up[at(a)]);
      a = father[at(a)];
    }
    return out;
  }
};

std::int64_t total_length(int vertices, const std::vector<LoopEdge>& edges, const std::vector<char>& in_tree) {
  const RootedTree tree(vertices, edges, in_tree);
  std::int64_t total = 0;
  for (std::size_t e = 0; e < edges.size(); ++e)
    if (!in_tree[e]) total += static_cast<std::int64_t>(edges[e].rows) * tree.distance(edges[e]);
  return total;
}

/// Contracts stars until one vertex is left; the edges of the stars are the tree.
std::vector<char> contracted_stars(int vertices, const std::vector<LoopEdge>& edges) {
  std::vector<char> in_tree(edges.size(), 0);
  std::vector<int> cluster = every_vertex(vertices);
  int clusters = vertices;
  while (clusters > 1) {
    const Incidence incidence(at(clusters), edges, cluster, [&](std::size_t e) { return edges[e].is_free; });
    std::vector<int> star(at(clusters), -1);
    int stars = 0;
    for (int centre = 0; centre < clusters; ++centre) {
      if (star[at(centre)] >= 0) continue;
      star[at(centre)] = stars;
      for (const auto* entry = incidence.begin(centre); entry != incidence.end(centre); ++entry) {
        if (star[at(entry->vertex)] >= 0) continue;
        star[at(entry->vertex)] = stars;
        in_tree[at(entry->edge)] = 1;
      }
      ++stars;
    }
    for (int& c : cluster) c = star[at(c)];
    clusters = stars;
  }
  return in_tree;
}

/// The loops of a tree, and the exchanges that make them shorter.
class LoopExchange {
 public:
  LoopExchange(int vertices, const std::vector<LoopEdge>& edges, std::vector<char> in_tree)
      : edges_(edges),
        in_tree_(std::move(in_tree)),
        loop_(edges.size()),
        crossing_(edges.size()),
        common_(edges.size(), 0) {
    const RootedTree tree(vertices, edges, in_tree_);
    for (std::size_t e = 0; e < edges.size(); ++e)
      if (!in_tree_[e]) set_loop(static_cast<int>(e), tree.path(edges[e]));
  }

  std::vector<char> shortened() {
    bool improved = true;
    while (improved && work_ < most_work) {
      improved = false;
      for (std::size_t cut = 0; cut < edges_.size() && work_ < most_work; ++cut)
        if (!in_tree_[cut] && edges_[cut].is_free) improved = exchange_best(static_cast<int>(cut)) || improved;
    }
    return std::move(in_tree_);
  }

 private:
  void set_loop(int cut, std::vector<int> loop) {
    for (const int edge : loop) crossing_[at(edge)].push_back(cut);
    loop_[at(cut)] = std::move(loop);
  }
  std::vector<int> take_loop(int cut) {
    for (const int edge : loop_[at(cut)]) {
      std::vector<int>& cuts = crossing_[at(edge)];
      work_ += static_cast<std::int64_t>(cuts.size());
      cuts.erase(std::find(cuts.begin(), cuts.end(), cut));
    }
    return std::move(loop_[at(cut)]);
  }

  /// The tree edge whose exchange for the cut shortens the total most, if one does.
  bool exchange_best(int cut) {
    const std::vector<int>& loop = loop_[at(cut)];
    for (const int edge : loop)
      for (const int other : crossing_[at(edge)]) ++common_[at(other)];
    const auto length = static_cast<std::int64_t>(loop.size());
    std::int64_t best_change = 0;
    int best_edge = -1;
    for (const int edge : loop) {
      if (!edges_[at(edge)].is_free) continue;
      std::int64_t change = (edges_[at(edge)].rows - edges_[at(cut)].rows) * length;
      for (const int other : crossing_[at(edge)])  // |A + B| = |A| + |B| - 2 |A and B|, the cut itself being in B
        if (other != cut)
          change += edges_[at(other)].rows * (length + 1 - 2 * static_cast<std::int64_t>(common_[at(other)]));
      if (change < best_change) {
        best_change = change;
        best_edge = edge;
      }
    }
    for (const int edge : loop) {
      work_ += static_cast<std::int64_t>(crossing_[at(edge)].size());
      for (const int other : crossing_[at(edge)]) common_[at(other)] = 0;
    }
    if (best_edge < 0) return false;
    exchange(cut, best_edge);
    return true;
  }

  void exchange(int cut, int edge) {
    const std::vector<int> through = crossing_[at(edge)];
    std::vector<int> circle = take_loop(cut);  // with the cut itself and the edge
    circle.push_back(cut);
    std::sort(circle.begin(), circle.end());
    in_tree_[at(cut)] = 1;
    in_tree_[at(edge)] = 0;
    for (const int other : through) {
      if (other == cut) continue;
      std::vector<int> loop = take_loop(other), sum;
      std::sort(loop.begin(), loop.end());
      std::set_symmetric_difference(loop.begin(), loop.end(), circle.begin(), circle.end(), std::back_inserter(sum));
      work_ += static_cast<std::int64_t>(loop.size() + circle.size());
      set_loop(other, std::move(sum));
    }
    circle.erase(std::find(circle.begin(), circle.end(), edge));
    set_loop(edge, std::move(circle));
  }

  const std::vector<LoopEdge>& edges_;
  std::vector<char> in_tree_;
  std::vector<std::vector<int>> loop_;      ///< by cut: tree edges
  std::vector<std::vector<int>> crossing_;  ///< by tree edge: cuts
  std::vector<int> common_;                 ///< by cut: edges that its loop shares with one loop; zeros between uses
  std::int64_t work_ = 0;
};

}  // namespace

std::vector<char> short_loop_tree(int vertices, const std::vector<LoopEdge>& edges, const std::vector<char>& start) {
  std::vector<char> local = contracted_stars(vertices, edges);
  const std::int64_t local_length = total_length(vertices, edges, local);
  const std::int64_t start_length = total_length(vertices, edges, start);
  std::vector<char> better = start_length <= local_length ? start : std::move(local);
  if (std::min(start_length, local_length) > most_work) return better;
  return LoopExchange(vertices, edges, std::move(better)).shortened();
}

}  // namespace linkwork
