#pragma once

// The hot paths of RelativeEquations. Nothing here allocates.

#include <linkwork/solvers/equations/joint_start.hpp>
#include <linkwork/solvers/equations/relative_equations.hpp>
#include <linkwork/solvers/impulses.hpp>

#include <algorithm>
#include <cmath>

namespace linkwork {

// Motion of links and bodies.

template <class Space>
void RelativeEquations<Space>::do_position() {
  this->renew_time();
  kinematics_->position(this->now(), this->position().data());
  placed_ = moved_ = false;
  if (this->frame_slots_.empty()) return;
  place_bodies();
  this->place_frames();
}

template <class Space>
void RelativeEquations<Space>::do_velocity() {
  kinematics_->velocity(this->now(), this->position().data(), this->velocity().data(), this->data_->gravity);
  if (forces_act_) std::copy(tree_.force.begin(), tree_.force.end(), inertial_force_.begin());
  moved_ = false;
  if (this->frame_slots_.empty()) return;
  move_bodies();
  this->move_frames();
}

template <class Space>
void RelativeEquations<Space>::need_bodies() {
  if (!placed_) place_bodies();
  if (!moved_) move_bodies();
}

template <class Space>
void RelativeEquations<Space>::place_bodies() {
  for (std::size_t label = 1; label < links_.size(); ++label) {
    const Pose<Space>& father = link_poses_[detail::at(tree_.links[label].father)];
    Pose<Space>& pose = link_poses_[label];
    pose.rotation.noalias() = father.rotation * tree_.rotation[label];
    pose.position = father.position + father.rotation * tree_.origin[label];
    if constexpr (dimension == 2) pose.angle = father.angle + kinematics_->angles()[label] + links_[label].turns;
    const Pose<Space>& center = links_[label].center;
    Pose<Space>& body = this->poses_[label];
    body.rotation.noalias() = pose.rotation * center.rotation;
    body.position = pose.position + pose.rotation * center.position;
    if constexpr (dimension == 2) body.angle = pose.angle + center.angle;
  }
  placed_ = true;
}

template <class Space>
void RelativeEquations<Space>::move_bodies() {
  for (std::size_t label = 1; label < links_.size(); ++label) {
    const Rotation<Space>& R = link_poses_[label].rotation;
    const Twist<Space>& V = tree_.velocity[label];
    this->twists_[label] = {detail::to_ground(R, V.angular),
                            R * Vector<Space>(V.linear + cross(V.angular, links_[label].center.position))};
  }
  moved_ = true;
}

/// Acceleration of the centre of mass in ground axes for a link's A, which the ground's -gravity is part of.
template <class Space>
Twist<Space> RelativeEquations<Space>::center_acceleration(int label, const Twist<Space>& A) const {
  const auto index = detail::at(label);
  const Vector<Space>& c = links_[index].center.position;
  const Twist<Space>& V = tree_.velocity[index];
  const Vector<Space> v = V.linear + cross(V.angular, c);
  const Vector<Space> a = A.linear + cross(A.angular, c) + cross(V.angular, v);
  const Rotation<Space>& R = link_poses_[index].rotation;
  return {detail::to_ground(R, A.angular), R * a + this->data_->gravity};
}

template <class Space>
void RelativeEquations<Space>::bias_bodies() {
  for (int label = 1; label < static_cast<int>(links_.size()); ++label)
    this->biases_[detail::at(label)] = center_acceleration(label, tree_.bias[detail::at(label)]);
}

template <class Space>
void RelativeEquations<Space>::accelerate_bodies(const Eigen::VectorXd& a) {
  this->need_velocity();
  accelerate_links(a.data());
  for (std::size_t label = 1; label < links_.size(); ++label) {
    Twist<Space> A = work_twists_[label];
    A.angular += tree_.bias[label].angular;
    A.linear += tree_.bias[label].linear;
    this->accelerations_[label] = center_acceleration(static_cast<int>(label), A);
  }
  last_a_ = a;
  reactions_known_ = false;
}

/// The joints' wrenches, with what the bodies were accelerated by last. Forces are evaluated only where somebody asks.
template <class Space>
void RelativeEquations<Space>::find_reactions() {
  if (reactions_known_) return;
  this->update_joint_tree(RowKind::velocity);
  this->update_joint_tree_forces();
  accelerate_links(last_a_.data());
  std::copy(tree_.force.begin(), tree_.force.end(), work_wrenches_.begin());
  add_inertial(work_wrenches_);
  add_closure_forces(this->multipliers(), work_wrenches_);
  pass_inwards(work_v_);
  reactions_known_ = true;
}

// Constraints.

/// Rows on the twists of links, in their axes and at their origins, from those on frames in ground axes (in rows_).
template <class Space>
void RelativeEquations<Space>::write_closure_rows(const ConstraintSlot& slot, const Closure& closure,
                                                  std::vector<Components<Space>>& rows) const {
  for (const Part& part : closure.parts) std::fill_n(rows.begin() + part.first, slot.rows, Components<Space>::Zero());
  for (int k = 0; k < slot.frames; ++k) {
    const int label = this->frame_slots_[detail::at(slot.frame + k)].body;
    if (label == 0) continue;
    const auto part =
        std::find_if(closure.parts.begin(), closure.parts.end(), [&](const Part& each) { return each.link == label; });
    const Pose<Space>& link = link_poses_[detail::at(label)];
    const Vector<Space> arm = this->frames_[detail::at(slot.frame + k)].pose.position - link.position;
    const double* row = this->rows_.data() + k * slot.rows * n;
    for (int r = 0; r < slot.rows; ++r, row += n) {
      const Vector<Space> linear = Vector<Space>::Map(row + angular);
      Angular<Space> turning;
      detail::load(row, turning);
      turning += cross(arm, linear);
      Components<Space>& to = rows[detail::at(part->first + r)];
      detail::add(to.data(), detail::to_body(link.rotation, turning));
      to.template tail<dimension>() += link.rotation.transpose() * linear;
    }
  }
}

template <class Space>
void RelativeEquations<Space>::do_joint_tree(RowKind kind) {
  typename JointTree<Space>::Closures& closures = tree_.closures_of(kind);
  Eigen::VectorXd& rate = rate_[static_cast<std::size_t>(kind)];
  for (std::size_t i = 0; i < closures.list.size(); ++i) {
    const ConstraintSlot& slot = this->constraints_[i];
    this->evaluate_rows(slot, kind, rate.data() + slot.row);
    write_closure_rows(slot, closures.list[i], closures.rows);
  }
}

template <class Space>
void RelativeEquations<Space>::do_velocity_residual(Eigen::VectorXd& residual) {
  if (this->constraints_.empty()) return;
  this->update_joint_tree(RowKind::velocity);
  write_velocity_residual(residual);
}

/// Rows on the links' velocities, which contain what driven joints do.
template <class Space>
void RelativeEquations<Space>::write_velocity_residual(Eigen::VectorXd& residual) {
  this->need_velocity();
  residual = rate_[0];
  const typename JointTree<Space>::Closures& closures = tree_.closures_of(RowKind::velocity);
  for (const Closure& closure : closures.list) {
    for (const Part& part : closure.parts) {
      const Twist<Space>& V = tree_.velocity[detail::at(part.link)];
      for (int r = 0; r < closure.count; ++r) {
        const Components<Space>& row = closures.rows[detail::at(part.first + r)];
        Angular<Space> turning;
        detail::load(row.data(), turning);
        residual[closure.row + r] += dot(turning, V.angular) + row.template tail<dimension>().dot(V.linear);
      }
    }
  }
}

// Forces.

template <class Space>
void RelativeEquations<Space>::do_joint_tree_forces() {
  if (!forces_act_) return;
  std::copy(inertial_force_.begin(), inertial_force_.end(), tree_.force.begin());
  for (std::size_t label = 1; label < links_.size(); ++label) {
    if (plain_[label]) continue;
    // In body axes, what the body adds to a rigid body's own torque.
    const Body<Space>& body = *this->bodies_[label].body;
    const Rotation<Space>& R = links_[label].center.rotation;
    const Angular<Space> omega = detail::to_body(R, tree_.velocity[label].angular);
    if constexpr (dimension == 3) {
      const Eigen::Vector3d more = body.gyroscopic_torque(omega) + Eigen::Vector3d(omega.cross(body.inertia() * omega));
      tree_.force[label].torque -= R * more;
    }
  }
  this->update_readings();
  for (const ForceSlot& slot : this->forces_) {
    this->evaluate_force(slot);
    subtract_force(slot);
  }
}

/// The wrenches of one force element (in wrenches_), in the axes and at the origins of the links they act on.
template <class Space>
void RelativeEquations<Space>::subtract_force(const ForceSlot& slot) {
  for (int k = 0; k < slot.frames; ++k) {
    const int label = this->frame_slots_[detail::at(slot.frame + k)].body;
    if (label == 0) continue;
    const Wrench<Space>& wrench = this->wrenches_[detail::at(k)];
    if (!this->bodies_[detail::at(label)].rotates) this->refuse_torque_on_point(slot, label, wrench);
    subtract_wrench(label, this->frames_[detail::at(slot.frame + k)].pose.position, wrench,
                    tree_.force[detail::at(label)]);
  }
}

template <class Space>
inline void RelativeEquations<Space>::subtract_wrench(int label, const Vector<Space>& point,
                                                      const Wrench<Space>& wrench, Wrench<Space>& from) const {
  const Pose<Space>& link = link_poses_[detail::at(label)];
  const Vector<Space> arm = point - link.position;
  const Angular<Space> torque = wrench.torque + cross(arm, wrench.force);
  from.torque -= detail::to_body(link.rotation, torque);
  from.force -= link.rotation.transpose() * wrench.force;
}

template <class Space>
void RelativeEquations<Space>::do_f(Eigen::VectorXd& f) {
  this->update_joint_tree_forces();
  std::copy(tree_.force.begin(), tree_.force.end(), work_wrenches_.begin());
  pass_inwards(f);
  f = -f;
}

// Recursions without elimination.

template <class Space>
Twist<Space> RelativeEquations<Space>::joint_twist(const Link& link, const double* v) const {
  Components<Space> twist = Components<Space>::Zero();
  if (link.axis >= 0) {
    twist[link.axis] = v[link.column];
  } else {
    for (int j = 0; j < link.freedoms; ++j) twist += v[link.column + j] * tree_.subspace[detail::at(link.subspace + j)];
  }
  Twist<Space> out;
  detail::load(twist.data(), out.angular);
  out.linear = twist.template tail<dimension>();
  return out;
}

template <class Space>
void RelativeEquations<Space>::accelerate_links(const double* a) {
  work_twists_[0] = {};
  for (std::size_t label = 1; label < links_.size(); ++label) {
    const Link& link = tree_.links[label];
    Twist<Space> A = to_link<Space>(tree_.rotation[label], tree_.origin[label], work_twists_[detail::at(link.father)]);
    const Twist<Space> own = joint_twist(link, a);
    A.angular += own.angular;
    A.linear += own.linear;
    work_twists_[label] = A;
  }
}

template <class Space>
void RelativeEquations<Space>::add_inertial(std::vector<Wrench<Space>>& wrenches) const {
  for (std::size_t label = 1; label < links_.size(); ++label) {
    const Wrench<Space> own = times(tree_.inertias[label], work_twists_[label]);
    wrenches[label].torque += own.torque;
    wrenches[label].force += own.force;
  }
}

template <class Space>
void RelativeEquations<Space>::add_closure_forces(const Eigen::VectorXd& lambda,
                                                  std::vector<Wrench<Space>>& wrenches) const {
  const typename JointTree<Space>::Closures& closures = tree_.closures_of(RowKind::velocity);
  for (const Closure& closure : closures.list) {
    for (const Part& part : closure.parts)
      for (int r = 0; r < closure.count; ++r) {
        const Components<Space>& row = closures.rows[detail::at(part.first + r)];
        Angular<Space> turning;
        detail::load(row.data(), turning);
        Wrench<Space>& wrench = wrenches[detail::at(part.link)];
        wrench.torque += lambda[closure.row + r] * turning;
        wrench.force += lambda[closure.row + r] * row.template tail<dimension>();
      }
  }
}

template <class Space>
void RelativeEquations<Space>::pass_inwards(Eigen::VectorXd& out) {
  for (std::size_t label = links_.size() - 1; label > 0; --label) {
    const Link& link = tree_.links[label];
    const Wrench<Space>& wrench = work_wrenches_[label];
    Components<Space> components;
    components << wrench.torque, wrench.force;
    if (link.axis >= 0) {
      out[link.column] = components[link.axis];
    } else {
      for (int j = 0; j < link.freedoms; ++j)
        out[link.column + j] = tree_.subspace[detail::at(link.subspace + j)].dot(components);
    }
    if (link.father == 0) continue;
    const Wrench<Space> passed = to_father<Space>(tree_.rotation[label], tree_.origin[label], wrench);
    Wrench<Space>& father = work_wrenches_[detail::at(link.father)];
    father.torque += passed.torque;
    father.force += passed.force;
  }
}

template <class Space>
void RelativeEquations<Space>::do_multiply_mass(const Eigen::VectorXd& x, Eigen::VectorXd& y) {
  accelerate_links(x.data());
  std::fill(work_wrenches_.begin(), work_wrenches_.end(), Wrench<Space>{});
  add_inertial(work_wrenches_);
  pass_inwards(y);
}

template <class Space>
void RelativeEquations<Space>::do_dynamic_residual(const Eigen::VectorXd& a, const Eigen::VectorXd& lambda,
                                                   Eigen::VectorXd& out) {
  this->update_joint_tree_forces();
  accelerate_links(a.data());
  std::copy(tree_.force.begin(), tree_.force.end(), work_wrenches_.begin());
  add_inertial(work_wrenches_);
  if (!this->constraints_.empty()) {
    this->update_joint_tree(RowKind::velocity);
    add_closure_forces(lambda, work_wrenches_);
  }
  pass_inwards(out);
  out -= this->applied_force();
}

// Impulses.

template <class Space>
void RelativeEquations<Space>::do_add_generalised_force(int label, const Vector<Space>& arm,
                                                        const Wrench<Space>& wrench, Eigen::VectorXd& f) {
  std::fill(work_wrenches_.begin(), work_wrenches_.end(), Wrench<Space>{});
  subtract_wrench(label, this->poses_[detail::at(label)].position + arm, wrench, work_wrenches_[detail::at(label)]);
  pass_inwards(work_v_);
  f -= work_v_;
}

/// As accelerate_bodies passes wrenches on, but of what jumps only: no finite force takes part.
template <class Space>
void RelativeEquations<Space>::pass_impulses(const Eigen::VectorXd& jump,
                                             const std::vector<FrameImpulse<Space>>& applied) {
  accelerate_links(jump.data());
  std::fill(work_wrenches_.begin(), work_wrenches_.end(), Wrench<Space>{});
  add_inertial(work_wrenches_);
  if (!this->constraints_.empty()) {
    this->update_joint_tree(RowKind::velocity);
    add_closure_forces(this->multipliers(), work_wrenches_);
  }
  for (const FrameImpulse<Space>& each : applied) {
    const FrameSlot slot = this->frame_slot(each.frame);
    if (slot.body == 0) continue;
    Pose<Space> pose;
    this->place(slot, pose);
    subtract_wrench(slot.body, pose.position, each.impulse, work_wrenches_[detail::at(slot.body)]);
  }
  pass_inwards(work_v_);
  reactions_known_ = true;
}

// Positions from velocities.

template <class Space>
void RelativeEquations<Space>::do_add_position_change(const Eigen::VectorXd& velocity, Eigen::VectorXd& p) const {
  std::array<double, n + 2> rate{};  // a quaternion has one entry more than freedoms
  for (std::size_t label = 1; label < links_.size(); ++label) {
    const LinkSlot& link = links_[label];
    const double* v = velocity.data() + link.v;
    double* to = p.data() + link.q;
    if (link.constant) {
      for (int i = 0; i < link.coordinates; ++i) to[i] += v[i];
      continue;
    }
    joints_[label]->rate(this->position().data() + link.q, v, rate.data());
    for (int i = 0; i < link.coordinates; ++i) to[i] += rate[detail::at(i)];
  }
}

/// By retraction with no step. The sign of a quaternion is that of `p`, which integrators keep near `near`.
template <class Space>
void RelativeEquations<Space>::normalise(const Eigen::VectorXd& near, Eigen::VectorXd& p) const {
  for (std::size_t label = 1; label < links_.size(); ++label)
    if (links_[label].coordinates != tree_.links[label].freedoms)
      normalise_coordinates(*joints_[label], this->time(), near.data() + links_[label].q, p.data() + links_[label].q);
}

// Reports.

template <class Space>
ConstraintResidual RelativeEquations<Space>::constraint_residual() {
  ConstraintResidual out = Base::constraint_residual();
  if (this->dimensions().normalisation == 0) return out;
  work_p_ = this->position();
  normalise(work_p_, work_p_);
  for (std::size_t label = 1; label < links_.size(); ++label) {
    const LinkSlot& link = links_[label];
    if (link.coordinates == tree_.links[label].freedoms) continue;
    const double change =
        (work_p_ - this->position()).segment(link.q, link.coordinates).norm();  // |q| - 1 for quaternions
    out.normalisation = std::max(out.normalisation, change);
  }
  return out;
}

/// Of the last accelerate_bodies or pass_impulses. Where the tree goes from the joint's son to its father, the wrench
/// on the link is the opposite one, at another frame.
template <class Space>
Wrench<Space> RelativeEquations<Space>::tree_reaction(int constraint) {
  const int label = link_of_joint_[detail::at(constraint)];
  if (label < 0) return {};
  find_reactions();
  const Pose<Space>& link = link_poses_[detail::at(label)];
  const Wrench<Space>& own = work_wrenches_[detail::at(label)];
  Wrench<Space> out{detail::to_ground(link.rotation, own.torque), link.rotation * own.force};
  const std::vector<Frame<Space>>& frames = joints_[detail::at(label)]->frames();
  if (frames[0].body != this->bodies_[detail::at(label)].index) return out;
  const int son = frames[1].body < 0 ? 0 : this->topology_.label_of_body[detail::at(frames[1].body)];
  const Pose<Space> frame = compose(link_poses_[detail::at(son)], frame_in_link(frames[1], son));
  const Vector<Space> arm = link.position - frame.position;
  out.torque = -(out.torque + cross(arm, out.force));
  out.force = -out.force;
  return out;
}

template <class Space>
double RelativeEquations<Space>::do_element_power() {
  accelerate_bodies(this->accelerations());
  find_reactions();
  double power = this->applied_force().dot(this->velocity());
  for (std::size_t label = 1; label < links_.size(); ++label) {  // what drives do
    if (links_[label].constant) continue;
    const Link& link = tree_.links[label];
    const Twist<Space> carried =
        to_link<Space>(tree_.rotation[label], tree_.origin[label], tree_.velocity[detail::at(link.father)]);
    const Twist<Space> own = joint_twist(link, this->velocity().data());
    const Twist<Space>& V = tree_.velocity[label];
    const Angular<Space> turning = V.angular - carried.angular - own.angular;
    power += dot(work_wrenches_[label].torque, turning) +
             work_wrenches_[label].force.dot(V.linear - carried.linear - own.linear);
  }
  for (const ForceSlot& slot : this->forces_) {
    this->evaluate_force(slot);
    for (int k = 0; k < slot.frames; ++k) {
      const Twist<Space>& twist = this->frames_[detail::at(slot.frame + k)].velocity;
      const Wrench<Space>& wrench = this->wrenches_[detail::at(k)];
      power += dot(wrench.torque, twist.angular) + wrench.force.dot(twist.linear);
    }
  }
  // Constraints do the work -lambda^T rows V = lambda^T rate: none unless they are driven.
  return power + this->multipliers().dot(rate_[0]);
}

}  // namespace linkwork
