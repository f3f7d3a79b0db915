#pragma once

// Two cranks and a coupler as long as the ground between them.

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/core/model.hpp>
#include <linkwork/core/space.hpp>
#include <linkwork/joints/revolute.hpp>

#include <Eigen/Core>
#include <cmath>

namespace linkwork::test {

/// Without gravity the cranks turn evenly, through the positions where all links lie in one line and the mechanism has
/// another freedom. Observables: the angles of the cranks, "left" and "right", and the "height" of the coupler.
/// @param angle  of the cranks at the start [rad]
/// @param rate   of it [rad/s]
inline PlanarModel parallelogram(double angle, double rate) {
  PlanarModel model("parallelogram");
  const Eigen::Vector2d arm(0.5 * std::cos(angle), 0.5 * std::sin(angle)), across(-arm.y(), arm.x());
  auto left = model.add_body("left crank", MassProperties::rod(1, 1));
  auto right = model.add_body("right crank", MassProperties::rod(1, 1));
  auto coupler = model.add_body("coupler", MassProperties::rod(2, 2));
  left.place(arm, angle);
  left.move(rate * across, rate);
  right.place(arm + Eigen::Vector2d(2, 0), angle);
  right.move(rate * across, rate);
  coupler.place(2 * arm + Eigen::Vector2d(1, 0));
  coupler.move(2 * rate * across, 0);
  model.add_joint<Revolute>("left bearing", model.ground().origin(), left.at({-0.5, 0}));
  model.add_joint<Revolute>("right bearing", model.ground().at({2, 0}), right.at({-0.5, 0}));
  model.add_joint<Revolute>("left pin", left.at({0.5, 0}), coupler.at({-1, 0}));
  model.add_joint<Revolute>("right pin", right.at({0.5, 0}), coupler.at({1, 0}));
  model.add_observable("left", "rad", [=](const Snapshot<Planar>& s) { return s.pose(left.origin()).angle; });
  model.add_observable("right", "rad", [=](const Snapshot<Planar>& s) { return s.pose(right.origin()).angle; });
  model.add_observable("height", "m", [=](const Snapshot<Planar>& s) { return s.pose(coupler.origin()).position.y(); });
  return model;
}

}  // namespace linkwork::test
