#include "expect_error.hpp"

#include <linkwork/core/curve_pair.hpp>
#include <linkwork/core/errors.hpp>

#include <gtest/gtest.h>
#include <cmath>
#include <string>

namespace linkwork {
namespace path_test {

/// A helix: with radius r and pitch h per radian.
constexpr double r = 2, h = 0.5;
SpaceCurvePoint helix(double u) {
  const double c = r * std::cos(u), s = r * std::sin(u);
  return {{c, s, h * u}, {-s, c, h}, {-c, -s, 0}, {s, -c, 0}};
}

// A track along a helix about the vertical turns about it by one radian per radian, at constant speed and slope.
TEST(TrackPath, AlongAHelixTurnsSteadily) {
  const Path path = track_path(helix);
  const double speed = std::hypot(r, h);
  for (const double u : {-3.0, 0.0, 0.7, 5.0}) {
    const PathPoint at = path(u);
    EXPECT_LT((at.pose.position - helix(u).position).norm(), 1e-15);
    EXPECT_LT((at.pose.rotation.transpose() * at.pose.rotation - Eigen::Matrix3d::Identity()).norm(), 1e-15);
    EXPECT_NEAR(at.pose.rotation.determinant(), 1, 1e-15);
    EXPECT_NEAR(at.pose.rotation(2, 1), 0, 1e-15);  // y is level
    EXPECT_GT(at.pose.rotation(2, 2), 0);           // z is up
    EXPECT_LT((at.pose.rotation * at.twist.head<3>() - Eigen::Vector3d::UnitZ()).norm(), 1e-15);
    EXPECT_LT((at.twist.tail<3>() - speed * Eigen::Vector3d::UnitX()).norm(), 1e-15);
    EXPECT_LT(at.twist_rate.norm(), 1e-15);
  }
}

/// Bends, climbs and changes its speed.
SpaceCurvePoint bent(double u) {
  const double s = std::sin(u), c = std::cos(u);
  return {{u + 0.1 * u * u, 0.6 * s, 0.4 * c},
          {1 + 0.2 * u, 0.6 * c, -0.4 * s},
          {0.2, -0.6 * s, -0.4 * c},
          {0, -0.6 * c, 0.4 * s}};
}

// Sixth-order differences with a step of 0.01: truncation 0.01^6 / 140 times a seventh derivative of some units, 1e-14;
// rounding 1e-16 / 0.01 and, of second derivatives, 1e-16 / 0.01^2 = 1e-12. Worst seen: 2e-13.
TEST(TrackPath, TwistsAreDerivatives) {
  constexpr double step = 0.01, tolerance = 1e-11;
  const Path path = track_path(bent, Axis({0.1, 0, 1}));
  const double weights[] = {45.0 / 60, -9.0 / 60, 1.0 / 60};
  for (const double u : {-1.0, 0.0, 0.3, 2.0}) {
    const PathPoint at = path(u);
    Components<Spatial> twist = Components<Spatial>::Zero(), rate = twist;
    for (int k = 1; k <= 3; ++k) {
      const double weight = weights[k - 1] / step;
      const PathPoint after = path(u + k * step), before = path(u - k * step);
      twist +=
          weight * (logarithm(relative_pose(at.pose, after.pose)) - logarithm(relative_pose(at.pose, before.pose)));
      rate += weight * (after.twist - before.twist);
    }
    EXPECT_LT((at.twist - twist).norm(), tolerance) << u;
    EXPECT_LT((at.twist_rate - rate).norm(), tolerance) << u;
  }
}

TEST(TrackPath, RefusesWhatIsNoTrack) {
  expect_error<ModelError>("track_path: the function of its center is empty; give one that can be called.",
                           [] { track_path({}); });
  expect_error<RecoverableFailure>(
      "track_path: the curve's derivative is (0 0 2) m, so that the track stands still or is vertical and has no level "
      "axis; keep it away from that.",
      [] {
        track_path([](double) {
          const Eigen::Vector3d zero = Eigen::Vector3d::Zero();
          return SpaceCurvePoint{zero, {0, 0, 2}, zero, zero};
        })(0);
      });
}

// Curves traced by points off the path: derivatives of the position, by the same differences.
TEST(TracedCurve, DerivativesBelongToThePosition) {
  constexpr double step = 0.01, tolerance = 1e-11;
  const double weights[] = {45.0 / 60, -9.0 / 60, 1.0 / 60};
  const TracedCurve curves[] = {{track_path(bent), {0.1, 0.7, -0.2}}, {turning_path(Axis({1, 2, 3})), {1, 0, 0.5}}};
  for (const TracedCurve& curve : curves)
    for (const double u : {-1.0, 0.2, 2.0}) {
      Eigen::Vector3d first = Eigen::Vector3d::Zero(), second = first;
      for (int k = 1; k <= 3; ++k) {
        const CurveJet after = trace(curve, u + k * step), before = trace(curve, u - k * step);
        first += weights[k - 1] / step * (after.position - before.position);
        second += weights[k - 1] / step * (after.first - before.first);
      }
      EXPECT_LT((trace(curve, u).first - first).norm(), tolerance);
      EXPECT_LT((trace(curve, u).second - second).norm(), tolerance);
    }
}

/// The x axis, and a circle of radius 1 about an axis parallel to y through the origin of its frame.
CurvePair line_and_wheel() {
  const Path line = [](double u) {
    PathPoint out;
    out.pose.position = {u, 0, 0};
    out.twist[3] = 1;
    return out;
  };
  return {{line, Eigen::Vector3d::Zero()}, {turning_path(Axis::y()), {0, 0, -1}}};
}

TEST(CurvePair, FindsTheLowestPointOfAWheelOverALine) {
  const CurvePair pair = line_and_wheel();
  Pose<Spatial> wheel;
  // Also from far away, and for a wheel that rolls, and for one that pitches with its body.
  for (const double x : {0.0, 3.0, -200.0})
    for (const double pitch : {0.0, 0.3}) {
      wheel.position = {x, 0, 1.5};
      wheel.rotation = Eigen::AngleAxisd(pitch, Eigen::Vector3d::UnitY()).toRotationMatrix();
      const CurveApproach at = pair.common_normal({}, wheel, {0.2, 0.1});
      EXPECT_NEAR(at.u[0], x, 1e-12);
      EXPECT_NEAR(at.u[1], -pitch, 1e-12);
      EXPECT_NEAR(at.gap().norm(), 0.5, 1e-12);
    }
}

TEST(CurvePair, PointsMoveWithTheirBodies) {
  const CurvePair pair = line_and_wheel();
  Pose<Spatial> wheel;
  wheel.position = {3, 0, 1.5};
  const Twist<Spatial> rolling{{0, 2, 0}, {2, 0, 0}};  // turns the wheel under its lowest point
  const CurveApproach at = pair.common_normal({}, wheel, {3, 0});
  const Eigen::Vector2d rate = at.rate({}, {}, wheel, rolling);
  EXPECT_NEAR(rate[0], 2, 1e-14);
  EXPECT_NEAR(rate[1], -2, 1e-14);
}

// An exponential comes nearer to the line for ever.
TEST(CurvePair, ReportsWhereThereIsNoCommonNormal) {
  CurvePair pair = line_and_wheel();
  pair.b = {[](double u) {
    PathPoint out;
    out.pose.position = {u, std::exp(u), 0};
    out.twist.tail<3>() = Eigen::Vector3d(1, std::exp(u), 0);
    out.twist_rate[4] = std::exp(u);
    return out;
  }};
  try {
    pair.common_normal({}, {}, {0, 1});
    ADD_FAILURE() << "no failure";
  } catch (const RecoverableFailure& failure) {
    EXPECT_EQ(std::string(failure.what()).find("the curves have no common normal near their parameters (0 1)"), 0u)
        << failure.what();
  }
}

TEST(CurvePair, ChecksWhatItIsMadeOf) {
  CurvePair pair = line_and_wheel();
  pair.check("contact");
  pair.start = {NAN, 0};
  EXPECT_THROW(pair.check("contact"), ModelError);
  pair = line_and_wheel();
  pair.b.path = {};
  expect_error<ModelError>("contact: the function of its second path is empty; give one that can be called.",
                           [&] { pair.check("contact"); });
  pair = line_and_wheel();
  pair.a.offset.x() = HUGE_VAL;
  EXPECT_THROW(pair.check("contact"), ModelError);
}

}  // namespace path_test
}  // namespace linkwork
