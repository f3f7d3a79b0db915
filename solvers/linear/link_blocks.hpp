#pragma once

#include <linkwork/core/at.hpp>
#include <linkwork/core/joint_tree.hpp>
#include <linkwork/solvers/linear/block_elimination.hpp>
#include <linkwork/solvers/linear/joint_elimination.hpp>
#include <linkwork/solvers/linear/joint_recursion.hpp>
#include <linkwork/solvers/linear/split_subspace.hpp>

#include <Eigen/Core>
#include <string>
#include <vector>

namespace linkwork {

/// The equations of a joint tree with closures, for the accelerations A of its links. Joints are rows: with N^T S = 0,
///
///   N_i^T (A_i - X_i A_father) = N_i^T c_i,     S_i v_i' = A_i - X_i A_father - c_i afterwards
///
/// so that the matrix has the pattern of the mechanism's graph and is eliminated along that (see GraphElimination): it
/// does not matter how long the loops are that the tree makes, nor whether a joint moves mass or only a loop tells how
/// it moves. Links that no joint leads to keep their own coordinates, A = S v' + c. Nothing is allocated after the
/// first factorisation.
template <class Space>
class LinkBlocks {
 public:
  using Closures = typename JointTree<Space>::Closures;

  /// Multiply-adds of a factorisation, before any work is spent on it; bodies without mass are taken for bodies.
  static double operations(const JointTree<Space>& tree, const Closures& closures);

  /// @param tree, closures  outlive this object
  LinkBlocks(const JointTree<Space>& tree, const Closures& closures);

  /// At the tree's position.
  JointSingularity factor();
  /// "" or why no order of elimination is any good, known from the first factorisation on.
  std::string refusal() const { return elimination_.refusal(); }
  /// Where a pivot was small the solution is refined here.
  static constexpr bool is_delicate() { return false; }
  /// Accelerations v' and multipliers; acceleration may be load.force, lambda may be g.
  void solve(const TreeLoad<Space>& load, const double* g, double* acceleration, double* lambda);

  // Of the last solution.
  Twist<Space> link_acceleration(int link) const;
  /// w by label; the ground's is left alone.
  void joint_wrenches(Wrench<Space>* wrench);

 private:
  static constexpr int n = Space::n;
  using Matrix = Eigen::Matrix<double, n, n>;

  /// A link's unknowns and rows.
  struct Slot {
    bool is_free = false;
    int column = 0, size = 0;
    int row = 0, rows = 0;                    ///< of its joint
    int mass = -1, own = -1, on_father = -1;  ///< blocks
    SplitSubspace<Space> joint;
    Subspace<Space> S;
  };

  const Slot& slot(int link) const { return slots_[detail::at(link)]; }
  void lay_out();
  JointSingularity refresh();
  void find_scale();
  void write_inertia(std::size_t label);
  void write_rows(const Components<Space>* rows, int count, const Slot& on, double* block) const;
  Components<Space> on_father(std::size_t label, const Components<Space>& wrench) const;
  Components<Space> moved_by_father(std::size_t label) const;
  Components<Space> inertial(std::size_t label, const Components<Space>& A) const;
  void load_links(const TreeLoad<Space>& load);
  void write_right_sides(const TreeLoad<Space>& load, const double* g);

  const JointTree<Space>& tree_;
  const Closures& closures_;
  std::vector<Slot> slots_;          ///< by label
  std::vector<int> closure_blocks_;  ///< by part; -1: the link can't move
  int joint_rows_ = 0;
  double length_ = 0;  ///< that a radian counts, from the first factorisation on [m]
  BlockMatrix M_, G_;
  Eigen::VectorXd scale_;  ///< AugmentedMatrix::scale, from the first factorisation on
  BlockElimination elimination_;
  Eigen::VectorXd f_, g_, w_, lambda_;
  // By label: the load; the part of the joint's wrench that its own force gives; the sum of both and of the sons'.
  std::vector<Components<Space>> force_, offset_, held_, balance_;
  std::vector<Components<Space>> A_;
};

extern template class LinkBlocks<Planar>;
extern template class LinkBlocks<Spatial>;

}  // namespace linkwork
