#pragma once

// The hot paths of GraphEquations: elements on the motion of their frames. Nothing here allocates.

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/equations/graph_equations.hpp>

#include <algorithm>
#include <cmath>
#include <exception>
#include <stdexcept>

namespace linkwork {

namespace detail {

/// Zero if all is finite, else not a number: one test for many values.
inline double not_finite(double value) { return value * 0.0; }
inline double not_finite(const Eigen::Vector2d& value) { return value.sum() * 0.0; }
inline double not_finite(const Eigen::Vector3d& value) { return value.sum() * 0.0; }
template <class Space>
double not_finite(const Wrench<Space>& wrench) {
  return not_finite(wrench.force) + not_finite(wrench.torque);
}

}  // namespace detail

template <class Space>
Motion<Space> GraphEquations<Space>::motion(const ConstraintSlot& slot) const {
  return {now_,    frames_.data() + slot.frame,     nullptr, constraint_memory_.data() + slot.memory, nullptr,
          nullptr, contacts().data() + slot.contact};
}
template <class Space>
Motion<Space> GraphEquations<Space>::motion(const ForceSlot& slot) const {
  return {now_,
          frames_.data() + slot.frame,
          states().data() + slot.state,
          force_memory_.data() + slot.memory,
          reactions_.data() + slot.reading,
          auxiliary().data() + slot.auxiliary,
          read_contacts_.data() + slot.contact};
}

template <class Space>
template <class Slot, class Function>
void GraphEquations<Space>::with_name(const Slot& slot, Function&& function) const {
  const auto named = [&](const std::exception& error) {
    return concat("'", name(slot), "' at t = ", time(), " s: ", error.what());
  };
  try {
    function();
  } catch (const NonFiniteValue& error) {
    throw NonFiniteValue(named(error));
  } catch (const RecoverableFailure& error) {
    throw RecoverableFailure(named(error));
  } catch (const ModelError&) {
    throw;
  } catch (const std::exception& error) {  // of a user's element; what it is, is kept
    std::throw_with_nested(std::runtime_error(named(error)));
  }
}

// Time.

template <class Space>
void GraphEquations<Space>::renew_time() {
  input_offsets_.time = time();
  now_ = Instant(time(), input_offsets_.empty() ? nullptr : &input_offsets_);
}

template <class Space>
InputValue GraphEquations<Space>::input(int i) {
  const Input& asked = own_input(i);
  need_position();
  return asked(now_);
}

template <class Space>
void GraphEquations<Space>::do_offset_input(int i, const InputValue& offset) {
  input_offsets_.set(own_input(i), offset);
}

// Frames.

template <class Space>
inline Vector<Space> GraphEquations<Space>::place(const FrameSlot& slot, Pose<Space>& pose) const {
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
inline Twist<Space> GraphEquations<Space>::frame_velocity(int label, const Vector<Space>& arm) const {
  const Twist<Space>& body = twists_[static_cast<std::size_t>(label)];
  return {body.angular, body.linear + cross(body.angular, arm)};
}

template <class Space>
void GraphEquations<Space>::place_frames() {
  for (std::size_t k = 0; k < frame_slots_.size(); ++k)
    if (frame_slots_[k].body > 0) arms_[k] = place(frame_slots_[k], frames_[k].pose);
  readings_stale_ = true;
  if (contact_count_ > 0) {
    if (eliminates_contacts()) solve_contacts_here();
    for (std::size_t i = 0; i < contact_readings_.size(); ++i) read_contacts_[i] = contacts()[contact_readings_[i]];
  }
}

template <class Space>
void GraphEquations<Space>::move_frames() {
  for (std::size_t k = constraint_frames_; k < frame_slots_.size(); ++k)
    frames_[k].velocity = frame_velocity(frame_slots_[k].body, arms_[k]);
  constraint_velocities_stale_ = true;
}

template <class Space>
void GraphEquations<Space>::need_constraint_velocities() {
  need_velocity();
  if (!constraint_velocities_stale_) return;
  if (has_body_biases_ && constraint_frames_ > 0) bias_bodies();
  for (std::size_t k = 0; k < constraint_frames_; ++k) {
    const int label = frame_slots_[k].body;
    Twist<Space>& velocity = frames_[k].velocity;
    velocity = frame_velocity(label, arms_[k]);
    Twist<Space>& bias = frames_[k].bias;
    bias.linear = cross(velocity.angular, Vector<Space>(cross(velocity.angular, arms_[k])));
    if (!has_body_biases_) continue;
    const Twist<Space>& body = biases_[static_cast<std::size_t>(label)];
    bias.angular = body.angular;
    bias.linear += body.linear + cross(body.angular, arms_[k]);
  }
  constraint_velocities_stale_ = false;
}

// Constraints.

template <class Space>
inline void GraphEquations<Space>::expect_sizes(const ConstraintSlot& slot) const {
  if (slot.constraint->rows() != slot.rows || (slot.contacts > 0 && slot.constraint->contacts() != slot.contacts))
    throw ModelError(concat("model '", data_->name, "': constraint '", name(slot), "' (", slot.constraint->type(),
                            "): ", changed_sizes(slot)));
}

template <class Space>
inline void GraphEquations<Space>::expect_sizes(const ForceSlot& slot) const {
  if (slot.force->states() != slot.states || slot.force->auxiliaries() != slot.auxiliaries)
    throw ModelError(concat("model '", data_->name, "': force '", name(slot), "' (", slot.force->type(),
                            "): ", changed_sizes(slot)));
}

template <class Space>
std::string GraphEquations<Space>::changed_sizes(const ConstraintSlot& slot) const {
  const int rows = slot.constraint->rows(), contacts = slot.constraint->contacts();
  if (rows == slot.rows && contacts == slot.contacts) return "";
  return concat("it has ", rows, " rows and ", contacts, " contact coordinates, and had ", slot.rows, " and ",
                slot.contacts, " when the equations were made; keep these numbers constant.");
}

template <class Space>
std::string GraphEquations<Space>::changed_sizes(const ForceSlot& slot) const {
  const int states = slot.force->states(), auxiliaries = slot.force->auxiliaries();
  if (states == slot.states && auxiliaries == slot.auxiliaries) return "";
  return concat("it has ", states, " states and ", auxiliaries, " auxiliary variables, and had ", slot.states, " and ",
                slot.auxiliaries, " when the equations were made; keep these numbers constant.");
}

template <class Space>
void GraphEquations<Space>::evaluate_rows(const ConstraintSlot& slot, RowKind which, double* rate) {
  expect_sizes(slot);
  std::fill_n(rows_.data(), slot.frames * slot.rows * n, 0.0);
  std::fill_n(rate, slot.rows, 0.0);
  ConstraintRows<Space> out(slot.rows, rows_.data(), rate, slot.frames);
  with_name(slot, [&] {
    if (which == RowKind::position && slot.constraint->has_position_rows())
      slot.constraint->position_rows(motion(slot), out);
    else
      slot.constraint->velocity_rows(motion(slot), out);
  });
}

template <class Space>
void GraphEquations<Space>::do_g(Eigen::VectorXd& g) {
  g.setZero();
  for (const ConstraintSlot& slot : constraints_) {
    if (slot.row >= dimensions().lambda) break;
    expect_sizes(slot);
    with_name(slot, [&] { slot.constraint->residual(motion(slot), g.data() + slot.row); });
  }
}

/// gamma = the constraints' bias less what the frames' accelerations at v' = 0 contribute.
template <class Space>
void GraphEquations<Space>::do_gamma(Eigen::VectorXd& gamma) {
  need_constraint_velocities();
  gamma.setZero();
  for (const ConstraintSlot& slot : constraints_) {
    double* to = gamma.data() + slot.row;
    evaluate_rows(slot, RowKind::velocity, rates_.data());
    with_name(slot, [&] { slot.constraint->bias(motion(slot), to); });
    const double* row = rows_.data();
    for (int k = slot.frame; k < slot.frame + slot.frames; ++k) {
      const Twist<Space>& bias = frames_[static_cast<std::size_t>(k)].bias;
      for (int r = 0; r < slot.rows; ++r, row += n) {
        to[r] -= Vector<Space>::Map(row + angular).dot(bias.linear);
        if (!has_body_biases_) continue;
        Angular<Space> turning;
        detail::load(row, turning);
        to[r] -= dot(turning, bias.angular);
      }
    }
  }
}

// Forces.

template <class Space>
void GraphEquations<Space>::evaluate_force(const ForceSlot& slot) {
  std::fill_n(wrenches_.begin(), slot.frames, Wrench<Space>{});
  ForceSums<Space> sums(wrenches_.data(), slot.frames);
  with_name(slot, [&] { slot.force->add_to(motion(slot), sums); });
  double check = 0;
  for (int k = 0; k < slot.frames; ++k) check += detail::not_finite(wrenches_[detail::at(k)]);
  if (check != 0) refuse_infinite_wrench(slot);
}

template <class Space>
void GraphEquations<Space>::refuse_infinite_wrench(const ForceSlot& slot) const {
  int frame = 0;
  while (detail::not_finite(wrenches_[detail::at(frame)]) == 0) ++frame;
  const Wrench<Space>& wrench = wrenches_[detail::at(frame)];
  Eigen::Matrix<double, angular, 1> torque;
  torque << wrench.torque;
  throw NonFiniteValue(
      concat("force '", name(slot), "' (", slot.force->type(), ") gives a force that is not finite at t = ", time(),
             " s: ", detail::listed_values(wrench.force.data(), Space::dimension), " N and ",
             detail::listed_values(torque.data(), angular), " N m on its frame ", frame, "; check its function."));
}

template <class Space>
void GraphEquations<Space>::refuse_torque_on_point(const ForceSlot& slot, int label,
                                                   const Wrench<Space>& wrench) const {
  if (dot(wrench.torque, wrench.torque) > 0)
    throw ModelError(concat("force '", name(slot), "' (", slot.force->type(), ") puts a torque on body '",
                            body_name(label), "' (", bodies_[detail::at(label)].body->type(),
                            "), which does not rotate; act on a rigid body, or give a force without torque."));
}

/// Wrench of the constraint on its last frame, -rows^T lambda, ground axes.
template <class Space>
Wrench<Space> GraphEquations<Space>::reaction(const ConstraintSlot& slot, const double* rows_of_last_frame) const {
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
void GraphEquations<Space>::update_readings() {
  for (std::size_t i = 0; i < readings_.size(); ++i) {
    const ConstraintSlot& slot = constraints_[static_cast<std::size_t>(readings_[i].constraint)];
    double* rows = reading_rows_.data() + readings_[i].rows;
    if (readings_stale_) {
      evaluate_rows(slot, RowKind::velocity, rates_.data());
      std::copy_n(rows_.data() + (slot.frames - 1) * slot.rows * n, slot.rows * n, rows);
    }
    reactions_[i] = reaction(slot, rows);
  }
  readings_stale_ = false;
}

template <class Space>
void GraphEquations<Space>::do_r_rate(Eigen::VectorXd& rate) {
  update_readings();
  rate.setZero();
  for (const ForceSlot& slot : forces_) {
    const int count = slot.states;
    if (count == 0) continue;
    expect_sizes(slot);
    double* to = rate.data() + slot.state;
    with_name(slot, [&] { slot.force->state_rates(motion(slot), to); });
    if (!std::all_of(to, to + count, [](double value) { return std::isfinite(value); }))
      throw NonFiniteValue(concat("force '", name(slot), "' (", slot.force->type(),
                                  ") gives a state rate that is not finite at t = ", time(),
                                  " s: ", detail::listed_values(to, count), "; check its function."));
  }
}

// Auxiliary variables and contact points.

template <class Space>
void GraphEquations<Space>::do_d(Eigen::VectorXd& d) {
  update_readings();
  for (const ForceSlot& slot : forces_) {
    if (slot.auxiliaries == 0) continue;
    expect_sizes(slot);
    with_name(slot, [&] { slot.force->auxiliary_residual(motion(slot), d.data() + slot.auxiliary); });
  }
}

template <class Space>
void GraphEquations<Space>::do_c(Eigen::VectorXd& c) {
  for (const ConstraintSlot& slot : constraints_) {
    if (slot.contacts == 0) continue;
    expect_sizes(slot);
    with_name(slot, [&] { slot.constraint->contact_residual(motion(slot), c.data() + slot.contact); });
  }
}

/// Where the contact points are if they go on as at the last accepted state.
template <class Space>
void GraphEquations<Space>::do_start_contacts(Eigen::VectorXd& s) const {
  s = last_contacts_ + (time() - last_time_) * contact_rates_;
}

template <class Space>
void GraphEquations<Space>::do_solve_contacts(Eigen::VectorXd& s) {
  for (const ConstraintSlot& slot : constraints_) {
    if (slot.contacts == 0) continue;
    expect_sizes(slot);
    const auto typical = [](int) { return 1.0; };  // [m, rad]
    const auto residual = [&](const double* values, double* c) {
      slot.constraint->contact_residual(motion(slot).with_contacts(values), c);
    };
    with_name(slot, [&] {
      const Outcome outcome = newton_.solve(slot.contacts, s.data() + slot.contact, typical, residual);
      if (!outcome)
        throw RecoverableFailure(concat("its contact equations c = 0 have no solution for s: ", outcome.reason(), "."));
    });
  }
}

template <class Space>
void GraphEquations<Space>::do_solve_auxiliary(Eigen::VectorXd& w) {
  update_readings();
  for (const ForceSlot& slot : forces_) {
    const int count = slot.auxiliaries;
    if (count == 0) continue;
    expect_sizes(slot);
    const auto typical = [&](int i) { return slot.force->typical_auxiliary(i); };
    const auto residual = [&](const double* values, double* d) {
      slot.force->auxiliary_residual(motion(slot).with_auxiliary(values), d);
    };
    with_name(slot, [&] {
      const Outcome outcome = newton_.solve(count, w.data() + slot.auxiliary, typical, residual);
      if (!outcome)
        throw RecoverableFailure(
            concat("its auxiliary equations d = 0 have no solution for w: ", outcome.reason(), "."));
    });
  }
}

/// What the next solutions start from.
template <class Space>
void GraphEquations<Space>::remember_eliminated() {
  if (eliminates_auxiliary()) last_auxiliary_ = solved_auxiliary();
  if (!eliminates_contacts()) return;
  need_constraint_velocities();
  last_contacts_ = solved_contacts();
  last_time_ = time();
  for (const ConstraintSlot& slot : constraints_)
    if (slot.contacts > 0)
      with_name(slot, [&] { slot.constraint->contact_rates(motion(slot), contact_rates_.data() + slot.contact); });
}

// Memory of elements.

template <class Space>
void GraphEquations<Space>::remember(bool restart, int crossed) {
  if (restart) rank_of_reactions_ = -1;
  if (eliminates_auxiliary() || eliminates_contacts()) remember_eliminated();
  if (constraint_memory_.empty() && force_memory_.empty()) return;
  need_auxiliary();
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
void GraphEquations<Space>::forget() {
  std::fill(constraint_memory_.begin(), constraint_memory_.end(), 0.0);
  std::fill(force_memory_.begin(), force_memory_.end(), 0.0);
  set_position(time(), position());
  if (!eliminates_auxiliary() && !eliminates_contacts()) return;
  const State initial = initial_state();
  last_auxiliary_ = initial.w;
  last_contacts_ = initial.s;
  contact_rates_.setZero();
}

template <class Space>
Eigen::VectorXd GraphEquations<Space>::memory() const {
  Eigen::VectorXd out(static_cast<Eigen::Index>(constraint_memory_.size() + force_memory_.size()) +
                      last_auxiliary_.size() + 2 * last_contacts_.size() + 1);
  double* to = out.data();
  const auto add = [&to](const auto& part) { to = std::copy(part.begin(), part.end(), to); };
  add(constraint_memory_);
  add(force_memory_);
  for (const Eigen::VectorXd* part : {&last_auxiliary_, &last_contacts_, &contact_rates_}) add(*part);
  *to = last_time_;
  return out;
}

template <class Space>
void GraphEquations<Space>::recall(const Eigen::VectorXd& memory) {
  const double* from = memory.data();
  const auto take = [&from](auto& part) {
    std::copy_n(from, part.size(), part.begin());
    from += part.size();
  };
  take(constraint_memory_);
  take(force_memory_);
  for (Eigen::VectorXd* part : {&last_auxiliary_, &last_contacts_, &contact_rates_}) take(*part);
  last_time_ = *from;
  set_position(time(), Eigen::VectorXd(position()));
}

template <class Space>
double GraphEquations<Space>::switching_function(int index) {
  need_auxiliary();
  update_readings();
  const int owner = switch_owner_[static_cast<std::size_t>(index)];
  const ForceSlot& slot = forces_[static_cast<std::size_t>(owner)];
  double value = 0;
  with_name(slot, [&] { value = slot.force->switching_function(motion(slot), index - slot.first_switch); });
  if (!std::isfinite(value))
    throw NonFiniteValue(concat("force '", name(slot), "' (", slot.force->type(),
                                ") gives a switching function that is not finite at t = ", time(), " s: ", value,
                                "; check its function."));
  return value;
}

}  // namespace linkwork
