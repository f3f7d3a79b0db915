#pragma once

// Internal: dynamics along a joint tree.

#include <linkwork/core/at.hpp>
#include <linkwork/core/block_matrix.hpp>
#include <linkwork/core/joint_tree.hpp>
#include <linkwork/core/link_algebra.hpp>
#include <linkwork/solvers/linear/vanishing_rows.hpp>

#include <algorithm>
#include <array>
#include <vector>

namespace linkwork {

/// What follows from a joint tree without elimination: M, G and f as recursions that only multiply with them, the
/// wrenches of joints, and M and G themselves for solvers that ask for them. It reads the tree as it is refreshed.
template <class Space>
class TreeRecursions {
 public:
  /// @param tree  outlives this object; its links are laid out
  explicit TreeRecursions(const JointTree<Space>& tree);

  /// y = M x
  void multiply_mass(const Eigen::VectorXd& x, Eigen::VectorXd& y);
  /// Of the tree's forces: f.
  void generalised_force(Eigen::VectorXd& f);
  /// M a - f + G^T lambda
  void dynamic_residual(const Eigen::VectorXd& a, const Eigen::VectorXd& lambda, Eigen::VectorXd& residual);
  /// Adds the closures' rows on the links' velocities, which contain what driven joints do.
  void add_closure_velocities(Eigen::VectorXd& residual) const;

  /// A of each link by joint accelerations alone; valid until the next call.
  const std::vector<Twist<Space>>& accelerate_links(const Eigen::VectorXd& a);
  /// What joints have to give to links, from zero on: to be added to, and passed inwards.
  std::vector<Wrench<Space>>& start_wrenches() {
    std::fill(wrenches_.begin(), wrenches_.end(), Wrench<Space>{});
    return wrenches_;
  }
  /// What moves the links by a, and closures with multipliers.
  void add_motion(const Eigen::VectorXd& a, const Eigen::VectorXd& lambda) {
    accelerate_links(a);
    add_inertial();
    add_closure_forces(lambda);
  }
  /// S^T of the wrenches; they become those of the joints.
  void pass_inwards(Eigen::VectorXd& out);
  void find_joint_wrenches(const Eigen::VectorXd& a, const Eigen::VectorXd& lambda) {
    dynamic_residual(a, lambda, work_v_);
  }
  /// Of the last of these functions: on the link that the joint leads to, its axes and origin.
  const Wrench<Space>& joint_wrench(int label) const { return wrenches_[detail::at(label)]; }
  /// S v of a link.
  Twist<Space> joint_twist(int label, const Eigen::VectorXd& v) const {
    return joint_twist(tree_.links[detail::at(label)], v.data());
  }
  /// The joints that lead to the given links from `meeting` on, labels descending.
  std::vector<int> path_joints(std::vector<int> labels, int meeting) const;

  /// The link up to which the rows of a closure act (see JointTree).
  int meeting(std::size_t closure) const { return tree_.closures_of(RowKind::velocity).list[closure].meeting; }

  /// Blocks are laid out at the first question.
  void write_mass(BlockMatrix& M);
  /// G or C, from the rows of the closures.
  void write_rows(RowKind kind, BlockMatrix& G);

 private:
  static constexpr int n = Space::n;
  static constexpr int dimension = Space::dimension;
  using Link = typename JointTree<Space>::Link;
  using Closure = typename JointTree<Space>::Closure;
  using Part = typename Closure::Part;
  /// A block of G (or C) that the rows of a closure's part fill on their way to the root: the joint of a link.
  struct PathBlock {
    int link = 0, block = -1;  ///< -1: the joint has no freedoms
  };

  Twist<Space> joint_twist(const Link& link, const double* v) const;
  double joint_component(const Link& link, int freedom, const Wrench<Space>& wrench) const;
  void add_inertial();
  void add_closure_forces(const Eigen::VectorXd& lambda);
  void lay_out_mass(BlockMatrix& M);
  void lay_out_rows(RowKind kind, BlockMatrix& G);
  void clear_vanishing_rows(RowKind kind, BlockMatrix& G);

  const JointTree<Space>& tree_;
  std::vector<Twist<Space>> accelerations_;
  std::vector<Wrench<Space>> wrenches_;
  Eigen::VectorXd work_v_;
  std::array<std::vector<std::vector<PathBlock>>, 2> paths_;  ///< by RowKind and part
  std::array<VanishingRows<Space>, 2> vanishing_rows_;        ///< by RowKind
  std::vector<std::vector<int>> mass_blocks_;                 ///< by label: own block, then pairs with its ancestors
  std::vector<LinkInertia<Space>> composite_;
  std::array<bool, 2> rows_laid_out_{};  ///< by RowKind
};

extern template class TreeRecursions<Planar>;
extern template class TreeRecursions<Spatial>;

}  // namespace linkwork
