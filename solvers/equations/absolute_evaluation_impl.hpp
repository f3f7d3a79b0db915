#pragma once

// The hot paths of AbsoluteEquations. Nothing here allocates.

#include <linkwork/solvers/equations/absolute_equations.hpp>

#include <algorithm>
#include <cmath>

namespace linkwork {

// Motion of bodies.

template <class Space>
void AbsoluteEquations<Space>::do_position() {
  this->renew_time();
  place_bodies();
  this->place_frames();
}

template <class Space>
void AbsoluteEquations<Space>::do_velocity() {
  move_bodies();
  this->move_frames();
}

template <class Space>
void AbsoluteEquations<Space>::place_bodies() {
  const double* p = this->position().data();
  for (std::size_t label = 1; label < places_.size(); ++label) {
    const Place& place = places_[label];
    Pose<Space>& pose = this->poses_[label];
    if (place.rotates) {
      if constexpr (dimension == 2) {
        pose.angle = p[place.p];
        pose.rotation = rotation_matrix(pose.angle);
      } else {
        const double* q = p + place.p;
        pose.rotation = rotation_matrix(Eigen::Quaterniond(q[0], q[1], q[2], q[3]));
      }
    }
    pose.position = Vector<Space>::Map(p + place.linear_p());
  }
}

template <class Space>
void AbsoluteEquations<Space>::move_bodies() {
  const double* v = this->velocity().data();
  for (std::size_t label = 1; label < places_.size(); ++label) {
    const Place& place = places_[label];
    Twist<Space>& twist = this->twists_[label];
    if (place.rotates) {
      detail::load(v + place.v, twist.angular);
      twist.angular = detail::to_ground(this->poses_[label].rotation, twist.angular);
    }
    twist.linear = Vector<Space>::Map(v + place.linear_v());
  }
}

template <class Space>
void AbsoluteEquations<Space>::accelerate_bodies(const Eigen::VectorXd& a) {
  for (std::size_t label = 1; label < places_.size(); ++label) {
    const Place& place = places_[label];
    Twist<Space>& acceleration = this->accelerations_[label];
    if (place.rotates) {
      detail::load(a.data() + place.v, acceleration.angular);
      acceleration.angular = detail::to_ground(this->poses_[label].rotation, acceleration.angular);
    }
    acceleration.linear = Vector<Space>::Map(a.data() + place.linear_v());
  }
}

// Constraints.

/// From rows on the frames' twists (ground axes) to rows on the velocities of the bodies: with V = (R w, v + R w x arm)
/// the angular part is R^T (row_w + arm x row_v).
template <class Space>
void AbsoluteEquations<Space>::map_rows(const ConstraintSlot& slot, double* values) const {
  const double* row = this->rows_.data();
  for (int k = slot.frame; k < slot.frame + slot.frames; ++k) {
    const auto index = static_cast<std::size_t>(k);
    if (row_targets_[index] == nowhere) {
      row += slot.rows * n;
      continue;
    }
    const auto label = static_cast<std::size_t>(this->frame_slots_[index].body);
    const bool rotates = places_[label].rotates;
    const Vector<Space> arm = this->arms_[index];
    double* to = values + row_targets_[index];
    for (int r = 0; r < slot.rows; ++r, row += n) {
      const Vector<Space> linear = Vector<Space>::Map(row + angular);
      if (rotates) {
        Angular<Space> turning;
        detail::load(row, turning);
        turning += cross(arm, linear);
        detail::add(to, detail::to_body(this->poses_[label].rotation, turning));
        to += angular;
      }
      detail::add(to, linear);
      to += dimension;
    }
  }
}

template <class Space>
void AbsoluteEquations<Space>::do_G(BlockMatrix& G, Eigen::VectorXd& offset) {
  G.set_zero();
  for (const ConstraintSlot& slot : this->constraints_) {
    this->evaluate_rows(slot, RowKind::velocity, offset.data() + slot.row);
    map_rows(slot, G.data());
  }
}

template <class Space>
void AbsoluteEquations<Space>::do_C(BlockMatrix& C) {
  C.set_zero();
  for (const ConstraintSlot& slot : this->constraints_) {
    if (slot.row >= this->dimensions().lambda) break;
    this->evaluate_rows(slot, RowKind::position, this->rates_.data());
    map_rows(slot, C.data());
  }
}

// Forces.

template <class Space>
void AbsoluteEquations<Space>::do_f(Eigen::VectorXd& f) {
  f = gravity_;
  add_gyroscopic_torques(f);
  this->update_readings();
  for (const ForceSlot& slot : this->forces_) {
    this->evaluate_force(slot);
    for (int k = 0; k < slot.frames; ++k)
      add_wrench(slot.frame + k, this->wrenches_[static_cast<std::size_t>(k)], slot, f);
  }
}

template <class Space>
void AbsoluteEquations<Space>::add_gyroscopic_torques(Eigen::VectorXd& f) const {
  for (std::size_t label = 1; label < places_.size(); ++label) {
    const Place& place = places_[label];
    if (!place.rotates) continue;
    Angular<Space> omega;
    detail::load(this->velocity().data() + place.v, omega);
    detail::add(f.data() + place.v, this->bodies_[label].body->gyroscopic_torque(omega));
  }
}

template <class Space>
inline void AbsoluteEquations<Space>::add_wrench(int frame, const Wrench<Space>& wrench, const ForceSlot& slot,
                                                 Eigen::VectorXd& f) const {
  const auto index = static_cast<std::size_t>(frame);
  const int label = this->frame_slots_[index].body;
  if (label == 0) return;
  const Place& place = places_[static_cast<std::size_t>(label)];
  detail::add(f.data() + place.linear_v(), wrench.force);
  if (place.rotates) {
    const Angular<Space> torque = wrench.torque + cross(this->arms_[index], wrench.force);
    detail::add(f.data() + place.v, detail::to_body(this->poses_[static_cast<std::size_t>(label)].rotation, torque));
  } else {
    this->refuse_torque_on_point(slot, label, wrench);
  }
}

template <class Space>
void AbsoluteEquations<Space>::do_add_generalised_force(int label, const Vector<Space>& arm,
                                                        const Wrench<Space>& wrench, Eigen::VectorXd& f) {
  const Place& place = places_[static_cast<std::size_t>(label)];
  detail::add(f.data() + place.linear_v(), wrench.force);
  if (!place.rotates) return;
  const Angular<Space> torque = wrench.torque + cross(arm, wrench.force);
  detail::add(f.data() + place.v, detail::to_body(this->poses_[static_cast<std::size_t>(label)].rotation, torque));
}

// Positions from velocities.

/// p += Z(this->position()) velocity; a quaternion q' = q (0, omega) / 2 is taken as it is, not normalised.
template <class Space>
void AbsoluteEquations<Space>::do_add_position_change(const Eigen::VectorXd& velocity, Eigen::VectorXd& p) const {
  for (std::size_t label = 1; label < places_.size(); ++label) {
    const Place& slot = places_[label];
    const double* v = velocity.data() + slot.v;
    double* to = p.data() + slot.p;
    if (slot.rotates) {
      if constexpr (dimension == 2) {
        to[0] += v[0];
      } else {
        const double* q = this->position().data() + slot.p;
        to[0] -= 0.5 * (q[1] * v[0] + q[2] * v[1] + q[3] * v[2]);
        to[1] += 0.5 * (q[0] * v[0] + q[2] * v[2] - q[3] * v[1]);
        to[2] += 0.5 * (q[0] * v[1] + q[3] * v[0] - q[1] * v[2]);
        to[3] += 0.5 * (q[0] * v[2] + q[1] * v[1] - q[2] * v[0]);
        to += 4 - 1;
      }
      to += 1;
      v += angular;
    }
    for (int i = 0; i < dimension; ++i) to[i] += v[i];
  }
}

template <class Space>
void AbsoluteEquations<Space>::normalise(const Eigen::VectorXd& near, Eigen::VectorXd& p) const {
  if constexpr (dimension == 3) {
    for (const Place& slot : places_) {
      if (!slot.rotates) continue;
      auto q = p.template segment<4>(slot.p);
      const double norm = q.norm();
      q /= near.template segment<4>(slot.p).dot(q) < 0 ? -norm : norm;
    }
  }
}

/// Constraints do the work -lambda^T G v = lambda^T offset: none unless they are driven.
template <class Space>
double AbsoluteEquations<Space>::do_element_power() {
  own_force_ = gravity_;
  add_gyroscopic_torques(own_force_);
  return (this->f() - own_force_).dot(this->velocity()) + this->multipliers().dot(this->velocity_offset());
}

template <class Space>
ConstraintResidual AbsoluteEquations<Space>::constraint_residual() {
  ConstraintResidual out = Base::constraint_residual();
  if constexpr (dimension == 3) {
    for (const Place& place : places_)
      if (place.rotates)
        out.normalisation =
            std::max(out.normalisation, std::abs(this->position().template segment<4>(place.p).norm() - 1));
  }
  return out;
}

}  // namespace linkwork
