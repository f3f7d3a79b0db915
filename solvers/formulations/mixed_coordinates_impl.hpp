#pragma once

// What MixedCoordinates do.

#include <linkwork/core/concat.hpp>
#include <linkwork/core/pose.hpp>
#include <linkwork/solvers/formulations/joint_start.hpp>
#include <linkwork/solvers/formulations/mixed_coordinates.hpp>
#include <linkwork/solvers/formulations/pattern_builder.hpp>

#include <array>
#include <utility>

namespace linkwork {

// What is done once.

template <class Space>
MixedCoordinates<Space>::MixedCoordinates(const BodyGraph<Space>& graph)
    : graph_(graph), bodies_(graph), slot_of_joint_(graph.data->constraints.size(), -1) {
  layout_ = bodies_.layout();
  layout_.formulation = "mixed";
  layout_.velocity_tree = layout_.position_tree = nullptr;
  layout_.mixed_tree = &tree_;
  for (int index = 0; index < static_cast<int>(slot_of_joint_.size()); ++index)
    if (has_relation(index)) add_joint(index);
}

/// Of the joints that could be edges of a tree of joints.
template <class Space>
bool MixedCoordinates<Space>::has_relation(int constraint) const {
  const ConstraintEntry<Space>& entry = graph_.data->constraints[detail::at(constraint)];
  if (!entry.joint) return false;
  for (const Frame<Space>& frame : entry.constraint->frames())
    if (frame.body >= 0 && !graph_.data->bodies[detail::at(frame.body)].body->rotates()) return false;
  for (const ForceEntry<Space>& force : graph_.data->forces)
    for (const ConstraintRef<Space>& read : force.force->reactions())
      if (read.index == constraint) return false;
  return true;
}

template <class Space>
void MixedCoordinates<Space>::add_joint(int index) {
  slot_of_joint_[detail::at(index)] = static_cast<int>(joints_.size());
  JointSlot slot;
  slot.joint = graph_.data->constraints[detail::at(index)].joint;
  slot.index = index;
  slot.q = layout_.p;
  slot.v = layout_.v;
  slot.frame = 2 * static_cast<int>(joints_.size());
  const int coordinates = slot.joint->coordinates(), freedoms = slot.joint->freedoms();
  slot.motion.S.setZero(n, freedoms);
  layout_.relations.push_back(index);
  layout_.places[detail::at(index)] = CoordinatePlaces{slot.q, coordinates, slot.v, freedoms};
  layout_.p += coordinates;
  layout_.v += freedoms;
  if (coordinates > freedoms) ++layout_.normalisation;
  joints_.push_back(std::move(slot));
}

template <class Space>
void MixedCoordinates<Space>::lay_out(BlockMatrix& M, BlockMatrix& G, BlockMatrix& C, BlockMatrix& F) {
  bodies_.add_mass_blocks(M);
  add_relation_blocks(G, C);
  bodies_.add_row_blocks(G, C);
  bodies_.add_force_blocks(F);
  lay_out_tree();
}

/// Before those of constraints, so that they have the same places in G and in C.
template <class Space>
void MixedCoordinates<Space>::add_relation_blocks(BlockMatrix& G, BlockMatrix& C) {
  int row = graph_.relation_row;
  for (JointSlot& slot : joints_) {
    slot.row = std::exchange(row, row + n);
    const auto add = [&](int column, int width) {
      C.add_block(slot.row, column, n, width);
      return G.add_block(slot.row, column, n, width);
    };
    for (int k = slot.frame; k < slot.frame + 2; ++k) {
      const int label = graph_.frame_slots[detail::at(k)].body;
      if (label > 0) bodies_.set_row_target(k, G.blocks()[detail::at(add(bodies_.place(label).v, n))].offset);
    }
    if (slot.joint->freedoms() > 0) slot.block = add(slot.v, slot.joint->freedoms());
  }
}

template <class Space>
void MixedCoordinates<Space>::lay_out_tree() {
  const std::size_t count = graph_.bodies.size();
  JointTree<Space>& tree = tree_.tree;
  tree.links.resize(count);
  tree.inertias.resize(count);
  tree.rotation.assign(count, Rotation<Space>::Identity());
  tree.origin.assign(count, Vector<Space>::Zero());
  tree.freedoms = layout_.v;
  tree_.bodies.resize(count);
  tree_.attitude.assign(count, Rotation<Space>::Identity());
  for (const JointSlot& slot : joints_) {
    typename MixedTree<Space>::Relation relation{slot.row, slot.v, slot.joint->freedoms(), 0, -1, false, {}, {}};
    relation.S = slot.motion.S;
    tree_.relations.push_back(std::move(relation));
  }
  for (std::size_t label = 1; label < count; ++label) {
    const Topology::Node& node = graph_.topology.nodes[label];
    const Body<Space>& body = *graph_.bodies[label].body;
    tree_.bodies[label] = {bodies_.place(static_cast<int>(label)).v, body.rotates()};
    tree.inertias[label].mass = body.mass();
    if (body.rotates()) tree.inertias[label].inertia = body.inertia();
    typename JointTree<Space>::Link& link = tree.links[label];
    link.father = node.father;
    link.column = tree_.bodies[label].column;
    link.freedoms = body.freedoms();
    link.is_free = node.edge < 0;
    if (!link.is_free) {
      const std::size_t joint = detail::at(slot_of_joint_[detail::at(node.edge)]);
      auto& relation = tree_.relations[joint];
      relation.link = static_cast<int>(label);
      relation.reversed = joints_[joint].joint->frames()[0].body == graph_.bodies[label].index;
      link.column = relation.column;
      link.freedoms = relation.freedoms;
    }
    link.subspace = static_cast<int>(tree.subspace.size());
    tree.subspace.resize(tree.subspace.size() + detail::at(link.freedoms), Components<Space>::Zero());
  }
  lay_out_closures(RowKind::velocity);
  lay_out_closures(RowKind::position);
}

/// Relations of cut joints come first: so they have one number among the closures of both kinds.
template <class Space>
void MixedCoordinates<Space>::lay_out_closures(RowKind kind) {
  auto& closures = tree_.tree.closures_of(kind);
  const auto add = [&](int row, int rows, int frame, int frames) {
    detail::add_closure<Space>(graph_, {row, rows, 0, {}}, frame, frames, closures, [&](int k) {
      closure_values_[static_cast<std::size_t>(kind)].push_back(static_cast<std::size_t>(bodies_.row_target(k)));
    });
  };
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    auto& relation = tree_.relations[i];
    if (relation.link > 0) continue;
    relation.closure = static_cast<int>(closures.list.size());
    add(relation.row, n, joints_[i].frame, 2);
  }
  for (const auto& slot : graph_.constraints)
    if (kind == RowKind::velocity || slot.constraint->level() == Level::holonomic)
      add(slot.row, slot.rows, slot.frame, slot.frames);
}

/// Joint coordinates that fit the bodies as well as they can; projection does the rest.
template <class Space>
void MixedCoordinates<Space>::start(double length, State& state) {
  bodies_.start(length, state);
  const auto pose_of = [&](const Frame<Space>& frame) {
    Pose<Space> body;
    if (frame.body >= 0) {
      const BodyEntry<Space>& entry = graph_.data->bodies[detail::at(frame.body)];
      body = detail::pose_of<Space>(entry.pose.position, entry.orientation);
    }
    return compose(body, detail::pose_of<Space>(frame.offset, frame.orientation));
  };
  for (const JointSlot& slot : joints_) {
    const std::vector<Frame<Space>>& frames = slot.joint->frames();
    const Pose<Space> father = pose_of(frames[0]), son = pose_of(frames[1]);
    JointStart<Space>(*slot.joint, name(slot), relative_pose(father, son),
                      relative_velocity(*graph_.data, frames[0].body, frames[1].body, son), length,
                      state.p.data() + slot.q, state.v.data() + slot.v);
  }
}

// Evaluation.

template <class Space>
void MixedCoordinates<Space>::renew_position() {
  for (JointSlot& slot : joints_) slot.joint->motion(graph_.now, graph_.point.position().data() + slot.q, slot.motion);
}

/// Rows of V_AB on the frames, ground axes: the point of the father under the son's origin moves with the father.
template <class Space>
void MixedCoordinates<Space>::write_relations(BlockMatrix& matrix) {
  std::array<double, 2 * n * n> values;
  std::array<double, n> no_rate;
  for (const JointSlot& slot : joints_) {
    values.fill(0);
    ConstraintRows<Space> rows(n, values.data(), no_rate.data());
    const Pose<Space>& son = graph_.frames[detail::at(slot.frame + 1)].pose;
    const Vector<Space> arm = son.position - graph_.frames[detail::at(slot.frame)].pose.position;
    for (int i = 0; i < n; ++i) {
      Angular<Space> turning = zero_angular<Space>();
      Vector<Space> moving = Vector<Space>::Zero();
      if (i >= angular)
        moving = son.rotation.col(i - angular);
      else if constexpr (dimension == 2)
        turning = 1;
      else
        turning = son.rotation.col(i);
      rows.add(i, 1, turning, moving);
      rows.add(i, 0, -turning - cross(arm, moving), -moving);
    }
    bodies_.map_rows(slot.frame, 2, n, values.data(), matrix.data());
    if (slot.block < 0) continue;
    double* on_joint = matrix.values(slot.block);
    const int freedoms = slot.joint->freedoms();
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < freedoms; ++j) on_joint[i * freedoms + j] = -slot.motion.S(i, j);
  }
}

template <class Space>
void MixedCoordinates<Space>::map_rows(RowKind kind, BlockMatrix& matrix, Eigen::VectorXd& rates) {
  bodies_.map_rows(kind, matrix, rates);
  write_relations(matrix);
  for (const JointSlot& slot : joints_) rates.template segment<n>(slot.row) = -slot.motion.drift;
}

/// Poses from the bodies, S from the joints, rows of closures from G or C.
template <class Space>
void MixedCoordinates<Space>::renew_mixed_tree(RowKind kind, const BlockMatrix& matrix) {
  JointTree<Space>& tree = tree_.tree;
  for (std::size_t label = 1; label < graph_.bodies.size(); ++label) {
    const auto& link = tree.links[label];
    const Pose<Space> X = relative_pose(graph_.poses[detail::at(link.father)], graph_.poses[label]);
    tree.rotation[label] = X.rotation;
    tree.origin[label] = X.position;
    const Rotation<Space>& R = tree_.attitude[label] = graph_.poses[label].rotation;
    if (!link.is_free) continue;
    Components<Space>* S = tree.subspace.data() + link.subspace;
    if (graph_.bodies[label].rotates)
      for (int i = 0; i < angular; ++i) *S++ = Components<Space>::Unit(i);
    for (int i = 0; i < dimension; ++i, ++S) S->template tail<dimension>() = R.row(i).transpose();
  }
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    auto& relation = tree_.relations[i];
    relation.S = joints_[i].motion.S;
    if (relation.link == 0) continue;
    relation.frame =
        relative_pose(graph_.poses[detail::at(relation.link)], graph_.frames[detail::at(joints_[i].frame + 1)].pose);
    const double sign = relation.reversed ? -1 : 1;
    for (int k = 0; k < relation.freedoms; ++k)
      tree.subspace[detail::at(tree.links[detail::at(relation.link)].subspace + k)] =
          sign * carried<Space>(relation.frame, relation.S.col(k));
  }
  auto& closures = tree.closures_of(kind);
  auto first = closure_values_[static_cast<std::size_t>(kind)].begin();
  for (const auto& closure : closures.list)
    for (const auto& part : closure.parts) {
      const double* value = matrix.data() + *first++;
      const Rotation<Space>& R = tree_.attitude[detail::at(part.link)];
      for (int r = 0; r < closure.count; ++r) {
        Components<Space>& row = closures.rows[detail::at(part.first + r)];
        if (graph_.bodies[detail::at(part.link)].rotates)
          for (int i = 0; i < angular; ++i) row[i] = *value++;
        row.template tail<dimension>() = R.transpose() * Vector<Space>::Map(value);
        value += dimension;
      }
    }
}

template <class Space>
void MixedCoordinates<Space>::write_relation_residuals(Eigen::VectorXd& g) const {
  for (const JointSlot& slot : joints_) {
    const Pose<Space> X =
        relative_pose(graph_.frames[detail::at(slot.frame)].pose, graph_.frames[detail::at(slot.frame + 1)].pose);
    g.template segment<n>(slot.row) = logarithm(relative_pose(slot.motion.X, X));
  }
}

/// What the derivative of V_AB's components holds beside the frames' accelerations.
template <class Space>
Components<Space> MixedCoordinates<Space>::relation_bias(const JointSlot& slot) const {
  const FrameMotion<Space>& father = graph_.frames[detail::at(slot.frame)];
  const FrameMotion<Space>& son = graph_.frames[detail::at(slot.frame + 1)];
  const Angular<Space>& omega = son.velocity.angular;
  const Angular<Space> turning = omega - father.velocity.angular;
  const Vector<Space> parting = son.velocity.linear - father.velocity.linear;
  const Vector<Space> arm = son.pose.position - father.pose.position;
  const Vector<Space> moving = parting - cross(father.velocity.angular, arm);
  Components<Space> out;
  if constexpr (dimension == 2)
    out[0] = 0;
  else
    out.template head<3>() = -son.pose.rotation.transpose() * Eigen::Vector3d(omega.cross(turning));
  out.template tail<dimension>() =
      -son.pose.rotation.transpose() *
      Vector<Space>(Vector<Space>(cross(father.velocity.angular, parting)) + cross(omega, moving));
  // And what the frames' accelerations hold at v' = 0.
  const Twist<Space>&a = father.bias, &b = son.bias;
  const Angular<Space> angular_bias = b.angular - a.angular;
  const Vector<Space> linear_bias = b.linear - a.linear - cross(a.angular, arm);
  if constexpr (dimension == 2)
    out[0] += angular_bias;
  else
    out.template head<3>() += son.pose.rotation.transpose() * angular_bias;
  out.template tail<dimension>() += son.pose.rotation.transpose() * linear_bias;
  return out;
}

template <class Space>
void MixedCoordinates<Space>::write_relation_biases(Eigen::VectorXd& gamma) const {
  for (const JointSlot& slot : joints_) {
    Components<Space> bias;
    slot.joint->motion_bias(graph_.now, graph_.point.position().data() + slot.q,
                            graph_.point.velocity().data() + slot.v, bias);
    gamma.template segment<n>(slot.row) = bias - relation_bias(slot);
  }
}

template <class Space>
void MixedCoordinates<Space>::start_forces(Eigen::VectorXd& f) {
  bodies_.start_forces(f);
  f.tail(layout_.v - layout_.independent_v).setZero();
}

template <class Space>
void MixedCoordinates<Space>::add_position_change(const Eigen::VectorXd& x, Eigen::VectorXd& p) const {
  bodies_.add_position_change(x, p);
  std::array<double, n + 2> rate{};  // a quaternion has one entry more than freedoms
  for (const JointSlot& slot : joints_) {
    slot.joint->rate(graph_.point.position().data() + slot.q, x.data() + slot.v, rate.data());
    for (int i = 0; i < slot.joint->coordinates(); ++i) p[slot.q + i] += rate[detail::at(i)];
  }
}

template <class Space>
void MixedCoordinates<Space>::normalise(const Eigen::VectorXd& near, Eigen::VectorXd& p) const {
  bodies_.normalise(near, p);
  for (const JointSlot& slot : joints_)
    if (slot.joint->coordinates() != slot.joint->freedoms())
      normalise_coordinates(*slot.joint, graph_.point.time(), near.data() + slot.q, p.data() + slot.q);
}

// Reports.

/// -rows^T lambda on the son: the multipliers are the wrench in the son's axes.
template <class Space>
Wrench<Space> MixedCoordinates<Space>::reaction(int constraint) const {
  const int index = slot_of_joint_[detail::at(constraint)];
  if (index < 0) return {};
  const JointSlot& slot = joints_[detail::at(index)];
  const double* lambda = graph_.point.multipliers().data() + slot.row;
  const Rotation<Space>& R = graph_.frames[detail::at(slot.frame + 1)].pose.rotation;
  Angular<Space> torque;
  detail::load(lambda, torque);
  Wrench<Space> out;
  out.torque = -detail::to_ground(R, torque);
  out.force = -(R * Vector<Space>::Map(lambda + angular));
  return out;
}

template <class Space>
CoordinateName MixedCoordinates<Space>::position(int i) const {
  if (i < layout_.independent_p) return bodies_.position(i);
  const JointSlot& slot = detail::slot_with(joints_, &JointSlot::q, i);
  return {concat(name(slot), ": coordinate ", i - slot.q + 1), coordinate_measure(*slot.joint, i - slot.q)};
}

template <class Space>
CoordinateName MixedCoordinates<Space>::velocity(int i) const {
  if (i < layout_.independent_v) return bodies_.velocity(i);
  const JointSlot& slot = detail::slot_with(joints_, &JointSlot::v, i);
  return {concat(name(slot), ": velocity ", i - slot.v + 1), velocity_measure(*slot.joint, i - slot.v)};
}

// Sparsity.

template <class Space>
void MixedCoordinates<Space>::add_own_entries(EquationPart part, Unknown unknown, PatternBuilder& builder) const {
  bodies_.add_own_entries(part, unknown, builder);
  for (const JointSlot& slot : joints_) {
    if (part == EquationPart::position_rate) add_joint_rates(unknown, *slot.joint, slot.q, slot.v, builder);
    add_relation_entries(slot, part, unknown, builder);
  }
}

/// A relation is like the rows of a joint, in the son's axes, and adds S and X(q) of the joint's own.
template <class Space>
void MixedCoordinates<Space>::add_relation_entries(const JointSlot& slot, EquationPart part, Unknown unknown,
                                                   PatternBuilder& builder) const {
  const RowPattern<Space> pattern{bodies_, part, unknown, slot.row + n, builder};
  const std::optional<ConstantMotion<Space>> constant = slot.joint->constant_motion();
  const std::vector<int> q = detail::range(slot.q, slot.joint->coordinates());
  for (int i = 0; i < n; ++i) {
    const int row = slot.row + i;
    const bool turns = i < angular;
    const auto use = [turns](int frame) {
      if (turns) return RowUse{.linear = false, .position = false, .rotation = dimension == 3 && frame == 1};
      return RowUse{.angular = frame == 0, .position = true, .rotation = frame == 1};
    };
    pattern.add_row(row, {slot.frame, 2, 0, 0, 0, 0}, use);
    std::vector<int> v;  // whose entry in the row of S is not zero
    for (int j = 0; j < slot.joint->freedoms(); ++j)
      if (!constant || constant->S(i, j) != 0) v.push_back(slot.v + j);
    switch (part) {
      case EquationPart::position_constraint:
        // The displacement is measured in the axes of X(q), so that all of it changes with their rotation.
        if (unknown != Unknown::p) break;
        builder.add(row, q);
        for (int k = 0; k < 2; ++k) builder.add(row, bodies_.frame_columns(slot.frame + k, 0, 0).rotation);
        break;
      case EquationPart::velocity_constraint:
        if (unknown == Unknown::v) builder.add(row, v);
        if (unknown == Unknown::p && !constant) builder.add(row, q);
        break;
      case EquationPart::constraint_force:
      case EquationPart::dynamics:
        if (unknown == (part == EquationPart::dynamics ? Unknown::lambda : Unknown::factor)) builder.add(v, {row});
        if (unknown == Unknown::p && !constant) builder.add(v, q);
        break;
      default:
        break;
    }
  }
}

}  // namespace linkwork
