// Force elements inside a run: their memory, switches and states against closed forms.

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/bodies/point_mass.hpp>
#include <linkwork/forces/actuator.hpp>
#include <linkwork/forces/applied_force.hpp>
#include <linkwork/forces/dry_friction.hpp>
#include <linkwork/forces/torsion_spring_damper.hpp>
#include <linkwork/joints/prismatic.hpp>
#include <linkwork/joints/revolute.hpp>
#include <linkwork/solvers/simulation/simulation.hpp>

#include <gtest/gtest.h>
#include <cmath>
#include <numbers>

namespace linkwork {
namespace forces_in_motion_test {

constexpr double pi = std::numbers::pi;
// Tolerance 1e-9 in each of up to a hundred steps, values up to ten.
constexpr double tolerance = 1e-6;
const SimulationOptions precise{.integrator = ExtrapolationOptions{.rtol = 1e-9, .atol = 1e-9}};

TEST(TorsionSpringDamper, SwingsOverSeveralTurnsTheSameInEveryRun) {
  constexpr double inertia = 0.5, frequency = 2, amplitude = 6 * pi, t_end = 0.4 * pi;
  SpatialModel model;
  auto disc = model.add_body("disc", MassProperties::cylinder(/*mass*/ 1, /*radius*/ 1, /*length*/ 0.1));
  model.add_joint<Revolute>("bearing", model.ground().origin(), disc.origin(), Axis::z());
  model.add_force<TorsionSpringDamper>(
      "spring", model.ground().origin(), disc.origin(), Axis::z(),
      TorsionSpringDamper<Spatial>::Options{.stiffness = inertia * frequency * frequency});
  disc.move({0, 0, 0}, {0, 0, amplitude * frequency});
  Simulation simulation(model, precise);
  for (int run = 0; run < 2; ++run) {
    const State end = simulation.run(0, t_end).final_state();
    EXPECT_NEAR(end.v[2], amplitude * frequency * std::cos(frequency * t_end), tolerance);
    EXPECT_NEAR(std::abs(end.p[0]), std::abs(std::cos(amplitude / 2 * std::sin(frequency * t_end))), tolerance);
  }
}

// A block on a rough plane, drawn to x = 0: x'' = -x - mu g sign(x'). Each half swing is a cosine about +-mu g, so that
// its amplitude is 2 mu g smaller than that of the one before.
TEST(DryFriction, FrozenSignFollowsACoulombOscillator) {
  constexpr double gravity = 10, coefficient = 0.01, offset = coefficient * gravity, mass = 2, start = 1;
  PlanarModel model;
  model.set_gravity({0, -gravity});
  auto block = model.add_body("block", MassProperties::planar(mass, 1));
  block.place({start, 0});
  const auto slide = model.add_joint<Prismatic>("slide", model.ground().origin(), block.origin(), Axis::x());
  model.add_force<AppliedForce>("spring", block.origin(), [](const Motion<Planar>& m) -> Eigen::Vector2d {
    return {-mass * m.frame(0).pose.position.x(), 0};
  });
  model.add_force<DryFriction>("friction", slide, model.ground().origin(), block.origin(),
                               DryFriction<Planar>::Options{.coefficient = coefficient,
                                                            .normal = {0, 1},
                                                            .tangent = {1, 0},
                                                            .direction = DryFriction<Planar>::Direction::frozen,
                                                            .initial_sign = -1});
  Simulation simulation(model, precise);
  // Two reversals, then half of the third swing: from 1 - 4 offsets around +offset.
  const State end = simulation.run(0, 2.5 * pi).final_state();
  EXPECT_NEAR(end.p[1], offset, tolerance);
  EXPECT_NEAR(end.v[1], -(start - 4 * offset - offset), tolerance);
  EXPECT_EQ(simulation.statistics().restarts, 2);
}

TEST(DryFriction, SmoothedForceStopsASlidingBlock) {
  constexpr double gravity = 10, coefficient = 0.1, speed = 1;
  PlanarModel model;
  model.set_gravity({0, -gravity});
  auto block = model.add_body("block", MassProperties::planar(2, 1));
  block.move({speed, 0});
  const auto slide = model.add_joint<Prismatic>("slide", model.ground().origin(), block.origin(), Axis::x());
  model.add_force<DryFriction>(
      "friction", slide, model.ground().origin(), block.origin(),
      DryFriction<Planar>::Options{.coefficient = coefficient, .normal = {0, 1}, .tangent = {1, 0}, .speed = 0.05});
  // v' = -mu g tanh(v / s) has sinh(v / s) = sinh(v_0 / s) exp(-mu g t / s).
  Simulation simulation(model, precise);
  const State end = simulation.run(0, 0.98).final_state();
  EXPECT_NEAR(end.v[1], 0.05 * std::asinh(std::sinh(speed / 0.05) * std::exp(-coefficient * gravity * 0.98 / 0.05)),
              tolerance);
}

TEST(Actuator, SpinsARotorUpWithItsLag) {
  constexpr double torque = 3, lag = 0.2, inertia = 0.5, t_end = 1;
  PlanarModel model;
  auto rotor = model.add_body("rotor", MassProperties::planar(1, inertia));
  model.add_joint<Revolute>("bearing", model.ground().origin(), rotor.origin());
  model.add_force<Actuator>("motor", model.ground().origin(), rotor.origin(),
                            {.command = [](const Motion<Planar>&) { return torque; }, .time_constant = lag});
  Simulation simulation(model, precise);
  const State end = simulation.run(0, t_end).final_state();
  EXPECT_NEAR(end.r[0], torque * (1 - std::exp(-t_end / lag)), tolerance);
  EXPECT_NEAR(end.v[0], torque / inertia * (t_end - lag * (1 - std::exp(-t_end / lag))), tolerance);
}

}  // namespace forces_in_motion_test
}  // namespace linkwork
