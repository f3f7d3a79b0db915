#pragma once

// The hot paths of GraphEquations: elements on the motion of their frames. Nothing here allocates.

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/formulations/graph_equations.hpp>
#include <linkwork/solvers/formulations/tree_recursions.hpp>

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

inline std::string change(int a, const char* what, int b, const char* more, int old_a, int old_b) {
  if (a == old_a && b == old_b) return "";
  return concat("it has ", a, what, b, more, ", and had ", old_a, " and ", old_b,
                " when the equations were made; keep these numbers constant.");
}

}  // namespace detail

template <class Space>
Motion<Space> GraphEquations<Space>::motion(const ConstraintSlot& slot) const {
  return {graph_.now, graph_.frames.data() + slot.frame, nullptr, constraint_memory_.data() + slot.memory, nullptr,
          nullptr,    contacts().data() + slot.contact};
}
template <class Space>
Motion<Space> GraphEquations<Space>::motion(const ForceSlot& slot) const {
  return {graph_.now,
          graph_.frames.data() + slot.frame,
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

// Motion.

template <class Space>
void GraphEquations<Space>::do_position() {
  input_offsets_.time = time();
  graph_.now = Instant(time(), input_offsets_.empty() ? nullptr : &input_offsets_);
  bodies_placed_ = bodies_moved_ = false;
  coordinates_->renew_position();
  if (!graph_.frame_slots.empty()) need_poses();
  for (std::size_t k = 0; k < graph_.frame_slots.size(); ++k)
    if (graph_.frame_slots[k].body > 0) graph_.arms[k] = graph_.place(graph_.frame_slots[k], graph_.frames[k].pose);
  readings_stale_ = true;
  if (contact_count_ == 0) return;
  if (eliminates_contacts()) solve_contacts_here();
  for (std::size_t i = 0; i < contact_readings_.size(); ++i) read_contacts_[i] = contacts()[contact_readings_[i]];
}

template <class Space>
void GraphEquations<Space>::do_velocity() {
  bodies_moved_ = false;
  coordinates_->renew_velocity();
  if (!graph_.frame_slots.empty()) need_bodies();
  for (std::size_t k = graph_.first_force_frame; k < graph_.frame_slots.size(); ++k)
    graph_.frames[k].velocity = frame_velocity(graph_.frame_slots[k].body, graph_.arms[k]);
  constraint_velocities_stale_ = true;
  if (rows_read_velocity()) readings_stale_ = true;
}

template <class Space>
void GraphEquations<Space>::need_constraint_velocities() {
  need_velocity();
  if (!constraint_velocities_stale_) return;
  if (layout_.has_biases && graph_.first_force_frame > 0) coordinates_->bias_bodies(graph_.biases);
  for (std::size_t k = 0; k < graph_.first_force_frame; ++k) {
    const int label = graph_.frame_slots[k].body;
    Twist<Space>& velocity = graph_.frames[k].velocity;
    velocity = frame_velocity(label, graph_.arms[k]);
    Twist<Space>& bias = graph_.frames[k].bias;
    bias.linear = cross(velocity.angular, Vector<Space>(cross(velocity.angular, graph_.arms[k])));
    if (!layout_.has_biases) continue;
    const Twist<Space>& body = graph_.biases[static_cast<std::size_t>(label)];
    bias.angular = body.angular;
    bias.linear += body.linear + cross(body.angular, graph_.arms[k]);
  }
  constraint_velocities_stale_ = false;
}

// Constraints.

template <class Space>
inline void GraphEquations<Space>::expect_sizes(const ConstraintSlot& slot) const {
  if (slot.constraint->rows() != slot.rows || (slot.contacts > 0 && slot.constraint->contacts() != slot.contacts))
    throw ModelError(concat("model '", graph_.data->name, "': constraint '", name(slot), "' (", slot.constraint->type(),
                            "): ", changed_sizes(slot)));
}

template <class Space>
inline void GraphEquations<Space>::expect_sizes(const ForceSlot& slot) const {
  if (slot.force->states() != slot.states || slot.force->auxiliaries() != slot.auxiliaries)
    throw ModelError(concat("model '", graph_.data->name, "': force '", name(slot), "' (", slot.force->type(),
                            "): ", changed_sizes(slot)));
}

template <class Space>
std::string GraphEquations<Space>::changed_sizes(const ConstraintSlot& slot) {
  return detail::change(slot.constraint->rows(), " rows and ", slot.constraint->contacts(), " contact coordinates",
                        slot.rows, slot.contacts);
}

template <class Space>
std::string GraphEquations<Space>::changed_sizes(const ForceSlot& slot) {
  return detail::change(slot.force->states(), " states and ", slot.force->auxiliaries(), " auxiliary variables",
                        slot.states, slot.auxiliaries);
}

template <class Space>
void GraphEquations<Space>::evaluate_rows(const ConstraintSlot& slot, RowKind kind, double* rate) {
  expect_sizes(slot);
  double* values = graph_.rows.data() + slot.value;
  std::fill_n(values, slot.frames * slot.rows * n, 0.0);
  std::fill_n(rate, slot.rows, 0.0);
  ConstraintRows<Space> out(slot.rows, values, rate, slot.frames);
  with_name(slot, [&] {
    if (kind == RowKind::position && slot.constraint->has_position_rows())
      slot.constraint->position_rows(motion(slot), out);
    else
      slot.constraint->velocity_rows(motion(slot), out);
  });
}

template <class Space>
void GraphEquations<Space>::map_rows(RowKind kind, BlockMatrix& matrix) {
  Eigen::VectorXd& rates = rates_[static_cast<std::size_t>(kind)];
  if (kind == RowKind::velocity && rows_read_velocity()) need_constraint_velocities();
  for (const ConstraintSlot& slot : graph_.constraints) {
    if (kind == RowKind::position && slot.row >= dimensions().lambda) break;
    evaluate_rows(slot, kind, rates.data() + slot.row);
  }
  coordinates_->map_rows(kind, matrix, rates);
}

template <class Space>
const double* GraphEquations<Space>::rows_of_last_frame(const ConstraintSlot& slot) {
  if (rows_read_velocity()) need_constraint_velocities();
  if (slot.constraint->has_own_forces())
    evaluate_force_rows(slot);
  else
    evaluate_rows(slot, RowKind::velocity, rates_[0].data() + slot.row);
  return graph_.rows.data() + slot.value + (slot.frames - 1) * slot.rows * n;
}

// Rows that read velocities.

template <class Space>
void GraphEquations<Space>::evaluate_force_rows(const ConstraintSlot& slot) {
  double* values = graph_.rows.data() + slot.value;
  std::fill_n(values, slot.frames * slot.rows * n, 0.0);
  std::fill_n(rates_[0].data() + slot.row, slot.rows, 0.0);
  ConstraintRows<Space> out(slot.rows, values, rates_[0].data() + slot.row, slot.frames);
  with_name(slot, [&] { slot.constraint->force_rows(motion(slot), out); });
}

template <class Space>
void GraphEquations<Space>::write_own_force_rows(const ConstraintSlot& slot, int frame, double* rows) {
  const int count = slot.rows * n;
  const double* of_frame = graph_.rows.data() + slot.value + frame * count;
  need_constraint_velocities();
  evaluate_force_rows(slot);
  std::copy_n(of_frame, count, rows);
  evaluate_rows(slot, RowKind::velocity, rates_[0].data() + slot.row);
  for (int i = 0; i < count; ++i) rows[i] -= of_frame[i];
}

template <class Space>
void GraphEquations<Space>::write_residuals_that_read_velocities(Eigen::VectorXd& residual) {
  need_constraint_velocities();
  residual.tail(dimensions().servo).setZero();
  for (const ConstraintSlot& slot : graph_.constraints)
    if (slot.constraint->level() == Level::nonlinear)
      ask(slot, [&] { slot.constraint->velocity_residual(motion(slot), residual.data() + slot.row); });
}

/// -lambda^T (rows times velocities)
template <class Space>
double GraphEquations<Space>::power_of_rows_that_read_velocities() {
  need_constraint_velocities();
  double power = 0;
  for (const ConstraintSlot& slot : graph_.constraints) {
    if (!rows_read_velocities(slot.constraint->level())) continue;
    evaluate_rows(slot, RowKind::velocity, rates_[0].data() + slot.row);
    const double* row = graph_.rows.data() + slot.value;
    for (int k = slot.frame; k < slot.frame + slot.frames; ++k, row += slot.rows * n) {
      const Wrench<Space> wrench = reaction(slot, row);
      const Twist<Space>& twist = graph_.frames[detail::at(k)].velocity;
      power += dot(wrench.torque, twist.angular) + wrench.force.dot(twist.linear);
    }
  }
  return power;
}

// Matrices: written by the coordinates, or by recursions along their tree.

template <class Space>
void GraphEquations<Space>::do_M(BlockMatrix& M) {
  if (layout_.recursions) layout_.recursions->write_mass(M);
}

/// Where recursions know it, offset = (G v + offset) - G v: the first is what the links' velocities say, drives
/// included.
template <class Space>
void GraphEquations<Space>::do_G(BlockMatrix& G, Eigen::VectorXd& offset) {
  map_rows(RowKind::velocity, G);
  offset = rates_[0];
  if (layout_.recursions) {
    need_velocity();
    layout_.recursions->add_closure_velocities(offset);
    layout_.recursions->write_rows(RowKind::velocity, G);
    if (rows_read_velocity()) write_residuals_that_read_velocities(offset);
    G.multiply_add(-1.0, velocity(), offset);
  } else if (rows_read_velocity()) {
    const int reading = dimensions().nonlinear + dimensions().servo;
    Eigen::VectorXd residual = offset;
    write_residuals_that_read_velocities(residual);
    G.multiply_add(-1.0, velocity(), residual);
    offset.tail(reading) = residual.tail(reading);
  }
}

template <class Space>
void GraphEquations<Space>::do_C(BlockMatrix& C) {
  map_rows(RowKind::position, C);
  if (layout_.recursions) layout_.recursions->write_rows(RowKind::position, C);
}

template <class Space>
void GraphEquations<Space>::do_joint_tree(RowKind kind) {
  if (layout_.recursions) {
    if (!graph_.constraints.empty()) map_rows(kind, G_);
  } else {
    need_poses();
    coordinates_->renew_mixed_tree(kind, kind == RowKind::velocity ? G() : C());
  }
}

template <class Space>
void GraphEquations<Space>::do_velocity_residual(Eigen::VectorXd& residual) {
  if (!layout_.recursions) {
    residual = velocity_offset();
    G_.multiply_add(1.0, velocity(), residual);
    if (rows_read_velocity()) write_residuals_that_read_velocities(residual);
  } else if (!graph_.constraints.empty()) {
    update_joint_tree(RowKind::velocity);
    need_velocity();
    residual = rates_[0];
    layout_.recursions->add_closure_velocities(residual);
    if (rows_read_velocity()) write_residuals_that_read_velocities(residual);
  }
}

template <class Space>
void GraphEquations<Space>::do_multiply_mass(const Eigen::VectorXd& x, Eigen::VectorXd& y) {
  if (layout_.recursions) return layout_.recursions->multiply_mass(x, y);
  y.setZero();
  M().multiply_add(1.0, x, y);
}

template <class Space>
void GraphEquations<Space>::do_dynamic_residual(const Eigen::VectorXd& a, const Eigen::VectorXd& lambda,
                                                Eigen::VectorXd& residual) {
  if (layout_.recursions) {
    update_joint_tree_forces();
    if (!graph_.constraints.empty()) update_joint_tree(RowKind::velocity);
    layout_.recursions->dynamic_residual(a, lambda, residual);
    residual -= applied_force();
  } else {
    residual = -f();
    M().multiply_add(1.0, a, residual);
    G().transpose_multiply_add(1.0, lambda, residual);
  }
}

template <class Space>
void GraphEquations<Space>::do_g(Eigen::VectorXd& g) {
  g.setZero();
  for (const ConstraintSlot& slot : graph_.constraints) {
    if (slot.row >= dimensions().lambda) break;
    ask(slot, [&] { slot.constraint->residual(motion(slot), g.data() + slot.row); });
  }
  coordinates_->write_relation_residuals(g);
}

/// gamma = the constraints' bias less what the frames' accelerations at v' = 0 contribute.
template <class Space>
void GraphEquations<Space>::do_gamma(Eigen::VectorXd& gamma) {
  need_constraint_velocities();
  gamma.setZero();
  for (const ConstraintSlot& slot : graph_.constraints) {
    double* to = gamma.data() + slot.row;
    evaluate_rows(slot, RowKind::velocity, rates_[0].data() + slot.row);
    with_name(slot, [&] { slot.constraint->bias(motion(slot), to); });
    const double* row = graph_.rows.data() + slot.value;
    for (int k = slot.frame; k < slot.frame + slot.frames; ++k) {
      const Twist<Space>& bias = graph_.frames[static_cast<std::size_t>(k)].bias;
      for (int r = 0; r < slot.rows; ++r, row += n) {
        to[r] -= Vector<Space>::Map(row + angular).dot(bias.linear);
        if (!layout_.has_biases) continue;
        Angular<Space> turning;
        detail::load(row, turning);
        to[r] -= dot(turning, bias.angular);
      }
    }
  }
  coordinates_->write_relation_biases(gamma);
}

// Forces.

template <class Space>
void GraphEquations<Space>::do_f(Eigen::VectorXd& f) {
  if (!layout_.recursions) return sum_forces(f);
  update_joint_tree_forces();
  layout_.recursions->generalised_force(f);
}

template <class Space>
void GraphEquations<Space>::sum_forces(Eigen::VectorXd& f) {
  coordinates_->start_forces(f);
  update_readings();
  for (const ForceSlot& slot : graph_.forces) {
    evaluate_force(slot);
    if (slot.on_point) refuse_torque_on_point(slot);
  }
  coordinates_->add_wrenches(f);
}

template <class Space>
inline void GraphEquations<Space>::evaluate_force(const ForceSlot& slot) {
  Wrench<Space>* wrenches = wrenches_of(slot);
  std::fill_n(wrenches, slot.frames, Wrench<Space>{});
  ForceSums<Space> sums(wrenches, slot.frames);
  with_name(slot, [&] { slot.force->add_to(motion(slot), sums); });
  double check = 0;
  for (int k = 0; k < slot.frames; ++k) check += detail::not_finite(wrenches[k]);
  if (check != 0) refuse_infinite_wrench(slot);
}

template <class Space>
void GraphEquations<Space>::refuse_infinite_wrench(const ForceSlot& slot) {
  const Wrench<Space>* wrench = wrenches_of(slot);
  int frame = 0;
  for (; detail::not_finite(*wrench) == 0; ++wrench) ++frame;
  Eigen::Matrix<double, angular, 1> torque;
  torque << wrench->torque;
  throw NonFiniteValue(
      concat("force '", name(slot), "' (", slot.force->type(), ") gives a force that is not finite at t = ", time(),
             " s: ", detail::listed_values(wrench->force.data(), Space::dimension), " N and ",
             detail::listed_values(torque.data(), angular), " N m on its frame ", frame, "; check its function."));
}

template <class Space>
void GraphEquations<Space>::refuse_torque_on_point(const ForceSlot& slot) {
  for (int k = 0; k < slot.frames; ++k) {
    const int label = graph_.frame_slots[detail::at(slot.frame + k)].body;
    const Angular<Space>& torque = wrenches_of(slot)[k].torque;
    if (label == 0 || graph_.bodies[detail::at(label)].rotates || !(dot(torque, torque) > 0)) continue;
    throw ModelError(concat("force '", name(slot), "' (", slot.force->type(), ") puts a torque on body '",
                            graph_.body_name(label), "' (", graph_.bodies[detail::at(label)].body->type(),
                            "), which does not rotate; act on a rigid body, or give a force without torque."));
  }
}

/// -rows^T lambda
template <class Space>
Wrench<Space> GraphEquations<Space>::reaction(const ConstraintSlot& slot, const double* rows) const {
  Wrench<Space> out;
  for (int r = 0; r < slot.rows; ++r, rows += n) {
    const double lambda = multipliers()[slot.row + r];
    Angular<Space> turning;
    detail::load(rows, turning);
    out.torque -= lambda * turning;
    out.force -= lambda * Vector<Space>::Map(rows + angular);
  }
  return out;
}

template <class Space>
void GraphEquations<Space>::update_readings() {
  for (std::size_t i = 0; i < graph_.readings.size(); ++i) {
    const ConstraintSlot& slot = graph_.constraints[static_cast<std::size_t>(graph_.readings[i].constraint)];
    double* rows = reading_rows_.data() + graph_.readings[i].rows;
    if (readings_stale_) {
      if (const int own_frame = graph_.readings[i].own_frame; own_frame >= 0)
        write_own_force_rows(slot, own_frame, rows);
      else
        std::copy_n(rows_of_last_frame(slot), slot.rows * n, rows);
    }
    reactions_[i] = reaction(slot, rows);
  }
  readings_stale_ = false;
}

template <class Space>
void GraphEquations<Space>::do_r_rate(Eigen::VectorXd& rate) {
  update_readings();
  rate.setZero();
  for (const ForceSlot& slot : graph_.forces) {
    const int count = slot.states;
    if (count == 0) continue;
    double* to = rate.data() + slot.state;
    ask(slot, [&] { slot.force->state_rates(motion(slot), to); });
    if (!std::all_of(to, to + count, [](double value) { return std::isfinite(value); }))
      throw NonFiniteValue(concat("force '", name(slot), "' (", slot.force->type(),
                                  ") gives a state rate that is not finite at t = ", time(),
                                  " s: ", detail::listed_values(to, count), "; check its function."));
  }
}

}  // namespace linkwork
