#pragma once

// What RelativeCoordinates do once, at construction: links, closures, initial values, sparsity; and names.

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/formulations/joint_start.hpp>
#include <linkwork/solvers/formulations/pattern_builder.hpp>
#include <linkwork/solvers/formulations/relative_coordinates.hpp>
#include <linkwork/topology/tree_paths.hpp>

#include <algorithm>
#include <set>
#include <utility>

namespace linkwork {

namespace detail {

/// Gaps between joints and placed bodies that are taken as rounding of the user's numbers: in radians, in
/// characteristic lengths, and of velocities in these per second or in what the bodies move with, if that is more.
inline constexpr double fitting_gap = 1e-6;

template <class Space>
Pose<Space> inverse(const Pose<Space>& X) {
  return relative_pose(X, Pose<Space>{});
}

}  // namespace detail

template <class Space>
RelativeCoordinates<Space>::RelativeCoordinates(const BodyGraph<Space>& graph, bool rough_placement)
    : graph_(graph), rough_placement_(rough_placement) {
  layout_.formulation = "relative";
  layout_.has_biases = true;
  layout_.joint_tree = &tree_;
  layout_.places.resize(graph.data->constraints.size());
  lay_out_links();
  recursions_ = std::make_unique<TreeRecursions<Space>>(tree_);
  layout_.recursions = recursions_.get();
  layout_.independent_p = layout_.p;
  layout_.independent_v = layout_.v;
  work_v_ = Eigen::VectorXd::Zero(layout_.v);
  classify_coordinates();
}

template <class Space>
void RelativeCoordinates<Space>::lay_out(BlockMatrix& /*M*/, BlockMatrix& /*G*/, BlockMatrix& /*C*/, BlockMatrix& F) {
  lay_out_closures();
  add_force_blocks(F);
  forces_act_ = !graph_.forces.empty() || std::find(plain_.begin(), plain_.end(), 0) != plain_.end();
  if (forces_act_) inertial_force_.resize(links_.size());
}

/// Pose of a frame of the model in the link of its body.
template <class Space>
Pose<Space> RelativeCoordinates<Space>::frame_in_link(const Frame<Space>& frame, int label) const {
  Vector<Space> arm = frame.offset;
  if (label > 0) arm -= graph_.bodies[detail::at(label)].body->center_of_mass();
  return compose(links_[detail::at(label)].center, detail::pose_of<Space>(arm, frame.orientation));
}

template <class Space>
void RelativeCoordinates<Space>::lay_out_links() {
  const std::size_t count = graph_.bodies.size();
  links_.resize(count);
  joints_.resize(count, nullptr);
  link_poses_.resize(count);
  plain_.resize(count, 1);
  link_of_joint_.assign(graph_.data->constraints.size(), -1);
  std::vector<TreeJoint<Space>> joints(count);
  for (int label = 1; label < static_cast<int>(count); ++label) lay_out_link(label, joints[detail::at(label)]);
  kinematics_ = std::make_unique<JointKinematics<Space>>(joints, tree_);
  for (std::size_t label = 1; label < count; ++label) {
    tree_.links[label].is_free = links_[label].joint < 0;
    set_inertia(static_cast<int>(label));
  }
}

template <class Space>
void RelativeCoordinates<Space>::lay_out_link(int label, TreeJoint<Space>& joint) {
  const Topology::Node& node = graph_.topology.nodes[detail::at(label)];
  const auto& body = graph_.bodies[detail::at(label)];
  LinkSlot& link = links_[detail::at(label)];
  link.joint = node.edge;
  plain_[detail::at(label)] = !body.rotates || dimension == 2 || body.body->is_plain();
  if (node.edge < 0) {
    joint.joint = body.rotates ? static_cast<const Joint<Space>*>(&free_) : &free_translation_;
  } else {
    joint.joint = graph_.data->constraints[detail::at(node.edge)].joint;
    link_of_joint_[detail::at(node.edge)] = label;
    const std::vector<Frame<Space>>& frames = joint.joint->frames();
    joint.reversed = frames[0].body == body.index;
    const Frame<Space>& on_link = frames[joint.reversed ? 0 : 1];
    link.center =
        detail::inverse(detail::pose_of<Space>(on_link.offset - body.body->center_of_mass(), on_link.orientation));
    joint.frame = frame_in_link(frames[joint.reversed ? 1 : 0], node.father);
  }
  const int coordinates = joint.joint->coordinates(), freedoms = joint.joint->freedoms();
  joint.father = node.father;
  joint.q = link.q = layout_.p;
  joint.v = link.v = layout_.v;
  link.coordinates = coordinates;
  link.constant = joint.joint->constant_motion().has_value();
  joints_[detail::at(label)] = joint.joint;
  if (node.edge >= 0) layout_.places[detail::at(node.edge)] = CoordinatePlaces{link.q, coordinates, link.v, freedoms};
  layout_.p += coordinates;
  layout_.v += freedoms;
  if (coordinates > freedoms) ++layout_.normalisation;
}

template <class Space>
void RelativeCoordinates<Space>::set_inertia(int label) {
  const Body<Space>& body = *graph_.bodies[detail::at(label)].body;
  const Pose<Space>& center = links_[detail::at(label)].center;
  LinkInertia<Space>& out = tree_.inertias[detail::at(label)];
  const Vector<Space>& c = center.position;
  out.mass = body.mass();
  out.moment = out.mass * c;
  if constexpr (dimension == 2) {
    out.inertia(0, 0) = (body.rotates() ? body.inertia()(0, 0) : 0.0) + out.mass * c.squaredNorm();
  } else {
    out.inertia = out.mass * (c.squaredNorm() * Eigen::Matrix3d::Identity() - c * c.transpose());
    if (body.rotates()) out.inertia += center.rotation * body.inertia() * center.rotation.transpose();
  }
}

/// The lowest common ancestor of the bodies of a relative constraint; the ground for any other.
template <class Space>
int RelativeCoordinates<Space>::meeting_of(const ConstraintSlot& slot, const TreePaths& paths) const {
  if (!slot.constraint->is_relative()) return 0;
  int meeting = graph_.frame_slots[detail::at(slot.frame)].body;
  for (int k = slot.frame + 1; k < slot.frame + slot.frames; ++k)
    meeting = paths.meeting(meeting, graph_.frame_slots[detail::at(k)].body);
  return meeting;
}

template <class Space>
void RelativeCoordinates<Space>::lay_out_closures() {
  std::vector<int> fathers;
  for (const Link& link : tree_.links) fathers.push_back(link.father);
  const TreePaths paths(std::move(fathers));
  for (const RowKind kind : {RowKind::velocity, RowKind::position}) {
    typename JointTree<Space>::Closures& closures = tree_.closures_of(kind);
    for (const ConstraintSlot& slot : graph_.constraints) {
      if (kind == RowKind::position && slot.constraint->level() != Level::holonomic) continue;
      detail::add_closure<Space>(graph_, {slot.row, slot.rows, meeting_of(slot, paths), {}}, slot.frame, slot.frames,
                                 closures, [](int) {});
    }
  }
}

template <class Space>
void RelativeCoordinates<Space>::add_force_blocks(BlockMatrix& F) const {
  std::set<std::pair<int, int>> known;  // link, row: blocks must not overlap
  detail::for_each_reading(graph_, [&](const auto& force, const ConstraintSlot& read) {
    std::vector<int> labels;
    for (int k = force.frame; k < force.frame + force.frames; ++k)
      labels.push_back(graph_.frame_slots[detail::at(k)].body);
    for (const int label : recursions_->path_joints(labels, 0)) {
      const Link& link = tree_.links[detail::at(label)];
      if (link.freedoms > 0 && known.emplace(label, read.row).second)
        F.add_block(link.column, read.row, link.freedoms, read.rows);
    }
  });
}

// Initial values.

template <class Space>
void RelativeCoordinates<Space>::start(double length, State& state) {
  std::vector<Pose<Space>> placed(links_.size());  // links, as the bodies are placed
  for (std::size_t label = 1; label < links_.size(); ++label) {
    const BodyEntry<Space>& entry = graph_.data->bodies[detail::at(graph_.bodies[label].index)];
    Pose<Space> body = detail::pose_of<Space>(entry.pose.position, entry.orientation);
    body.position += body.rotation * graph_.bodies[label].body->center_of_mass();
    placed[label] = compose(body, detail::inverse(links_[label].center));
  }
  for (std::size_t label = 1; label < links_.size(); ++label)
    start_joint(static_cast<int>(label), placed, length, state);
}

/// From where the bodies are placed and how they move; both must fit the joint.
template <class Space>
void RelativeCoordinates<Space>::start_joint(int label, const std::vector<Pose<Space>>& placed, double length,
                                             State& state) {
  const auto index = detail::at(label);
  LinkSlot& link = links_[index];
  const Joint<Space>& joint = *joints_[index];
  int father = -1, son = graph_.bodies[index].index;
  Pose<Space> of_father, of_son = placed[index];
  if (link.joint >= 0) {
    const auto frame_pose = [&](const Frame<Space>& frame) {
      const int body = frame.body < 0 ? 0 : graph_.topology.label_of_body[detail::at(frame.body)];
      return compose(placed[detail::at(body)], frame_in_link(frame, body));
    };
    father = joint.frames()[0].body;
    son = joint.frames()[1].body;
    of_father = frame_pose(joint.frames()[0]);
    of_son = frame_pose(joint.frames()[1]);
  }
  const JointStart<Space> start(joint, owner_name(label), relative_pose(of_father, of_son),
                                relative_velocity(*graph_.data, father, son, of_son), length, state.p.data() + link.q,
                                state.v.data() + link.v);
  link.turns = father == graph_.bodies[index].index ? -start.turns : start.turns;
  if (rough_placement_) return;
  const auto require = [&](const Components<Space>& gap, double most, const char* what, const char* per_second,
                           const char* cure) {
    const double turn = gap.template head<angular>().norm(), shift = gap.template tail<dimension>().norm();
    if (turn <= most && shift <= most * length) return;
    throw ModelError(concat("joint '", owner_name(label), "' (", joint.type(), "): the bodies ", what, " ", shift, " m",
                            per_second, " and ", turn, " rad", per_second, " off what the joint allows, along (",
                            gap.transpose(), ") [rotation, displacement]; ", cure,
                            ", or use the absolute formulation with consent_to_projection, or rough_placement with "
                            "initial conditions."));
  };
  require(start.position_gap, detail::fitting_gap, "are placed", "", "place them on it");
  require(start.velocity_gap, detail::fitting_gap * std::max(1.0, start.speed), "move", "/s", "move them with it");
}

// Names.

/// The joint that leads to a link, or the body where none does.
template <class Space>
const std::string& RelativeCoordinates<Space>::owner_name(int label) const {
  const int joint = links_[detail::at(label)].joint;
  return joint < 0 ? graph_.body_name(label) : graph_.data->constraints[detail::at(joint)].name;
}

/// The last link whose first entry is not beyond i; links without entries of their own come before it.
template <class Space>
int RelativeCoordinates<Space>::link_with(int LinkSlot::*first, int i) const {
  return static_cast<int>(&detail::slot_with(links_, first, i) - links_.data());
}

template <class Space>
CoordinateName RelativeCoordinates<Space>::position(int i) const {
  const int label = link_with(&LinkSlot::q, i);
  const int own = i - links_[detail::at(label)].q;
  return {concat(owner_name(label), ": coordinate ", own + 1), coordinate_measure(*joints_[detail::at(label)], own)};
}

template <class Space>
CoordinateName RelativeCoordinates<Space>::velocity(int i) const {
  const int label = link_with(&LinkSlot::v, i);
  const int own = i - links_[detail::at(label)].v;
  return {concat(owner_name(label), ": velocity ", own + 1), velocity_measure(*joints_[detail::at(label)], own)};
}

// Sparsity: a frame moves with the joints on its path.

/// What is known of the joints' coordinates, by label.
template <class Space>
void RelativeCoordinates<Space>::classify_coordinates() {
  coordinates_.resize(links_.size());
  for (std::size_t label = 1; label < links_.size(); ++label) {
    const Joint<Space>& joint = *joints_[label];
    const Link& link = tree_.links[label];
    const auto father = detail::at(link.father);
    CoordinatesSlot& out = coordinates_[label];
    const std::optional<ConstantMotion<Space>> constant = joint.constant_motion();
    const int redundant = links_[label].coordinates - link.freedoms;
    // A shift in the axes of the joint's father, which the tree may come from or lead to.
    const bool reversed = links_[label].joint >= 0 && joint.frames()[0].body == graph_.bodies[label].index && !constant;
    bool turns = !constant && link.freedoms == 0;  // driven
    for (int c = 0; c < links_[label].coordinates; ++c) {
      const bool shifts = constant ? constant->S.col(c).template head<angular>().isZero(0)
                                   : joint.is_shift(c) && c >= redundant && !reversed;
      turns = turns || !shifts;
      (shifts ? out.shifts : out.turns).push_back(c);
    }
    out.father_turns = coordinates_[father].turning;
    out.father_moves = coordinates_[father].moving;
    out.turning = out.father_turns || turns;
    out.moving = out.father_moves || !constant || link.freedoms > 0;
    const Body<Space>& body = *graph_.bodies[label].body;
    out.has_inertia = detail::has_inertia(body) || !plain_[label];
    out.has_changes = !plain_[label];
  }
  for (std::size_t label = links_.size() - 1; label > 0; --label) {
    const auto father = detail::at(tree_.links[label].father);
    const CoordinatesSlot& own = coordinates_[label];
    coordinates_[father].has_inertia = coordinates_[father].has_inertia || own.has_inertia;
    const bool moves = tree_.links[label].freedoms > 0 || !links_[label].constant;
    coordinates_[father].has_changes = coordinates_[father].has_changes || own.has_changes || moves;
  }
}

/// Entries of p, or of v, of a joint's coordinates of one kind.
template <class Space>
void RelativeCoordinates<Space>::append_coordinates(int label, bool shifts, bool of_p, std::vector<int>& out) const {
  const LinkSlot& link = links_[detail::at(label)];
  const int redundant = link.coordinates - tree_.links[detail::at(label)].freedoms;
  const CoordinatesSlot& coordinates = coordinates_[detail::at(label)];
  for (const int c : shifts ? coordinates.shifts : coordinates.turns) {
    if (of_p)
      out.push_back(link.q + c);
    else if (c >= redundant)
      out.push_back(link.v + c - redundant);
  }
}

/// A shift of something that never turns changes positions alone.
template <class Space>
FrameColumns RelativeCoordinates<Space>::frame_columns(int frame, int acts_from, int reads_from) const {
  FrameColumns out;
  MotionColumns velocity, turning;
  const int body = graph_.frame_slots[detail::at(frame)].body;
  for (int label = body; label != acts_from && label != 0; label = tree_.links[detail::at(label)].father) {
    append_coordinates(label, false, false, turning.v);
    append_coordinates(label, true, false, velocity.v);
  }
  detail::append(velocity.v, turning.v);
  for (int label = body; label != reads_from && label != 0; label = tree_.links[detail::at(label)].father) {
    append_coordinates(label, false, true, out.rotation);
    append_coordinates(label, true, true, out.position);
    if (coordinates_[detail::at(label)].father_turns) append_coordinates(label, true, true, velocity.p);
    // In the plane a constant motion turns about the same axis always.
    if (dimension == 3 || !links_[detail::at(label)].constant) append_coordinates(label, false, true, turning.p);
  }
  detail::append(out.position, out.rotation);
  detail::append(velocity.p, out.rotation);
  out.velocity.push_back(std::move(velocity));
  out.angular_velocity.push_back(std::move(turning));
  return out;
}

/// M a and the forces of inertia: what hangs on a joint couples it with all joints between it and the ground.
template <class Space>
void RelativeCoordinates<Space>::add_inertia_entries(Unknown unknown, PatternBuilder& builder) const {
  if (unknown != Unknown::p && unknown != Unknown::v && unknown != Unknown::a) return;
  // Columns of a joint that inertia depends on.
  const auto columns_of = [&](int label) {
    const CoordinatesSlot& coordinates = coordinates_[detail::at(label)];
    std::vector<int> out;
    // To turn or to shift all of a system that nothing holds or pulls is no change to it.
    const bool falls = !graph_.data->gravity.isZero(0);
    const bool blind =
        unknown == Unknown::p && !coordinates.father_moves && !falls && links_[detail::at(label)].constant;
    if (!blind) append_coordinates(label, false, unknown == Unknown::p, out);
    if (unknown == Unknown::a || coordinates.father_turns) append_coordinates(label, true, unknown == Unknown::p, out);
    return out;
  };
  for (int label = 1; label < static_cast<int>(links_.size()); ++label) {
    const Link& link = tree_.links[detail::at(label)];
    if (!coordinates_[detail::at(label)].has_inertia || links_[detail::at(label)].coordinates == 0) continue;
    const std::vector<int> rows = detail::range(link.column, link.freedoms), columns = columns_of(label);
    // The inertia of what one freedom alone moves is the same in all its positions.
    const bool same_inertia = unknown == Unknown::v && link.freedoms == 1 && links_[detail::at(label)].constant &&
                              !coordinates_[detail::at(label)].has_changes;
    if (!same_inertia) builder.add(rows, columns);
    for (int ancestor = link.father; ancestor > 0; ancestor = tree_.links[detail::at(ancestor)].father) {
      const Link& other = tree_.links[detail::at(ancestor)];
      builder.add(detail::range(other.column, other.freedoms), columns);
      builder.add(rows, columns_of(ancestor));
    }
  }
}

template <class Space>
void RelativeCoordinates<Space>::add_own_entries(EquationPart part, Unknown unknown, PatternBuilder& builder) const {
  if (part == EquationPart::dynamics) add_inertia_entries(unknown, builder);
  if (part != EquationPart::position_rate) return;
  for (std::size_t label = 1; label < links_.size(); ++label)
    add_joint_rates(unknown, *joints_[label], links_[label].q, links_[label].v, builder);
}

}  // namespace linkwork
