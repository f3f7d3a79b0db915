#include "zoo/models.hpp"

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/joints/constraints/rod.hpp>
#include <linkwork/joints/revolute.hpp>

#include <cmath>
#include <string>
#include <vector>

// A curtain: n chains of n links hang side by side, and the ends of neighbouring links are tied by massless rods. Where
// no rod is parallel to the links that it ties, each chain's motion follows from that of the chain before it, so that
// no row is redundant and n freedoms are left.

namespace linkwork::apps {
namespace mesh {

AnyModel build(const Parameters& parameters) {
  PlanarModel model("mesh");
  model.set_gravity({0, -9.81});
  const int n = static_cast<int>(parameters.at("n"));
  const Eigen::Vector2d below(0, -1);

  std::vector<BodyRef<Planar>> left;
  for (int column = 0; column < n; ++column) {
    std::vector<BodyRef<Planar>> chain;
    Frame<Planar> support = model.ground().at({column, 0});
    Eigen::Vector2d position = support.offset, velocity = Eigen::Vector2d::Zero();
    for (int row = 0; row < n; ++row) {
      // The chains start alike, but links of two masses in turn make the rods work.
      const double angle = 0.3 * std::sin(row + 1.0), rate = 0.1 * std::cos(2.0 * row + 1);
      const double mass = (row + column) % 2 == 0 ? 1 : 2;
      const std::string number = concat(" ", row + 1, ",", column + 1);
      auto link = model.add_body("link" + number, MassProperties::planar(mass, 0.1 * mass, {0, -0.5}));
      link.place(position, angle).move(velocity, rate);
      model.add_joint<Revolute>("pin" + number, support, link.origin());
      if (column > 0)
        model.add_constraint<Rod>("rod" + number, left[static_cast<std::size_t>(row)].at(below), link.at(below), 1.0);
      const Eigen::Vector2d arm = rotation_matrix(angle) * below;
      position += arm;
      velocity += cross(rate, arm);
      support = link.at(below);
      chain.push_back(link);
    }
    left = chain;
  }

  const auto corner = left.back().at(below);
  model.add_observable("x", "m", [=](const auto& now) { return now.pose(corner).position.x(); });
  model.add_observable("y", "m", [=](const auto& now) { return now.pose(corner).position.y(); });
  return model;
}

}  // namespace mesh

ZooModel mesh_model() {
  using namespace mesh;
  return {.name = "mesh",
          .description = "Hanging square mesh of n x n links: n chains tied by massless rods.",
          .space = Planar::name,
          .parameters = {{"n", "", 4, "number of chains, and of links in each", 1, 1000, true}},
          .t_end = 1,
          .build = build};
}

}  // namespace linkwork::apps
