#include <linkwork/forces/applied_force.hpp>
#include <linkwork/forces/applied_torque.hpp>

#include "element_motion.hpp"

#include <limits>

namespace linkwork {
namespace applied_test {

using test::body;
using test::expect_contains;
using test::ground;
using test::model_error;

constexpr double rounding = 1e-14;

// The frame turned by a quarter about z: its x axis is the ground's y axis.
test::ElementMotion<Spatial> quarter_turn() {
  test::ElementMotion<Spatial> motion;
  motion.frames[0].pose.rotation << 0, -1, 0, 1, 0, 0, 0, 0, 1;
  return motion;
}

TEST(AppliedForce, ActsInTheAxesAskedFor) {
  const Eigen::Vector3d force(3, 0, 2);
  const AppliedForce<Spatial> ground({}, force), frame({}, force, AppliedAxes::frame);
  EXPECT_NEAR((quarter_turn().wrenches(ground)[0].force - force).norm(), 0, rounding);
  EXPECT_NEAR((quarter_turn().wrenches(frame)[0].force - Eigen::Vector3d(0, 3, 2)).norm(), 0, rounding);
  EXPECT_EQ(quarter_turn().wrenches(frame)[0].torque.norm(), 0);
}

TEST(AppliedTorque, ActsInTheAxesAskedFor) {
  const Eigen::Vector3d torque(3, 0, 2);
  const AppliedTorque<Spatial> ground({}, torque), frame({}, torque, AppliedAxes::frame);
  EXPECT_NEAR((quarter_turn().wrenches(ground)[0].torque - torque).norm(), 0, rounding);
  EXPECT_NEAR((quarter_turn().wrenches(frame)[0].torque - Eigen::Vector3d(0, 3, 2)).norm(), 0, rounding);
  test::ElementMotion<Planar> planar;
  EXPECT_EQ(planar.wrenches(AppliedTorque<Planar>({}, 5.0))[0].torque, 5);
  EXPECT_EQ(planar.wrenches(AppliedTorque<Planar>({}, 5.0, AppliedAxes::frame))[0].torque, 5);
}

TEST(AppliedForce, FollowsTimeAndTheMotionOfEveryFrameItReads) {
  const AppliedForce<Planar>::Function follow = [](const Motion<Planar>& m) -> Eigen::Vector2d {
    return m.time() * (m.frame(1).pose.position - m.frame(0).pose.position) - m.frame(0).velocity.linear;
  };
  const AppliedForce<Planar> force({}, follow, AppliedAxes::ground, {Frame<Planar>{}});
  ASSERT_EQ(force.frames().size(), 2u);
  test::ElementMotion<Planar> motion;
  motion.time = 2;
  motion.frames[0].velocity.linear = {1, 0};
  motion.frames[1].pose.position = {3, 4};
  const auto wrenches = motion.wrenches(force);
  EXPECT_NEAR((wrenches[0].force - Eigen::Vector2d(5, 8)).norm(), 0, rounding);
  EXPECT_EQ(wrenches[1].force.norm(), 0);
}

TEST(AppliedTorque, FollowsTimeAndState) {
  const AppliedTorque<Planar> brake({},
                                    [](const Motion<Planar>& m) { return m.time() - 3 * m.frame(0).velocity.angular; });
  test::ElementMotion<Planar> motion;
  motion.time = 2;
  motion.frames[0].velocity.angular = 4;
  EXPECT_NEAR(motion.wrenches(brake)[0].torque, 2 - 12, rounding);
}

TEST(AppliedForce, RefusesWhatIsEmptyZeroOrNotFinite) {
  expect_contains(model_error([] { AppliedForce<Planar>({}, AppliedForce<Planar>::Function{}); }),
                  "applied force: the function of its force is empty");
  expect_contains(model_error([] { AppliedForce<Planar>({}, Eigen::Vector2d(0, 0)); }), "constant force is 0 N");
  expect_contains(
      model_error([] { AppliedForce<Planar>({}, Eigen::Vector2d(0, std::numeric_limits<double>::quiet_NaN())); }),
      "nan) N; give finite values");
}

TEST(AppliedTorque, RefusesWhatIsEmptyZeroOrNotFinite) {
  expect_contains(model_error([] { AppliedTorque<Spatial>({}, AppliedTorque<Spatial>::Function{}); }),
                  "applied torque: the function of its torque is empty");
  expect_contains(model_error([] { AppliedTorque<Planar>({}, 0.0); }), "constant torque is 0 N m");
  expect_contains(model_error([] { AppliedTorque<Spatial>({}, Eigen::Vector3d(0, 0, 0)); }),
                  "constant torque is 0 N m");
  expect_contains(model_error([] { AppliedTorque<Planar>({}, std::numeric_limits<double>::infinity()); }),
                  "torque is inf N m; give a finite value");
}

}  // namespace applied_test
}  // namespace linkwork
