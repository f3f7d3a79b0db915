#pragma once

// Internal: what the equations of a graph and its coordinates both read.

#include <linkwork/core/at.hpp>
#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/core/joint_tree.hpp>
#include <linkwork/core/link_algebra.hpp>
#include <linkwork/core/model.hpp>
#include <linkwork/topology/topology.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace linkwork {

/// The bodies, joints and forces of a model as their equations number them, and what they do at the current point.
/// GraphEquations owns it and keeps it up to date; Coordinates read it. All arrays of bodies go by label, with the
/// ground at 0, so that frames on the ground need no branch.
template <class Space>
struct BodyGraph {
  struct BodySlot {
    const Body<Space>* body = nullptr;
    int index = -1;  ///< in the model
    bool rotates = false;
  };
  /// A frame of an element, relative to the centre of mass of its body.
  struct FrameSlot {
    int body = 0;  ///< label
    bool turned = false;
    Vector<Space> arm = Vector<Space>::Zero();               ///< body axes
    Rotation<Space> rotation = Rotation<Space>::Identity();  ///< in the body
    double angle = 0;                                        ///< planar: of the rotation
  };
  struct ConstraintSlot {
    const Constraint<Space>* constraint = nullptr;
    int index = -1;  ///< in the model
    int row = 0, rows = 0;
    int frame = 0, frames = 0;
    int memory = 0;
    int contact = 0, contacts = 0;
    int value = 0;  ///< first one in BodyGraph::rows
  };
  struct ForceSlot {
    const ForceElement<Space>* force = nullptr;
    int index = -1;  ///< in the model
    int frame = 0, frames = 0;
    int state = 0, states = 0, memory = 0, first_switch = 0;
    int reading = 0, readings = 0;
    int auxiliary = 0, auxiliaries = 0;
    int contact = 0;        ///< first one among those that force elements read
    bool on_point = false;  ///< on a body that does not rotate
  };
  /// A reaction that a force element reads: the rows of the constraint's last frame at the current position. The force
  /// of a servo (ConstraintForce) reads one for each frame of the servo: D - C there.
  struct Reading {
    int constraint = 0;  ///< slot
    int rows = 0;        ///< first value among those of all readings
    int own_frame = -1;  ///< of a servo's force: frame of the servo; else -1
  };

  /// Numbers the bodies; they are where they are placed.
  BodyGraph(const EquationsOfMotion& equations, std::shared_ptr<const ModelData<Space>> model, Topology of_model);

  FrameSlot frame_slot(const Frame<Space>& frame) const;
  /// Pose of a frame from that of its body; returns the arm from the centre of mass in ground axes.
  Vector<Space> place(const FrameSlot& slot, Pose<Space>& pose) const;
  const std::string& body_name(int label) const { return data->body_name(bodies[detail::at(label)].index); }

  // What the equations are made of.
  const EquationsOfMotion& point;  ///< the current t, p, v and multipliers
  std::shared_ptr<const ModelData<Space>> data;
  Topology topology;
  std::vector<BodySlot> bodies;
  std::vector<FrameSlot> frame_slots;       ///< those of relations (see CoordinateLayout), of constraints, of forces
  std::vector<ConstraintSlot> constraints;  ///< in the order of their rows
  std::vector<ForceSlot> forces;            ///< as in the model
  std::vector<Reading> readings;
  std::size_t first_force_frame = 0;
  int relation_row = 0;  ///< first row of relations

  // What they do at the current point. Motions of bodies are those of the centres of mass, in ground axes.
  Instant now = 0.0;                                        ///< with the offsets of inputs, as elements get it
  std::vector<Pose<Space>> poses;                           ///< centre of mass and body axes
  std::vector<Twist<Space>> twists, biases, accelerations;  ///< biases: accelerations at v' = 0
  std::vector<FrameMotion<Space>> frames;
  std::vector<Vector<Space>> arms;  ///< of frames from the centre of mass, ground axes
  std::vector<double> rows;  ///< of constraints, as evaluated last: frame by frame, n numbers for each row, ground axes
  std::vector<Wrench<Space>> wrenches;  ///< by frame of forces, ground axes
};

template <class Space>
BodyGraph<Space>::BodyGraph(const EquationsOfMotion& equations, std::shared_ptr<const ModelData<Space>> model,
                            Topology of_model)
    : point(equations), data(std::move(model)), topology(std::move(of_model)), bodies(topology.nodes.size()) {
  poses.resize(bodies.size());
  twists.resize(bodies.size());
  biases.resize(bodies.size());
  accelerations.resize(bodies.size());
  for (std::size_t label = 1; label < bodies.size(); ++label) {
    const int index = topology.nodes[label].body;
    const BodyEntry<Space>& entry = data->bodies[detail::at(index)];
    bodies[label] = {entry.body.get(), index, entry.body->rotates()};
    poses[label].rotation = rotation_matrix(entry.orientation);  // stays if the body does not rotate
  }
}

template <class Space>
auto BodyGraph<Space>::frame_slot(const Frame<Space>& frame) const -> FrameSlot {
  FrameSlot slot;
  slot.arm = frame.offset;
  slot.rotation = rotation_matrix(frame.orientation);
  slot.turned = !slot.rotation.isIdentity(0);
  if constexpr (Space::dimension == 2) {
    slot.angle = frame.orientation;
    slot.turned = frame.orientation != 0;
  }
  if (frame.body < 0) return slot;
  slot.body = topology.label_of_body[detail::at(frame.body)];
  slot.arm -= bodies[detail::at(slot.body)].body->center_of_mass();
  return slot;
}

template <class Space>
inline Vector<Space> BodyGraph<Space>::place(const FrameSlot& slot, Pose<Space>& pose) const {
  const Pose<Space>& body = poses[static_cast<std::size_t>(slot.body)];
  const Vector<Space> arm = body.rotation * slot.arm;
  pose.position = body.position + arm;
  if (slot.turned)
    pose.rotation.noalias() = body.rotation * slot.rotation;
  else
    pose.rotation = body.rotation;
  if constexpr (Space::dimension == 2) pose.angle = body.angle + slot.angle;
  return arm;
}

namespace detail {

template <class Space>
bool has_inertia(const Body<Space>& body) {
  return body.mass() > 0 || (body.rotates() && !body.inertia().isZero(0));
}

/// Reading and adding angular parts, a number in the plane and three in space.
inline void load(const double* from, double& angular) { angular = from[0]; }
inline void load(const double* from, Eigen::Vector3d& angular) { angular = Eigen::Vector3d::Map(from); }
inline void add(double* to, double angular) { to[0] += angular; }
inline void add(double* to, const Eigen::Vector3d& angular) {
  for (int i = 0; i < 3; ++i) to[i] += angular[i];
}
inline void add(double* to, const Eigen::Vector2d& linear) {
  for (int i = 0; i < 2; ++i) to[i] += linear[i];
}

/// A row of a closure: its product with a twist is a power.
template <class Space>
Wrench<Space> as_wrench(const Components<Space>& row) {
  Wrench<Space> out;
  load(row.data(), out.torque);
  out.force = row.template tail<Space::dimension>();
  return out;
}

template <class Space>
Pose<Space> pose_of(const Vector<Space>& position, const Orientation<Space>& orientation) {
  Pose<Space> out;
  out.position = position;
  out.rotation = rotation_matrix(orientation);
  if constexpr (Space::dimension == 2) out.angle = orientation;
  return out;
}

/// Appends the closure of rows on consecutive frames of a graph. Frames on one link are one part.
/// @param add_part  called with the frame that a part begins with
template <class Space, class AddPart>
void add_closure(const BodyGraph<Space>& graph, typename JointTree<Space>::Closure closure, int frame, int frames,
                 typename JointTree<Space>::Closures& to, AddPart&& add_part) {
  for (int k = frame; k < frame + frames; ++k) {
    const int label = graph.frame_slots[at(k)].body;
    const auto is_known = [&](const auto& part) { return part.link == label; };
    if (label == 0 || std::any_of(closure.parts.begin(), closure.parts.end(), is_known)) continue;
    closure.parts.push_back({label, static_cast<int>(to.rows.size())});
    to.rows.resize(to.rows.size() + at(closure.count), Components<Space>::Zero());
    add_part(k);
  }
  to.row_count += closure.count;
  to.list.push_back(std::move(closure));
}

/// Calls visit(force, constraint) for each reaction that a force element reads.
template <class Space, class Visit>
void for_each_reading(const BodyGraph<Space>& graph, Visit&& visit) {
  for (const auto& force : graph.forces)
    for (int i = 0; i < force.readings; ++i)
      visit(force, graph.constraints[at(graph.readings[at(force.reading + i)].constraint)]);
}

/// The last slot whose first entry is not beyond i.
template <class Slot>
const Slot& slot_with(const std::vector<Slot>& slots, int Slot::*first, int i) {
  return *std::prev(std::upper_bound(slots.begin(), slots.end(), i,
                                     [first](int value, const Slot& slot) { return value < slot.*first; }));
}

}  // namespace detail

}  // namespace linkwork
