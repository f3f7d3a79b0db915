// The constraint that follows from X(q): its memory, its choice of rows, its refusals.

#include "../core/expect_error.hpp"
#include "cases.hpp"
#include "random_motion.hpp"

#include <linkwork/core/errors.hpp>

#include <gtest/gtest.h>
#include <cmath>

namespace linkwork::test {
namespace derived_side_test {

/// The same universal joint from X(q) only: its motion subspace turns with q_1.
class OwnUniversal final : public UserJoint<Spatial> {
 public:
  int freedoms() const override { return 2; }

 private:
  void do_pose(Instant, const double* q, Pose<Spatial>& X) const override {
    X.rotation = (Eigen::AngleAxisd(q[0], Eigen::Vector3d::UnitX()) * Eigen::AngleAxisd(q[1], Eigen::Vector3d::UnitY()))
                     .toRotationMatrix();
  }
};

FramesInMotion<Spatial> at_coordinates(const Joint<Spatial>& joint, const std::vector<double>& q) {
  FramesInMotion<Spatial> m;
  m.frames.resize(2);
  m.frames[1].pose = joint.pose(0, q.data());
  m.memory.assign(static_cast<std::size_t>(joint.memory_size()), 0.0);
  return m;
}
void accept(FramesInMotion<Spatial>& m, const Joint<Spatial>& joint, const std::vector<double>& q) {
  m.frames[1].pose = joint.pose(0, q.data());
  joint.remember(m.view(), false, m.memory.data());
}

TEST(DerivedSide, FindsTheCoordinatesFromTheZeroOfTheJoint) {
  const BentSlider joint;
  const std::vector<double> q = {1.1, -0.8};
  FramesInMotion<Spatial> m = at_coordinates(joint, q);
  m.start(joint);
  EXPECT_NEAR(m.memory[0], q[0], 1e-12);
  EXPECT_NEAR(m.memory[1], q[1], 1e-12);
}

TEST(DerivedSide, FollowsItsBranchThroughFullTurns) {
  const UserScrew joint;
  FramesInMotion<Spatial> m = at_coordinates(joint, {0.0});
  m.start(joint);
  for (double q = 0; q < 20; q += 0.5) {
    accept(m, joint, {q});
    EXPECT_NEAR(m.memory[0], q, 1e-11);
    EXPECT_LT(residual_of(joint, m).norm(), 1e-12);  // 0.3 m per radian would show a lost turn
  }
}

TEST(DerivedSide, AcceptedStepsKeepTheRows) {
  const BentSlider joint;
  FramesInMotion<Spatial> m = at_coordinates(joint, {0.3, 0.4});
  m.start(joint);
  m.frames[1].pose = joint.pose(0, std::vector<double>{0.35, 0.45}.data());
  const Eigen::MatrixXd before = rows_of(joint, m).rows;
  joint.remember(m.view(), false, m.memory.data());
  EXPECT_LT((rows_of(joint, m).rows - before).norm(), 1e-12);
}

TEST(DerivedSide, RowsThatWouldDegenerateAreChosenAnew) {
  const OwnUniversal joint;
  FramesInMotion<Spatial> m = at_coordinates(joint, {0.2, 0.0});
  m.start(joint);
  for (double q = 0; q < 7; q += 0.05) {
    accept(m, joint, {0.2, q});
    EXPECT_LT(residual_of(joint, m).norm(), 1e-12);
    EXPECT_LT(rows_of(joint, m).rows.cwiseAbs().maxCoeff(), 100);
  }
}

TEST(DerivedSide, ARestartChoosesTheBestRows) {
  const OwnUniversal joint;
  FramesInMotion<Spatial> m = at_coordinates(joint, {0.2, 0.0});
  m.start(joint);
  for (double q = 0; q < 1.5; q += 0.05) accept(m, joint, {0.2, q});
  EXPECT_GT(rows_of(joint, m).rows.cwiseAbs().maxCoeff(), 5);
  joint.remember(m.view(), true, m.memory.data());
  EXPECT_LE(rows_of(joint, m).rows.cwiseAbs().maxCoeff(), 1 + 1e-12);
}

TEST(DerivedSide, RowsAreCalledAngularByTheirComponent) {
  const OwnUniversal joint;  // turns about x and y: left are the turn about z and three displacements
  EXPECT_TRUE(joint.is_angular(0));
  for (int row = 1; row < 4; ++row) EXPECT_FALSE(joint.is_angular(row));
}

TEST(DerivedSide, OffTheManifoldItsErrorsAreOfFirstOrderInTheDistance) {
  const BentSlider joint;
  for (unsigned seed = 1; seed <= 20; ++seed)
    for (const double d : {1e-3, 1e-5}) {
      RandomMotion<Spatial> random(seed);
      FramesInMotion<Spatial> m = random.of_joint(joint, 0.6);
      m.start(joint);
      m.frames[1].pose = moved(m.frames[1].pose, random.twist(), d);
      m.frames[1].velocity = random.twist();
      const EvaluatedRows at = rows_of(joint, m);
      const Eigen::VectorXd expected =
          first_derivative(0.0025, [&](double dt) { return residual_of(joint, m.after(dt)); });
      // Twice the distance is what was measured for joints of metre and radian size, times speeds of up to 3.
      EXPECT_LT((at.rows * m.twists() + at.rate - expected).norm(), 2 * d * 3);
    }
}

/// A joint with chosen sizes and pose, for what is refused.
class OddJoint : public UserJoint<Spatial> {
 public:
  OddJoint(int freedoms, int coordinates) : freedoms_(freedoms), coordinates_(coordinates) {}
  int freedoms() const override { return freedoms_; }
  int coordinates() const override { return coordinates_; }

 private:
  void do_pose(Instant, const double* q, Pose<Spatial>& X) const override { X.position.x() = q[0]; }
  int freedoms_, coordinates_;
};
class ScalingJoint final : public UserJoint<Spatial> {
 public:
  int freedoms() const override { return 1; }

 private:
  void do_pose(Instant, const double* q, Pose<Spatial>& X) const override { X.rotation *= 2 + q[0]; }
};
class NeverThere final : public UserJoint<Spatial> {
 public:
  int freedoms() const override { return 1; }

 private:
  void do_pose(Instant, const double* q, Pose<Spatial>& X) const override {
    X.position.x() = std::sqrt(1 + q[0] * q[0]);  // nearest to x < 0 at q = 0, where the joint can't move
  }
  void do_home(double* q) const override { q[0] = 1; }
};

TEST(DerivedSideErrors, SizesThatMakeNoSense) {
  expect_error<ModelError>(
      "joint of type 'user joint': freedoms() is 7 and coordinates() is 7; expected 0 <= freedoms <= 6 and coordinates "
      ">= freedoms (0 where there are no freedoms).",
      [] { OddJoint(7, 7).memory_size(); });
  EXPECT_THROW(OddJoint(2, 1).memory_size(), ModelError);
  EXPECT_THROW(OddJoint(0, 1).memory_size(), ModelError);
}

TEST(DerivedSideErrors, FunctionsThatMustBeGiven) {
  const OddJoint joint(1, 2);
  double q[2] = {}, step[2] = {};
  expect_error<ModelError>(
      "joint of type 'user joint': it has 2 coordinates and 1 freedoms, so it must override do_home.",
      [&] { joint.home(q); });
  expect_error<ModelError>(
      "joint of type 'user joint': it has 2 coordinates and 1 freedoms, so it must override do_retract.",
      [&] { joint.retract(q, step, q); });
}

TEST(DerivedSideErrors, PoseWithoutARotation) {
  FramesInMotion<Spatial> m;
  m.frames.resize(2);
  expect_error<ModelError>(
      "joint of type 'user joint': do_pose gives position (0 0 0) m and a rotation matrix that is 3 from orthogonal; "
      "expected finite numbers and a rotation.",
      [&] { m.start(ScalingJoint()); });
}

TEST(DerivedSideErrors, MotionsThatDependOnEachOther) {
  FramesInMotion<Spatial> m;
  m.frames.resize(2);
  expect_error<RecoverableFailure>(
      "joint of type 'user joint': at t = 0 s its motions are not 2 independent ones; this is a singular "
      "configuration, "
      "or freedoms() is too large.",
      [&] { m.start(OddJoint(2, 2)); });
}

TEST(DerivedSideErrors, APoseThatNoCoordinatesReach) {
  FramesInMotion<Spatial> m;
  m.frames.resize(2);
  m.frames[1].pose.position.x() = -1;
  try {
    m.start(NeverThere());
    ADD_FAILURE() << "nothing was thrown";
  } catch (const RecoverableFailure& error) {
    EXPECT_NE(std::string(error.what()).find("no coordinates were found at t = 0 s"), std::string::npos);
  }
}

TEST(DerivedSideErrors, RowsBeforeAStart) {
  const UserScrew joint;
  FramesInMotion<Spatial> m = at_coordinates(joint, {0.1});
  expect_error<ModelError>(
      "joint of type 'user joint': its memory is empty; call remember(m, true, memory) before rows or residuals.",
      [&] { residual_of(joint, m); });
}

}  // namespace derived_side_test
}  // namespace linkwork::test
