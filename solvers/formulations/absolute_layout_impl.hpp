#pragma once

// What AbsoluteCoordinates do once, at construction: numbering, blocks, trees, sparsity; and names.

#include <linkwork/solvers/formulations/absolute_coordinates.hpp>
#include <linkwork/solvers/formulations/pattern_builder.hpp>

#include <array>
#include <set>
#include <utility>

namespace linkwork {

namespace detail {

inline constexpr std::array<const char*, 3> axis_names{"x", "y", "z"};
inline constexpr std::array<const char*, 4> quaternion_names{"qw", "qx", "qy", "qz"};

}  // namespace detail

template <class Space>
AbsoluteCoordinates<Space>::AbsoluteCoordinates(const BodyGraph<Space>& graph)
    : graph_(graph), places_(graph.bodies.size()), gravity_(graph.topology.freedoms) {
  for (std::size_t label = 1; label < places_.size(); ++label) {
    const Body<Space>& body = *graph.bodies[label].body;
    const int v = layout_.v;
    places_[label] = {&body, graph.bodies[label].index, layout_.p, v, body.rotates()};
    gravity_.segment(v, body.freedoms()).setZero();
    gravity_.template segment<dimension>(places_[label].linear_v()) = body.mass() * graph.data->gravity;
    layout_.p += body.coordinates();
    layout_.v += body.freedoms();
    if (dimension == 3 && body.rotates()) ++layout_.normalisation;
  }
  layout_.formulation = "absolute";
  layout_.independent_p = layout_.p;
  layout_.independent_v = layout_.v;
  layout_.places.resize(graph.data->constraints.size());
  layout_.velocity_tree = &velocity_tree_;
  layout_.position_tree = &position_tree_;
}

template <class Space>
void AbsoluteCoordinates<Space>::lay_out(BlockMatrix& M, BlockMatrix& G, BlockMatrix& C, BlockMatrix& F) {
  add_mass_blocks(M);
  add_row_blocks(G, C);
  add_force_blocks(F);
  build_trees(G);
}

/// One block per body with mass or inertia: a linear solver may then take the body as a whole.
template <class Space>
void AbsoluteCoordinates<Space>::add_mass_blocks(BlockMatrix& M) const {
  for (const Place& slot : places_) {
    if (!slot.body || !detail::has_inertia(*slot.body)) continue;
    const int size = slot.body->freedoms();
    Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> block(
        M.values(M.add_block(slot.v, slot.v, size, size)), size, size);
    if (slot.rotates) block.topLeftCorner(angular, angular) = slot.body->inertia();
    block.diagonal().tail(dimension).setConstant(slot.body->mass());
  }
}

template <class Space>
void AbsoluteCoordinates<Space>::set_row_target(int frame, std::size_t value) {
  row_targets_.resize(graph_.frame_slots.size(), nowhere);
  row_targets_[detail::at(frame)] = static_cast<std::ptrdiff_t>(value);
}

template <class Space>
void AbsoluteCoordinates<Space>::add_row_blocks(BlockMatrix& G, BlockMatrix& C) {
  row_targets_.resize(graph_.frame_slots.size(), nowhere);  // where all frames are on the ground
  for (const ConstraintSlot& slot : graph_.constraints) {
    first_block_.push_back(static_cast<int>(G.blocks().size()));
    for (int k = slot.frame; k < slot.frame + slot.frames; ++k) {
      const int label = graph_.frame_slots[detail::at(k)].body;
      if (label == 0) continue;
      const Place& body = place(label);
      int block = block_on(G, slot, label);
      if (block < 0) {
        block = G.add_block(slot.row, body.v, slot.rows, body.body->freedoms());
        if (slot.constraint->level() == Level::holonomic)
          C.add_block(slot.row, body.v, slot.rows, body.body->freedoms());
      }
      set_row_target(k, G.blocks()[detail::at(block)].offset);
    }
  }
}

/// Number of the block of a constraint on a body, among those there are; -1 if none.
template <class Space>
int AbsoluteCoordinates<Space>::block_on(const BlockMatrix& G, const ConstraintSlot& slot, int label) const {
  const std::size_t index = static_cast<std::size_t>(&slot - graph_.constraints.data());
  const std::size_t end = index + 1 < first_block_.size() ? detail::at(first_block_[index + 1]) : G.blocks().size();
  for (std::size_t block = detail::at(first_block_[index]); block < end; ++block)
    if (label > 0 && G.blocks()[block].column == places_[detail::at(label)].v) return static_cast<int>(block);
  return -1;
}

template <class Space>
void AbsoluteCoordinates<Space>::add_force_blocks(BlockMatrix& F) const {
  std::set<std::pair<int, int>> known;  // body, row: blocks must not overlap
  detail::for_each_reading(graph_, [&](const auto& force, const ConstraintSlot& read) {
    for (int k = force.frame; k < force.frame + force.frames; ++k) {
      const int label = graph_.frame_slots[detail::at(k)].body;
      if (label > 0 && known.emplace(label, read.row).second)
        F.add_block(place(label).v, read.row, place(label).body->freedoms(), read.rows);
    }
  });
}

template <class Space>
void AbsoluteCoordinates<Space>::build_trees(const BlockMatrix& G) {
  velocity_tree_.width = n;
  velocity_tree_.nodes.resize(places_.size() - 1);
  int mass_block = 0;
  for (std::size_t label = 1; label < places_.size(); ++label) {
    const Place& body = places_[label];
    BlockTree::Node& node = velocity_tree_.nodes[label - 1];
    node.father = graph_.topology.nodes[label].father - 1;
    node.column = body.v;
    node.size = body.body->freedoms();
    node.mass_block = detail::has_inertia(*body.body) ? mass_block++ : -1;
  }
  position_tree_ = velocity_tree_;

  for (const ConstraintSlot& slot : graph_.constraints) {
    const Topology::Element& element = graph_.topology.elements[detail::at(slot.index)];
    const auto add_to = [&](BlockTree& tree) {
      if (element.role != Topology::Role::cut) {
        tree.nodes[detail::at(element.node - 1)].rows.push_back(
            {slot.row, slot.rows, block_on(G, slot, element.node),
             block_on(G, slot, graph_.topology.nodes[detail::at(element.node)].father)});
        return;
      }
      BlockTree::Closure closure{slot.row, slot.rows, {}};
      for (const int label : std::set<int>(element.ends.begin(), element.ends.end()))
        if (label > 0) closure.parts.push_back({label - 1, block_on(G, slot, label)});
      tree.closures.push_back(std::move(closure));
    };
    add_to(velocity_tree_);
    if (slot.constraint->level() == Level::holonomic) add_to(position_tree_);
  }
}

// Names.

template <class Space>
CoordinateName AbsoluteCoordinates<Space>::position(int i) const {
  const Place& slot = detail::slot_with(places_, &Place::p, i);
  const std::string prefix = graph_.data->body_name(slot.index) + ": ";
  if (i >= slot.linear_p()) return {prefix + detail::axis_names[detail::at(i - slot.linear_p())], Measure::length};
  if constexpr (dimension == 2)
    return {prefix + "angle", Measure::angle};
  else
    return {prefix + detail::quaternion_names[detail::at(i - slot.p)], Measure::unknown};
}

template <class Space>
CoordinateName AbsoluteCoordinates<Space>::velocity(int i) const {
  const Place& slot = detail::slot_with(places_, &Place::v, i);
  const std::string prefix = graph_.data->body_name(slot.index) + ": ";
  if (i >= slot.linear_v())
    return {prefix + detail::axis_names[detail::at(i - slot.linear_v())] + " velocity", Measure::length};
  if constexpr (dimension == 2)
    return {prefix + "angular velocity", Measure::angle};
  else
    return {prefix + "angular velocity " + detail::axis_names[detail::at(i - slot.v)], Measure::angle};
}

template <class Space>
void AbsoluteCoordinates<Space>::start(double /*length*/, State& state) {
  for (std::size_t label = 1; label < places_.size(); ++label) {
    const Place& slot = places_[label];
    const BodyEntry<Space>& entry = graph_.data->bodies[static_cast<std::size_t>(slot.index)];
    const Rotation<Space> R = rotation_matrix(entry.orientation);
    const Vector<Space> arm = R * slot.body->center_of_mass();
    state.p.template segment<dimension>(slot.linear_p()) = entry.pose.position + arm;
    state.v.template segment<dimension>(slot.linear_v()) = entry.velocity.linear + cross(entry.velocity.angular, arm);
    if (!slot.rotates) continue;
    if constexpr (dimension == 2) {
      state.p[slot.p] = entry.orientation;
      state.v[slot.v] = entry.velocity.angular;
    } else {
      const Eigen::Quaterniond q = entry.orientation.normalized();
      state.p.template segment<4>(slot.p) << q.w(), q.x(), q.y(), q.z();
      state.v.template segment<3>(slot.v) = R.transpose() * entry.velocity.angular;
    }
  }
}

// Sparsity: a frame moves with its body alone.

namespace detail {

/// Whether entry i of omega x I omega depends on entry j of omega: of the symmetric part of the quadratic form
/// (omega x I omega)_i, row j. In the plane there is none.
template <class Inertia>
bool gyroscopic_entry(const Inertia& inertia, int i, int j) {
  if constexpr (Inertia::RowsAtCompileTime != 3) {
    return false;
  } else {
    const int p = (i + 1) % 3, q = (i + 2) % 3;
    Eigen::Matrix3d form = Eigen::Matrix3d::Zero();
    form.row(p) += inertia.row(q);
    form.row(q) -= inertia.row(p);
    const Eigen::RowVector3d row = form.row(j) + form.col(j).transpose();
    return row.cwiseAbs().maxCoeff() > 1e-15 * inertia.cwiseAbs().maxCoeff();
  }
}

}  // namespace detail

template <class Space>
FrameColumns AbsoluteCoordinates<Space>::frame_columns(int frame, int /*acts_from*/, int /*reads_from*/) const {
  const auto& slot = graph_.frame_slots[detail::at(frame)];
  FrameColumns out;
  if (slot.body == 0) return out;
  const Place& body = places_[detail::at(slot.body)];
  out.position = detail::range(body.linear_p(), dimension);
  out.velocity.push_back({detail::range(body.linear_v(), dimension), {}});
  if (!body.rotates) return out;
  out.rotation = detail::range(body.p, body.linear_p() - body.p);
  const std::vector<int> turning = detail::range(body.v, angular);
  // omega is in body axes; in the plane that makes no difference.
  out.angular_velocity.push_back({turning, dimension == 3 ? out.rotation : std::vector<int>()});
  if (slot.arm.isZero(0)) return out;
  detail::append(out.position, out.rotation);
  out.velocity.push_back({turning, out.rotation});
  return out;
}

template <class Space>
void AbsoluteCoordinates<Space>::add_own_entries(EquationPart part, Unknown unknown, PatternBuilder& builder) const {
  if (part == EquationPart::position_rate) add_rate_entries(unknown, builder);
  if (part == EquationPart::dynamics) add_inertia_entries(unknown, builder);
}

template <class Space>
void AbsoluteCoordinates<Space>::add_inertia_entries(Unknown unknown, PatternBuilder& builder) const {
  for (const Place& place : places_) {
    if (!place.body) continue;
    if (unknown == Unknown::a && place.body->mass() != 0)
      for (int i = 0; i < dimension; ++i) builder.add(place.linear_v() + i, place.linear_v() + i);
    if (!place.rotates) continue;
    const auto& inertia = place.body->inertia();
    const bool is_plain = dimension == 2 || place.body->is_plain();
    for (int i = 0; i < angular; ++i)
      for (int j = 0; j < angular; ++j)
        if ((unknown == Unknown::a && inertia(i, j) != 0) ||
            (unknown == Unknown::v && (!is_plain || detail::gyroscopic_entry(inertia, i, j))))
          builder.add(place.v + i, place.v + j);
  }
}

template <class Space>
void AbsoluteCoordinates<Space>::add_rate_entries(Unknown unknown, PatternBuilder& builder) const {
  const bool by_velocity = unknown == Unknown::v || unknown == Unknown::factor;
  if (!by_velocity && unknown != Unknown::p) return;
  for (const Place& place : places_) {
    if (!place.body) continue;
    if (by_velocity)
      for (int i = 0; i < dimension; ++i) builder.add(place.linear_p() + i, place.linear_v() + i);
    if (!place.rotates) continue;
    if constexpr (dimension == 2) {
      if (by_velocity) builder.add(place.p, place.v);
    } else {  // q' = q (0, omega) / 2: no entry of the product depends on itself
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < (by_velocity ? 3 : 4); ++j)
          if (by_velocity || i != j) builder.add(place.p + i, (by_velocity ? place.v : place.p) + j);
    }
  }
}

}  // namespace linkwork
