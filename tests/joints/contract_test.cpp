// One contract for all joints and constraints: residual, rows and bias belong together, and to X(q).

#include "cases.hpp"
#include "random_motion.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/core/dense_factors.hpp>

#include <gtest/gtest.h>

namespace linkwork::test {
namespace contract_test {

constexpr int trials = 20;

// Sixth-order differences of motions with speeds up to sqrt(3) in metres and radians, step 0.0025: truncation
// 0.0025^6 / 140 = 2e-18 times a seventh derivative of up to 1e8 where rows are like a tangent at 3 rad/s; rounding
// eps / 0.0025 = 1e-13. The library's own differences have step 0.005 at most, and 64 times that truncation. Worst seen
// in 2000 trials of each case: below 5e-11. A wrong sign or factor gives 1e-1 or more.
constexpr double first_step = 0.0025;
constexpr double first_tolerance = 1e-10;
// Second derivatives: rounding 490 / 180 eps / 0.005^2 = 2e-11 times values up to 5. Worst seen: 4e-10.
constexpr double second_step = 0.005;
constexpr double second_tolerance = 5e-10;

/// Calls check(case, random) for every case and trial.
template <class Space, class Check>
void for_all(Check&& check) {
  unsigned seed = 1;
  for (const Case<Space>& one : all_cases<Space>())
    for (int trial = 0; trial < trials; ++trial, ++seed) {
      SCOPED_TRACE(concat(Space::name, " ", one.name, ", seed ", seed));
      RandomMotion<Space> random(seed);
      check(one, random);
      if (::testing::Test::HasFailure()) return;
    }
}
template <class Check>
void for_both_spaces(Check&& check) {
  for_all<Planar>(check);
  for_all<Spatial>(check);
}

/// A state with any twists, up to 0.7 m and 0.7 rad off the joint's manifold; derived rows are exact on it only.
template <class Space>
FramesInMotion<Space> any_state(const Case<Space>& one, RandomMotion<Space>& random) {
  if (!one.joint) {
    FramesInMotion<Space> m = random.free(one.frames);
    m.start(*one.element);
    return m;
  }
  FramesInMotion<Space> m = random.of_joint(*one.joint);
  m.start(*one.element);
  m.frames[1].velocity = random.twist();
  if (!one.is_derived()) m.frames[1].pose = moved(m.frames[1].pose, random.twist(), 0.4);
  return m;
}

/// Projector onto the row space of [rows | right]: it tells the solutions of rows x = right.
Eigen::MatrixXd row_space(const Eigen::MatrixXd& rows, const Eigen::VectorXd& right) {
  Eigen::MatrixXd both(rows.rows(), rows.cols() + 1);
  both << rows, right;
  QrFactors qr;
  qr.compute(both.transpose());
  const Eigen::MatrixXd Q = qr.columns_of_Q(both.rows());
  return Q * Q.transpose();
}

TEST(JointContract, RowsAreTheDerivativeOfTheResidual) {
  for_both_spaces([]<class Space>(const Case<Space>& one, RandomMotion<Space>& random) {
    if (one.element->level() == Level::nonholonomic) return;
    const FramesInMotion<Space> m = any_state(one, random);
    const EvaluatedRows at = rows_of(*one.element, m);
    const Eigen::VectorXd expected =
        first_derivative(first_step, [&](double dt) { return residual_of(*one.element, m.after(dt)); });
    EXPECT_LT((at.rows * m.twists() + at.rate - expected).norm(), first_tolerance * (1 + expected.norm()));
  });
}

TEST(JointContract, BiasIsTheSecondDerivativeOfTheResidualWithoutAccelerations) {
  for_both_spaces([]<class Space>(const Case<Space>& one, RandomMotion<Space>& random) {
    if (one.element->level() == Level::nonholonomic || one.is_derived()) return;
    const FramesInMotion<Space> m = any_state(one, random);
    const Eigen::VectorXd expected =
        second_derivative(second_step, [&](double dt) { return residual_of(*one.element, m.after(dt)); });
    EXPECT_LT((bias_of(*one.element, m) + expected).norm(), second_tolerance * (1 + expected.norm()));
  });
}

TEST(JointContract, ClosedFormBiasIsThatOfTheDefaultDifferences) {
  for_both_spaces([]<class Space>(const Case<Space>& one, RandomMotion<Space>& random) {
    if (one.is_derived()) return;
    const FramesInMotion<Space> m = any_state(one, random);
    const WithDefaultBias<Space> by_differences(*one.element, one.frames);
    const Eigen::VectorXd expected = bias_of(by_differences, m);
    EXPECT_LT((bias_of(*one.element, m) - expected).norm(), first_tolerance * (1 + expected.norm()));
  });
}

TEST(JointContract, MotionsOfTheJointSatisfyAllThreeLevels) {
  for_both_spaces([]<class Space>(const Case<Space>& one, RandomMotion<Space>& random) {
    if (!one.joint) return;
    FramesInMotion<Space> m = random.of_joint(*one.joint);
    m.start(*one.element);
    const EvaluatedRows at = rows_of(*one.element, m);
    EXPECT_LT(residual_of(*one.element, m).norm(), 1e-13);  // rounding of poses of size 2
    EXPECT_LT((at.rows * m.twists() + at.rate).norm(), first_tolerance);
    EXPECT_LT((at.rows * m.accelerations() - bias_of(*one.element, m)).norm(), second_tolerance);
  });
}

TEST(JointContract, RowsLeaveNothingButTheFreedoms) {
  for_both_spaces([]<class Space>(const Case<Space>& one, RandomMotion<Space>& random) {
    if (!one.joint) return;
    EXPECT_EQ(one.joint->freedoms() + one.joint->rows(), Space::n);
    EXPECT_GE(one.joint->coordinates(), one.joint->freedoms());
    FramesInMotion<Space> m = random.of_joint(*one.joint);
    m.start(*one.element);
    const Eigen::MatrixXd rows = rows_of(*one.element, m).rows;
    EXPECT_EQ(PivotedQr(rows.template rightCols<Space::n>()).rank(), one.joint->rows());
  });
}

TEST(JointContract, RelativeConstraintsAreBlindToACommonMotion) {
  for_both_spaces([]<class Space>(const Case<Space>& one, RandomMotion<Space>& random) {
    // On the joint's manifold: where the origins part, rows in ground axes see them turn.
    FramesInMotion<Space> m = one.joint ? random.of_joint(*one.joint) : random.free(one.frames);
    m.start(*one.element);
    const Twist<Space> common = random.twist();  // of the first frame's origin
    const Vector<Space> center = m.frames[0].pose.position;
    for (FrameMotion<Space>& frame : m.frames) {
      frame.velocity = common;
      frame.velocity.linear += cross(common.angular, Vector<Space>(frame.pose.position - center));
    }
    const double rates = (rows_of(*one.element, m).rows * m.twists()).norm();
    if (one.element->is_relative())
      EXPECT_LT(rates, 1e-12);  // rounding of twists of size 3
    else
      EXPECT_GT(rates, 1e-3);
  });
}

TEST(JointContract, ClosedFormAndDerivedSideAllowTheSameMotion) {
  for_both_spaces([]<class Space>(const Case<Space>& one, RandomMotion<Space>& random) {
    if (!one.joint || one.is_derived()) return;
    const Derived<Space> derived(*one.joint);
    FramesInMotion<Space> m = random.of_joint(*one.joint);
    m.start(derived);
    const EvaluatedRows closed = rows_of(*one.element, m), differences = rows_of(derived, m);
    EXPECT_LT((row_space(closed.rows, closed.rate) - row_space(differences.rows, differences.rate)).norm(),
              first_tolerance);
    EXPECT_LT(
        (row_space(closed.rows, bias_of(*one.element, m)) - row_space(differences.rows, bias_of(derived, m))).norm(),
        first_tolerance);
  });
}

TEST(JointContract, AngularRowsDoNotScaleWithLengths) {
  for_both_spaces([]<class Space>(const Case<Space>& one, RandomMotion<Space>& random) {
    if (!one.joint || one.is_derived()) return;
    FramesInMotion<Space> m = random.free(2), large = m;
    for (FrameMotion<Space>& frame : large.frames) frame.pose.position *= 1000;
    const Eigen::VectorXd g = residual_of(*one.element, m), g_large = residual_of(*one.element, large);
    ASSERT_EQ(static_cast<int>(one.kinds.size()), one.element->rows());
    for (int i = 0; i < one.element->rows(); ++i) {
      const bool angular = one.kinds[static_cast<std::size_t>(i)] == 'r';
      EXPECT_EQ(one.element->is_angular(i), angular);
      if (angular)
        EXPECT_NEAR(g_large[i], g[i], 1e-10);
      else
        EXPECT_NE(g_large[i], g[i]);
    }
  });
}

TEST(JointContract, ResidualsNearTheManifoldMeasureTheDistanceFromIt) {
  for_both_spaces([]<class Space>(const Case<Space>& one, RandomMotion<Space>& random) {
    if (!one.joint || one.joint->freedoms() == Space::n) return;
    FramesInMotion<Space> m = random.of_joint(*one.joint);
    m.start(*one.element);
    const EvaluatedRows at = rows_of(*one.element, m);
    const double d = 1e-4;
    const FramesInMotion<Space> off = [&] {
      FramesInMotion<Space> out = m;
      out.frames[1].velocity = random.twist();
      out.frames[0].velocity = {};
      return out;
    }();
    FramesInMotion<Space> moved_off = off;
    moved_off.frames[1].pose = moved(off.frames[1].pose, off.frames[1].velocity, d);
    // Second order in d, with curvatures of size 10.
    EXPECT_LT((residual_of(*one.element, moved_off) - d * (at.rows * off.twists())).norm(), 10 * d * d);
  });
}

}  // namespace contract_test
}  // namespace linkwork::test
