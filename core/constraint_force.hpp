#pragma once

#include <linkwork/core/constraint.hpp>
#include <linkwork/core/force_element.hpp>

namespace linkwork {

/// What a constraint with forces of its own (Constraint::has_own_forces) puts on its frames beside what its rows would:
/// (G - D)^T lambda, so that -D^T lambda is left. The model adds it with the constraint. It reads a reaction for each
/// frame, which is the wrench that belongs there.
template <class Space>
class ConstraintForce final : public ForceElement<Space> {
 public:
  ConstraintForce(const Constraint<Space>& constraint, const ConstraintRef<Space>& handle)
      : ForceElement<Space>(constraint.frames(),
                            std::vector<ConstraintRef<Space>>(constraint.frames().size(), handle)) {}
  std::string_view type() const override { return "force of a servo"; }
  /// What the directions depend on is the constraint's affair.
  std::optional<ForceUse> use() const override { return std::nullopt; }

 private:
  void do_add_to(const Motion<Space>& m, ForceSums<Space>& sums) const override {
    for (int k = 0; k < static_cast<int>(this->frames().size()); ++k) {
      sums.add_force(k, m.reaction(k).force);
      sums.add_torque(k, m.reaction(k).torque);
    }
  }
};

}  // namespace linkwork
