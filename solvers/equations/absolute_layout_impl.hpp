#pragma once

// What AbsoluteEquations does once, at construction: numbering, blocks, trees; and names.

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/equations/absolute_equations.hpp>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace linkwork {

namespace detail {

inline constexpr std::array<const char*, 3> axis_names{"x", "y", "z"};
inline constexpr std::array<const char*, 4> quaternion_names{"qw", "qx", "qy", "qz"};

}  // namespace detail

template <class Space>
AbsoluteEquations<Space>::AbsoluteEquations(const Model<Space>& model, const TopologyOptions& topology,
                                            AuxiliaryUnknowns auxiliary, BodiesOnly)
    : Base(model, topology, auxiliary) {
  number_bodies();
}

template <class Space>
AbsoluteEquations<Space>::AbsoluteEquations(const Model<Space>& model, const TopologyOptions& topology,
                                            AuxiliaryUnknowns auxiliary)
    : AbsoluteEquations(model, topology, auxiliary, BodiesOnly()) {
  this->number_constraints([](int) { return true; });
  this->number_forces();
  this->set_dimensions(body_dimensions());
  add_mass_blocks();
  add_constraint_blocks();
  add_force_jacobian_blocks();
  build_trees();
  this->start();
}

template <class Space>
Dimensions AbsoluteEquations<Space>::body_dimensions() const {
  Dimensions sizes = this->element_dimensions();
  sizes.p = places_.back().linear_p() + dimension;
  sizes.v = places_.back().linear_v() + dimension;
  if (dimension == 3)
    sizes.normalisation = static_cast<int>(
        std::count_if(places_.begin(), places_.end(), [](const Place& place) { return place.rotates; }));
  return sizes;
}

template <class Space>
void AbsoluteEquations<Space>::number_bodies() {
  places_.resize(this->bodies_.size());
  gravity_.resize(this->topology_.freedoms);
  int p = 0, v = 0;
  for (std::size_t label = 1; label < places_.size(); ++label) {
    const Body<Space>& body = *this->bodies_[label].body;
    places_[label] = {&body, this->bodies_[label].index, p, v, body.rotates()};
    gravity_.segment(v, body.freedoms()).setZero();
    gravity_.template segment<dimension>(places_[label].linear_v()) = body.mass() * this->data_->gravity;
    p += body.coordinates();
    v += body.freedoms();
  }
  own_force_ = gravity_;  // of its size
}

/// One block per body with mass or inertia: a linear solver may then take the body as a whole.
template <class Space>
void AbsoluteEquations<Space>::add_mass_blocks() {
  for (const Place& slot : places_) {
    if (!slot.body || !detail::has_inertia(*slot.body)) continue;
    const int size = slot.body->freedoms();
    Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> block(
        this->M_.values(this->M_.add_block(slot.v, slot.v, size, size)), size, size);
    if (slot.rotates) block.topLeftCorner(angular, angular) = slot.body->inertia();
    block.diagonal().tail(dimension).setConstant(slot.body->mass());
  }
}

/// One block per constraint and moving body. Holonomic rows come first, so that C has the same first blocks.
template <class Space>
void AbsoluteEquations<Space>::add_constraint_blocks() {
  row_targets_.resize(this->frame_slots_.size(), nowhere);
  for (const ConstraintSlot& slot : this->constraints_) {
    const int first = static_cast<int>(this->G_.blocks().size());
    first_block_.push_back(first);
    for (int k = slot.frame; k < slot.frame + slot.frames; ++k) {
      const int label = this->frame_slots_[detail::at(k)].body;
      if (label == 0) continue;
      const Place& body = places_[detail::at(label)];
      int block = block_on(slot, label);
      if (block < 0) {
        block = this->G_.add_block(slot.row, body.v, slot.rows, body.body->freedoms());
        if (slot.constraint->level() == Level::holonomic)
          this->C_.add_block(slot.row, body.v, slot.rows, body.body->freedoms());
      }
      row_targets_[detail::at(k)] = static_cast<std::ptrdiff_t>(this->G_.blocks()[detail::at(block)].offset);
    }
  }
}

/// Number of the block of a constraint on a body, among those there are; -1 if none.
template <class Space>
int AbsoluteEquations<Space>::block_on(const ConstraintSlot& slot, int label) const {
  const std::size_t index = static_cast<std::size_t>(&slot - this->constraints_.data());
  const std::size_t end =
      index + 1 < first_block_.size() ? detail::at(first_block_[index + 1]) : this->G_.blocks().size();
  for (std::size_t block = detail::at(first_block_[index]); block < end; ++block)
    if (label > 0 && this->G_.blocks()[block].column == places_[detail::at(label)].v) return static_cast<int>(block);
  return -1;
}

template <class Space>
void AbsoluteEquations<Space>::add_force_jacobian_blocks() {
  std::set<std::pair<int, int>> known;  // body, constraint: blocks must not overlap
  for (const ForceSlot& slot : this->forces_) {
    const int readings = static_cast<int>(slot.force->reactions().size());
    for (int reading = slot.reading; reading < slot.reading + readings; ++reading) {
      const int read = this->readings()[detail::at(reading)].constraint;
      const ConstraintSlot& constraint = this->constraints_[detail::at(read)];
      for (int k = slot.frame; k < slot.frame + slot.frames; ++k) {
        const int label = this->frame_slots_[detail::at(k)].body;
        if (label > 0 && known.emplace(label, read).second)
          this->F_.add_block(places_[detail::at(label)].v, constraint.row, places_[detail::at(label)].body->freedoms(),
                             constraint.rows);
      }
    }
  }
}

template <class Space>
void AbsoluteEquations<Space>::build_trees() {
  velocity_tree_.width = n;
  velocity_tree_.nodes.resize(places_.size() - 1);
  int mass_block = 0;
  for (std::size_t label = 1; label < places_.size(); ++label) {
    const Place& body = places_[label];
    BlockTree::Node& node = velocity_tree_.nodes[label - 1];
    node.father = this->topology_.nodes[label].father - 1;
    node.column = body.v;
    node.size = body.body->freedoms();
    node.mass_block = detail::has_inertia(*body.body) ? mass_block++ : -1;
  }
  position_tree_ = velocity_tree_;

  for (const ConstraintSlot& slot : this->constraints_) {
    const Topology::Element& element = this->topology_.elements[detail::at(slot.index)];
    const auto add_to = [&](BlockTree& tree) {
      if (element.role != Topology::Role::cut) {
        tree.nodes[detail::at(element.node - 1)].rows.push_back(
            {slot.row, slot.rows, block_on(slot, element.node),
             block_on(slot, this->topology_.nodes[detail::at(element.node)].father)});
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

// Names.

template <class Space>
std::string AbsoluteEquations<Space>::position_name(int i) const {
  const Place& slot = detail::slot_with(places_, &Place::p, i);
  const std::string prefix = this->data_->body_name(slot.index) + ": ";
  if (i >= slot.linear_p()) return prefix + detail::axis_names[static_cast<std::size_t>(i - slot.linear_p())];
  return prefix + (dimension == 2 ? "angle" : detail::quaternion_names[static_cast<std::size_t>(i - slot.p)]);
}

template <class Space>
Measure AbsoluteEquations<Space>::position_measure(int i) const {
  const Place& slot = detail::slot_with(places_, &Place::p, i);
  if (i >= slot.linear_p()) return Measure::length;
  return dimension == 2 ? Measure::angle : Measure::unknown;
}

template <class Space>
Measure AbsoluteEquations<Space>::velocity_measure(int i) const {
  return i < detail::slot_with(places_, &Place::v, i).linear_v() ? Measure::angle : Measure::length;
}

template <class Space>
std::string AbsoluteEquations<Space>::velocity_name(int i) const {
  const Place& slot = detail::slot_with(places_, &Place::v, i);
  const std::string prefix = this->data_->body_name(slot.index) + ": ";
  if (i >= slot.linear_v())
    return prefix + detail::axis_names[static_cast<std::size_t>(i - slot.linear_v())] + " velocity";
  if constexpr (dimension == 2)
    return prefix + "angular velocity";
  else
    return prefix + "angular velocity " + detail::axis_names[static_cast<std::size_t>(i - slot.v)];
}

template <class Space>
State AbsoluteEquations<Space>::initial_state() const {
  State out = EquationsOfMotion::initial_state();
  for (std::size_t label = 1; label < places_.size(); ++label) {
    const Place& slot = places_[label];
    const BodyEntry<Space>& entry = this->data_->bodies[static_cast<std::size_t>(slot.index)];
    const Rotation<Space> R = rotation_matrix(entry.orientation);
    const Vector<Space> arm = R * slot.body->center_of_mass();
    out.p.template segment<dimension>(slot.linear_p()) = entry.pose.position + arm;
    out.v.template segment<dimension>(slot.linear_v()) = entry.velocity.linear + cross(entry.velocity.angular, arm);
    if (!slot.rotates) continue;
    if constexpr (dimension == 2) {
      out.p[slot.p] = entry.orientation;
      out.v[slot.v] = entry.velocity.angular;
    } else {
      const Eigen::Quaterniond q = entry.orientation.normalized();
      out.p.template segment<4>(slot.p) << q.w(), q.x(), q.y(), q.z();
      out.v.template segment<3>(slot.v) = R.transpose() * entry.velocity.angular;
    }
  }
  this->add_element_states(out);
  return out;
}

}  // namespace linkwork
