// What bdf has to do with mechanisms: where time begins, first steps, sizes, positions that are singular, and messages.

#include "../messages.hpp"

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/bodies/point_mass.hpp>
#include <linkwork/core/model.hpp>
#include <linkwork/forces/applied_force.hpp>
#include <linkwork/joints/driven_revolute.hpp>
#include <linkwork/joints/point_on_line.hpp>
#include <linkwork/joints/prismatic.hpp>
#include <linkwork/joints/revolute.hpp>
#include <linkwork/solvers/simulation/simulation.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

namespace linkwork {
namespace bdf_mechanisms_test {

using test::contains;
using test::error_of;

constexpr Formulation formulations[] = {Formulation::absolute, Formulation::mixed, Formulation::relative};

SimulationOptions with(const BdfOptions& options, Formulation formulation = Formulation::absolute) {
  return {.formulation = formulation, .integrator = options};
}

/// Released from the horizontal at +x, 1 m long, 0.1 kg m^2 about its centre.
PlanarModel pendulum() {
  PlanarModel model("pendulum");
  model.set_gravity({0, -9.81});
  auto bob = model.add_body("bob", MassProperties::planar(1, 0.1));
  bob.place({1, 0});
  model.add_joint<Revolute>("pin", model.ground().origin(), bob.at({-1, 0}));
  return model;
}

TEST(Bdf, ForgetsFirstStepsThatWereRejected) {
  for (const double first : {0.01, 0.1, 1.0, 1e3, 1e300}) {
    Simulation simulation(pendulum(), with({.rtol = 1e-6, .atol = 1e-6, .first_step = first}));
    // By extrapolation at 1e-12: -2.881672. Steps of 1e-6 add up to 1e-5; a tangent over the rejected step gave 7e-3.
    EXPECT_NEAR(simulation.run(0, 1).final_state().p[0], -2.88167, 2e-5) << first;
    EXPECT_LT(simulation.energy().max_drift, 3e-4) << first;  // 300 tolerances; seen 9e-5
  }
}

/// Two arms, the lower one turning fast: short steps.
PlanarModel fast_arms() {
  PlanarModel model("two arms");
  model.set_gravity({0, -9.81});
  auto upper = model.add_body("upper", MassProperties::rod(1, 1)),
       lower = model.add_body("lower", MassProperties::rod(0.01, 0.02));
  upper.place({0.5, 0});
  lower.place({1, 0.01}, std::numbers::pi / 2);
  lower.move({-2, 0}, 200);
  model.add_joint<Revolute>("shoulder", model.ground().origin(), upper.at({-0.5, 0}));
  model.add_joint<Revolute>("elbow", upper.at({0.5, 0}), lower.at({-0.01, 0}));
  return model;
}

TEST(Bdf, DoesNotDependOnWhereTimeBegins) {
  for (const double tolerance : {1e-6, 1e-8, 1e-10}) {
    const auto steps_from = [&](double t) {
      Simulation simulation(fast_arms(), with({.rtol = tolerance, .atol = tolerance}));
      simulation.run(t, t + 0.2);
      return static_cast<double>(simulation.statistics().integrator.steps);
    };
    const double steps = steps_from(0);
    EXPECT_EQ(steps_from(1), steps);
    EXPECT_EQ(steps_from(100), steps);
  }
}

// The first step is a longer one there. Single counts scatter by 5 percent with the last digits of anything: means.
TEST(Bdf, TakesAsManyStepsFarFromTimeZero) {
  const auto mean_steps_from = [](double t) {
    double sum = 0;
    for (int k = -10; k <= 10; ++k) {
      const double tolerance = 1e-8 * (1 + 0.01 * k);
      Simulation simulation(fast_arms(), with({.rtol = tolerance, .atol = tolerance}));
      simulation.run(t, t + 0.2);
      sum += static_cast<double>(simulation.statistics().integrator.steps);
    }
    return sum / 21;
  };
  const double steps = mean_steps_from(0);
  EXPECT_NEAR(mean_steps_from(1e4), steps, 0.02 * steps);  // seen 0.3 percent
}

TEST(Bdf, SaysWhereTimeHasNoDigitsLeft) {
  Simulation simulation(fast_arms(), with({.rtol = 1e-10, .atol = 1e-10}));
  const std::string message = error_of([&] { simulation.run(1e9, 1e9 + 1); });
  EXPECT_TRUE(contains(message, "time has no digits left for shorter steps so far from t = 0")) << message;
}

TEST(Bdf, RunsSystemsWithoutUnknowns) {
  PlanarModel model("driven");
  auto wheel = model.add_body("wheel", MassProperties::planar(1, 1));
  wheel.move({0, 0}, 1);
  model.add_joint<DrivenRevolute>("motor", model.ground().origin(), wheel.origin(), Input([](double t) {
                                    return InputValue{t, 1, 0};
                                  }));
  Simulation simulation(model, with({}, Formulation::relative));
  EXPECT_EQ(simulation.run(0, 1).t_end(), 1);
}

TEST(Bdf, NamesDrivesThatContradictEachOther) {
  for (const Formulation formulation : formulations) {
    PlanarModel model("two drives");
    auto wheel = model.add_body("wheel", MassProperties::planar(1, 1));
    wheel.move({0, 0}, 3);
    model.add_joint<DrivenRevolute>("even", model.ground().origin(), wheel.origin(), Input([](double t) {
                                      return InputValue{3 * t, 3, 0};
                                    }));
    model.add_joint<DrivenRevolute>("faster", model.ground().origin(), wheel.origin(), Input([](double t) {
                                      return InputValue{3 * t + 0.1 * t * t, 3 + 0.2 * t, 0.2};
                                    }));
    Simulation simulation(model, with({}, formulation));
    const std::string message = error_of([&] { simulation.run(0, 1); });
    EXPECT_TRUE(contains(message, "contradict each other")) << message;
    EXPECT_TRUE(contains(message, "faster")) << message;
    // Without a velocity in relative coordinates each row stands for itself.
    EXPECT_TRUE(contains(message, "even") || formulation == Formulation::relative) << message;
    // 0.2 t is more than a millionth of the speeds from the first steps on.
    if (!simulation.trajectory().empty()) {
      EXPECT_LT(simulation.trajectory().t_end(), 0.1);
    }
  }
}

/// A rod of a length S in space that swings through 1 rad; forces and time scale with S.
long steps_at_size(double size, Formulation formulation) {
  SpatialModel model("pendulum");
  model.set_gravity({0, -9.81, 0});
  auto rod = model.add_body("rod", MassProperties::cylinder(size * size * size, 0.02 * size, size, Axis::x()));
  rod.place({size / 2, 0, 0});
  model.add_joint<Revolute>("hinge", model.ground().origin(), rod.at({-size / 2, 0, 0}), Axis::z());
  Simulation simulation(model,
                        with({.rtol = 1e-8, .atol = 1e-8 * std::min(size, 1.0), .maximum_steps = 20000}, formulation));
  simulation.run(0, std::sqrt(size));
  return simulation.statistics().integrator.steps;
}

TEST(Bdf, MovesMechanismsOfAnySize) {
  for (const Formulation formulation : {Formulation::absolute, Formulation::relative}) {
    const auto steps = static_cast<double>(steps_at_size(1, formulation));
    for (const double size : {1e-6, 1e-5, 1e-3, 1e3, 1e5, 1e6}) {
      // The tolerance of angles is tighter for small sizes and that of lengths for large ones, so that steps differ by
      // (1e6)^(1/6) = 10 at most; thresholds that are lost in rounding need hundreds of times as many.
      EXPECT_LT(steps_at_size(size, formulation), 5 * steps) << size << ' ' << name_of(formulation);
    }
  }
}

/// Crank and rod of equal length: where the crank is upright, the slider is on the bearing and may turn about it.
PlanarModel isosceles_slider_crank() {
  constexpr double length = 0.5, angle = 0.6;
  const double c = std::cos(angle), s = std::sin(angle);
  PlanarModel model("fold");
  model.set_gravity({0, -9.81});
  auto crank = model.add_body("crank", MassProperties::rod(0.5, length)),
       bar = model.add_body("bar", MassProperties::rod(1, 2 * length)),
       slider = model.add_body("slider", MassProperties::planar(0.3, 1e-4));
  crank.place({length * c / 2, length * s / 2}, angle);
  bar.place({length * c, length * s}, std::numbers::pi - angle);
  slider.place({2 * length * c, 0});
  model.add_joint<Revolute>("pivot", model.ground().origin(), crank.at({-length / 2, 0}));
  model.add_joint<Revolute>("middle", crank.at({length / 2, 0}), bar.origin());
  model.add_joint<Revolute>("foot", bar.at({-length, 0}), slider.origin());
  model.add_joint<Prismatic>("rail", model.ground().origin(), slider.origin(), Axis::x());
  return model;
}

TEST(Bdf, PassesPositionsWhereConstraintsLoseRank) {
  for (const double tolerance : {1e-6, 1e-8, 1e-10}) {
    long fewest = 1000000, most = 0;
    for (const Formulation formulation : formulations) {
      Simulation simulation(isosceles_slider_crank(), with({.rtol = tolerance, .atol = tolerance}, formulation));
      EXPECT_EQ(simulation.run(0, 2).t_end(), 2);
      // Errors of steps add up over some hundred of them: worst seen 640 tolerances, as on motions without a fold.
      EXPECT_LT(simulation.energy().max_drift, 2000 * tolerance) << name_of(formulation);
      fewest = std::min<long>(fewest, simulation.statistics().integrator.steps);
      most = std::max<long>(most, simulation.statistics().integrator.steps);
    }
    EXPECT_LT(most, 3 * fewest);
  }
}

TEST(Bdf, NamesTheComponentThatGoesToInfinity) {
  PlanarModel model("blow up");  // x'' = 6 x^2, x = 1 / (1 - t)^2
  auto charge = model.add_body<PointMass>("charge", 1.0);
  charge.place({1, 0});
  charge.move({2, 0});
  model.add_joint<PointOnLine>("rail", model.ground().origin(), charge.origin(), Axis::x());
  model.add_force<AppliedForce>("feedback", charge.origin(), [](const Motion<Planar>& m) -> Eigen::Vector2d {
    const double x = m.frame(0).pose.position.x();
    return {6 * x * x, 0};
  });
  Simulation simulation(model, with({.rtol = 1e-8, .atol = 1e-8}));
  const std::string message = error_of([&] { simulation.run(0, 2); });
  EXPECT_TRUE(contains(message, "the step size became too small")) << message;
  EXPECT_TRUE(contains(message, "velocity of charge: x velocity, which is ")) << message;
  EXPECT_TRUE(contains(message, "goes to infinity") || contains(message, "the error estimate is")) << message;
  EXPECT_FALSE(contains(message, "larger first_step")) << message;
}

}  // namespace bdf_mechanisms_test
}  // namespace linkwork
