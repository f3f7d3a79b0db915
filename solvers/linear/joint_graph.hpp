#pragma once

#include <linkwork/core/at.hpp>
#include <linkwork/core/joint_tree.hpp>
#include <linkwork/solvers/linear/closure_rows.hpp>
#include <linkwork/solvers/linear/joint_elimination.hpp>
#include <linkwork/solvers/linear/joint_recursion.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace linkwork {

/// Elimination of a tree of links and joints together with the closures of its loops, each closure at the link up to
/// which its rows act (its meeting, the lowest common ancestor). On its way from the leaves to the root a link carries
/// the rows that are open there: with A its acceleration and lambda their multipliers,
///
///   w = I^ A + w^ + C^T lambda,    0 = C A - S lambda + e
///
/// Passing a joint takes C through the joint, adds  C T_joint^-1 C^T  to S and what the joint's forces do to e. At
/// their meeting the rows are eliminated, S = L L^T being definite when they are independent:
///
///   I^ += Y^T Y,  w^ += Y^T t,  Y = L^-1 C,  t = L^-1 e       and the same for the rows that stay open
///
/// so that a loop that closes within a few links costs as much wherever it is: the cost is linear in the number of
/// loops as long as few rows are open anywhere (peak_width). Nothing is allocated after construction.
template <class Space>
class JointGraph {
 public:
  /// Beyond, the places of all pairs of rows would take more memory than a full matrix of the rows.
  static constexpr std::int64_t most_pairs = 20'000'000;

  /// What an elimination would cost, before any work or memory is spent on it.
  struct Cost {
    std::int64_t pairs = 0;  ///< of open rows, over all links: entries of S that are visited
    double operations = 0;   ///< multiply-adds, without those of the recursion; an estimate
  };

  /// Counting ends where pairs are more than most_pairs.
  static Cost cost(const JointTree<Space>& tree, RowKind kind);

  /// @param tree  outlives this object; brought up to date by the caller before each call
  JointGraph(const JointTree<Space>& tree, RowKind kind);

  /// Rows that take no part from the next factorisation on, as other rows hold what they hold: their multipliers are
  /// zero. @param rows  of the constraint matrix
  void leave_out(const std::vector<int>& rows);
  /// At the tree's position.
  JointSingularity factor();
  /// Whether the last factorisation met a pivot that was what is left of one a thousand times larger.
  bool is_delicate() const { return is_delicate_ || recursion_.is_delicate(); }
  /// v' and the multipliers for  rows A = g; with the last factorisation. load.offset is not read; acceleration may be
  /// load.force, lambda may be g.
  void solve(const TreeLoad<Space>& load, const double* g, double* acceleration, double* lambda);

 private:
  static constexpr int n = Space::n;

  /// A link with open rows: those that meet here first, then those that pass on to the father.
  struct Stop : ClosurePaths::Stop {
    int column = 0, freedoms = 0;
    int meeting = 0, passing = 0;
    std::size_t S = 0;         ///< of those that meet here: meeting x (meeting + passing), row by row
    std::size_t target = 0;    ///< first of passing (passing + 1) / 2 places in S
    std::size_t response = 0;  ///< first of passing x freedoms numbers
    int entries() const { return last - first; }
  };

  void lay_stops();
  void lay_targets(const std::vector<int>& stop_of_row);
  /// Rows are numbered in the order of elimination.
  int row_at(int entry) const { return rows_.paths().entries[detail::at(entry)].column; }

  int close(const Stop& stop);
  void pass(const Stop& stop);
  void close_load(const Stop& stop);
  void pass_load(const Stop& stop);
  void find_multipliers(const Stop& stop);

  double* C(int entry) { return C_.data() + detail::at(entry) * n; }

  const JointTree<Space>& tree_;
  ClosureRows<Space> rows_;
  JointRecursion<Space> recursion_;
  std::vector<Stop> stops_;  ///< those of the paths
  std::vector<std::size_t> targets_;
  std::vector<double> C_;  ///< by entry; of rows that meet: Y
  std::vector<double> S_;  ///< of a stop: L (lower) and X = L^-1 S of the rows that stay open
  std::vector<double> impulse_, response_;
  std::vector<double> reference_;  ///< by row: S before other rows took from it
  std::vector<char> is_left_out_;  ///< by row of the constraint matrix
  std::vector<double> e_, lambda_;
  bool is_delicate_ = false;
};

extern template class JointGraph<Planar>;
extern template class JointGraph<Spatial>;

}  // namespace linkwork
