#pragma once

#include <linkwork/forces/applied_axes.hpp>
#include <linkwork/forces/common.hpp>

#include <functional>
#include <optional>
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
  /// @param use    what of all frames it reads, all of it unless less is said; none: found by differences
  /// @param inputs  prescribed motions that it asks
  /// @throws ModelError if the function is empty
  AppliedTorque(const Frame<Space>& frame, Function function, AppliedAxes axes = AppliedAxes::ground,
                const std::vector<Frame<Space>>& reads = {}, std::optional<ForceUse> use = ForceUse{},
                std::vector<Input> inputs = {})
      : ForceElement<Space>(detail::frame_list(frame, reads)),
        function_(std::move(function)),
        axes_(axes),
        reads_(std::move(use)),
        inputs_(std::move(inputs)) {
    detail::check_given(type(), "torque", function_);
  }
  /// A constant torque [N m].
  /// @throws ModelError if it is zero or not finite
  AppliedTorque(const Frame<Space>& frame, const Angular<Space>& torque, AppliedAxes axes = AppliedAxes::ground)
      : AppliedTorque(
            frame, [torque](const Motion<Space>&) { return torque; }, axes, {}, detail::reads_nothing()) {
    detail::check_finite(type(), "torque", torque, "N m");
    if (dot(torque, torque) == 0)
      throw ModelError(
          concat(type(), ": the constant torque is 0 N m, so that the element does nothing; leave it out."));
  }

  /// A torque about a constant direction: size(t) [N m] times `direction` [-]; in the plane 1 or -1, say.
  /// @throws ModelError if the input is empty, or the direction zero or not finite
  AppliedTorque(const Frame<Space>& frame, Input size, const Angular<Space>& direction,
                AppliedAxes axes = AppliedAxes::ground)
      : AppliedTorque(
            frame,
            [size, direction](const Motion<Space>& m) -> Angular<Space> { return size(m.time()).value * direction; },
            axes, {}, detail::reads_nothing(), {size}) {
    detail::check_given(type(), "size", size);
    detail::check_finite(type(), "direction", direction, "");
    if (dot(direction, direction) == 0)
      throw ModelError(concat(type(), ": the direction is zero, so that the element does nothing; give one."));
  }

  std::string_view type() const override { return "applied torque"; }
  std::optional<ForceUse> use() const override {
    return detail::applied_use(reads_, this->frames().size(), Space::dimension == 3 && axes_ == AppliedAxes::frame,
                               false, true);
  }
  std::vector<Input> inputs() const override { return inputs_; }

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
  std::optional<ForceUse> reads_;  ///< by the function
  std::vector<Input> inputs_;
};

extern template class AppliedTorque<Planar>;
extern template class AppliedTorque<Spatial>;

}  // namespace linkwork
