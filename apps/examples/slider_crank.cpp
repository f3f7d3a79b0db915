#include <linkwork/command.hpp>
#include <linkwork/linkwork.hpp>

#include <cmath>

using namespace linkwork;

PlanarModel slider_crank() {
  PlanarModel model("slider_crank");
  model.set_gravity({0, -9.81});  // m/s^2
  auto crank = model.add_body("crank", MassProperties::rod(/*mass*/ 1.2, /*length*/ 0.3));
  auto rod = model.add_body("rod", MassProperties::rod(1.5, 0.5));
  auto slider = model.add_body("slider", MassProperties::planar(0.8, /*inertia*/ 1e-3));
  crank.place({0, 0.15}, std::atan2(1, 0));
  rod.place({0.2, 0.15}, std::atan2(-3, 4));
  slider.place({0.4, 0});
  model.add_joint<Revolute>("main bearing", model.ground().origin(), crank.at({-0.15, 0}));
  model.add_joint<Revolute>("big end", crank.at({0.15, 0}), rod.at({-0.25, 0}));
  model.add_joint<Revolute>("small end", rod.at({0.25, 0}), slider.origin());
  model.add_joint<Prismatic>("guide", model.ground().origin(), slider.origin(), Axis::x());  // closes a loop
  model.add_force<SpringDamper>("buffer", slider.origin(), model.ground().at({1, 0}),
                                {.stiffness = 40, .damping = 2, .free_length = 0.5});
  return model;
}

int main(int argc, char** argv) { return command(argc, argv, {slider_crank}); }
