// Drives that declare rates which are not the derivatives of their values.

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/joints/constraints/driven_speed.hpp>
#include <linkwork/joints/driven_prismatic.hpp>
#include <linkwork/joints/driven_revolute.hpp>
#include <linkwork/joints/revolute.hpp>
#include <linkwork/solvers/analyses/declarations.hpp>
#include <linkwork/solvers/formulations/drives.hpp>
#include <linkwork/solvers/formulations/formulation.hpp>
#include <linkwork/solvers/simulation/simulation.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "../core/expect_error.hpp"

namespace linkwork {
namespace drives_test {

constexpr double coarse = 1e-2, fine = 1e-5;

/// Turning at 1 rad/s.
PlanarModel driven_crank(Input angle) {
  PlanarModel model("driven crank");
  auto crank = model.add_body("crank", MassProperties::planar(1, 0.2));
  crank.move({0, 0}, 1);
  model.add_joint<DrivenRevolute>("motor", model.ground().origin(), crank.origin(), std::move(angle));
  return model;
}

TEST(Drives, WithFalseRatesAreNamedAtTheStart) {
  const std::string advice = "; give value, rate and acceleration of one function of time.";
  for (const Formulation formulation : {Formulation::absolute, Formulation::mixed, Formulation::relative}) {
    const PlanarModel twice = driven_crank([](double t) { return InputValue{0.5 * t, 1.0, 0}; });
    Simulation simulation(twice, {.formulation = formulation});
    expect_error<ModelError>(
        "drive 'motor' (driven revolute): the declared rate is not the derivative of the value: from t = 0 s to "
        "0.01 s the value changes by 0.005, and the rate adds up to 0.01" +
            advice,
        [&] { simulation.run(0.0, 1.0); });
  }
  const PlanarModel held = driven_crank([](double t) { return InputValue{t * t, 2 * t, 0}; });
  Simulation simulation(held, {});
  expect_error<ModelError>(
      "drive 'motor' (driven revolute): the declared acceleration is not the derivative of the rate: from t = 1 s to "
      "1.01 s the rate changes by 0.02, and the acceleration adds up to 0" +
          advice,
      [&] { simulation.run(1.0, 2.0); });
}

TEST(Drives, WithTrueRatesAreNot) {
  const Input turning([](double t) {
    return InputValue{3 * std::sin(50 * t), 150 * std::cos(50 * t), -7500 * std::sin(50 * t)};
  });
  const Input fast([](double t) {
    return InputValue{std::sin(1e6 * t), 1e6 * std::cos(1e6 * t), -1e12 * std::sin(1e6 * t)};
  });
  const Input still([](double) { return InputValue{7, 0, 0}; });
  const Input slow([](double t) { return InputValue{1e3 + 1e-6 * t, 1e-6, 0}; });
  // Starts to move with a kink of the rate soon after the first time asked, and at it.
  const Input kinked([](double t) { return t < 0.004 ? InputValue{} : InputValue{t - 0.004, 1, 0}; });
  const Input limited([](double t) {
    if (t > 1.001) throw std::out_of_range("the table ends at 1.001 s");
    return InputValue{t * t, 2 * t, 2};
  });
  for (const Input* input : {&turning, &fast, &still, &slow, &kinked, &limited})
    for (const double time : {0.0, 0.004, 1.0}) EXPECT_EQ(false_rates(*input, time, fine, true), "") << time;
}

TEST(Drives, AreAskedForTheRatesThatTheyNeed) {
  const Input no_acceleration([](double t) { return InputValue{t * t, 2 * t, 0}; });
  EXPECT_EQ(false_rates(no_acceleration, 0.5, coarse, false), "");
  EXPECT_NE(false_rates(no_acceleration, 0.5, coarse, true), "");
  PlanarModel model("speed");
  auto body = model.add_body("b", MassProperties::planar(1, 0.2));
  model.add_constraint<DrivenSpeed>("belt", body.origin(), Axis::x(), no_acceleration);
  const auto equations = make_equations(model);
  equations->set(equations->initial_state());
  EXPECT_NO_THROW(check_drives(*equations, coarse));
}

// A table with rates that are slightly off runs, and is found where declarations are checked.
TEST(Drives, AreCheckedMoreCloselyWithTheDeclarations) {
  const PlanarModel model = driven_crank([](double t) { return InputValue{t, 1.001, 0}; });
  const auto equations = make_equations(model);
  equations->set(equations->initial_state());
  EXPECT_NO_THROW(check_drives(*equations, coarse));
  EXPECT_THROW(check_declarations(*equations), ModelError);
}

TEST(Drives, ThatJumpAreNamedWhereTheRunStops) {
  const auto step = [](double t) { return InputValue{t > 0.5 ? t + 0.3 : t, 1, 0}; };
  const PlanarModel jumping = driven_crank(step);
  Simulation simulation(jumping, {.formulation = Formulation::absolute});
  try {
    simulation.run(0.0, 1.0);
    ADD_FAILURE() << "the run passed the jump";
  } catch (const RunError& error) {
    EXPECT_NE(std::string(error.what())
                  .find("The prescribed motion 'motor.u' jumps there, u from 0.499999999 to 0.800000001"),
              std::string::npos)
        << error.what();
  }
}

TEST(Drives, ThatGoOnDoNotJump) {
  const auto found_at = [](const Input& input, double t) {
    const PlanarModel model = driven_crank(input);
    const auto equations = make_equations(model);
    equations->set_position(t, equations->initial_state().p);
    return jumping_inputs(*equations);
  };
  const Input fast([](double t) {
    return InputValue{std::sin(1e4 * t), 1e4 * std::cos(1e4 * t), -1e8 * std::sin(1e4 * t)};
  });
  const Input bends([](double t) { return InputValue{std::abs(t - 0.5), t < 0.5 ? -1.0 : 1.0, 0}; });
  EXPECT_EQ(found_at(fast, 0.3), "");
  EXPECT_EQ(found_at(bends, 0.3), "");
  EXPECT_NE(found_at(bends, 0.5).find("u' from -1 to 1"), std::string::npos);
}

/// A crank on a motor, and an arm on it that swings freely.
PlanarModel driven_arm(Input angle) {
  PlanarModel model("driven arm");
  model.set_gravity({0, -9.81});
  auto crank = model.add_body("crank", MassProperties::planar(1, 0.1, {0.5, 0}));
  auto arm = model.add_body("arm", MassProperties::planar(1, 0.1, {0.5, 0}));
  const double at = angle(0.0).value, rate = angle(0.0).rate;
  crank.place({0, 0}, at).move({0, 0}, rate);
  arm.place({std::cos(at), std::sin(at)}, -1).move({-rate * std::sin(at), rate * std::cos(at)});
  model.add_joint<DrivenRevolute>("motor", model.ground().origin(), crank.origin(), std::move(angle));
  model.add_joint<Revolute>("pin", crank.at({1, 0}), arm.origin());
  return model;
}

/// Runs over 1 s by a new simulation for each formulation and integrator.
template <class Check>
void for_each_run(const PlanarModel& model, Check&& check) {
  for (const Formulation formulation : {Formulation::absolute, Formulation::mixed, Formulation::relative})
    for (const auto& [name, integrator] :
         {std::pair<const char*, IntegratorOptions>("extrapolation", ExtrapolationOptions{}),
          std::pair<const char*, IntegratorOptions>("bdf", BdfOptions{}),
          std::pair<const char*, IntegratorOptions>("radau", RadauOptions{})}) {
      SCOPED_TRACE(concat(name_of(formulation), ", ", name));
      Simulation simulation(model, {.formulation = formulation, .integrator = integrator});
      check(simulation);
    }
}

// In joint coordinates nothing of the driven joint is left that could show a jump, and a projection makes what it can
// of it: a shock that no force of the model explains.
TEST(Drives, ThatJumpStopARunByName) {
  const Input value([](double t) { return InputValue{0.2 * t + (t < 0.5 ? 0 : 0.3), 0.2, 0}; });
  const Input rate([](double t) { return t < 0.5 ? InputValue{0.2 * t, 0.2, 0} : InputValue{0.1 + (t - 0.5), 1, 0}; });
  for (const auto& [input, jump] : {std::pair(value, "'motor.u' jumps there, u from 0.0999999"),
                                    std::pair(rate, "'motor.u' jumps there, u' from 0.2 to 1")})
    for_each_run(driven_arm(input), [jump = jump](Simulation& simulation) {
      try {
        simulation.run(0, 1);
        ADD_FAILURE() << "no stop";
      } catch (const RunError& error) {
        const std::string message = error.what();
        EXPECT_NE(message.find(jump), std::string::npos) << message;
        EXPECT_NEAR(error.time_reached(), 0.5, 1e-8);
      }
    });
}

TEST(Drives, ThatJumpInsideAStepAreSaidToNeedAShock) {
  const Input rate([](double t) { return t < 0.5 ? InputValue{0.2 * t, 0.2, 0} : InputValue{0.1 + (t - 0.5), 1, 0}; });
  Simulation simulation(driven_arm(rate), {.formulation = Formulation::relative});
  try {
    simulation.run(0, 1);
    FAIL() << "no stop";
  } catch (const RunError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("no motion without a shock follows drive 'motor' from there on."), std::string::npos)
        << message;
    EXPECT_LT(simulation.trajectory().final_state().t, 0.5);
  }
}

// Accelerations may jump, fast motions need no steps as short as they are in joint coordinates, and steep ones are none
// that jump.
TEST(Drives, ThatAreFastOrSteepRun) {
  const Input starts([](double t) {
    const double since = std::max(t - 0.5, 0.0);
    return InputValue{1.5 * since * since, 3 * since, t < 0.5 ? 0.0 : 3.0};
  });
  const Input fast([](double t) {
    return InputValue{1e-3 * std::sin(300 * t), 0.3 * std::cos(300 * t), -90 * std::sin(300 * t)};
  });
  const Input steep([](double t) {
    const double x = (t - 0.5) / 1e-3, th = std::tanh(x), slope = 1 - th * th;
    return InputValue{1e-2 * th, 10 * slope, -2e4 * th * slope};
  });
  for (const Input* input : {&starts, &fast, &steep})
    for_each_run(driven_arm(*input), [](Simulation& simulation) {
      simulation.run(0, 1);
      EXPECT_EQ(simulation.trajectory().final_state().t, 1);
    });
}

// What an event does where a drive jumps is its own affair.
TEST(Drives, MayJumpWhereAnEventBeginsTheMotionAnew) {
  const Input rate([](double t) { return t < 0.5 ? InputValue{0.2 * t, 0.2, 0} : InputValue{0.1 + (t - 0.5), 1, 0}; });
  for (const Formulation formulation : {Formulation::absolute, Formulation::mixed, Formulation::relative}) {
    Simulation simulation(driven_arm(rate), {.formulation = formulation});
    simulation.add_event({.name = "jump",
                          .function = [](const State& state, EquationsOfMotion&) { return state.t - 0.5; },
                          .action = Event::Action::change,
                          .effect = [](State&, EquationsOfMotion&) {}});
    simulation.run(0, 1);
    EXPECT_EQ(simulation.trajectory().final_state().t, 1);
  }
}

TEST(Drives, JumpsAreFoundBetweenTheEndsOfAStepOnly) {
  const Input value([](double t) { return InputValue{t < 0.25 ? 0.0 : 1.0, 0, 0}; });
  const Drive drive{"motor", "driven revolute", value, Level::holonomic};
  const std::optional<double> found = find_jump(drive, 0, 1, value(0.0), value(1.0));
  ASSERT_TRUE(found);
  EXPECT_NEAR(*found, 0.25, 2e-9);
  EXPECT_FALSE(find_jump(drive, 0.3, 1, value(0.3), value(1.0)));
  const Input speed([](double t) { return InputValue{std::max(t - 0.5, 0.0), t < 0.5 ? 0.0 : 1.0, 0}; });
  EXPECT_TRUE(find_jump({"motor", "", speed, Level::holonomic}, 0, 1, speed(0.0), speed(1.0)));
  EXPECT_FALSE(find_jump({"belt", "", speed, Level::nonholonomic}, 0, 1, speed(0.0), speed(1.0)));
  EXPECT_FALSE(find_jump({"program", "", value, Level::servo}, 0, 1, value(0.0), value(1.0)));
}

}  // namespace drives_test
}  // namespace linkwork
