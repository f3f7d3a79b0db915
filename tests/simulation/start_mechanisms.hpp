#pragma once

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/bodies/point_mass.hpp>
#include <linkwork/core/model.hpp>
#include <linkwork/joints/prismatic.hpp>
#include <linkwork/joints/revolute.hpp>

#include <cmath>

namespace linkwork::test {

/// A crank of 0.3 m turns on the origin and moves a slider on the x axis by a rod of 0.5 m. The bodies may be placed
/// off where they belong.
struct SliderCrank {
  static constexpr double crank_length = 0.3, rod_length = 0.5;
  PlanarModel model{"slider crank"};
  BodyRef<Planar> crank, rod, slider;
  JointRef<Planar> bearing;

  explicit SliderCrank(double displacement = 0, double angle = std::atan2(1, 0)) {
    const double x = displacement;
    crank = model.add_body("crank", MassProperties::rod(1.2, crank_length));
    rod = model.add_body("rod", MassProperties::rod(1.5, rod_length));
    slider = model.add_body("slider", MassProperties::planar(0.8, 1e-3));
    const Eigen::Vector2d pin = crank_length * Eigen::Vector2d(std::cos(angle), std::sin(angle));
    const Eigen::Vector2d end(slider_position(angle), 0);
    const Eigen::Vector2d along = end - pin;
    crank.place(pin / 2 + Eigen::Vector2d(x, -x), angle + x);
    rod.place((pin + end) / 2 + Eigen::Vector2d(-x, x), std::atan2(along.y(), along.x()) - x);
    slider.place(end + Eigen::Vector2d(x, x), 2 * x);
    bearing = model.add_joint<Revolute>("main bearing", model.ground().origin(), crank.at({-crank_length / 2, 0}));
    model.add_joint<Revolute>("big end", crank.at({crank_length / 2, 0}), rod.at({-rod_length / 2, 0}));
    model.add_joint<Revolute>("small end", rod.at({rod_length / 2, 0}), slider.origin());
    model.add_joint<Prismatic>("guide", model.ground().origin(), slider.origin(), Axis::x());
  }

  // Closed forms.
  static double slider_position(double angle) {
    return crank_length * std::cos(angle) +
           std::sqrt(rod_length * rod_length - std::pow(crank_length * std::sin(angle), 2));
  }
  /// d slider_position / d angle.
  static double transmission(double angle) {
    const double s = crank_length * std::sin(angle);
    return -s - s * crank_length * std::cos(angle) / std::sqrt(rod_length * rod_length - s * s);
  }
};

/// Grashof's crank and rocker: crank 1 m on the origin, coupler 3 m, rocker 2.5 m on (3, 0).
struct FourBar {
  static constexpr double crank_length = 1, coupler_length = 3, rocker_length = 2.5, base = 3;
  PlanarModel model{"four-bar"};
  BodyRef<Planar> crank, coupler, rocker;
  JointRef<Planar> crank_pin, rocker_pin;

  /// @param side  1: the coupler's end above the line from crank to rocker pin, -1 below
  explicit FourBar(double angle = 1, int side = 1) {
    crank = model.add_body("crank", MassProperties::rod(1, crank_length));
    coupler = model.add_body("coupler", MassProperties::rod(2, coupler_length));
    rocker = model.add_body("rocker", MassProperties::rod(1.5, rocker_length));
    const Eigen::Vector2d a = crank_end(angle), b = coupler_end(angle, side), c(base, 0);
    crank.place(a / 2, angle);
    coupler.place((a + b) / 2, direction(a, b));
    rocker.place((b + c) / 2, direction(c, b));
    crank_pin = model.add_joint<Revolute>("A", model.ground().origin(), crank.at({-crank_length / 2, 0}));
    model.add_joint<Revolute>("B", crank.at({crank_length / 2, 0}), coupler.at({-coupler_length / 2, 0}));
    model.add_joint<Revolute>("C", rocker.at({rocker_length / 2, 0}), coupler.at({coupler_length / 2, 0}));
    rocker_pin = model.add_joint<Revolute>("D", model.ground().at({base, 0}), rocker.at({-rocker_length / 2, 0}));
  }

  static double direction(const Eigen::Vector2d& from, const Eigen::Vector2d& to) {
    return std::atan2(to.y() - from.y(), to.x() - from.x());
  }
  static Eigen::Vector2d crank_end(double angle) {
    return crank_length * Eigen::Vector2d(std::cos(angle), std::sin(angle));
  }
  /// Intersection of the circles about the crank's end and the rocker's pin.
  static Eigen::Vector2d coupler_end(double angle, int side) {
    const Eigen::Vector2d a = crank_end(angle), c(base, 0), d = c - a;
    const double length = d.norm();
    const double along =
        (coupler_length * coupler_length - rocker_length * rocker_length + length * length) / (2 * length);
    const double across = side * std::sqrt(coupler_length * coupler_length - along * along);
    return a + along / length * d + across / length * Eigen::Vector2d(-d.y(), d.x());
  }
  static double rocker_angle(double angle, int side) {
    return direction(Eigen::Vector2d(base, 0), coupler_end(angle, side));
  }
};

}  // namespace linkwork::test
