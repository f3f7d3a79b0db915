#pragma once

// Sparsity in joint coordinates: a frame moves with the joints on its path.

#include <linkwork/solvers/equations/pattern_builder.hpp>
#include <linkwork/solvers/equations/relative_equations.hpp>

namespace linkwork {

/// What is known of the joints' coordinates, by label.
template <class Space>
void RelativeEquations<Space>::classify_coordinates() {
  coordinates_.resize(links_.size());
  for (std::size_t label = 1; label < links_.size(); ++label) {
    const Joint<Space>& joint = *joints_[label];
    const Link& link = tree_.links[label];
    const auto father = detail::at(link.father);
    CoordinatesSlot& out = coordinates_[label];
    const std::optional<ConstantMotion<Space>> constant = joint.constant_motion();
    const int redundant = links_[label].coordinates - link.freedoms;
    // A shift in the axes of the joint's father, which the tree may come from or lead to.
    const bool reversed = links_[label].joint >= 0 && joint.frames()[0].body == this->bodies_[label].index && !constant;
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
    const Body<Space>& body = *this->bodies_[label].body;
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
void RelativeEquations<Space>::append_coordinates(int label, bool shifts, bool of_p, std::vector<int>& out) const {
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
auto RelativeEquations<Space>::frame_columns(const FrameSlot& slot, int acts_from, int reads_from) const
    -> FrameColumns {
  FrameColumns out;
  MotionColumns velocity, turning;
  for (int label = slot.body; label != acts_from && label != 0; label = tree_.links[detail::at(label)].father) {
    append_coordinates(label, false, false, turning.v);
    append_coordinates(label, true, false, velocity.v);
  }
  detail::append(velocity.v, turning.v);
  for (int label = slot.body; label != reads_from && label != 0; label = tree_.links[detail::at(label)].father) {
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
void RelativeEquations<Space>::add_inertia(Unknown unknown, PatternBuilder& builder) const {
  if (unknown != Unknown::p && unknown != Unknown::v && unknown != Unknown::a) return;
  // Columns of a joint that inertia depends on.
  const auto columns_of = [&](int label) {
    const CoordinatesSlot& coordinates = coordinates_[detail::at(label)];
    std::vector<int> out;
    // To turn or to shift all of a system that nothing holds or pulls is no change to it.
    const bool falls = !this->data_->gravity.isZero(0);
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
void RelativeEquations<Space>::add_rates(Unknown unknown, PatternBuilder& builder) const {
  for (int label = 1; label < static_cast<int>(links_.size()); ++label)
    this->add_joint_rates(unknown, *joints_[detail::at(label)], links_[detail::at(label)].q,
                          links_[detail::at(label)].v, builder);
}

}  // namespace linkwork
