#include "zoo/models.hpp"

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/joints/revolute.hpp>

#include <cmath>
#include <string>

namespace linkwork::apps {
namespace ladder {

/// A loop hangs on the rung above it, the first one on the ground: left and right rail, rung, four pins.
AnyModel build(const Parameters& parameters) {
  PlanarModel model("ladder");
  model.set_gravity({0, -9.81});
  const int n = static_cast<int>(parameters.at("n"));
  const MassProperties rail = MassProperties::planar(1, 0.11, {0.02, -0.5}),
                       rung = MassProperties::planar(1, 0.11, {0.5, 0});
  const Eigen::Vector2d below(0, -1), width(1, 0);

  BodyRef<Planar> above = model.ground();
  Eigen::Vector2d position = Eigen::Vector2d::Zero(), velocity = Eigen::Vector2d::Zero();  // of the left end
  for (int k = 0; k < n; ++k) {
    // Parallelograms: the rungs stay level.
    const double angle = 0.3 * std::sin(k + 1.0), rate = 0.1 * std::cos(2.0 * k + 1);
    const std::string number = concat(" ", k + 1);
    auto left = model.add_body("left rail" + number, rail), right = model.add_body("right rail" + number, rail);
    left.place(position, angle).move(velocity, rate);
    right.place(position + width, angle).move(velocity, rate);
    const Eigen::Vector2d arm = rotation_matrix(angle) * below;
    position += arm;
    velocity += cross(rate, arm);
    auto level = model.add_body("rung" + number, rung);
    level.place(position).move(velocity);
    model.add_joint<Revolute>("upper left" + number, above.origin(), left.origin());
    model.add_joint<Revolute>("upper right" + number, above.at(width), right.origin());
    model.add_joint<Revolute>("lower left" + number, left.at(below), level.origin());
    model.add_joint<Revolute>("lower right" + number, right.at(below), level.at(width));
    above = level;
  }

  const auto end = above.origin();
  model.add_observable("x", "m", [=](const auto& now) { return now.pose(end).position.x(); });
  model.add_observable("y", "m", [=](const auto& now) { return now.pose(end).position.y(); });
  model.add_observable("phi", "rad", [=](const auto& now) { return now.pose(end).angle; });
  return model;
}

}  // namespace ladder

ZooModel ladder_model() {
  using namespace ladder;
  return {.name = "ladder",
          .description = "Hanging planar ladder of n four-bar loops.",
          .space = Planar::name,
          .parameters = {{"n", "", 4, "number of loops", 1, 1e6, true}},
          .t_end = 1,
          .build = build};
}

}  // namespace linkwork::apps
