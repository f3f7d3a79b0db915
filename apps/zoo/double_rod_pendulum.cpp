#include "zoo/models.hpp"

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/joints/revolute.hpp>

#include <cmath>
#include <numbers>
#include <string>

namespace linkwork::apps {
namespace double_rod_pendulum {

constexpr double length = 0.5;  // [m]

/// Angles of both rods from the vertical, and speeds at rest.
AnyModel build(const Parameters& parameters) {
  PlanarModel model("double_rod_pendulum");
  model.set_gravity({0, -9.81});
  const double mass = parameters.at("mass");
  Frame<Planar> last = model.ground().origin();
  Eigen::Vector2d pin = Eigen::Vector2d::Zero();
  for (const std::string number : {"1", "2"}) {
    const double angle = parameters.at("angle" + number);
    const Eigen::Vector2d along(std::sin(angle), -std::cos(angle));
    auto rod = model.add_body("rod " + number, MassProperties::rod(mass, length));
    rod.place(pin + 0.5 * length * along, angle - std::numbers::pi / 2);
    model.add_joint<Revolute>("pin " + number, last, rod.at({-0.5 * length, 0}));
    last = rod.at({0.5 * length, 0});
    pin += length * along;
    const auto end = last;
    model.add_observable("x" + number, "m", [=](const auto& now) { return now.pose(end).position.x(); });
    model.add_observable("y" + number, "m", [=](const auto& now) { return now.pose(end).position.y(); });
  }
  return model;
}

}  // namespace double_rod_pendulum

ZooModel double_rod_pendulum_model() {
  using namespace double_rod_pendulum;
  return {.name = "double_rod_pendulum",
          .description =
              "Two homogeneous rods of 0.5 m, six coordinates and four rows: the example of the report on reductions "
              "(REDUCE 6.4), which gives no masses and no start.",
          .space = Planar::name,
          .parameters = {{"mass", "kg", 1, "of each rod", 1e-9, 1e9},
                         {"angle1", "rad", 1.2, "of the upper rod from the vertical", -10, 10},
                         {"angle2", "rad", 0.5, "of the lower rod from the vertical", -10, 10}},
          .t_end = 10,
          .build = build};
}

}  // namespace linkwork::apps
