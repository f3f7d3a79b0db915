// Elements that are wrong on purpose, one function each, and what the conformance kit says of them.

#include <linkwork/core/conformance.hpp>
#include <linkwork/core/errors.hpp>

#include "expect_error.hpp"

#include <gtest/gtest.h>
#include <cmath>
#include <string>
#include <utility>

namespace linkwork {
namespace conformance_test {

/// Expects exactly one failed claim: of this function, with a message that contains all the parts.
void expect_one(const ConformanceReport& report, const std::string& function, const std::vector<std::string>& parts) {
  EXPECT_FALSE(report);
  ASSERT_EQ(report.failures().size(), 1u) << report.summary();
  const ConformanceFailure& failure = report.failures()[0];
  EXPECT_EQ(failure.function, function);
  for (const std::string& part : parts)
    EXPECT_NE(failure.message.find(part), std::string::npos) << "'" << failure.message << "' lacks '" << part << "'";
}
/// Expects failures of this function only.
void expect_only(const ConformanceReport& report, const std::string& function, const std::string& part) {
  EXPECT_FALSE(report);
  bool found = false;
  for (const ConformanceFailure& failure : report.failures()) {
    EXPECT_EQ(failure.function, function) << failure.message;
    found = found || failure.message.find(part) != std::string::npos;
  }
  EXPECT_TRUE(found) << report.summary();
}

// Joints -------------------------------------------------------------------------------------------------------------

/// What Joint does of its own accord.
void locate_by_default(Instant time, const Pose<Spatial>& X, double* q);

/// A crank that turns about z at the tip of an arm that turns about x, driven to and fro along y; everything in closed
/// form. Two freedoms; S changes with q_1. The faults are chosen by name.
class ArmAndCrank : public Joint<Spatial> {
 public:
  explicit ArmAndCrank(std::string fault = "") : fault_(std::move(fault)) {}
  std::string_view type() const override { return "arm and crank"; }
  int freedoms() const override { return 2; }

  bool is_shift(int coordinate) const override { return fault_ == "shift" && coordinate == 1; }

 private:
  static Eigen::Vector3d drive(double t) { return {0, 0.3 * std::sin(t), 0}; }
  void do_pose(Instant time, const double* q, Pose<Spatial>& X) const override {
    X.rotation = (Eigen::AngleAxisd(q[0], Eigen::Vector3d::UnitX()) * Eigen::AngleAxisd(q[1], Eigen::Vector3d::UnitZ()))
                     .toRotationMatrix();
    X.position = drive(time);
    if (fault_ == "pose") X.rotation *= 1.01;
  }
  // In the son's axes: S = [Rz^T x, z; 0, 0], drift = [0; R^T drive'].
  void do_motion(Instant time, const double* q, JointMotion<Spatial>& out) const override {
    out.X = pose(time, q);
    out.S.setZero(6, fault_ == "columns" ? 3 : 2);
    const double sign = fault_ == "S" ? -1 : 1;
    out.S.col(0).head<3>() << std::cos(q[1]), -std::sin(q[1]), 0;
    out.S.col(1).head<3>() << 0, 0, sign;
    out.drift.setZero();
    if (fault_ != "drift")
      out.drift.tail<3>() = out.X.rotation.transpose() * Eigen::Vector3d(0, 0.3 * std::cos(time), 0);
  }
  void do_motion_bias(Instant time, const double* q, const double* v, Components<Spatial>& bias) const override {
    const Pose<Spatial> X = pose(time, q);
    JointMotion<Spatial> at;
    motion(time, q, at);
    const Eigen::Vector3d turn = at.S.leftCols<2>().topRows<3>() * Eigen::Vector2d(v[0], v[1]);
    bias.setZero();
    bias.head<3>() = v[0] * v[1] * Eigen::Vector3d(-std::sin(q[1]), -std::cos(q[1]), 0);
    bias.tail<3>() = X.rotation.transpose() * Eigen::Vector3d(0, -0.3 * std::sin(time), 0);
    if (fault_ != "bias") bias.tail<3>() -= turn.cross(Eigen::Vector3d(at.drift.tail<3>()));
  }
  void do_rate(const double* q, const double* v, double* q_rate) const override {
    q_rate[0] = fault_ == "rate" ? 1.5 * v[0] : v[0];
    q_rate[1] = v[1];
    if (fault_ == "rate overrun") q_rate[2] = q[0];
  }
  void do_retract(const double* q, const double* step, double* q_new) const override {
    q_new[0] = q[0] + step[0];
    q_new[1] = fault_ == "retract in place" ? q[1] + step[1] + (q_new[0] - q[0] - step[0]) : q[1] + step[1];
  }
  void do_locate(Instant time, const Pose<Spatial>& X, double* q) const override {
    if (fault_ == "locate")
      q[0] += 0.1;
    else
      locate_by_default(time, X, q);
  }

  std::string fault_;
};
/// The same without a word about its motion: derived.
class DerivedArmAndCrank final : public Joint<Spatial> {
 public:
  std::string_view type() const override { return "derived arm and crank"; }
  int freedoms() const override { return 2; }

 private:
  void do_pose(Instant time, const double* q, Pose<Spatial>& X) const override { X = ArmAndCrank().pose(time, q); }
};

void locate_by_default(Instant time, const Pose<Spatial>& X, double* q) { DerivedArmAndCrank().locate(time, X, q); }

TEST(ConformanceOfJoints, ClosedFormsPass) {
  const ConformanceReport report = check_joint(ArmAndCrank());
  EXPECT_TRUE(report) << report.summary();
  EXPECT_GT(report.comparisons(), 1000);
  EXPECT_EQ(report.summary().rfind("arm and crank: conforms (", 0), 0u);
}
TEST(ConformanceOfJoints, DerivedMotionPasses) {
  const ConformanceReport report = check_joint(DerivedArmAndCrank());
  EXPECT_TRUE(report) << report.summary();
}
TEST(ConformanceOfJoints, WrongSignInTheMotionSubspace) {
  const ConformanceReport report = check_joint(ArmAndCrank("S"));
  expect_only(report, "do_motion",
              "do_motion: column 1 of S, component 2 is -1, expected 1 (from sixth-order differences of do_pose along "
              "do_retract): off by 2 (bound 2");
  EXPECT_NE(report.summary().find("the worst of 20 out of 20."), std::string::npos);
}
TEST(ConformanceOfJoints, MissingDrift) {
  expect_only(check_joint(ArmAndCrank("drift")), "do_motion",
              "(from sixth-order differences of do_pose over time): off by");
}
TEST(ConformanceOfJoints, WrongBias) {
  expect_one(check_joint(ArmAndCrank("bias")), "do_motion_bias",
             {"do_motion_bias: component ", ", expected ",
              "(the derivative of S v + drift along the motion at constant v, from nested sixth-order differences of "
              "do_pose): off by 0.",
              " of seed 1 (t = "});
}
TEST(ConformanceOfJoints, WrongRate) {
  expect_one(check_joint(ArmAndCrank("rate")), "do_rate",
             {"do_rate: coordinate 0 is", "the derivative of do_retract by sixth-order differences"});
}
TEST(ConformanceOfJoints, WritingBeyondTheCoordinates) {
  expect_one(check_joint(ArmAndCrank("shift")), "is_shift",
             {"is_shift: with coordinate 1 moved by 0.5, entry", "it is declared to shift alone"});
  expect_one(check_joint(ArmAndCrank("rate overrun")), "do_rate",
             {"do_rate: writes beyond the 2 numbers that its declared size leaves room for"});
}
TEST(ConformanceOfJoints, TooManyColumns) {
  expect_only(check_joint(ArmAndCrank("columns")), "do_motion", "do_motion: gives S 3 columns; expected freedoms(), 2");
}
TEST(ConformanceOfJoints, PoseThatIsNoRotation) {
  expect_one(check_joint(ArmAndCrank("pose")), "do_pose",
             {"do_pose: gives a rotation matrix with determinant 1.03",
              " that is 0.0201 from orthogonal; expected a "
              "rotation (bound 1e-09)"});
}
TEST(ConformanceOfJoints, CoordinatesThatAreNotFound) {
  expect_only(check_joint(ArmAndCrank("locate")), "do_locate",
              "do_locate: pose found from coordinates near by, component of the gap 0 is");
}
/// A weld that is turned by coordinates which it does not have, or has less than no memory.
class Weld final : public Joint<Spatial> {
 public:
  explicit Weld(std::string fault) : fault_(std::move(fault)) {}
  std::string_view type() const override { return "weld"; }
  int freedoms() const override { return 0; }
  int memory_size() const override { return fault_ == "memory" ? -1 : Joint<Spatial>::memory_size(); }

 private:
  void do_pose(Instant, const double* q, Pose<Spatial>& X) const override {
    if (fault_ == "reads") X.position.x() = q[0];
  }
  std::string fault_;
};
TEST(ConformanceOfJoints, CoordinatesAndMemoryThatThereAreNot) {
  const ConformanceReport report = check_joint(Weld(""));
  EXPECT_TRUE(report) << report.summary();
  expect_one(check_joint(Weld("reads")), "do_pose",
             {"do_pose: reads coordinates beyond the 0 that coordinates() declares."});
  expect_one(check_joint(Weld("memory")), "memory_size", {"memory_size: is -1; expected 0 or more."});
}

TEST(ConformanceOfJoints, OnlyItsOwnMotionCanBeLeftToDifferences) {
  // One message each: what depends on a wrong function is judged by poses, which are right.
  for (const char* fault : {"bias", "rate", "rate overrun"})
    EXPECT_EQ(check_joint(ArmAndCrank(fault)).failures().size(), 1u) << fault;
}

/// A ball joint with a quaternion.
class Ball final : public Joint<Spatial> {
 public:
  explicit Ball(std::string fault = "") : fault_(std::move(fault)) {}
  std::string_view type() const override { return "ball"; }
  int freedoms() const override { return 3; }
  int coordinates() const override { return 4; }

 private:
  void do_pose(Instant, const double* q, Pose<Spatial>& X) const override {
    X.rotation = Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix();
  }
  void do_home(double* q) const override {
    q[0] = 1;
    q[1] = q[2] = 0;
    if (fault_ != "home") q[3] = 0;
  }
  void do_retract(const double* q, const double* step, double* q_new) const override {
    const Eigen::Vector3d turn(step[0], step[1], step[2]);
    const double angle = turn.norm();
    Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
    if (angle > 0) rotation = Eigen::AngleAxisd(angle, turn / angle);
    Eigen::Quaterniond now = Eigen::Quaterniond(q[0], q[1], q[2], q[3]) * rotation;
    if (fault_ != "norm") now.normalize();
    q_new[0] = now.w();
    for (int i = 0; i < 3; ++i) q_new[1 + i] = now.vec()[i];
  }
  std::string fault_;
};
TEST(ConformanceOfJoints, RetractionThatDoesNotNormalise) {
  EXPECT_TRUE(check_joint(Ball())) << check_joint(Ball()).summary();
  expect_one(check_joint(Ball("norm")), "do_retract",
             {"do_retract: with a step of zeros leaves ", " of a push of 0.0001 that took q off its manifold"});
}
TEST(ConformanceOfJoints, HomeThatIsNotWritten) {
  expect_one(check_joint(Ball("home")), "do_home",
             {"do_home: gives values that are not finite, or leaves entries unwritten"});
}

/// A slider on the x axis with rows of its own.
class Slider final : public Joint<Planar> {
 public:
  explicit Slider(std::string fault = "") : fault_(std::move(fault)) {}
  std::string_view type() const override { return "slider"; }
  int freedoms() const override { return fault_ == "freedoms" ? 4 : 1; }
  int coordinates() const override { return fault_ == "coordinates" ? 0 : freedoms(); }
  int memory_size() const override { return fault_ == "memory" ? 1 : 0; }
  bool is_angular(int row) const override { return fault_ == "units" ? row == 1 : row == 0; }
  std::optional<ConstantMotion<Planar>> constant_motion() const override {
    ConstantMotion<Planar> out;
    out.S = Eigen::Vector3d(0, fault_ == "constant motion" ? 2 : 1, 0);
    return out;
  }

 private:
  void do_pose(Instant, const double* q, Pose<Planar>& X) const override { X.position.x() = q[0]; }
  // Rows: the angle, then the distance across the father's x axis.
  void do_residual(const Motion<Planar>& m, double* g) const override {
    const Pose<Planar> X = relative_pose(m.frame(0).pose, m.frame(1).pose);
    g[0] = X.angle;
    if (fault_ != "residual unwritten") g[1] = X.position.y() + (fault_ == "residual" ? 0.01 : 0);
    if (fault_ == "slope") g[1] *= 1.1;
  }
  void do_rows(const Motion<Planar>& m, ConstraintRows<Planar>& out) const override {
    const Eigen::Vector2d d = m.frame(1).pose.position - m.frame(0).pose.position;
    const Eigen::Vector2d across = m.frame(0).pose.rotation.col(1);
    out.add(0, 1, 1.0, Eigen::Vector2d::Zero());
    out.add(0, 0, -1.0, Eigen::Vector2d::Zero());
    if (fault_ == "rank") return;
    out.add_linear(1, 1, fault_ == "rows" ? Eigen::Vector2d(m.frame(0).pose.rotation.col(0)) : across);
    out.add(1, 0, cross(across, d), -across);
    if (fault_ == "velocity") out.rate(1) = 0 * m.frame(1).velocity.angular;
  }
  void do_bias(const Motion<Planar>& m, double* bias) const override {
    const double turn = m.frame(0).velocity.angular;
    const Eigen::Vector2d across = m.frame(0).pose.rotation.col(1), rate = cross(turn, across);
    const Eigen::Vector2d d = m.frame(1).pose.position - m.frame(0).pose.position,
                          d_rate = m.frame(1).velocity.linear - m.frame(0).velocity.linear;
    bias[0] = 0;
    bias[1] = (fault_ == "row bias" ? -1 : -2) * rate.dot(d_rate) - cross(turn, rate).dot(d);
    if (fault_ == "acceleration") bias[0] += m.frame(1).bias.angular;
  }
  void do_remember(const Motion<Planar>&, bool, double* memory) const override {
    if (fault_ == "memory") memory[1] = 3;
  }
  std::string fault_;
};
TEST(ConformanceOfJoints, RowsOfTheirOwn) {
  const ConformanceReport report = check_joint(Slider());
  EXPECT_TRUE(report) << report.summary();
}
TEST(ConformanceOfJoints, SizesThatMakeNoSense) {
  expect_one(check_joint(Slider("freedoms")), "freedoms", {"freedoms: is 4; expected 0 to 3."});
  expect_one(check_joint(Slider("coordinates")), "coordinates",
             {"coordinates: is 0 with 1 freedoms; expected as many or more (0 where there are none)."});
}
TEST(ConformanceOfJoints, ConstantMotionThatIsNot) {
  expect_only(check_joint(Slider("constant motion")), "constant_motion",
              "constant_motion: X(0) exp(S q) against do_pose, component of the logarithm 1 is");
}
TEST(ConformanceOfJoints, ResidualOnTheManifold) {
  expect_one(check_joint(Slider("residual")), "do_residual",
             {"do_residual: on the joint's manifold, row 1 is 0.01, expected 0 (X(q) is where the joint is; rounding): "
              "off by 0.01 (bound 1e-10)"});
  expect_one(check_joint(Slider("residual unwritten")), "do_residual",
             {"do_residual: leaves entries of its result unwritten"});
}
TEST(ConformanceOfJoints, RowsThatForbidTheMotion) {
  expect_only(check_joint(Slider("rows")), "do_rows",
              "do_rows: on the son moving along freedom 0, row 1 is 1, expected 0 (rows vanish on the joint's own "
              "motions");
}
TEST(ConformanceOfJoints, RowsThatLeaveTooMuch) {
  expect_only(check_joint(Slider("rank")), "do_rows",
              "do_rows: only 1 of its 2 rows on the son are independent; with 1 freedoms they must forbid all other "
              "motions");
}
TEST(ConformanceOfJoints, RowsThatAreNotTheDerivativeOfTheResidual) {
  expect_one(check_joint(Slider("slope")), "do_rows",
             {"do_rows: rows times velocities plus rate, row 1 is ",
              "(the derivative of do_residual by sixth-order differences): off by"});
}
TEST(ConformanceOfJoints, WrongBiasOfTheRows) {
  expect_one(check_joint(Slider("row bias")), "do_bias",
             {"do_bias: component 1 is ", "(minus the derivative of do_rows times the velocities along the motion"});
}
TEST(ConformanceOfJoints, WrongUnits) {
  expect_one(check_joint(Slider("units")), "is_angular",
             {"is_angular: row 0 is called a length, but acts on angular velocities only and measures an angle; "
              "expected true."});
}
TEST(ConformanceOfJoints, MemoryOverrun) {
  expect_one(check_joint(Slider("memory")), "do_remember",
             {"do_remember: writes beyond the 1 numbers that its declared size leaves room for"});
}
TEST(ConformanceOfJoints, VelocitiesWhereTheyAreNotValid) {
  expect_one(check_joint(Slider("velocity")), "do_rows",
             {"do_rows: reads velocities, which are not valid in it (only in forces and do_bias)"});
  expect_one(check_joint(Slider("acceleration")), "do_bias",
             {"do_bias: reads the bias of a frame, which is not valid in elements"});
}

// Constraints --------------------------------------------------------------------------------------------------------

/// A point on a sphere that grows with time: g = (|r| - L(t)).
class Tether final : public Constraint<Spatial> {
 public:
  explicit Tether(std::string fault = "")
      : Constraint<Spatial>({Frame<Spatial>{}, Frame<Spatial>{.body = 0}}), fault_(std::move(fault)) {}
  std::string_view type() const override { return "tether"; }
  int rows() const override { return fault_ == "rows" ? 2 : 1; }
  bool is_angular(int) const override { return fault_ == "units"; }
  bool is_relative() const override { return fault_ != "absolute"; }
  bool has_position_rows() const override { return true; }

 private:
  void do_residual(const Motion<Spatial>& m, double* g) const override {
    g[0] = line(m).norm() - 0.5 - 0.1 * m.time();
    if (fault_ == "rows") g[1] = 2 * g[0];
    if (fault_ == "frame") g[0] += 0 * m.frame(2).pose.position.x();
    if (fault_ == "table") throw RecoverableFailure("the table ends at 0.2 m.");
    if (fault_ == "bug") throw std::out_of_range("index 7");
    if (fault_ == "state") g[0] += 1e-6 * ++calls_;
  }
  // Scaled by the length: the same motions where g = 0.
  void do_rows(const Motion<Spatial>& m, ConstraintRows<Spatial>& out) const override {
    const double length = line(m).norm();
    add(m, line(m), out);
    out.rate(0) = -0.1 * length;
    if (fault_ == "span") out.rate(0) = 0;
    if (fault_ == "rows") out.add_linear(1, 1, 2 * line(m));
  }
  void do_position_rows(const Motion<Spatial>& m, ConstraintRows<Spatial>& out) const override {
    add(m, (fault_ == "position rows" ? 1.2 : 1) * line(m).normalized(), out);
    out.rate(0) = -0.1;
    if (fault_ == "rows") out.add_linear(1, 1, 2 * line(m).normalized()), out.rate(1) = -0.2;
  }
  void add(const Motion<Spatial>&, const Eigen::Vector3d& row, ConstraintRows<Spatial>& out) const {
    out.add_linear(0, 1, row);
    if (fault_ != "absolute" && fault_ != "blind") out.add_linear(0, 0, -row);
  }
  static Eigen::Vector3d line(const Motion<Spatial>& m) { return m.frame(1).pose.position - m.frame(0).pose.position; }
  std::string fault_;
  mutable int calls_ = 0;
};
TEST(ConformanceOfConstraints, PositionRowsPass) {
  const ConformanceReport report = check_constraint(Tether());
  EXPECT_TRUE(report) << report.summary();
}
TEST(ConformanceOfConstraints, RowsThatDoNotClaimToBeRelativeMayIgnoreTheGround) {
  const ConformanceReport report = check_constraint(Tether("absolute"));
  EXPECT_TRUE(report) << report.summary();
}
TEST(ConformanceOfConstraints, RelativeRowsThatAreNot) {
  expect_only(check_constraint(Tether("blind")), "do_rows", "of all frames together as one body, row 0 is ");
}
TEST(ConformanceOfConstraints, WrongPositionRows) {
  expect_only(check_constraint(Tether("position rows")), "do_position_rows",
              "(the derivative of do_residual by sixth-order differences): off by");
}
TEST(ConformanceOfConstraints, VelocityRowsThatForbidOtherVelocities) {
  expect_one(check_constraint(Tether("span")), "do_rows",
             {"do_rows: distance of its row space from that of do_position_rows, entry 0 is 0.",
              "(both forbid the same velocities where g = 0; rounding and Newton's residual 1e-12)"});
}
TEST(ConformanceOfConstraints, RowsThatDependOnEachOther) {
  expect_only(check_constraint(Tether("rows")), "do_rows",
              "do_rows: only 1 of its 2 rows are independent at any sample; expected all of them, or a smaller rows()");
}
TEST(ConformanceOfConstraints, WrongUnits) {
  expect_one(check_constraint(Tether("units")), "is_angular",
             {"is_angular: row 0 is called angular, but acts on velocities of points only and measures a length; "
              "expected false."});
}
TEST(ConformanceOfConstraints, FramesThatAreNotDeclared) {
  expect_only(check_constraint(Tether("frame")), "do_residual",
              "do_residual: reads a frame that is not among its frames()");
}
TEST(ConformanceOfConstraints, HiddenState) {
  expect_only(check_constraint(Tether("state")), "do_residual", "gives another result when it is asked again");
}
TEST(ConformanceOfConstraints, WhatIsThrown) {
  EXPECT_NE(check_constraint(Tether("table"))
                .summary()
                .find("can't be evaluated at any of 20 samples ('the table ends at 0.2 m.'); choose a reach inside its "
                      "range."),
            std::string::npos);
  EXPECT_NE(check_constraint(Tether("bug")).summary().find("throws 'index 7'"), std::string::npos);
}

/// A wall that moves: g = x - 0.1 t of a frame's origin.
class Curtain final : public Constraint<Planar> {
 public:
  explicit Curtain(std::string fault = "")
      : Constraint<Planar>({Frame<Planar>{}, Frame<Planar>{.body = 0}}), fault_(std::move(fault)) {}
  std::string_view type() const override { return "curtain"; }
  int rows() const override { return fault_ == "rows" ? 2 : 1; }
  bool is_invariant() const override { return fault_ == "invariant"; }
  RowUse row_use(int, int) const override {
    return {.linear = fault_ != "linear", .angular = false, .position = false, .rotation = false};
  }

 private:
  void do_residual(const Motion<Planar>& m, double* g) const override {
    g[0] = m.frame(1).pose.position.x() - 0.1 * m.time();
    if (fault_ == "bends") g[0] += 0.5 * std::pow(m.frame(1).pose.position.y(), 2);
    if (fault_ == "turns") g[0] += m.frame(1).pose.rotation(1, 0);
  }
  std::string fault_;
};
TEST(ConformanceOfConstraints, UsesThatAreNotDeclared) {
  const ConformanceReport report = check_constraint(Curtain());
  EXPECT_TRUE(report) << report.summary();
  // Frames are moved by 0.01 along (0.3, 0.5) / sqrt(0.34), turned by 0.01 each and by 0.1 all together.
  const std::string begin = "row_use: does not say that the element ";
  for (const char* part : {"measures the position of frame 1 in row 1: the residual changes by 0.00514495755428",
                           "acts on the position of frame 1 in row 1: the row has an entry of 1"})
    expect_only(check_constraint(Curtain("linear")), "row_use", begin + part);
  expect_only(check_constraint(Curtain("bends")), "row_use",
              begin + "reads the position of frame 1 in row 1: the row changes by 0.0085749292");
  for (const char* part : {"measures the rotation of frame 1 in row 1: the residual changes by 0.0",
                           "reads the rotation of frame 1 in row 1: the row changes by 0.0",
                           "acts on the rotation of frame 1 in row 1: the row has an entry of "})
    expect_only(check_constraint(Curtain("turns")), "row_use", begin + part);
  expect_one(check_constraint(Curtain("invariant")), "is_invariant",
             {"is_invariant: does not say that the element changes in row 1 when all of its frames are turned "
              "together: the residual by 0."});
}
TEST(ConformanceOfConstraints, EachSampleCountsOnce) {
  expect_one(check_constraint(Curtain("rows")), "do_residual",
             {"do_residual: leaves entries of its result unwritten", "the worst of 20 out of 20."});
}

// Forces -------------------------------------------------------------------------------------------------------------

/// Spring, damper and dry friction towards the ground, with states, memory and a reaction for the faults.
class Buffer final : public ForceElement<Planar> {
 public:
  explicit Buffer(std::string fault = "", double damping = 0)
      : ForceElement<Planar>({Frame<Planar>{}, Frame<Planar>{.body = 0}}),
        fault_(std::move(fault)),
        damping_(damping) {}
  std::string_view type() const override { return fault_ == "type" ? "" : "buffer"; }
  int states() const override { return 1; }
  double initial_state(int) const override { return fault_ == "initial" ? std::nan("") : 0; }
  int memory_size() const override { return fault_ == "memory size" ? -1 : 1; }
  int switches() const override { return 1; }
  std::optional<ForceUse> use() const override {
    ForceUse use;
    if (fault_ == "use") use.frames = {FrameUse::nothing(), {.position = false, .velocity = damping_ == 0}};
    if (fault_ == "force use") use.frames = {FrameUse::nothing(), {.force = false}};
    return use;
  }
  std::optional<ForceUse> rate_use() const override {
    ForceUse use;
    use.states = fault_ != "rate use";
    return use;
  }

 private:
  void do_add_to(const Motion<Planar>& m, ForceSums<Planar>& sums) const override {
    const Eigen::Vector2d d = m.frame(1).pose.position - m.frame(0).pose.position;
    Eigen::Vector2d force = -3 * d - damping_ * m.frame(1).velocity.linear;
    if (fault_ == "stick") force -= 0.2 * m.frame(1).velocity.linear.normalized();
    if (fault_ == "motor") force.x() += 1;
    sums.add_force(1, force);
    if (fault_ == "state") sums.add_torque(1, 0 * m.state(1));
    if (fault_ == "memory read") sums.add_torque(1, 0 * m.memory(1));
    if (fault_ == "reaction") sums.add_torque(1, 0 * m.reaction(0).torque);
    if (fault_ == "frame") sums.add_force(2, force);
    if (fault_ == "force") sums.add_force(1, force / 0.0);
  }
  double do_potential_energy(const Motion<Planar>& m) const override {
    const double square = (m.frame(1).pose.position - m.frame(0).pose.position).squaredNorm();
    if (fault_ == "speed") return m.frame(1).velocity.linear.x();
    return (fault_ == "sign" ? -1.5 : fault_ == "half" ? 0.75 : 1.5) * square;
  }
  void do_state_rates(const Motion<Planar>& m, double* rates) const override {
    if (fault_ != "rates") rates[0] = -m.state(0);
    if (fault_ == "rates overrun") rates[1] = 0;
  }
  double do_switching_function(const Motion<Planar>& m, int) const override {
    return fault_ == "switch" ? std::nan("") : m.frame(1).velocity.linear.x();
  }
  void do_remember(const Motion<Planar>&, bool, int crossed, double* memory) const override {
    memory[0] = 1;
    if (fault_ == "memory" && crossed == 0) memory[1] = 1;
  }
  std::string fault_;
  double damping_;
};
TEST(ConformanceOfForces, SpringsDampersAndDryFrictionPass) {
  for (const char* losses : {"", "stick"})
    for (const double damping : {0.0, 2.0}) {
      const ConformanceReport report = check_force(Buffer(losses, damping));
      EXPECT_TRUE(report) << report.summary();
    }
}
TEST(ConformanceOfForces, PotentialOfTheWrongSign) {
  expect_only(check_force(Buffer("sign")), "do_potential_energy", "the potential has the wrong sign");
}
TEST(ConformanceOfForces, PotentialOfTheWrongSizeAlsoBehindADamper) {
  expect_only(check_force(Buffer("half")), "do_potential_energy", "; the power is 2 times what the potential gives");
  expect_only(check_force(Buffer("half", 100)), "do_potential_energy",
              "do_potential_energy: power of do_add_to on the bodies in very slow motion [W per unit of speed]");
}
TEST(ConformanceOfForces, ASourceOfEnergyIsDeclared) {
  expect_only(check_force(Buffer("motor")), "do_potential_energy",
              "(a spring gives back what it stored and a damper takes; dE/dt is ");
  const ConformanceReport report = check_force(Buffer("motor"), {.feeds_energy = true});
  EXPECT_TRUE(report) << report.summary();
}
TEST(ConformanceOfForces, PotentialThatReadsVelocities) {
  expect_only(check_force(Buffer("speed")), "do_potential_energy", "do_potential_energy: reads velocities");
}
TEST(ConformanceOfForces, WhatIsNotDeclared) {
  expect_only(check_force(Buffer("state")), "do_add_to",
              "do_add_to: reads a state beyond those that states() declares");
  expect_only(check_force(Buffer("memory read")), "do_add_to",
              "do_add_to: reads memory beyond what memory_size() declares");
  expect_only(check_force(Buffer("reaction")), "do_add_to",
              "do_add_to: reads a reaction that is not among its declared reactions()");
  expect_only(check_force(Buffer("frame")), "do_add_to", "do_add_to: writes beyond");
  expect_only(check_force(Buffer("memory")), "do_remember", "do_remember: writes beyond the 1 numbers");
  expect_only(check_force(Buffer("rates overrun")), "do_state_rates", "do_state_rates: writes beyond the 1 numbers");
}
TEST(ConformanceOfForces, UsesThatAreNotDeclared) {
  // Moved by 0.01: the spring's stiffness is 3 N/m, the damper's constant 2 N s/m, each in both directions.
  expect_only(check_force(Buffer("use")), "use",
              "use: does not say that the element reads the position of frame 1: its wrench changes by 0.0257");
  expect_only(check_force(Buffer("use", 2)), "use",
              "use: does not say that the element reads the velocity of frame 1: its wrench changes by 0.0171");
  expect_only(check_force(Buffer("force use")), "use",
              "use: does not say that the element puts a force on frame 1: the force there changes by ");
  expect_only(check_force(Buffer("rate use")), "rate_use",
              "rate_use: does not say that the element reads its states: the rate of its states changes by 0.01");
}
TEST(ConformanceOfForces, ValuesThatAreNotFinite) {
  expect_only(check_force(Buffer("rates")), "do_state_rates", "leaves entries of its result unwritten");
  expect_only(check_force(Buffer("force")), "do_add_to", "gives values that are not finite");
  expect_only(check_force(Buffer("switch")), "do_switching_function", "gives values that are not finite");
  expect_only(check_force(Buffer("initial")), "initial_state", "of state 0 is nan; expected a finite number");
}
TEST(ConformanceOfForces, SizesThatMakeNoSense) {
  expect_only(check_force(Buffer("memory size")), "memory_size", "memory_size: is -1; expected 0 or more.");
  expect_only(check_force(Buffer("type")), "type", "type: is empty; give the element a name of its kind.");
}

// Bodies -------------------------------------------------------------------------------------------------------------

class Rotor final : public Body<Spatial> {
 public:
  explicit Rotor(std::string fault = "") : fault_(std::move(fault)) {}
  std::string_view type() const override { return "rotor"; }
  double mass() const override { return fault_ == "mass" ? -1 : 1; }
  Inertia inertia() const override {
    Inertia out = Eigen::Vector3d(1, 2, fault_ == "negative" ? -2.5 : 2.5).asDiagonal();
    if (fault_ == "symmetric") out(0, 1) = 0.1;
    return out;
  }
  bool is_plain() const override { return fault_ == "plain"; }
  Eigen::Vector3d gyroscopic_torque(const Eigen::Vector3d& omega) const override {
    const Eigen::Vector3d momentum = inertia() * omega + Eigen::Vector3d(0, 0, 0.5);
    return fault_ == "power" ? Eigen::Vector3d(-0.1 * omega) : Eigen::Vector3d(-omega.cross(momentum));
  }

 private:
  std::string fault_;
};
TEST(ConformanceOfBodies, TheirParts) {
  EXPECT_TRUE(check_body(Rotor())) << check_body(Rotor()).summary();
  expect_one(check_body(Rotor("mass")), "mass", {"mass: is -1 kg; expected a finite number >= 0."});
  expect_one(check_body(Rotor("negative")), "inertia",
             {"inertia: has a principal moment of -2.5 kg m^2; expected none below zero."});
  expect_one(check_body(Rotor("symmetric")), "inertia", {"inertia: is not symmetric: entries differ by 0.1 kg m^2."});
  expect_one(check_body(Rotor("power")), "gyroscopic_torque",
             {"gyroscopic_torque: its power omega . torque [W], entry 0 is -", "a body's own momentum does no work"});
  expect_one(check_body(Rotor("plain")), "is_plain",
             {"is_plain: gyroscopic torque [N m], component ", "-omega x I omega, since is_plain() is true"});
}

TEST(ConformanceErrors, OptionsOutOfRange) {
  expect_error<ModelError>("ConformanceOptions: samples is 0; give at least 1.",
                           [] { (void)check_joint(Ball(), {.samples = 0}); });
  expect_error<ModelError>("ConformanceOptions: reach is -1 m; give a finite value > 0.",
                           [] { (void)check_joint(Ball(), {.reach = -1}); });
  expect_error<ModelError>("ConformanceOptions: last_time is 0 s; give a finite value > 0.",
                           [] { (void)check_force(Buffer(), {.last_time = 0}); });
}

}  // namespace conformance_test
}  // namespace linkwork
