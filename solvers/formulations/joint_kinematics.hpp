#pragma once

#include <linkwork/core/joint_tree.hpp>
#include <linkwork/solvers/formulations/level_turns.hpp>

#include <cstddef>
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
  /// @param joints  by label, fathers before their sons; the ground's entry is not read
  /// @param tree    outlives this object
  JointKinematics(const std::vector<TreeJoint<Space>>& joints, JointTree<Space>& tree);

  /// Refreshes rotation, origin and subspace.
  void position(Instant time, const double* q);
  /// Refreshes velocity, bias and force, the latter without what force elements do; position comes first. The ground
  /// gets no force.
  /// @param gravity  ground axes [m/s^2]
  void velocity(Instant time, const double* q, const double* v, const Vector<Space>& gravity);

  /// Angle of each link in its father [rad], counting full turns, at the last position, by label; planar only.
  const std::vector<double>& angles() const { return angles_; }

 private:
  static constexpr int n = Space::n;

  /// How a link moves in its father: not at all; about an axis that is one of its father's too, in space; about or
  /// along a unit axis; by exp(S q) of another constant S; as the joint says.
  enum class Kind { still, level_x, level_y, level_z, turn, travel, screw, given };
  static constexpr bool is_level(Kind kind) {
    return kind == Kind::level_x || kind == Kind::level_y || kind == Kind::level_z;
  }
  struct Slot {
    Kind kind = Kind::given;
    bool reversed = false;
    int axis = 0;      ///< of a turn or travel: which axis of the link
    double sign = 1;   ///< of a turn or travel: -1 where it is against the axis
    double angle = 0;  ///< of a level turn, at q = 0
    int freedoms = 0, subspace = 0;
    int q = 0, v = 0;
    const Joint<Space>* joint = nullptr;
    Pose<Space> zero;  ///< in the father: of the link at q = 0; of the joint's frame there for Kind::given
    // For Kind::given, of the last position: the joint's own X, and its drift as the tree goes.
    Pose<Space> X;
    Components<Space> drift = Components<Space>::Zero();
  };

  void lay_out(Slot& slot, const ConstantMotion<Space>& motion, std::size_t label);
  void place(const Pose<Space>& pose, std::size_t label);
  void ask_motion(Slot& slot, std::size_t label, Instant time, const double* q);
  Components<Space> joint_velocity(const Slot& slot, const double* v) const;
  Components<Space> joint_bias(const Slot& slot, Instant time, const double* q, const double* v) const;
  void turn(const Slot& slot, std::size_t label, double q);
  void make_level(Slot& slot) const;
  template <int axis>
  void turn_level(const Slot& slot, std::size_t label, double q);
  template <int axis>
  void move_level(const Slot& slot, std::size_t label, double v);
  void move(const Slot& slot, std::size_t label, Instant time, const double* q, const double* v);

  JointTree<Space>* tree_;
  std::vector<Slot> slots_;  ///< by label; the ground's is not used
  std::vector<double> angles_;
  std::vector<level_turns::PairedTwist> motions_;  ///< velocity and bias by label; in space
  JointMotion<Space> motion_;
};

extern template class JointKinematics<Planar>;
extern template class JointKinematics<Spatial>;

}  // namespace linkwork
