#pragma once

#include <linkwork/forces/applied_axes.hpp>
#include <linkwork/forces/common.hpp>

#include <functional>
#include <string_view>
#include <utility>
#include <vector>

namespace linkwork {

/// A torque on the body of a frame, constant or a function of time and state. It has no reaction on another body.
template <class Space>
class AppliedTorque final : public ForceElement<Space> {
 public:
  /// Torque [N m] in the element's axes (one number in the plane, counter-clockwise). m.frame(0) is the loaded frame,
  /// m.frame(1), m.frame(2), ... are those in `reads`.
  using Function = std::function<Angular<Space>(const Motion<Space>& m)>;

  /// @param axes   in which the torque is given: the ground's, or those of `frame`, which turn with the body
  /// @param reads  further frames that the function looks at
  /// @throws ModelError if the function is empty
  AppliedTorque(const Frame<Space>& frame, Function function, AppliedAxes axes = AppliedAxes::ground,
                const std::vector<Frame<Space>>& reads = {})
      : ForceElement<Space>(detail::frame_list(frame, reads)), function_(std::move(function)), axes_(axes) {
    detail::check_given(type(), "torque", function_);
  }
  /// A constant torque [N m].
  /// @throws ModelError if it is zero or not finite
  AppliedTorque(const Frame<Space>& frame, const Angular<Space>& torque, AppliedAxes axes = AppliedAxes::ground)
      : AppliedTorque(
            frame, [torque](const Motion<Space>&) { return torque; }, axes) {
    detail::check_finite(type(), "torque", torque, "N m");
    if (dot(torque, torque) == 0)
      throw ModelError(
          concat(type(), ": the constant torque is 0 N m, so that the element does nothing; leave it out."));
  }

  std::string_view type() const override { return "applied torque"; }

 private:
  void do_add_to(const Motion<Space>& m, ForceSums<Space>& sums) const override {
    const Angular<Space> torque = function_(m);
    if constexpr (Space::dimension == 3) {
      if (axes_ == AppliedAxes::frame) {
        sums.add_torque(0, m.frame(0).pose.rotation * torque);
        return;
      }
    }
    sums.add_torque(0, torque);
  }

  Function function_;
  AppliedAxes axes_;
};

extern template class AppliedTorque<Planar>;
extern template class AppliedTorque<Spatial>;

}  // namespace linkwork
