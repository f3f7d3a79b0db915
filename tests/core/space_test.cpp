#include "expect_error.hpp"

#include <linkwork/core/errors.hpp>
#include <linkwork/core/space.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace linkwork {
namespace space_test {

constexpr double rounding = 1e-15;

TEST(Axis, IsNormalisedAndSpansARightHandedFrame) {
  for (const Eigen::Vector3d& direction :
       {Eigen::Vector3d(0, 0, 2), Eigen::Vector3d(1, 2, -2), Eigen::Vector3d(0, 0, -1)}) {
    const Axis axis(direction);
    const Eigen::Matrix3d frame = axis.frame();
    EXPECT_NEAR(axis.direction().norm(), 1, rounding);
    EXPECT_TRUE(frame.col(2).isApprox(direction.normalized(), 4 * rounding));
    EXPECT_TRUE((frame.transpose() * frame).isIdentity(8 * rounding));
    EXPECT_NEAR(frame.determinant(), 1, 8 * rounding);
  }
  EXPECT_TRUE(Axis::z().frame().isIdentity(rounding));
}

// Also where the direction is nearly opposite to z, and the way of the shortest turn is nearly lost.
TEST(Axis, HasAnOrthogonalFrameNearTheOppositeOfZ) {
  EXPECT_TRUE(Axis(Eigen::Vector3d(0, 0, -1))
                  .frame()
                  .isApprox(Eigen::Matrix3d(Eigen::Vector3d(1, -1, -1).asDiagonal()), 1e-15));
  for (const double off : {1e-2, 1e-4, 3e-5, 1.5e-6, 1e-6, 1e-7, 1e-9, 1e-12}) {
    const Eigen::Vector3d direction(off, -0.5 * off, -1);
    const Eigen::Matrix3d frame = Axis(direction).frame();
    EXPECT_TRUE((frame.transpose() * frame).isIdentity(1e-14)) << off;
    EXPECT_TRUE(frame.col(2).isApprox(direction.normalized(), 1e-14)) << off;
  }
}

TEST(Axis, RefusesADirectionWithoutLength) {
  expect_error<ModelError>(
      "Axis: the direction (0 0 0) has no finite length above zero; give a direction such as {0, 0, 1}.",
      [] { Axis(Eigen::Vector3d::Zero()); });
  EXPECT_THROW(Axis(Eigen::Vector3d(0, 0, HUGE_VAL)), ModelError);
}

// The shortest: its angle is the angle between them, half a turn where they are opposite or nearly so. The nearer they
// are to it, the shorter is their sum, by which the turn is found, beside their rounding.
TEST(TurnBetween, TakesOneDirectionToTheOther) {
  const Eigen::Vector3d from(0.3, -2, 1);
  const Eigen::Vector3d across = from.cross(Eigen::Vector3d::UnitX()).normalized();
  for (const double to_half_a_turn : {std::numbers::pi, 2.0, 0.1, 1e-3, 1e-5, 1e-6, 1e-8, 0.0}) {
    const double angle = std::numbers::pi - to_half_a_turn;
    const Eigen::Vector3d to = 5 * (Eigen::AngleAxisd(angle, across) * from);
    const Eigen::Quaterniond turn = turn_between(from, to);
    const bool is_opposite = to_half_a_turn < 1.5e-6;
    const double tolerance = is_opposite ? 1e-14 : 1e-14 / std::min(1.0, to_half_a_turn);
    EXPECT_TRUE((turn * from.normalized()).isApprox(to.normalized(), tolerance)) << angle;
    EXPECT_NEAR(turn.norm(), 1, tolerance) << angle;
    EXPECT_NEAR(2 * std::atan2(turn.vec().norm(), std::abs(turn.w())), angle, is_opposite ? 1.5e-6 : tolerance);
  }
  for (const Eigen::Vector3d& axis : {Eigen::Vector3d(0, 0, 3), Eigen::Vector3d(2, 0, 0), Eigen::Vector3d(1, -1, 1)})
    EXPECT_TRUE((turn_between(axis, -axis) * axis).isApprox(-axis, 1e-15)) << axis.transpose();
}

// The plane is the z = 0 plane of space.
TEST(CrossProduct, OfThePlaneIsThatOfSpace) {
  const Eigen::Vector2d a(2, 3), b(-5, 7);
  const Eigen::Vector3d A(2, 3, 0), B(-5, 7, 0);
  EXPECT_EQ(cross(a, b), cross(A, B).z());
  EXPECT_EQ(cross(4.0, a), cross(Eigen::Vector3d(0, 0, 4), A).head<2>());
}

TEST(RotationMatrix, OfThePlaneIsThatOfSpaceAboutZ) {
  const Eigen::Quaterniond turned(Eigen::AngleAxisd(0.7, Eigen::Vector3d::UnitZ()));
  EXPECT_TRUE(rotation_matrix(0.7).isApprox(rotation_matrix(turned).topLeftCorner<2, 2>(), rounding));
}

TEST(RotationMatrix, DoesNotDependOnTheNormOfAQuaternion) {
  const Eigen::Quaterniond unit = Eigen::Quaterniond(1, 2, 3, 4).normalized();
  const Eigen::Quaterniond scaled(3 * unit.w(), 3 * unit.x(), 3 * unit.y(), 3 * unit.z());
  EXPECT_TRUE(rotation_matrix(scaled).isApprox(unit.toRotationMatrix(), 4 * rounding));
}

}  // namespace space_test
}  // namespace linkwork
