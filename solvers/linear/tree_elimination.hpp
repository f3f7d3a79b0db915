#pragma once

#include <linkwork/core/block_matrix.hpp>
#include <linkwork/core/block_tree.hpp>
#include <linkwork/solvers/linear/equilibration.hpp>

#include <memory>
#include <vector>

namespace linkwork {

/// Freedoms of the largest node that the elimination treats.
inline constexpr int largest_node = 6;

/// A pivot of M^ relative to its diagonal, or to the size that equilibration expects of it, and the squared sine of the
/// angle between a row and those before it, below which a node is eliminated together with its joint. At most three
/// digits are lost in a node by the fast elimination.
inline constexpr double safe_pivot = 1e-3;

/// What the elimination reads of a BlockTree, flat and by label. Slot 0 of a father is the ground, slot k + 1 node k.
struct TreePlan {
  struct Node {
    int father = 0;  ///< slot
    int column = 0;  ///< first entry in v
    int size = 0, rows = 0;
    int father_size = 0;  ///< width of the father's blocks; 0 on the ground
    int mass = -1;        ///< offset of the node's block in M; -1: no mass
    int first_row = 0;    ///< in the lists below
  };
  std::vector<Node> nodes;
  // Of each row kept with a node: its number, and where its values are in G; father -1: the row is tied to the ground.
  std::vector<int> row, own, father;
  std::vector<double> scale;  ///< of each velocity, then of each row of G, as `scaling` has them
  /// Of each velocity: the mass below which its body is light against what its joints connect it to.
  std::vector<double> light;

  TreePlan(const BlockTree& tree, const AugmentedMatrix& matrix, const Equilibration& scaling);
};

/// Elimination of [M G^T; G 0] without closures along a tree, from the leaves to the roots (MEXX 3.10), in the form
/// without roots:  with M^ the mass of a node and all that hangs on it,
///
///   M^ = L D L^T,   L^-1 G_k^T = Q R  (Q^T D^-1 Q = N, R unit upper),   C_k := R^-T C_k,   M^_father += C_k^T N^-1 C_k
///
/// If M^ is not safely definite (massless nodes, very light ones), the node is eliminated together with its joint by
/// triangular factors of [M^ G_k^T; G_k 0] (see PairFactors). Nothing is allocated after construction.
class TreeElimination {
 public:
  virtual ~TreeElimination() = default;
  /// @param M, G  the values of the two matrices
  /// @return label of the node whose pair [M^ G_k^T; G_k 0] is singular, or -1
  virtual int factor(const double* M, const double* G) = 0;
  /// Whether a pair was nearly singular: the father's motion, unknown yet, is needed to determine the node's well. The
  /// solution then deserves a step of iterative refinement.
  virtual bool is_delicate() const = 0;
  /// Solves for the whole right side; f and w, g and lambda may be one vector.
  virtual void solve(const double* f, const double* g, double* w, double* lambda) = 0;
  /// Eliminates a force on one node, its father held and g = 0: w is the node's acceleration; what the joint passes on
  /// is subtracted from `father_force`. All have width() entries; those beyond the node's size are zero.
  virtual void pass_force(int node, const double* force, double* father_force, double* w) const = 0;
  virtual int width() const = 0;
};

/// For nodes of up to 3 freedoms, fast for 2 and 3.
std::unique_ptr<TreeElimination> make_planar_elimination(TreePlan plan);
/// For nodes of up to 6 freedoms, fast for 3 and 6.
std::unique_ptr<TreeElimination> make_spatial_elimination(TreePlan plan);

}  // namespace linkwork
