// A hammer on a hinge falls onto a block that slides against friction-free ground and a spring: the blow is an event,
// whose effect is an impulse on both bodies and through the hinge. Restitution 0.3 is checked against the balance of
// angular momentum about the hinge, and the hinge's impulse against the momentum of the hammer.

#include <linkwork/linkwork.hpp>

#include <cmath>
#include <iostream>
#include <numbers>

using namespace linkwork;

int main() {
  constexpr double handle = 0.4, head_mass = 2, block_mass = 5, restitution = 0.3;
  PlanarModel model("hammer");
  model.set_gravity({0, -9.81});
  auto hammer = model.add_body("hammer", MassProperties::planar(head_mass, /*inertia*/ 0.01));
  auto block = model.add_body("block", MassProperties::planar(block_mass, 0.02));
  hammer.place({handle, 0}, std::numbers::pi / 2);  // the handle is horizontal, its own axis points down when it hangs
  block.place({-0.05, -handle});
  auto hinge = model.add_joint<Revolute>("hinge", model.ground().origin(), hammer.at({0, handle}));
  model.add_joint<Prismatic>("slide", model.ground().at({0, -handle}), block.origin(), Axis::x());
  model.add_force<SpringDamper>("buffer", model.ground().at({-1, -handle}), block.origin(),
                                {.stiffness = 200, .damping = 5, .free_length = 0.95});
  model.add_observable("gap", "m", [=](const Snapshot<Planar>& at) {
    return at.pose(hammer.origin()).position.x() - at.pose(block.at({0.05, 0})).position.x();
  });
  model.add_observable("spin", "rad/s",
                       [=](const Snapshot<Planar>& at) { return at.velocity(hammer.origin()).angular; });
  model.add_observable("block", "m/s",
                       [=](const Snapshot<Planar>& at) { return at.velocity(block.origin()).linear.x(); });

  Simulation simulation(
      model, {.formulation = Formulation::relative, .integrator = ExtrapolationOptions{.rtol = 1e-9, .atol = 1e-9}});
  Wrench<Planar> blow, at_hinge;
  int blows = 0;
  simulation.add_event(
      {.observable = "gap",
       .direction = Event::Direction::falling,
       .action = Event::Action::change,
       .effect = [&](State& state, EquationsOfMotion& equations) {
         const auto hit = collide(equations, state, hammer.origin(), block, /*normal*/ {1, 0}, restitution);
         if (blows++ > 0) return;
         blow = hit.applied[0].impulse;
         at_hinge = hit.reaction(hinge);
       }});
  const Trajectory& path = simulation.run(0, 0.6);
  const double t = path.events().at(0).t;
  const auto spin = [&](Side side) {
    Eigen::VectorXd values;
    simulation.equations().observables(path.at(t, side), values);
    return Eigen::Vector2d(values[1], values[2]);
  };
  const Eigen::Vector2d before = spin(Side::left), after = spin(Side::right);

  // About the hinge (m l^2 + I) w jumps by the arm times the blow; the block's momentum by its opposite.
  const double inertia = head_mass * handle * handle + 0.01;
  const double turning = inertia * (after[0] - before[0]) - handle * blow.force.x();
  const double sliding = block_mass * (after[1] - before[1]) + blow.force.x();
  const double speeds = handle * after[0] - after[1] + restitution * (handle * before[0] - before[1]);
  const double balance = head_mass * handle * (after[0] - before[0]) - blow.force.x() - at_hinge.force.x();
  std::cout << "blow of " << blow.force.x() << " N s at " << t << " s, " << at_hinge.force.x() << " N s in the hinge\n";
  constexpr double rounding = 1e-12;  // of numbers of the size of ten
  const bool is_right = std::abs(turning) < rounding && std::abs(sliding) < rounding && std::abs(speeds) < rounding &&
                        std::abs(balance) < rounding;
  return is_right ? 0 : 1;
}
