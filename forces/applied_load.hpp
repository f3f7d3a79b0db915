#pragma once

#include <linkwork/core/element_arguments.hpp>
#include <linkwork/forces/common.hpp>

#include <concepts>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace linkwork {

/// Axes in which an applied force or torque is given: those of the ground, or those of the loaded frame.
enum class AppliedAxes { ground, frame };

namespace detail {

/// What AppliedForce and AppliedTorque have in common: a value, constant or a function of time and state, that loads
/// the first frame of the element.
/// @tparam Load  its Value, a vector or the one number of a torque in the plane; the names of the element's type, of
///               the value and of its unit; whether it is_force; and add(value in ground axes, sums)
template <class Space, class Load>
class AppliedLoad : public ForceElement<Space> {
 public:
  using Value = typename Load::Value;
  using Given = typename Load::Given;  ///< the same, where braces must have all numbers
  /// The value in the element's axes. m.frame(0) is the loaded frame, m.frame(1), m.frame(2), ... are those in `reads`.
  using Function = std::function<Value(const Motion<Space>& m)>;

  /// @param axes   in which the value is given: the ground's, or those of `frame`, which turn with the body
  /// @param reads  further frames that the function looks at
  /// @param use    what of all frames it reads, all of it unless less is said; none: found by differences
  /// @param inputs  prescribed motions that it asks
  /// @throws ModelError if the function is empty
  template <std::convertible_to<Function> F = Function>
  requires(!is_vector<F>)  // vectors of Eigen can be called, too
      AppliedLoad(const Frame<Space>& frame, F function, AppliedAxes axes = AppliedAxes::ground,
                  const std::vector<Frame<Space>>& reads = {}, std::optional<ForceUse> use = ForceUse{},
                  std::vector<Input> inputs = {})
      : ForceElement<Space>(with_others(frame, reads)),
        function_(std::move(function)),
        axes_(axes),
        reads_(std::move(use)),
        inputs_(std::move(inputs)) {
    check_given(Load::type, Load::name, function_);
  }
  /// A constant value.
  /// @throws ModelError if it is zero or not finite
  AppliedLoad(const Frame<Space>& frame, const Given& value, AppliedAxes axes = AppliedAxes::ground)
      : AppliedLoad(
            frame, [value](const Motion<Space>&) { return value; }, axes, {}, reads_nothing()) {
    check_finite(Load::type, Load::name, value, Load::unit);
    if (is_zero(value))
      throw ModelError(concat(Load::type, ": the constant ", Load::name, " is 0 ", Load::unit,
                              ", so that the element does nothing; leave it out."));
  }
  /// Along a constant direction: size(t) times `direction` [-]; for a torque in the plane 1 or -1, say.
  /// @throws ModelError if the input is empty, or the direction zero or not finite
  AppliedLoad(const Frame<Space>& frame, Input size, const Given& direction, AppliedAxes axes = AppliedAxes::ground)
      : AppliedLoad(frame,
                    [size, direction](const Motion<Space>& m) -> Value { return size(m.time()).value * direction; },
                    axes, {}, reads_nothing(), {size}) {
    check_given(Load::type, "size", size);
    check_finite(Load::type, "direction", direction, "");
    if (is_zero(direction))
      throw ModelError(concat(Load::type, ": the direction is zero, so that the element does nothing; give one."));
  }

  std::string_view type() const override { return Load::type; }
  std::optional<ForceUse> use() const override {
    if (!reads_) return reads_;
    ForceUse use = *reads_;
    use.frames.resize(this->frames().size());
    for (FrameUse& frame : use.frames) frame.force = frame.torque = false;
    FrameUse& loaded = use.frames.front();
    loaded.rotation = loaded.rotation || turns();
    (Load::is_force ? loaded.force : loaded.torque) = true;
    return use;
  }
  std::vector<Input> inputs() const override { return inputs_; }
  /// Its components in the ground's axes, and the power on the body.
  std::vector<ElementReport> reports() const override {
    std::vector<ElementReport> out;
    if constexpr (is_number) {
      out.push_back({Load::name, Load::unit});
    } else {
      for (const char* axis : {" x", " y", " z"})
        if (static_cast<int>(out.size()) < Value::SizeAtCompileTime)
          out.push_back({std::string(Load::name) + axis, Load::unit});
    }
    out.push_back({"power", "W"});
    return out;
  }

 private:
  static constexpr bool is_number = std::is_same_v<Value, double>;

  static std::vector<Frame<Space>> with_others(const Frame<Space>& first, const std::vector<Frame<Space>>& others) {
    std::vector<Frame<Space>> frames{first};
    frames.insert(frames.end(), others.begin(), others.end());
    return frames;
  }
  /// Of a function that looks at nothing but the time. Frames that are not listed would be used wholly.
  static ForceUse reads_nothing() {
    return {
        .frames = {FrameUse::nothing()}, .states = false, .auxiliary = false, .contacts = false, .reactions = false};
  }
  static bool is_zero(const Value& value) {
    if constexpr (is_number)
      return value == 0;
    else
      return value.isZero(0);
  }
  /// Whether the value turns with the frame.
  bool turns() const { return !is_number && axes_ == AppliedAxes::frame; }

  /// In the ground's axes.
  Value value(const Motion<Space>& m) const {
    Value out = function_(m);
    if constexpr (!is_number) {
      if (turns()) out = m.frame(0).pose.rotation * out;
    }
    return out;
  }

  void do_add_to(const Motion<Space>& m, ForceSums<Space>& sums) const override { Load::add(value(m), sums); }

  void do_report(const Motion<Space>& m, double* values) const override {
    const Value load = value(m);
    if constexpr (is_number) {
      *values++ = load;
    } else {
      for (const double component : load) *values++ = component;
    }
    const Twist<Space>& velocity = m.frame(0).velocity;
    if constexpr (Load::is_force)
      *values = load.dot(velocity.linear);
    else
      *values = dot(load, velocity.angular);
  }

  Function function_;
  AppliedAxes axes_;
  std::optional<ForceUse> reads_;  ///< by the function
  std::vector<Input> inputs_;
};

}  // namespace detail
}  // namespace linkwork
