#include <linkwork/topology/elimination_plan.hpp>

#include <linkwork/core/at.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/topology/disjoint_sets.hpp>
#include <linkwork/topology/topology.hpp>

#include <algorithm>
#include <iterator>
#include <queue>
#include <tuple>
#include <utility>

namespace linkwork {

namespace {

using Kind = BlockGraph::Kind;

using detail::at;

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

/// Decides when a constraint may go. Bodies that are eliminated, and the constraints that went with them, make parts;
/// the rows of all that went must be independent on the bodies that went. That holds while each part is tied to one
/// thing outside at most, to one body by constraints that went before it, or to the ground: held there, a part moves as
/// a rigid whole or not at all, so that rows which depend on each other on the part do so altogether.
class Stability {
 public:
  Stability(const BlockGraph& graph, const std::vector<std::vector<int>>& neighbours)
      : graph_(graph),
        neighbours_(neighbours),
        parts_(graph.nodes.size()),
        part_(graph.nodes.size()),
        is_gone_(graph.nodes.size(), false),
        waiting_(graph.nodes.size()) {}

  /// @param members  nodes that would go together
  bool allows(const std::vector<int>& members) {
    if (members.size() == 1 && kind(members.front()) == Kind::definite) return true;
    const Surroundings around = look_around(members);
    if (!around.outside.empty() && (members.size() > 1 || around.inside.empty())) return false;
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

  Surroundings look_around(const std::vector<int>& members) {
    Surroundings around;
    for (const int node : members) {
      if (kind(node) != Kind::constraint) continue;
      int bodies = 0;
      for (const int body : neighbours_[at(node)]) {
        ++bodies;
        if (kind(body) == Kind::weak) continue;  // goes together with this constraint
        (is_gone_[at(body)] ? around.inside : around.outside).push_back(is_gone_[at(body)] ? parts_.find(body) : body);
      }
      around.grounded = around.grounded || bodies < 2;
    }
    make_set(around.inside);
    make_set(around.outside);
    around.ties = around.outside;
    for (const int part : around.inside) {
      if (part_[at(part)].tie >= 0) around.ties.push_back(part_[at(part)].tie);
      around.grounded = around.grounded || part_[at(part)].grounded;
    }
    make_set(around.ties);
    return around;
  }

  const BlockGraph& graph_;
  const std::vector<std::vector<int>>& neighbours_;
  DisjointSets parts_;
  std::vector<Part> part_;  ///< by representative
  std::vector<bool> is_gone_;
  std::vector<std::vector<int>> waiting_;  ///< by body: parts tied to it
};

/// Weak velocities with all their constraints; every other node alone.
std::vector<std::vector<int>> groups(const BlockGraph& graph) {
  DisjointSets sets(graph.nodes.size());
  for (const auto& [a, b] : graph.edges)
    if (graph.nodes[at(a)].kind == Kind::weak || graph.nodes[at(b)].kind == Kind::weak)
      if (graph.nodes[at(a)].kind != Kind::definite && graph.nodes[at(b)].kind != Kind::definite) sets.unite(a, b);
  std::vector<std::vector<int>> out;
  std::vector<int> index(graph.nodes.size(), -1);
  for (int node = 0; node < static_cast<int>(graph.nodes.size()); ++node) {
    int& group = index[at(sets.find(node))];
    if (group < 0) {
      group = static_cast<int>(out.size());
      out.emplace_back();
    }
    out[at(group)].push_back(node);
  }
  return out;
}

/// Elimination of groups in the order of least degree.
class GreedyElimination {
 public:
  explicit GreedyElimination(const BlockGraph& graph)
      : graph_(graph),
        nodes_(adjacency(graph)),
        groups_(groups(graph)),
        stability_(graph, nodes_),
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

  void run() {
    for (int g = 0; g < static_cast<int>(groups_.size()); ++g) push(g);
    while (!queue_.empty()) {
      const auto [degree, negative, version] = queue_.top();
      queue_.pop();
      const int g = -negative;
      // A group that may not go yet comes back when a neighbour has gone.
      if (!is_gone_[at(g)] && version == version_[at(g)] && stability_.allows(groups_[at(g)])) eliminate(g);
    }
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
  std::vector<std::vector<int>> nodes_;   ///< adjacency of the block graph
  std::vector<std::vector<int>> groups_;  ///< nodes
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
  GreedyElimination elimination(graph);
  elimination.run();
  return elimination.plan();
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
