#pragma once

#include <linkwork/core/joint_tree.hpp>

#include <vector>

namespace linkwork {

/// A joint of the spanning tree, seen from the link it leads to.
template <class Space>
struct TreeJoint {
  const Joint<Space>* joint = nullptr;
  int father = 0;         ///< label of the link it comes from
  bool reversed = false;  ///< whether the tree goes from the joint's son to its father
  int q = 0, v = 0;       ///< first entries
  Pose<Space> frame;      ///< of the joint on that link, in the link's frame
};

/// The kinematics of a tree of joints, from q and v to the arrays of a JointTree. The link's frame is the joint's frame
/// on it: of the joint's son or, where the joint is reversed, of its father.
///
/// With the joint's own motion X, V_J = S v + drift, V_J' = S v' + bias, the reversed one is X^-1, -Ad_X V_J and
/// -Ad_X V_J'. A link moves by (X here from the father's axes and origin to the link's)
///
///   V_i = X_i V_father + V_J,     A_i = X_i A_father + S v' + bias + V_i x V_J
///
/// because the derivative of X_i V_father in the link's axes is (X_i V_father) x V_J. Joints whose motion is constant
/// are data; each other one is asked for its motion once per position, and for its bias once per velocity.
template <class Space>
class JointKinematics {
 public:
  /// Lays the tree out: links, sizes of all arrays by label, columns of constant subspaces. Inertias are set to zero
  /// and closures left alone: both are the caller's.
  /// @param joints  by label, from 1 on; fathers before their sons
  /// @param tree    outlives this object
  JointKinematics(const std::vector<TreeJoint<Space>>& joints, JointTree<Space>& tree);

  /// Refreshes rotation, origin and subspace.
  void position(double time, const double* q);
  /// Refreshes velocity, bias and force, the latter without what force elements do; position comes first. The ground
  /// gets no force.
  /// @param gravity  ground axes [m/s^2]
  void velocity(double time, const double* q, const double* v, const Vector<Space>& gravity);

 private:
  /// How X(q) is found: `turn` about and `travel` along a unit axis of the link, `screw` exp(S q) of any constant S,
  /// `given` by the joint.
  enum class Motion { turn, travel, screw, given };
  struct Slot {
    const Joint<Space>* joint = nullptr;
    Motion motion = Motion::given;
    int axis = -1;  ///< 0 ... dimension or angular - 1, of a turn or travel
    int q = 0, v = 0, freedoms = 0;
    int father = 0, subspace = 0;
    bool reversed = false;
    Pose<Space> zero;  ///< of the link at q = 0 in its father; of the joint's frame there for a joint that is `given`
  };

  void place_given(const Slot& slot, std::size_t label, double time, const double* q);
  void place_on_screw(const Slot& slot, std::size_t label, const double* q);
  Twist<Space> joint_twist(const Slot& slot, std::size_t label, const double* v) const;
  void move(std::size_t label, const Slot& slot, double time, const double* q, const double* v);

  JointTree<Space>* tree_;
  std::vector<Slot> slots_;               ///< by label
  std::vector<Pose<Space>> motion_;       ///< X of given joints that are reversed, by label
  std::vector<Components<Space>> drift_;  ///< of given joints, by label, as the tree goes
  JointMotion<Space> scratch_;
};

extern template class JointKinematics<Planar>;
extern template class JointKinematics<Spatial>;

}  // namespace linkwork
