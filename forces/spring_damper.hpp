#pragma once

#include <linkwork/forces/common.hpp>

#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace linkwork {

/// Spring and damper on the line between the origins of two frames. With l the distance and l' its rate the tension,
/// which pulls the frames together where it is positive, is
///
///   T = stiffness (l - free_length) + damping l'      or      T = law(l, l')
///
/// V = stiffness (l - free_length)^2 / 2 or energy(l); power on the bodies = -T l'.
/// It reports l, l', T, the power on the bodies and, without a law, the dissipation, damping l'^2.
/// At l = 0 the line has no direction and the element reports a RecoverableFailure; only a linear spring with neither
/// free length nor damping goes through that point (its force is stiffness times the distance vector).
template <class Space>
class SpringDamper final : public ForceElement<Space> {
 public:
  struct Options {
    double stiffness = 0;    ///< [N/m], >= 0
    double damping = 0;      ///< [N s/m], >= 0
    double free_length = 0;  ///< [m], >= 0
    /// Tension [N] of the length [m] and its rate [m/s], in place of the three numbers above.
    std::function<double(double length, double rate)> law = {};
    /// Energy [J] that the law stores at a length [m]; optional, with a law only.
    std::function<double(double length)> energy = {};
  };

  /// @throws ModelError if a number is negative or not finite, if a law is combined with the numbers that it replaces,
  ///         if an energy has no law, or if there is neither stiffness nor damping nor a law
  SpringDamper(const Frame<Space>& first, const Frame<Space>& second, Options options)
      : ForceElement<Space>(detail::two_frames(type_name, first, second)), options_(std::move(options)) {
    detail::check_not_negative(type_name, "stiffness", options_.stiffness, "N/m");
    detail::check_not_negative(type_name, "damping", options_.damping, "N s/m");
    detail::check_not_negative(type_name, "free length", options_.free_length, "m");
    const bool linear = options_.stiffness > 0 || options_.damping > 0;
    if (options_.law && (linear || options_.free_length > 0))
      throw ModelError(concat(type_name, ": a law is given besides stiffness ", options_.stiffness, " N/m, damping ",
                              options_.damping, " N s/m, free length ", options_.free_length,
                              " m; the law gives the whole tension, so leave these three at 0."));
    if (options_.energy && !options_.law)
      throw ModelError(
          concat(type_name, ": an energy is given without a law; the linear spring knows its own energy."));
    if (!linear && !options_.law)
      throw ModelError(concat(type_name,
                              ": stiffness is 0 N/m, damping 0 N s/m and there is no law, so that the element ",
                              "does nothing; give one of them."));
  }

  std::string_view type() const override { return type_name; }
  std::optional<ForceUse> use() const override {
    const FrameUse end{.rotation = false,
                       .velocity = options_.law || options_.damping > 0,
                       .angular_velocity = false,
                       .torque = false};
    return ForceUse{.frames = {end, end}};
  }
  std::vector<ElementReport> reports() const override {
    std::vector<ElementReport> out{{"length", "m"}, {"rate", "m/s"}, {"force", "N"}, {"power", "W"}};
    if (!options_.law) out.push_back({"dissipation", "W"});
    return out;
  }

 private:
  static constexpr const char* type_name = "spring-damper";

  void do_add_to(const Motion<Space>& m, ForceSums<Space>& sums) const override {
    const Vector<Space> line = detail::line_between<Space>(m);
    const Vector<Space> pull = tension_per_length(m, line) * line;
    sums.add_force(0, pull);
    sums.add_force(1, -pull);
  }

  double tension_per_length(const Motion<Space>& m, const Vector<Space>& line) const {
    if (!options_.law && options_.damping == 0 && options_.free_length == 0) return options_.stiffness;
    const double length = detail::length_of_line(type_name, line);
    const double rate = line.dot(m.frame(1).velocity.linear - m.frame(0).velocity.linear) / length;
    const double tension = options_.law
                               ? options_.law(length, rate)
                               : options_.stiffness * (length - options_.free_length) + options_.damping * rate;
    return tension / length;
  }

  void do_report(const Motion<Space>& m, double* values) const override {
    const Vector<Space> line = detail::line_between<Space>(m);
    const double length = line.norm(), rate = detail::rate_of_line(m);
    values[0] = length;
    values[1] = rate;
    values[2] = tension_per_length(m, line) * length;
    values[3] = -values[2] * rate;
    if (!options_.law) values[4] = options_.damping * rate * rate;
  }

  double do_potential_energy(const Motion<Space>& m) const override {
    const double length = detail::line_between<Space>(m).norm();
    if (options_.law) return options_.energy ? options_.energy(length) : 0;
    const double stretch = length - options_.free_length;
    return 0.5 * options_.stiffness * stretch * stretch;
  }

  Options options_;
};

extern template class SpringDamper<Planar>;
extern template class SpringDamper<Spatial>;

}  // namespace linkwork
