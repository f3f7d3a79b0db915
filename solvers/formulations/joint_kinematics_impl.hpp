#pragma once

// Included by the two files that instantiate JointKinematics.

#include <linkwork/solvers/formulations/joint_kinematics.hpp>

#include <cmath>
#include <numbers>
#include <optional>

namespace linkwork {

namespace joint_kinematics {

template <class Space>
Angular<Space> angular(const Components<Space>& x) {
  if constexpr (Space::angular == 1)
    return x[0];
  else
    return x.template head<3>();
}
template <class Space>
Vector<Space> linear(const Components<Space>& x) {
  return x.template tail<Space::dimension>();
}
template <class Space>
Components<Space> joined(const Angular<Space>& angular, const Vector<Space>& linear) {
  Components<Space> out;
  if constexpr (Space::angular == 1)
    out[0] = angular;
  else
    out.template head<3>() = angular;
  out.template tail<Space::dimension>() = linear;
  return out;
}

/// Joints need not give the angle of a planar pose: that of the rotation, with the turns that are given.
inline void adopt_rotation(Pose<Planar>& X) {
  const double angle = std::atan2(X.rotation(1, 0), X.rotation(0, 0));
  X.angle += std::remainder(angle - X.angle, 2 * std::numbers::pi);
}
inline void adopt_rotation(Pose<Spatial>&) {}

/// The unit vector that a column is, or its opposite.
template <class Space>
struct UnitColumn {
  int index = -1;  ///< -1: neither
  double sign = 1;

  explicit UnitColumn(const Components<Space>& column) {
    for (int i = 0; i < Space::n; ++i)
      for (const double each : {1.0, -1.0})
        if (column == each * Components<Space>::Unit(i)) {
          index = i;
          sign = each;
        }
  }
};

// Components of a vector of the father in the link's axes: R^T x, written out because it is the work of the velocities.
inline double to_link(const Eigen::Matrix2d&, double x) { return x; }
inline Eigen::Vector2d to_link(const Eigen::Matrix2d& R, const Eigen::Vector2d& x) {
  return {R(0, 0) * x[0] + R(1, 0) * x[1], R(0, 1) * x[0] + R(1, 1) * x[1]};
}
inline Eigen::Vector3d to_link(const Eigen::Matrix3d& R, const Eigen::Vector3d& x) {
  return {R(0, 0) * x[0] + R(1, 0) * x[1] + R(2, 0) * x[2], R(0, 1) * x[0] + R(1, 1) * x[1] + R(2, 1) * x[2],
          R(0, 2) * x[0] + R(1, 2) * x[1] + R(2, 2) * x[2]};
}

// Sums in space are written out by components too: expressions of three numbers are stored by two and one, and read
// back in another width.
[[gnu::always_inline]] inline double cross_component(const Eigen::Vector3d& a, const Eigen::Vector3d& b, int i) {
  const int p = i == 2 ? 0 : i + 1, q = i == 0 ? 2 : i - 1;
  return a[p] * b[q] - a[q] * b[p];
}

/// A twist of the father at the link's origin, in the link's axes.
template <class Space>
[[gnu::always_inline]] inline Twist<Space> to_link(const Rotation<Space>& R, const Vector<Space>& r,
                                                   const Twist<Space>& of_father) {
  if constexpr (Space::angular == 1) {
    const Vector<Space> linear = of_father.linear + cross(of_father.angular, r);
    return {of_father.angular, to_link(R, linear)};
  } else {
    Eigen::Vector3d linear;
    for (int i = 0; i < 3; ++i) linear[i] = of_father.linear[i] + cross_component(of_father.angular, r, i);
    return {to_link(R, of_father.angular), to_link(R, linear)};
  }
}

/// increment += V x V_J
[[gnu::always_inline]] inline void add_cross(const Twist<Planar>& V, const Twist<Planar>& J, Twist<Planar>& increment) {
  increment.linear += cross(V.angular, J.linear) - cross(J.angular, V.linear);
}
[[gnu::always_inline]] inline void add_cross(const Twist<Spatial>& V, const Twist<Spatial>& J,
                                             Twist<Spatial>& increment) {
  for (int i = 0; i < 3; ++i) {
    increment.linear[i] += cross_component(V.angular, J.linear, i) + cross_component(V.linear, J.angular, i);
    increment.angular[i] += cross_component(V.angular, J.angular, i);
  }
}

/// V += J, A += V x J where J turns about one axis.
[[gnu::always_inline]] inline void add_turn(int, double rate, Twist<Planar>& V, Twist<Planar>& A) {
  A.linear += Eigen::Vector2d(V.linear[1], -V.linear[0]) * rate;
  V.angular += rate;
}
template <int axis>
[[gnu::always_inline]] inline void add_turn(double rate, Twist<Spatial>& V, Twist<Spatial>& A) {
  constexpr int p = (axis + 1) % 3, q = (axis + 2) % 3;
  A.angular[p] += V.angular[q] * rate;
  A.angular[q] -= V.angular[p] * rate;
  A.linear[p] += V.linear[q] * rate;
  A.linear[q] -= V.linear[p] * rate;
  V.angular[axis] += rate;
}
[[gnu::always_inline]] inline void add_turn(int axis, double rate, Twist<Spatial>& V, Twist<Spatial>& A) {
  if (axis == 0)
    add_turn<0>(rate, V, A);
  else if (axis == 1)
    add_turn<1>(rate, V, A);
  else
    add_turn<2>(rate, V, A);
}

/// I A + V x* I V
[[gnu::always_inline]] inline Wrench<Planar> needed(const LinkInertia<Planar>& I, const Twist<Planar>& V,
                                                    const Twist<Planar>& A) {
  const Eigen::Vector2d momentum = I.mass * V.linear + cross(V.angular, I.moment);
  Wrench<Planar> out;
  out.torque = I.inertia(0, 0) * A.angular + cross(I.moment, A.linear) + cross(V.linear, momentum);
  out.force = I.mass * A.linear + cross(A.angular, I.moment) + cross(V.angular, momentum);
  return out;
}
[[gnu::always_inline]] inline Wrench<Spatial> needed(const LinkInertia<Spatial>& I, const Twist<Spatial>& V,
                                                     const Twist<Spatial>& A) {
  // With a = A.linear + omega x v, the acceleration of the origin, the terms of v gather in it.
  Eigen::Vector3d a, rotated;
  for (int i = 0; i < 3; ++i) {
    a[i] = A.linear[i] + cross_component(V.angular, V.linear, i);
    rotated[i] = cross_component(V.angular, I.moment, i);
  }
  const Eigen::Vector3d spin = to_link(I.inertia, V.angular), torque = to_link(I.inertia, A.angular);
  Wrench<Spatial> out;
  for (int i = 0; i < 3; ++i) {
    out.torque[i] = torque[i] + cross_component(I.moment, a, i) + cross_component(V.angular, spin, i);
    out.force[i] = I.mass * a[i] + cross_component(A.angular, I.moment, i) + cross_component(V.angular, rotated, i);
  }
  return out;
}

}  // namespace joint_kinematics

template <class Space>
JointKinematics<Space>::JointKinematics(const std::vector<TreeJoint<Space>>& joints, JointTree<Space>& tree)
    : tree_(&tree), slots_(joints.size()) {
  const std::size_t links = slots_.size();
  tree.links.assign(links, {});
  tree.inertias.assign(links, {});
  tree.rotation.assign(links, Rotation<Space>::Identity());
  tree.origin.assign(links, Vector<Space>::Zero());
  tree.velocity.assign(links, {});
  tree.bias.assign(links, {});
  tree.force.assign(links, {});
  tree.subspace.clear();
  tree.freedoms = 0;
  if constexpr (Space::angular == 1)
    angles_.assign(links, 0);
  else
    motions_.resize(links);
  for (std::size_t label = 1; label < links; ++label) {
    const TreeJoint<Space>& from = joints[label];
    Slot& slot = slots_[label];
    slot.joint = from.joint;
    slot.reversed = from.reversed;
    slot.freedoms = from.joint->freedoms();
    slot.q = from.q;
    slot.v = from.v;
    slot.zero = from.frame;
    slot.subspace = static_cast<int>(tree.subspace.size());
    auto& link = tree.links[label];
    link.father = from.father;
    link.column = from.v;
    link.freedoms = slot.freedoms;
    link.subspace = slot.subspace;
    tree.freedoms += slot.freedoms;
    if (const std::optional<ConstantMotion<Space>> motion = from.joint->constant_motion())
      lay_out(slot, *motion, label);
    else
      tree.subspace.resize(tree.subspace.size() + static_cast<std::size_t>(slot.freedoms), Components<Space>::Zero());
  }
}

template <class Space>
void JointKinematics<Space>::lay_out(Slot& slot, const ConstantMotion<Space>& motion, std::size_t label) {
  using namespace joint_kinematics;
  Subspace<Space> S = motion.S;
  if (slot.reversed) {
    for (int k = 0; k < slot.freedoms; ++k) S.col(k) = -carried<Space>(motion.X, motion.S.col(k));
    slot.zero = compose(slot.zero, relative_pose(motion.X, Pose<Space>()));
  } else {
    slot.zero = compose(slot.zero, motion.X);
  }
  place(slot.zero, label);
  if (slot.freedoms == 0) {
    slot.kind = Kind::still;
    return;
  }
  slot.kind = Kind::screw;
  if (slot.freedoms == 1) {
    const UnitColumn<Space> column{Components<Space>(S)};
    slot.sign = column.sign;
    if (column.index >= Space::angular) {
      slot.kind = Kind::travel;
      slot.axis = column.index - Space::angular;
    } else if (column.index >= 0) {
      slot.kind = Kind::turn;
      slot.axis = column.index;
      make_level(slot);
    }
    if (column.index >= 0 && column.sign > 0) {
      tree_->links[label].axis = column.index;
      tree_->links[label].is_level = is_level(slot.kind);
      return;
    }
  }
  for (int k = 0; k < slot.freedoms; ++k) tree_->subspace.push_back(S.col(k));
}

/// A turn about an axis of the father is one from an angle on.
template <class Space>
void JointKinematics<Space>::make_level(Slot& slot) const {
  if constexpr (Space::angular == 3) {
    constexpr Kind kinds[] = {Kind::level_x, Kind::level_y, Kind::level_z};
    const Eigen::Matrix3d& zero = slot.zero.rotation;
    const int axis = slot.axis, p = (axis + 1) % 3, q = (axis + 2) % 3;
    if (zero.col(axis) != Eigen::Vector3d(Eigen::Vector3d::Unit(axis))) return;
    slot.kind = kinds[axis];
    slot.angle = std::atan2(zero(q, p), zero(p, p));
  }
}

template <class Space>
void JointKinematics<Space>::place(const Pose<Space>& pose, std::size_t label) {
  tree_->rotation[label] = pose.rotation;
  tree_->origin[label] = pose.position;
  if constexpr (Space::angular == 1) angles_[label] = pose.angle;
}

template <class Space>
void JointKinematics<Space>::turn(const Slot& slot, std::size_t label, double q) {
  const double angle = slot.sign * q;
  const double c = std::cos(angle), s = std::sin(angle);
  const Rotation<Space>& zero = slot.zero.rotation;
  Rotation<Space>& R = tree_->rotation[label];
  // The axis, and with it the origin, stay where they are.
  int a = 0, b = 1;
  if constexpr (Space::angular == 1) {
    angles_[label] = slot.zero.angle + angle;
  } else {
    a = slot.axis == 2 ? 0 : slot.axis + 1;
    b = slot.axis == 0 ? 2 : slot.axis - 1;
  }
  for (int i = 0; i < Space::dimension; ++i) {
    R(i, a) = c * zero(i, a) + s * zero(i, b);
    R(i, b) = c * zero(i, b) - s * zero(i, a);
  }
}

template <class Space>
template <int axis>
void JointKinematics<Space>::turn_level(const Slot& slot, std::size_t label, double q) {
  if constexpr (Space::angular == 3) {
    constexpr int p = (axis + 1) % 3, r = (axis + 2) % 3;
    const double angle = slot.angle + slot.sign * q;
    const double c = std::cos(angle), s = std::sin(angle);
    Eigen::Matrix3d& R = tree_->rotation[label];
    R(p, p) = R(r, r) = c;
    R(r, p) = s;
    R(p, r) = -s;
  }
}

template <class Space>
template <int axis>
[[gnu::flatten]] void JointKinematics<Space>::move_level(const Slot& slot, std::size_t label, double v) {
  if constexpr (Space::angular == 3) {
    constexpr int p = (axis + 1) % 3, q = (axis + 2) % 3;
    JointTree<Spatial>& tree = *tree_;
    const Eigen::Matrix3d& R = tree.rotation[label];
    const auto father = static_cast<std::size_t>(tree.links[label].father);
    const level_turns::PairedTwist motion =
        level_turns::moved<axis>(motions_[father], R(p, p), R(q, p), tree.origin[label], slot.sign * v);
    motions_[label] = motion;
    for (int i = 0; i < 3; ++i) {
      tree.velocity[label].angular[i] = motion.angular[i][0];
      tree.velocity[label].linear[i] = motion.linear[i][0];
      tree.bias[label].angular[i] = motion.angular[i][1];
      tree.bias[label].linear[i] = motion.linear[i][1];
    }
    tree.force[label] = level_turns::needed(tree.inertias[label], motion);
  }
}

template <class Space>
void JointKinematics<Space>::ask_motion(Slot& slot, std::size_t label, Instant time, const double* q) {
  using namespace joint_kinematics;
  motion_.X = Pose<Space>();
  motion_.drift.setZero();
  slot.joint->motion(time, q + slot.q, motion_);
  adopt_rotation(motion_.X);
  slot.drift = motion_.drift;
  const auto first = static_cast<std::size_t>(slot.subspace);
  if (slot.reversed) {
    slot.X = motion_.X;
    slot.drift = -carried<Space>(slot.X, motion_.drift);
    for (int k = 0; k < slot.freedoms; ++k)
      tree_->subspace[first + static_cast<std::size_t>(k)] = -carried<Space>(slot.X, motion_.S.col(k));
    place(compose(slot.zero, relative_pose(slot.X, Pose<Space>())), label);
  } else {
    for (int k = 0; k < slot.freedoms; ++k) tree_->subspace[first + static_cast<std::size_t>(k)] = motion_.S.col(k);
    place(compose(slot.zero, motion_.X), label);
  }
}

template <class Space>
void JointKinematics<Space>::position(Instant time, const double* q) {
  const std::size_t links = slots_.size();
  Slot* const slots = slots_.data();
  for (std::size_t label = 1; label < links; ++label) {
    Slot& slot = slots[label];
    switch (slot.kind) {
      case Kind::still:
        break;
      case Kind::level_x:
        turn_level<0>(slot, label, q[slot.q]);
        break;
      case Kind::level_y:
        turn_level<1>(slot, label, q[slot.q]);
        break;
      case Kind::level_z:
        turn_level<2>(slot, label, q[slot.q]);
        break;
      case Kind::turn:
        turn(slot, label, q[slot.q]);
        break;
      case Kind::travel:
        tree_->origin[label] = slot.zero.position + slot.zero.rotation.col(slot.axis) * (slot.sign * q[slot.q]);
        break;
      case Kind::screw: {
        const Components<Space> twist = joint_velocity(slot, q + slot.q);
        place(compose(slot.zero, exponential(twist)), label);
        break;
      }
      case Kind::given:
        ask_motion(slot, label, time, q);
        break;
    }
  }
}

/// S v; the drift of joints that have one is no part of it.
template <class Space>
Components<Space> JointKinematics<Space>::joint_velocity(const Slot& slot, const double* v) const {
  Components<Space> out = Components<Space>::Zero();
  const Components<Space>* S = tree_->subspace.data() + slot.subspace;
  for (int k = 0; k < slot.freedoms; ++k) out += S[k] * v[k];
  return out;
}

template <class Space>
Components<Space> JointKinematics<Space>::joint_bias(const Slot& slot, Instant time, const double* q,
                                                     const double* v) const {
  Components<Space> bias = Components<Space>::Zero();
  slot.joint->motion_bias(time, q + slot.q, v + slot.v, bias);
  return slot.reversed ? Components<Space>(-carried<Space>(slot.X, bias)) : bias;
}

template <class Space>
void JointKinematics<Space>::velocity(Instant time, const double* q, const double* v, const Vector<Space>& gravity) {
  JointTree<Space>& tree = *tree_;
  tree.bias[0].linear = -gravity;
  tree.force[0] = {};
  if constexpr (Space::angular == 3) motions_[0] = level_turns::paired(tree.velocity[0], tree.bias[0]);
  const std::size_t links = slots_.size();
  for (std::size_t label = 1; label < links; ++label) {
    const Slot& slot = slots_[label];
    switch (slot.kind) {
      case Kind::level_x:
        move_level<0>(slot, label, v[slot.v]);
        break;
      case Kind::level_y:
        move_level<1>(slot, label, v[slot.v]);
        break;
      case Kind::level_z:
        move_level<2>(slot, label, v[slot.v]);
        break;
      default:
        move(slot, label, time, q, v);
    }
  }
}

/// Of a joint that is no level turn.
template <class Space>
void JointKinematics<Space>::move(const Slot& slot, std::size_t label, Instant time, const double* q, const double* v) {
  using namespace joint_kinematics;
  JointTree<Space>& tree = *tree_;
  const auto father = static_cast<std::size_t>(tree.links[label].father);
  const Rotation<Space>& R = tree.rotation[label];
  const Vector<Space>& r = tree.origin[label];
  Twist<Space> V = to_link<Space>(R, r, tree.velocity[father]);
  Twist<Space> A = to_link<Space>(R, r, tree.bias[father]);
  if (slot.kind == Kind::turn) {
    add_turn(slot.axis, slot.sign * v[slot.v], V, A);
  } else if (slot.kind != Kind::still) {
    Components<Space> twist = Components<Space>::Zero();
    if (slot.kind == Kind::travel)
      twist[Space::angular + slot.axis] = slot.sign * v[slot.v];
    else
      twist = joint_velocity(slot, v + slot.v);
    if (slot.kind == Kind::given) {
      twist += slot.drift;
      const Components<Space> bias = joint_bias(slot, time, q, v);
      A.angular += angular<Space>(bias);
      A.linear += linear<Space>(bias);
    }
    const Twist<Space> J{angular<Space>(twist), linear<Space>(twist)};
    add_cross(V, J, A);
    V.angular += J.angular;
    V.linear += J.linear;
  }
  tree.velocity[label] = V;
  tree.bias[label] = A;
  if constexpr (Space::angular == 3) motions_[label] = level_turns::paired(V, A);
  tree.force[label] = needed(tree.inertias[label], V, A);
}

}  // namespace linkwork
