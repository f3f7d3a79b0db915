#pragma once

#include <linkwork/forces/applied_load.hpp>

namespace linkwork {

namespace detail {
template <class Space>
struct ForceAtFrame {
  using Value = Vector<Space>;
  using Given = ExactVector<Space>;
  static constexpr const char *type = "applied force", *name = "force", *unit = "N";
  static constexpr bool is_force = true;
  static void add(const Value& force, ForceSums<Space>& sums) { sums.add_force(0, force); }
};
}  // namespace detail

/// A force [N] at the origin of a frame, constant or a function of time and state. It has no reaction on another body.
/// Constructors: see detail::AppliedLoad.
template <class Space>
class AppliedForce final : public detail::AppliedLoad<Space, detail::ForceAtFrame<Space>> {
 public:
  using detail::AppliedLoad<Space, detail::ForceAtFrame<Space>>::AppliedLoad;
};

extern template class AppliedForce<Planar>;
extern template class AppliedForce<Spatial>;

}  // namespace linkwork
