#include <linkwork/forces/dry_friction.hpp>

#include "element_motion.hpp"

#include <limits>

namespace linkwork {
namespace dry_friction_test {

using test::body;
using test::expect_contains;
using test::ground;
using test::model_error;
using Friction = DryFriction<Planar>;
using Direction = Friction::Direction;

constexpr double rounding = 1e-13;

// The drum of MEXX 5.1: radius 2 m, its support presses it upwards, the contact is below its centre.
constexpr double mu = 0.25, radius = 2;
Friction::Options drum(Direction direction) {
  return {.coefficient = mu,
          .normal = {0, 1},
          .tangent = {1, 0},
          .arm = {0, -radius},
          .direction = direction,
          .speed = 0.1};
}
Friction friction(Direction direction) { return Friction({}, ground<Planar>, body<Planar>, drum(direction)); }

/// A drum at (5, 2) on which the support presses with N, and that slips with `slip` m/s at its lowest point.
test::ElementMotion<Planar> sliding(double N, double slip) {
  test::ElementMotion<Planar> motion;
  motion.frames[1].pose.position = {5, radius};
  motion.frames[1].velocity.angular = slip / radius;
  motion.reactions[0].force = {77, N};  // the part along the tangent must not matter
  return motion;
}

TEST(DryFriction, GivenDirectionIsThatOfTheCableDrum) {
  for (const double N : {1.9, -1.9}) {  // N = -lambda_2, of either sign
    const Wrench<Planar> on_drum = sliding(N, 3).wrenches(friction(Direction::given))[1];
    EXPECT_NEAR(on_drum.force.x(), mu * N, rounding);
    EXPECT_NEAR(on_drum.force.y(), 0, rounding);
    EXPECT_NEAR(on_drum.torque, mu * radius * N, rounding);
  }
}

TEST(DryFriction, ReactsOnTheFatherAtTheContact) {
  const Wrench<Planar> on_father = sliding(4, 3).wrenches(friction(Direction::given))[0];
  EXPECT_NEAR(on_father.force.x(), -mu * 4, rounding);
  EXPECT_NEAR(on_father.torque, 0, rounding);  // the contact (5, 0) lies on the line of action through the origin
}

TEST(DryFriction, SmoothedForceOpposesTheSlip) {
  const Friction smoothed = friction(Direction::smoothed);
  for (const double N : {4.0, -4.0})
    for (const double slip : {0.05, -0.05})
      EXPECT_NEAR(sliding(N, slip).wrenches(smoothed)[1].force.x(), -mu * 4 * std::tanh(slip / 0.1), rounding);
  EXPECT_LT(sliding(4, 3).power(smoothed), 0);
  EXPECT_EQ(smoothed.switches(), 0);
  EXPECT_EQ(smoothed.memory_size(), 0);
}

TEST(DryFriction, SlipIsRelativeToTheFather) {
  test::ElementMotion<Planar> motion = sliding(4, 3);
  motion.frames[0].velocity.linear = {3, 0};
  EXPECT_NEAR(motion.wrenches(friction(Direction::smoothed))[1].force.x(), 0, rounding);
}

TEST(DryFriction, FrozenSignStaysInsideAStepAndTurnsAtACrossing) {
  const Friction frozen = friction(Direction::frozen);
  ASSERT_EQ(frozen.switches(), 1);
  ASSERT_EQ(frozen.memory_size(), 1);
  test::ElementMotion<Planar> motion = sliding(-4, 3);
  motion.remember(frozen, true);
  EXPECT_EQ(motion.memory[0], 1);
  EXPECT_NEAR(motion.wrenches(frozen)[1].force.x(), -mu * 4, rounding);
  EXPECT_NEAR(frozen.switching_function(motion.motion(), 0), 3, rounding);

  motion.frames = sliding(-4, -1e-3).frames;  // past the zero inside a step: the sign is still the old one
  EXPECT_NEAR(motion.wrenches(frozen)[1].force.x(), -mu * 4, rounding);

  for (const double residual : {1e-14, -1e-14, 0.0}) {  // the located zero may lie on either side
    motion.frames = sliding(-4, residual).frames;
    motion.memory = {1};
    motion.remember(frozen, true, 0);
    EXPECT_EQ(motion.memory[0], -1);
    EXPECT_NEAR(motion.wrenches(frozen)[1].force.x(), mu * 4, rounding);
  }
}

TEST(DryFriction, FrozenSignOfAStartAtRestIsTheInitialOne) {
  Friction::Options options = drum(Direction::frozen);
  for (const double sign : {1.0, -1.0}) {
    options.initial_sign = sign;
    test::ElementMotion<Planar> motion = sliding(4, 0);
    motion.remember(Friction({}, ground<Planar>, body<Planar>, options), true);
    EXPECT_EQ(motion.memory[0], sign);
  }
}

TEST(DryFriction, FrozenSignIsKeptAtRestAndPutRightAtAnAcceptedStep) {
  const Friction frozen = friction(Direction::frozen);
  test::ElementMotion<Planar> motion = sliding(4, 0);
  motion.memory = {-1};
  motion.remember(frozen);
  EXPECT_EQ(motion.memory[0], -1);
  motion.frames = sliding(4, 0.2).frames;
  motion.remember(frozen);
  EXPECT_EQ(motion.memory[0], 1);
}

TEST(DryFriction, ReadsTheReactionOfItsJoint) {
  const Friction element(ConstraintRef<Planar>{7, nullptr}, ground<Planar>, body<Planar>, drum(Direction::given));
  ASSERT_EQ(element.reactions().size(), 1u);
  EXPECT_EQ(element.reactions()[0].index, 7);
}

TEST(DryFriction, RefusesWrongOptions) {
  const auto with = [](auto change) {
    Friction::Options options = drum(Direction::smoothed);
    change(options);
    return [options] { Friction({}, ground<Planar>, body<Planar>, options); };
  };
  using Options = Friction::Options;
  expect_contains(model_error(with([](Options& o) { o.coefficient = -0.1; })), "dry friction: coefficient is -0.1 [-]");
  expect_contains(model_error(with([](Options& o) { o.normal = {0, 0}; })), "normal is (0 0), which has no finite");
  expect_contains(model_error(with([](Options& o) { o.tangent = {0, 0}; })), "tangent is (0 0), which has no finite");
  expect_contains(model_error(with([](Options& o) { o.tangent = {1, 1}; })), "give perpendicular directions");
  expect_contains(model_error(with([](Options& o) { o.speed = 0; })), "speed is 0 m/s");
  expect_contains(model_error(with([](Options& o) { o.initial_sign = 0; })), "initial sign is 0");
  expect_contains(model_error(with([](Options& o) { o.arm.x() = std::numeric_limits<double>::infinity(); })),
                  "arm is (inf");
}

}  // namespace dry_friction_test
}  // namespace linkwork
