// Two models of one's own under the linkwork command: one that a function builds, and one with a parameter.

#include <linkwork/command.hpp>
#include <linkwork/linkwork.hpp>

linkwork::SpatialModel falling_rod() {
  linkwork::SpatialModel model("falling_rod");
  model.set_gravity({0, 0, -9.81});
  auto rod = model.add_body("rod", linkwork::MassProperties::rod(2.5, 0.8));
  rod.place({0.4, 0, 0});
  model.add_joint<linkwork::Revolute>("pivot", model.ground().origin(), rod.at({-0.4, 0, 0}), linkwork::Axis::y());
  return model;
}

linkwork::AnyModel swing(const linkwork::Parameters& parameters) {
  const double length = parameters.at("length");
  linkwork::PlanarModel model("swing");
  model.set_gravity({0, -9.81});
  auto bar = model.add_body("bar", linkwork::MassProperties::rod(1, length));
  bar.place({length / 2, 0});
  model.add_joint<linkwork::Revolute>("bearing", model.ground().origin(), bar.at({-length / 2, 0}));
  return model;
}

int main(int argc, char** argv) {
  const linkwork::CommandModel parametric = {
      .name = "swing",
      .parameters = {{.name = "length", .unit = "m", .value = 1, .meaning = "of the bar", .least = 0.1, .greatest = 9}},
      .build = swing};
  return linkwork::command(argc, argv, {falling_rod, parametric});
}
