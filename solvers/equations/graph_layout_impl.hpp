#pragma once

// What GraphEquations does once, at construction: numbering of elements, workspaces, checks.

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/equations/graph_equations.hpp>

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace linkwork {

template <class Space>
GraphEquations<Space>::GraphEquations(const Model<Space>& model, const TopologyOptions& topology,
                                      AuxiliaryUnknowns auxiliary)
    : EquationsOfMotion(Dimensions{}), data_(model.share()), topology_(analyze(model, topology)), unknowns_(auxiliary) {
  refuse_elements_without_effect();
  bodies_.resize(topology_.nodes.size());
  poses_.resize(bodies_.size());
  twists_.resize(bodies_.size());
  biases_.resize(bodies_.size());
  accelerations_.resize(bodies_.size());
  for (std::size_t label = 1; label < bodies_.size(); ++label) {
    const int index = topology_.nodes[label].body;
    const BodyEntry<Space>& entry = data_->bodies[detail::at(index)];
    bodies_[label] = {entry.body.get(), index, entry.body->rotates()};
    poses_[label].rotation = rotation_matrix(entry.orientation);  // stays if the body does not rotate
  }
  collect_inputs();
}

/// In the order of the elements that ask them first, joints and constraints before forces.
template <class Space>
void GraphEquations<Space>::collect_inputs() {
  for (const ConstraintEntry<Space>& entry : data_->constraints) add_inputs(entry.constraint->inputs(), entry.name);
  for (const ForceEntry<Space>& entry : data_->forces) add_inputs(entry.force->inputs(), entry.name);
}

template <class Space>
void GraphEquations<Space>::add_inputs(const std::vector<Input>& of_element, const std::string& element) {
  for (std::size_t i = 0; i < of_element.size(); ++i) {
    const Input& input = of_element[i];
    if (!input || std::find(inputs_.begin(), inputs_.end(), input) != inputs_.end()) continue;
    inputs_.push_back(input);
    if (!input.name().empty())
      input_names_.push_back(input.name());
    else if (of_element.size() == 1)
      input_names_.push_back(concat(element, ".u"));
    else
      input_names_.push_back(concat(element, ".u[", i, "]"));
  }
}

/// @throws ModelError where there is no such input
template <class Space>
const Input& GraphEquations<Space>::own_input(int i) const {
  if (i < 0 || i >= inputs())
    throw ModelError(
        concat("model '", data_->name, "': there is no input ", i, "; it has ", inputs(), ", counted from 0."));
  return inputs_[detail::at(i)];
}

template <class Space>
void GraphEquations<Space>::refuse_elements_without_effect() const {
  for (const ConstraintEntry<Space>& entry : data_->constraints)
    if (entry.constraint->rows() <= 0 && !entry.joint)  // a joint without rows gives a body its coordinates
      throw ModelError(concat("constraint '", entry.name, "' (", entry.constraint->type(), ") has ",
                              entry.constraint->rows(), " rows and contributes nothing; remove it."));
  const bool has_mass = std::any_of(data_->bodies.begin(), data_->bodies.end(),
                                    [](const BodyEntry<Space>& entry) { return entry.body->mass() > 0; });
  if (!data_->gravity.isZero(0) && !has_mass)
    throw ModelError(concat("model '", data_->name, "': gravity is (", data_->gravity.transpose(),
                            ") m/s^2, but no body has mass, so that it contributes nothing; give a body mass or set "
                            "gravity to zero."));
}

/// Holonomic rows first; then by the body that the rows are kept with, cuts last; the tree edge before its parallels.
template <class Space>
void GraphEquations<Space>::number_constraints(const std::function<bool(int)>& is_row, int more) {
  const auto key = [&](int index) {
    const Topology::Element& element = topology_.elements[detail::at(index)];
    return std::make_tuple(!element.holonomic, element.role == Topology::Role::cut, element.node,
                           element.role != Topology::Role::tree, index);
  };
  std::vector<int> order(topology_.elements.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) { return key(a) < key(b); });

  slot_of_constraint_.assign(order.size(), -1);
  int row = 0, memory = 0;
  for (const int index : order) {
    const Constraint<Space>& constraint = *data_->constraints[detail::at(index)].constraint;
    if (constraint.rows() == 0 || !is_row(index)) continue;
    if (constraint.level() == Level::nonholonomic) row += std::exchange(more, 0);
    slot_of_constraint_[detail::at(index)] = static_cast<int>(constraints_.size());
    constraints_.push_back({&constraint, index, row, constraint.rows(), static_cast<int>(frame_slots_.size()),
                            static_cast<int>(constraint.frames().size()), memory, contact_count_,
                            constraint.contacts()});
    for (const Frame<Space>& frame : constraint.frames()) frame_slots_.push_back(frame_slot(frame));
    row += constraint.rows();
    contact_count_ += constraint.contacts();
    memory += constraint.memory_size();
    has_position_rows_ = has_position_rows_ || constraint.has_position_rows();
  }
  constraint_frames_ = frame_slots_.size();
  constraint_memory_.resize(detail::at(memory), 0.0);
}

template <class Space>
void GraphEquations<Space>::number_forces() {
  int state = 0, memory = 0;
  for (std::size_t i = 0; i < data_->forces.size(); ++i) {
    const ForceElement<Space>& force = *data_->forces[i].force;
    forces_.push_back({&force, static_cast<int>(i), static_cast<int>(frame_slots_.size()),
                       static_cast<int>(force.frames().size()), state, force.states(), memory, switches(),
                       static_cast<int>(readings_.size()), auxiliary_count_, force.auxiliaries(),
                       static_cast<int>(contact_readings_.size())});
    for (const Frame<Space>& frame : force.frames()) frame_slots_.push_back(frame_slot(frame));
    for (const ConstraintRef<Space>& read : force.reactions()) {
      const int slot = slot_of_constraint_[detail::at(read.index)];
      if (slot < 0)
        throw ModelError(concat("force '", name(forces_.back()), "' (", force.type(), ") reads the reaction of joint '",
                                data_->constraints[detail::at(read.index)].name,
                                "', which has no rows and so no reaction; read another joint."));
      readings_.push_back({slot, static_cast<int>(reading_rows_.size())});
      reading_rows_.resize(reading_rows_.size() + detail::at(constraints_[detail::at(slot)].rows * n));
    }
    for (const ConstraintRef<Space>& source : force.contact_sources()) {
      const ConstraintSlot& slot = constraints_[detail::at(slot_of_constraint_[detail::at(source.index)])];
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
auto GraphEquations<Space>::frame_slot(const Frame<Space>& frame) const -> FrameSlot {
  FrameSlot slot;
  slot.arm = frame.offset;
  slot.rotation = rotation_matrix(frame.orientation);
  slot.turned = !slot.rotation.isIdentity(0);
  if constexpr (dimension == 2) {
    slot.angle = frame.orientation;
    slot.turned = frame.orientation != 0;
  }
  if (frame.body < 0) return slot;
  slot.body = topology_.label_of_body[detail::at(frame.body)];
  slot.arm -= bodies_[detail::at(slot.body)].body->center_of_mass();
  return slot;
}

template <class Space>
Dimensions GraphEquations<Space>::element_dimensions() const {
  Dimensions sizes;
  for (const ForceSlot& slot : forces_) sizes.r += slot.states;
  if (unknowns_ == AuxiliaryUnknowns::carried) {
    sizes.w = auxiliary_count_;
    sizes.s = contact_count_;
  }
  for (const ConstraintSlot& slot : constraints_)
    (slot.constraint->level() == Level::holonomic ? sizes.lambda : sizes.mu) += slot.rows;
  sizes.eta = sizes.lambda;
  sizes.e = static_cast<int>(data_->invariants.size());
  return sizes;
}

template <class Space>
void GraphEquations<Space>::start() {
  frames_.resize(frame_slots_.size());
  arms_.resize(frame_slots_.size());
  for (std::size_t k = 0; k < frame_slots_.size(); ++k)
    if (frame_slots_[k].body == 0) arms_[k] = place(frame_slots_[k], frames_[k].pose);
  int most_rows = 0, most_values = 0, most_wrenches = 0;
  for (const ConstraintSlot& slot : constraints_) {
    most_rows = std::max(most_rows, slot.rows);
    most_values = std::max(most_values, slot.rows * slot.frames * n);
  }
  for (const ForceSlot& slot : forces_) most_wrenches = std::max(most_wrenches, slot.frames);
  rows_.resize(detail::at(most_values));
  rates_.resize(detail::at(most_rows));
  wrenches_.resize(detail::at(most_wrenches));
  reactions_.resize(readings_.size());
  memory_before_.resize(std::max(constraint_memory_.size(), force_memory_.size()));
  read_contacts_.resize(contact_readings_.size());
  if (unknowns_ == AuxiliaryUnknowns::eliminated) {
    set_eliminated(auxiliary_count_, contact_count_);
    last_auxiliary_.resize(auxiliary_count_);
    last_contacts_ = contact_rates_ = Eigen::VectorXd::Zero(contact_count_);
    forget();
  }

  for (std::size_t i = 0; i < data_->invariants.size(); ++i)
    if (data_->invariants[i].level) set_invariant_level(static_cast<int>(i), *data_->invariants[i].level);
  const State state = initial_state();
  set_position(state.t, state.p);
  set_velocity(state.v);
  set_states(state.r);
  if (state.w.size() > 0) set_auxiliary(state.w);
  if (state.s.size() > 0) set_contacts(state.s);
  try {
    remember(true, -1);
  } catch (const RecoverableFailure& failure) {
    throw ModelError(concat("model '", data_->name, "' can't be evaluated where its bodies are placed: ",
                            failure.what(), "; place them elsewhere, or start its elements elsewhere."));
  }
  refuse_torques_on_points();
  refuse_energy_that_is_not_conserved();
}

/// A body that does not rotate can't take the torque of a constraint that acts on its rotation.
template <class Space>
void GraphEquations<Space>::refuse_torques_on_points() {
  need_position();
  for (const ConstraintSlot& slot : constraints_) {
    const auto on_point = [&](const FrameSlot& frame) {
      return frame.body > 0 && !bodies_[detail::at(frame.body)].rotates;
    };
    const auto begin = frame_slots_.begin() + slot.frame;
    if (std::none_of(begin, begin + slot.frames, on_point)) continue;
    evaluate_rows(slot, RowKind::velocity, rates_.data());
    for (int k = 0; k < slot.frames; ++k) {
      if (!on_point(begin[k])) continue;
      for (int r = 0; r < slot.rows; ++r) {
        const double* row = rows_.data() + (k * slot.rows + r) * n;
        if (std::all_of(row, row + angular, [](double value) { return value == 0; })) continue;
        throw ModelError(concat("constraint '", name(slot), "' (", slot.constraint->type(),
                                ") acts on the rotation of body '", body_name(begin[k].body), "' (",
                                bodies_[detail::at(begin[k].body)].body->type(),
                                "), which does not rotate; use a constraint between points, or a rigid body."));
      }
    }
  }
}

template <class Space>
void GraphEquations<Space>::add_element_states(State& state) const {
  for (const ForceSlot& slot : forces_)
    for (int i = 0; i < slot.states; ++i) state.r[slot.state + i] = slot.force->initial_state(i);
  state.w.resize(auxiliary_count_);
  for (const ForceSlot& slot : forces_)
    for (int i = 0; i < slot.auxiliaries; ++i) state.w[slot.auxiliary + i] = slot.force->initial_auxiliary(i);
  state.s.resize(contact_count_);
  for (const ConstraintSlot& slot : constraints_)
    for (int i = 0; i < slot.contacts; ++i) state.s[slot.contact + i] = slot.constraint->initial_contact(i);
}

}  // namespace linkwork
