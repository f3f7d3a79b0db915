// Drives that declare rates which are not the derivatives of their values.

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/joints/constraints/driven_speed.hpp>
#include <linkwork/joints/driven_prismatic.hpp>
#include <linkwork/joints/driven_revolute.hpp>
#include <linkwork/solvers/analyses/declarations.hpp>
#include <linkwork/solvers/formulations/drives.hpp>
#include <linkwork/solvers/formulations/formulation.hpp>
#include <linkwork/solvers/simulation/simulation.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <string>

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

}  // namespace drives_test
}  // namespace linkwork
