// Whole models: energy, residuals, dense output, driven joints.

#include "../random_mechanism.hpp"

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/forces/actuator.hpp>
#include <linkwork/forces/applied_torque.hpp>
#include <linkwork/forces/dry_friction.hpp>
#include <linkwork/forces/spring_damper.hpp>
#include <linkwork/forces/torsion_spring_damper.hpp>
#include <linkwork/joints/constraints/rod.hpp>
#include <linkwork/joints/driven_revolute.hpp>
#include <linkwork/joints/prismatic.hpp>
#include <linkwork/joints/revolute.hpp>
#include <linkwork/joints/spherical.hpp>
#include <linkwork/joints/universal.hpp>
#include <linkwork/solvers/simulation/simulation.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace linkwork::test {
namespace models_test {

constexpr double gravity = 9.81;

SimulationOptions with_tolerance(double tolerance) {
  ExtrapolationOptions options{.rtol = tolerance, .atol = tolerance};
  options.consent_to_projection = true;  // driven joints start at once
  return {.integrator = options};
}

// --------------------------------------------------------------------------------------------------- energy

/// Runs a model and expects that its energy changes, by the work of its elements.
template <class Space>
void expect_energy_balance(const Model<Space>& model, double t_end) {
  SCOPED_TRACE(model.name());
  constexpr double tolerance = 1e-9;
  SimulationOptions options = with_tolerance(tolerance);
  options.energy_balance = true;
  Simulation simulation(model, options);
  simulation.run(0, t_end);
  const EnergyReport& energy = simulation.energy();
  // Worst seen: 85 tolerances, of a random mechanism in its 34 steps. What an element did unnoticed would be a part of
  // the drift.
  const double size = std::max({1.0, std::abs(energy.initial), energy.max_drift});  // [J]
  EXPECT_LT(energy.balance, 300 * tolerance * size);
  EXPECT_GT(energy.max_drift, 0.1);
}

TEST(EnergyBalance, HoldsForSpringsDampersAndMotors) {
  PlanarModel model("crane");
  model.set_gravity({0, -gravity});
  auto arm = model.add_body("arm", MassProperties::rod(2, 1)).place({0.5, 0});
  auto boom = model.add_body("boom", MassProperties::rod(1, 0.8)).place({1.4, 0});
  const auto ground = model.ground().origin(), arm_end = arm.at({0.5, 0}), boom_foot = boom.at({-0.4, 0});
  model.add_joint<Revolute>("shoulder", ground, arm.at({-0.5, 0}));
  model.add_joint<Revolute>("elbow", arm_end, boom_foot);
  model.add_force<SpringDamper>("strut", model.ground().at({0, -1}), arm.at({0.2, 0}),
                                {.stiffness = 80, .damping = 3, .free_length = 0.6});
  model.add_force<TorsionSpringDamper>("elbow spring", arm_end, boom_foot, {.stiffness = 5, .damping = 0.2});
  model.add_force<AppliedTorque>("motor", arm.origin(),
                                 [](const Motion<Planar>& m) { return 6 * std::sin(3 * m.time()); });
  model.add_force<Actuator>(
      "drive", arm_end, boom_foot,
      Actuator<Planar>::Options{.command = [](const Motion<Planar>& m) { return 2 - m.frame(1).velocity.angular; },
                                .time_constant = 0.1});
  expect_energy_balance(model, 2);
}

TEST(EnergyBalance, HoldsInSpace) {
  SpatialModel model("gyro arm");
  model.set_gravity({0, 0, -gravity});
  auto arm = model.add_body("arm", MassProperties::box(2, {1, 0.2, 0.1})).place({0.5, 0, 0});
  auto rotor = model.add_body("rotor", MassProperties::cylinder(1, 0.3, 0.1, Axis::x())).place({1.1, 0, 0});
  const auto arm_end = arm.at({0.5, 0, 0}), hub = rotor.at({-0.1, 0, 0});
  model.add_joint<Universal>("mast", model.ground().origin(), arm.at({-0.5, 0, 0}), Axis::z(), Axis::y());
  model.add_joint<Revolute>("hub", arm_end, hub, Axis::x());
  model.add_force<SpringDamper>("stay", model.ground().at({0, 0.2, 1}), arm_end,
                                {.stiffness = 40, .damping = 1, .free_length = 1.2});
  model.add_force<TorsionSpringDamper>("hub friction", arm_end, hub, Axis::x(),
                                       TorsionSpringDamper<Spatial>::Options{.damping = 0.05});
  model.add_force<Actuator>(
      "motor", arm_end, hub,
      Actuator<Spatial>::Options{.command = [](const Motion<Spatial>& m) { return 3 * std::cos(m.time()); },
                                 .time_constant = 0.2,
                                 .axis = Eigen::Vector3d::UnitX()});
  expect_energy_balance(model, 2);
}

/// A block that slides up a slope and down again.
PlanarModel block_on_slope(DryFriction<Planar>::Direction direction) {
  PlanarModel model("block on slope");
  model.set_gravity({0, -gravity});
  const Eigen::Vector2d along(0.8, 0.6), normal(-0.6, 0.8);
  auto block = model.add_body("block", MassProperties::planar(2, 0.1)).move(4 * along);
  const auto ground = model.ground().origin(), foot = block.origin();
  const auto slope = model.add_joint<Prismatic>("slope", ground, foot, Axis({along.x(), along.y(), 0}));
  DryFriction<Planar>::Options options;
  options.coefficient = 0.3;
  options.normal = normal;
  options.tangent = along;
  options.direction = direction;
  options.speed = direction == DryFriction<Planar>::Direction::smoothed ? 0.1 : 0;
  model.add_force<DryFriction>("friction", slope, ground, foot, options);
  return model;
}

TEST(EnergyBalance, HoldsForDryFriction) {
  expect_energy_balance(block_on_slope(DryFriction<Planar>::Direction::smoothed), 1.5);
  expect_energy_balance(block_on_slope(DryFriction<Planar>::Direction::frozen), 1.5);
}

TEST(EnergyBalance, HoldsForADrivenRod) {
  PlanarModel model("swing");
  model.set_gravity({0, -gravity});
  auto bob = model.add_body("bob", MassProperties::planar(1, 0.02)).place({std::sin(0.5), -std::cos(0.5)});
  model.add_constraint<Rod>(
      "rope", model.ground().origin(), bob.origin(), Input([](double t) -> InputValue {
        return {1 - 0.2 * std::sin(t) * std::sin(t), -0.2 * std::sin(2 * t), -0.4 * std::cos(2 * t)};
      }));
  expect_energy_balance(model, 4);
}

TEST(EnergyBalance, HoldsForRandomMechanisms) {
  for (const RandomMechanism& options : random_mechanisms(2)) {
    SCOPED_TRACE(testing::Message() << options);
    expect_energy_balance(random_mechanism<Planar>(options), 0.3);
    expect_energy_balance(random_mechanism<Spatial>(options), 0.3);
  }
}

// ------------------------------------------------------------------------------------------------ residuals

template <class Space>
void expect_small_residuals(const RandomMechanism& options) {
  SCOPED_TRACE(testing::Message() << Space::name << ", " << options);
  Simulation simulation(random_mechanism<Space>(options), with_tolerance(1e-7));
  double size = 1, speed = 1;  // [m], [m/s]; angles are relative to 1 rad
  for (const TrajectorySegment& segment : simulation.run(0, 0.5).segments()) {
    size = std::max(size, segment.end.p.cwiseAbs().maxCoeff());
    speed = std::max(speed, segment.end.v.cwiseAbs().maxCoeff());
  }
  const ConstraintResidual& residual = simulation.constraint_residual();
  // 1e-9 of the model's size. A projection stops when a change is below a hundredth of the tolerance and contracts, so
  // that rounding is all that is seen.
  EXPECT_LT(residual.position_m, 1e-9 * size);
  EXPECT_LT(residual.position_rad, 1e-9);
  EXPECT_LT(residual.velocity_m_per_s, 1e-9 * speed);
  EXPECT_LT(residual.velocity_rad_per_s, 1e-9 * speed);
}

TEST(Residuals, AreSmallAtEveryStepOfRandomMechanisms) {
  for (const RandomMechanism& options : random_mechanisms(4)) {
    expect_small_residuals<Planar>(options);
    expect_small_residuals<Spatial>(options);
  }
}

// --------------------------------------------------------------------------------------------- dense output

/// Largest absolute values or errors, by group of components.
struct Groups {
  double p = 0, v = 0, r = 0, a = 0, lambda = 0;
  void add(const State& found, const State& reference) {
    const auto take = [](double& largest, const Eigen::VectorXd& x, const Eigen::VectorXd& y) {
      if (x.size() > 0) largest = std::max(largest, (x - y).cwiseAbs().maxCoeff());
    };
    take(p, found.p, reference.p);
    take(v, found.v, reference.v);
    take(r, found.r, reference.r);
    take(a, found.a, reference.a);
    take(lambda, found.lambda, reference.lambda);
  }
};

/// A four-bar linkage with a motor, or the same in space with spherical joints at one bar.
template <class Space>
Model<Space> linkage() {
  constexpr bool planar = Space::dimension == 2;
  const auto at = [](double x, double y) {
    Vector<Space> out = Vector<Space>::Zero();
    out[0] = x;
    out[1] = y;
    return out;
  };
  Model<Space> model("linkage");
  model.set_gravity(at(0, -gravity));
  auto crank = model.add_body("crank", MassProperties::box(1, {0.4, 0.1, 0.1}));
  auto coupler = model.add_body("coupler", MassProperties::box(2, {1.5, 0.1, 0.1}));
  auto rocker = model.add_body("rocker", MassProperties::box(1.5, {0.8, 0.1, 0.1}));
  const auto turned = [](const Eigen::Vector2d& along) {
    const double angle = std::atan2(along.y(), along.x());
    if constexpr (planar)
      return angle;
    else
      return Eigen::Quaterniond(Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitZ()));
  };
  // Crank from (0, 0) to (0, 0.4), coupler on to (1.2, 1.3), rocker down to (1.2, 0.5).
  crank.place(at(0, 0.2), turned({0, 1}));
  coupler.place(at(0.6, 0.85), turned({1.2, 0.9}));
  rocker.place(at(1.2, 0.9), turned({0, -1}));
  const auto ground = model.ground().origin(), foot = crank.at(at(-0.2, 0));
  if constexpr (planar) {
    model.template add_joint<Revolute>("main bearing", ground, foot);
    model.template add_joint<Revolute>("crank pin", crank.at(at(0.2, 0)), coupler.at(at(-0.75, 0)));
    model.template add_joint<Revolute>("knee", coupler.at(at(0.75, 0)), rocker.at(at(-0.4, 0)));
    model.template add_joint<Revolute>("bearing", model.ground().at(at(1.2, 0.5)), rocker.at(at(0.4, 0)));
  } else {
    model.template add_joint<Revolute>("main bearing", ground, foot, Axis::z());
    model.template add_joint<Universal>("crank pin", crank.at(at(0.2, 0)), coupler.at(at(-0.75, 0)), Axis::z(),
                                        Axis::y());
    model.template add_joint<Spherical>("knee", coupler.at(at(0.75, 0)), rocker.at(at(-0.4, 0)));
    // Its axis leaves the plane, so that the motion does.
    model.template add_joint<Revolute>("bearing", model.ground().at(at(1.2, 0.5)),
                                       rocker.at(at(0.4, 0), turned({0, 1})), Axis({0.3, 0, 1}));
  }
  model.template add_force<SpringDamper>("spring", model.ground().at(at(0.5, 0)), coupler.origin(),
                                         {.stiffness = 30, .damping = 1, .free_length = 0.5});
  typename Actuator<Space>::Options motor;
  motor.command = [](const Motion<Space>& m) { return 4 * std::cos(2 * m.time()); };
  motor.time_constant = 0.1;
  if constexpr (!planar) motor.axis = Eigen::Vector3d::UnitZ();
  model.template add_force<Actuator>("motor", ground, foot, motor);
  return model;
}

template <class Space>
void expect_dense_output_as_accurate_as_steps(double tolerance) {
  SCOPED_TRACE(testing::Message() << Space::name << ", tolerance " << tolerance);
  const Model<Space> model = linkage<Space>();
  Simulation simulation(model, with_tolerance(tolerance)), precise(model, with_tolerance(1e-11));
  constexpr double t_end = 0.5;
  const Trajectory& path = simulation.run(0, t_end);
  const Trajectory& reference = precise.run(0, t_end);
  Groups size, at_steps, between;
  for (const TrajectorySegment& segment : path.segments()) {
    State zero = segment.end;
    for (Eigen::VectorXd* x : {&zero.p, &zero.v, &zero.r, &zero.a, &zero.lambda}) x->setZero();
    size.add(segment.end, zero);
    at_steps.add(segment.end, reference.at(segment.end.t));
    for (int i = 1; i < 8; ++i) {
      const double t = segment.begin.t + i * (segment.end.t - segment.begin.t) / 8;
      between.add(path.at(t), reference.at(t));
    }
  }
  const auto expect_same_order = [&](const char* name, double Groups::*group) {
    const double bound = 10 * std::max(at_steps.*group, tolerance * std::max(1.0, size.*group));
    EXPECT_LT(between.*group, bound) << name;
  };
  expect_same_order("p", &Groups::p);
  expect_same_order("v", &Groups::v);
  expect_same_order("r", &Groups::r);
  expect_same_order("a", &Groups::a);
  expect_same_order("lambda", &Groups::lambda);
}

// The same order: a factor of ten against the larger of the steps' own error and what the tolerance allows.
TEST(DenseOutput, OfAModelIsAsAccurateAsItsSteps) {
  for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
    expect_dense_output_as_accurate_as_steps<Planar>(tolerance);
    expect_dense_output_as_accurate_as_steps<Spatial>(tolerance);
  }
}

// -------------------------------------------------------------------------------------------- driven joints

TEST(DrivenJoint, MovesASliderOnASpringAsTheClosedFormSays) {
  constexpr double speed = 3, mass = 0.5, stiffness = 20, free_length = 0.4, start = 0.6;
  PlanarModel model("whirling slider");
  auto crank = model.add_body("crank", MassProperties::planar(1, 0.2)).move({0, 0}, speed);
  auto slider =
      model.add_body("slider", MassProperties::planar(mass, 0.01)).place({start, 0}).move({0, speed * start}, speed);
  const auto ground = model.ground().origin(), hub = crank.origin(), shoe = slider.origin();
  const auto drive = model.add_joint<DrivenRevolute>("drive", ground, hub, Input([](double t) -> InputValue {
                                                       return {speed * t, speed, 0};
                                                     }));
  model.add_joint<Prismatic>("guide", hub, shoe, Axis::x());
  model.add_force<SpringDamper>("spring", hub, shoe, {.stiffness = stiffness, .free_length = free_length});
  model.add_observable("radius", "m", [=](const auto& now) { return now.pose(shoe).position.norm(); });
  model.add_observable("torque", "N m", [=](const auto& now) { return now.reaction(drive).torque; });
  Simulation simulation(model, with_tolerance(1e-10));
  const Trajectory& path = simulation.run(0, 5);

  // In the turning axes m r'' = m speed^2 r - stiffness (r - free_length), and the drive works against the Coriolis
  // force: torque = 2 m r r' speed. Worst seen 6e-10 and 5e-9, at the tolerance of 1e-10.
  const double omega = std::sqrt(stiffness / mass - speed * speed),
               rest = stiffness * free_length / mass / (omega * omega);
  Eigen::VectorXd values;
  for (double t = 0; t <= 5; t += 0.1) {
    simulation.equations().observables(path.at(t), values);
    const double r = rest + (start - rest) * std::cos(omega * t), rate = -omega * (start - rest) * std::sin(omega * t);
    EXPECT_NEAR(values[0], r, 1e-8) << "t = " << t;
    EXPECT_NEAR(values[1], 2 * mass * r * rate * speed, 1e-6) << "t = " << t;
  }
}

}  // namespace models_test
}  // namespace linkwork::test
