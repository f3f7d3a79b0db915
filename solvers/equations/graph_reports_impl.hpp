#pragma once

// What GraphEquations reports: energies, residuals, names of elements, observables.

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/equations/graph_equations.hpp>
#include <linkwork/solvers/impulses.hpp>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace linkwork {

/// Of a body that moves with a twist of its centre of mass, ground axes.
template <class Space>
double kinetic_energy(const Body<Space>& body, const Rotation<Space>& axes, const Twist<Space>& twist) {
  double twice = body.mass() * twist.linear.squaredNorm();
  if (body.rotates()) {
    const Angular<Space> omega = detail::to_body(axes, twist.angular);
    if constexpr (Space::dimension == 3)
      twice += omega.dot(body.inertia() * omega);
    else
      twice += body.inertia()(0, 0) * omega * omega;
  }
  return 0.5 * twice + body.internal_energy();
}

/// From the bodies: in joint coordinates v^T M v would lack what drives do.
template <class Space>
Energies GraphEquations<Space>::energies() {
  need_auxiliary();
  need_bodies();
  Energies out;
  for (std::size_t label = 1; label < bodies_.size(); ++label) {
    const Body<Space>& body = *bodies_[label].body;
    out.kinetic += kinetic_energy(body, poses_[label].rotation, twists_[label]);
    out.potential -= body.mass() * data_->gravity.dot(poses_[label].position);
  }
  for (const ForceSlot& slot : forces_) {
    const double energy = slot.force->potential_energy(motion(slot));
    if (!std::isfinite(energy))
      throw NonFiniteValue(concat("force '", name(slot), "' (", slot.force->type(), ") gives a potential energy of ",
                                  energy, " J at t = ", time(), " s; check its function."));
    out.element_storage += energy;
  }
  out.potential += out.element_storage;
  return out;
}

template <class Space>
double GraphEquations<Space>::element_power() {
  need_auxiliary();
  need_bodies();
  return do_element_power();
}

template <class Space>
ConstraintResidual GraphEquations<Space>::constraint_residual() {
  ConstraintResidual out;
  const auto keep_largest = [](double value, double& largest) { largest = std::max(largest, std::abs(value)); };
  const Eigen::VectorXd& rate = velocity_residual();
  const Eigen::VectorXd& position_residual = g();
  for (const ConstraintSlot& slot : constraints_) {
    for (int r = 0; r < slot.rows; ++r) {
      const int row = slot.row + r;
      const bool is_angular = slot.constraint->is_angular(r);
      if (row < dimensions().lambda)
        keep_largest(position_residual[row], is_angular ? out.position_rad : out.position_m);
      keep_largest(rate[row], is_angular ? out.velocity_rad_per_s : out.velocity_m_per_s);
    }
  }
  return out;
}

// Names.

template <class Space>
const std::string& GraphEquations<Space>::name(const ConstraintSlot& slot) const {
  return data_->constraints[detail::at(slot.index)].name;
}
template <class Space>
const std::string& GraphEquations<Space>::name(const ForceSlot& slot) const {
  return data_->forces[detail::at(slot.index)].name;
}
template <class Space>
const std::string& GraphEquations<Space>::body_name(int label) const {
  return data_->body_name(bodies_[detail::at(label)].index);
}

template <class Space>
std::string GraphEquations<Space>::state_name(int i) const {
  const ForceSlot& slot = detail::slot_with(forces_, &ForceSlot::state, i);
  return concat(name(slot), ": state ", i - slot.state + 1);
}

template <class Space>
std::string GraphEquations<Space>::auxiliary_name(int i) const {
  const ForceSlot& slot = detail::slot_with(forces_, &ForceSlot::auxiliary, i);
  return concat(name(slot), ": auxiliary variable ", i - slot.auxiliary + 1);
}

template <class Space>
std::string GraphEquations<Space>::contact_name(int i) const {
  const ConstraintSlot& slot = detail::slot_with(constraints_, &ConstraintSlot::contact, i);
  return concat(name(slot), ": contact coordinate ", i - slot.contact + 1);
}

template <class Space>
std::string GraphEquations<Space>::constraint_name(int row) const {
  const ConstraintSlot& slot = detail::slot_with(constraints_, &ConstraintSlot::row, row);
  return concat(constraint_element(row), ": row ", row - slot.row + 1);
}
template <class Space>
std::string GraphEquations<Space>::constraint_element(int row) const {
  return name(detail::slot_with(constraints_, &ConstraintSlot::row, row));
}

template <class Space>
std::vector<std::string> GraphEquations<Space>::elements_of_row(int row) const {
  if (!rows_close_loops()) return {constraint_element(row)};
  return topology_.loop_names(detail::slot_with(constraints_, &ConstraintSlot::row, row).index);
}

template <class Space>
Measure GraphEquations<Space>::constraint_measure(int row) const {
  const ConstraintSlot& slot = detail::slot_with(constraints_, &ConstraintSlot::row, row);
  return slot.constraint->is_angular(row - slot.row) ? Measure::angle : Measure::length;
}

template <class Space>
std::string GraphEquations<Space>::input_name(int i) const {
  own_input(i);
  return input_names_[detail::at(i)];
}

template <class Space>
double GraphEquations<Space>::characteristic_length() const {
  double sum = 0;
  int count = 0;
  for (const ConstraintEntry<Space>& entry : data_->constraints)
    for (const Frame<Space>& frame : entry.constraint->frames()) {
      if (frame.body < 0) continue;
      const double arm = (frame.offset - data_->bodies[detail::at(frame.body)].body->center_of_mass()).norm();
      if (arm == 0) continue;
      sum += arm * arm;
      ++count;
    }
  return count > 0 ? std::sqrt(sum / count) : 1.0;
}

template <class Space>
std::string GraphEquations<Space>::switch_name(int index) const {
  const ForceSlot& slot = forces_[detail::at(switch_owner_[detail::at(index)])];
  return concat(name(slot), ": switch ", index - slot.first_switch + 1);
}

// Impulses.

template <class Space>
void GraphEquations<Space>::add_generalised_force(const Frame<Space>& frame, const Wrench<Space>& wrench,
                                                  Eigen::VectorXd& f) {
  if (frame.model != data_.get())
    throw ModelError(concat("a frame that an impulse acts on does not belong to model '", data_->name,
                            "'; use the frames of this model."));
  need_velocity();
  need_bodies();
  const FrameSlot slot = frame_slot(frame);
  if (slot.body == 0) return;
  if (!bodies_[detail::at(slot.body)].rotates && dot(wrench.torque, wrench.torque) > 0)
    throw ModelError(concat("an impulse puts a torque on body '", body_name(slot.body), "' (",
                            bodies_[detail::at(slot.body)].body->type(),
                            "), which does not rotate; give one without torque."));
  Pose<Space> pose;
  const Vector<Space> arm = place(slot, pose);
  do_add_generalised_force(slot.body, arm, wrench, f);
}

template <class Space>
std::vector<Wrench<Space>> GraphEquations<Space>::reaction_impulses(const Eigen::VectorXd& jump,
                                                                    const Eigen::VectorXd& multipliers,
                                                                    const std::vector<FrameImpulse<Space>>& applied) {
  set_multipliers(multipliers);
  need_velocity();
  need_bodies();
  pass_impulses(jump, applied);
  std::vector<Wrench<Space>> out(slot_of_constraint_.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = reaction_of(static_cast<int>(i));
  return out;
}

// Observables.

/// The mechanism at the current point of the equations: with the accelerations of a whole state, or positions,
/// velocities and contact coordinates only.
template <class Space>
class GraphEquations<Space>::View final : public Snapshot<Space> {
 public:
  View(GraphEquations& equations, const State& state) : equations_(equations), state_(&state) {
    equations_.need_auxiliary();
    equations_.need_bodies();
    equations_.accelerate_bodies(state.a);
  }
  explicit View(GraphEquations& equations) : equations_(equations) {
    equations_.need_velocity();
    equations_.need_bodies();
  }

  double time() const override { return equations_.time(); }

  Pose<Space> pose(const Frame<Space>& frame) const override {
    Pose<Space> out;
    equations_.place(slot(frame), out);
    return out;
  }
  Twist<Space> velocity(const Frame<Space>& frame) const override {
    const FrameSlot where = slot(frame);
    return equations_.frame_velocity(where.body, arm(where));
  }
  Twist<Space> acceleration(const Frame<Space>& frame) const override {
    whole("accelerations");
    const FrameSlot where = slot(frame);
    const auto label = detail::at(where.body);
    const Angular<Space>& omega = equations_.twists_[label].angular;
    const Vector<Space> r = arm(where);
    Twist<Space> out = equations_.accelerations_[label];
    out.linear += cross(out.angular, r) + cross(omega, Vector<Space>(cross(omega, r)));
    return out;
  }
  Wrench<Space> reaction(const ConstraintRef<Space>& constraint) const override {
    need_reactions("reactions");
    check_handle(constraint, equations_.data_->constraints.size(), "constraint");
    return equations_.reaction_of(constraint.index);
  }
  double multiplier(const ConstraintRef<Space>& constraint, int row) const override {
    need_reactions("multipliers");
    check_handle(constraint, equations_.data_->constraints.size(), "constraint");
    const ConstraintEntry<Space>& entry = equations_.data_->constraints[detail::at(constraint.index)];
    const int index = equations_.slot_of_constraint_[detail::at(constraint.index)];
    const int rows = entry.constraint->rows();
    if (row < 0 || row >= rows)
      throw ModelError(
          concat("constraint '", entry.name, "' has no row ", row, "; it has ", rows, ", counted from 0."));
    if (index >= 0) return equations_.multipliers()[equations_.constraints_[detail::at(index)].row + row];
    return equations_.tree_multiplier(constraint.index, row);
  }
  double state(const ForceRef<Space>& force, int index) const override {
    const State& state = whole("states of force elements");
    check_handle(force, equations_.data_->forces.size(), "force");
    const ForceSlot& where = equations_.forces_[detail::at(force.index)];
    if (index < 0 || index >= where.force->states())
      throw ModelError(concat("force '", equations_.name(where), "' has no state ", index, "; it has ",
                              where.force->states(), ", counted from 0."));
    return state.r[where.state + index];
  }
  double auxiliary(const ForceRef<Space>& force, int index) const override {
    whole("auxiliary variables");
    check_handle(force, equations_.data_->forces.size(), "force");
    const ForceSlot& where = equations_.forces_[detail::at(force.index)];
    if (index < 0 || index >= where.force->auxiliaries())
      throw ModelError(concat("force '", equations_.name(where), "' has no auxiliary variable ", index, "; it has ",
                              where.force->auxiliaries(), ", counted from 0."));
    return equations_.auxiliary()[where.auxiliary + index];
  }
  double contact(const ConstraintRef<Space>& constraint, int index) const override {
    check_handle(constraint, equations_.data_->constraints.size(), "constraint");
    const ConstraintEntry<Space>& entry = equations_.data_->constraints[detail::at(constraint.index)];
    const int count = entry.constraint->contacts();
    if (index < 0 || index >= count)
      throw ModelError(concat("constraint '", entry.name, "' has no contact coordinate ", index, "; it has ", count,
                              ", counted from 0."));
    const int slot = equations_.slot_of_constraint_[detail::at(constraint.index)];
    return equations_.contacts()[equations_.constraints_[detail::at(slot)].contact + index];
  }

 private:
  void check_model(const ModelData<Space>* model, const char* what) const {
    if (model != equations_.data_.get())
      throw ModelError(concat("a ", what, " does not belong to model '", equations_.data_->name,
                              "'; use the handles of this model."));
  }
  template <class Handle>
  void check_handle(const Handle& handle, std::size_t count, const char* what) const {
    check_model(handle.model, what);
    if (handle.index < 0 || handle.index >= static_cast<int>(count)) element_of(handle);  // throws
  }
  /// Those of least norm, once somebody asks.
  void need_reactions(const char* what) const {
    const State& state = whole(what);
    if (!std::exchange(has_reactions_, true)) equations_.choose_least_reactions(state.a);
  }
  const State& whole(const char* what) const {
    if (!state_)
      throw ModelError(concat("it reads ", what,
                              "; an invariant is a function of time, positions, velocities and contact coordinates."));
    return *state_;
  }
  FrameSlot slot(const Frame<Space>& frame) const {
    check_model(frame.model, "frame");
    if (frame.body < -1 || frame.body >= static_cast<int>(equations_.data_->bodies.size()))
      equations_.data_->body_name(frame.body);  // throws
    return equations_.frame_slot(frame);
  }
  Vector<Space> arm(const FrameSlot& where) const {
    return equations_.poses_[detail::at(where.body)].rotation * where.arm;
  }

  GraphEquations& equations_;
  const State* state_ = nullptr;
  mutable bool has_reactions_ = false;
};

template <class Space>
std::vector<std::string> GraphEquations<Space>::observable_names() const {
  std::vector<std::string> names;
  for (const ObservableEntry<Space>& entry : data_->observables) names.push_back(entry.name);
  return names;
}

/// Calls a user's function of a snapshot; what it throws gets the name before it.
template <class Space>
template <class Function>
double GraphEquations<Space>::named(const char* kind, const std::string& name, Function&& function) const {
  try {
    return function();
  } catch (const ModelError& error) {
    throw ModelError(concat(kind, " '", name, "': ", error.what()));
  } catch (const RecoverableFailure& error) {
    throw RecoverableFailure(concat(kind, " '", name, "' at t = ", time(), " s: ", error.what()));
  }
}

template <class Space>
void GraphEquations<Space>::observables(const State& state, Eigen::VectorXd& values) {
  values.resize(static_cast<Eigen::Index>(data_->observables.size()));
  set(state);
  const View view(*this, state);
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    const ObservableEntry<Space>& observable = data_->observables[static_cast<std::size_t>(i)];
    values[i] = named("observable", observable.name, [&] { return observable.value(view); });
  }
}

template <class Space>
double GraphEquations<Space>::measure(const State& state, const std::function<double(const Snapshot<Space>&)>& value) {
  set(state);
  return value(View(*this, state));
}

}  // namespace linkwork
