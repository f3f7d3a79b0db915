#pragma once

#include <linkwork/core/joint.hpp>
#include <linkwork/core/pose.hpp>
#include <linkwork/core/space.hpp>

#include <array>
#include <variant>
#include <vector>

namespace linkwork {

/// Which rows of the constraints: those of the velocity constraints, holonomic and nonholonomic (G), or the derivative
/// of the position residual, holonomic only (C).
enum class RowKind { velocity, position };

/// Mass properties about the origin of a link, in its axes.
template <class Space>
struct LinkInertia {
  double mass = 0;
  Vector<Space> moment = Vector<Space>::Zero();  ///< mass times the centre of mass [kg m]
  Eigen::Matrix<double, Space::angular, Space::angular> inertia =
      Eigen::Matrix<double, Space::angular, Space::angular>::Zero();  ///< about the origin [kg m^2]
};

/// A mechanism in joint coordinates: its tree of links with the joints that lead to them, and the constraints that
/// close loops. Published by formulations that have joint coordinates, read by recursive solvers; plain arrays by
/// label, which the equations refresh in place.
///
/// Link 0 is the ground, and fathers have smaller labels than their sons. A link's frame is the frame of its joint on
/// it (for a body without a joint: its centre of mass). Twists, accelerations and wrenches here are in the link's axes
/// and at its origin. Accelerations A are the derivatives of the twist's components in the moving link's axes (those of
/// spatial vector algebra; the origin accelerates by A.linear + omega x v).
///
///   V_i = X_i V_father + S_i v_i + drift_i          X_i takes a twist from the father's frame to the link's
///   A_i = X_i A_father + S_i v_i' + (terms at v' = 0)
///   w_i = I_i A_i + V_i x* I_i V_i - external       wrench that link i needs from its joint and its sons
template <class Space>
struct JointTree {
  struct Link {
    int father = 0;
    int column = 0;    ///< first entry in v
    int freedoms = 0;  ///< of its joint, 0 to n
    int axis = -1;     ///< S is this unit vector, always (one freedom); -1: S stands in `subspace`
    /// Whether it turns about an axis that is the father's axis of the same number, too. In space, beside `axis`.
    bool is_level = false;
    int subspace = 0;      ///< first column of S there
    bool is_free = false;  ///< no joint leads to it: the body moves by itself, a point without turning
  };
  struct Closure {
    struct Part {
      int link = 0;
      int first = 0;  ///< of `count` consecutive rows in Closures::rows
    };
    int row = 0, count = 0;  ///< rows of the constraint matrix
    /// The link up to which the rows act: they are blind to a rigid motion of everything that hangs on it. The lowest
    /// common ancestor for joints, the ground (0) for other constraints.
    int meeting = 0;
    std::vector<Part> parts;
  };
  struct Closures {
    std::vector<Closure> list;
    std::vector<Components<Space>> rows;  ///< on the link's twist; refreshed with the position
    int row_count = 0;                    ///< rows of the constraint matrix
  };

  std::vector<Link> links;
  std::vector<LinkInertia<Space>> inertias;
  int freedoms = 0;  ///< of all joints

  // Refreshed with the position.
  std::vector<Rotation<Space>> rotation;    ///< components in the father's axes = rotation * those in the link's
  std::vector<Vector<Space>> origin;        ///< of the link in its father, father's axes
  std::vector<Components<Space>> subspace;  ///< columns of the S that are no unit vectors
  std::array<Closures, 2> closures;         ///< by RowKind

  // Refreshed with the velocity and the forces.
  std::vector<Twist<Space>> velocity;  ///< V
  std::vector<Twist<Space>> bias;      ///< A at v' = 0, gravity included: the ground's is -gravity
  std::vector<Wrench<Space>> force;    ///< w at v' = 0: the inertia's and the velocity's less what forces do

  const Closures& closures_of(RowKind kind) const { return closures[static_cast<std::size_t>(kind)]; }
  Closures& closures_of(RowKind kind) { return closures[static_cast<std::size_t>(kind)]; }
};

/// A mechanism in coordinates of its bodies and of its joints at once (MEXX 1.10 to 1.15), seen as a joint tree, so
/// that recursions eliminate both (MEXX 3.17). Columns of the tree's links are entries of the whole v, of which it has
/// tree.freedoms. A link's frame has the axes of its body and the centre of mass for origin; poses are those of the
/// bodies, whether they fit the joints or not. The link of a body without a joint in the tree moves by the velocities
/// of the body itself. Closures are the relations of cut joints, n rows each, then the other constraints; their rows
/// are numbered as those of the constraint matrix. The tree's velocities, biases and forces are not refreshed.
///
///   velocity of the body = (V.angular; attitude V.linear)
///   rows of a relation:    Ad_P^-1 s (V_i - X_i V_father) - S v = g,   S the joint's motion in the axes of its son
///   so with w_i as above:  V_i = X_i V_father + s Ad_P (S v + g),      lambda = -s Ad_P^T w_i
template <class Space>
struct MixedTree {
  struct Body {
    int column = 0;  ///< first of its velocities in v
    bool rotates = false;
  };
  /// The rows that tie the coordinates of a joint to its bodies.
  struct Relation {
    int row = 0;  ///< first of n rows of the constraint matrix
    int column = 0, freedoms = 0;
    int link = 0;           ///< that the joint leads to in the tree; 0: the joint is cut
    int closure = -1;       ///< of a cut joint
    bool reversed = false;  ///< s = -1: the tree goes from the joint's son to its father
    // Refreshed with the position.
    Pose<Space> frame;  ///< P, of the joint's son frame in the link; of joints in the tree only
    Subspace<Space> S;
  };

  JointTree<Space> tree;
  std::vector<Body> bodies;               ///< by label
  std::vector<Rotation<Space>> attitude;  ///< by label, in the ground; refreshed with the position
  std::vector<Relation> relations;
};

/// The joint tree that equations publish, or none.
using AnyJointTree = std::variant<std::monostate, const JointTree<Planar>*, const JointTree<Spatial>*>;
using AnyMixedTree = std::variant<std::monostate, const MixedTree<Planar>*, const MixedTree<Spatial>*>;

/// make(tree) with the published tree of either space; a default of what is made where there is none.
template <class AnyTree, class Make>
auto with_tree(const AnyTree& any, Make&& make) {
  using Made = decltype(make(*std::get<1>(any)));
  if (const auto* planar = std::get_if<1>(&any)) return make(**planar);
  if (const auto* spatial = std::get_if<2>(&any)) return make(**spatial);
  return Made();
}

}  // namespace linkwork
