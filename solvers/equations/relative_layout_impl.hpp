#pragma once

// What RelativeEquations does once, at construction: links, closures, initial values; and names.

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/equations/joint_start.hpp>
#include <linkwork/solvers/equations/relative_equations.hpp>
#include <linkwork/topology/tree_paths.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
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
template <class Space>
Pose<Space> pose_of(const Vector<Space>& position, const Orientation<Space>& orientation) {
  Pose<Space> out;
  out.position = position;
  out.rotation = rotation_matrix(orientation);
  if constexpr (Space::dimension == 2) out.angle = orientation;
  return out;
}

}  // namespace detail

template <class Space>
RelativeEquations<Space>::RelativeEquations(const Model<Space>& model, const TopologyOptions& topology,
                                            AuxiliaryUnknowns auxiliary, bool rough_placement)
    : Base(model, with_joint_tree(topology), auxiliary), rough_placement_(rough_placement) {
  this->has_body_biases_ = true;
  lay_out_links();
  this->number_constraints([this](int index) { return link_of_joint_[detail::at(index)] < 0; });
  this->number_forces();

  Dimensions sizes = this->element_dimensions();
  for (std::size_t label = 1; label < links_.size(); ++label) {
    sizes.p += links_[label].coordinates;
    sizes.v += tree_.links[label].freedoms;
    if (links_[label].coordinates > tree_.links[label].freedoms) ++sizes.normalisation;
  }
  this->set_dimensions(sizes);
  lay_out_closures();
  classify_coordinates();
  add_force_jacobian_blocks();

  work_twists_.resize(links_.size());
  work_wrenches_.resize(links_.size());
  work_v_ = Eigen::VectorXd::Zero(sizes.v);
  forces_act_ = !this->forces_.empty() || std::find(plain_.begin(), plain_.end(), 0) != plain_.end();
  if (forces_act_) inertial_force_.resize(links_.size());
  find_initial_state();
  this->start();
}

/// Pose of a frame of the model in the link of its body.
template <class Space>
Pose<Space> RelativeEquations<Space>::frame_in_link(const Frame<Space>& frame, int label) const {
  Vector<Space> arm = frame.offset;
  if (label > 0) arm -= this->bodies_[detail::at(label)].body->center_of_mass();
  return compose(links_[detail::at(label)].center, detail::pose_of<Space>(arm, frame.orientation));
}

template <class Space>
void RelativeEquations<Space>::lay_out_links() {
  const std::size_t count = this->bodies_.size();
  links_.resize(count);
  joints_.resize(count, nullptr);
  link_poses_.resize(count);
  plain_.resize(count, 1);
  link_of_joint_.assign(this->data_->constraints.size(), -1);
  std::vector<TreeJoint<Space>> joints(count);
  int q = 0, v = 0;
  for (std::size_t label = 1; label < count; ++label) {
    const Topology::Node& node = this->topology_.nodes[label];
    const BodySlot& body = this->bodies_[label];
    LinkSlot& link = links_[label];
    TreeJoint<Space>& joint = joints[label];
    link.joint = node.edge;
    plain_[label] = !body.rotates || dimension == 2 || body.body->is_plain();
    if (node.edge < 0) {
      joint.joint = body.rotates ? static_cast<const Joint<Space>*>(&free_) : &free_translation_;
    } else {
      joint.joint = this->data_->constraints[detail::at(node.edge)].joint;
      link_of_joint_[detail::at(node.edge)] = static_cast<int>(label);
      const std::vector<Frame<Space>>& frames = joint.joint->frames();
      joint.reversed = frames[0].body == body.index;
      const Frame<Space>& on_link = frames[joint.reversed ? 0 : 1];
      link.center =
          detail::inverse(detail::pose_of<Space>(on_link.offset - body.body->center_of_mass(), on_link.orientation));
      joint.frame = frame_in_link(frames[joint.reversed ? 1 : 0], node.father);
    }
    joint.father = node.father;
    joint.q = link.q = q;
    joint.v = link.v = v;
    link.coordinates = joint.joint->coordinates();
    link.constant = joint.joint->constant_motion().has_value();
    joints_[label] = joint.joint;
    q += link.coordinates;
    v += joint.joint->freedoms();
  }
  kinematics_ = std::make_unique<JointKinematics<Space>>(joints, tree_);
  for (std::size_t label = 1; label < count; ++label) {
    tree_.links[label].is_free = links_[label].joint < 0;
    set_inertia(static_cast<int>(label));
  }
}

template <class Space>
void RelativeEquations<Space>::set_inertia(int label) {
  const Body<Space>& body = *this->bodies_[detail::at(label)].body;
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

/// The joints that lead to the given links from `meeting` on, labels descending.
template <class Space>
std::vector<int> RelativeEquations<Space>::path_joints(std::vector<int> labels, int meeting) const {
  std::vector<int> out;
  std::make_heap(labels.begin(), labels.end());
  while (!labels.empty()) {
    std::pop_heap(labels.begin(), labels.end());
    const int label = labels.back();
    labels.pop_back();
    if (label == meeting || label == 0 || (!out.empty() && out.back() == label)) continue;
    out.push_back(label);
    labels.push_back(tree_.links[detail::at(label)].father);
    std::push_heap(labels.begin(), labels.end());
  }
  return out;
}

/// The lowest common ancestor of the bodies of a relative constraint; the ground for any other.
template <class Space>
int RelativeEquations<Space>::meeting_of(const ConstraintSlot& slot, const TreePaths& paths) const {
  if (!slot.constraint->is_relative()) return 0;
  int meeting = this->frame_slots_[detail::at(slot.frame)].body;
  for (int k = slot.frame + 1; k < slot.frame + slot.frames; ++k)
    meeting = paths.meeting(meeting, this->frame_slots_[detail::at(k)].body);
  return meeting;
}

template <class Space>
void RelativeEquations<Space>::lay_out_closures() {
  std::vector<int> fathers;
  for (const Link& link : tree_.links) fathers.push_back(link.father);
  const TreePaths paths(std::move(fathers));
  for (const RowKind kind : {RowKind::velocity, RowKind::position}) {
    typename JointTree<Space>::Closures& closures = tree_.closures_of(kind);
    for (const ConstraintSlot& slot : this->constraints_) {
      if (kind == RowKind::position && slot.constraint->level() != Level::holonomic) continue;
      Closure closure{slot.row, slot.rows, meeting_of(slot, paths), {}};
      for (int k = slot.frame; k < slot.frame + slot.frames; ++k) {
        const int label = this->frame_slots_[detail::at(k)].body;
        const bool known = std::any_of(closure.parts.begin(), closure.parts.end(),
                                       [&](const Part& part) { return part.link == label; });
        if (label == 0 || known) continue;
        closure.parts.push_back({label, static_cast<int>(closures.rows.size())});
        closures.rows.resize(closures.rows.size() + detail::at(slot.rows), Components<Space>::Zero());
      }
      closures.list.push_back(std::move(closure));
      closures.row_count += slot.rows;
    }
    rate_[static_cast<std::size_t>(kind)] = Eigen::VectorXd::Zero(closures.row_count);
  }
}

template <class Space>
void RelativeEquations<Space>::add_force_jacobian_blocks() {
  if (!this->forces_read_multipliers()) return;
  std::set<std::pair<int, int>> known;  // link, constraint: blocks must not overlap
  for (const ForceSlot& slot : this->forces_) {
    std::vector<int> labels;
    for (int k = slot.frame; k < slot.frame + slot.frames; ++k)
      labels.push_back(this->frame_slots_[detail::at(k)].body);
    const std::vector<int> joints = path_joints(labels, 0);
    const int readings = static_cast<int>(slot.force->reactions().size());
    for (int reading = slot.reading; reading < slot.reading + readings; ++reading) {
      const int read = this->readings()[detail::at(reading)].constraint;
      const ConstraintSlot& constraint = this->constraints_[detail::at(read)];
      for (const int label : joints) {
        const Link& link = tree_.links[detail::at(label)];
        if (link.freedoms == 0 || !known.emplace(label, read).second) continue;
        this->F_.add_block(link.column, constraint.row, link.freedoms, constraint.rows);
      }
    }
  }
}

// Initial values.

template <class Space>
void RelativeEquations<Space>::find_initial_state() {
  initial_state_ = EquationsOfMotion::initial_state();
  const double length = this->characteristic_length();
  std::vector<Pose<Space>> placed(links_.size());  // links, as the bodies are placed
  for (std::size_t label = 1; label < links_.size(); ++label) {
    const BodyEntry<Space>& entry = this->data_->bodies[detail::at(this->bodies_[label].index)];
    Pose<Space> body = entry.pose;
    body.rotation = rotation_matrix(entry.orientation);
    if constexpr (dimension == 2) body.angle = entry.orientation;
    body.position += body.rotation * this->bodies_[label].body->center_of_mass();
    placed[label] = compose(body, detail::inverse(links_[label].center));
  }
  for (std::size_t label = 1; label < links_.size(); ++label)
    start_joint(static_cast<int>(label), placed, length, initial_state_);
  this->add_element_states(initial_state_);
}

/// From where the bodies are placed and how they move; both must fit the joint.
template <class Space>
void RelativeEquations<Space>::start_joint(int label, const std::vector<Pose<Space>>& placed, double length,
                                           State& state) {
  const auto index = detail::at(label);
  LinkSlot& link = links_[index];
  const Joint<Space>& joint = *joints_[index];
  int father = -1, son = this->bodies_[index].index;
  Pose<Space> of_father, of_son = placed[index];
  if (link.joint >= 0) {
    const auto frame_pose = [&](const Frame<Space>& frame) {
      const int body = frame.body < 0 ? 0 : this->topology_.label_of_body[detail::at(frame.body)];
      return compose(placed[detail::at(body)], frame_in_link(frame, body));
    };
    father = joint.frames()[0].body;
    son = joint.frames()[1].body;
    of_father = frame_pose(joint.frames()[0]);
    of_son = frame_pose(joint.frames()[1]);
  }
  const JointStart<Space> start(joint, owner_name(label), relative_pose(of_father, of_son),
                                relative_velocity(*this->data_, father, son, of_son), length, state.p.data() + link.q,
                                state.v.data() + link.v);
  link.turns = father == this->bodies_[index].index ? -start.turns : start.turns;
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
const std::string& RelativeEquations<Space>::owner_name(int label) const {
  const int joint = links_[detail::at(label)].joint;
  return joint < 0 ? this->body_name(label) : this->data_->constraints[detail::at(joint)].name;
}

/// The last link whose first entry is not beyond i; links without entries of their own come before it.
template <class Space>
int RelativeEquations<Space>::link_with(int LinkSlot::*first, int i) const {
  return static_cast<int>(&detail::slot_with(links_, first, i) - links_.data());
}

template <class Space>
std::string RelativeEquations<Space>::velocity_name(int i) const {
  const int label = link_with(&LinkSlot::v, i);
  return concat(owner_name(label), ": velocity ", i - links_[detail::at(label)].v + 1);
}

template <class Space>
std::string RelativeEquations<Space>::position_name(int i) const {
  const int label = link_with(&LinkSlot::q, i);
  return concat(owner_name(label), ": coordinate ", i - links_[detail::at(label)].q + 1);
}

template <class Space>
std::optional<CoordinatePlaces> RelativeEquations<Space>::joint_places(int constraint) const {
  const int label = link_of_joint_[detail::at(constraint)];
  if (label < 0) return {};
  const LinkSlot& link = links_[detail::at(label)];
  return CoordinatePlaces{link.q, link.coordinates, link.v, joints_[detail::at(label)]->freedoms()};
}

template <class Space>
Measure RelativeEquations<Space>::position_measure(int i) const {
  const std::size_t label = detail::at(link_with(&LinkSlot::q, i));
  return coordinate_measure(*joints_[label], i - links_[label].q);
}

template <class Space>
Measure RelativeEquations<Space>::velocity_measure(int i) const {
  const std::size_t label = detail::at(link_with(&LinkSlot::v, i));
  return linkwork::velocity_measure(*joints_[label], i - links_[label].v);
}

}  // namespace linkwork
