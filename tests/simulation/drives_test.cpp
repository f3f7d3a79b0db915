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

// A position that jumps at 0.5 s, and one whose rate does.
const auto value_jump = [](double t) { return InputValue{0.2 * t + (t < 0.5 ? 0 : 0.3), 0.2, 0}; };
const auto rate_jump = [](double t) {
  return t < 0.5 ? InputValue{0.2 * t, 0.2, 0} : InputValue{0.1 + (t - 0.5), 1, 0};
};

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
  for (const auto& [input, jump] : {std::pair(Input(value_jump), "'motor.u' jumps there, u from 0.0999999"),
                                    std::pair(Input(rate_jump), "'motor.u' jumps there, u' from 0.2 to 1")})
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
  Simulation simulation(driven_arm(Input(rate_jump)), {.formulation = Formulation::relative});
  try {
    simulation.run(0, 1);
    FAIL() << "no stop";
  } catch (const RunError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("no motion without a shock follows 'motor.u' from there on."), std::string::npos) << message;
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
  for (const Formulation formulation : {Formulation::absolute, Formulation::mixed, Formulation::relative}) {
    Simulation simulation(driven_arm(Input(rate_jump)), {.formulation = formulation});
    simulation.add_event({.name = "jump",
                          .function = [](const State& state, EquationsOfMotion&) { return state.t - 0.5; },
                          .action = Event::Action::change,
                          .effect = [](State&, EquationsOfMotion&) {}});
    simulation.run(0, 1);
    EXPECT_EQ(simulation.trajectory().final_state().t, 1);
  }
}

// A run may end at a jump, and another one begin there.
TEST(Drives, MayJumpWhereARunEndsAndWhereAnotherBegins) {
  Simulation before(driven_arm(Input(value_jump)), {.formulation = Formulation::relative});
  before.run(0, 0.5);
  EXPECT_EQ(before.trajectory().final_state().t, 0.5);
  const double at = 0.4;
  PlanarModel model("begins");
  auto crank = model.add_body("crank", MassProperties::planar(1, 0.1, {0.5, 0}));
  crank.place({0, 0}, at).move({0, 0}, 0.2);
  model.add_joint<DrivenRevolute>("motor", model.ground().origin(), crank.origin(), Input(value_jump));
  Simulation behind(model, {.formulation = Formulation::absolute});
  behind.run(0.5, 1);
  EXPECT_EQ(behind.trajectory().final_state().t, 1);
}

TEST(Drives, StopARunBeforeWhatAnEventReportsBehindTheirJump) {
  Simulation simulation(driven_arm(Input(value_jump)), {.formulation = Formulation::relative});
  simulation.add_event(
      {.name = "late", .function = [](const State& state, EquationsOfMotion&) { return state.t - 0.5001; }});
  EXPECT_THROW(simulation.run(0, 1), RunError);
  EXPECT_TRUE(simulation.trajectory().events().empty());
  EXPECT_LT(simulation.trajectory().final_state().t, 0.5);
}

TEST(Drives, OfVelocitiesMayNotJumpEither) {
  PlanarModel model("belt");
  auto body = model.add_body("b", MassProperties::planar(1, 0.2));
  model.add_constraint<DrivenSpeed>("belt", body.origin(), Axis::x(), Input([](double t) {
                                      return InputValue{t < 0.5 ? 0.0 : 1.0, 0, 0};
                                    }));
  for (const IntegratorOptions& integrator :
       {IntegratorOptions(ExtrapolationOptions{}), IntegratorOptions(RadauOptions{})}) {
    Simulation simulation(model, {.integrator = integrator});
    try {
      simulation.run(0, 1);
      ADD_FAILURE() << "no stop";
    } catch (const RunError& error) {
      EXPECT_NE(std::string(error.what()).find("'belt.u' jumps there, u from 0 to 1"), std::string::npos)
          << error.what();
    }
  }
}

// Near t = 0, from rest, where u', u'' or all of them are rounding errors of their terms, and late in time.
TEST(Drives, ThatAreSmoothHaveNoJumps) {
  constexpr JumpLimits limits{1e-8, 1e-8};
  const double pi = std::acos(-1.0);
  for (int seed = 1; seed <= 200; ++seed) {
    const double start = std::fmod(0.618 * seed, 1.0) * std::pow(10.0, seed % 7 - 1), length = 0.05 + 0.004 * seed;
    const auto cycloid = [=](double t) {
      const double x = std::clamp((t - start) / length, 0.0, 1.0), turn = 2 * pi * x;
      const bool moves = x > 0 && x < 1;
      return InputValue{x - std::sin(turn) / (2 * pi), (1 - std::cos(turn)) / length,
                        moves ? 2 * pi * std::sin(turn) / (length * length) : 0.0};
    };
    const auto quintic = [=](double t) {
      const double x = std::clamp((t - start) / length, 0.0, 1.0);
      return InputValue{x * x * x * (10 + x * (6 * x - 15)), 30 * x * x * (1 - x) * (1 - x) / length,
                        60 * x * (1 - x) * (1 - 2 * x) / (length * length)};
    };
    for (const Input& input : {Input(cycloid), Input(quintic)}) {
      const Drive drive{.name = "motor", .type = "driven revolute", .input = input};
      const double step = length * (0.01 + std::fmod(0.37 * seed, 0.3));
      for (double t = start - step / 3; t < start + 1.2 * length; t += step)
        EXPECT_FALSE(find_jump(drive, t, t + step, input(t), input(t + step), limits)) << seed << ", t = " << t;
    }
  }
}

// As small as a hundred tolerances, anywhere in a step, in a drive at rest or one that turns fast, early and late.
TEST(Drives, ThatJumpAreFound) {
  constexpr double tolerance = 1e-8;
  constexpr JumpLimits limits{tolerance, tolerance};
  for (const double late : {0.0, 1e6})
    for (const double rate : {0.0, 1.0, 30.0})
      for (const double part : {0.001, 0.25, 0.5, 0.7, 0.999})
        for (const double size : {1e-6, 1e-3, 1.0})
          for (const bool of_rate : {false, true}) {
            constexpr double step = 0.1;
            const double jump = late + part * step;
            const Input input([=](double t) {
              const double x = rate * (t - late), since = std::max(t - jump, 0.0), behind = t < jump ? 0.0 : size;
              return InputValue{std::sin(x) + (of_rate ? size * since : behind),
                                rate * std::cos(x) + (of_rate ? behind : 0.0), -rate * rate * std::sin(x)};
            });
            const Drive drive{.name = "motor", .type = "driven revolute", .input = input};
            const std::optional<double> found =
                find_jump(drive, late, late + step, input(late), input(late + step), limits);
            SCOPED_TRACE(concat("from t = ", late, ", rate ", rate, ", ", part, " of the step, ", size, of_rate));
            // None is one that a drive of that rate makes within 1e-7 s, or within rounding errors of a late time.
            if (size <= 1e-7 * rate || (late > 0 && (size < 1e-3 || rate > 1))) continue;
            ASSERT_TRUE(found);
            EXPECT_NEAR(*found, jump, 1e-8);
          }
}

TEST(Drives, ThatPrescribeVelocitiesMayChangeTheirAccelerations) {
  constexpr JumpLimits limits{1e-6, 1e-6};
  const auto jump_of = [&](const Input& input, Level level) {
    return find_jump({.name = "", .type = "", .input = input, .level = level}, 0, 1, input(0.0), input(1.0), limits);
  };
  const Input value([](double t) { return InputValue{t < 0.25 ? 0.0 : 1.0, 0, 0}; });
  const Input kink([](double t) { return InputValue{std::max(t - 0.3, 0.0), t < 0.3 ? 0.0 : 1.0, 0}; });
  EXPECT_NEAR(jump_of(value, Level::holonomic).value_or(0), 0.25, 2e-9);
  EXPECT_NEAR(jump_of(value, Level::nonholonomic).value_or(0), 0.25, 2e-9);
  EXPECT_FALSE(jump_of(value, Level::servo));
  EXPECT_TRUE(jump_of(kink, Level::holonomic));
  EXPECT_FALSE(jump_of(kink, Level::nonholonomic));
}

}  // namespace drives_test
}  // namespace linkwork
