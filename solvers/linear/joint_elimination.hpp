#pragma once

#include <linkwork/core/equations_of_motion.hpp>

#include <Eigen/Core>
#include <memory>

namespace linkwork {

/// Where an elimination of a joint tree meets a singular matrix: the entry of v of a joint whose freedoms meet no
/// inertia, or a row of a closure that tree and other closures make superfluous. -1: neither.
struct JointSingularity {
  int velocity = -1, row = -1;
  explicit operator bool() const { return velocity >= 0 || row >= 0; }
};

/// [M G^T; G 0] in joint coordinates: the recursion T along the tree (see JointRecursion), closures by S = C T^-1 C^T.
/// A column of C^T is a wrench on a few links that is eliminated along their paths to the ground; it gives
/// each joint on the way an impulse u and a response y = u / d, and with these S = sum of u y over all joints, as C
/// T^-1 f is the sum of u with the response to f, and T^-1 C^T lambda is a change of that response. So a solution takes
/// one sweep inwards and one outwards. Nothing is allocated after construction.
class JointElimination {
 public:
  virtual ~JointElimination() = default;
  virtual JointSingularity factor(RowKind kind) = 0;
  /// With the last factorisation; arrays may coincide as in LinearSolver::solve.
  virtual void solve(const double* f, const double* g, double* w, double* lambda) = 0;
  /// Velocity rows: factor and solve with the tree's own forces, `applied` in the joints, and gamma.
  virtual JointSingularity accelerations(const double* applied, const double* gamma, double* a, double* lambda) = 0;
};

/// Null where there is no joint tree.
std::unique_ptr<JointElimination> make_joint_elimination(const AnyJointTree& tree);

}  // namespace linkwork
