#include "../random_mechanism.hpp"

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/solvers/simulation/simulation.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace linkwork::test {
namespace quaternions_test {

using Eigen::Quaterniond;
using Eigen::Vector3d;

SimulationOptions with_tolerance(double tolerance) {
  ExtrapolationOptions options{.rtol = tolerance, .atol = tolerance};
  options.consent_to_projection = true;  // driven joints start at once
  return {.integrator = options, .keep_dense_output = false};
}

/// First entries of the quaternions in p.
std::vector<int> quaternions(const EquationsOfMotion& equations) {
  std::vector<int> out;
  for (int i = 0; i < equations.dimensions().p; ++i)
    if (equations.position_name(i).ends_with(": qw")) out.push_back(i);
  return out;
}

/// The largest | |q| - 1 | at accepted steps, in more digits than it is asserted in.
long double largest_deviation(const Trajectory& path, const std::vector<int>& first) {
  long double worst = 0;
  for (const TrajectorySegment& segment : path.segments())
    for (const int i : first) {
      const Eigen::Matrix<long double, 4, 1> q = segment.end.p.segment<4>(i).cast<long double>();
      worst = std::max(worst, std::abs(q.norm() - 1));
    }
  return worst;
}

SpatialModel tumbling_body(const Quaterniond& attitude = Quaterniond::Identity()) {
  SpatialModel model("tumbling body");
  auto body = model.add_body("body", MassProperties::given(1, Vector3d::Zero(), Vector3d(1, 2, 2.5).asDiagonal()));
  body.place({1, 2, 3}, attitude).move({0.3, -0.2, 0.1}, {0.1, 5, 0.2});
  return model;
}

TEST(Quaternions, HaveUnitLengthAtEveryStep) {
  Simulation free(tumbling_body(), with_tolerance(1e-6));
  const Trajectory& path = free.run(0, 60);
  EXPECT_GT(path.segments().size(), 50u);
  EXPECT_LE(largest_deviation(path, quaternions(free.equations())), 1e-15L);
  for (const RandomMechanism& options : random_mechanisms(2)) {
    SCOPED_TRACE(testing::Message() << options);
    Simulation mechanism(random_mechanism<Spatial>(options), with_tolerance(1e-6));
    const std::vector<int> first = quaternions(mechanism.equations());
    EXPECT_EQ(static_cast<int>(first.size()), mechanism.equations().dimensions().normalisation);
    EXPECT_LE(largest_deviation(mechanism.run(0, 0.3), first), 1e-15L);
  }
}

TEST(Quaternions, OfEitherSignAreOneAttitude) {
  const Quaterniond q = Quaterniond(0.5, -0.3, 0.7, 0.2).normalized();
  Simulation plus(tumbling_body(q), with_tolerance(1e-8));
  Simulation minus(tumbling_body(Quaterniond(-q.w(), -q.x(), -q.y(), -q.z())), with_tolerance(1e-8));
  const State a = plus.run(0, 2).final_state(), b = minus.run(0, 2).final_state();
  EXPECT_EQ(plus.statistics().integrator.steps, minus.statistics().integrator.steps);
  EXPECT_EQ(a.v, b.v);
  EXPECT_EQ(a.p.head<4>(), -b.p.head<4>());
  EXPECT_EQ(a.p.tail<3>(), b.p.tail<3>());
}

TEST(Quaternions, KeepTheirSignThroughFullTurns) {
  SpatialModel model;
  model.add_body("top", MassProperties::cylinder(1, 0.1, 0.3)).move(Vector3d::Zero(), {0, 0, 1});
  Simulation simulation(model, with_tolerance(1e-9));
  for (const TrajectorySegment& segment : simulation.run(0, 8 * std::numbers::pi).segments()) {
    const double half = 0.5 * segment.end.t;
    // Some thirty steps, with errors of the tolerance each.
    EXPECT_LT((segment.end.p.head<4>() - Eigen::Vector4d(std::cos(half), 0, 0, std::sin(half))).norm(), 1e-7);
  }
}

#ifdef __SANITIZE_ADDRESS__
constexpr double turns = 1e3;  // a run of two seconds takes a minute there
#else
constexpr double turns = 1e4;
#endif

TEST(Quaternions, OfAFreeBodyAreRightAfterTenThousandTurns) {
  constexpr double across = 2, along = 1, spin = 10, tilt = 3;
  SpatialModel model("free top");
  auto body =
      model.add_body("top", MassProperties::given(1, Vector3d::Zero(), Vector3d(across, across, along).asDiagonal()));
  body.move(Vector3d::Zero(), {tilt, 0, spin});
  SimulationOptions options = with_tolerance(1e-11);
  options.integrator.get_if<ExtrapolationOptions>()->maximum_order = 13;
  options.keep_steps = false;
  Simulation simulation(model, options);
  const double t_end = turns * 2 * std::numbers::pi / spin;
  const State end = simulation.run(0, t_end).final_state();

  // Without torque an axisymmetric body turns at L / across about its momentum L, and at spin (1 - along / across)
  // about its own axis (Goldstein, Classical Mechanics, 5.6).
  const Vector3d L(across * tilt, 0, along * spin);
  const Quaterniond expected = Eigen::AngleAxisd(L.norm() / across * t_end, L.normalized()) *
                               Quaterniond(Eigen::AngleAxisd(spin * (1 - along / across) * t_end, Vector3d::UnitZ()));
  const Quaterniond found(end.p[0], end.p[1], end.p[2], end.p[3]);
  // Three steps per turn with errors of the tolerance and of one sign: the body slows down by a part of 3e-10, which
  // over half the run makes the angle of 3e-5 rad that is seen.
  EXPECT_LT(found.angularDistance(expected), 1e-4);
}

}  // namespace quaternions_test
}  // namespace linkwork::test
