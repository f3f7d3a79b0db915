#pragma once

#include <linkwork/forces/common.hpp>

#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace linkwork {

/// Spring and damper in series on the line between the origins of two frames (Maxwell element): a damper on an elastic
/// mount. The damper's stretch r is a state, its rate w an auxiliary variable; l is the distance of the frames:
///
///   r' = w,   0 = damper(w) - stiffness (l - free_length - r)
///
/// Both sides are the tension, which pulls the frames together where it is positive; damper(w) = damping w, or a law
/// that rises with w. Power on the bodies = -tension l', V = stiffness (l - free_length - r)^2 / 2; the damper takes
/// damper(w) w. It reports l, l', the tension, the power on the bodies, the stretch of the damper and what that takes.
/// At l = 0 the line has no direction and the element reports a RecoverableFailure.
template <class Space>
class SeriesSpringDamper final : public ForceElement<Space> {
 public:
  struct Options {
    double stiffness = 0;     ///< of the spring [N/m], > 0
    double damping = 0;       ///< of the damper [N s/m], > 0 unless there is a law
    double free_length = 0;   ///< [m], >= 0
    double initial = 0;       ///< stretch of the damper at the start [m]
    double typical_rate = 1;  ///< w in small parts of which the law is nearly linear [m/s], > 0
    /// Tension [N] of the damper's rate [m/s] in place of `damping`: smooth, rising, zero at rest.
    std::function<double(double rate)> law = {};
  };

  /// @throws ModelError if a number is out of its range, or unless one of damping and law is given
  SeriesSpringDamper(const Frame<Space>& first, const Frame<Space>& second, Options options)
      : ForceElement<Space>(detail::two_frames(type_name, first, second)), options_(std::move(options)) {
    detail::check_positive(type_name, "stiffness", options_.stiffness, "N/m");
    detail::check_not_negative(type_name, "free length", options_.free_length, "m");
    detail::check_finite(type_name, "initial stretch", options_.initial, "m");
    detail::check_positive(type_name, "typical rate", options_.typical_rate, "m/s");
    if (!options_.law)
      detail::check_positive(type_name, "damping", options_.damping, "N s/m", " (or a law)");
    else if (options_.damping != 0)
      throw ModelError(concat(type_name, ": a law is given besides damping ", options_.damping,
                              " N s/m; the law gives the whole tension, so leave the damping at 0."));
  }

  std::string_view type() const override { return type_name; }
  int states() const override { return 1; }
  double initial_state(int) const override { return options_.initial; }
  int auxiliaries() const override { return 1; }
  std::optional<ForceUse> use() const override {
    const FrameUse end{.rotation = false, .velocity = false, .angular_velocity = false, .torque = false};
    return ForceUse{.frames = {end, end}, .auxiliary = false};
  }
  std::optional<ForceUse> rate_use() const override {
    return ForceUse{.frames = {FrameUse::nothing(), FrameUse::nothing()}, .states = false};
  }
  std::optional<ForceUse> auxiliary_use() const override {
    std::optional<ForceUse> out = use();
    out->auxiliary = true;
    return out;
  }
  double typical_auxiliary(int) const override { return options_.typical_rate; }
  std::vector<ElementReport> reports() const override {
    return {{"length", "m"}, {"rate", "m/s"},           {"force", "N"},
            {"power", "W"},  {"damper's stretch", "m"}, {"dissipation", "W"}};
  }

 private:
  static constexpr const char* type_name = "series spring-damper";

  double stretch(const Motion<Space>& m) const {
    return detail::line_between<Space>(m).norm() - options_.free_length - m.state(0);
  }

  void do_add_to(const Motion<Space>& m, ForceSums<Space>& sums) const override {
    const Vector<Space> along = detail::line_between<Space>(m);
    const double length = detail::length_of_line(type_name, along);
    const Vector<Space> pull = options_.stiffness * stretch(m) / length * along;
    sums.add_force(0, pull);
    sums.add_force(1, -pull);
  }
  void do_state_rates(const Motion<Space>& m, double* rates) const override { rates[0] = m.auxiliary(0); }
  void do_auxiliary(const Motion<Space>& m, double* d) const override {
    const double rate = m.auxiliary(0);
    d[0] = (options_.law ? options_.law(rate) : options_.damping * rate) - options_.stiffness * stretch(m);
  }
  void do_report(const Motion<Space>& m, double* values) const override {
    const double tension = options_.stiffness * stretch(m), rate = detail::rate_of_line(m);
    values[0] = detail::line_between<Space>(m).norm();
    values[1] = rate;
    values[2] = tension;
    values[3] = -tension * rate;
    values[4] = m.state(0);
    values[5] = tension * m.auxiliary(0);
  }
  double do_potential_energy(const Motion<Space>& m) const override {
    return 0.5 * options_.stiffness * stretch(m) * stretch(m);
  }

  Options options_;
};

extern template class SeriesSpringDamper<Planar>;
extern template class SeriesSpringDamper<Spatial>;

}  // namespace linkwork
