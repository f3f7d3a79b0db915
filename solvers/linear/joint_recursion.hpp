#pragma once

#include <linkwork/core/joint_tree.hpp>

#include <memory>
#include <vector>

namespace linkwork {

inline Components<Planar> components(const Twist<Planar>& x) { return {x.angular, x.linear[0], x.linear[1]}; }
inline Components<Planar> components(const Wrench<Planar>& x) { return {x.torque, x.force[0], x.force[1]}; }
inline Components<Spatial> components(const Twist<Spatial>& x) {
  Components<Spatial> out;
  out << x.angular, x.linear;
  return out;
}
inline Components<Spatial> components(const Wrench<Spatial>& x) {
  Components<Spatial> out;
  out << x.torque, x.force;
  return out;
}
inline void assign(const Components<Planar>& x, Twist<Planar>& out) { out = {x[0], x.tail<2>()}; }
inline void assign(const Components<Planar>& x, Wrench<Planar>& out) { out = {x[0], x.tail<2>()}; }
inline void assign(const Components<Spatial>& x, Twist<Spatial>& out) { out = {x.head<3>(), x.tail<3>()}; }
inline void assign(const Components<Spatial>& x, Wrench<Spatial>& out) { out = {x.head<3>(), x.tail<3>()}; }

/// A joint's freedoms meet no inertia when a pivot S^T I^ S is smaller than this times the inertia that it came from.
inline constexpr double inertia_pivot = 1e-13;
/// Below this ratio of the two, solutions deserve a step of iterative refinement. Bodies alike may come down to 1e-5
/// where a long row of loops is eliminated, without an error in accelerations that would show.
inline constexpr double delicate_inertia_pivot = 1e-6;

/// Right side of the equations that JointRecursion solves; what is not given is zero.
template <class Space>
struct TreeLoad {
  const double* force = nullptr;  ///< in the joints [N, N m], by entry of v
  const Wrench<Space>* wrench =
      nullptr;  ///< w at A = 0, by label: what the link needs from its joint before it accelerates
  const Twist<Space>* offset = nullptr;  ///< of A across the joint, by label
};

/// Elimination of a tree of links and joints, the articulated-body recursion (MEXX 3.17). For given force f, wrench w0
/// and offset c it finds v', A and w with
///
///   A_i = X_i A_father + S_i v_i' + c_i,  A_0 = 0
///   w_i = I_i A_i + w0_i + sum over sons of X^T w_son,   S_i^T w_i = f_i
///
/// so that without c the v' are M^-1 (f - S^T (w0 passed inwards)), in O(n). With the articulated inertia I^ of a link,
/// a joint is eliminated freedom by freedom, the last one first, as if each were a joint of its own:
///
///   U = I^ S_k,  d = S_k^T U,  I^ -= U U^T / d,     and of the right side  y_k = (f_k - S_k^T w^) / d,  w^ += U y_k
///
/// (w^ is what the link and all that hangs on it need at A = 0), and outwards  v_k' = y_k - U^T A / d,  A += S_k v_k'.
/// In coordinates where the joints are decoupled, y and d are right side and matrix: the product of M^-1 with two right
/// sides is the sum of d y_1 y_2 over all joint freedoms. Kernels are compiled for each number of freedoms and for unit
/// axes, chosen once by the shape of S. Nothing is allocated after construction.
template <class Space>
class JointRecursion {
 public:
  using Matrix = Eigen::Matrix<double, Space::n, Space::n>;

  /// Reads the links and their inertias; rotation, origin and subspace are read at each factorisation and kept with it,
  /// so that solutions stay those of one matrix when the position has moved on. Which links turn about an axis of their
  /// father is read from the rotation now, once: with a constant S that axis stays where it is.
  /// @param tree  outlives this object
  explicit JointRecursion(const JointTree<Space>& tree);
  ~JointRecursion();
  JointRecursion(JointRecursion&&) noexcept;

  /// Articulated inertias at the tree's position.
  /// @return the link whose joint freedoms meet no inertia, or -1
  int factor();
  /// Whether the last factorisation met a pivot below delicate_inertia_pivot.
  bool is_delicate() const;
  /// v' with the last factorisation; A stays in link_acceleration().
  /// @param acceleration  v'; may be the same array as load.force
  void solve(const TreeLoad<Space>& load, double* acceleration);
  /// factor() and the inward half of solve({force, tree.force}) in one sweep: the equations' own right side.
  int factor_and_load(const double* force);

  // The halves of a solution. Between them the response may be changed, so that closures need one outward sweep only.
  void inward(const TreeLoad<Space>& load);
  double* response();  ///< y, by entry of v
  const double* response() const;
  void outward(double* acceleration, const Twist<Space>* offset = nullptr);

  /// A of the last outward sweep, link's axes; zero for the ground.
  Twist<Space> link_acceleration(int link) const;
  /// w of all links for given A = link_acceleration(); the ground's is the sum of its sons'.
  void joint_wrenches(const Wrench<Space>* load, Wrench<Space>* wrench);

  /// What a wrench on one link does, everything inside of the link's joint held.
  /// @param wrench    on the link, n numbers (torque first, link's axes and origin)
  /// @param impulse   S^T wrench in the eliminated sense, d times the response to it; `freedoms` numbers
  /// @param response  y of the link's joint to the wrench; `freedoms` numbers
  /// @param father    is increased by what reaches the father, n numbers
  void pass_wrench(int link, const double* wrench, double* impulse, double* response, double* father) const;

  /// Sum over the joint's freedoms of (|S|^2 |wrench|^2) / d, the angular parts and the linear ones apart: the size of
  /// impulse times response where the wrench goes along the motion. Rounding errors of the impulse are measured by it.
  double response_bound(int link, const double* wrench) const;

  // Step by step, for those who join closures in between. Labels go down; sons are eliminated before their fathers.
  /// Eliminates links first, first - 1, ..., last, after their sons; from the highest label on in one factorisation.
  /// @return as factor()
  int factor_links(int first, int last);
  /// Starts an inward sweep: w^ = w0 + I^ c.
  void load(const TreeLoad<Space>& right);
  /// Passes the load of links first, first - 1, ..., last on to their fathers.
  void inward_links(int first, int last);
  /// Outwards through links first, first + 1, ..., last, after their fathers; from label 1 on in one solution.
  void outward_links(int first, int last, double* acceleration);
  /// Adds to the articulated inertia of a link that has sons, all of them eliminated, itself not yet. Symmetric.
  void add_inertia(int link, const Matrix& inertia);
  /// Adds to w^ of a link whose sons passed their load on, itself not yet.
  void add_wrench(int link, const Components<Space>& wrench);

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

extern template class JointRecursion<Planar>;
extern template class JointRecursion<Spatial>;

}  // namespace linkwork
