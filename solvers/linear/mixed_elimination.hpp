#pragma once

#include <linkwork/solvers/linear/joint_elimination.hpp>

#include <memory>

namespace linkwork {

/// [M G^T; G 0] in coordinates of bodies and of joints (MEXX 3.17), by the elimination of the joint tree that they make
/// (see MixedTree). The right side of a body is a wrench on its link, the right side of a relation an offset of the
/// accelerations across the joint, and minus the joint's wrench its multiplier. The relation of a cut joint is split by
/// an orthogonal basis of what its S reaches and what it does not: the first part gives the joint's own coordinates,
/// the second one is a closure. Nothing is allocated after the first factorisation of a kind.
class MixedElimination {
 public:
  virtual ~MixedElimination() = default;
  /// At the position of the tree, which is up to date.
  virtual JointSingularity factor(RowKind kind) = 0;
  /// With the last factorisation; arrays may coincide as in LinearSolver::solve.
  virtual void solve(const double* f, const double* g, double* w, double* lambda) = 0;
};

/// By recursion along the tree, closures by C T^-1 C^T. Null where there is no tree.
std::unique_ptr<MixedElimination> make_mixed_recursion(const AnyMixedTree& tree);

}  // namespace linkwork
