#pragma once

// Sparsity in mixed coordinates: that of the bodies, and the relations of the joints.

#include <linkwork/solvers/equations/mixed_equations.hpp>
#include <linkwork/solvers/equations/pattern_builder.hpp>

namespace linkwork {

template <class Space>
void MixedEquations<Space>::add_rates(Unknown unknown, PatternBuilder& builder) const {
  Base::add_rates(unknown, builder);
  for (const JointSlot& slot : joints_) this->add_joint_rates(unknown, *slot.joint, slot.q, slot.v, builder);
}

/// A relation is like the rows of a joint, in the son's axes, and adds S and X(q) of the joint's own.
template <class Space>
void MixedEquations<Space>::add_own_rows(EquationPart part, Unknown unknown, PatternBuilder& builder) const {
  for (const JointSlot& slot : joints_) {
    const std::optional<ConstantMotion<Space>> constant = slot.joint->constant_motion();
    const std::vector<int> q = detail::range(slot.q, slot.joint->coordinates());
    for (int i = 0; i < n; ++i) {
      const int row = slot.row + i;
      const bool turns = i < angular;
      const auto use = [turns](int frame) {
        if (turns) return RowUse{.linear = false, .position = false, .rotation = dimension == 3 && frame == 1};
        return RowUse{.angular = frame == 0, .position = true, .rotation = frame == 1};
      };
      this->add_row(part, unknown, row, {slot.frame, 2, 0, 0, 0, 0}, use, builder);
      std::vector<int> v;  // whose entry in the row of S is not zero
      for (int j = 0; j < slot.joint->freedoms(); ++j)
        if (!constant || constant->S(i, j) != 0) v.push_back(slot.v + j);
      switch (part) {
        case EquationPart::position_constraint:
          // The displacement is measured in the axes of X(q), so that all of it changes with their rotation.
          if (unknown != Unknown::p) break;
          builder.add(row, q);
          for (int k = 0; k < 2; ++k)
            builder.add(row, this->frame_columns(this->frame_slots_[detail::at(slot.frame + k)], 0, 0).rotation);
          break;
        case EquationPart::velocity_constraint:
          if (unknown == Unknown::v) builder.add(row, v);
          if (unknown == Unknown::p && !constant) builder.add(row, q);
          break;
        case EquationPart::constraint_force:
          if (unknown == Unknown::factor) builder.add(v, {row});
          if (unknown == Unknown::p && !constant) builder.add(v, q);
          break;
        case EquationPart::dynamics:
          if (unknown == Unknown::lambda) builder.add(v, {row});
          if (unknown == Unknown::p && !constant) builder.add(v, q);
          break;
        default:
          break;
      }
    }
  }
}

}  // namespace linkwork
