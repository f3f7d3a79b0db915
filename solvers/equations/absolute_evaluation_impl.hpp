#pragma once

// The hot paths of AbsoluteEquations. Nothing here allocates.

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/equations/absolute_equations.hpp>

#include <algorithm>
#include <cmath>

namespace linkwork {

namespace detail {

/// Components in body axes of a torque or angular row in ground axes.
inline double to_body(const Eigen::Matrix2d&, double angular) { return angular; }
inline Eigen::Vector3d to_body(const Eigen::Matrix3d& R, const Eigen::Vector3d& angular) {
  return R.transpose() * angular;
}
inline double to_ground(const Eigen::Matrix2d&, double angular) { return angular; }
inline Eigen::Vector3d to_ground(const Eigen::Matrix3d& R, const Eigen::Vector3d& angular) { return R * angular; }

/// Reading and adding angular parts, a number in the plane and three in space.
inline void load(const double* from, double& angular) { angular = from[0]; }
inline void load(const double* from, Eigen::Vector3d& angular) { angular = Eigen::Vector3d::Map(from); }
inline void add(double* to, double angular) { to[0] += angular; }
inline void add(double* to, const Eigen::Vector3d& angular) {
  for (int i = 0; i < 3; ++i) to[i] += angular[i];
}
inline void add(double* to, const Eigen::Vector2d& linear) {
  for (int i = 0; i < 2; ++i) to[i] += linear[i];
}

/// Zero if all is finite, else not a number: one test for many values.
inline double not_finite(double value) { return value * 0.0; }
inline double not_finite(const Eigen::Vector2d& value) { return value.sum() * 0.0; }
inline double not_finite(const Eigen::Vector3d& value) { return value.sum() * 0.0; }

}  // namespace detail

template <class Space>
Motion<Space> AbsoluteEquations<Space>::motion(const ConstraintSlot& slot) const {
  return {time(), frames_.data() + slot.frame, nullptr, constraint_memory_.data() + slot.memory, nullptr};
}
template <class Space>
Motion<Space> AbsoluteEquations<Space>::motion(const ForceSlot& slot) const {
  return {time(), frames_.data() + slot.frame, states().data() + slot.state, force_memory_.data() + slot.memory,
          reactions_.data() + slot.reading};
}

template <class Space>
template <class Slot, class Function>
void AbsoluteEquations<Space>::with_name(const Slot& slot, Function&& function) const {
  const auto named = [&](const RecoverableFailure& error) {
    return concat("'", name(slot), "' at t = ", time(), " s: ", error.what());
  };
  try {
    function();
  } catch (const NonFiniteValue& error) {
    throw NonFiniteValue(named(error));
  } catch (const RecoverableFailure& error) {
    throw RecoverableFailure(named(error));
  }
}

/// Pose of a frame from that of its body; returns the arm from the centre of mass in ground axes.
template <class Space>
inline Vector<Space> AbsoluteEquations<Space>::place(const FrameSlot& slot, Pose<Space>& pose) const {
  const Pose<Space>& body = poses_[static_cast<std::size_t>(slot.body)];
  const Vector<Space> arm = body.rotation * slot.arm;
  pose.position = body.position + arm;
  if (slot.turned)
    pose.rotation.noalias() = body.rotation * slot.rotation;
  else
    pose.rotation = body.rotation;
  if constexpr (dimension == 2) pose.angle = body.angle + slot.angle;
  return arm;
}

template <class Space>
inline Twist<Space> AbsoluteEquations<Space>::frame_velocity(int label, const Vector<Space>& arm) const {
  const Twist<Space>& body = twists_[static_cast<std::size_t>(label)];
  return {body.angular, body.linear + cross(body.angular, arm)};
}

// Position level.

template <class Space>
void AbsoluteEquations<Space>::do_position() {
  const double* p = position().data();
  for (std::size_t label = 1; label < bodies_.size(); ++label) {
    const BodySlot& slot = bodies_[label];
    Pose<Space>& pose = poses_[label];
    if (slot.rotates) {
      if constexpr (dimension == 2) {
        pose.angle = p[slot.p];
        pose.rotation = rotation_matrix(pose.angle);
      } else {
        const double* q = p + slot.p;
        pose.rotation = rotation_matrix(Eigen::Quaterniond(q[0], q[1], q[2], q[3]));
      }
    }
    pose.position = Vector<Space>::Map(p + slot.linear_p());
  }
  for (std::size_t k = 0; k < frame_slots_.size(); ++k)
    if (frame_slots_[k].body > 0) arms_[k] = place(frame_slots_[k], frames_[k].pose);
  readings_stale_ = true;
}

template <class Space>
void AbsoluteEquations<Space>::evaluate_rows(const ConstraintSlot& slot, Rows which, double* rate) {
  std::fill_n(rows_.data(), slot.frames * slot.rows * n, 0.0);
  std::fill_n(rate, slot.rows, 0.0);
  ConstraintRows<Space> out(slot.rows, rows_.data(), rate);
  with_name(slot, [&] {
    if (which == Rows::velocity)
      slot.constraint->velocity_rows(motion(slot), out);
    else
      slot.constraint->position_rows(motion(slot), out);
  });
}

/// From rows on the frames' twists (ground axes) to rows on the velocities of the bodies: with V = (R w, v + R w x arm)
/// the angular part is R^T (row_w + arm x row_v).
template <class Space>
void AbsoluteEquations<Space>::map_rows(const ConstraintSlot& slot, double* values) const {
  const double* row = rows_.data();
  for (int k = slot.frame; k < slot.frame + slot.frames; ++k) {
    const auto index = static_cast<std::size_t>(k);
    if (row_targets_[index] == nowhere) {
      row += slot.rows * n;
      continue;
    }
    const auto label = static_cast<std::size_t>(frame_slots_[index].body);
    const bool rotates = bodies_[label].rotates;
    const Vector<Space> arm = arms_[index];
    double* to = values + row_targets_[index];
    for (int r = 0; r < slot.rows; ++r, row += n) {
      const Vector<Space> linear = Vector<Space>::Map(row + angular);
      if (rotates) {
        Angular<Space> turning;
        detail::load(row, turning);
        turning += cross(arm, linear);
        detail::add(to, detail::to_body(poses_[label].rotation, turning));
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
  for (const ConstraintSlot& slot : constraints_) {
    evaluate_rows(slot, Rows::velocity, offset.data() + slot.row);
    map_rows(slot, G.data());
  }
}

template <class Space>
void AbsoluteEquations<Space>::do_C(BlockMatrix& C) {
  C.set_zero();
  for (const ConstraintSlot& slot : constraints_) {
    if (slot.row >= dimensions().lambda) break;
    evaluate_rows(slot, Rows::position, rates_.data());
    map_rows(slot, C.data());
  }
}

template <class Space>
void AbsoluteEquations<Space>::do_g(Eigen::VectorXd& g) {
  g.setZero();
  for (const ConstraintSlot& slot : constraints_) {
    if (slot.row >= dimensions().lambda) break;
    with_name(slot, [&] { slot.constraint->residual(motion(slot), g.data() + slot.row); });
  }
}

// Velocity level.

template <class Space>
void AbsoluteEquations<Space>::do_velocity() {
  const double* v = velocity().data();
  for (std::size_t label = 1; label < bodies_.size(); ++label) {
    const BodySlot& slot = bodies_[label];
    Twist<Space>& twist = twists_[label];
    if (slot.rotates) {
      detail::load(v + slot.v, twist.angular);
      twist.angular = detail::to_ground(poses_[label].rotation, twist.angular);
    }
    twist.linear = Vector<Space>::Map(v + slot.linear_v());
  }
  for (std::size_t k = constraint_frames_; k < frame_slots_.size(); ++k)
    frames_[k].velocity = frame_velocity(frame_slots_[k].body, arms_[k]);
  constraint_velocities_stale_ = true;
}

template <class Space>
void AbsoluteEquations<Space>::need_constraint_velocities() {
  need_velocity();
  if (!constraint_velocities_stale_) return;
  for (std::size_t k = 0; k < constraint_frames_; ++k) {
    Twist<Space>& velocity = frames_[k].velocity;
    velocity = frame_velocity(frame_slots_[k].body, arms_[k]);
    frames_[k].bias.linear = cross(velocity.angular, Vector<Space>(cross(velocity.angular, arms_[k])));
  }
  constraint_velocities_stale_ = false;
}

/// gamma = the constraints' bias less what the frames' accelerations at v' = 0 contribute.
template <class Space>
void AbsoluteEquations<Space>::do_gamma(Eigen::VectorXd& gamma) {
  need_constraint_velocities();
  gamma.setZero();
  for (const ConstraintSlot& slot : constraints_) {
    double* to = gamma.data() + slot.row;
    with_name(slot, [&] { slot.constraint->bias(motion(slot), to); });
    evaluate_rows(slot, Rows::velocity, rates_.data());
    const double* row = rows_.data();
    for (int k = slot.frame; k < slot.frame + slot.frames; ++k)
      for (int r = 0; r < slot.rows; ++r, row += n)
        to[r] -= Vector<Space>::Map(row + angular).dot(frames_[static_cast<std::size_t>(k)].bias.linear);
  }
}

// Forces.

template <class Space>
void AbsoluteEquations<Space>::do_f(Eigen::VectorXd& f) {
  f = gravity_;
  add_gyroscopic_torques(f);
  add_force_elements(f);
}

template <class Space>
void AbsoluteEquations<Space>::add_gyroscopic_torques(Eigen::VectorXd& f) const {
  for (const BodySlot& slot : bodies_) {
    if (!slot.rotates) continue;
    Angular<Space> omega;
    detail::load(velocity().data() + slot.v, omega);
    detail::add(f.data() + slot.v, slot.body->gyroscopic_torque(omega));
  }
}

template <class Space>
void AbsoluteEquations<Space>::add_force_elements(Eigen::VectorXd& f) {
  update_readings();
  for (const ForceSlot& slot : forces_) {
    evaluate_force(slot);
    for (int k = 0; k < slot.frames; ++k) add_wrench(slot.frame + k, wrenches_[static_cast<std::size_t>(k)], slot, f);
  }
}

/// The wrenches on the frames of one force element, in wrenches_.
template <class Space>
void AbsoluteEquations<Space>::evaluate_force(const ForceSlot& slot) {
  std::fill_n(wrenches_.begin(), slot.frames, Wrench<Space>{});
  ForceSums<Space> sums(wrenches_.data());
  with_name(slot, [&] { slot.force->add_to(motion(slot), sums); });
  double check = 0;
  for (int k = 0; k < slot.frames; ++k) {
    const Wrench<Space>& wrench = wrenches_[static_cast<std::size_t>(k)];
    check += detail::not_finite(wrench.force) + detail::not_finite(wrench.torque);
  }
  if (check != 0)
    throw NonFiniteValue(concat("force '", name(slot), "' (", slot.force->type(),
                                ") gives a force that is not finite at t = ", time(), " s; check its function."));
}

template <class Space>
inline void AbsoluteEquations<Space>::add_wrench(int frame, const Wrench<Space>& wrench, const ForceSlot& slot,
                                                 Eigen::VectorXd& f) const {
  const auto index = static_cast<std::size_t>(frame);
  const int label = frame_slots_[index].body;
  if (label == 0) return;
  const BodySlot& body = bodies_[static_cast<std::size_t>(label)];
  detail::add(f.data() + body.linear_v(), wrench.force);
  if (body.rotates) {
    const Angular<Space> torque = wrench.torque + cross(arms_[index], wrench.force);
    detail::add(f.data() + body.v, detail::to_body(poses_[static_cast<std::size_t>(label)].rotation, torque));
  } else if (dot(wrench.torque, wrench.torque) > 0) {
    throw ModelError(concat("force '", name(slot), "' (", slot.force->type(), ") puts a torque on body '",
                            body_name(label), "' (", body.body->type(),
                            "), which does not rotate; act on a rigid body, or give a force without torque."));
  }
}

/// Wrench of the constraint on its last frame, -rows^T lambda, ground axes.
template <class Space>
Wrench<Space> AbsoluteEquations<Space>::reaction(const ConstraintSlot& slot, const double* rows_of_last_frame) const {
  Wrench<Space> out;
  for (int r = 0; r < slot.rows; ++r, rows_of_last_frame += n) {
    const double lambda = multipliers()[slot.row + r];
    Angular<Space> turning;
    detail::load(rows_of_last_frame, turning);
    out.torque -= lambda * turning;
    out.force -= lambda * Vector<Space>::Map(rows_of_last_frame + angular);
  }
  return out;
}

template <class Space>
void AbsoluteEquations<Space>::update_readings() {
  for (std::size_t i = 0; i < readings_.size(); ++i) {
    const ConstraintSlot& slot = constraints_[static_cast<std::size_t>(readings_[i].constraint)];
    double* rows = reading_rows_.data() + readings_[i].rows;
    if (readings_stale_) {
      evaluate_rows(slot, Rows::velocity, rates_.data());
      std::copy_n(rows_.data() + (slot.frames - 1) * slot.rows * n, slot.rows * n, rows);
    }
    reactions_[i] = reaction(slot, rows);
  }
  readings_stale_ = false;
}

template <class Space>
void AbsoluteEquations<Space>::do_r_rate(Eigen::VectorXd& rate) {
  update_readings();
  rate.setZero();
  for (const ForceSlot& slot : forces_) {
    const int count = slot.force->states();
    if (count == 0) continue;
    double* to = rate.data() + slot.state;
    with_name(slot, [&] { slot.force->state_rates(motion(slot), to); });
    if (!std::all_of(to, to + count, [](double value) { return std::isfinite(value); }))
      throw NonFiniteValue(concat("force '", name(slot), "' (", slot.force->type(),
                                  ") gives a state rate that is not finite at t = ", time(),
                                  " s; check its function."));
  }
}

// Positions from velocities.

/// p += Z(position()) velocity; a quaternion q' = q (0, omega) / 2 is taken as it is, not normalised.
template <class Space>
void AbsoluteEquations<Space>::add_position_change(const Eigen::VectorXd& velocity, Eigen::VectorXd& p) const {
  for (std::size_t label = 1; label < bodies_.size(); ++label) {
    const BodySlot& slot = bodies_[label];
    const double* v = velocity.data() + slot.v;
    double* to = p.data() + slot.p;
    if (slot.rotates) {
      if constexpr (dimension == 2) {
        to[0] += v[0];
      } else {
        const double* q = position().data() + slot.p;
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
void AbsoluteEquations<Space>::do_position_rate(Eigen::VectorXd& p_rate) {
  p_rate.setZero();
  add_position_change(velocity(), p_rate);
}

template <class Space>
void AbsoluteEquations<Space>::do_position_step(const Eigen::VectorXd& step, Eigen::VectorXd& p_new) {
  p_new = position();
  add_position_change(step, p_new);
}

template <class Space>
void AbsoluteEquations<Space>::normalise(const Eigen::VectorXd& near, Eigen::VectorXd& p) const {
  if constexpr (dimension == 3) {
    for (const BodySlot& slot : bodies_) {
      if (!slot.rotates) continue;
      auto q = p.segment<4>(slot.p);
      const double norm = q.norm();
      q /= near.segment<4>(slot.p).dot(q) < 0 ? -norm : norm;
    }
  }
}

// Memory of elements.

template <class Space>
void AbsoluteEquations<Space>::remember(bool restart, int crossed) {
  if (constraint_memory_.empty() && force_memory_.empty()) return;
  need_velocity();
  update_readings();
  bool changed = false;
  const auto renew = [&](std::vector<double>& memory, auto&& call) {
    std::copy(memory.begin(), memory.end(), memory_before_.begin());
    call();
    changed = changed || !std::equal(memory.begin(), memory.end(), memory_before_.begin());
  };
  renew(constraint_memory_, [&] {
    for (const ConstraintSlot& slot : constraints_)
      with_name(slot,
                [&] { slot.constraint->remember(motion(slot), restart, constraint_memory_.data() + slot.memory); });
  });
  renew(force_memory_, [&] {
    for (const ForceSlot& slot : forces_) {
      const int own = crossed - slot.first_switch;
      with_name(slot, [&] {
        slot.force->remember(motion(slot), restart, own >= 0 && own < slot.force->switches() ? own : -1,
                             force_memory_.data() + slot.memory);
      });
    }
  });
  if (changed) set_position(time(), position());  // all that was computed may depend on the memory
}

template <class Space>
void AbsoluteEquations<Space>::forget() {
  std::fill(constraint_memory_.begin(), constraint_memory_.end(), 0.0);
  std::fill(force_memory_.begin(), force_memory_.end(), 0.0);
  set_position(time(), position());
}

template <class Space>
double AbsoluteEquations<Space>::switching_function(int index) {
  need_velocity();
  update_readings();
  const int owner = switch_owner_[static_cast<std::size_t>(index)];
  const ForceSlot& slot = forces_[static_cast<std::size_t>(owner)];
  double value = 0;
  with_name(slot, [&] { value = slot.force->switching_function(motion(slot), index - slot.first_switch); });
  if (!std::isfinite(value))
    throw NonFiniteValue(concat("force '", name(slot), "' (", slot.force->type(),
                                ") gives a switching function that is not finite at t = ", time(),
                                " s; check its function."));
  return value;
}

}  // namespace linkwork
