#pragma once

#include <linkwork/forces/common.hpp>

#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace linkwork {

/// Actuator that follows its command with a first-order lag; its effort is a state of its own:
///
///   r' = (command(m) - r) / time_constant,    effort on the son = r,  the opposite on the father
///
/// The effort is a torque about, or a force along, an axis that is fixed in the father's frame. The force acts at the
/// origin of the son's frame. It reports its effort and the power on the bodies. In `command`, m.frame(0) is the
/// father's frame, m.frame(1) the son's, m.state(0) is r.
template <class Space>
class Actuator final : public ForceElement<Space> {
 public:
  enum class Effort { torque, force };

  struct Options {
    /// What the effort tends to: [N m] or [N].
    std::function<double(const Motion<Space>& m)> command = {};
    double time_constant = 0;  ///< [s], > 0
    double initial = 0;        ///< r at the start, [N m] or [N]
    Effort effort = Effort::torque;
    /// What the command reads, all of it unless less is said; none: found by differences.
    std::optional<ForceUse> command_reads = ForceUse{};
    /// Prescribed motions that the command asks.
    std::vector<Input> inputs = {};
    /// Direction of torque or force in the father's frame. A planar torque has none; all others need one.
    std::optional<ExactVector<Space>> axis = std::nullopt;
  };

  /// @throws ModelError if the command is empty, if the time constant is not finite and > 0, if a number is not finite,
  ///         or if the axis is missing, zero, or given to a planar torque
  Actuator(const Frame<Space>& father, const Frame<Space>& son, Options options)
      : ForceElement<Space>(detail::two_frames(type_name, father, son)), options_(std::move(options)) {
    detail::check_given(type_name, "command", options_.command);
    detail::check_positive(type_name, "time constant", options_.time_constant, "s");
    detail::check_finite(type_name, "initial effort", options_.initial,
                         options_.effort == Effort::torque ? "N m" : "N");
    if (options_.axis.has_value() != needs_axis())
      throw ModelError(concat(type_name, needs_axis()
                                             ? ": its axis is missing; give the direction in the father's frame."
                                             : ": a planar torque has no axis; leave the axis out."));
    if (needs_axis()) axis_ = detail::unit_direction(type_name, "axis", *options_.axis);
  }

  std::string_view type() const override { return type_name; }
  int states() const override { return 1; }
  double initial_state(int) const override { return options_.initial; }
  std::optional<ForceUse> use() const override {
    const bool is_force = options_.effort == Effort::force;
    const FrameUse father{.position = is_force,
                          .rotation = needs_axis(),
                          .velocity = false,
                          .angular_velocity = false,
                          .force = is_force};
    FrameUse son = father;
    son.rotation = false;
    son.torque = !is_force;  // the force acts at its origin
    return ForceUse{.frames = {father, son}};
  }
  std::optional<ForceUse> rate_use() const override {
    std::optional<ForceUse> out = options_.command_reads;
    if (out) out->states = true;
    return out;
  }
  std::vector<Input> inputs() const override { return options_.inputs; }
  std::vector<ElementReport> reports() const override {
    if (options_.effort == Effort::force) return {{"force", "N"}, {"power", "W"}};
    return {{"torque", "N m"}, {"power", "W"}};
  }

 private:
  static constexpr const char* type_name = "actuator";

  bool needs_axis() const { return Space::dimension == 3 || options_.effort == Effort::force; }

  void do_add_to(const Motion<Space>& m, ForceSums<Space>& sums) const override {
    const double effort = m.state(0);
    const Vector<Space> along_axis = effort * (m.frame(0).pose.rotation * axis_);
    if (options_.effort == Effort::force)
      detail::add_opposite_forces(m, along_axis, m.frame(1).pose.position, sums);
    else if constexpr (Space::dimension == 3)
      detail::add_opposite_torques<Space>(along_axis, sums);
    else
      detail::add_opposite_torques<Space>(effort, sums);
  }

  void do_report(const Motion<Space>& m, double* values) const override {
    values[0] = m.state(0);
    values[1] = m.state(0) * rate(m);
  }
  /// Of what the effort moves, the son against the father: [rad/s] or [m/s].
  double rate(const Motion<Space>& m) const {
    const Vector<Space> axis = m.frame(0).pose.rotation * axis_;
    if (options_.effort == Effort::force)
      return axis.dot(m.frame(1).velocity.linear - detail::velocity_at(m, 0, m.frame(1).pose.position));
    const Angular<Space> turning = m.frame(1).velocity.angular - m.frame(0).velocity.angular;
    if constexpr (Space::dimension == 3)
      return axis.dot(turning);
    else
      return turning;
  }

  void do_state_rates(const Motion<Space>& m, double* rates) const override {
    rates[0] = (options_.command(m) - m.state(0)) / options_.time_constant;
  }

  Options options_;
  Vector<Space> axis_ = Vector<Space>::Zero();  ///< unit, or zero for a planar torque
};

extern template class Actuator<Planar>;
extern template class Actuator<Spatial>;

}  // namespace linkwork
