#include <linkwork/topology/elimination_plan.hpp>

#include <linkwork/core/at.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/topology/disjoint_sets.hpp>
#include <linkwork/topology/topology.hpp>

#include <algorithm>
#include <iterator>
#include <limits>
#include <queue>
#include <tuple>
#include <utility>

namespace linkwork {

namespace {

using Kind = BlockGraph::Kind;

using detail::at;

// Unknowns of weak velocities that hang together, with their constraints, that are one pivot: a full matrix.
constexpr int largest_weak_pivot = 100;

std::vector<std::vector<int>> adjacency(const BlockGraph& graph) {
  std::vector<std::vector<int>> lists(graph.nodes.size());
  for (const auto& [a, b] : graph.edges) {
    lists[at(a)].push_back(b);
    lists[at(b)].push_back(a);
  }
  for (std::vector<int>& list : lists) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return lists;
}

/// Nodes that go together.
struct Grouping {
  std::vector<std::vector<int>> groups;  ///< nodes, ascending
  std::vector<char> is_split;            ///< by node: weak velocities that go without some of their constraints
};

/// Decides when a constraint may go. Bodies that are eliminated, and the constraints that went with them, make parts;
/// the rows of all that went must be independent on the bodies that went. That holds while each part is tied to one
/// thing outside at most, to one body by constraints that went before it, or to the ground: held there, a part moves as
/// a rigid whole or not at all, so that rows which depend on each other on the part do so altogether.
class Stability {
 public:
  Stability(const BlockGraph& graph, const std::vector<std::vector<int>>& neighbours, const std::vector<char>& is_split)
      : graph_(graph),
        neighbours_(neighbours),
        is_split_(is_split),
        parts_(graph.nodes.size()),
        part_(graph.nodes.size()),
        is_gone_(graph.nodes.size(), false),
        waiting_(graph.nodes.size()) {}

  /// @param members  nodes that would go together
  bool allows(const std::vector<int>& members) {
    if (members.size() == 1 && kind(members.front()) == Kind::definite) return true;
    const bool is_pair =
        std::any_of(members.begin(), members.end(), [&](int node) { return is_split_[at(node)] != 0; });
    if (is_pair && !have_only_themselves(members)) return false;
    const Surroundings around = look_around(members);
    if (!around.outside.empty() && !is_pair && (members.size() > 1 || around.inside.empty())) return false;
    return around.ties.size() + (around.grounded ? 1 : 0) <= 1;
  }

  void eliminate(const std::vector<int>& members) {
    const Surroundings around = look_around(members);
    for (const int node : members) is_gone_[at(node)] = true;
    int part = parts_.find(members.front());
    const auto join = [&](int other) {
      other = parts_.find(other);
      if (other == part) return;
      const bool grounded = part_[at(part)].grounded || part_[at(other)].grounded;
      const int tie = std::max(part_[at(part)].tie, part_[at(other)].tie);
      part = parts_.unite(part, other);
      part_[at(part)] = {grounded, tie};
    };
    for (const int node : members) {
      join(node);
      for (const int other : waiting_[at(node)]) {  // their constraints have all bodies now
        join(other);
        part_[at(part)].tie = -1;
      }
    }
    if (members.size() == 1 && kind(members.front()) == Kind::definite) return;
    for (const int other : around.inside) join(other);
    part_[at(part)].grounded = part_[at(part)].grounded || around.grounded;
    if (around.outside.empty()) return;
    part_[at(part)].tie = around.outside.front();
    waiting_[at(around.outside.front())].push_back(part);
  }

 private:
  struct Part {
    bool grounded = false;
    int tie = -1;  ///< body that is there yet, with constraints that went before it; -1: none
  };
  struct Surroundings {
    std::vector<int> inside;   ///< parts
    std::vector<int> outside;  ///< bodies that are there yet
    std::vector<int> ties;     ///< these and those of the parts
    bool grounded = false;
  };

  Kind kind(int node) const { return graph_.nodes[at(node)].kind; }

  static void make_set(std::vector<int>& list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }

  static bool contains(const std::vector<int>& members, int node) {
    return std::binary_search(members.begin(), members.end(), node);
  }

  /// Whether all other constraints of the weak velocities among the members have gone.
  bool have_only_themselves(const std::vector<int>& members) const {
    return std::all_of(members.begin(), members.end(), [&](int node) {
      if (kind(node) == Kind::constraint) return true;
      const std::vector<int>& constraints = neighbours_[at(node)];
      return std::all_of(constraints.begin(), constraints.end(),
                         [&](int each) { return is_gone_[at(each)] || contains(members, each); });
    });
  }

  Surroundings look_around(const std::vector<int>& members) {
    Surroundings around;
    for (const int node : members) {
      if (kind(node) != Kind::constraint) {
        if (kind(node) == Kind::weak)
          for (const int part : waiting_[at(node)]) around.inside.push_back(parts_.find(part));
        continue;
      }
      int bodies = 0;
      for (const int body : neighbours_[at(node)]) {
        ++bodies;
        if (contains(members, body)) continue;
        (is_gone_[at(body)] ? around.inside : around.outside).push_back(is_gone_[at(body)] ? parts_.find(body) : body);
      }
      around.grounded = around.grounded || bodies < 2;
    }
    make_set(around.inside);
    make_set(around.outside);
    around.ties = around.outside;
    for (const int part : around.inside) {
      if (const int tie = part_[at(part)].tie; tie >= 0 && !contains(members, tie)) around.ties.push_back(tie);
      around.grounded = around.grounded || part_[at(part)].grounded;
    }
    make_set(around.ties);
    return around;
  }

  const BlockGraph& graph_;
  const std::vector<std::vector<int>>& neighbours_;
  const std::vector<char>& is_split_;
  DisjointSets parts_;
  std::vector<Part> part_;  ///< by representative
  std::vector<bool> is_gone_;
  std::vector<std::vector<int>> waiting_;  ///< by body: parts tied to it
};

/// The constraint over which each body is reached from the ground on the shortest way; -1: none, where a component
/// without ground begins, at velocities with a definite mass.
std::vector<int> constraints_towards_ground(const BlockGraph& graph, const std::vector<std::vector<int>>& neighbours) {
  const int count = static_cast<int>(graph.nodes.size());
  const auto kind = [&](int node) { return graph.nodes[at(node)].kind; };
  std::vector<int> towards(graph.nodes.size(), -1);
  std::vector<char> is_reached(graph.nodes.size(), 0);
  std::queue<int> next;
  const auto reach = [&](int node) {
    is_reached[at(node)] = 1;
    next.push(node);
  };
  const auto spread = [&] {
    for (; !next.empty(); next.pop())
      for (const int other : neighbours[at(next.front())]) {
        if (is_reached[at(other)]) continue;
        if (kind(other) != Kind::constraint) towards[at(other)] = next.front();
        reach(other);
      }
  };
  for (int node = 0; node < count; ++node)
    if (kind(node) == Kind::constraint && neighbours[at(node)].size() < 2) reach(node);
  spread();
  for (const Kind start : {Kind::definite, Kind::weak})
    for (int node = 0; node < count; ++node)
      if (!is_reached[at(node)] && kind(node) == start) {
        reach(node);
        spread();
      }
  return towards;
}

/// Weak velocities with all their constraints; every other node alone. Where that takes more than `largest` unknowns
/// together, each weak velocity goes with the constraint towards the ground alone, after its other constraints.
Grouping group(const BlockGraph& graph, const std::vector<std::vector<int>>& neighbours, int largest) {
  DisjointSets clusters(graph.nodes.size());
  const auto is_of_cluster = [&](int a, int b) {
    const Kind kind_a = graph.nodes[at(a)].kind, kind_b = graph.nodes[at(b)].kind;
    return (kind_a == Kind::weak || kind_b == Kind::weak) && kind_a != Kind::definite && kind_b != Kind::definite;
  };
  for (const auto& [a, b] : graph.edges)
    if (is_of_cluster(a, b)) clusters.unite(a, b);
  std::vector<int> size(graph.nodes.size(), 0);
  for (int node = 0; node < static_cast<int>(graph.nodes.size()); ++node)
    size[at(clusters.find(node))] += graph.nodes[at(node)].size;

  Grouping out;
  out.is_split.assign(graph.nodes.size(), 0);
  DisjointSets sets(graph.nodes.size());
  std::vector<int> towards_ground;
  for (const auto& [a, b] : graph.edges)
    if (is_of_cluster(a, b) && size[at(clusters.find(a))] <= largest) sets.unite(a, b);
  for (int node = 0; node < static_cast<int>(graph.nodes.size()); ++node) {
    if (graph.nodes[at(node)].kind != Kind::weak || size[at(clusters.find(node))] <= largest) continue;
    if (towards_ground.empty()) towards_ground = constraints_towards_ground(graph, neighbours);
    out.is_split[at(node)] = 1;
    if (towards_ground[at(node)] >= 0) sets.unite(node, towards_ground[at(node)]);
  }
  std::vector<int> index(graph.nodes.size(), -1);
  for (int node = 0; node < static_cast<int>(graph.nodes.size()); ++node) {
    int& of_node = index[at(sets.find(node))];
    if (of_node < 0) {
      of_node = static_cast<int>(out.groups.size());
      out.groups.emplace_back();
    }
    out.groups[at(of_node)].push_back(node);
  }
  return out;
}

/// Elimination of groups in the order of least degree.
class GreedyElimination {
 public:
  /// @param largest_cluster  of weak velocities with all their constraints, in unknowns
  GreedyElimination(const BlockGraph& graph, int largest_cluster)
      : graph_(graph),
        nodes_(adjacency(graph)),
        grouping_(group(graph, nodes_, largest_cluster)),
        groups_(grouping_.groups),
        stability_(graph, nodes_, grouping_.is_split),
        coupled_(groups_.size()),
        size_(groups_.size()),
        is_gone_(groups_.size(), false),
        version_(groups_.size(), 0) {
    std::vector<int> group_of(graph.nodes.size());
    for (std::size_t g = 0; g < groups_.size(); ++g)
      for (const int node : groups_[g]) {
        group_of[at(node)] = static_cast<int>(g);
        size_[g] += graph.nodes[at(node)].size;
      }
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      for (const int node : groups_[g])
        for (const int other : nodes_[at(node)])
          if (group_of[at(other)] != static_cast<int>(g)) coupled_[g].push_back(group_of[at(other)]);
      std::sort(coupled_[g].begin(), coupled_[g].end());
      coupled_[g].erase(std::unique(coupled_[g].begin(), coupled_[g].end()), coupled_[g].end());
    }
  }

  /// @return whether all groups could go
  bool run() {
    for (int g = 0; g < static_cast<int>(groups_.size()); ++g) push(g);
    while (!queue_.empty()) {
      const auto [degree, negative, version] = queue_.top();
      queue_.pop();
      const int g = -negative;
      // A group that may not go yet comes back when a neighbour has gone.
      if (!is_gone_[at(g)] && version == version_[at(g)] && stability_.allows(groups_[at(g)])) eliminate(g);
    }
    return order_.size() == groups_.size();
  }

  /// The plan, with the order made a postorder.
  EliminationPlan plan() const {
    const std::vector<int> position = postorder();
    EliminationPlan out;
    std::vector<int> at_position(order_.size());
    for (const int g : order_) at_position[at(position[at(g)])] = g;
    for (const int g : at_position) {
      EliminationPlan::Pivot pivot;
      pivot.first_member = static_cast<int>(out.member.size());
      pivot.members = static_cast<int>(groups_[at(g)].size());
      out.member.insert(out.member.end(), groups_[at(g)].begin(), groups_[at(g)].end());
      pivot.size = size_[at(g)];
      const Kind kind = graph_.nodes[at(groups_[at(g)].front())].kind;
      pivot.sign = pivot.members > 1 || kind == Kind::weak ? EliminationPlan::Sign::indefinite
                   : kind == Kind::constraint              ? EliminationPlan::Sign::negative
                                                           : EliminationPlan::Sign::positive;
      pivot.first_neighbour = static_cast<int>(out.neighbour.size());
      pivot.neighbours = static_cast<int>(coupled_[at(g)].size());
      for (const int other : coupled_[at(g)]) {
        out.neighbour.push_back(position[at(other)]);
        pivot.height += size_[at(other)];
      }
      std::sort(out.neighbour.begin() + pivot.first_neighbour, out.neighbour.end());
      out.pivots.push_back(pivot);
    }
    count(out);
    return out;
  }

 private:
  void push(int g) {
    int degree = 0;
    for (const int other : coupled_[at(g)]) degree += size_[at(other)];
    queue_.emplace(degree, -g, ++version_[at(g)]);
  }

  /// What is coupled with a group when it goes is its list from then on.
  void eliminate(int g) {
    stability_.eliminate(groups_[at(g)]);
    is_gone_[at(g)] = true;
    order_.push_back(g);
    std::vector<int> both;
    for (const int other : coupled_[at(g)]) {
      both.clear();
      std::set_union(coupled_[at(other)].begin(), coupled_[at(other)].end(), coupled_[at(g)].begin(),
                     coupled_[at(g)].end(), std::back_inserter(both));
      both.erase(std::remove_if(both.begin(), both.end(), [&](int each) { return each == g || each == other; }),
                 both.end());
      coupled_[at(other)].assign(both.begin(), both.end());
    }
    for (const int other : coupled_[at(g)]) push(other);
  }

  /// Position of each group in a postorder of the elimination tree: a group's father is the first of those coupled.
  std::vector<int> postorder() const {
    const auto count = groups_.size();
    std::vector<int> rank(count), first_son(count, -1), brother(count, -1), position(count), stack;
    for (std::size_t i = 0; i < order_.size(); ++i) rank[at(order_[i])] = static_cast<int>(i);
    std::vector<int> roots;
    for (std::size_t i = order_.size(); i-- > 0;) {
      const int g = order_[i];
      const auto father = std::min_element(coupled_[at(g)].begin(), coupled_[at(g)].end(),
                                           [&](int a, int b) { return rank[at(a)] < rank[at(b)]; });
      if (father == coupled_[at(g)].end()) {
        roots.push_back(g);
      } else {
        brother[at(g)] = first_son[at(*father)];
        first_son[at(*father)] = g;
      }
    }
    int next = 0;
    for (auto root = roots.rbegin(); root != roots.rend(); ++root) {
      stack.push_back(*root);
      while (!stack.empty()) {
        const int g = stack.back();
        const int son = first_son[at(g)];
        first_son[at(g)] = son < 0 ? -1 : brother[at(son)];
        if (son >= 0) {
          stack.push_back(son);
        } else {
          position[at(g)] = next++;
          stack.pop_back();
        }
      }
    }
    return position;
  }

  static void count(EliminationPlan& plan) {
    for (const EliminationPlan::Pivot& pivot : plan.pivots) {
      const std::int64_t s = pivot.size, h = pivot.height;
      const std::int64_t update = s * h * (h + 1) / 2;
      if (pivot.sign == EliminationPlan::Sign::indefinite) {
        plan.factor_operations += s * s * s / 3 + s * s * h + update;
        plan.solve_operations += s * s + 2 * s * h;
        plan.fill += s * s + s * h;
      } else {
        plan.factor_operations += s * (s * s - 1) / 6 + s * (s + 1) / 2 * h + update;
        plan.solve_operations += s * s + 2 * s * h;
        plan.fill += s * (s + 1) / 2 + s * h;
      }
      plan.largest_pivot = std::max(plan.largest_pivot, pivot.size);
      plan.peak_width = std::max(plan.peak_width, pivot.size + pivot.height);
    }
  }

  const BlockGraph& graph_;
  std::vector<std::vector<int>> nodes_;  ///< adjacency of the block graph
  Grouping grouping_;
  const std::vector<std::vector<int>>& groups_;
  Stability stability_;
  std::vector<std::vector<int>> coupled_;  ///< by group: groups that are there yet, ascending
  std::vector<int> size_;
  std::vector<bool> is_gone_;
  std::vector<int> version_;
  std::vector<int> order_;
  using Candidate = std::tuple<int, int, int>;  ///< degree; minus the group, so that leaves come first; version
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue_;
};

}  // namespace

EliminationPlan plan_elimination(const BlockGraph& graph) {
  GreedyElimination elimination(graph, largest_weak_pivot);
  if (elimination.run()) return elimination.plan();
  GreedyElimination by_clusters(graph, std::numeric_limits<int>::max());
  by_clusters.run();
  return by_clusters.plan();
}

std::string EliminationPlan::summary() const {
  return concat(pivots.size(), " pivots of up to ", largest_pivot, " unknowns, ", factor_operations,
                " multiply-adds to factor, ", solve_operations, " to solve, fill ", fill, ", peak width ", peak_width);
}

BlockGraph block_graph(const Topology& topology) {
  BlockGraph graph;
  for (std::size_t label = 1; label < topology.nodes.size(); ++label)
    graph.nodes.push_back({topology.nodes[label].freedoms, Kind::definite});
  for (const Topology::Element& element : topology.elements) {
    const int node = static_cast<int>(graph.nodes.size());
    graph.nodes.push_back({element.rows, Kind::constraint});
    for (const int end : element.ends)
      if (end > 0) graph.edges.push_back({end - 1, node});
  }
  return graph;
}

}  // namespace linkwork
