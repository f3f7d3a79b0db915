#pragma once

// What elements use beyond their declarations, at the current point.

#include <linkwork/core/concat.hpp>
#include <linkwork/core/element_check.hpp>
#include <linkwork/core/usage_check.hpp>
#include <linkwork/solvers/formulations/drives.hpp>
#include <linkwork/solvers/formulations/graph_equations.hpp>

namespace linkwork {

namespace detail {

/// `count` numbers, or the like, from the first on.
template <class Array>
auto copied(const Array& from, int first, int count) {
  return std::vector(from.begin() + first, from.begin() + first + count);
}

}  // namespace detail

template <class Space>
std::vector<std::string> GraphEquations<Space>::undeclared_uses() {
  need_auxiliary();
  need_constraint_velocities();
  update_readings();
  std::vector<std::string> out;
  const auto in_its_function = [](const detail::UndeclaredUse& use) { return concat(use.declaration, "()."); };
  const auto in_use = [](const auto&) { return "its use functions, or return none there."; };
  for (const ConstraintSlot& slot : graph_.constraints)
    with_name(slot, [&] { find_undeclared_uses("constraint", slot, *slot.constraint, in_its_function, out); });
  for (const ForceSlot& slot : graph_.forces)
    with_name(slot, [&] { find_undeclared_uses("force", slot, *slot.force, in_use, out); });
  return out;
}

template <class Space>
std::vector<Drive> GraphEquations<Space>::drives() const {
  std::vector<Drive> out;
  for (const ConstraintEntry<Space>& entry : graph_.data->constraints)
    for (const Input& input : entry.constraint->inputs()) {
      const auto place = std::find(inputs_.begin(), inputs_.end(), input);
      if (place == inputs_.end()) continue;  // an empty one
      out.push_back({entry.name, std::string(entry.constraint->type()), input,
                     static_cast<int>(place - inputs_.begin()), entry.constraint->level()});
    }
  return out;
}

/// Pose of a joint's son in its father, as the bodies are.
template <class Space>
Pose<Space> GraphEquations<Space>::seen_pose(const Joint<Space>& joint) const {
  Pose<Space> father, son;
  graph_.place(graph_.frame_slot(joint.frames()[0]), father);
  graph_.place(graph_.frame_slot(joint.frames()[1]), son);
  return relative_pose(father, son);
}

/// The pose that the joint allows nearest to it: rows of joints are the derivative of their residual there.
template <class Space>
Pose<Space> GraphEquations<Space>::nearest_pose(const Joint<Space>& joint) const {
  std::vector<double> q(detail::at(joint.coordinates()));
  joint.home(q.data());
  joint.locate(graph_.now, seen_pose(joint), q.data());
  return joint.pose(graph_.now, q.data());
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
      out.push_back(
          concat("model '", graph_.data->name, "': ", kind, " '", entry.name, "' (", element.type(), "): ", fault));
  };
  // Elements may refuse what is beside the start; what they throw at the start itself, the run meets too.
  const auto look = [](auto&& find) {
    try {
      find();
    } catch (...) {
    }
  };
  // Rows that a joint does not give follow from its motion: that comes first.
  for (const ConstraintEntry<Space>& entry : graph_.data->constraints) {
    if (!entry.joint) continue;
    look([&] {
      note("joint", entry, *entry.joint,
           detail::false_motion(*entry.joint, graph_.now, seen_pose(*entry.joint), characteristic_length()));
    });
  }
  for (const ConstraintSlot& slot : graph_.constraints) {
    const ConstraintEntry<Space>& entry = graph_.data->constraints[detail::at(slot.index)];
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
  for (const ForceSlot& slot : graph_.forces) {
    const ForceEntry<Space>& entry = graph_.data->forces[detail::at(slot.index)];
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
  at.time = graph_.now;
  at.frames = detail::copied(graph_.frames, slot.frame, slot.frames);
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
  at.time = graph_.now;
  at.frames = detail::copied(graph_.frames, slot.frame, slot.frames);
  at.memory = detail::copied(constraint_memory_, slot.memory, constraint.memory_size());
  at.contacts = detail::copied(contacts(), slot.contact, slot.contacts);
  return at;
}

template <class Space>
template <class Slot, class Element, class Remedy>
void GraphEquations<Space>::find_undeclared_uses(const char* kind, const Slot& slot, const Element& element,
                                                 const Remedy& remedy, std::vector<std::string>& out) const {
  std::vector<std::string> frames(detail::at(slot.frames));  // "frame 0 on body 'crank'"; "" on the ground
  for (int k = 0; k < slot.frames; ++k)
    if (const int label = graph_.frame_slots[detail::at(slot.frame + k)].body; label > 0)
      frames[detail::at(k)] = concat("frame ", k, " on body '", graph_.body_name(label), "'");
  for (const detail::UndeclaredUse& use : detail::undeclared_uses(element, point_of(slot), frames))
    out.push_back(concat(kind, " '", name(slot), "' (", element.type(), ") ", use.what, " and does not declare it (",
                         use.evidence, " at t = ", time(), " s); declare it in ", remedy(use)));
}

}  // namespace linkwork
