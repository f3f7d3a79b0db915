// A disc on a plane beyond the contract: closed forms of height, slip and reaction, and what is refused.

#include "../core/expect_error.hpp"
#include "random_motion.hpp"

#include <linkwork/core/errors.hpp>
#include <linkwork/joints/constraints/disc_on_plane.hpp>

#include <Eigen/Geometry>

#include <gtest/gtest.h>
#include <cmath>

namespace linkwork::test {
namespace disc_on_plane_test {

constexpr double radius = 0.5;
const Frame<Spatial> ground, body{.body = 0};

/// A disc whose axle, y, leans by an angle from the horizontal, with its middle at a height.
FramesInMotion<Spatial> leaning(double angle, double height) {
  FramesInMotion<Spatial> m;
  m.frames.resize(2);
  m.frames[1].pose.rotation = Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitX()).toRotationMatrix();
  m.frames[1].pose.position = {0.3, -0.2, height};
  return m;
}

TEST(DiscOnPlane, MeasuresTheHeightOfItsLowestPoint) {
  const DiscOnPlane contact(ground, body, radius);
  EXPECT_NEAR(residual_of(contact, leaning(0.4, 1))[0], 1 - radius * std::cos(0.4), 1e-15);
  EXPECT_NEAR(residual_of(contact, leaning(-0.4, radius * std::cos(0.4)))[0], 0, 1e-15);
}

TEST(DiscOnPlane, ActsUpwardsAtThatPoint) {
  const double lean = 0.4;
  Eigen::RowVectorXd expected = Eigen::RowVectorXd::Zero(12);
  // P is radius sin(lean) aside and radius cos(lean) below the middle; moments of a unit force along z at P.
  const Eigen::Vector3d middle(0.3, -0.2, 1), arm(0, radius * std::sin(lean), -radius * std::cos(lean));
  expected << -Eigen::Vector3d(middle + arm).cross(Eigen::Vector3d::UnitZ()).transpose(), 0, 0, -1,
      arm.cross(Eigen::Vector3d::UnitZ()).transpose(), 0, 0, 1;
  EXPECT_LT((rows_of(DiscOnPlane(ground, body, radius), leaning(lean, 1)).rows - expected).norm(), 1e-15);
}

TEST(RollingDisc, RollsByItsRadiusTimesTheTurn) {
  const RollingDisc rolling(ground, body, radius);
  EXPECT_EQ(rolling.level(), Level::nonholonomic);
  FramesInMotion<Spatial> m = leaning(0, radius);
  m.frames[1].velocity = {{0, 3, 0}, {3 * radius, 0, 0}};  // turning about y rolls along x
  EXPECT_LT((rows_of(rolling, m).rows * m.twists()).norm(), 1e-15);
  m.frames[1].velocity = {{0, 3, 2}, {3 * radius + 0.1, 0.2, 5}};  // a turn about the normal slips nowhere
  EXPECT_LT((rows_of(rolling, m).rows * m.twists() - Eigen::Vector2d(0.1, 0.2)).norm(), 1e-15);
}

TEST(RollingDisc, RollsOnAPlaneThatMoves) {
  const RollingDisc rolling(ground, body, radius);
  FramesInMotion<Spatial> m = leaning(0, radius);
  m.frames[0].velocity = {{0, 0, 2}, {1, 0, 0}};
  // The plane's material under (0.3, -0.2) moves with (1 + 0.4, 0.6).
  m.frames[1].velocity = {{0, 3, 0}, {1.4 + 3 * radius, 0.6, 0}};
  EXPECT_LT((rows_of(rolling, m).rows * m.twists()).norm(), 1e-15);
}

TEST(RollingDisc, FailsRecoverablyWhereTheDiscLiesFlat) {
  const FramesInMotion<Spatial> flat = leaning(std::acos(0.0), 0);
  expect_error<RecoverableFailure>(
      "rolling disc: the disc lies flat on the plane (its axle is along the normal), so that its rim has no lowest "
      "point; keep it upright.",
      [&] { rows_of(RollingDisc(ground, body, radius), flat); });
  expect_error<RecoverableFailure>(
      "disc on plane: the disc lies flat on the plane (its axle is along the normal), so that its rim has no lowest "
      "point; keep it upright.",
      [&] { residual_of(DiscOnPlane(ground, body, radius), flat); });
}

TEST(RollingDisc, RefusesWhatMakesNoSense) {
  expect_error<ModelError>("rolling disc: radius is 0 m; give a finite value > 0.",
                           [] { RollingDisc(ground, body, 0); });
  expect_error<ModelError>("disc on plane: radius is -1 m; give a finite value > 0.",
                           [] { DiscOnPlane(ground, body, -1); });
  expect_error<ModelError>(
      "rolling disc: both of its frames are on one body, so that the element does nothing; give frames of two bodies, "
      "or of a body and the ground.",
      [] { RollingDisc(body, body, radius); });
}

}  // namespace disc_on_plane_test
}  // namespace linkwork::test
