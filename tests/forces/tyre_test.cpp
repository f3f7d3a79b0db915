#include "element_motion.hpp"

#include <linkwork/forces/anti_roll_bar.hpp>
#include <linkwork/forces/tyre.hpp>

#include <cmath>
#include <numbers>

namespace linkwork {
namespace tyre_test {

const Tyre::Options options{.radius = 0.32,
                            .stiffness = 2e5,
                            .damping = 100,
                            .friction = 0.9,
                            .shape = 1.3,
                            .cornering = 7e4,
                            .cornering_load = 5000,
                            .relaxation = 0.4,
                            .trail = 0.03};

Tyre tyre(const Tyre::Options& of = options) { return Tyre(test::ground<Spatial>, test::body<Spatial>, of); }

/// A wheel at a height over the road, leaned by its camber and turned by its steering angle.
test::ElementMotion<Spatial> wheel(double height, double camber = 0, double steer = 0) {
  test::ElementMotion<Spatial> motion;
  motion.frames[1].pose.position = {5, 1, height};
  motion.frames[1].pose.rotation =
      (Eigen::AngleAxisd(steer, Eigen::Vector3d::UnitZ()) * Eigen::AngleAxisd(camber, Eigen::Vector3d::UnitX()))
          .toRotationMatrix();
  return motion;
}

// Rounding of forces of some 1e3 N: 1e-12.
constexpr double rounding = 1e-11;

TEST(Tyre, CarriesItsLoadBelowTheWheel) {
  const auto motion = wheel(0.3);
  const auto wrenches = motion.wrenches(tyre());
  EXPECT_LT((wrenches[1].force - Eigen::Vector3d(0, 0, 4000)).norm(), rounding);
  EXPECT_LT(wrenches[1].torque.norm(), rounding);
  EXPECT_NEAR(tyre().load(motion.frames[0], motion.frames[1]), 4000, rounding);
  EXPECT_EQ(wheel(0.33).wrenches(tyre())[1].force.norm(), 0);  // in the air
}

TEST(Tyre, DampsAndNeverPulls) {
  auto motion = wheel(0.3);
  motion.frames[1].velocity.linear.z() = -2;
  EXPECT_NEAR(tyre().load(motion.frames[0], motion.frames[1]), 4200, rounding);
  motion.frames[1].velocity.linear.z() = 1e3;
  EXPECT_EQ(tyre().load(motion.frames[0], motion.frames[1]), 0);
  motion.frames[0].velocity.linear.z() = 1e3;  // the road moves with it
  EXPECT_NEAR(tyre().load(motion.frames[0], motion.frames[1]), 4000, rounding);
}

// The plane of a leaning wheel reaches the road at the height over the cosine.
TEST(Tyre, LeansByItsCamber) {
  const double camber = 0.2, distance = 0.3 / std::cos(camber);
  const auto motion = wheel(0.3, camber, 0.7);
  const double load = 2e5 * (0.32 - distance) / std::cos(camber);
  EXPECT_NEAR(tyre().load(motion.frames[0], motion.frames[1]), load, rounding);
  const Eigen::Vector3d down = -motion.frames[1].pose.rotation.col(2);
  EXPECT_LT((motion.wrenches(tyre())[1].torque - (distance * down).cross(Eigen::Vector3d(0, 0, load))).norm(),
            rounding);
}

TEST(Tyre, SideForceSaturatesAtTheFriction) {
  const double load = 4000, slope = 7e4 * std::sin(2 * std::atan(load / 5000));
  // F has no second derivative at 0: the third is of the size of slope (B^2 + ...), 1e7.
  EXPECT_NEAR(tyre().side_force(load, 1e-5) / 1e-5, slope, 1e-2);
  EXPECT_EQ(tyre().side_force(load, -0.1), -tyre().side_force(load, 0.1));
  double largest = 0;
  for (double slip = 0; slip < 2; slip += 1e-3) largest = std::max(largest, tyre().side_force(load, slip));
  EXPECT_NEAR(largest, 0.9 * load, 1e-2);  // the top is flat, and hit to 5e-4 in the slip
  EXPECT_EQ(tyre().side_force(0, 0.1), 0);
}

TEST(Tyre, SlipSettlesAtTheAngleOfTheWheel) {
  auto motion = wheel(0.3, 0, 0.1);
  motion.frames[1].velocity.linear = {20, 0, 0};
  motion.states = {std::tan(0.1)};
  double rate = 1;
  tyre().state_rates(motion.motion(), &rate);
  EXPECT_NEAR(rate, 0, 1e-14);
  motion.states = {0};
  tyre().state_rates(motion.motion(), &rate);
  EXPECT_NEAR(rate, 20 * std::sin(0.1) / 0.4, 1e-14);
  motion.frames[1].velocity.linear.setZero();
  motion.states = {0.05};
  tyre().state_rates(motion.motion(), &rate);
  EXPECT_EQ(rate, 0);  // stands still at rest
}

TEST(Tyre, PushesToTheSideOfItsSlipAndTurnsTheWheelBack) {
  auto motion = wheel(0.3);
  motion.states = {0.03};
  const double force = tyre().side_force(4000, 0.03);
  const auto wrench = motion.wrenches(tyre())[1];
  EXPECT_NEAR(wrench.force.y(), force, rounding);
  EXPECT_NEAR(wrench.torque.z(), -0.03 * force, rounding);
  EXPECT_NEAR(wrench.torque.x(), 0.3 * force, rounding);
}

TEST(Tyre, RefusesWhatMakesNoSense) {
  const auto refused = [](auto&& change) {
    Tyre::Options changed = options;
    change(changed);
    return test::model_error([&] { tyre(changed); });
  };
  test::expect_contains(refused([](auto& o) { o.radius = 0; }), "tyre: radius is 0 m; give a finite value > 0");
  test::expect_contains(refused([](auto& o) { o.shape = 3; }), "tyre: shape is 3; expected a number from 1 to 2.");
  test::expect_contains(refused([](auto& o) { o.relaxation = 0; }), "tyre: relaxation length is 0 m");
  test::expect_contains(refused([](auto& o) { o.cornering = -1; }), "tyre: cornering stiffness is -1 N");
  const auto flat = wheel(0.3, std::numbers::pi / 2);
  EXPECT_THROW(flat.wrenches(tyre()), RecoverableFailure);
}

/// Three frames on three bodies.
const Frame<Spatial> car{.body = 0}, left{.body = 1}, right{.body = 2};

TEST(AntiRollBar, FeelsTheDifferenceOfHeightsOnly) {
  const AntiRollBar bar(car, left, right, {.stiffness = 1e4});
  test::ElementMotion<Spatial> motion;
  motion.frames.resize(3);
  motion.frames[1].pose.position = {0, 0.7, 0.35};
  motion.frames[2].pose.position = {0, -0.7, 0.3};
  auto wrenches = motion.wrenches(bar);
  EXPECT_LT((wrenches[1].force - Eigen::Vector3d(0, 0, -500)).norm(), 1e-12);
  EXPECT_LT((wrenches[2].force - Eigen::Vector3d(0, 0, 500)).norm(), 1e-12);
  EXPECT_LT((wrenches[0].torque - Eigen::Vector3d(700, 0, 0)).norm(), 1e-12);
  EXPECT_NEAR(bar.potential_energy(motion.motion()), 12.5, 1e-13);
  motion.frames[2].pose.position.z() = 0.35;
  wrenches = motion.wrenches(bar);
  EXPECT_EQ(wrenches[1].force.norm(), 0);
}

TEST(AntiRollBar, RefusesWhatMakesNoSense) {
  test::expect_contains(test::model_error([] { AntiRollBar(car, left, right, {}); }),
                        "anti-roll bar: stiffness is 0 N/m; give a finite value > 0");
  test::expect_contains(test::model_error([] { AntiRollBar(car, left, left, {.stiffness = 1}); }),
                        "anti-roll bar: both of its frames are on one body");
}

}  // namespace tyre_test
}  // namespace linkwork
