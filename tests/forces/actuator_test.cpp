#include <linkwork/forces/actuator.hpp>

#include "element_motion.hpp"

namespace linkwork {
namespace actuator_test {

using test::body;
using test::expect_contains;
using test::ground;
using test::model_error;

constexpr double rounding = 1e-14;

template <class Space>
double unit_command(const Motion<Space>&) {
  return 1;
}

TEST(Actuator, TendsToItsCommand) {
  const Actuator<Planar> motor(
      ground<Planar>, body<Planar>,
      {.command = [](const Motion<Planar>& m) { return m.time() + m.frame(1).velocity.angular; },
       .time_constant = 0.25,
       .initial = 7});
  EXPECT_EQ(motor.states(), 1);
  EXPECT_EQ(motor.initial_state(0), 7);
  test::ElementMotion<Planar> motion;
  motion.time = 2;
  motion.states = {3};
  motion.frames[1].velocity.angular = 10;
  motor.state_rates(motion.motion(), motion.rates.data());
  EXPECT_NEAR(motion.rates[0], (12 - 3) / 0.25, rounding);
  EXPECT_NEAR(motion.wrenches(motor)[1].torque, 3, rounding);
  EXPECT_NEAR(motion.wrenches(motor)[0].torque, -3, rounding);
}

TEST(Actuator, TurnsItsAxisWithTheFather) {
  test::ElementMotion<Spatial> motion;
  motion.states = {3};
  motion.frames[0].pose.rotation << 0, -1, 0, 1, 0, 0, 0, 0, 1;
  motion.frames[1].pose.position = {1, 0, 0};
  Actuator<Spatial>::Options options{
      .command = unit_command<Spatial>, .time_constant = 1, .axis = Eigen::Vector3d(2, 0, 0)};
  EXPECT_NEAR(
      (motion.wrenches(Actuator<Spatial>(ground<Spatial>, body<Spatial>, options))[1].torque - Eigen::Vector3d(0, 3, 0))
          .norm(),
      0, rounding);
  options.effort = Actuator<Spatial>::Effort::force;
  const auto wrenches = motion.wrenches(Actuator<Spatial>(ground<Spatial>, body<Spatial>, options));
  EXPECT_NEAR((wrenches[1].force - Eigen::Vector3d(0, 3, 0)).norm(), 0, rounding);
  EXPECT_NEAR((wrenches[0].force - Eigen::Vector3d(0, -3, 0)).norm(), 0, rounding);
  EXPECT_NEAR((wrenches[0].torque - Eigen::Vector3d(0, 0, -3)).norm(), 0, rounding);
}

TEST(Actuator, RefusesWrongOptions) {
  const auto planar = [](Actuator<Planar>::Options options) {
    return [options] { Actuator<Planar>(ground<Planar>, body<Planar>, options); };
  };
  expect_contains(model_error(planar({.time_constant = 1})), "actuator: the function of its command is empty");
  expect_contains(model_error(planar({.command = unit_command<Planar>})), "time constant is 0 s");
  expect_contains(model_error(planar({.command = unit_command<Planar>, .time_constant = -1})), "time constant is -1 s");
  expect_contains(model_error(planar({.command = unit_command<Planar>, .time_constant = 1, .initial = 1 / 0.0})),
                  "initial effort is inf N m");
  expect_contains(
      model_error(
          planar({.command = unit_command<Planar>, .time_constant = 1, .effort = Actuator<Planar>::Effort::force})),
      "its axis is missing");
  expect_contains(
      model_error(planar({.command = unit_command<Planar>, .time_constant = 1, .axis = Eigen::Vector2d(1, 0)})),
      "a planar torque has no axis");
  expect_contains(model_error([] {
                    Actuator<Spatial>(
                        ground<Spatial>, body<Spatial>,
                        {.command = unit_command<Spatial>, .time_constant = 1, .axis = Eigen::Vector3d(0, 0, 0)});
                  }),
                  "axis is (0 0 0), which has no finite length above zero");
}

}  // namespace actuator_test
}  // namespace linkwork
