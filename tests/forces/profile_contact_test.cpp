#include "element_motion.hpp"

#include <linkwork/forces/profile_contact.hpp>

#include <cmath>
#include <limits>
#include <numbers>

namespace linkwork {
namespace profile_contact_test {

using std::numbers::pi;

constexpr double stiffness = 4e6, damping = 2, root = 0.06, height = 0.008;
constexpr int teeth = 12;

template <class Space>
ProfileContact<Space> contact(const ContactProfile& profile,
                              const typename ProfileContact<Space>::Options& options = {.stiffness = stiffness}) {
  return ProfileContact<Space>(test::ground<Space>, test::body<Space>, profile, options);
}

// Closed form: in a gap the force is radial, of the size k d^1.5. Rounding of some 10 N: below 1e-13.
TEST(ProfileContact, PressesARollerOutOfAGap) {
  const auto element = contact<Planar>(toothed_wheel_profile(teeth, root, height));
  test::ElementMotion<Planar> motion;
  const double angle = 2 * pi * 5 / teeth, depth = 2e-4;
  const Eigen::Vector2d outward(std::cos(angle), std::sin(angle));
  motion.frames[1].pose.position = (root - depth) * outward;
  const Eigen::Vector2d expected = stiffness * std::pow(depth, 1.5) * outward;
  EXPECT_LT((motion.wrenches(element)[1].force - expected).norm(), 1e-10);
  EXPECT_NEAR(element.potential_energy(motion.motion()), 0.4 * stiffness * std::pow(depth, 2.5), 1e-15);
  motion.frames[1].pose.position = (root + 1e-9) * outward;
  EXPECT_EQ(motion.wrenches(element)[1].force.norm(), 0);
}

// On a flank the force has the direction of the curve's normal, and drives the wheel.
TEST(ProfileContact, PushesAlongTheNormalOfAFlank) {
  const auto element = contact<Planar>(toothed_wheel_profile(teeth, root, height));
  const double angle = pi / 2 / teeth, radius = root + height / 2, slope = height * teeth / 2;
  test::ElementMotion<Planar> motion;
  motion.frames[1].pose.position = (radius - 1e-4) * Eigen::Vector2d(std::cos(angle), std::sin(angle));
  const auto wrenches = motion.wrenches(element);
  const Eigen::Vector2d along(-std::sin(angle), std::cos(angle)), outward(std::cos(angle), std::sin(angle));
  EXPECT_NEAR(wrenches[1].force.dot(along) / wrenches[1].force.dot(outward), -slope / (radius - 1e-4), 1e-12);
  EXPECT_NEAR(wrenches[0].torque, -(radius - 1e-4) * wrenches[1].force.dot(along), 1e-12);
  EXPECT_GT(wrenches[0].torque, 0);
}

// The search for the nearest tooth is the angle itself: a wheel of any size is the same from gap to gap.
TEST(ProfileContact, IsTheSameInEveryGap) {
  for (const int number : {1, 3, 500}) {
    const ContactProfile profile = toothed_wheel_profile(number, root, height);
    const double offset = 0.3 / number, radius = root - 1e-3;
    const double first = profile(radius * Eigen::Vector2d(std::cos(offset), std::sin(offset))).depth;
    for (int k = 0; k < number; ++k) {
      const double angle = 2 * pi * k / number + offset;
      EXPECT_NEAR(profile(radius * Eigen::Vector2d(std::cos(angle), std::sin(angle))).depth, first, 1e-14);
    }
  }
}

// Gradients against central differences of the depth, whose truncation is below 1e-6 at a step of 1e-6 m: third
// derivatives are of the size tooth_height teeth^3 / root^3 = 6e4. Profiles are smooth where they touch.
TEST(ProfileContact, ProfilesKnowTheirGradients) {
  test::Random random(1);
  const ContactProfile profiles[] = {toothed_wheel_profile(teeth, root, height),
                                     rail_profile(-0.03, 0.04, 0.02, 0.03, 0.05)};
  int touches = 0;
  for (const ContactProfile& profile : profiles)
    for (int sample = 0; sample < 300; ++sample) {
      const Eigen::Vector2d point = 0.07 * random.vector<Planar>();
      if (point.norm() < 0.02) continue;
      const ProfileDepth at = profile(point);
      if (at.depth < 1e-5) continue;
      ++touches;
      for (int i = 0; i < 2; ++i) {
        const Eigen::Vector2d step = 1e-6 * Eigen::Vector2d::Unit(i);
        EXPECT_NEAR(at.gradient[i], (profile(point + step).depth - profile(point - step).depth) / 2e-6, 1e-5)
            << point.transpose();
      }
    }
  EXPECT_GT(touches, 200);
}

TEST(ProfileContact, RailEndsAtItsRampsAndIsAsThickAsTheyFall) {
  const ContactProfile profile = rail_profile(0, 1, 0.1, 0.2, 0.05);
  EXPECT_NEAR(profile({0.5, 0.09}).depth, 0.01, 1e-15);
  EXPECT_NEAR(profile({-0.1, 0.06}).depth, 0.015, 1e-15);  // half way down the ramp
  EXPECT_LT(profile({-0.201, 0.09}).depth, 0);
  EXPECT_LT(profile({0.5, 0.1001}).depth, 0);
  EXPECT_LT(profile({0.5, 0.049}).depth, 0);  // on the other side
}

double axis_of(const Pose<Planar>& /*wheel*/) { return 1; }
Eigen::Vector3d axis_of(const Pose<Spatial>& wheel) { return wheel.rotation.col(2); }

// A profile turned by u(t) is one on a body that turns so: the same force at any time, what the surface's speed adds
// included. Rounding of forces of 1e3 N.
template <class Space>
void expect_turned_profile_is_one_on_a_turning_body() {
  const double rate = -3;
  typename ProfileContact<Space>::Options options{.stiffness = stiffness, .damping = damping, .exponent = 1.2};
  const ContactProfile profile = toothed_wheel_profile(teeth, root, height);
  const auto fixed = contact<Space>(profile, options);
  options.turning = Input([rate](double t) { return InputValue{0.2 + rate * t, rate, 0}; });
  const auto turned = contact<Space>(profile, options);
  test::Random random(2);
  int touches = 0;
  for (int sample = 0; sample < 50; ++sample) {
    test::ElementMotion<Space> of_turned, of_fixed;
    of_turned.time = of_fixed.time = random.number();
    const test::Flight<Space> base = random.flight<Space>();
    FrameMotion<Space> wheel = base.at(0), roller = random.flight<Space>().at(0);
    const double place = 3 * random.number(), angle = 0.2 + rate * of_turned.time;
    Vector<Space> local = Vector<Space>::Zero();
    local.template head<2>() << (root - 1e-3) * std::cos(place), (root - 1e-3) * std::sin(place);
    roller.pose.position = wheel.pose.position + wheel.pose.rotation * local;
    of_turned.frames = of_fixed.frames = {wheel, roller};
    FrameMotion<Space>& turning = of_fixed.frames[0];
    Rotation<Space> turn = Rotation<Space>::Identity();
    turn.template topLeftCorner<2, 2>() = rotation_matrix(angle);
    turning.velocity.angular += rate * axis_of(wheel.pose);
    turning.pose.rotation = wheel.pose.rotation * turn;
    const auto a = of_turned.wrenches(turned), b = of_fixed.wrenches(fixed);
    EXPECT_LT((a[1].force - b[1].force).norm(), 1e-9);
    touches += b[1].force.norm() > 0;
  }
  EXPECT_GT(touches, 20);
}
TEST(ProfileContact, TurnsAsPrescribedInThePlane) { expect_turned_profile_is_one_on_a_turning_body<Planar>(); }
TEST(ProfileContact, TurnsAsPrescribedInSpace) { expect_turned_profile_is_one_on_a_turning_body<Spatial>(); }

// Hunt and Crossley: a roller of mass m that meets a wall at the speed v leaves it at e v, where with the damping c the
// motion obeys  c v (1 + e) = ln((1 + c v) / (1 - c v e)), whatever the exponent and the stiffness.
TEST(ProfileContact, ReboundsAsItsDampingSays) {
  const auto wall = [](const Eigen::Vector2d& point) { return ProfileDepth{-point.x(), {-1., 0.}}; };
  const double c = 1.5, v = 0.4, mass = 0.1;
  const auto element = contact<Planar>(wall, {.stiffness = 1e5, .damping = c, .exponent = 1.5});
  double x = 0, speed = -v;
  constexpr double dt = 1e-6;
  for (int step = 0; step < 1000000 && (x <= 0 || speed < 0); ++step) {
    const auto acceleration = [&](double at, double rate) {
      FrameMotion<Planar> roller;
      roller.pose.position = {at, 0};
      roller.velocity.linear = {rate, 0};
      return element.force(0.0, {}, roller).x() / mass;
    };
    const double middle_x = x + dt / 2 * speed, middle_speed = speed + dt / 2 * acceleration(x, speed);
    x += dt * middle_speed;
    speed += dt * acceleration(middle_x, middle_speed);
  }
  const double e = speed / v;
  EXPECT_GT(e, 0.3);
  EXPECT_LT(e, 0.8);
  // The midpoint rule's error: some 1e-6 relative over a contact of a thousand times dt and more.
  EXPECT_NEAR(c * v * (1 + e), std::log((1 + c * v) / (1 - c * v * e)), 1e-4);
}

TEST(ProfileContact, NeverPulls) {
  const auto element =
      contact<Planar>(toothed_wheel_profile(teeth, root, 0), {.stiffness = stiffness, .damping = damping});
  test::ElementMotion<Planar> motion;
  motion.frames[1].pose.position = {root - 1e-4, 0};
  motion.frames[1].velocity.linear = {0.9 / damping, 0};
  EXPECT_GT(motion.wrenches(element)[1].force.x(), 0);
  motion.frames[1].velocity.linear = {1.1 / damping, 0};
  EXPECT_EQ(motion.wrenches(element)[1].force.norm(), 0);
}

TEST(ProfileContact, RefusesWhatMakesNoSense) {
  const auto refused = [](ContactProfile profile, const ProfileContact<Planar>::Options& options) {
    return test::model_error([&] { contact<Planar>(profile, options); });
  };
  const ContactProfile wheel = toothed_wheel_profile(teeth, root, height);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  test::expect_contains(refused({}, {.stiffness = 1}), "profile contact: the function of its profile is empty");
  test::expect_contains(refused(wheel, {.stiffness = 0}), "profile contact: stiffness is 0 N/m^exponent");
  test::expect_contains(refused(wheel, {.stiffness = 1, .damping = -1}), "profile contact: damping is -1 s/m");
  test::expect_contains(refused(wheel, {.stiffness = 1, .exponent = 0.5}), "profile contact: exponent is 0.5");
  test::expect_contains(refused(wheel, {.stiffness = 1, .exponent = nan}), "finite number from 1 on");
  test::expect_contains(test::model_error([&] {
                          const Frame<Planar> same = test::body<Planar>;
                          ProfileContact<Planar>(same, same, wheel, {.stiffness = 1});
                        }),
                        "profile contact: both of its frames are on one body");
  test::expect_contains(test::model_error([] { toothed_wheel_profile(0, 1, 0); }),
                        "toothed wheel: number of teeth is 0");
  test::expect_contains(test::model_error([] { toothed_wheel_profile(1, 0, 0); }), "toothed wheel: root radius is 0 m");
  test::expect_contains(test::model_error([] { toothed_wheel_profile(1, 1, -1); }),
                        "toothed wheel: tooth height is -1");
  test::expect_contains(test::model_error([nan] { rail_profile(0, 1, nan, 1, 1); }), "rail: height is nan m");
  test::expect_contains(test::model_error([] { rail_profile(1, 1, 0, 1, 1); }), "rail: length is 0 m");
  test::expect_contains(test::model_error([] { rail_profile(0, 1, 0, 0, 1); }), "rail: length of its ramps is 0 m");
  test::expect_contains(test::model_error([] { rail_profile(0, 1, 0, 1, 0); }), "rail: drop of its ramps is 0 m");
}

// An integrator takes a shorter step where a roller would pass the middle of the wheel.
TEST(ProfileContact, HasNoDirectionInTheMiddleOfTheWheel) {
  const auto element = contact<Planar>(toothed_wheel_profile(teeth, root, height));
  test::ElementMotion<Planar> motion;
  motion.frames[1].pose.position = {1e-4, 0};
  EXPECT_THROW(motion.wrenches(element), RecoverableFailure);
}

}  // namespace profile_contact_test
}  // namespace linkwork
