#pragma once

// The sparsity that follows from the graph and from what elements declare. A formulation says which coordinates the
// motion of a frame depends on; by duality the same coordinates feel a wrench on it: the generalised force of a wrench
// W is (dV/dv)^T W, and changes with the positions that V's factors change with.

#include <linkwork/solvers/formulations/graph_equations.hpp>
#include <linkwork/solvers/formulations/pattern_builder.hpp>
#include <linkwork/solvers/formulations/tree_recursions.hpp>

namespace linkwork {

template <class Space>
Dependencies GraphEquations<Space>::dependencies(EquationPart part, Unknown unknown) const {
  Dependencies out = EquationsOfMotion::dependencies(part, unknown);
  out.complete = true;
  PatternBuilder builder(out.pattern);
  if (part == EquationPart::dynamics) add_forces(unknown, builder, out.complete);
  if (part == EquationPart::state_rate || part == EquationPart::auxiliary)
    add_element_equations(part, unknown, builder, out.complete);
  if (part == EquationPart::contact) add_contact_equations(unknown, builder);
  const RowPattern<Space> pattern{*coordinates_, part, unknown, dimensions().lambda, builder};
  for (std::size_t i = 0; i < graph_.constraints.size(); ++i) {
    const ConstraintSlot& slot = graph_.constraints[i];
    const int meeting = layout_.recursions ? layout_.recursions->meeting(i) : 0;
    RowFrames frames{slot.frame, slot.frames, meeting, 0, slot.contact, dimensions().s > 0 ? slot.contacts : 0};
    frames.read_velocities = rows_read_velocities(slot.constraint->level());
    if (slot.constraint->is_invariant() && !frames.read_velocities) frames.reads_from = frames.acts_from;
    const bool uses_all = slot.contacts > 0 || frames.read_velocities;
    const auto use = [&](int row) {
      return [&slot, row, uses_all](int k) { return uses_all ? RowUse{} : slot.constraint->row_use(row, k); };
    };
    for (int row = 0; row < slot.rows; ++row) pattern.add_row(slot.row + row, frames, use(row));
  }
  coordinates_->add_own_entries(part, unknown, builder);
  builder.finish();
  return out;
}

/// c(t, p, s) of each constraint.
template <class Space>
void GraphEquations<Space>::add_contact_equations(Unknown unknown, PatternBuilder& builder) const {
  if (dimensions().s == 0) return;
  for (const ConstraintSlot& slot : graph_.constraints) {
    const std::vector<int> own = detail::range(slot.contact, slot.contacts);
    if (unknown == Unknown::s) builder.add(own, own);
    if (unknown != Unknown::p) continue;
    std::vector<int> poses;
    append_poses(slot, poses);
    builder.add(own, poses);
  }
}

/// Entries of p in the poses of all frames of a constraint.
template <class Space>
void GraphEquations<Space>::append_poses(const ConstraintSlot& slot, std::vector<int>& p) const {
  for (int k = 0; k < slot.frames; ++k) {
    const FrameColumns columns = coordinates_->frame_columns(slot.frame + k, 0, 0);
    detail::append(p, columns.position);
    detail::append(p, columns.rotation);
  }
}

/// Whether what a function reads is known; where w is eliminated, through what the equations of w read.
template <class Space>
bool GraphEquations<Space>::declares(const ForceSlot& slot, const std::optional<ForceUse>& use) const {
  const bool eliminated = slot.auxiliaries > 0 && dimensions().w == 0;
  return use && (!eliminated || !use->auxiliary || slot.force->auxiliary_use());
}

/// What a function of a force element reads, as entries of an unknown.
template <class Space>
std::vector<int> GraphEquations<Space>::read_by(const ForceSlot& slot, const ForceUse& use, Unknown unknown) const {
  std::vector<int> out;
  const auto add_velocity = [&](const std::vector<MotionColumns>& parts) {
    for (const MotionColumns& motion : parts) detail::append(out, unknown == Unknown::p ? motion.p : motion.v);
  };
  if (unknown == Unknown::p || unknown == Unknown::v)
    for (int k = 0; k < slot.frames; ++k) {
      const FrameColumns columns = coordinates_->frame_columns(slot.frame + k, 0, 0);
      const FrameUse of = use.frame(k);
      if (of.position && unknown == Unknown::p) detail::append(out, columns.position);
      if (of.rotation && unknown == Unknown::p) detail::append(out, columns.rotation);
      if (of.velocity) add_velocity(columns.velocity);
      if (of.angular_velocity) add_velocity(columns.angular_velocity);
    }
  if (unknown == Unknown::r && use.states) detail::append(out, detail::range(slot.state, slot.states));
  if (use.auxiliary && slot.auxiliaries > 0) {
    if (dimensions().w == 0) {  // w follows from what its equations read
      ForceUse of_equations = slot.force->auxiliary_use().value_or(ForceUse{});
      of_equations.auxiliary = false;
      detail::append(out, read_by(slot, of_equations, unknown));
    } else if (unknown == Unknown::w) {
      detail::append(out, detail::range(slot.auxiliary, slot.auxiliaries));
    }
  }
  if (use.contacts)
    for (const ConstraintRef<Space>& source : slot.force->contact_sources()) {
      const ConstraintSlot& read = graph_.constraints[detail::at(slot_of_constraint_[detail::at(source.index)])];
      if (dimensions().s == 0 && unknown == Unknown::p) append_poses(read, out);
      if (dimensions().s > 0 && unknown == Unknown::s) detail::append(out, detail::range(read.contact, read.contacts));
    }
  if (use.reactions) append_readings(slot, unknown, out);
  return out;
}

/// Reactions are multipliers times the rows of a constraint's last frame, in ground axes.
template <class Space>
void GraphEquations<Space>::append_readings(const ForceSlot& slot, Unknown unknown, std::vector<int>& out) const {
  for (std::size_t i = 0; i < slot.force->reactions().size(); ++i) {
    const ConstraintSlot& read =
        graph_.constraints[detail::at(graph_.readings[detail::at(slot.reading) + i].constraint)];
    if (unknown == Unknown::lambda) detail::append(out, detail::range(read.row, read.rows));
    if (unknown == Unknown::s && dimensions().s > 0) detail::append(out, detail::range(read.contact, read.contacts));
    if (unknown != Unknown::p) continue;
    if (read.contacts > 0) {
      append_poses(read, out);
      continue;
    }
    for (int k = 0; k < read.frames; ++k) {
      const FrameColumns columns = coordinates_->frame_columns(read.frame + k, 0, 0);
      for (int row = 0; row < read.rows; ++row) {
        const RowUse of = read.constraint->row_use(row, k);
        if (of.position) detail::append(out, columns.position);
        if (of.rotation) detail::append(out, columns.rotation);
      }
    }
  }
}

template <class Space>
void GraphEquations<Space>::add_forces(Unknown unknown, PatternBuilder& builder, bool& complete) const {
  if (unknown == Unknown::a || unknown == Unknown::factor) return;
  for (const ForceSlot& slot : graph_.forces) {
    const std::optional<ForceUse> use = slot.force->use();
    if (!declares(slot, use)) {
      complete = false;
      continue;
    }
    const std::vector<int> read = read_by(slot, *use, unknown);
    const auto add_wrench = [&](const std::vector<MotionColumns>& parts) {
      for (const MotionColumns& motion : parts) {
        builder.add(motion.v, read);
        if (unknown == Unknown::p) builder.add(motion.v, motion.p);
      }
    };
    for (int k = 0; k < slot.frames; ++k) {
      const FrameColumns columns = coordinates_->frame_columns(slot.frame + k, 0, 0);
      if (use->frame(k).force) add_wrench(columns.velocity);
      if (use->frame(k).torque) add_wrench(columns.angular_velocity);
    }
  }
}

/// Of state rates, and of the equations of auxiliary variables.
template <class Space>
void GraphEquations<Space>::add_element_equations(EquationPart part, Unknown unknown, PatternBuilder& builder,
                                                  bool& complete) const {
  const bool of_states = part == EquationPart::state_rate;
  if (unknown == Unknown::a || unknown == Unknown::factor || (!of_states && dimensions().w == 0)) return;
  for (const ForceSlot& slot : graph_.forces) {
    const std::vector<int> rows =
        of_states ? detail::range(slot.state, slot.states) : detail::range(slot.auxiliary, slot.auxiliaries);
    if (rows.empty()) continue;
    const std::optional<ForceUse> use = of_states ? slot.force->rate_use() : slot.force->auxiliary_use();
    if (declares(slot, use))
      builder.add(rows, read_by(slot, *use, unknown));
    else
      complete = false;
  }
}

}  // namespace linkwork
