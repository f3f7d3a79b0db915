#include <linkwork/forces/torsion_spring_damper.hpp>

#include "element_motion.hpp"

#include <limits>
#include <numbers>

namespace linkwork {
namespace torsion_spring_damper_test {

using test::body;
using test::expect_contains;
using test::ground;
using test::model_error;
using PlanarTorsion = TorsionSpringDamper<Planar>;
using SpatialTorsion = TorsionSpringDamper<Spatial>;

constexpr double pi = std::numbers::pi;
constexpr double rounding = 1e-12;  // angles up to 100 rad from atan2 of numbers of size one

TEST(TorsionSpringDamper, TurnsThePlanarSonBackAndCountsFullTurns) {
  const PlanarTorsion spring(ground<Planar>, body<Planar>, {.stiffness = 2, .damping = 0.5, .free_angle = 0.3});
  test::ElementMotion<Planar> motion;
  motion.frames[0].pose.angle = 0.1;
  motion.frames[1].pose.angle = 0.9 + 6 * pi;
  motion.frames[1].velocity.angular = 3;
  const double torque = -2 * (0.5 + 6 * pi) - 0.5 * 3;
  EXPECT_NEAR(motion.wrenches(spring)[1].torque, torque, rounding);
  EXPECT_NEAR(motion.wrenches(spring)[0].torque, -torque, rounding);
  EXPECT_NEAR(spring.potential_energy(motion.motion()), std::pow(0.5 + 6 * pi, 2), 100 * rounding);
  EXPECT_EQ(spring.memory_size(), 0);
}

TEST(TorsionSpringDamper, CountsFullTurnsInSpaceFromStepToStep) {
  const Axis axis({1, 2, -2});
  const SpatialTorsion spring(ground<Spatial>, body<Spatial>, axis,
                              {.stiffness = 2, .damping = 0.5, .free_angle = 0.3});
  test::Flight<Spatial> father, son;
  father.start.rotation = son.start.rotation = Eigen::Quaterniond(0.5, -0.1, 0.7, 0.2).normalized();
  const Eigen::Vector3d direction = father.start.rotation * axis.direction();
  for (const double speed : {1.0, -1.0}) {
    son.velocity.angular = speed * direction;
    test::ElementMotion<Spatial> motion;
    for (double t = 0; t < 8 * pi; t += 2.5) {  // less than half a turn at a time
      motion.frames = {father.at(t), son.at(t)};
      const Eigen::Vector3d torque = motion.wrenches(spring)[1].torque;
      EXPECT_NEAR((torque - direction * (-2 * (speed * t - 0.3) - 0.5 * speed)).norm(), 0, rounding);
      motion.remember(spring);
      EXPECT_NEAR(motion.memory[0], speed * t, rounding);
    }
  }
}

TEST(TorsionSpringDamper, TakesTheAngleNearestToItsMemory) {
  const SpatialTorsion spring(ground<Spatial>, body<Spatial>, Axis::z(), {.stiffness = 1});
  test::Flight<Spatial> father, son;
  son.velocity.angular = {0, 0, 1};
  test::ElementMotion<Spatial> motion;
  motion.frames = {father.at(0), son.at(0.9 * pi)};
  motion.memory = {0, 0, 0, 1};  // angle, rate, time, known
  EXPECT_NEAR(motion.wrenches(spring)[1].torque.z(), -0.9 * pi, rounding);
  motion.memory = {-pi, 0, 0, 1};
  EXPECT_NEAR(motion.wrenches(spring)[1].torque.z(), 1.1 * pi, rounding);
  motion.memory = {19.5 * pi, 0, 0, 1};
  EXPECT_NEAR(motion.wrenches(spring)[1].torque.z(), -18.9 * pi, rounding);
}

// Three turns at once are no matter at a constant rate; what departs from it by more than an eighth of a turn is.
TEST(TorsionSpringDamper, RefusesStepsThatMayLoseATurn) {
  const SpatialTorsion spring(ground<Spatial>, body<Spatial>, Axis::z(), {.stiffness = 1});
  const SpatialTorsion damper(ground<Spatial>, body<Spatial>, Axis::z(), {.damping = 1});
  test::Flight<Spatial> father, son;
  son.velocity.angular = {0, 0, 2 * pi};
  test::ElementMotion<Spatial> motion;
  motion.frames = {father.at(0), son.at(0)};
  motion.remember(spring);
  motion.time = 3;
  motion.frames[1] = son.at(3.1);
  EXPECT_NEAR(motion.wrenches(spring)[1].torque.z(), -6.2 * pi, 10 * rounding);
  for (const double late : {2.8, 3.2}) {
    motion.frames[1] = son.at(late);
    try {
      motion.wrenches(spring);
      ADD_FAILURE() << "no failure";
    } catch (const RecoverableFailure& failure) {
      expect_contains(failure.what(), "the number of turns is not known any more; take shorter steps (maximum_step)");
    }
    EXPECT_NO_THROW(motion.wrenches(damper));  // which does not count turns
  }
  motion.remember(spring);
  EXPECT_NEAR(motion.memory[0], 6.4 * pi, 10 * rounding);
}

TEST(TorsionSpringDamper, FailsRecoverablyWhereTheAxesAreOpposite) {
  const SpatialTorsion spring(ground<Spatial>, body<Spatial>, Axis::z(), {.stiffness = 1});
  test::ElementMotion<Spatial> motion;
  motion.frames[1].pose.rotation = Eigen::AngleAxisd(pi, Eigen::Vector3d::UnitX()).toRotationMatrix();
  try {
    motion.wrenches(spring);
    ADD_FAILURE() << "no failure";
  } catch (const RecoverableFailure& failure) {
    expect_contains(failure.what(), "torsion spring-damper: the axes of its frames are opposite, so");
  }
}

TEST(TorsionSpringDamper, RefusesNumbersOutOfRange) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  expect_contains(model_error([] { PlanarTorsion(ground<Planar>, body<Planar>, {.stiffness = -1}); }),
                  "stiffness is -1 N m/rad");
  expect_contains(model_error([] { PlanarTorsion(ground<Planar>, body<Planar>, {.damping = -1}); }),
                  "damping is -1 N m s/rad");
  expect_contains(model_error([] { PlanarTorsion(ground<Planar>, body<Planar>, {.stiffness = 1, .free_angle = nan}); }),
                  "free angle is nan rad");
  expect_contains(model_error([] { SpatialTorsion(ground<Spatial>, body<Spatial>, Axis::x(), {.free_angle = 1}); }),
                  "does nothing; give one of them");
}

}  // namespace torsion_spring_damper_test
}  // namespace linkwork
