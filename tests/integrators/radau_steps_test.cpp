// What radau's steps promise: values between their ends, few rejections, an explanation where there is no step, and
// nothing that depends on where time begins.

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/bodies/point_mass.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/core/model.hpp>
#include <linkwork/core/space.hpp>
#include <linkwork/forces/applied_force.hpp>
#include <linkwork/forces/applied_torque.hpp>
#include <linkwork/joints/constraints/gear.hpp>
#include <linkwork/joints/cylindrical.hpp>
#include <linkwork/joints/driven_revolute.hpp>
#include <linkwork/joints/prismatic.hpp>
#include <linkwork/joints/revolute.hpp>
#include <linkwork/solvers/simulation/simulation.hpp>

#include "../messages.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>

namespace linkwork {
namespace radau_steps_test {

using test::contains;
using test::error_of;

constexpr Formulation formulations[] = {Formulation::absolute, Formulation::mixed, Formulation::relative};

RadauOptions at_tolerance(double tolerance) { return {.rtol = tolerance, .atol = tolerance}; }

constexpr double crank_speed = 10, crank_length = 0.3, rod_length = 0.8;

/// A slider-crank whose crank turns evenly: nothing is free.
PlanarModel driven_slider_crank() {
  PlanarModel model("driven slider-crank");
  model.set_gravity({0, -9.81});
  auto crank = model.add_body("crank", MassProperties::rod(1.0, crank_length));
  auto rod = model.add_body("rod", MassProperties::rod(1.0, rod_length));
  auto slider = model.add_body("slider", MassProperties::planar(1.0, 1e-3));
  const double middle = crank_length * crank_speed / 2;
  crank.place({crank_length / 2, 0});
  crank.move({0, middle}, crank_speed);
  rod.place({crank_length + rod_length / 2, 0});
  rod.move({0, middle}, -crank_length * crank_speed / rod_length);
  slider.place({crank_length + rod_length, 0});
  model.add_joint<DrivenRevolute>("motor", model.ground().origin(), crank.at({-crank_length / 2, 0}),
                                  Input([](double t) {
                                    return InputValue{crank_speed * t, crank_speed, 0};
                                  }));
  model.add_joint<Revolute>("pin", crank.at({crank_length / 2, 0}), rod.at({-rod_length / 2, 0}));
  model.add_joint<Revolute>("small end", rod.at({rod_length / 2, 0}), slider.origin());
  model.add_joint<Prismatic>("guide", model.ground().origin(), slider.origin(), Axis::x());
  const auto origin = slider.origin();
  model.add_observable("x", "m", [=](const Snapshot<Planar>& s) { return s.pose(origin).position.x(); });
  model.add_observable("v", "m/s", [=](const Snapshot<Planar>& s) { return s.velocity(origin).linear.x(); });
  return model;
}

double slider_position(double t) {
  const double angle = crank_speed * t, height = crank_length * std::sin(angle);
  return crank_length * std::cos(angle) + std::sqrt(rod_length * rod_length - height * height);
}
double slider_velocity(double t) {
  const double angle = crank_speed * t, height = crank_length * std::sin(angle);
  const double reach = std::sqrt(rod_length * rod_length - height * height);
  return -crank_length * crank_speed * std::sin(angle) * (1 + crank_length * std::cos(angle) / reach);
}

// Steps are exact at their ends however long they are; in between the interpolation is held within some tolerances, of
// 1e-8 of numbers of the size 3.
TEST(RadauSteps, CurvesOfDrivenMechanismsAreAsGoodAsTheTolerance) {
  for (const Formulation formulation : formulations) {
    SCOPED_TRACE(name_of(formulation));
    Simulation simulation(driven_slider_crank(), {.formulation = formulation, .integrator = at_tolerance(1e-8)});
    const Trajectory& path = simulation.run(0, 1);
    double position = 0, velocity = 0;
    Eigen::VectorXd values;
    for (int i = 1; i < 1000; ++i) {
      const double t = i * 1e-3;
      simulation.equations().observables(path.at(t), values);
      position = std::max(position, std::abs(values[0] - slider_position(t)));
      velocity = std::max(velocity, std::abs(values[1] - slider_velocity(t)));
    }
    EXPECT_LT(position, 1e-7);
    EXPECT_LT(velocity, 1e-6);
  }
}

// Newton's iteration is not asked for multipliers of drives, which follow from the motion, and no step is tried that
// the rate of convergence speaks against.
TEST(RadauSteps, FewAreRejectedOnDrives) {
  PlanarModel model("driven arm");
  auto arm = model.add_body("arm", MassProperties::rod(1, 1));
  arm.place({0.5, 0});
  arm.move({0, 1.5}, 3);
  model.add_joint<DrivenRevolute>("motor", model.ground().origin(), arm.at({-0.5, 0}), Input([](double t) {
                                    return InputValue{3 * t, 3, 0};
                                  }));
  for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
    Simulation simulation(model, {.integrator = at_tolerance(tolerance)});
    simulation.run(0, 5);
    const IntegratorStatistics& statistics = simulation.statistics().integrator;
    EXPECT_LE(statistics.rejected_steps, 0.1 * static_cast<double>(statistics.steps)) << "tolerance " << tolerance;
  }
}

/// Free flight between two torsional stops at +-0.5 rad; 1 kg m^2 about the hinge.
PlanarModel door(double stiffness, double speed) {
  PlanarModel model("door");
  auto leaf = model.add_body("leaf", MassProperties::rod(3, 1));
  leaf.place({0.5, 0});
  leaf.move({0, speed / 2}, speed);
  model.add_joint<Revolute>("hinge", model.ground().origin(), leaf.at({-0.5, 0}));
  model.add_force<AppliedTorque>("stops", leaf.origin(), [stiffness](const Motion<Planar>& m) {
    const double angle = m.frame(0).pose.angle;
    return -stiffness * (angle - std::clamp(angle, -0.5, 0.5));
  });
  model.add_observable("speed", "rad/s", [=](const Snapshot<Planar>& s) { return s.velocity(leaf.origin()).angular; });
  return model;
}

// A stop that is entered and left is seen by the test inside the step, and a matrix that is as stiff as the stop
// decides nothing about the free flight behind it: between stops the speed is that of the start. The contact lasts pi /
// sqrt(stiffness), and a tolerance of the angle changes the speed by sqrt(stiffness) times as much.
TEST(RadauSteps, StiffStopsGiveNoEnergy) {
  for (const double stiffness : {1e3, 1e5, 1e7, 1e9})
    for (const double tolerance : {1e-5, 1e-7})
      for (const double speed : {1.1, 1.7, 2.9}) {
        SCOPED_TRACE(concat("stiffness ", stiffness, ", tolerance ", tolerance, ", speed ", speed));
        const Formulation formulation = speed < 2 ? Formulation::relative : Formulation::absolute;
        Simulation simulation(door(stiffness, speed),
                              {.formulation = formulation, .integrator = at_tolerance(tolerance)});
        const Trajectory& path = simulation.run(0, 3);
        Eigen::VectorXd values;
        double fastest = 0;
        for (const TrajectorySegment& segment : path.segments()) {
          simulation.equations().observables(segment.end, values);
          fastest = std::max(fastest, std::abs(values[0]));
        }
        EXPECT_LT(fastest / speed - 1, std::max(0.01, 100 * tolerance));
      }
}

PlanarModel on_a_line(double speed, const std::function<double(double x, double v)>& force) {
  PlanarModel model("on a line");
  auto mass = model.add_body<PointMass>("mass", 1.0);
  mass.place({1, 0});
  mass.move({speed, 0});
  model.add_force<AppliedForce>("law", mass.origin(), [force](const Motion<Planar>& m) -> Eigen::Vector2d {
    return {force(m.frame(0).pose.position.x(), m.frame(0).velocity.linear.x()), 0};
  });
  return model;
}

// x'' = 6 x^2 from x = 1, x' = 2 is (1 - t)^-2.
TEST(RadauSteps, NameWhatMakesThemVanish) {
  for (const Formulation formulation : formulations) {
    Simulation simulation(on_a_line(2, [](double x, double) { return 6 * x * x; }),
                          {.formulation = formulation, .integrator = at_tolerance(1e-8)});
    const std::string message = error_of([&] { simulation.run(0, 2); });
    EXPECT_TRUE(contains(message, "mass")) << message;
    EXPECT_TRUE(contains(message, "grows without bound")) << message;
    EXPECT_FALSE(contains(message, "first_step")) << message;
    EXPECT_NEAR(simulation.trajectory().t_end(), 1, 1e-5);
  }
}

// The end angle of a pendulum of 1 m from the horizontal, by a tighter run; steps and digits are those of t = 0.
TEST(RadauSteps, DoNotDependOnTheFirstOneOrOnWhereTimeBegins) {
  PlanarModel model("pendulum");
  model.set_gravity({0, -9.81});
  auto bob = model.add_body("bob", MassProperties::planar(1, 0.1));
  bob.place({1, 0});
  model.add_joint<Revolute>("pin", model.ground().origin(), bob.at({-1, 0}));
  for (const double first : {0.0, 0.01, 0.1, 1.0, 1e3, 1e300}) {
    RadauOptions options = at_tolerance(1e-6);
    options.first_step = first;
    Simulation simulation(model, {.integrator = options});
    EXPECT_NEAR(simulation.run(0, 1).final_state().p[0], -2.88167, 2e-5) << "first step " << first;
  }
  std::int64_t steps = 0;
  for (const double begin : {0.0, 1.0, 1e2, 1e4, 1e6}) {
    Simulation simulation(model, {.integrator = at_tolerance(1e-6)});
    EXPECT_NEAR(simulation.run(begin, begin + 1).final_state().p[0], -2.88167, 2e-5) << "begins at " << begin;
    const std::int64_t counted = simulation.statistics().integrator.steps;
    if (begin == 0) steps = counted;
    EXPECT_NEAR(static_cast<double>(counted), static_cast<double>(steps), 1) << "begins at " << begin;
  }
}

// From rest the state changes so slowly at first that a hundredth of its time is lost in the rounding of a late one.
TEST(RadauSteps, BeginFromRestHoweverLate) {
  PlanarModel model("hanging rod");
  model.set_gravity({0, -9.81});
  auto rod = model.add_body("rod", MassProperties::rod(1, 1));
  model.add_joint<Revolute>("pin", model.ground().origin(), rod.at({-0.5, 0}));
  rod.place({0.5, 0});
  std::int64_t steps = 0;
  for (const double begin : {0.0, 1e3, 1e6, 1e7}) {
    Simulation simulation(model, {.formulation = Formulation::relative, .integrator = at_tolerance(1e-8)});
    simulation.run(begin, begin + 1);
    const std::int64_t counted = simulation.statistics().integrator.steps;
    if (begin == 0) steps = counted;
    EXPECT_NEAR(static_cast<double>(counted), static_cast<double>(steps), 5) << "begins at " << begin;
  }
}

// Forces of rounding, or of the first numbers above zero, are no unit for multipliers: before, steps vanished.
TEST(RadauSteps, PassMotionsWithoutLoad) {
  for (const Formulation formulation : formulations)
    for (const double tolerance : {1e-4, 1e-8})
      for (const double force : {0.0, 1e-310}) {
        SCOPED_TRACE(concat(name_of(formulation), ", ", tolerance, ", ", force, " N"));
        SpatialModel model("sliding and turning");
        auto ball = model.add_body("ball", MassProperties::sphere(1, 0.05)).place({-1, 0, 0});
        ball.move({2, 0, 0}, {0.5, 0, 0});
        model.add_joint<Cylindrical>("guide", model.ground().origin(), ball.origin(), Axis::x());
        model.add_force<AppliedForce>("push", ball.origin(),
                                      [force](const Motion<Spatial>&) { return Eigen::Vector3d(force, force, 0); });
        auto driver = model.add_body("driver", MassProperties::cylinder(1, 0.1, 0.02)).move({0, 0, 0}, {0, 0, 300});
        auto driven = model.add_body("driven", MassProperties::cylinder(1, 0.2, 0.02)).place({0.3, 0, 0});
        driven.move({0, 0, 0}, {0, 0, -150});
        const auto first = model.add_joint<Revolute>("first", model.ground().origin(), driver.origin(), Axis::z());
        const auto second =
            model.add_joint<Revolute>("second", model.ground().at({0.3, 0, 0}), driven.origin(), Axis::z());
        model.add_constraint<Gear>("gear", first, second, -0.5);
        model.add_observable(
            "x", "m", [origin = ball.origin()](const Snapshot<Spatial>& s) { return s.pose(origin).position.x(); });
        Simulation simulation(model, {.formulation = formulation, .integrator = at_tolerance(tolerance)});
        const Trajectory path = simulation.run(0, 0.2);
        EXPECT_NEAR(path.values("x").values.back(), -0.6, 10 * tolerance);
        EXPECT_LT(simulation.statistics().integrator.steps, 500);  // quaternions of ten turns take most of them
      }
}

}  // namespace radau_steps_test
}  // namespace linkwork
