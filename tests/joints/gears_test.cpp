// Gears, racks and screws: full turns, joints of a user's own, refusals.

#include "../core/expect_error.hpp"
#include "cases.hpp"
#include "random_motion.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>

#include <gtest/gtest.h>
#include <array>
#include <cmath>
#include <numbers>

namespace linkwork::test {
namespace gears_test {

constexpr double pi = std::numbers::pi;

/// The frames of a gear where its joints have the given coordinates, on resting fathers.
template <class Space>
void place(FramesInMotion<Space>& m, const Gear<Space>& gear, double first, double second) {
  const std::array<double, 2> q = {first, second};
  m.frames.resize(4);
  for (std::size_t k = 0; k < 2; ++k) {
    const JointRef<Space> joint = gear.joints()[k];
    m.frames[2 * k + 1].pose = joint.model->constraints[static_cast<std::size_t>(joint.index)].joint->pose(0, &q[k]);
  }
}

template <class Space>
void expect_full_turns_to_count(const JointRef<Space>& first, const JointRef<Space>& second) {
  const double ratio = -0.37, step = 0.8;  // time between accepted steps
  const Gear<Space> gear(first, second, ratio);
  FramesInMotion<Space> m;
  place(m, gear, 0.4, 0.1);
  m.start(gear);
  double speed = 3;  // [rad/s]: 2.4 rad in the first step, three turns per step in the end
  double angle = 0.4;
  for (; angle < 200; angle += speed * step, speed = std::min(speed + 2, 24.0)) {
    m.time += step;
    place(m, gear, angle + speed * step, 0.1 + ratio * (angle + speed * step - 0.4));
    EXPECT_LT(residual_of(gear, m).norm(), 1e-11) << angle;
    gear.remember(m.view(), false, m.memory.data());
  }
  // A part of a tooth further, and it is seen.
  place(m, gear, angle, 0.1 + ratio * (angle - 0.4) + 0.05);
  EXPECT_NEAR(residual_of(gear, m)[0], 0.05, 1e-11);
}

TEST(Gear, FullTurnsCount) {
  expect_full_turns_to_count(Geared<Planar>::shared().turn, Geared<Planar>::shared().other_turn);
  expect_full_turns_to_count(Geared<Spatial>::shared().turn, Geared<Spatial>::shared().other_turn);
}

/// Steps so long that nobody can extrapolate which turn a joint is on: each joint tells that of the other.
TEST(Gear, MeshesAfterAnyStepWhereTurnsMakeWholeTurns) {
  for (const double ratio : {-2.0, 0.25, -1.0}) {
    const Gear<Spatial> gear(Geared<Spatial>::shared().turn, Geared<Spatial>::shared().other_turn, ratio);
    FramesInMotion<Spatial> m;
    place(m, gear, 0.4, 0.1);
    m.start(gear);
    for (const double angle : {2.0, 9.0, -40.0, 333.0, 0.0}) {
      m.time += 1;
      place(m, gear, angle + 0.4, 0.1 + ratio * angle);
      EXPECT_LT(residual_of(gear, m).norm(), 1e-11) << ratio << ", " << angle;
      gear.remember(m.view(), false, m.memory.data());
    }
  }
  const Gear<Spatial> rack(Geared<Spatial>::shared().turn, Geared<Spatial>::shared().slide, 0.2);
  FramesInMotion<Spatial> m;
  place(m, rack, 0.4, 0.1);
  m.start(rack);
  m.time = 1;
  place(m, rack, 0.4 + 100, 0.1 + 0.2 * 100);
  EXPECT_LT(residual_of(rack, m).norm(), 1e-11);
}

TEST(Gear, RefusesStepsThatLoseTheNumberOfTurns) {
  const Gear<Spatial> gear(Geared<Spatial>::shared().turn, Geared<Spatial>::shared().other_turn, -1.5);
  FramesInMotion<Spatial> m;
  place(m, gear, 0, 0);
  m.start(gear);
  m.time = 1;
  place(m, gear, 3, -4.5);  // nearer to 0 than half a turn
  EXPECT_LT(residual_of(gear, m).norm(), 1e-11);
  place(m, gear, 4, -6);  // taken for 4 - 2 pi: half a turn of the other is missing
  expect_error<RecoverableFailure>(concat("the teeth of the gear are ", pi,
                                          " rad from meshing, so that the number of turns is not known any more; "
                                          "take shorter steps (maximum_step)"),
                                   [&] { residual_of(gear, m); });
}

TEST(Gear, TeethMeshAsTheBodiesArePlacedAlsoAfterARestart) {
  const Gear<Spatial> gear(Geared<Spatial>::shared().turn, Geared<Spatial>::shared().slide, 0.2);
  FramesInMotion<Spatial> m;
  place(m, gear, 0.7, 5.0);
  m.start(gear);
  EXPECT_LT(residual_of(gear, m).norm(), 1e-14);
  place(m, gear, 0.7, 5.001);
  gear.remember(m.view(), true, m.memory.data());
  EXPECT_NEAR(residual_of(gear, m)[0], 0.001, 1e-14);
}

TEST(Gear, JointsThatGiveTheirPoseOnlyAreCoupledAsThoseWithClosedForms) {
  const Geared<Spatial>& joints = Geared<Spatial>::shared();  // both screws have the same pitch and axis
  const Gear<Spatial> closed(joints.turn, joints.screw, 1.5), derived(joints.turn, joints.user_screw, 1.5);
  for (unsigned seed = 1; seed <= 20; ++seed) {
    RandomMotion<Spatial> random(seed);
    FramesInMotion<Spatial> m = random.free(2);
    for (const FrameMotion<Spatial>& frame : random.of_joint(UserScrew()).frames) m.frames.push_back(frame);
    FramesInMotion<Spatial> same = m;
    m.start(closed);
    same.start(derived);
    EXPECT_TRUE(derived.is_angular(0));
    // Derived motions are exact to 1e-11.
    EXPECT_LT((residual_of(closed, m) - residual_of(derived, same)).norm(), 1e-11);
    // The rows differ off the joint's motions, so that they are compared on them.
    EXPECT_LT((rows_of(closed, m).rows * m.twists() - rows_of(derived, same).rows * same.twists()).norm(), 1e-10);
    EXPECT_LT(((rows_of(closed, m).rows * m.accelerations() - bias_of(closed, m)) -
               (rows_of(derived, same).rows * same.accelerations() - bias_of(derived, same)))
                  .norm(),
              1e-9);
  }
}

TEST(RackAndPinion, RollsOverManyTurns) {
  const Frame<Spatial> ground, body{.body = 0};
  const double r = 0.2;
  const RackAndPinion<Spatial> rack(ground, body, r);
  FramesInMotion<Spatial> m;
  m.frames.resize(2);
  const auto roll = [&](double angle) {
    m.frames[1].pose.position = {-r * angle, r, 0};  // on top of the rack a positive turn rolls backwards
    m.frames[1].pose.rotation = Eigen::AngleAxisd(angle + 0.5, Eigen::Vector3d::UnitZ()).toRotationMatrix();
  };
  roll(0.3);
  m.start(rack);
  for (double angle = 0; angle < 60; angle += 1.7) {
    roll(angle);
    EXPECT_LT(residual_of(rack, m).norm(), 1e-14);
  }
  m.frames[1].pose.position.x() += 0.01;
  EXPECT_NEAR(residual_of(rack, m)[0], 0.01, 1e-14);
}

TEST(Screw, AFullTurnAdvances) {
  const Screw joint(Axis::z(), 0.01);
  FramesInMotion<Spatial> m;
  m.frames.resize(2);
  for (double angle = -30; angle < 30; angle += 0.9) {
    m.frames[1].pose = joint.pose(0, &angle);
    EXPECT_LT(residual_of(joint, m).norm(), 1e-14);
  }
  m.frames[1].pose.position.z() += 0.01 * pi;  // half a thread off is no root
  EXPECT_NEAR(residual_of(joint, m).norm(), 0.01 * pi, 1e-14);
}

TEST(ConstantVelocity, BothShaftsTurnEquallyFastAtEveryAngle) {
  // Shafts with fixed directions at an angle of 0.6 rad, both turned by the same angle: the residual stays zero.
  const ConstantVelocity joint;
  const Eigen::Matrix3d bend = Eigen::AngleAxisd(0.6, Eigen::Vector3d::UnitX()).toRotationMatrix();
  FramesInMotion<Spatial> m;
  m.frames.resize(2);
  for (double angle = 0; angle < 7; angle += 0.3) {
    const Eigen::Matrix3d turn = Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitZ()).toRotationMatrix();
    m.frames[0].pose.rotation = turn;
    m.frames[1].pose.rotation = bend * turn;
    EXPECT_LT(residual_of(joint, m).norm(), 1e-15);
  }
}

TEST(ConstantVelocity, HalfATurnIsNoRoot) {
  FramesInMotion<Spatial> m;
  m.frames.resize(2);
  m.frames[1].pose.rotation = Eigen::AngleAxisd(pi, Eigen::Vector3d::UnitZ()).toRotationMatrix();
  EXPECT_NEAR(residual_of(ConstantVelocity(), m).norm(), pi, 1e-15);
}

TEST(GearErrors, NameTheJointAndTheCure) {
  SpatialModel model("gearbox"), other;
  const auto body = model.add_body("wheel", MassProperties::box(1, {1, 1, 1}));
  const auto pin = model.add_joint<Revolute>("pin", model.ground().origin(), body.origin());
  const auto next = model.add_body("next", MassProperties::box(1, {1, 1, 1}));
  const auto ball = model.add_joint<Spherical>("ball", body.origin(), next.origin());
  const auto stranger = other.add_body("stranger", MassProperties::box(1, {1, 1, 1}));
  const auto foreign = other.add_joint<Revolute>("foreign", other.ground().origin(), stranger.origin());
  const auto foreign_slide = other.add_joint<Prismatic>("slide", other.ground().origin(), stranger.origin(), Axis::x());

  expect_error<ModelError>(
      "'gear': Gear: the second joint is on the graph of no model; add it first and give the handle that add_joint "
      "returned.",
      [&] { model.add_constraint<Gear>("gear", pin, JointRef<Spatial>{}, 2.0); });
  expect_error<ModelError>(
      "'gear': Gear: the first joint 'ball' (spherical) has 3 freedoms; expected a joint with one, such as Revolute, "
      "Prismatic or Screw.",
      [&] { model.add_constraint<Gear>("gear", ball, pin, 2.0); });
  expect_error<ModelError>("'gear': Gear: the joints belong to two models; couple joints of one.",
                           [&] { model.add_constraint<Gear>("gear", pin, foreign, 2.0); });
  expect_error<ModelError>("'gear': Gear: both joints are 'pin'; give two joints.",
                           [&] { model.add_constraint<Gear>("gear", pin, pin, 2.0); });
  expect_error<ModelError>(
      "add_constraint: constraint 'gear' (gear) couples a joint that is not on the graph of model 'gearbox'; add the "
      "joint "
      "first and give the handle that add_joint returned.",
      [&] { model.add_constraint<Gear>("gear", foreign, foreign_slide, 2.0); });
  const auto second = model.add_joint<Revolute>("second", body.origin(), next.origin());
  expect_error<ModelError>("'gear': Gear: ratio is 0 [-]; give a finite value other than zero.",
                           [&] { model.add_constraint<Gear>("gear", pin, second, 0.0); });
}

TEST(GearErrors, OfRacksAndScrewsAndDrives) {
  const Frame<Spatial> ground, body{.body = 0};
  const Frame<Planar> wall, slider{.body = 0};
  expect_error<ModelError>("RackAndPinion: radius is 0 m; give a finite value other than zero.",
                           [&] { RackAndPinion<Spatial>(ground, body, 0.0); });
  expect_error<ModelError>(
      "RackAndPinion: both of its frames are on one body, so that the element does nothing; give frames of two bodies, "
      "or "
      "of a body and the ground.",
      [&] { RackAndPinion<Spatial>(body, body, 1.0); });
  expect_error<ModelError>(
      "RackAndPinion: the pinion's axis (1 0 0) and the rack's direction (1 0 0) make an angle of 0 rad; expected "
      "perpendicular ones such as Axis::z() and Axis::x().",
      [&] { RackAndPinion<Spatial>(ground, body, 1.0, Axis::x(), Axis::x()); });
  expect_error<ModelError>(
      "RackAndPinion<Planar>: the axis (0 0 1) leaves the plane of a planar model; expected z = 0, give an axis such "
      "as "
      "Axis::x().",
      [&] { RackAndPinion<Planar>(wall, slider, 1.0, Axis::z()); });
  expect_error<ModelError>(
      "Screw: pitch is 0 m/rad; give a finite value other than zero (use Revolute for no advance).",
      [] { Screw(Axis::z(), 0); });
  expect_error<ModelError>("DrivenPrismatic: the function of its displacement is empty; give one that can be called.",
                           [] { DrivenPrismatic<Spatial>(Axis::z(), Input()); });
  expect_error<ModelError>(
      "DrivenPrismatic<Planar>: the axis (0 0 1) leaves the plane of a planar model; expected z = 0, give an axis such "
      "as "
      "Axis::x().",
      [] { DrivenPrismatic<Planar>(Axis::z(), shaken_angle); });
  expect_error<ModelError>(
      "PointOnLine<Planar>: the axis (0 0 1) leaves the plane of a planar model; expected z = 0, give an axis such as "
      "Axis::x().",
      [] { PointOnLine<Planar>{Axis::z()}; });
}

}  // namespace gears_test
}  // namespace linkwork::test
