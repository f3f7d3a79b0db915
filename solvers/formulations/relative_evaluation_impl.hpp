#pragma once

// The hot paths of RelativeCoordinates. Nothing here allocates.

#include <linkwork/solvers/formulations/impulses.hpp>
#include <linkwork/solvers/formulations/joint_start.hpp>
#include <linkwork/solvers/formulations/relative_coordinates.hpp>

#include <algorithm>

namespace linkwork {

// Motion of links and bodies.

template <class Space>
void RelativeCoordinates<Space>::renew_position() {
  kinematics_->position(graph_.now, graph_.point.position().data());
}

template <class Space>
void RelativeCoordinates<Space>::renew_velocity() {
  kinematics_->velocity(graph_.now, graph_.point.position().data(), graph_.point.velocity().data(),
                        graph_.data->gravity);
  if (forces_act_) std::copy(tree_.force.begin(), tree_.force.end(), inertial_force_.begin());
}

template <class Space>
void RelativeCoordinates<Space>::place_bodies(std::vector<Pose<Space>>& poses) {
  for (std::size_t label = 1; label < links_.size(); ++label) {
    const Pose<Space>& father = link_poses_[detail::at(tree_.links[label].father)];
    Pose<Space>& pose = link_poses_[label];
    pose.rotation.noalias() = father.rotation * tree_.rotation[label];
    pose.position = father.position + father.rotation * tree_.origin[label];
    if constexpr (dimension == 2) pose.angle = father.angle + kinematics_->angles()[label] + links_[label].turns;
    const Pose<Space>& center = links_[label].center;
    Pose<Space>& body = poses[label];
    body.rotation.noalias() = pose.rotation * center.rotation;
    body.position = pose.position + pose.rotation * center.position;
    if constexpr (dimension == 2) body.angle = pose.angle + center.angle;
  }
}

template <class Space>
void RelativeCoordinates<Space>::move_bodies(std::vector<Twist<Space>>& twists) {
  for (std::size_t label = 1; label < links_.size(); ++label) {
    const Rotation<Space>& R = link_poses_[label].rotation;
    const Twist<Space>& V = tree_.velocity[label];
    twists[label] = {detail::to_ground(R, V.angular),
                     R * Vector<Space>(V.linear + cross(V.angular, links_[label].center.position))};
  }
}

/// Acceleration of the centre of mass in ground axes for a link's A, which the ground's -gravity is part of.
template <class Space>
Twist<Space> RelativeCoordinates<Space>::center_acceleration(std::size_t label, const Twist<Space>& A) const {
  const Vector<Space>& c = links_[label].center.position;
  const Twist<Space>& V = tree_.velocity[label];
  const Vector<Space> v = V.linear + cross(V.angular, c);
  const Vector<Space> a = A.linear + cross(A.angular, c) + cross(V.angular, v);
  const Rotation<Space>& R = link_poses_[label].rotation;
  return {detail::to_ground(R, A.angular), R * a + graph_.data->gravity};
}

template <class Space>
void RelativeCoordinates<Space>::bias_bodies(std::vector<Twist<Space>>& biases) {
  for (std::size_t label = 1; label < links_.size(); ++label)
    biases[label] = center_acceleration(label, tree_.bias[label]);
}

template <class Space>
void RelativeCoordinates<Space>::accelerate_bodies(const Eigen::VectorXd& a, std::vector<Twist<Space>>& accelerations) {
  const std::vector<Twist<Space>>& links = recursions_->accelerate_links(a);
  for (std::size_t label = 1; label < links_.size(); ++label) {
    Twist<Space> A = links[label];
    A.angular += tree_.bias[label].angular;
    A.linear += tree_.bias[label].linear;
    accelerations[label] = center_acceleration(label, A);
  }
}

// Constraints.

/// Rows on the twists of links, in their axes and at their origins, from those on frames in ground axes.
template <class Space>
void RelativeCoordinates<Space>::write_closure_rows(const ConstraintSlot& slot, const Closure& closure,
                                                    std::vector<Components<Space>>& rows) const {
  for (const Part& part : closure.parts) std::fill_n(rows.begin() + part.first, slot.rows, Components<Space>::Zero());
  for (int k = 0; k < slot.frames; ++k) {
    const int label = graph_.frame_slots[detail::at(slot.frame + k)].body;
    if (label == 0) continue;
    const auto part =
        std::find_if(closure.parts.begin(), closure.parts.end(), [&](const Part& each) { return each.link == label; });
    const Pose<Space>& link = link_poses_[detail::at(label)];
    const Vector<Space> arm = graph_.frames[detail::at(slot.frame + k)].pose.position - link.position;
    const double* row = graph_.rows.data() + slot.value + k * slot.rows * n;
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
void RelativeCoordinates<Space>::map_rows(RowKind kind, BlockMatrix& /*matrix*/, Eigen::VectorXd& /*rates*/) {
  typename JointTree<Space>::Closures& closures = tree_.closures_of(kind);
  for (std::size_t i = 0; i < closures.list.size(); ++i)
    write_closure_rows(graph_.constraints[i], closures.list[i], closures.rows);
}

// Forces.

template <class Space>
void RelativeCoordinates<Space>::start_forces(Eigen::VectorXd& /*f*/) {
  if (!forces_act_) return;
  std::copy(inertial_force_.begin(), inertial_force_.end(), tree_.force.begin());
  for (std::size_t label = 1; label < links_.size(); ++label) {
    if (plain_[label]) continue;
    // In body axes, what the body adds to a rigid body's own torque.
    const Body<Space>& body = *graph_.bodies[label].body;
    const Rotation<Space>& R = links_[label].center.rotation;
    const Angular<Space> omega = detail::to_body(R, tree_.velocity[label].angular);
    if constexpr (dimension == 3) {
      const Eigen::Vector3d more = body.gyroscopic_torque(omega) + Eigen::Vector3d(omega.cross(body.inertia() * omega));
      tree_.force[label].torque -= R * more;
    }
  }
}

template <class Space>
void RelativeCoordinates<Space>::add_wrenches(Eigen::VectorXd& /*f*/) {
  const std::size_t first = graph_.first_force_frame;
  for (std::size_t k = first; k < graph_.frame_slots.size(); ++k)
    if (const int label = graph_.frame_slots[k].body; label > 0)
      subtract_wrench(label, graph_.frames[k].pose.position, graph_.wrenches[k - first],
                      tree_.force[detail::at(label)]);
}

template <class Space>
inline void RelativeCoordinates<Space>::subtract_wrench(int label, const Vector<Space>& point,
                                                        const Wrench<Space>& wrench, Wrench<Space>& from) const {
  const Pose<Space>& link = link_poses_[detail::at(label)];
  const Vector<Space> arm = point - link.position;
  const Angular<Space> torque = wrench.torque + cross(arm, wrench.force);
  from.torque -= detail::to_body(link.rotation, torque);
  from.force -= link.rotation.transpose() * wrench.force;
}

// Impulses.

template <class Space>
void RelativeCoordinates<Space>::add_wrench(int label, const Vector<Space>& arm, const Wrench<Space>& wrench,
                                            Eigen::VectorXd& f) {
  Wrench<Space>& on_link = recursions_->start_wrenches()[detail::at(label)];
  subtract_wrench(label, graph_.poses[detail::at(label)].position + arm, wrench, on_link);
  recursions_->pass_inwards(work_v_);
  f -= work_v_;
}

/// As finite forces are passed on, but of what jumps only: no finite force takes part.
template <class Space>
void RelativeCoordinates<Space>::pass_impulses(const Eigen::VectorXd& jump,
                                               const std::vector<FrameImpulse<Space>>& applied) {
  std::vector<Wrench<Space>>& wrenches = recursions_->start_wrenches();
  recursions_->add_motion(jump, graph_.point.multipliers());
  for (const FrameImpulse<Space>& each : applied) {
    const auto slot = graph_.frame_slot(each.frame);
    if (slot.body == 0) continue;
    Pose<Space> pose;
    graph_.place(slot, pose);
    subtract_wrench(slot.body, pose.position, each.impulse, wrenches[detail::at(slot.body)]);
  }
  recursions_->pass_inwards(work_v_);
}

// Positions from velocities.

template <class Space>
void RelativeCoordinates<Space>::add_position_change(const Eigen::VectorXd& x, Eigen::VectorXd& p) const {
  std::array<double, n + 2> rate{};  // a quaternion has one entry more than freedoms
  for (std::size_t label = 1; label < links_.size(); ++label) {
    const LinkSlot& link = links_[label];
    const double* v = x.data() + link.v;
    double* to = p.data() + link.q;
    if (link.constant) {
      for (int i = 0; i < link.coordinates; ++i) to[i] += v[i];
      continue;
    }
    joints_[label]->rate(graph_.point.position().data() + link.q, v, rate.data());
    for (int i = 0; i < link.coordinates; ++i) to[i] += rate[detail::at(i)];
  }
}

/// By retraction with no step. The sign of a quaternion is that of `p`, which integrators keep near `near`.
template <class Space>
void RelativeCoordinates<Space>::normalise(const Eigen::VectorXd& near, Eigen::VectorXd& p) const {
  for (std::size_t label = 1; label < links_.size(); ++label)
    if (links_[label].coordinates != tree_.links[label].freedoms)
      normalise_coordinates(*joints_[label], graph_.point.time(), near.data() + links_[label].q,
                            p.data() + links_[label].q);
}

// Reports.

template <class Space>
double RelativeCoordinates<Space>::norm_error() {
  if (layout_.normalisation == 0) return 0;
  const Eigen::VectorXd& p = graph_.point.position();
  work_p_ = p;
  normalise(work_p_, work_p_);
  double out = 0;
  for (std::size_t label = 1; label < links_.size(); ++label) {
    const LinkSlot& link = links_[label];
    if (link.coordinates != tree_.links[label].freedoms)  // |q| - 1 for quaternions
      out = std::max(out, (work_p_ - p).segment(link.q, link.coordinates).norm());
  }
  return out;
}

/// Of the last wrenches of joints. Where the tree goes from the joint's son to its father, the wrench
/// on the link is the opposite one, at another frame.
template <class Space>
Wrench<Space> RelativeCoordinates<Space>::reaction(int constraint) const {
  const int label = link_of_joint_[detail::at(constraint)];
  if (label < 0) return {};
  const Pose<Space>& link = link_poses_[detail::at(label)];
  const Wrench<Space>& own = recursions_->joint_wrench(label);
  Wrench<Space> out{detail::to_ground(link.rotation, own.torque), link.rotation * own.force};
  const std::vector<Frame<Space>>& frames = joints_[detail::at(label)]->frames();
  if (frames[0].body != graph_.bodies[detail::at(label)].index) return out;
  const int son = frames[1].body < 0 ? 0 : graph_.topology.label_of_body[detail::at(frames[1].body)];
  const Pose<Space> frame = compose(link_poses_[detail::at(son)], frame_in_link(frames[1], son));
  const Vector<Space> arm = link.position - frame.position;
  out.torque = -(out.torque + cross(arm, out.force));
  out.force = -out.force;
  return out;
}

template <class Space>
void RelativeCoordinates<Space>::add_drive_power(double& power) const {
  for (std::size_t label = 1; label < links_.size(); ++label) {
    if (links_[label].constant) continue;
    const Twist<Space> carried = to_link<Space>(tree_.rotation[label], tree_.origin[label],
                                                tree_.velocity[detail::at(tree_.links[label].father)]);
    const Twist<Space> own = recursions_->joint_twist(static_cast<int>(label), graph_.point.velocity());
    const Twist<Space>& V = tree_.velocity[label];
    const Wrench<Space>& wrench = recursions_->joint_wrench(static_cast<int>(label));
    const Angular<Space> turning = V.angular - carried.angular - own.angular;
    power += dot(wrench.torque, turning) + wrench.force.dot(V.linear - carried.linear - own.linear);
  }
}

}  // namespace linkwork
