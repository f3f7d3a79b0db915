#pragma once

// What GraphEquations reports: energies, residuals, names of elements, observables.

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/formulations/graph_equations.hpp>
#include <linkwork/solvers/formulations/impulses.hpp>
#include <linkwork/solvers/formulations/tree_recursions.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
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
  for (std::size_t label = 1; label < graph_.bodies.size(); ++label) {
    const Body<Space>& body = *graph_.bodies[label].body;
    out.kinetic += kinetic_energy(body, graph_.poses[label].rotation, graph_.twists[label]);
    out.potential -= body.mass() * graph_.data->gravity.dot(graph_.poses[label].position);
  }
  for (const ForceSlot& slot : graph_.forces) {
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
  if (!layout_.recursions) {  // constraints do the work -lambda^T G v = lambda^T offset: none unless they are driven
    coordinates_->start_forces(own_force_);
    return (f() - own_force_).dot(velocity()) + multipliers().dot(velocity_offset());
  }
  accelerate_bodies(accelerations());
  need_joint_wrenches();
  double power = applied_force().dot(velocity());
  coordinates_->add_drive_power(power);
  for (std::size_t k = 0; k < graph_.wrenches.size(); ++k) {
    const Twist<Space>& twist = graph_.frames[graph_.first_force_frame + k].velocity;
    power += dot(graph_.wrenches[k].torque, twist.angular) + graph_.wrenches[k].force.dot(twist.linear);
  }
  power += multipliers()
               .head(dimensions().first_reading_velocity())
               .dot(rates_[0].head(dimensions().first_reading_velocity()));
  return rows_read_velocity() ? power + power_of_rows_that_read_velocities() : power;
}

template <class Space>
ConstraintResidual GraphEquations<Space>::constraint_residual() {
  ConstraintResidual out;
  out.normalisation = coordinates_->norm_error();
  const Eigen::VectorXd& rate = velocity_residual();
  const Eigen::VectorXd& position_residual = g();
  const auto keep_largest = [](double value, double& largest) { largest = std::max(largest, std::abs(value)); };
  const auto look_at = [&](int row, bool is_angular) {
    if (row < dimensions().lambda) keep_largest(position_residual[row], is_angular ? out.position_rad : out.position_m);
    keep_largest(rate[row], is_angular ? out.velocity_rad_per_s : out.velocity_m_per_s);
  };
  for (const ConstraintSlot& slot : graph_.constraints)
    for (int r = 0; r < slot.rows; ++r) look_at(slot.row + r, slot.constraint->is_angular(r));
  for (int i = 0; i < n * static_cast<int>(layout_.relations.size()); ++i)
    look_at(graph_.relation_row + i, i % n < angular);
  return out;
}

// Names.

template <class Space>
auto GraphEquations<Space>::row_place(int row) const -> RowPlace {
  const int in_relations = row - graph_.relation_row;
  if (in_relations >= 0 && in_relations < n * static_cast<int>(layout_.relations.size()))
    return {layout_.relations[detail::at(in_relations / n)], in_relations % n, in_relations % n < angular};
  const ConstraintSlot& slot = detail::slot_with(graph_.constraints, &ConstraintSlot::row, row);
  return {slot.index, row - slot.row, slot.constraint->is_angular(row - slot.row)};
}

template <class Space>
std::vector<std::string> GraphEquations<Space>::elements_of_row(int row) const {
  return layout_.recursions ? graph_.topology.loop_names(row_place(row).element)
                            : std::vector<std::string>{constraint_element(row)};
}

template <class Space>
double GraphEquations<Space>::characteristic_length() const {
  double sum = 0;
  int count = 0;
  for (const ConstraintEntry<Space>& entry : graph_.data->constraints)
    for (const Frame<Space>& frame : entry.constraint->frames()) {
      if (frame.body < 0) continue;
      const double arm = (frame.offset - graph_.data->bodies[detail::at(frame.body)].body->center_of_mass()).norm();
      if (arm == 0) continue;
      sum += arm * arm;
      ++count;
    }
  return count > 0 ? std::sqrt(sum / count) : length_without_arms();
}

/// Where no constraint has an arm: the root mean square of the bodies' radii of gyration; of points that of their
/// distances, from each other and from the ground's frames, where they are placed; 1 m of a single one.
template <class Space>
double GraphEquations<Space>::length_without_arms() const {
  double mass = 0, inertia = 0;
  std::vector<Vector<Space>> points;
  for (const BodyEntry<Space>& body : graph_.data->bodies) {
    points.push_back(body.pose.position);
    if (!body.body->rotates() || !(body.body->mass() > 0)) continue;
    mass += body.body->mass();
    inertia += body.body->inertia().trace() / Space::angular;
  }
  if (inertia > 0) return std::sqrt(inertia / mass);
  for (const ConstraintEntry<Space>& entry : graph_.data->constraints)
    for (const Frame<Space>& frame : entry.constraint->frames())
      if (frame.body < 0) points.push_back(frame.offset);
  Vector<Space> mean = Vector<Space>::Zero();
  for (const Vector<Space>& point : points) mean += point / static_cast<double>(points.size());
  constexpr double rounding = 1e-6;  // of how far away all are
  double squares = 0, farthest = 0;
  for (const Vector<Space>& point : points) {
    squares += (point - mean).squaredNorm();
    farthest = std::max(farthest, point.norm());
  }
  const double distance = points.size() > 1 ? std::sqrt(2 * squares / static_cast<double>(points.size() - 1)) : 0.0;
  return distance > rounding * farthest ? distance : 1.0;
}

// Impulses.

template <class Space>
void GraphEquations<Space>::add_generalised_force(const Frame<Space>& frame, const Wrench<Space>& wrench,
                                                  Eigen::VectorXd& f) {
  if (frame.model != graph_.data.get())
    throw ModelError(concat("a frame that an impulse acts on does not belong to model '", graph_.data->name,
                            "'; use the frames of this model."));
  need_velocity();
  need_bodies();
  const FrameSlot slot = graph_.frame_slot(frame);
  if (slot.body == 0) return;
  if (!graph_.bodies[detail::at(slot.body)].rotates && dot(wrench.torque, wrench.torque) > 0)
    throw ModelError(concat("an impulse puts a torque on body '", graph_.body_name(slot.body), "' (",
                            graph_.bodies[detail::at(slot.body)].body->type(),
                            "), which does not rotate; give one without torque."));
  Pose<Space> pose;
  const Vector<Space> arm = graph_.place(slot, pose);
  coordinates_->add_wrench(slot.body, arm, wrench, f);
}

template <class Space>
std::vector<Wrench<Space>> GraphEquations<Space>::reaction_impulses(const Eigen::VectorXd& jump,
                                                                    const Eigen::VectorXd& multipliers,
                                                                    const std::vector<FrameImpulse<Space>>& applied) {
  set_multipliers(multipliers);
  need_velocity();
  need_bodies();
  if (!graph_.constraints.empty() && layout_.recursions) update_joint_tree(RowKind::velocity);
  coordinates_->pass_impulses(jump, applied);
  reactions_known_ = true;
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
  View(GraphEquations& equations, const State& state)
      : equations_(equations), graph_(equations.graph_), state_(&state) {
    equations_.need_auxiliary();
    equations_.need_bodies();
    equations_.accelerate_bodies(state.a);
  }
  explicit View(GraphEquations& equations) : equations_(equations), graph_(equations.graph_) {
    equations_.need_velocity();
    equations_.need_bodies();
  }

  double time() const override { return equations_.time(); }

  Pose<Space> pose(const Frame<Space>& frame) const override {
    Pose<Space> out;
    graph_.place(slot(frame), out);
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
    const Angular<Space>& omega = graph_.twists[label].angular;
    const Vector<Space> r = arm(where);
    Twist<Space> out = graph_.accelerations[label];
    out.linear += cross(out.angular, r) + cross(omega, Vector<Space>(cross(omega, r)));
    return out;
  }
  Wrench<Space> reaction(const ConstraintRef<Space>& constraint) const override {
    need_reactions("reactions");
    entry_of(constraint);
    return equations_.reaction_of(constraint.index);
  }
  double multiplier(const ConstraintRef<Space>& constraint, int row) const override {
    need_reactions("multipliers");
    const ConstraintEntry<Space>& entry = entry_of(constraint);
    check_index("constraint", entry.name, "row", row, entry.constraint->rows());
    const int index = equations_.slot_of_constraint_[detail::at(constraint.index)];
    if (index >= 0) return equations_.multipliers()[graph_.constraints[detail::at(index)].row + row];
    return equations_.multiplier_without_rows(constraint.index, row);
  }
  double state(const ForceRef<Space>& force, int index) const override {
    const State& state = whole("states of force elements");
    const ForceSlot& where = slot_of(force);
    check_index("force", equations_.name(where), "state", index, where.force->states());
    return state.r[where.state + index];
  }
  double auxiliary(const ForceRef<Space>& force, int index) const override {
    whole("auxiliary variables");
    const ForceSlot& where = slot_of(force);
    check_index("force", equations_.name(where), "auxiliary variable", index, where.force->auxiliaries());
    return equations_.auxiliary()[where.auxiliary + index];
  }
  double contact(const ConstraintRef<Space>& constraint, int index) const override {
    const ConstraintEntry<Space>& entry = entry_of(constraint);
    check_index("constraint", entry.name, "contact coordinate", index, entry.constraint->contacts());
    const int slot = equations_.slot_of_constraint_[detail::at(constraint.index)];
    return equations_.contacts()[graph_.constraints[detail::at(slot)].contact + index];
  }
  Wrench<Space> wrench(const ForceRef<Space>& force, int frame) const override {
    whole("what force elements do");
    const ForceSlot& where = slot_of(force);
    check_index("force", equations_.name(where), "frame", frame, where.frames);
    equations_.update_readings();
    equations_.evaluate_force(where);
    return equations_.wrenches_of(where)[frame];
  }
  double reported(const ForceRef<Space>& force, std::string_view name) const override {
    whole("what force elements report");
    const ForceSlot& where = slot_of(force);
    equations_.update_readings();
    return report_named(name, "force", where, where.force->reports(),
                        [&](double* values) { where.force->report(equations_.motion(where), values); });
  }
  double reported(const ConstraintRef<Space>& constraint, std::string_view name) const override {
    need_reactions("what constraints report");
    const std::string& element = entry_of(constraint).name;
    const int index = equations_.slot_of_constraint_[detail::at(constraint.index)];
    if (entry_of(constraint).joint || index < 0)
      throw ModelError(concat("joint '", element, "' reports nothing of its own, and no '", name,
                              "'; read its coordinates and its reaction."));
    const ConstraintSlot& where = graph_.constraints[detail::at(index)];
    const Wrench<Space> reaction = equations_.reaction_of(constraint.index);
    equations_.need_constraint_velocities();
    return report_named(name, "constraint", where, where.constraint->reports(),
                        [&](double* values) { where.constraint->report(equations_.motion(where), reaction, values); });
  }

 private:
  /// One number of those that an element reports; no number where it leaves it out.
  template <class Slot, class Report>
  double report_named(std::string_view name, const char* kind, const Slot& slot,
                      const std::vector<ElementReport>& reports, const Report& report) const {
    const auto found =
        std::find_if(reports.begin(), reports.end(), [&](const auto& each) { return each.name == name; });
    if (found == reports.end()) {
      std::vector<std::string> names;
      for (const ElementReport& each : reports) names.push_back(each.name);
      throw ModelError(concat(kind, " '", equations_.name(slot), "' reports no '", name, "'; it reports ",
                              names.empty() ? "nothing" : listed(names), "."));
    }
    std::vector<double> values(reports.size(), std::numeric_limits<double>::quiet_NaN());
    equations_.with_name(slot, [&] { report(values.data()); });
    return values[static_cast<std::size_t>(found - reports.begin())];
  }
  void check_model(const ModelData<Space>* model, const char* what) const {
    if (model != graph_.data.get())
      throw ModelError(
          concat("a ", what, " does not belong to model '", graph_.data->name, "'; use the handles of this model."));
  }
  template <class Handle>
  void check_handle(const Handle& handle, std::size_t count, const char* what) const {
    check_model(handle.model, what);
    if (handle.index < 0 || handle.index >= static_cast<int>(count)) element_of(handle);  // throws
  }
  const ConstraintEntry<Space>& entry_of(const ConstraintRef<Space>& constraint) const {
    check_handle(constraint, graph_.data->constraints.size(), "constraint");
    return graph_.data->constraints[detail::at(constraint.index)];
  }
  const ForceSlot& slot_of(const ForceRef<Space>& force) const {
    check_handle(force, graph_.data->forces.size(), "force");
    return graph_.forces[detail::at(force.index)];
  }
  static void check_index(const char* kind, const std::string& name, const char* what, int index, int count) {
    if (index < 0 || index >= count)
      throw ModelError(
          concat(kind, " '", name, "' has no ", what, " ", index, "; it has ", count, ", counted from 0."));
  }
  /// Those of least norm, once somebody asks.
  void need_reactions(const char* what) const {
    const State& state = whole(what);
    if (!std::exchange(has_reactions_, true)) equations_.choose_least_reactions(state.a);
  }
  const State& whole(const char* what) const {
    if (!state_) refuse_part(what);
    return *state_;
  }
  [[noreturn]] static void refuse_part(const char* what) {
    throw ModelError(concat("it reads ", what,
                            "; an invariant is a function of time, positions, velocities and contact coordinates."));
  }
  FrameSlot slot(const Frame<Space>& frame) const {
    check_model(frame.model, "frame");
    if (frame.body < -1 || frame.body >= static_cast<int>(graph_.data->bodies.size()))
      graph_.data->body_name(frame.body);  // throws
    return graph_.frame_slot(frame);
  }
  Vector<Space> arm(const FrameSlot& where) const { return graph_.poses[detail::at(where.body)].rotation * where.arm; }

  GraphEquations& equations_;
  const BodyGraph<Space>& graph_;
  const State* state_ = nullptr;
  mutable bool has_reactions_ = false;
};

template <class Space>
std::vector<std::string> GraphEquations<Space>::observable_names() const {
  std::vector<std::string> names;
  for (const ObservableEntry<Space>& entry : graph_.data->observables) names.push_back(entry.name);
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
  values.resize(static_cast<Eigen::Index>(graph_.data->observables.size()));
  set(state);
  const View view(*this, state);
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    const ObservableEntry<Space>& observable = graph_.data->observables[static_cast<std::size_t>(i)];
    values[i] = named("observable", observable.name, [&] { return observable.value(view); });
  }
}

template <class Space>
double GraphEquations<Space>::measure(const State& state, const std::function<double(const Snapshot<Space>&)>& value) {
  set(state);
  return value(View(*this, state));
}

}  // namespace linkwork
