#pragma once

#include <linkwork/forces/common.hpp>

#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

namespace linkwork {

/// Dry friction at a sliding contact, of a size that depends on the reaction of the constraint that keeps the contact
/// (a force that depends on lambda, MEXX 1.4b and 5.1). With N the reaction force of the father on the son along
/// `normal`, the friction force on the son at the contact point is
///
///   given       mu N tangent                                   in one direction for ever, and with the sign of N
///   smoothed   -mu |N| tanh(slip / speed) tangent              creeps slowly where it ought to stick
///   frozen     -mu |N| sign(slip) tangent                      the sign is kept inside a step and changes at a zero of
///                                                              the slip, which the driver locates
///
/// and its opposite acts on the father at the same point. slip [m/s] is the velocity of the son relative to the father
/// at the contact point along `tangent`. Normal, tangent and arm stay fixed in the ground. It reports N, the friction
/// force along `tangent`, the slip and the power on the bodies.
///
/// `frozen` knows sliding only: where the contact ought to stick, the sign changes over and over and the driver ends
/// the run with its message about too many events; `smoothed` is meant for such models.
template <class Space>
class DryFriction final : public ForceElement<Space> {
 public:
  enum class Direction { given, smoothed, frozen };

  struct Options {
    double coefficient = 0;                             ///< mu [-], >= 0
    ExactVector<Space> normal = Vector<Space>::Zero();  ///< along which the support pushes the son; any length
    ExactVector<Space> tangent =
        Vector<Space>::Zero();                       ///< of the friction force; perpendicular to `normal`, any length
    ExactVector<Space> arm = Vector<Space>::Zero();  ///< [m], from the origin of the son's joint frame to the contact
    Direction direction = Direction::smoothed;
    double speed = 0;         ///< [m/s], `smoothed`: slip at which 76 percent of the force act; > 0
    double initial_sign = 1;  ///< `frozen`: sign of the slip that is about to begin if the start is at rest; 1 or -1
  };

  /// @param joint        whose reaction presses the surfaces together
  /// @param father, son  its joint frames
  /// @throws ModelError if a number is out of its range, or if a direction is zero, not finite, or not perpendicular
  DryFriction(const ConstraintRef<Space>& joint, const Frame<Space>& father, const Frame<Space>& son,
              const Options& options)
      : ForceElement<Space>(detail::two_frames(type_name, father, son), {joint}), options_(options) {
    detail::check_not_negative(type_name, "coefficient", options.coefficient, "[-]");
    detail::check_finite(type_name, "arm", options.arm, "m");
    options_.normal = detail::unit_direction(type_name, "normal", options.normal);
    options_.tangent = detail::unit_direction(type_name, "tangent", options.tangent);
    const double cosine = options_.normal.dot(options_.tangent);
    if (std::abs(cosine) > 1e-9)
      throw ModelError(concat(type_name, ": the cosine between normal (", options.normal.transpose(), ") and tangent (",
                              options.tangent.transpose(), ") is ", cosine, "; give perpendicular directions."));
    if (options.direction == Direction::smoothed) detail::check_positive(type_name, "speed", options.speed, "m/s");
    if (std::abs(options.initial_sign) != 1)
      throw ModelError(concat(type_name, ": initial sign is ", options.initial_sign, "; give 1 or -1."));
  }

  std::string_view type() const override { return type_name; }
  int memory_size() const override { return switches(); }
  int switches() const override { return options_.direction == Direction::frozen ? 1 : 0; }
  /// Where the contact is counts for a father that moves only: normal, tangent and arm are fixed in the ground.
  std::optional<ForceUse> use() const override {
    const bool slips = options_.direction == Direction::smoothed, moves = this->frames()[0].body >= 0;
    const bool has_arm = !options_.arm.isZero(0);
    const FrameUse father{.position = moves, .rotation = false, .velocity = slips, .angular_velocity = slips};
    const FrameUse son{.position = moves,
                       .rotation = false,
                       .velocity = slips,
                       .angular_velocity = slips && has_arm,
                       .torque = has_arm};
    return ForceUse{.frames = {father, son}};
  }
  std::vector<ElementReport> reports() const override {
    return {{"normal force", "N"}, {"friction force", "N"}, {"slip", "m/s"}, {"power", "W"}};
  }

 private:
  static constexpr const char* type_name = "dry friction";

  void do_add_to(const Motion<Space>& m, ForceSums<Space>& sums) const override {
    const Vector<Space> force = friction(m) * options_.tangent;
    detail::add_opposite_forces(m, force, contact(m), sums);
  }

  void do_report(const Motion<Space>& m, double* values) const override {
    values[0] = normal_force(m);
    values[1] = friction(m);
    values[2] = slip(m);
    values[3] = values[1] * values[2];
  }

  double normal_force(const Motion<Space>& m) const { return options_.normal.dot(m.reaction(0).force); }
  /// On the son along the tangent [N].
  double friction(const Motion<Space>& m) const {
    return options_.coefficient * signed_normal_force(m, normal_force(m));
  }

  double signed_normal_force(const Motion<Space>& m, double normal_force) const {
    switch (options_.direction) {
      case Direction::smoothed:
        return -std::abs(normal_force) * std::tanh(slip(m) / options_.speed);
      case Direction::frozen:
        return -std::abs(normal_force) * m.memory(0);
      case Direction::given:
        break;
    }
    return normal_force;
  }

  double do_switching_function(const Motion<Space>& m, int) const override { return slip(m); }

  // The located zero leaves a slip of either sign, so a crossing turns the remembered sign and does not ask the slip.
  void do_remember(const Motion<Space>& m, bool, int crossed, double* memory) const override {
    if (options_.direction != Direction::frozen) return;
    const double sign = m.memory(0), now = slip(m);
    if (crossed == 0)
      memory[0] = -sign;
    else if (now != 0)
      memory[0] = now > 0 ? 1 : -1;
    else if (sign == 0)
      memory[0] = options_.initial_sign;
  }

  Vector<Space> contact(const Motion<Space>& m) const { return m.frame(1).pose.position + options_.arm; }

  double slip(const Motion<Space>& m) const {
    const Vector<Space> point = contact(m);
    return options_.tangent.dot(detail::velocity_at(m, 1, point) - detail::velocity_at(m, 0, point));
  }

  Options options_;
};

extern template class DryFriction<Planar>;
extern template class DryFriction<Spatial>;

}  // namespace linkwork
