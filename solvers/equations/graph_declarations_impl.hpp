#pragma once

// What elements use beyond their declarations, at the current point.

#include <linkwork/core/concat.hpp>
#include <linkwork/core/element_check.hpp>
#include <linkwork/core/usage_check.hpp>
#include <linkwork/solvers/drives.hpp>
#include <linkwork/solvers/equations/graph_equations.hpp>

namespace linkwork {

namespace detail {

/// `count` numbers, or the like, from the first on.
template <class Array>
auto copied(const Array& from, int first, int count) {
  return std::vector(from.begin() + first, from.begin() + first + count);
}

/// "frame 0 on body 'crank'", by frame of an element; "" on the ground.
/// @param label  of the body that frame k is on; 0 is the ground
template <class Label, class Name>
std::vector<std::string> frame_names(int count, Label&& label, Name&& body_name) {
  std::vector<std::string> out;
  for (int k = 0; k < count; ++k)
    out.push_back(label(k) == 0 ? "" : concat("frame ", k, " on body '", body_name(label(k)), "'"));
  return out;
}

}  // namespace detail

template <class Space>
std::vector<std::string> GraphEquations<Space>::undeclared_uses() {
  need_auxiliary();
  need_constraint_velocities();
  update_readings();
  std::vector<std::string> out;
  for (const ConstraintSlot& slot : constraints_) with_name(slot, [&] { find_undeclared_uses(slot, out); });
  for (const ForceSlot& slot : forces_) with_name(slot, [&] { find_undeclared_uses(slot, out); });
  return out;
}

template <class Space>
std::vector<std::string> GraphEquations<Space>::false_drives(double tolerance) const {
  std::vector<std::string> out;
  for (const ConstraintEntry<Space>& entry : data_->constraints)
    for (const Input& input : entry.constraint->inputs()) {
      const bool asks_acceleration = entry.constraint->level() == Level::holonomic;
      const std::string finding = false_rates(input, time(), tolerance, asks_acceleration);
      if (!finding.empty())
        out.push_back(concat("drive '", entry.name, "' (", entry.constraint->type(), "): ", finding));
    }
  return out;
}

/// Pose of a joint's son in its father, as the bodies are.
template <class Space>
Pose<Space> GraphEquations<Space>::seen_pose(const Joint<Space>& joint) const {
  Pose<Space> father, son;
  place(frame_slot(joint.frames()[0]), father);
  place(frame_slot(joint.frames()[1]), son);
  return relative_pose(father, son);
}

/// The pose that the joint allows nearest to it: rows of joints are the derivative of their residual there.
template <class Space>
Pose<Space> GraphEquations<Space>::nearest_pose(const Joint<Space>& joint) const {
  std::vector<double> q(detail::at(joint.coordinates()));
  joint.home(q.data());
  joint.locate(now_, seen_pose(joint), q.data());
  return joint.pose(now_, q.data());
}

/// Empty also at a point that can't be evaluated; a run says that by itself.
template <class Space>
std::vector<std::string> GraphEquations<Space>::false_functions() try {
  if (dimensions().s > 0) solve_contacts();
  need_auxiliary();
  need_bodies();
  need_constraint_velocities();
  update_readings();
  std::vector<std::string> out;
  const auto note = [&](const char* kind, const auto& entry, const auto& element, const std::string& fault) {
    if (!fault.empty())
      out.push_back(concat("model '", data_->name, "': ", kind, " '", entry.name, "' (", element.type(), "): ", fault));
  };
  // Elements may refuse what is beside the start; what they throw at the start itself, the run meets too.
  const auto look = [](auto&& find) {
    try {
      find();
    } catch (...) {
    }
  };
  // Rows that a joint does not give follow from its motion: that comes first.
  for (const ConstraintEntry<Space>& entry : data_->constraints) {
    if (!entry.joint) continue;
    look([&] {
      note("joint", entry, *entry.joint,
           detail::false_motion(*entry.joint, now_, seen_pose(*entry.joint), characteristic_length()));
    });
  }
  for (const ConstraintSlot& slot : constraints_) {
    const ConstraintEntry<Space>& entry = data_->constraints[detail::at(slot.index)];
    const Constraint<Space>& constraint = *slot.constraint;
    if (const std::string changed = changed_sizes(slot); !changed.empty())
      note("constraint", entry, constraint, changed);
    else
      look([&] {
        detail::ElementPoint<Space> at = point_of(slot);
        if (entry.joint) at.frames[1].pose = compose(at.frames[0].pose, nearest_pose(*entry.joint));
        note(entry.joint ? "joint" : "constraint", entry, constraint,
             detail::false_function(constraint, at, characteristic_length()));
      });
  }
  for (const ForceSlot& slot : forces_) {
    const ForceEntry<Space>& entry = data_->forces[detail::at(slot.index)];
    if (const std::string changed = changed_sizes(slot); !changed.empty())
      note("force", entry, *slot.force, changed);
    else
      look([&] { note("force", entry, *slot.force, detail::false_function(*slot.force, point_of(slot))); });
  }
  return out;
} catch (const RecoverableFailure&) {
  return {};
}

template <class Space>
detail::ElementPoint<Space> GraphEquations<Space>::point_of(const ForceSlot& slot) const {
  const ForceElement<Space>& force = *slot.force;
  detail::ElementPoint<Space> at;
  at.time = now_;
  at.frames = detail::copied(frames_, slot.frame, slot.frames);
  at.states = detail::copied(states(), slot.state, force.states());
  at.memory = detail::copied(force_memory_, slot.memory, force.memory_size());
  at.auxiliary = detail::copied(auxiliary(), slot.auxiliary, force.auxiliaries());
  at.reactions = detail::copied(reactions_, slot.reading, static_cast<int>(force.reactions().size()));
  for (const ConstraintRef<Space>& source : force.contact_sources())
    for (int i = 0; i < source.model->constraints[detail::at(source.index)].constraint->contacts(); ++i)
      at.contacts.push_back(read_contacts_[detail::at(slot.contact) + at.contacts.size()]);
  return at;
}

template <class Space>
detail::ElementPoint<Space> GraphEquations<Space>::point_of(const ConstraintSlot& slot) const {
  const Constraint<Space>& constraint = *slot.constraint;
  detail::ElementPoint<Space> at;
  at.time = now_;
  at.frames = detail::copied(frames_, slot.frame, slot.frames);
  at.memory = detail::copied(constraint_memory_, slot.memory, constraint.memory_size());
  at.contacts = detail::copied(contacts(), slot.contact, slot.contacts);
  return at;
}

template <class Space>
void GraphEquations<Space>::find_undeclared_uses(const ForceSlot& slot, std::vector<std::string>& out) const {
  const ForceElement<Space>& force = *slot.force;
  const std::vector<std::string> names = detail::frame_names(
      slot.frames, [&](int k) { return frame_slots_[detail::at(slot.frame + k)].body; },
      [this](int label) { return body_name(label); });
  for (const detail::UndeclaredUse& use : detail::undeclared_uses(force, point_of(slot), names))
    out.push_back(concat("force '", name(slot), "' (", force.type(), ") ", use.what, " and does not declare it (",
                         use.evidence, " at t = ", time(),
                         " s); declare it in its use functions, or return none there."));
}

template <class Space>
void GraphEquations<Space>::find_undeclared_uses(const ConstraintSlot& slot, std::vector<std::string>& out) const {
  const Constraint<Space>& constraint = *slot.constraint;
  const std::vector<std::string> names = detail::frame_names(
      slot.frames, [&](int k) { return frame_slots_[detail::at(slot.frame + k)].body; },
      [this](int label) { return body_name(label); });
  for (const detail::UndeclaredUse& use : detail::undeclared_uses(constraint, point_of(slot), names))
    out.push_back(concat("constraint '", name(slot), "' (", constraint.type(), ") ", use.what,
                         " and does not declare it (", use.evidence, " at t = ", time(), " s); declare it in ",
                         use.declaration, "()."));
}

}  // namespace linkwork
