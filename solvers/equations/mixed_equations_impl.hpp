#pragma once

// Included by the two files that instantiate MixedEquations.

#include <linkwork/core/concat.hpp>
#include <linkwork/core/pose.hpp>
#include <linkwork/solvers/equations/joint_start.hpp>
#include <linkwork/solvers/equations/mixed_equations.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace linkwork {

// What is done once.

template <class Space>
MixedEquations<Space>::MixedEquations(const Model<Space>& model, const TopologyOptions& topology,
                                      AuxiliaryUnknowns auxiliary)
    : Base(model, with_joint_tree(topology), auxiliary, typename Base::BodiesOnly()) {
  number_joints();
  this->number_constraints([this](int index) { return slot_of_joint_[detail::at(index)] < 0; },
                           n * static_cast<int>(joints_.size()));
  this->number_forces();

  Dimensions sizes = this->body_dimensions();
  first_position_ = sizes.p;
  first_velocity_ = sizes.v;
  first_row_ = sizes.lambda;
  int row = first_row_;
  for (JointSlot& slot : joints_) {
    slot.q = sizes.p;
    slot.v = sizes.v;
    slot.row = row;
    row += n;
    sizes.p += slot.joint->coordinates();
    sizes.v += slot.joint->freedoms();
    if (slot.joint->coordinates() > slot.joint->freedoms()) ++sizes.normalisation;
  }
  sizes.lambda = sizes.eta = row;
  this->set_dimensions(sizes);
  this->gravity_.conservativeResize(sizes.v);
  this->gravity_.tail(sizes.v - first_velocity_).setZero();
  this->own_force_ = this->gravity_;

  this->add_mass_blocks();
  add_relation_blocks();
  this->add_constraint_blocks();
  this->add_force_jacobian_blocks();
  lay_out_tree();
  this->start();
  this->rows_.resize(std::max<std::size_t>(this->rows_.size(), 2 * n * n));
}

/// The joints that could be edges of a tree of joints.
template <class Space>
bool MixedEquations<Space>::is_relation(int constraint) const {
  const ConstraintEntry<Space>& entry = this->data_->constraints[detail::at(constraint)];
  if (!entry.joint) return false;
  for (const Frame<Space>& frame : entry.constraint->frames())
    if (frame.body >= 0 && !this->data_->bodies[detail::at(frame.body)].body->rotates()) return false;
  for (const ForceEntry<Space>& force : this->data_->forces)
    for (const ConstraintRef<Space>& read : force.force->reactions())
      if (read.index == constraint) return false;
  return true;
}

template <class Space>
void MixedEquations<Space>::number_joints() {
  slot_of_joint_.assign(this->data_->constraints.size(), -1);
  for (int index = 0; index < static_cast<int>(slot_of_joint_.size()); ++index) {
    if (!is_relation(index)) continue;
    slot_of_joint_[detail::at(index)] = static_cast<int>(joints_.size());
    JointSlot slot;
    slot.joint = this->data_->constraints[detail::at(index)].joint;
    slot.index = index;
    slot.frame = static_cast<int>(this->frame_slots_.size());
    for (const Frame<Space>& frame : slot.joint->frames()) this->frame_slots_.push_back(this->frame_slot(frame));
    slot.motion.S.setZero(n, slot.joint->freedoms());
    joints_.push_back(std::move(slot));
  }
}

/// Before those of constraints, so that they have the same places in G and in C.
template <class Space>
void MixedEquations<Space>::add_relation_blocks() {
  this->row_targets_.resize(this->frame_slots_.size(), Base::nowhere);
  const auto add = [&](int row, int column, int width) {
    this->C_.add_block(row, column, n, width);
    return this->G_.add_block(row, column, n, width);
  };
  for (JointSlot& slot : joints_) {
    for (int k = slot.frame; k < slot.frame + 2; ++k) {
      const int label = this->frame_slots_[detail::at(k)].body;
      if (label == 0) continue;
      const int block = add(slot.row, this->places_[detail::at(label)].v, n);
      this->row_targets_[detail::at(k)] = static_cast<std::ptrdiff_t>(this->G_.blocks()[detail::at(block)].offset);
    }
    if (slot.joint->freedoms() > 0) slot.block = add(slot.row, slot.v, slot.joint->freedoms());
  }
}

template <class Space>
void MixedEquations<Space>::lay_out_tree() {
  const std::size_t count = this->bodies_.size();
  JointTree<Space>& tree = tree_.tree;
  tree.links.resize(count);
  tree.inertias.resize(count);
  tree.rotation.assign(count, Rotation<Space>::Identity());
  tree.origin.assign(count, Vector<Space>::Zero());
  tree.freedoms = this->dimensions().v;
  tree_.bodies.resize(count);
  tree_.attitude.assign(count, Rotation<Space>::Identity());
  for (const JointSlot& slot : joints_) {
    typename MixedTree<Space>::Relation relation{slot.row, slot.v, slot.joint->freedoms(), 0, -1, false, {}, {}};
    relation.S = slot.motion.S;
    tree_.relations.push_back(std::move(relation));
  }
  for (std::size_t label = 1; label < count; ++label) {
    const Topology::Node& node = this->topology_.nodes[label];
    const Body<Space>& body = *this->bodies_[label].body;
    tree_.bodies[label] = {this->places_[label].v, body.rotates()};
    tree.inertias[label].mass = body.mass();
    if (body.rotates()) tree.inertias[label].inertia = body.inertia();
    typename JointTree<Space>::Link& link = tree.links[label];
    link.father = node.father;
    link.column = this->places_[label].v;
    link.freedoms = body.freedoms();
    link.is_free = node.edge < 0;
    if (!link.is_free) {
      auto& relation = tree_.relations[detail::at(slot_of_joint_[detail::at(node.edge)])];
      relation.link = static_cast<int>(label);
      relation.reversed = joints_[detail::at(slot_of_joint_[detail::at(node.edge)])].joint->frames()[0].body ==
                          this->bodies_[label].index;
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
void MixedEquations<Space>::lay_out_closures(RowKind kind) {
  auto& closures = tree_.tree.closures_of(kind);
  const auto add = [&](int row, int rows, int first_frame, int frames) {
    typename JointTree<Space>::Closure closure{row, rows, 0, {}};
    for (int k = first_frame; k < first_frame + frames; ++k) {
      const int label = this->frame_slots_[detail::at(k)].body;
      const bool known =
          std::any_of(closure.parts.begin(), closure.parts.end(), [&](const auto& part) { return part.link == label; });
      if (label == 0 || known) continue;
      closure.parts.push_back({label, static_cast<int>(closures.rows.size())});
      closures.rows.resize(closures.rows.size() + detail::at(rows), Components<Space>::Zero());
      closure_values_[static_cast<std::size_t>(kind)].push_back(
          static_cast<std::size_t>(this->row_targets_[detail::at(k)]));
    }
    closures.list.push_back(std::move(closure));
    closures.row_count += rows;
  };
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    auto& relation = tree_.relations[i];
    if (relation.link > 0) continue;
    relation.closure = static_cast<int>(closures.list.size());
    add(relation.row, n, joints_[i].frame, 2);
  }
  for (const ConstraintSlot& slot : this->constraints_)
    if (kind == RowKind::velocity || slot.constraint->level() == Level::holonomic)
      add(slot.row, slot.rows, slot.frame, slot.frames);
}

/// Joint coordinates that fit the bodies as well as they can; projection does the rest.
template <class Space>
State MixedEquations<Space>::initial_state() const {
  State out = Base::initial_state();
  const auto pose_of = [&](const Frame<Space>& frame) {
    Pose<Space> body;
    if (frame.body >= 0) {
      const BodyEntry<Space>& entry = this->data_->bodies[detail::at(frame.body)];
      body.position = entry.pose.position;
      body.rotation = rotation_matrix(entry.orientation);
      if constexpr (dimension == 2) body.angle = entry.orientation;
    }
    Pose<Space> in_body;
    in_body.position = frame.offset;
    in_body.rotation = rotation_matrix(frame.orientation);
    if constexpr (dimension == 2) in_body.angle = frame.orientation;
    return compose(body, in_body);
  };
  const double length = this->characteristic_length();
  for (const JointSlot& slot : joints_) {
    const std::vector<Frame<Space>>& frames = slot.joint->frames();
    const Pose<Space> father = pose_of(frames[0]), son = pose_of(frames[1]);
    JointStart<Space>(*slot.joint, name(slot), relative_pose(father, son),
                      relative_velocity(*this->data_, frames[0].body, frames[1].body, son), length,
                      out.p.data() + slot.q, out.v.data() + slot.v);
  }
  return out;
}

// Evaluation.

template <class Space>
void MixedEquations<Space>::do_position() {
  Base::do_position();
  for (JointSlot& slot : joints_) slot.joint->motion(this->now(), this->position().data() + slot.q, slot.motion);
}

/// Rows of V_AB on the frames, ground axes: the point of the father under the son's origin moves with the father.
template <class Space>
void MixedEquations<Space>::write_relations(BlockMatrix& G) {
  for (const JointSlot& slot : joints_) {
    std::fill_n(this->rows_.data(), 2 * n * n, 0.0);
    double no_rate[n];
    ConstraintRows<Space> rows(n, this->rows_.data(), no_rate);
    const Pose<Space>& son = this->frames_[detail::at(slot.frame + 1)].pose;
    const Vector<Space> arm = son.position - this->frames_[detail::at(slot.frame)].pose.position;
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
    this->map_rows({nullptr, slot.index, slot.row, n, slot.frame, 2, 0}, G.data());
    if (slot.block < 0) continue;
    double* on_joint = G.values(slot.block);
    const int freedoms = slot.joint->freedoms();
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < freedoms; ++j) on_joint[i * freedoms + j] = -slot.motion.S(i, j);
  }
}

template <class Space>
void MixedEquations<Space>::do_G(BlockMatrix& G, Eigen::VectorXd& offset) {
  Base::do_G(G, offset);
  write_relations(G);
  for (const JointSlot& slot : joints_) offset.template segment<n>(slot.row) = -slot.motion.drift;
}

template <class Space>
void MixedEquations<Space>::do_C(BlockMatrix& C) {
  Base::do_C(C);
  write_relations(C);
}

/// Poses from the bodies, S from the joints, rows of closures from G or C.
template <class Space>
void MixedEquations<Space>::do_joint_tree(RowKind kind) {
  const double* values = (kind == RowKind::velocity ? this->G() : this->C()).data();
  JointTree<Space>& tree = tree_.tree;
  for (std::size_t label = 1; label < this->bodies_.size(); ++label) {
    const auto& link = tree.links[label];
    const Pose<Space> X = relative_pose(this->poses_[detail::at(link.father)], this->poses_[label]);
    tree.rotation[label] = X.rotation;
    tree.origin[label] = X.position;
    const Rotation<Space>& R = tree_.attitude[label] = this->poses_[label].rotation;
    if (!link.is_free) continue;
    Components<Space>* S = tree.subspace.data() + link.subspace;
    if (this->bodies_[label].rotates)
      for (int i = 0; i < angular; ++i) *S++ = Components<Space>::Unit(i);
    for (int i = 0; i < dimension; ++i, ++S) S->template tail<dimension>() = R.row(i).transpose();
  }
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    auto& relation = tree_.relations[i];
    relation.S = joints_[i].motion.S;
    if (relation.link == 0) continue;
    relation.frame =
        relative_pose(this->poses_[detail::at(relation.link)], this->frames_[detail::at(joints_[i].frame + 1)].pose);
    const double sign = relation.reversed ? -1 : 1;
    for (int k = 0; k < relation.freedoms; ++k)
      tree.subspace[detail::at(tree.links[detail::at(relation.link)].subspace + k)] =
          sign * carried<Space>(relation.frame, relation.S.col(k));
  }
  auto& closures = tree.closures_of(kind);
  auto first = closure_values_[static_cast<std::size_t>(kind)].begin();
  for (const auto& closure : closures.list)
    for (const auto& part : closure.parts) {
      const double* value = values + *first++;
      const Rotation<Space>& R = tree_.attitude[detail::at(part.link)];
      for (int r = 0; r < closure.count; ++r) {
        Components<Space>& row = closures.rows[detail::at(part.first + r)];
        if (this->bodies_[detail::at(part.link)].rotates)
          for (int i = 0; i < angular; ++i) row[i] = *value++;
        row.template tail<dimension>() = R.transpose() * Vector<Space>::Map(value);
        value += dimension;
      }
    }
}

template <class Space>
void MixedEquations<Space>::do_g(Eigen::VectorXd& g) {
  Base::do_g(g);
  for (const JointSlot& slot : joints_) {
    const Pose<Space> X =
        relative_pose(this->frames_[detail::at(slot.frame)].pose, this->frames_[detail::at(slot.frame + 1)].pose);
    g.template segment<n>(slot.row) = logarithm(relative_pose(slot.motion.X, X));
  }
}

/// What the derivative of V_AB's components holds beside the frames' accelerations.
template <class Space>
Components<Space> MixedEquations<Space>::relation_bias(const JointSlot& slot) const {
  const FrameMotion<Space>& father = this->frames_[detail::at(slot.frame)];
  const FrameMotion<Space>& son = this->frames_[detail::at(slot.frame + 1)];
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
void MixedEquations<Space>::do_gamma(Eigen::VectorXd& gamma) {
  Base::do_gamma(gamma);
  for (const JointSlot& slot : joints_) {
    Components<Space> bias;
    slot.joint->motion_bias(this->now(), this->position().data() + slot.q, this->velocity().data() + slot.v, bias);
    gamma.template segment<n>(slot.row) = bias - relation_bias(slot);
  }
}

template <class Space>
void MixedEquations<Space>::do_add_position_change(const Eigen::VectorXd& velocity, Eigen::VectorXd& p) const {
  Base::do_add_position_change(velocity, p);
  std::array<double, n + 2> rate{};  // a quaternion has one entry more than freedoms
  for (const JointSlot& slot : joints_) {
    slot.joint->rate(this->position().data() + slot.q, velocity.data() + slot.v, rate.data());
    for (int i = 0; i < slot.joint->coordinates(); ++i) p[slot.q + i] += rate[detail::at(i)];
  }
}

template <class Space>
void MixedEquations<Space>::normalise(const Eigen::VectorXd& near, Eigen::VectorXd& p) const {
  Base::normalise(near, p);
  for (const JointSlot& slot : joints_)
    if (slot.joint->coordinates() != slot.joint->freedoms())
      normalise_coordinates(*slot.joint, this->time(), near.data() + slot.q, p.data() + slot.q);
}

// Reports.

/// -rows^T lambda on the son: the multipliers are the wrench in the son's axes.
template <class Space>
Wrench<Space> MixedEquations<Space>::tree_reaction(int constraint) {
  const int index = slot_of_joint_[detail::at(constraint)];
  if (index < 0) return {};
  const JointSlot& slot = joints_[detail::at(index)];
  const double* lambda = this->multipliers().data() + slot.row;
  const Rotation<Space>& R = this->frames_[detail::at(slot.frame + 1)].pose.rotation;
  Angular<Space> torque;
  detail::load(lambda, torque);
  Wrench<Space> out;
  out.torque = -detail::to_ground(R, torque);
  out.force = -(R * Vector<Space>::Map(lambda + angular));
  return out;
}

template <class Space>
ConstraintResidual MixedEquations<Space>::constraint_residual() {
  ConstraintResidual out = Base::constraint_residual();
  const Eigen::VectorXd& rate = this->velocity_residual();
  const Eigen::VectorXd& g = this->g();
  const auto keep_largest = [](const auto& values, double& largest) {
    largest = std::max(largest, values.cwiseAbs().maxCoeff());
  };
  for (const JointSlot& slot : joints_) {
    keep_largest(g.template segment<angular>(slot.row), out.position_rad);
    keep_largest(g.template segment<dimension>(slot.row + angular), out.position_m);
    keep_largest(rate.template segment<angular>(slot.row), out.velocity_rad_per_s);
    keep_largest(rate.template segment<dimension>(slot.row + angular), out.velocity_m_per_s);
  }
  return out;
}

template <class Space>
std::string MixedEquations<Space>::position_name(int i) const {
  if (i < first_position_) return Base::position_name(i);
  const JointSlot& slot = joint_with(&JointSlot::q, i);
  return concat(name(slot), ": coordinate ", i - slot.q + 1);
}
template <class Space>
std::string MixedEquations<Space>::velocity_name(int i) const {
  if (i < first_velocity_) return Base::velocity_name(i);
  const JointSlot& slot = joint_with(&JointSlot::v, i);
  return concat(name(slot), ": velocity ", i - slot.v + 1);
}
template <class Space>
std::optional<CoordinatePlaces> MixedEquations<Space>::joint_places(int constraint) const {
  const int slot = slot_of_joint_[detail::at(constraint)];
  if (slot < 0) return {};
  const JointSlot& place = joints_[detail::at(slot)];
  return CoordinatePlaces{place.q, place.joint->coordinates(), place.v, place.joint->freedoms()};
}
template <class Space>
bool MixedEquations<Space>::is_relation_row(int row) const {
  return row >= first_row_ && row < this->dimensions().lambda;
}
template <class Space>
std::string MixedEquations<Space>::constraint_name(int row) const {
  if (!is_relation_row(row)) return Base::constraint_name(row);
  const JointSlot& slot = joint_with(&JointSlot::row, row);
  return concat(name(slot), ": row ", row - slot.row + 1);
}
template <class Space>
std::string MixedEquations<Space>::constraint_element(int row) const {
  return is_relation_row(row) ? name(joint_with(&JointSlot::row, row)) : Base::constraint_element(row);
}
template <class Space>
Measure MixedEquations<Space>::constraint_measure(int row) const {
  if (!is_relation_row(row)) return Base::constraint_measure(row);
  return row - joint_with(&JointSlot::row, row).row < angular ? Measure::angle : Measure::length;
}
template <class Space>
Measure MixedEquations<Space>::position_measure(int i) const {
  if (i < first_position_) return Base::position_measure(i);
  const JointSlot& slot = joint_with(&JointSlot::q, i);
  return coordinate_measure(*slot.joint, i - slot.q);
}
template <class Space>
Measure MixedEquations<Space>::velocity_measure(int i) const {
  if (i < first_velocity_) return Base::velocity_measure(i);
  const JointSlot& slot = joint_with(&JointSlot::v, i);
  return linkwork::velocity_measure(*slot.joint, i - slot.v);
}

}  // namespace linkwork
