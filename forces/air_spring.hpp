#pragma once

#include <linkwork/forces/common.hpp>

#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

namespace linkwork {

/// Air spring on the line between the origins of two frames: a piston on an enclosed amount of gas that changes by a
/// polytrope. With l the distance of the frames, h the height of a cylinder that holds the gas, and p_a the ambient
/// pressure, the thrust, which pushes the frames apart, is
///
///   F = (force + p_a area) (gas_height / h)^exponent - p_a area,    h = gas_height + l - length
///
/// so that F = force and dF/dl = -exponent (force + p_a area) / gas_height at the length of the design.
/// V = -integral of F dl from there; power on the bodies = F l'. It reports l, l', F and that power. Where the piston
/// meets the bottom, h <= 0, or at l = 0, where the line has no direction, the element reports a RecoverableFailure.
/// Source: the polytropic change of state, p V^n constant, of any textbook of thermodynamics.
template <class Space>
class AirSpring final : public ForceElement<Space> {
 public:
  struct Options {
    double force = 0;         ///< thrust at the length of the design [N], > 0
    double length = 0;        ///< of the design [m], > 0
    double gas_height = 0;    ///< volume of the gas at that length over the area [m], > 0
    double area = 0;          ///< of the piston [m^2], >= 0; counts with the ambient pressure only
    double exponent = 1.3;    ///< of the polytrope, >= 1: 1 for slow changes, 1.4 for changes without flow of heat
    double ambient = 101325;  ///< p_a [N/m^2], >= 0
  };

  /// @throws ModelError if a number is out of its range, or both frames are on one body
  AirSpring(const Frame<Space>& first, const Frame<Space>& second, const Options& options)
      : ForceElement<Space>(detail::two_frames(type_name, first, second)), options_(options) {
    detail::check_positive(type_name, "force", options.force, "N");
    detail::check_positive(type_name, "length", options.length, "m");
    detail::check_positive(type_name, "height of the gas", options.gas_height, "m");
    detail::check_not_negative(type_name, "area", options.area, "m^2");
    detail::check_not_negative(type_name, "ambient pressure", options.ambient, "N/m^2");
    if (!(std::isfinite(options.exponent) && options.exponent >= 1))
      detail::refuse(type_name, "exponent", options.exponent, "(a ratio)", " >= 1", "");
  }

  std::string_view type() const override { return type_name; }
  std::optional<ForceUse> use() const override {
    const FrameUse end{.rotation = false, .velocity = false, .angular_velocity = false, .torque = false};
    return ForceUse{.frames = {end, end}};
  }
  std::vector<ElementReport> reports() const override {
    return {{"length", "m"}, {"rate", "m/s"}, {"force", "N"}, {"power", "W"}};
  }

 private:
  static constexpr const char* type_name = "air spring";

  double ambient_force() const { return options_.ambient * options_.area; }
  /// @throws RecoverableFailure where the piston is at the bottom
  double height(double length) const {
    const double height = options_.gas_height + length - options_.length;
    if (!(height > 0))
      throw RecoverableFailure(concat(type_name, ": its ends are ", length, " m apart, where its gas has no height ",
                                      "left; it needs more than ", options_.length - options_.gas_height, " m."));
    return height;
  }

  void do_add_to(const Motion<Space>& m, ForceSums<Space>& sums) const override {
    const Vector<Space> line = detail::line_between<Space>(m);
    const double length = detail::length_of_line(type_name, line);
    const Vector<Space> push = thrust(length) / length * line;
    sums.add_force(0, -push);
    sums.add_force(1, push);
  }

  /// F [N]
  double thrust(double length) const {
    const double gas = options_.force + ambient_force();
    return gas * std::pow(options_.gas_height / height(length), options_.exponent) - ambient_force();
  }

  void do_report(const Motion<Space>& m, double* values) const override {
    const double length = detail::line_between<Space>(m).norm(), rate = detail::rate_of_line(m);
    values[0] = length;
    values[1] = rate;
    values[2] = thrust(length);
    values[3] = values[2] * rate;
  }

  double do_potential_energy(const Motion<Space>& m) const override {
    const double length = detail::line_between<Space>(m).norm();
    const double gas = options_.force + ambient_force(), h = height(length), n = options_.exponent;
    const double ratio = options_.gas_height / h;
    const double of_gas = n == 1 ? std::log(ratio) : std::expm1((n - 1) * std::log(ratio)) / (n - 1);
    return gas * options_.gas_height * of_gas + ambient_force() * (length - options_.length);
  }

  Options options_;
};

extern template class AirSpring<Planar>;
extern template class AirSpring<Spatial>;

}  // namespace linkwork
