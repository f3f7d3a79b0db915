#include "element_motion.hpp"

#include <linkwork/forces/wheelset_creep.hpp>

#include <cmath>

namespace linkwork {
namespace wheelset_creep_test {

// Wheels with circular profiles of 0.4 m on rails with heads of 0.3 m, on a straight track along x; contact angle zero,
// so that the wheelset is cylindrical to first order.
constexpr double rolling_radius = 0.5, half_gauge = 0.75, head = 0.3, profile = 0.4, speed = 20;

Path straight() {
  return track_path([](double u) { return SpaceCurvePoint{{u, 0, 0}, {1, 0, 0}, {0, 0, 0}, {0, 0, 0}}; });
}
WheelsetCreep::Options wheels() {
  WheelsetCreep::Options out;
  for (const std::size_t k : {0u, 1u}) {
    const double side = k == 0 ? half_gauge : -half_gauge;
    out.contacts[k] = {{straight(), {0, side, -head}}, {turning_path(Axis::y()), {0, side, -rolling_radius - profile}}};
  }
  out.profile = profile;
  out.speed = speed;
  out.longitudinal = 7e6;
  out.lateral = 6e6;
  out.lateral_spin = 1e4;
  out.spin = 50;
  return out;
}
WheelsetCreep creep(const WheelsetCreep::Options& options = wheels()) {
  return WheelsetCreep(test::ground<Spatial>, test::body<Spatial>, options);
}
test::ElementMotion<Spatial> rolling() {
  test::ElementMotion<Spatial> out;
  out.memory.assign(4, 0.0);
  out.frames[1].pose.position = {30, 0, rolling_radius};
  out.frames[1].velocity.linear = {speed, 0, 0};
  return out;
}

// Rounding of the distance of curves 0.1 m apart at 30 m: 1e-14 m; of velocities of 20 m/s: 1e-15, times 7e6 / 20.
constexpr double rounding = 1e-6;

TEST(WheelsetCreep, RollsFreelyStraightOn) {
  auto motion = rolling();
  motion.remember(creep(), true);
  EXPECT_NEAR(motion.memory[0], 30, 1e-9);
  const auto wrench = motion.wrenches(creep())[1];
  EXPECT_LT(wrench.force.norm(), rounding);
  EXPECT_LT(wrench.torque.norm(), rounding);
}

TEST(WheelsetCreep, ResistsASlideToTheSide) {
  auto motion = rolling();
  motion.frames[1].velocity.linear.y() = 0.02;  // a creepage of 0.001 at both wheels
  const auto wrench = motion.wrenches(creep())[1];
  EXPECT_NEAR(wrench.force.y(), -2 * 6e6 * 0.001, rounding);
  EXPECT_NEAR(wrench.torque.z(), 2 * 1e4 * 0.001, rounding);
  EXPECT_NEAR(wrench.force.x(), 0, rounding);
}

// Yawing at the rate w, the wheels slip by -half_gauge w and half_gauge w along the rails, and spin.
TEST(WheelsetCreep, ResistsAYawRate) {
  const double w = 0.04;
  auto motion = rolling();
  motion.frames[1].velocity.angular.z() = w;
  const auto wrench = motion.wrenches(creep())[1];
  EXPECT_NEAR(wrench.torque.z(), -2 * (7e6 * half_gauge * half_gauge + 50) * w / speed, rounding);
  EXPECT_NEAR(wrench.force.x(), 0, rounding);
  EXPECT_NEAR(wrench.force.y(), -2 * 1e4 * w / speed, rounding);
}

TEST(WheelsetCreep, DoesNoTorqueAboutTheAxle) {
  test::Random random(1);
  for (int sample = 0; sample < 20; ++sample) {
    auto motion = rolling();
    FrameMotion<Spatial>& wheelset = motion.frames[1];
    wheelset.pose.position += 0.01 * random.vector<Spatial>();
    wheelset.pose.rotation =
        Eigen::AngleAxisd(0.01 * random.number(), random.vector<Spatial>().normalized()).toRotationMatrix();
    wheelset.velocity.linear += 0.1 * random.vector<Spatial>();
    wheelset.velocity.angular += 0.1 * random.vector<Spatial>();
    motion.remember(creep(), true);
    const auto wrench = motion.wrenches(creep())[1];
    EXPECT_GT(wrench.torque.norm(), 1);
    EXPECT_NEAR(wrench.torque.dot(wheelset.pose.rotation.col(1)), 0, rounding);
  }
}

TEST(WheelsetCreep, RefusesWhatMakesNoSense) {
  const auto refused = [](auto&& change) {
    WheelsetCreep::Options options = wheels();
    change(options);
    return test::model_error([&] { creep(options); });
  };
  test::expect_contains(refused([](auto& o) { o.speed = 0; }), "wheelset creep: speed is 0 m/s; give a finite value");
  test::expect_contains(refused([](auto& o) { o.profile = -1; }),
                        "wheelset creep: radius of the wheel's profile is -1");
  test::expect_contains(refused([](auto& o) { o.longitudinal = 0; }), "wheelset creep: longitudinal coefficient is 0");
  test::expect_contains(refused([](auto& o) { o.axle.setZero(); }), "wheelset creep: axle is (0 0 0)");
  test::expect_contains(refused([](auto& o) { o.contacts[1].b.path = {}; }),
                        "wheelset creep: the function of its second path is empty");
}

}  // namespace wheelset_creep_test
}  // namespace linkwork
