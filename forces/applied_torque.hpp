#pragma once

#include <linkwork/forces/applied_load.hpp>

namespace linkwork {

namespace detail {
template <class Space>
struct TorqueAtFrame {
  using Value = Angular<Space>;
  using Given = ExactAngular<Space>;
  static constexpr const char *type = "applied torque", *name = "torque", *unit = "N m";
  static constexpr bool is_force = false;
  static void add(const Value& torque, ForceSums<Space>& sums) { sums.add_torque(0, torque); }
};
}  // namespace detail

/// A torque [N m] on the body of a frame (one number in the plane, counter-clockwise), constant or a function of time
/// and state. It has no reaction on another body. Constructors: see detail::AppliedLoad.
template <class Space>
class AppliedTorque final : public detail::AppliedLoad<Space, detail::TorqueAtFrame<Space>> {
 public:
  using detail::AppliedLoad<Space, detail::TorqueAtFrame<Space>>::AppliedLoad;
};

extern template class AppliedTorque<Planar>;
extern template class AppliedTorque<Spatial>;

}  // namespace linkwork
