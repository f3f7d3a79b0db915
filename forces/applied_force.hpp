#pragma once

#include <linkwork/forces/applied_axes.hpp>
#include <linkwork/forces/common.hpp>

#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace linkwork {

/// A force at the origin of a frame, constant or a function of time and state. It has no reaction on another body.
template <class Space>
class AppliedForce final : public ForceElement<Space> {
 public:
  /// Force [N] in the element's axes. m.frame(0) is the loaded frame, m.frame(1), m.frame(2), ... are those in `reads`.
  using Function = std::function<Vector<Space>(const Motion<Space>& m)>;

  /// @param axes   in which the force is given: the ground's, or those of `frame`, which turn with the body
  /// @param reads  further frames that the function looks at
  /// @param use    what of all frames it reads, all of it unless less is said; none: found by differences
  /// @param inputs  prescribed motions that it asks
  /// @throws ModelError if the function is empty
  AppliedForce(const Frame<Space>& frame, Function function, AppliedAxes axes = AppliedAxes::ground,
               const std::vector<Frame<Space>>& reads = {}, std::optional<ForceUse> use = ForceUse{},
               std::vector<Input> inputs = {})
      : ForceElement<Space>(detail::frame_list(frame, reads)),
        function_(std::move(function)),
        axes_(axes),
        reads_(std::move(use)),
        inputs_(std::move(inputs)) {
    detail::check_given(type(), "force", function_);
  }
  /// A constant force [N].
  /// @throws ModelError if it is zero or not finite
  AppliedForce(const Frame<Space>& frame, const Vector<Space>& force, AppliedAxes axes = AppliedAxes::ground)
      : AppliedForce(
            frame, [force](const Motion<Space>&) { return force; }, axes, {}, detail::reads_nothing()) {
    detail::check_finite(type(), "force", force, "N");
    if (force.isZero(0))
      throw ModelError(concat(type(), ": the constant force is 0 N, so that the element does nothing; leave it out."));
  }

  /// A force along a constant direction: size(t) [N] times `direction` [-].
  /// @throws ModelError if the input is empty, or the direction zero or not finite
  AppliedForce(const Frame<Space>& frame, Input size, const Vector<Space>& direction,
               AppliedAxes axes = AppliedAxes::ground)
      : AppliedForce(
            frame,
            [size, direction](const Motion<Space>& m) -> Vector<Space> { return size(m.time()).value * direction; },
            axes, {}, detail::reads_nothing(), {size}) {
    detail::check_given(type(), "size", size);
    detail::check_finite(type(), "direction", direction, "");
    if (direction.squaredNorm() == 0)
      throw ModelError(concat(type(), ": the direction is zero, so that the element does nothing; give one."));
  }

  std::string_view type() const override { return "applied force"; }
  std::optional<ForceUse> use() const override {
    return detail::applied_use(reads_, this->frames().size(), axes_ == AppliedAxes::frame, true, false);
  }
  std::vector<Input> inputs() const override { return inputs_; }

 private:
  void do_add_to(const Motion<Space>& m, ForceSums<Space>& sums) const override {
    const Vector<Space> force = function_(m);
    if (axes_ == AppliedAxes::ground)
      sums.add_force(0, force);
    else
      sums.add_force(0, m.frame(0).pose.rotation * force);
  }

  Function function_;
  AppliedAxes axes_;
  std::optional<ForceUse> reads_;  ///< by the function
  std::vector<Input> inputs_;
};

extern template class AppliedForce<Planar>;
extern template class AppliedForce<Spatial>;

}  // namespace linkwork
