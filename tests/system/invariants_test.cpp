// Solution invariants of models: energy and momenta in every formulation, and what is refused.

#include "../messages.hpp"

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/bodies/point_mass.hpp>
#include <linkwork/forces/spring_damper.hpp>
#include <linkwork/joints/constraints/rod.hpp>
#include <linkwork/joints/driven_revolute.hpp>
#include <linkwork/joints/revolute.hpp>
#include <linkwork/joints/spherical.hpp>
#include <linkwork/solvers/simulation/simulation.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace linkwork::test {
namespace invariants_test {

constexpr std::array<Formulation, 3> formulations = {Formulation::absolute, Formulation::mixed, Formulation::relative};

std::vector<IntegratorOptions> integrators(double tolerance) {
  return {ExtrapolationOptions{.rtol = tolerance, .atol = tolerance}, BdfOptions{.rtol = tolerance, .atol = tolerance},
          RadauOptions{.rtol = tolerance, .atol = tolerance}};
}

/// Two boxes on a ball joint with a spring across it, in free flight.
SpatialModel tumbling_pair(double damping = 0) {
  SpatialModel model("tumbling pair");
  auto first = model.add_body("first", MassProperties::box(2, {0.6, 0.3, 0.2})).place({0, 0, 0});
  auto second = model.add_body("second", MassProperties::box(1, {0.8, 0.2, 0.1})).place({0.8, 0, 0});
  // Both bodies turn with one angular velocity, and their centres move as it demands.
  const Eigen::Vector3d omega(1.2, -0.7, 2.1), drift(0.3, 0.1, -0.2);
  first.move(drift, omega);
  second.move(drift + omega.cross(Eigen::Vector3d(0.8, 0, 0)), omega);
  model.add_joint<Spherical>("ball", first.at({0.4, 0, 0}), second.at({-0.4, 0, 0}));
  model.add_force<SpringDamper>("band", first.at({0.1, 0.2, 0}), second.at({0, 0.1, 0.1}),
                                {.stiffness = 30, .damping = damping, .free_length = 0.4});
  return model;
}

void expect_kept(const Simulation& simulation, double bound) {
  for (const InvariantReport& report : simulation.invariants())
    EXPECT_LT(report.max_drift, bound) << report.name << ", " << simulation.integrator_name() << ", "
                                       << simulation.equations().formulation_name();
}

TEST(Invariants, OfAFreeMechanismAreEnergyAndSixMomenta) {
  for (const Formulation formulation : formulations)
    for (const IntegratorOptions& integrator : integrators(1e-5)) {
      SpatialModel model = tumbling_pair();
      model.add_energy_invariant();
      for (int i = 0; i < 3; ++i) {
        const Eigen::Vector3d axis = Eigen::Vector3d::Unit(i);
        model.add_momentum_invariant("momentum " + std::to_string(i), axis);
        model.add_angular_momentum_invariant("angular momentum " + std::to_string(i), {0.5, -1, 2}, axis);
      }
      Simulation simulation(model, {.formulation = formulation, .integrator = integrator});
      simulation.run(0, 2);
      ASSERT_EQ(simulation.invariants().size(), 7U);
      // Mass times drift of the first, and of the second with omega x arm: 3 * 0.3 along x.
      EXPECT_NEAR(simulation.invariants()[1].level, 0.9, 1e-12);
      expect_kept(simulation, 1e-12);  // rounding of terms up to 10 J and 10 kg m^2/s, some hundred times
    }
}

/// A four-bar linkage that swings under gravity, with a spring; its crank can turn all the way round.
PlanarModel swinging_linkage(double damping = 0) {
  PlanarModel model("linkage");
  model.set_gravity({0, -9.81});
  auto crank = model.add_body("crank", MassProperties::rod(1, 1)).place({0, 0.5}, std::acos(-1.0) / 2);
  auto coupler = model.add_body("coupler", MassProperties::rod(2, 2)).place({1, 1});
  auto rocker = model.add_body("rocker", MassProperties::rod(1, 1.3)).place({2, 0.35}, std::acos(-1.0) / 2);
  model.add_joint<Revolute>("left", model.ground().origin(), crank.at({-0.5, 0}));
  model.add_joint<Revolute>("upper left", crank.at({0.5, 0}), coupler.at({-1, 0}));
  model.add_joint<Revolute>("upper right", coupler.at({1, 0}), rocker.at({0.65, 0}));
  model.add_joint<Revolute>("right", model.ground().at({2, -0.3}), rocker.at({-0.65, 0}));
  model.add_force<SpringDamper>("spring", model.ground().at({2, 0.3}), crank.at({0.5, 0}),
                                {.stiffness = 40, .damping = damping, .free_length = 1.5});
  return model;
}

TEST(Invariants, OfAClosedLoopStartsAtRestAtATurningPoint) {
  for (const Formulation formulation : formulations)
    for (const IntegratorOptions& integrator : integrators(1e-6)) {
      PlanarModel model = swinging_linkage();
      model.add_energy_invariant();
      Simulation simulation(model, {.formulation = formulation, .integrator = integrator});
      simulation.run(0, 3);
      expect_kept(simulation, 1e-12);  // energies of some 30 J
      EXPECT_NEAR(simulation.invariants()[0].level, simulation.energy().initial, 1e-12);
      EXPECT_LT(simulation.constraint_residual().position_m, 1e-13);
      EXPECT_EQ(simulation.statistics().integrator.invariant_gaps, 0);
    }
}

// A pendulum loses a tenth of its speed whenever it falls through -1 rad. As the state at an event has the angle, and
// the energy lies on its level, the energies are known whatever the tolerance: E := V + 0.81 (E - V), from E = 0 on.
TEST(Invariants, KeepTheirLevelsBetweenEventsThatChangeTheState) {
  const double potential = 0.5 * 9.81 * std::sin(-1.0);
  for (const Formulation formulation : formulations)
    for (const double tolerance : {1e-4, 1e-6, 1e-8})
      for (const IntegratorOptions& integrator : integrators(tolerance)) {
        PlanarModel model("kicked pendulum");
        model.set_gravity({0, -9.81});
        auto rod = model.add_body("rod", MassProperties::rod(1, 1));
        rod.place({0.5, 0});
        model.add_joint<Revolute>("pin", model.ground().origin(), rod.at({-0.5, 0}));
        model.add_energy_invariant();
        model.add_observable("height", "rad",
                             [rod](const Snapshot<Planar>& at) { return at.pose(rod.origin()).angle + 1; });
        Simulation simulation(model, {.formulation = formulation, .integrator = integrator});
        simulation.add_event({.name = "brake",
                              .observable = "height",
                              .direction = Event::Direction::falling,
                              .action = Event::Action::change,
                              .effect = [](State& state, EquationsOfMotion&) { state.v *= 0.9; }});
        simulation.run(0, 6);
        const std::size_t count = simulation.trajectory().events().size();
        const std::string which = std::string(simulation.integrator_name()) + " " +
                                  simulation.equations().formulation_name() + " " + std::to_string(tolerance);
        EXPECT_EQ(count, 4u) << which;
        EXPECT_NEAR(simulation.energy().final, potential * (1 - std::pow(0.81, static_cast<double>(count))), 1e-11)
            << which;  // rounding of six corrections and of the zero's time, some 1e-14 J each
      }
}

/// Area swept by a planet: a function of the user's own, with a part of the velocity that constraints forbid.
TEST(Invariants, MayBeAnyFunctionOfPositionsAndVelocities) {
  for (const Formulation formulation : formulations) {
    PlanarModel model("orbit");
    auto planet = model.add_body<PointMass>("planet", 2.0).place({1, 0}).move({0.4, 0.8});
    model.add_force<SpringDamper>("pull", model.ground().origin(), planet.origin(),
                                  {.stiffness = 3, .damping = 0.7, .free_length = 0.5});
    model.add_invariant("area", "m^2/s", [at = planet.origin()](const Snapshot<Planar>& now) {
      return 0.5 * cross(now.pose(at).position, now.velocity(at).linear);
    });
    Simulation simulation(model, {.formulation = formulation, .integrator = ExtrapolationOptions{.rtol = 1e-4}});
    simulation.run(0, 5);
    EXPECT_NEAR(simulation.invariants()[0].level, 0.4, 1e-15);
    expect_kept(simulation, 1e-14);
    EXPECT_TRUE(contains(simulation.summary(), "  invariant       area = 0.4 m^2/s, drift "));
  }
}

template <class Space>
std::string refusal(const Model<Space>& model) {
  return error_of([&] { make_equations(model); });
}

TEST(Invariants, EnergyIsRefusedWhereElementsDoWork) {
  PlanarModel damped = swinging_linkage(/*damping*/ 1e-3);
  damped.add_energy_invariant();
  const std::string damper = refusal(damped);
  EXPECT_TRUE(
      contains(damper,
               "model 'linkage': invariant 'energy': the energy is not conserved: force 'spring' (spring-damper) "
               "has a power of "))
      << damper;
  EXPECT_TRUE(contains(damper, "; leave the invariant out, or the element.")) << damper;

  PlanarModel driven("wheel");
  auto wheel = driven.add_body("wheel", MassProperties::planar(1, 1));
  driven.add_joint<DrivenRevolute>("drive", driven.ground().origin(), wheel.origin(), Input([](double t) {
                                     return InputValue{std::sin(t), std::cos(t), -std::sin(t)};
                                   }));
  driven.add_energy_invariant("total energy");
  EXPECT_EQ(
      refusal(driven),
      "model 'wheel': invariant 'total energy': the energy is not conserved: joint 'drive' (driven revolute) follows a "
      "prescribed motion and does work; leave the invariant out, or the element.");
}

TEST(Invariants, MomentumIsRefusedOnTheWayWhereAForceChangesIt) {
  PlanarModel model = swinging_linkage();
  model.add_momentum_invariant("momentum", {1, 0});
  Simulation simulation(model);
  const std::string error = error_of([&] { simulation.run(0, 1); });
  EXPECT_TRUE(contains(error, "invariant 'momentum' is not conserved: at t = 0 s it changes by ")) << error;
  EXPECT_TRUE(contains(error, " kg m/s per second along the motion")) << error;
}

TEST(Invariants, ModelRefusesWhatMakesNoSense) {
  PlanarModel model = swinging_linkage();
  const auto one = [](const Snapshot<Planar>&) { return 1.0; };
  const auto expect = [](const std::string& message, const auto& function) { EXPECT_EQ(error_of(function), message); };
  expect("add_invariant: the name of an invariant is empty; give it a name of its own.",
         [&] { model.add_invariant("", "J", one); });
  expect("add_invariant: 'empty' has no function; give one that returns its value.",
         [&] { model.add_invariant("empty", "J", {}); });
  expect("add_invariant: 'energy': the level is inf J; expected finite numbers.",
         [&] { model.add_energy_invariant("energy", 1.0 / 0.0); });
  expect("add_invariant: 'sideways': the direction is (nan 0); expected finite numbers.", [&] {
    model.add_momentum_invariant("sideways", {std::nan(""), 0});
  });
  expect("add_invariant: 'spin': the point is (nan 0) m; expected finite numbers.", [&] {
    model.add_angular_momentum_invariant("spin", {std::nan(""), 0});
  });
  expect("add_invariant: 'sideways': the direction is zero; give one of any other length.", [&] {
    model.add_momentum_invariant("sideways", {0, 0});
  });
  expect("add_invariant: 'spin': the axis is zero; give one of any other length.", [&] {
    model.add_angular_momentum_invariant("spin", {0, 0}, 0.0);
  });
  model.add_energy_invariant();
  expect("add_invariant: there is already an invariant 'energy'; choose another name.",
         [&] { model.add_energy_invariant(); });

  PlanarModel reads = swinging_linkage();
  reads.add_invariant("force", "N", [joint = reads.joint("left")](const Snapshot<Planar>& now) {
    return now.reaction(joint).force.x();
  });
  const auto equations = make_equations(reads);
  expect(
      "invariant 'force': it reads reactions; an invariant is a function of time, positions, velocities and contact "
      "coordinates.",
      [&] { equations->invariants(); });
  expect(
      "add_invariant: 'late': model 'linkage' is in use by equations of motion and can't change any more; finish the "
      "model first, or build another one.",
      [&] { reads.add_invariant("late", "", one); });
}

}  // namespace invariants_test
}  // namespace linkwork::test
