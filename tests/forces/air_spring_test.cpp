#include <linkwork/forces/air_spring.hpp>

#include "element_motion.hpp"

#include <cmath>
#include <limits>

namespace linkwork {
namespace air_spring_test {

using test::body;
using test::expect_contains;
using test::ground;
using test::model_error;
using Spring = AirSpring<Planar>;

constexpr double infinity = std::numeric_limits<double>::infinity();
const Spring::Options usual{.force = 5e4, .length = 0.5, .gas_height = 0.2, .area = 0.1, .exponent = 1.3};

/// Ends on a line of direction (0.6, 0.8), `length` apart.
test::ElementMotion<Planar> at_length(double length) {
  test::ElementMotion<Planar> motion;
  motion.frames[1].pose.position = length * Eigen::Vector2d(0.6, 0.8);
  return motion;
}
/// Thrust of the spring at a length [N]; also checks that it is along the line, and opposite at both ends.
double thrust(const Spring::Options& options, double length) {
  const auto wrenches = at_length(length).wrenches(Spring(ground<Planar>, body<Planar>, options));
  const double out = wrenches[1].force.dot(Eigen::Vector2d(0.6, 0.8));
  EXPECT_LT((wrenches[1].force - out * Eigen::Vector2d(0.6, 0.8)).norm(), 1e-10);  // a few roundings of 1e5 N
  EXPECT_EQ(wrenches[0].force, Eigen::Vector2d(-wrenches[1].force));
  return out;
}

// Rounding of forces of 1e5 N, a power included: below 1e-10.
constexpr double rounding = 1e-9;

TEST(AirSpring, PushesWithItsForceAtTheLengthOfItsDesign) { EXPECT_NEAR(thrust(usual, 0.5), 5e4, rounding); }

TEST(AirSpring, FollowsThePolytrope) {
  // Gas at 5e4 N / 0.1 m^2 + 1.01325 bar, pressed to half of its height.
  const double pressure = (5e4 / 0.1 + 101325) * std::pow(2, 1.3);
  EXPECT_NEAR(thrust(usual, 0.4), (pressure - 101325) * 0.1, rounding);
  EXPECT_NEAR(thrust(usual, 0.7), ((5e4 / 0.1 + 101325) * std::pow(0.5, 1.3) - 101325) * 0.1, rounding);
}

// 6 bar of gas spread to 8.5 times its height are 0.37 bar.
TEST(AirSpring, PullsWhereTheGasIsThinnerThanTheAir) { EXPECT_LT(thrust(usual, 2), 0); }

TEST(AirSpring, HasTheStiffnessOfItsDocumentation) {
  constexpr double h = 1e-5;  // error of the difference: h^2 times the third derivative, 1e8 N/m^3, / 6: 2e-3 N/m
  const double slope = (thrust(usual, 0.5 + h) - thrust(usual, 0.5 - h)) / (2 * h);
  EXPECT_NEAR(slope, -1.3 * (5e4 + 10132.5) / 0.2, 0.01);
}

TEST(AirSpring, StoresTheWorkDoneOnIt) {
  for (const double exponent : {1.0, 1.3}) {
    Spring::Options options = usual;
    options.exponent = exponent;
    const Spring spring(ground<Planar>, body<Planar>, options);
    const auto energy = [&](double length) { return spring.potential_energy(at_length(length).motion()); };
    EXPECT_NEAR(energy(0.5), 0, rounding);
    // Simpson's rule of 200 intervals from 0.5 to 0.38 m: (0.12 / 200)^4 / 180 * 0.12 times a fourth derivative of
    // 1e10 N/m^4: 1e-6 J, of 9e3 J.
    double work = 0;
    constexpr int n = 200;
    for (int k = 0; k <= n; ++k)
      work += (k == 0 || k == n ? 1 : k % 2 == 1 ? 4 : 2) * thrust(options, 0.5 - 0.12 * k / n) * 0.12 / n / 3;
    EXPECT_NEAR(energy(0.38), work, 1e-5) << exponent;
  }
}

TEST(AirSpring, FailsRecoverablyWhereNoGasIsLeft) {
  const Spring spring(ground<Planar>, body<Planar>, usual);
  try {
    at_length(0.25).wrenches(spring);
    ADD_FAILURE() << "no failure";
  } catch (const RecoverableFailure& failure) {
    expect_contains(
        failure.what(),
        "air spring: its ends are 0.25 m apart, where its gas has no height left; it needs more than 0.3 m.");
  }
  Spring::Options tall = usual;
  tall.gas_height = 1;
  try {
    at_length(0).wrenches(Spring(ground<Planar>, body<Planar>, tall));
    ADD_FAILURE() << "no failure";
  } catch (const RecoverableFailure& failure) {
    expect_contains(failure.what(), "air spring: its length is 0 m, so");
  }
}

TEST(AirSpring, RefusesNumbersOutOfRange) {
  const auto message = [](double Spring::Options::*number, double value) {
    Spring::Options options = usual;
    options.*number = value;
    return model_error([&] { Spring(ground<Planar>, body<Planar>, options); });
  };
  expect_contains(message(&Spring::Options::force, 0), "air spring: force is 0 N; give a finite value > 0");
  expect_contains(message(&Spring::Options::length, -1), "length is -1 m; give a finite value > 0");
  expect_contains(message(&Spring::Options::gas_height, infinity),
                  "height of the gas is inf m; give a finite value > 0");
  expect_contains(message(&Spring::Options::area, -0.1), "area is -0.1 m^2; give a finite value >= 0");
  expect_contains(message(&Spring::Options::ambient, -1), "ambient pressure is -1 N/m^2; give a finite value >= 0");
  expect_contains(message(&Spring::Options::exponent, 0.9), "exponent is 0.9 (a ratio); give a finite value >= 1");
  expect_contains(model_error([] { Spring(body<Planar>, body<Planar>, usual); }),
                  "air spring: both of its frames are on one body");
}

}  // namespace air_spring_test
}  // namespace linkwork
