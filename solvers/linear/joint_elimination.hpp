#pragma once

#include <linkwork/core/equations_of_motion.hpp>

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

namespace linkwork {

/// Where an elimination of a joint tree meets a singular matrix: the entry of v of a joint whose freedoms nothing
/// determines, or a row of a closure that tree and other closures make superfluous. -1: neither.
struct JointSingularity {
  int velocity = -1, row = -1;
  bool is_of_order = false;  ///< a pivot of this order of elimination; in another one the matrix may be regular
  /// Its number among accelerations and multipliers.
  int unknown(int velocities) const { return velocity >= 0 ? velocity : velocities + row; }
  explicit operator bool() const { return velocity >= 0 || row >= 0; }
};

/// [M G^T; G 0] of equations with joint coordinates, eliminated by the joint tree that they publish. Nothing is
/// allocated after the first factorisation of a kind.
class JointElimination {
 public:
  virtual ~JointElimination() = default;
  /// At the position of the tree, which is up to date.
  virtual JointSingularity factor(RowKind kind) = 0;
  /// "" or why the elimination would be no good; known from the first factorisation on.
  virtual std::string refusal() const { return ""; }
  /// Whether the last factorisation has lost digits, so that a step of iterative refinement is worth it.
  virtual bool is_delicate() const = 0;
  /// With the last factorisation; arrays may coincide as in LinearSolver::solve.
  virtual void solve(const double* f, const double* g, double* w, double* lambda) = 0;
};

/// The same in joint coordinates alone.
class RelativeElimination : public JointElimination {
 public:
  /// Velocity rows: factor and solve with the tree's own forces, `applied` in the joints, and gamma.
  virtual JointSingularity accelerations(const double* applied, const double* gamma, double* a, double* lambda) = 0;
  /// Rows of a kind that take no part from its next factorisation on: redundant ones, whose multipliers become zero.
  /// @return false where this elimination can't leave rows out
  virtual bool leave_out(RowKind /*kind*/, const std::vector<int>& rows) { return rows.empty(); }
};

// Null where there is no tree.

/// The recursion T along the tree (see JointRecursion), closures by S = C T^-1 C^T. A column of C^T is a wrench on a
/// few links that is eliminated along their paths to the ground; it gives each joint on the way an impulse u and a
/// response y = u / d, and with these S = sum of u y over all joints, as C T^-1 f is the sum of u with the response to
/// f, and T^-1 C^T lambda is a change of that response. So a solution takes one sweep inwards and one outwards.
std::unique_ptr<RelativeElimination> make_relative_recursion(const AnyJointTree& tree);
/// Each closure where its rows meet (see JointGraph); along the graph of bodies (see LinkBlocks) where too many rows
/// would be open on the way, or where only a loop determines the motion of a joint.
std::unique_ptr<RelativeElimination> make_relative_graph(const AnyJointTree& tree);
/// In coordinates of bodies and of joints (MEXX 3.17), by the recursion of the joint tree that they make (see
/// MixedSystem), closures by C T^-1 C^T.
std::unique_ptr<JointElimination> make_mixed_recursion(const AnyMixedTree& tree);
/// The same along the graph of bodies.
std::unique_ptr<JointElimination> make_mixed_graph(const AnyMixedTree& tree);

}  // namespace linkwork
