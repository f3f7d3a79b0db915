// The explicit side of every joint: X(q) against S, drift and bias, locate, rate and retract.

#include "../allocations.hpp"
#include "cases.hpp"
#include "random_motion.hpp"

#include <linkwork/core/concat.hpp>

#include <gtest/gtest.h>
#include <memory>
#include <vector>

namespace linkwork::test {
namespace explicit_side_test {

constexpr int trials = 20;

/// A joint at random coordinates and rates.
template <class Space>
struct JointState {
  const Joint<Space>& joint;
  double time;
  std::vector<double> q, v;

  JointState(const Joint<Space>& of, RandomMotion<Space>& random, double reach = 1.2)
      : joint(of),
        time(random.number()),
        q(static_cast<std::size_t>(of.coordinates()) + 1),
        v(static_cast<std::size_t>(of.freedoms()) + 1) {
    std::vector<double> step(v.size());
    for (double& entry : step) entry = reach * random.number();
    for (double& entry : v) entry = random.number();
    joint.home(q.data());
    joint.retract(q.data(), step.data(), q.data());
  }
  std::vector<double> q_after(double dt) const {
    std::vector<double> step = v, out(q.size());
    for (double& entry : step) entry *= dt;
    joint.retract(q.data(), step.data(), out.data());
    return out;
  }
  /// Where the son is after dt, seen from where it is now.
  Eigen::VectorXd path(double dt) const {
    return logarithm(relative_pose(joint.pose(time, q.data()), joint.pose(time + dt, q_after(dt).data())));
  }
  JointMotion<Space> motion() const {
    JointMotion<Space> out;
    joint.motion(time, q.data(), out);
    return out;
  }
  Eigen::VectorXd velocity() const { return Eigen::VectorXd::Map(v.data(), joint.freedoms()); }
  Components<Space> bias() const {
    Components<Space> out;
    joint.motion_bias(time, q.data(), v.data(), out);
    return out;
  }
};

template <class Space, class Check>
void for_all_joints(Check&& check) {
  unsigned seed = 1;
  for (const Case<Space>& one : all_cases<Space>())
    for (int trial = 0; one.joint && trial < trials; ++trial, ++seed) {
      SCOPED_TRACE(concat(Space::name, " ", one.name, ", seed ", seed));
      RandomMotion<Space> random(seed);
      check(one, random);
      if (::testing::Test::HasFailure()) return;
    }
}
template <class Check>
void for_both_spaces(Check&& check) {
  for_all_joints<Planar>(check);
  for_all_joints<Spatial>(check);
}

double distance(const Pose<Planar>& a, const Pose<Planar>& b) { return logarithm(relative_pose(a, b)).norm(); }
double distance(const Pose<Spatial>& a, const Pose<Spatial>& b) { return logarithm(relative_pose(a, b)).norm(); }

TEST(ExplicitSide, MotionHasThePoseAndItsDerivative) {
  for_both_spaces([]<class Space>(const Case<Space>& one, RandomMotion<Space>& random) {
    const JointState<Space> at(*one.joint, random);
    const JointMotion<Space> motion = at.motion();
    EXPECT_LT(distance(motion.X, at.joint.pose(at.time, at.q.data())), 1e-14);
    ASSERT_EQ(motion.S.cols(), at.joint.freedoms());
    // Sixth-order differences with step 0.0025: rounding 1e-13, see contract_test.cpp.
    const Eigen::VectorXd expected = first_derivative(0.0025, [&](double dt) { return at.path(dt); });
    EXPECT_LT((motion.S * at.velocity() + motion.drift - expected).norm(), 1e-11);
  });
}

TEST(ExplicitSide, BiasIsTheSecondDerivativeOfThePose) {
  for_both_spaces([]<class Space>(const Case<Space>& one, RandomMotion<Space>& random) {
    const JointState<Space> at(*one.joint, random);
    // Step 0.01: truncation 0.01^6 / 560 = 2e-15 times an eighth derivative of up to 1e4; rounding 3 eps / 1e-4.
    const Eigen::VectorXd expected = second_derivative(0.01, [&](double dt) { return at.path(dt); });
    EXPECT_LT((at.bias() - expected).norm(), 2e-10);
  });
}

TEST(ExplicitSide, ClosedFormsAreThoseOfTheDefaultDifferences) {
  for_both_spaces([]<class Space>(const Case<Space>& one, RandomMotion<Space>& random) {
    const JointState<Space> at(*one.joint, random);
    const Derived<Space> derived(*one.joint);
    JointMotion<Space> motion;
    Components<Space> bias;
    derived.motion(at.time, at.q.data(), motion);
    derived.motion_bias(at.time, at.q.data(), at.v.data(), bias);
    EXPECT_LT((at.motion().S - motion.S).norm(), 1e-11);
    EXPECT_LT((at.motion().drift - motion.drift).norm(), 1e-11);
    EXPECT_LT((at.bias() - bias).norm(), 2e-10);
  });
}

TEST(ExplicitSide, ConstantMotionIsThatOfThePose) {
  for_both_spaces([]<class Space>(const Case<Space>& one, RandomMotion<Space>& random) {
    const auto constant = one.joint->constant_motion();
    if (!constant) return;
    const JointState<Space> at(*one.joint, random, 3);
    const Components<Space> twist = constant->S * Eigen::VectorXd::Map(at.q.data(), at.joint.freedoms());
    EXPECT_LT(distance(compose(constant->X, exponential(twist)), at.joint.pose(at.time, at.q.data())), 1e-13);
  });
}

TEST(ExplicitSide, RowsOfTheConstraintVanishOnTheMotionsOfTheJoint) {
  for_both_spaces([]<class Space>(const Case<Space>& one, RandomMotion<Space>& random) {
    const JointState<Space> at(*one.joint, random);
    const JointMotion<Space> motion = at.motion();
    FramesInMotion<Space> m;  // the father is the ground
    m.time = at.time;
    m.frames.resize(2);
    m.frames[1].pose = motion.X;
    m.start(*one.element);
    const Components<Space> twist = motion.S * at.velocity() + motion.drift;
    const auto to_ground = [&](const Components<Space>& son) {
      Twist<Space> out;
      if constexpr (Space::dimension == 2)
        out.angular = son[0];
      else
        out.angular = motion.X.rotation * son.template head<3>();
      out.linear = motion.X.rotation * son.template tail<Space::dimension>();
      return out;
    };
    m.frames[1].velocity = to_ground(twist);
    const Components<Space> bias = at.bias();
    m.frames[1].bias = to_ground(bias);
    m.frames[1].bias.linear += cross(m.frames[1].velocity.angular, m.frames[1].velocity.linear);

    const EvaluatedRows rows = rows_of(*one.element, m);
    // Closed forms: rounding only. Differences: see contract_test.cpp.
    const double tolerance = one.is_derived() ? 1e-10 : 1e-13;
    EXPECT_LT((rows.rows * m.twists() + rows.rate).norm(), tolerance);
    EXPECT_LT((rows.rows * m.accelerations() - bias_of(*one.element, m)).norm(), 10 * tolerance);
  });
}

TEST(ExplicitSide, LocateFindsTheCoordinatesOfAPose) {
  for_both_spaces([]<class Space>(const Case<Space>& one, RandomMotion<Space>& random) {
    const JointState<Space> at(*one.joint, random);
    std::vector<double> q = at.q;
    q.assign(q.size(), 0.0);
    at.joint.home(q.data());
    at.joint.locate(at.time, at.joint.pose(at.time, at.q.data()), q.data());
    EXPECT_LT(distance(at.joint.pose(at.time, q.data()), at.joint.pose(at.time, at.q.data())), 1e-11);
    // From near by, it is the same coordinates and not only the same pose.
    q = at.q_after(0.2);
    at.joint.locate(at.time, at.joint.pose(at.time, at.q.data()), q.data());
    for (int i = 0; i < at.joint.coordinates(); ++i)
      EXPECT_NEAR(q[static_cast<std::size_t>(i)], at.q[static_cast<std::size_t>(i)], 1e-11);
  });
}

TEST(ExplicitSide, LocateTakesAwayWhatIsNoMotionOfTheJoint) {
  for_both_spaces([]<class Space>(const Case<Space>& one, RandomMotion<Space>& random) {
    if (one.is_derived() || one.joint->freedoms() == 0) return;
    const JointState<Space> at(*one.joint, random);
    const double d = 1e-5;
    const Pose<Space> off = moved(at.motion().X, random.twist(), d);
    std::vector<double> q = at.q;
    at.joint.locate(at.time, off, q.data());
    // The projection onto the joint's motions moves the coordinates by the distance at most, times the size of S^-1.
    EXPECT_LT(distance(at.joint.pose(at.time, q.data()), off), 10 * d);
    std::vector<double> again = q;
    at.joint.locate(at.time, at.joint.pose(at.time, q.data()), again.data());
    for (std::size_t i = 0; i + 1 < q.size(); ++i) EXPECT_NEAR(again[i], q[i], 1e-13);
  });
}

TEST(ExplicitSide, RateIsTheDerivativeOfRetractAndLinearInV) {
  for_both_spaces([]<class Space>(const Case<Space>& one, RandomMotion<Space>& random) {
    const JointState<Space> at(*one.joint, random);
    const auto q_along = [&](double dt) -> Eigen::VectorXd {
      return Eigen::VectorXd::Map(at.q_after(dt).data(), at.joint.coordinates());
    };
    Eigen::VectorXd rate(at.joint.coordinates() + 1);
    at.joint.rate(at.q.data(), at.v.data(), rate.data());
    EXPECT_LT((rate.head(at.joint.coordinates()) - first_derivative(0.0025, q_along)).norm(), 1e-11);
  });
}

TEST(ExplicitSide, RetractNormalises) {
  for_both_spaces([]<class Space>(const Case<Space>& one, RandomMotion<Space>& random) {
    if (one.joint->coordinates() == one.joint->freedoms()) return;
    const JointState<Space> at(*one.joint, random);
    std::vector<double> q = at.q;
    for (int i = 0; i < 4; ++i) q[static_cast<std::size_t>(i)] *= 1.01;
    const std::vector<double> zeros(at.v.size(), 0.0);
    at.joint.retract(q.data(), zeros.data(), q.data());
    EXPECT_NEAR(Eigen::Vector4d::Map(q.data()).norm(), 1, 1e-15);
    for (std::size_t i = 0; i + 1 < q.size(); ++i) EXPECT_NEAR(q[i], at.q[i], 1e-15);
  });
}

TEST(ExplicitSide, ClosedFormsAllocateNothing) {
  for_both_spaces([]<class Space>(const Case<Space>& one, RandomMotion<Space>& random) {
    if (one.is_derived()) return;
    JointState<Space> at(*one.joint, random);
    JointMotion<Space> motion;
    Components<Space> bias;
    std::vector<double> rate(at.q.size());
    const long before = allocations;
    at.joint.motion(at.time, at.q.data(), motion);
    at.joint.motion_bias(at.time, at.q.data(), at.v.data(), bias);
    at.joint.rate(at.q.data(), at.v.data(), rate.data());
    if (at.joint.freedoms() > 0) at.joint.locate(at.time, motion.X, at.q.data());
    EXPECT_EQ(allocations - before, 0);
  });
}

/// Angles of a joint's coordinates, at which full turns are told apart.
struct Turning {
  std::shared_ptr<const Joint<Spatial>> joint;
  int angle;
};

TEST(ExplicitSide, LocateContinuesFullTurns) {
  const Axis oblique({1, -2, 3});
  const std::vector<Turning> joints = {{std::make_shared<Revolute<Spatial>>(oblique), 0},
                                       {std::make_shared<Cylindrical>(oblique), 0},
                                       {std::make_shared<PlaneJoint>(oblique), 0},
                                       {std::make_shared<Universal>(oblique, Axis({2, 1, 0})), 0},
                                       {std::make_shared<Universal>(oblique, Axis({2, 1, 0})), 1},
                                       {std::make_shared<Screw>(oblique, 0.01), 0},
                                       {std::make_shared<UserScrew>(), 0}};
  for (const Turning& one : joints) {
    std::vector<double> q(static_cast<std::size_t>(one.joint->coordinates()), 0.0);
    double& angle = q[static_cast<std::size_t>(one.angle)];
    for (double expected = 0; expected > -40; expected -= 0.7) {
      std::vector<double> target = q;
      target[static_cast<std::size_t>(one.angle)] = expected;
      one.joint->locate(0, one.joint->pose(0, target.data()), q.data());
      EXPECT_NEAR(angle, expected, 1e-11) << one.joint->type();
    }
  }
  const double target = 20;
  double angle = 21;
  Revolute<Planar>().locate(0, Revolute<Planar>().pose(0, &target), &angle);
  EXPECT_NEAR(angle, target, 1e-13);
}

}  // namespace explicit_side_test
}  // namespace linkwork::test
