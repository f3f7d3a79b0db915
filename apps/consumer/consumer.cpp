// A rod on a revolute joint falls from the horizontal; the energy it has lost is found in its rotation:
//   m l^2 / 3 omega^2 / 2 = m g l / 2 sin(depth of fall)

#include <linkwork/linkwork.hpp>

#include <cmath>
#include <iostream>

int main() {
  constexpr double gravity = 9.81, length = 0.8;
  linkwork::SpatialModel model("falling rod");
  model.set_gravity({0, 0, -gravity});
  auto rod = model.add_body("rod", linkwork::MassProperties::rod(2.5, length));
  rod.place({length / 2, 0, 0});
  model.add_joint<linkwork::Revolute>("pivot", model.ground().origin(), rod.at({-length / 2, 0, 0}),
                                      linkwork::Axis::y());

  linkwork::Simulation simulation(model, {.integrator = linkwork::ExtrapolationOptions{.rtol = 1e-9, .atol = 1e-9}});
  const linkwork::State end = simulation.run(0.0, 0.3).at(0.3);

  // Positions of a body: quaternion (w, x, y, z), then the centre of mass. Velocities: angular velocity first.
  const double fall = -end.p[6] / (length / 2), omega = end.v[1];
  const double expected = std::sqrt(3 * gravity / length * fall);
  std::cout << "angular velocity " << omega << " rad/s, expected " << expected << " rad/s\n" << simulation.summary();
  return fall > 0.5 && std::abs(omega - expected) < 1e-7 ? 0 : 1;
}
