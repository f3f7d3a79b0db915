// Drives that declare rates which are not the derivatives of their values.

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/joints/constraints/driven_speed.hpp>
#include <linkwork/joints/driven_prismatic.hpp>
#include <linkwork/joints/driven_revolute.hpp>
#include <linkwork/joints/revolute.hpp>
#include <linkwork/solvers/declarations.hpp>
#include <linkwork/solvers/drives.hpp>
#include <linkwork/solvers/equations/formulation.hpp>
#include <linkwork/solvers/simulation.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "../core/expect_error.hpp"
#include "../messages.hpp"

namespace linkwork {
namespace {

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

/// The driven crank with a rod that hangs on it.
PlanarModel driven_pendulum(Input angle) {
  PlanarModel model = driven_crank(std::move(angle));
  auto rod = model.add_body("rod", MassProperties::planar(0.5, 0.02));
  rod.place({0.4, -0.3}).move(Eigen::Vector2d(0, 0.4));
  model.add_joint<Revolute>("pin", model.body("crank").at({0.4, 0}), rod.at({0, 0.3}));
  return model;
}

/// What a run over a second says, by every formulation and integrator.
void expect_all(const PlanarModel& model, const std::string& part) {
  for (const Formulation formulation : {Formulation::absolute, Formulation::mixed, Formulation::relative})
    for (const IntegratorOptions& integrator : {IntegratorOptions(ExtrapolationOptions{}),
                                                IntegratorOptions(BdfOptions{}), IntegratorOptions(RadauOptions{})}) {
      Simulation simulation(model, {.formulation = formulation, .integrator = integrator});
      const std::string error = test::error_of([&] { simulation.run(0.0, 1.0); });
      EXPECT_TRUE(test::contains(error, part))
          << name_of(formulation) << ", " << integrator.make()->name() << ": " << error;
    }
}

// In joint coordinates no equation notices: neither where nothing is left to solve for, nor where something hangs on.
// In others long steps may lead over it.
TEST(Drives, ThatJumpAreNamedWhereTheRunStops) {
  const Input step([](double t) { return InputValue{t > 0.5 ? t + 0.3 : t, 1, 0}; });
  const Input kink([](double t) { return t > 0.5 ? InputValue{3 * t - 1, 3, 0} : InputValue{t, 1, 0}; });
  for (const bool has_pendulum : {false, true}) {
    const auto with = [&](const Input& angle) { return has_pendulum ? driven_pendulum(angle) : driven_crank(angle); };
    expect_all(with(step), "The prescribed motion 'motor.u' jumps there, u from 0.");
    expect_all(with(kink), "The prescribed motion 'motor.u' jumps there, u' from 1 to 3; give one that is smooth");
  }
}

TEST(Drives, ThatAreSmoothLeadOn) {
  const double pi = 3.14159265358979;
  // Rests, turns by one within 0.02 s, rests: longer steps see the ends of it only.
  const Input turn([=](double t) {
    const double x = std::clamp((t - 0.6) / 0.02, 0.0, 1.0) * 2 * pi, rate = 2 * pi / 0.02;
    return InputValue{(x - std::sin(x)) / (2 * pi), rate * (1 - std::cos(x)) / (2 * pi),
                      rate * rate * std::sin(x) / (2 * pi)};
  });
  EXPECT_FALSE(jump_time(turn, 0, 1, true).has_value());
  EXPECT_FALSE(jump_time(Input([](double t) {
                           return InputValue{3 * std::sin(50 * t), 150 * std::cos(50 * t), -7500 * std::sin(50 * t)};
                         }),
                         0.1, 2.3, true)
                   .has_value());
  const Input kink([](double t) { return InputValue{std::abs(t - 0.3), t < 0.3 ? -1.0 : 1.0, 0}; });
  EXPECT_NEAR(jump_time(kink, 0, 1, true).value_or(0), 0.3, 1e-8);
  EXPECT_FALSE(jump_time(kink, 0, 1, /*with_acceleration*/ false).has_value());
  EXPECT_FALSE(jump_time(kink, 0.31, 1, true).has_value());
}

// A run that an event begins anew at the jump, as the message says.
TEST(Drives, MayJumpWhereAnEventBeginsAnew) {
  const PlanarModel model = driven_pendulum([](double t) {
    return t > 0.5 ? InputValue{3 * t - 1, 3, 0} : InputValue{t, 1, 0};
  });
  for (const Formulation formulation : {Formulation::absolute, Formulation::relative}) {
    Simulation simulation(model, {.formulation = formulation});
    simulation.add_event({.name = "faster",
                          .function = [](const State& state, EquationsOfMotion&) { return state.t - 0.5; },
                          .action = Event::Action::change,
                          .effect = [](State&, EquationsOfMotion&) {}});
    EXPECT_EQ(test::error_of([&] { simulation.run(0.0, 1.0); }), "nothing was thrown");
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

}  // namespace
}  // namespace linkwork
