// What single joints and constraints promise beyond the contract.

#include "../core/expect_error.hpp"
#include "cases.hpp"
#include "random_motion.hpp"

#include <linkwork/core/errors.hpp>

#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace linkwork::test {
namespace joints_test {

constexpr double pi = std::numbers::pi;

/// Two frames at rest, the second turned in the first.
FramesInMotion<Spatial> turned_son(double angle, const Eigen::Vector3d& axis) {
  FramesInMotion<Spatial> m;
  m.frames.resize(2);
  m.frames[1].pose.rotation = Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
  return m;
}
FramesInMotion<Planar> turned_son(double angle) {
  FramesInMotion<Planar> m;
  m.frames.resize(2);
  m.frames[1].pose.angle = angle;
  m.frames[1].pose.rotation = rotation_matrix(angle);
  return m;
}

TEST(Revolute, PlanarRowsTouchOneCoordinateOfTheOriginsEach) {
  RandomMotion<Planar> random(1);
  Eigen::MatrixXd expected(2, 6);
  expected << 0, -1, 0, 0, 1, 0, 0, 0, -1, 0, 0, 1;
  EXPECT_EQ(rows_of(Revolute<Planar>(), random.free(2)).rows, expected);
}

TEST(Revolute, OppositeAxesAreNoRoot) {
  const Revolute<Spatial> joint(Axis::z());
  EXPECT_EQ(residual_of(joint, turned_son(pi, {0, 0, 1})).norm(), 0);  // half a turn of the joint itself
  for (const double angle : {pi - 1e-3, pi - 1e-8, pi})
    for (const Eigen::Vector3d& axis : {Eigen::Vector3d(1, 0, 0), Eigen::Vector3d(1, 2, 0)}) {
      const auto m = turned_son(angle, axis);
      EXPECT_GT(residual_of(joint, m).norm(), 1e3) << angle;
      EXPECT_TRUE(rows_of(joint, m).rows.allFinite()) << angle;
    }
}

TEST(Fixed, HalfATurnIsNoRoot) {
  for (const double angle : {pi - 1e-3, pi - 1e-8, pi})
    for (const Eigen::Vector3d& axis :
         {Eigen::Vector3d(1, 0, 0), Eigen::Vector3d(0, 0, 1), Eigen::Vector3d(1, -2, 3)}) {
      const auto m = turned_son(angle, axis);
      EXPECT_GT(residual_of(Fixed<Spatial>(), m).norm(), 1e3) << angle;
      EXPECT_TRUE(rows_of(Fixed<Spatial>(), m).rows.allFinite()) << angle;
    }
  EXPECT_NEAR(residual_of(Fixed<Planar>(), turned_son(pi)).norm(), pi, 1e-15);
}

TEST(Fixed, ResidualIsTwiceTheTangentOfHalfTheAngle) {
  const Eigen::Vector3d axis = Eigen::Vector3d(1, -2, 3).normalized();
  for (const double angle : {-2.5, -0.1, 1e-9, 0.7, 3.0})
    EXPECT_LT(
        (residual_of(Fixed<Spatial>(), turned_son(angle, axis)).tail<3>() - 2 * std::tan(angle / 2) * axis).norm(),
        1e-13 * (1 + 4 * std::tan(angle / 2) * std::tan(angle / 2)));  // rounding grows with the slope
}

TEST(Prismatic, FullTurnsAtTheStartAreConsistent) {
  const Prismatic<Planar> joint(Axis::x());
  for (const int turns : {-3, 1, 40})
    EXPECT_LT(residual_of(joint, turned_son(2 * pi * turns)).norm(), 1e-13);  // rounding of the angle
  EXPECT_NEAR(residual_of(joint, turned_son(2 * pi + 0.3))[1], 0.3, 1e-14);
}

TEST(DrivenRevolute, FollowsItsInputOverManyTurnsAndHasNoOppositeRoot) {
  const Input angle = [](double t) { return InputValue{100 * t, 100, 0}; };
  const DrivenRevolute<Planar> planar(angle);
  const DrivenRevolute<Spatial> spatial(Axis::z(), angle);
  auto m = turned_son(0.25);
  m.time = (0.25 + 2 * pi * 7) / 100;
  EXPECT_LT(residual_of(planar, m).norm(), 1e-13);
  auto in_space = turned_son(0.25, {0, 0, 1});
  in_space.time = m.time;
  EXPECT_LT(residual_of(spatial, in_space).norm(), 1e-13);
  in_space.time += pi / 100;
  EXPECT_GT(residual_of(spatial, in_space).norm(), 1e3);
  EXPECT_EQ(rows_of(planar, m).rate[2], -100);
}

TEST(Spherical, RetractsToUnitQuaternions) {
  const Spherical joint;
  double q[4], step[3] = {0.3, -2, 1}, q_new[4];
  joint.home(q);
  for (int i = 0; i < 1000; ++i) {
    joint.retract(q, step, q_new);
    std::copy_n(q_new, 4, q);
  }
  EXPECT_NEAR(Eigen::Vector4d(q[0], q[1], q[2], q[3]).norm(), 1, 1e-15);
  const Eigen::Vector3d rotation(0.3, -2, 1);
  const Eigen::Matrix3d expected = Eigen::AngleAxisd(1000 * rotation.norm(), rotation.normalized()).toRotationMatrix();
  EXPECT_LT((joint.pose(0, q).rotation - expected).norm(), 1e-12);  // a thousand roundings
}

TEST(Rod, RowHasUnitLengthSoThatTheMultiplierIsTheTension) {
  const Rod<Planar> rod(Frame<Planar>{}, Frame<Planar>{.body = 0}, 5.0);
  FramesInMotion<Planar> m = turned_son(0);
  m.frames[1].pose.position = {3, 4};
  EXPECT_EQ(residual_of(rod, m)[0], 0);
  Eigen::RowVectorXd expected(6);
  expected << 0, -0.6, -0.8, 0, 0.6, 0.8;
  EXPECT_LT((rows_of(rod, m).rows - expected).norm(), 1e-15);
  m.frames[1].pose.position *= 1.001;  // 5 mm too long
  EXPECT_NEAR(residual_of(rod, m)[0], 0.005, 0.001 * 0.005);
}

TEST(KnifeEdge, BarsMotionAcrossTheBladeOnly) {
  const KnifeEdge<Planar> edge(Frame<Planar>{.body = 0});
  EXPECT_EQ(edge.level(), Level::nonholonomic);
  FramesInMotion<Planar> m;
  m.frames.resize(1);
  m.frames[0].pose.rotation = rotation_matrix(0.5);
  const Eigen::RowVector3d expected(0, -std::sin(0.5), std::cos(0.5));
  EXPECT_LT((rows_of(edge, m).rows - expected).norm(), 1e-15);
}

TEST(JointErrors, NameTheElementTheValueAndTheCure) {
  const Frame<Planar> ground, body{.body = 0};
  expect_error<ModelError>(
      "Prismatic<Planar>: the axis (0 0 1) leaves the plane of a planar model; expected z = 0, give an axis such as "
      "Axis::x().",
      [] { Prismatic<Planar>(Axis::z()); });
  expect_error<ModelError>(
      "KnifeEdge<Planar>: the axis (0 0 1) leaves the plane of a planar model; expected z = 0, give an axis such as "
      "Axis::x().",
      [&] { KnifeEdge<Planar>(body, Axis::z()); });
  expect_error<ModelError>("KnifeEdge: the frame is on the ground, which does not move; give a frame of a body.",
                           [&] { KnifeEdge<Planar>{ground}; });
  expect_error<ModelError>(
      "Universal: the axes (1 0 0) and (1 0 0) make an angle of 0 rad; expected perpendicular axes such as Axis::x() "
      "and "
      "Axis::y().",
      [] { Universal(Axis::x(), Axis::x()); });
  expect_error<ModelError>("DrivenRevolute: the function of its angle is empty; give one that can be called.",
                           [] { DrivenRevolute<Planar>{Input()}; });
  expect_error<ModelError>("Rod: the function of its length is empty; give one that can be called.",
                           [&] { Rod<Planar>(ground, body, Input()); });
  expect_error<ModelError>(
      "Rod: length is -1 m; give a finite value > 0 (use Revolute or Spherical to join two points).",
      [&] { Rod<Planar>(ground, body, -1.0); });
  expect_error<ModelError>(
      "Rod: length is nan m; give a finite value > 0 (use Revolute or Spherical to join two points).",
      [&] { Rod<Planar>(ground, body, std::nan("")); });
  expect_error<ModelError>(
      "Rod: both of its frames are on one body, so that the element does nothing; give frames of two bodies, or of a "
      "body "
      "and the ground.",
      [&] { Rod<Planar>(body, body, 1.0); });
}

TEST(JointErrors, ARodThatShrinksAwayIsARecoverableFailure) {
  const Rod<Planar> rod(Frame<Planar>{}, Frame<Planar>{.body = 0}, [](double t) { return InputValue{1 - t, -1, 0}; });
  FramesInMotion<Planar> m = turned_son(0);
  m.time = 1.5;
  expect_error<RecoverableFailure>("the prescribed length is -0.5 m at t = 1.5 s; expected a length above zero.",
                                   [&] { residual_of(rod, m); });
}

}  // namespace joints_test
}  // namespace linkwork::test
