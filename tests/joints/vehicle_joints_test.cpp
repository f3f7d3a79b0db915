// What the joints and constraints of vehicles promise beyond the contract.

#include "../core/expect_error.hpp"
#include "cases.hpp"
#include "random_motion.hpp"

#include <linkwork/core/errors.hpp>

#include <gtest/gtest.h>
#include <array>
#include <cmath>

namespace linkwork::test {
namespace vehicle_joints_test {

const CardanAxes yaw_pitch_roll(Axis::z(), Axis::y(), Axis::x());

TEST(CardanAxes, TurnOneAfterAnother) {
  const std::array<double, 3> q{0.3, -0.5, 1.2};
  const Eigen::Matrix3d expected =
      (Eigen::AngleAxisd(q[0], Eigen::Vector3d::UnitZ()) * Eigen::AngleAxisd(q[1], Eigen::Vector3d::UnitY()) *
       Eigen::AngleAxisd(q[2], Eigen::Vector3d::UnitX()))
          .toRotationMatrix();
  EXPECT_LT((yaw_pitch_roll.rotation(q.data()) - expected).norm(), 1e-15);
  const Eigen::Matrix3d W = yaw_pitch_roll.rates(q.data());
  // The first axis is fixed in the father, the last in the son, where the columns are given.
  EXPECT_LT((expected * W.col(0) - Eigen::Vector3d::UnitZ()).norm(), 1e-15);
  EXPECT_EQ(W.col(2), Eigen::Vector3d::UnitX());
}

TEST(CardanAxes, FindTheTurnNearestToTheLastOne) {
  std::array<double, 3> q{7, 0.4, -9};
  const Eigen::Matrix3d R = yaw_pitch_roll.rotation(q.data());
  q = {6.9, 0, -9.2};
  yaw_pitch_roll.locate(R, q.data());
  EXPECT_NEAR(q[0], 7, 1e-14);
  EXPECT_NEAR(q[1], 0.4, 1e-14);
  EXPECT_NEAR(q[2], -9, 1e-14);
}

TEST(CardanAxes, RefuseAxesThatAreNotPerpendicular) {
  expect_error<ModelError>(
      "CardanAxes: the cosine between two of the axes (0 0 1), (0 1 0) and (0 0 1) is 1; expected axes that are "
      "perpendicular to each other, such as Axis::y(), Axis::z() and Axis::x().",
      [] { CardanAxes(Axis::z(), Axis::y(), Axis::z()); });
}

TEST(FreeByAngles, HasNoRowsAndRatesThatAreItsVelocities) {
  const FreeByAngles joint(yaw_pitch_roll);
  EXPECT_EQ(joint.rows(), 0);
  EXPECT_EQ(joint.coordinates(), 6);
  const std::array<double, 6> q{0.1, 0.2, 0.3, 4, 5, 6}, v{1, 2, 3, 4, 5, 6};
  std::array<double, 6> rate{};
  joint.rate(q.data(), v.data(), rate.data());
  EXPECT_EQ(rate, v);
}

TEST(DrivenPath, RefusesWhatIsEmpty) {
  expect_error<ModelError>("DrivenPath: the function of its path is empty; give one that can be called.",
                           [] { DrivenPath({}, shaken_angle); });
  expect_error<ModelError>("DrivenPath: the function of its parameter is empty; give one that can be called.",
                           [] { DrivenPath(bent_track(), {}); });
}

// A wheel over a straight line: closed form of the distance and of its row.
TEST(CurveContact, HoldsAWheelOverALine) {
  const Path line = [](double u) {
    PathPoint out;
    out.pose.position = {u, 0, 0};
    out.twist[3] = 1;
    return out;
  };
  const CurveContact contact({}, {.body = 0}, {{line}, {turning_path(Axis::y()), {0, 0, -1}}}, 0.5);
  FramesInMotion<Spatial> m;
  m.frames.resize(2);
  m.frames[1].pose.position = {70, 0, 1.6};
  m.frames[1].velocity = {{0, 3, 0}, {5, 0, 0}};
  m.start(contact);
  EXPECT_NEAR(residual_of(contact, m)[0], 0.1, 1e-14);
  Eigen::MatrixXd expected = Eigen::MatrixXd::Zero(1, 12);
  // A turn of the line about y at 70 m lowers it there by 70 m.
  expected << 0, 70, 0, 0, 0, -1, 0, 0, 0, 0, 0, 1;
  EXPECT_LT((rows_of(contact, m).rows - expected).norm(), 1e-12);
  EXPECT_NEAR(bias_of(contact, m)[0], 0, 1e-12);  // the wheel rolls and slides on the level
}

TEST(CurveContact, RefusesWhatMakesNoSense) {
  expect_error<ModelError>("curve contact: distance is 0 m; give a finite value > 0.",
                           [] { CurveContact({}, {.body = 0}, wheel_above_track(), 0); });
  EXPECT_THROW(CurveContact({}, {}, wheel_above_track(), 1), ModelError);
}

TEST(DrivenSpeed, RefusesTheGroundAndAnEmptyInput) {
  expect_error<ModelError>("DrivenSpeed: the frame is on the ground, which does not move; give a frame of a body.",
                           [] { DrivenSpeed<Spatial>({}, Axis::x(), shaken_angle); });
  expect_error<ModelError>("DrivenSpeed: the function of its speed is empty; give one that can be called.",
                           [] { DrivenSpeed<Planar>({.body = 0}, Axis::x(), {}); });
}

}  // namespace vehicle_joints_test
}  // namespace linkwork::test
