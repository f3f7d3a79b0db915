#include <linkwork/forces/spring_damper.hpp>

#include "element_motion.hpp"

#include <limits>

namespace linkwork {
namespace spring_damper_test {

using test::body;
using test::expect_contains;
using test::ground;
using test::model_error;
using Spring = SpringDamper<Planar>;

constexpr double rounding = 1e-13;  // a few operations on numbers up to 100
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

// From (0, 0) to (3, 4): length 5 m, line of action (0.6, 0.8); the second end moves at 2 m/s along the line.
test::ElementMotion<Planar> stretched() {
  test::ElementMotion<Planar> motion;
  motion.frames[1].pose.position = {3, 4};
  motion.frames[1].velocity.linear = {1.2, 1.6};
  return motion;
}

TEST(SpringDamper, PullsItsEndsTogetherWhenStretched) {
  const Spring spring(ground<Planar>, body<Planar>, {.stiffness = 10, .damping = 3, .free_length = 2});
  const double tension = 10 * (5 - 2) + 3 * 2;
  const auto wrenches = stretched().wrenches(spring);
  EXPECT_NEAR((wrenches[0].force - tension * Eigen::Vector2d(0.6, 0.8)).norm(), 0, rounding);
  EXPECT_NEAR((wrenches[1].force + tension * Eigen::Vector2d(0.6, 0.8)).norm(), 0, rounding);
  EXPECT_NEAR(spring.potential_energy(stretched().motion()), 0.5 * 10 * 9, rounding);
}

TEST(SpringDamper, FollowsTheLawOfTheUser) {
  Spring::Options options;
  options.law = [](double length, double rate) { return 7 * length + 11 * rate; };
  EXPECT_NEAR(stretched().wrenches(Spring(ground<Planar>, body<Planar>, options))[0].force.norm(), 7 * 5 + 11 * 2,
              rounding);
  EXPECT_EQ(Spring(ground<Planar>, body<Planar>, options).potential_energy(stretched().motion()), 0);
  options.energy = [](double length) { return 3.5 * length * length; };
  EXPECT_NEAR(Spring(ground<Planar>, body<Planar>, options).potential_energy(stretched().motion()), 3.5 * 25, rounding);
}

TEST(SpringDamper, FailsRecoverablyAtLengthZero) {
  const test::ElementMotion<Planar> touching;
  try {
    touching.wrenches(Spring(ground<Planar>, body<Planar>, {.stiffness = 1, .free_length = 0.1}));
    ADD_FAILURE() << "no failure";
  } catch (const RecoverableFailure& failure) {
    expect_contains(failure.what(), "spring-damper: its length is 0 m, so");
  }
  EXPECT_THROW(touching.wrenches(Spring(ground<Planar>, body<Planar>, {.damping = 1})), RecoverableFailure);
}

TEST(SpringDamper, GoesThroughLengthZeroWithoutFreeLengthAndDamping) {
  const test::ElementMotion<Planar> touching;
  const Spring spring(ground<Planar>, body<Planar>, {.stiffness = 10});
  EXPECT_EQ(touching.wrenches(spring)[0].force.norm(), 0);
  EXPECT_NEAR((stretched().wrenches(spring)[0].force - Eigen::Vector2d(30, 40)).norm(), 0, rounding);
}

TEST(SpringDamper, RefusesNumbersOutOfRange) {
  expect_contains(model_error([] { Spring(ground<Planar>, body<Planar>, {.stiffness = -3}); }), "stiffness is -3 N/m");
  expect_contains(model_error([] { Spring(ground<Planar>, body<Planar>, {.stiffness = infinity}); }),
                  "stiffness is inf N/m");
  expect_contains(model_error([] { Spring(ground<Planar>, body<Planar>, {.stiffness = 1, .damping = -2}); }),
                  "damping is -2 N s/m");
  expect_contains(model_error([] { Spring(ground<Planar>, body<Planar>, {.stiffness = 1, .damping = nan}); }),
                  "damping is nan N s/m");
  expect_contains(model_error([] { Spring(ground<Planar>, body<Planar>, {.stiffness = 1, .free_length = -1}); }),
                  "free length is -1 m");
}

TEST(SpringDamper, RefusesToDoNothing) {
  expect_contains(model_error([] { Spring(ground<Planar>, body<Planar>, {.free_length = 1}); }),
                  "does nothing; give one of them");
}

TEST(SpringDamper, RefusesALawBesideNumbersAndAnEnergyWithoutALaw) {
  const auto law = [](double, double) { return 1.0; };
  expect_contains(model_error([&] { Spring(ground<Planar>, body<Planar>, {.stiffness = 2, .law = law}); }),
                  "a law is given besides stiffness 2 N/m");
  expect_contains(model_error([&] { Spring(ground<Planar>, body<Planar>, {.free_length = 2, .law = law}); }),
                  "free length 2 m");
  expect_contains(
      model_error([] { Spring(ground<Planar>, body<Planar>, {.stiffness = 2, .energy = [](double) { return 1.0; }}); }),
      "an energy is given without a law");
}

}  // namespace spring_damper_test
}  // namespace linkwork
