#pragma once

// What AbsoluteEquations does once, at construction: numbering, blocks, trees, workspaces.

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/equations/absolute_equations.hpp>

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

namespace linkwork {

namespace detail {

inline std::size_t at(int index) { return static_cast<std::size_t>(index); }

template <class Space>
void refuse_elements_without_effect(const ModelData<Space>& data) {
  for (const ConstraintEntry<Space>& entry : data.constraints)
    if (entry.constraint->rows() <= 0)
      throw ModelError(concat(entry.joint ? "joint '" : "constraint '", entry.name, "' (", entry.constraint->type(),
                              ") has ", entry.constraint->rows(),
                              " rows and contributes nothing in absolute coordinates; remove it."));
  const bool has_mass = std::any_of(data.bodies.begin(), data.bodies.end(),
                                    [](const BodyEntry<Space>& entry) { return entry.body->mass() > 0; });
  if (!data.gravity.isZero(0) && !has_mass)
    throw ModelError(concat("model '", data.name, "': gravity is (", data.gravity.transpose(),
                            ") m/s^2, but no body has mass, so that it contributes nothing; give a body mass or set "
                            "gravity to zero."));
}

template <class Space>
bool has_inertia(const Body<Space>& body) {
  return body.mass() > 0 || (body.rotates() && !body.inertia().isZero(0));
}

}  // namespace detail

template <class Space>
AbsoluteEquations<Space>::AbsoluteEquations(const Model<Space>& model)
    : EquationsOfMotion(Dimensions{}), data_(model.share()) {
  detail::refuse_elements_without_effect(*data_);
  const Topology topology = analyze(model);
  number_bodies(topology);
  number_constraints(topology);
  number_forces();

  Dimensions sizes;
  sizes.p = bodies_.back().linear_p() + dimension;
  sizes.v = bodies_.back().linear_v() + dimension;
  for (const ForceSlot& slot : forces_) sizes.r += slot.force->states();
  for (const ConstraintSlot& slot : constraints_)
    (slot.constraint->level() == Level::holonomic ? sizes.lambda : sizes.mu) += slot.rows;
  if (dimension == 3)
    sizes.normalisation = static_cast<int>(
        std::count_if(bodies_.begin(), bodies_.end(), [](const BodySlot& slot) { return slot.rotates; }));
  sizes.eta = sizes.lambda;
  set_dimensions(sizes);

  add_mass_blocks();
  add_constraint_blocks();
  add_force_jacobian_blocks();
  build_trees(topology);
  prepare_workspaces();

  const State start = initial_state();
  set_position(start.t, start.p);
  set_velocity(start.v);
  set_states(start.r);
  remember(true, -1);
  refuse_torques_on_points();
}

template <class Space>
void AbsoluteEquations<Space>::number_bodies(const Topology& topology) {
  label_of_body_ = topology.label_of_body;
  bodies_.resize(topology.nodes.size());
  poses_.resize(bodies_.size());
  twists_.resize(bodies_.size());
  gravity_.resize(topology.freedoms);
  int p = 0, v = 0;
  for (std::size_t label = 1; label < bodies_.size(); ++label) {
    const int index = topology.nodes[label].body;
    const BodyEntry<Space>& entry = data_->bodies[detail::at(index)];
    const Body<Space>& body = *entry.body;
    bodies_[label] = {&body, index, p, v, body.rotates()};
    poses_[label].rotation = rotation_matrix(entry.orientation);  // stays if the body does not rotate
    gravity_.segment(v, body.freedoms()).setZero();
    gravity_.segment<dimension>(bodies_[label].linear_v()) = body.mass() * data_->gravity;
    p += body.coordinates();
    v += body.freedoms();
  }
}

/// Holonomic rows first; then by the body that the rows are kept with, cuts last; the tree edge before its parallels.
template <class Space>
void AbsoluteEquations<Space>::number_constraints(const Topology& topology) {
  const auto key = [&](int index) {
    const Topology::Element& element = topology.elements[detail::at(index)];
    return std::make_tuple(!element.holonomic, element.role == Topology::Role::cut, element.node,
                           element.role != Topology::Role::tree, index);
  };
  std::vector<int> order(topology.elements.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) { return key(a) < key(b); });

  slot_of_constraint_.resize(order.size());
  int row = 0, memory = 0;
  for (const int index : order) {
    const Constraint<Space>& constraint = *data_->constraints[detail::at(index)].constraint;
    slot_of_constraint_[detail::at(index)] = static_cast<int>(constraints_.size());
    constraints_.push_back({&constraint, index, row, constraint.rows(), static_cast<int>(frame_slots_.size()),
                            static_cast<int>(constraint.frames().size()), memory});
    for (const Frame<Space>& frame : constraint.frames()) frame_slots_.push_back(frame_slot(frame));
    row += constraint.rows();
    memory += constraint.memory_size();
    has_position_rows_ = has_position_rows_ || constraint.has_position_rows();
  }
  constraint_frames_ = frame_slots_.size();
  constraint_memory_.resize(detail::at(memory), 0.0);
}

template <class Space>
void AbsoluteEquations<Space>::number_forces() {
  int state = 0, memory = 0;
  for (std::size_t i = 0; i < data_->forces.size(); ++i) {
    const ForceElement<Space>& force = *data_->forces[i].force;
    forces_.push_back({&force, static_cast<int>(i), static_cast<int>(frame_slots_.size()),
                       static_cast<int>(force.frames().size()), state, memory, switches(),
                       static_cast<int>(readings_.size())});
    for (const Frame<Space>& frame : force.frames()) frame_slots_.push_back(frame_slot(frame));
    for (const ConstraintRef<Space>& read : force.reactions()) {
      const int slot = slot_of_constraint_[detail::at(read.index)];
      readings_.push_back({slot, static_cast<int>(reading_rows_.size())});
      reading_rows_.resize(reading_rows_.size() + detail::at(constraints_[detail::at(slot)].rows * n));
    }
    switch_owner_.insert(switch_owner_.end(), detail::at(force.switches()), static_cast<int>(i));
    state += force.states();
    memory += force.memory_size();
  }
  force_memory_.resize(detail::at(memory), 0.0);
}

template <class Space>
auto AbsoluteEquations<Space>::frame_slot(const Frame<Space>& frame) const -> FrameSlot {
  FrameSlot slot;
  slot.arm = frame.offset;
  slot.rotation = rotation_matrix(frame.orientation);
  slot.turned = !slot.rotation.isIdentity(0);
  if constexpr (dimension == 2) {
    slot.angle = frame.orientation;
    slot.turned = frame.orientation != 0;
  }
  if (frame.body < 0) return slot;
  slot.body = label_of_body_[detail::at(frame.body)];
  slot.arm -= bodies_[detail::at(slot.body)].body->center_of_mass();
  return slot;
}

/// One block per body with mass or inertia: a linear solver may then take the body as a whole.
template <class Space>
void AbsoluteEquations<Space>::add_mass_blocks() {
  for (const BodySlot& slot : bodies_) {
    if (!slot.body || !detail::has_inertia(*slot.body)) continue;
    const int size = slot.body->freedoms();
    Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> block(
        M_.values(M_.add_block(slot.v, slot.v, size, size)), size, size);
    if (slot.rotates) block.topLeftCorner(angular, angular) = slot.body->inertia();
    block.diagonal().tail(dimension).setConstant(slot.body->mass());
  }
}

/// One block per constraint and moving body. Holonomic rows come first, so that C has the same first blocks.
template <class Space>
void AbsoluteEquations<Space>::add_constraint_blocks() {
  row_targets_.resize(constraint_frames_, nowhere);
  for (const ConstraintSlot& slot : constraints_) {
    const int first = static_cast<int>(G_.blocks().size());
    first_block_.push_back(first);
    for (int k = slot.frame; k < slot.frame + slot.frames; ++k) {
      const int label = frame_slots_[detail::at(k)].body;
      if (label == 0) continue;
      const BodySlot& body = bodies_[detail::at(label)];
      int block = block_on(slot, label);
      if (block < 0) {
        block = G_.add_block(slot.row, body.v, slot.rows, body.body->freedoms());
        if (slot.constraint->level() == Level::holonomic)
          C_.add_block(slot.row, body.v, slot.rows, body.body->freedoms());
      }
      row_targets_[detail::at(k)] = static_cast<std::ptrdiff_t>(G_.blocks()[detail::at(block)].offset);
    }
  }
}

/// Number of the block of a constraint on a body, among those there are; -1 if none.
template <class Space>
int AbsoluteEquations<Space>::block_on(const ConstraintSlot& slot, int label) const {
  const std::size_t index = static_cast<std::size_t>(&slot - constraints_.data());
  const std::size_t end = index + 1 < first_block_.size() ? detail::at(first_block_[index + 1]) : G_.blocks().size();
  for (std::size_t block = detail::at(first_block_[index]); block < end; ++block)
    if (label > 0 && G_.blocks()[block].column == bodies_[detail::at(label)].v) return static_cast<int>(block);
  return -1;
}

template <class Space>
void AbsoluteEquations<Space>::add_force_jacobian_blocks() {
  std::set<std::pair<int, int>> known;  // body, constraint: blocks must not overlap
  for (const ForceSlot& slot : forces_) {
    const int readings = static_cast<int>(slot.force->reactions().size());
    for (int reading = slot.reading; reading < slot.reading + readings; ++reading) {
      const int read = readings_[detail::at(reading)].constraint;
      const ConstraintSlot& constraint = constraints_[detail::at(read)];
      for (int k = slot.frame; k < slot.frame + slot.frames; ++k) {
        const int label = frame_slots_[detail::at(k)].body;
        if (label > 0 && known.emplace(label, read).second)
          F_.add_block(bodies_[detail::at(label)].v, constraint.row, bodies_[detail::at(label)].body->freedoms(),
                       constraint.rows);
      }
    }
  }
}

template <class Space>
void AbsoluteEquations<Space>::build_trees(const Topology& topology) {
  velocity_tree_.width = n;
  velocity_tree_.nodes.resize(bodies_.size() - 1);
  int mass_block = 0;
  for (std::size_t label = 1; label < bodies_.size(); ++label) {
    const BodySlot& body = bodies_[label];
    BlockTree::Node& node = velocity_tree_.nodes[label - 1];
    node.father = topology.nodes[label].father - 1;
    node.column = body.v;
    node.size = body.body->freedoms();
    node.mass_block = detail::has_inertia(*body.body) ? mass_block++ : -1;
  }
  position_tree_ = velocity_tree_;

  for (const ConstraintSlot& slot : constraints_) {
    const Topology::Element& element = topology.elements[detail::at(slot.index)];
    const auto add_to = [&](BlockTree& tree) {
      if (element.role != Topology::Role::cut) {
        tree.nodes[detail::at(element.node - 1)].rows.push_back(
            {slot.row, slot.rows, block_on(slot, element.node),
             block_on(slot, topology.nodes[detail::at(element.node)].father)});
        return;
      }
      BlockTree::Closure closure{slot.row, slot.rows, {}};
      for (const int label : std::set<int>(element.ends.begin(), element.ends.end()))
        if (label > 0) closure.parts.push_back({label - 1, block_on(slot, label)});
      tree.closures.push_back(std::move(closure));
    };
    add_to(velocity_tree_);
    if (slot.constraint->level() == Level::holonomic) add_to(position_tree_);
  }
}

template <class Space>
void AbsoluteEquations<Space>::prepare_workspaces() {
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
  work_v_ = Eigen::VectorXd::Zero(dimensions().v);
}

/// A body that does not rotate can't take the torque of a constraint that acts on its rotation.
template <class Space>
void AbsoluteEquations<Space>::refuse_torques_on_points() {
  need_position();
  for (const ConstraintSlot& slot : constraints_) {
    const auto on_point = [&](const FrameSlot& frame) {
      return frame.body > 0 && !bodies_[detail::at(frame.body)].rotates;
    };
    const auto begin = frame_slots_.begin() + slot.frame;
    if (std::none_of(begin, begin + slot.frames, on_point)) continue;
    evaluate_rows(slot, Rows::velocity, rates_.data());
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

}  // namespace linkwork
