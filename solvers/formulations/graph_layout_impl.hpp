#pragma once

// What GraphEquations does once, at construction: numbering of elements, workspaces, checks.

#include <linkwork/core/concat.hpp>
#include <linkwork/core/constraint_force.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/formulations/graph_equations.hpp>

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace linkwork {

template <class Space>
GraphEquations<Space>::GraphEquations(const Model<Space>& model, const TopologyOptions& topology,
                                      AuxiliaryUnknowns auxiliary, const MakeCoordinates& make_coordinates)
    : EquationsOfMotion(Dimensions{}), graph_(*this, model.share(), analyze(model, topology)), unknowns_(auxiliary) {
  refuse_elements_without_effect();
  collect_inputs();
  coordinates_ = make_coordinates(graph_);
  layout_ = coordinates_->layout();
  number_constraints();
  number_forces();
  set_dimensions(sizes());
  coordinates_->lay_out(M_, G_, C_, F_);
  start();
}

/// In the order of the elements that ask them first, joints and constraints before forces.
template <class Space>
void GraphEquations<Space>::collect_inputs() {
  const auto add = [this](const std::vector<Input>& of_element, const std::string& element) {
    for (std::size_t i = 0; i < of_element.size(); ++i) {
      const Input& input = of_element[i];
      if (!input || std::find(inputs_.begin(), inputs_.end(), input) != inputs_.end()) continue;
      inputs_.push_back(input);
      const std::string number = of_element.size() == 1 ? "" : concat("[", i, "]");
      input_names_.push_back(input.name().empty() ? concat(element, ".u", number) : input.name());
    }
  };
  for (const ConstraintEntry<Space>& entry : graph_.data->constraints) add(entry.constraint->inputs(), entry.name);
  for (const ForceEntry<Space>& entry : graph_.data->forces) add(entry.force->inputs(), entry.name);
}

/// @throws ModelError where there is no such input
template <class Space>
int GraphEquations<Space>::checked_input(int i) const {
  if (i < 0 || i >= inputs())
    throw ModelError(
        concat("model '", graph_.data->name, "': there is no input ", i, "; it has ", inputs(), ", counted from 0."));
  return i;
}

template <class Space>
void GraphEquations<Space>::refuse_elements_without_effect() const {
  for (const ConstraintEntry<Space>& entry : graph_.data->constraints)
    if (entry.constraint->rows() <= 0 && !entry.joint)  // a joint without rows gives a body its coordinates
      throw ModelError(concat("constraint '", entry.name, "' (", entry.constraint->type(), ") has ",
                              entry.constraint->rows(), " rows and contributes nothing; remove it."));
  const bool has_mass = std::any_of(graph_.data->bodies.begin(), graph_.data->bodies.end(),
                                    [](const BodyEntry<Space>& entry) { return entry.body->mass() > 0; });
  if (!graph_.data->gravity.isZero(0) && !has_mass)
    throw ModelError(concat("model '", graph_.data->name, "': gravity is (", graph_.data->gravity.transpose(),
                            ") m/s^2, but no body has mass, so that it contributes nothing; give a body mass or set "
                            "gravity to zero."));
}

/// By level, holonomic rows first; then by the body that the rows are kept with, cuts last; the tree edge before its
/// parallels.
template <class Space>
void GraphEquations<Space>::number_constraints() {
  const auto key = [&](int index) {
    const Topology::Element& element = graph_.topology.elements[detail::at(index)];
    return std::make_tuple(graph_.data->constraints[detail::at(index)].constraint->level(),
                           element.role == Topology::Role::cut, element.node, element.role != Topology::Role::tree,
                           index);
  };
  std::vector<int> order(graph_.topology.elements.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) { return key(a) < key(b); });

  for (const int joint : layout_.relations)
    for (const Frame<Space>& frame : graph_.data->constraints[detail::at(joint)].constraint->frames())
      graph_.frame_slots.push_back(graph_.frame_slot(frame));
  slot_of_constraint_.assign(order.size(), -1);
  int row = 0, memory = 0, value = 0, relation_rows = n * static_cast<int>(layout_.relations.size());
  for (const int index : order) {
    const Constraint<Space>& constraint = *graph_.data->constraints[detail::at(index)].constraint;
    if (constraint.rows() == 0 || layout_.places[detail::at(index)]) continue;
    if (constraint.level() != Level::holonomic) row += std::exchange(relation_rows, 0);
    slot_of_constraint_[detail::at(index)] = static_cast<int>(graph_.constraints.size());
    const int frames = static_cast<int>(constraint.frames().size());
    graph_.constraints.push_back({&constraint, index, row, constraint.rows(),
                                  static_cast<int>(graph_.frame_slots.size()), frames, memory, contact_count_,
                                  constraint.contacts(), value});
    for (const Frame<Space>& frame : constraint.frames()) graph_.frame_slots.push_back(graph_.frame_slot(frame));
    row += constraint.rows();
    if (constraint.level() == Level::holonomic) graph_.relation_row = row;
    contact_count_ += constraint.contacts();
    memory += constraint.memory_size();
    value += constraint.rows() * frames * n;
    has_position_rows_ = has_position_rows_ || constraint.has_position_rows();
  }
  graph_.first_force_frame = graph_.frame_slots.size();
  graph_.rows.resize(detail::at(value));
  constraint_memory_.resize(detail::at(memory), 0.0);
}

template <class Space>
void GraphEquations<Space>::number_forces() {
  int state = 0, memory = 0;
  for (std::size_t i = 0; i < graph_.data->forces.size(); ++i) {
    const ForceElement<Space>& force = *graph_.data->forces[i].force;
    graph_.forces.push_back({&force, static_cast<int>(i), static_cast<int>(graph_.frame_slots.size()),
                             static_cast<int>(force.frames().size()), state, force.states(), memory, switches(),
                             static_cast<int>(graph_.readings.size()), static_cast<int>(force.reactions().size()),
                             auxiliary_count_, force.auxiliaries(), static_cast<int>(contact_readings_.size())});
    for (const Frame<Space>& frame : force.frames()) {
      graph_.frame_slots.push_back(graph_.frame_slot(frame));
      const int label = graph_.frame_slots.back().body;
      graph_.forces.back().on_point |= label > 0 && !graph_.bodies[detail::at(label)].rotates;
    }
    const bool is_of_servo = dynamic_cast<const ConstraintForce<Space>*>(&force) != nullptr;
    int own_frame = 0;
    for (const ConstraintRef<Space>& read : force.reactions()) {
      const int slot = slot_of_constraint_[detail::at(read.index)];
      if (slot < 0)
        throw ModelError(concat("force '", name(graph_.forces.back()), "' (", force.type(),
                                ") reads the reaction of joint '",
                                graph_.data->constraints[detail::at(read.index)].name,
                                "', which has no rows and so no reaction; read another joint."));
      graph_.readings.push_back({slot, static_cast<int>(reading_rows_.size()), is_of_servo ? own_frame++ : -1});
      reading_rows_.resize(reading_rows_.size() + detail::at(graph_.constraints[detail::at(slot)].rows * n));
    }
    for (const ConstraintRef<Space>& source : force.contact_sources()) {
      const ConstraintSlot& slot = graph_.constraints[detail::at(slot_of_constraint_[detail::at(source.index)])];
      for (int k = 0; k < slot.contacts; ++k) contact_readings_.push_back(slot.contact + k);
    }
    auxiliary_count_ += force.auxiliaries();
    switch_owner_.insert(switch_owner_.end(), detail::at(force.switches()), static_cast<int>(i));
    state += force.states();
    memory += force.memory_size();
  }
  force_memory_.resize(detail::at(memory), 0.0);
}

template <class Space>
Dimensions GraphEquations<Space>::sizes() const {
  Dimensions sizes;
  sizes.p = layout_.p;
  sizes.v = layout_.v;
  sizes.normalisation = layout_.normalisation;
  for (const ForceSlot& slot : graph_.forces) sizes.r += slot.states;
  if (unknowns_ == AuxiliaryUnknowns::carried) {
    sizes.w = auxiliary_count_;
    sizes.s = contact_count_;
  }
  for (const ConstraintSlot& slot : graph_.constraints)
    (slot.constraint->level() == Level::holonomic ? sizes.lambda : sizes.mu) += slot.rows;
  for (const ConstraintSlot& slot : graph_.constraints) {
    if (slot.constraint->level() == Level::nonlinear) sizes.nonlinear += slot.rows;
    if (slot.constraint->level() == Level::servo) sizes.servo += slot.rows;
  }
  sizes.lambda += n * static_cast<int>(layout_.relations.size());
  sizes.eta = sizes.lambda;
  sizes.e = static_cast<int>(graph_.data->invariants.size());
  return sizes;
}

template <class Space>
void GraphEquations<Space>::make_workspaces() {
  const std::size_t frames = graph_.frame_slots.size();
  graph_.frames.resize(frames);
  graph_.arms.resize(frames);
  graph_.wrenches.resize(frames - graph_.first_force_frame);
  for (std::size_t k = 0; k < frames; ++k)
    if (graph_.frame_slots[k].body == 0) graph_.arms[k] = graph_.place(graph_.frame_slots[k], graph_.frames[k].pose);
  for (Eigen::VectorXd& rates : rates_) rates = Eigen::VectorXd::Zero(dimensions().constraints());
  own_force_.resize(dimensions().v);
  reactions_.resize(graph_.readings.size());
  memory_before_.resize(std::max(constraint_memory_.size(), force_memory_.size()));
  read_contacts_.resize(contact_readings_.size());
}

template <class Space>
void GraphEquations<Space>::start() {
  make_workspaces();
  // Asked for in runs: a coordinate's name, which comes along, would be built each time.
  for (int i = 0; i < dimensions().p; ++i) position_measures_.push_back(coordinates_->position(i).measure);
  for (int i = 0; i < dimensions().v; ++i) velocity_measures_.push_back(coordinates_->velocity(i).measure);
  initial_state_ = EquationsOfMotion::initial_state();
  coordinates_->start(characteristic_length(), initial_state_);
  add_element_states(initial_state_);
  if (unknowns_ == AuxiliaryUnknowns::eliminated) {
    set_eliminated(auxiliary_count_, contact_count_);
    last_auxiliary_.resize(auxiliary_count_);
    last_contacts_ = contact_rates_ = Eigen::VectorXd::Zero(contact_count_);
    forget();
  }

  for (std::size_t i = 0; i < graph_.data->invariants.size(); ++i)
    if (graph_.data->invariants[i].level) set_invariant_level(static_cast<int>(i), *graph_.data->invariants[i].level);
  set(initial_state_);
  try {
    remember(true, -1);
    refuse_torques_on_points();
  } catch (const RecoverableFailure& failure) {
    throw ModelError(concat("model '", graph_.data->name, "' can't be evaluated where its bodies are placed: ",
                            failure.what(), "; place or move them otherwise, or start its elements elsewhere."));
  }
  refuse_energy_that_is_not_conserved();
}

/// A body that does not rotate can't take the torque of a constraint that acts on its rotation.
template <class Space>
void GraphEquations<Space>::refuse_torques_on_points() {
  need_position();
  if (rows_read_velocity()) need_constraint_velocities();
  for (const ConstraintSlot& slot : graph_.constraints) {
    const auto on_point = [&](const FrameSlot& frame) {
      return frame.body > 0 && !graph_.bodies[detail::at(frame.body)].rotates;
    };
    const auto begin = graph_.frame_slots.begin() + slot.frame;
    if (std::none_of(begin, begin + slot.frames, on_point)) continue;
    evaluate_rows(slot, RowKind::velocity, rates_[0].data() + slot.row);
    for (int k = 0; k < slot.frames; ++k) {
      if (!on_point(begin[k])) continue;
      for (int r = 0; r < slot.rows; ++r) {
        const double* row = graph_.rows.data() + slot.value + (k * slot.rows + r) * n;
        if (std::all_of(row, row + angular, [](double value) { return value == 0; })) continue;
        throw ModelError(concat("constraint '", name(slot), "' (", slot.constraint->type(),
                                ") acts on the rotation of body '", graph_.body_name(begin[k].body), "' (",
                                graph_.bodies[detail::at(begin[k].body)].body->type(),
                                "), which does not rotate; use a constraint between points, or a rigid body."));
      }
    }
  }
}

template <class Space>
void GraphEquations<Space>::add_element_states(State& state) const {
  for (const ForceSlot& slot : graph_.forces)
    for (int i = 0; i < slot.states; ++i) state.r[slot.state + i] = slot.force->initial_state(i);
  state.w.resize(auxiliary_count_);
  for (const ForceSlot& slot : graph_.forces)
    for (int i = 0; i < slot.auxiliaries; ++i) state.w[slot.auxiliary + i] = slot.force->initial_auxiliary(i);
  state.s.resize(contact_count_);
  for (const ConstraintSlot& slot : graph_.constraints)
    for (int i = 0; i < slot.contacts; ++i) state.s[slot.contact + i] = slot.constraint->initial_contact(i);
}

}  // namespace linkwork
