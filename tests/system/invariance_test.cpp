// One mechanism described in several ways does one thing. Rounding differs between descriptions, so that results agree
// to rounding as it grows along the motion and in error estimates; step counts agree exactly.

#include "../random_mechanism.hpp"
#include "observed.hpp"

#include <linkwork/solvers/equations/absolute.hpp>

#include <gtest/gtest.h>

namespace linkwork::test {
namespace {

const std::vector<double> times{0.05, 0.11, 0.2};
constexpr double tolerance = 1e-7;

// Worst seen 3e-10 and 8e-9: rounding, times condition numbers up to 1e5. Other steps or weights would show as a part
// of the tolerance in the motion, and as ten times that in accelerations, which are not controlled.
constexpr double motion_bound = 0.05 * tolerance, forces_bound = tolerance;

/// Purely absolute tolerances: a relative part would weigh components by axes of the ground.
SimulationOptions absolute_tolerance() {
  ExtrapolationOptions options{.rtol = 0, .atol = tolerance};
  options.consent_to_projection = true;  // driven joints start at once
  return {.integrator = options};
}

/// The same accuracy where lengths are counted in another unit.
template <class Space>
SimulationOptions absolute_tolerance(const Model<Space>& model, double unit) {
  SimulationOptions out = absolute_tolerance();
  auto& options = std::get<ExtrapolationOptions>(out.integrator);
  const auto equations = make_absolute_equations(model);
  for (int i = 0; i < equations->dimensions().p; ++i)
    options.components.p_atol.push_back(options.atol * (equations->position_unit(i) == "m" ? unit : 1));
  for (int i = 0; i < equations->dimensions().v; ++i) {
    const bool angular = equations->velocity_name(i).find("angular") != std::string::npos;
    options.components.v_atol.push_back(options.atol * (angular ? 1 : unit));
  }
  return out;
}

template <class Space>
Angular<Space> turned(const Rotation<Space>& R, const Angular<Space>& angular) {
  if constexpr (Space::dimension == 2)
    return angular;
  else
    return R * angular;
}

/// What was seen of the changed description, in the axes and units of the original one.
template <class Space>
Observed<Space> original(const Observed<Space>& seen, const RandomMechanism& options) {
  Rotation<Space> back;
  if constexpr (Space::dimension == 2)
    back = rotation_matrix(-options.turn);
  else
    back = Eigen::AngleAxisd(-options.turn, Eigen::Vector3d::UnitZ()).toRotationMatrix();
  const auto twist = [&](Twist<Space>& x) {
    x.angular = turned<Space>(back, x.angular);
    x.linear = back * x.linear / options.unit;
  };
  Observed<Space> out = seen;
  for (auto& [name, body] : out.bodies) {
    body.pose.position = back * (body.pose.position / options.unit - Vector<Space>::Constant(options.shift));
    body.pose.rotation = back * body.pose.rotation;
    twist(body.velocity);
    twist(body.acceleration);
  }
  for (auto& [name, reaction] : out.reactions) {
    reaction.force = back * reaction.force / options.unit;
    reaction.torque = turned<Space>(back, reaction.torque) / (options.unit * options.unit);
  }
  return out;
}

template <class Space>
void expect_same(const RandomMechanism& first, const RandomMechanism& second, double bound_of_forces) {
  SCOPED_TRACE(testing::Message() << Space::name << ", " << first);
  Model<Space> model = random_mechanism<Space>(first), changed = random_mechanism<Space>(second);
  const Watched<Space> expected = watch(model, absolute_tolerance(), times);
  // The equations are made from a model of their own, since a model in use takes no more observables.
  const Watched<Space> found = watch(changed, absolute_tolerance(random_mechanism<Space>(second), second.unit), times);
  EXPECT_EQ(found.statistics.integrator.steps, expected.statistics.integrator.steps);
  EXPECT_EQ(found.statistics.integrator.rejected_steps, expected.statistics.integrator.rejected_steps);
  EXPECT_EQ(found.statistics.evaluations.matrix, expected.statistics.evaluations.matrix);
  EXPECT_EQ(found.statistics.evaluations.force, expected.statistics.evaluations.force);
  EXPECT_EQ(found.statistics.evaluations.residual, expected.statistics.evaluations.residual);
  for (std::size_t i = 0; i < times.size(); ++i) {
    const Difference apart = difference(expected.at[i], original(found.at[i], second));
    EXPECT_LT(apart.motion, motion_bound);
    EXPECT_LT(apart.forces, bound_of_forces);
  }
}

/// For mechanisms with and without loops, massless bodies, driven and nonholonomic constraints.
template <class Change>
void expect_invariance(Change change, double bound_of_forces = forces_bound) {
  for (const RandomMechanism& options : random_mechanisms(3)) {
    RandomMechanism changed = options;
    change(changed);
    expect_same<Planar>(options, changed, bound_of_forces);
    expect_same<Spatial>(options, changed, bound_of_forces);
  }
}

TEST(Invariance, HoldsForElementsAddedInAnotherOrder) {
  expect_invariance([](RandomMechanism& options) { options.order = 77; });
}
TEST(Invariance, HoldsForMillimetresWithScaledTolerances) {
  expect_invariance([](RandomMechanism& options) { options.unit = 1000; });  // kg, mm, s, mN
}
TEST(Invariance, HoldsForTheWholeModelTurnedAndShifted) {
  expect_invariance([](RandomMechanism& options) {
    options.turn = 0.7;
    options.shift = 3;
  });
}
TEST(Invariance, HoldsForConstraintRowsScaledAndMixed) {
  expect_invariance([](RandomMechanism& options) { options.rows = JointRows::mixed; });
}
TEST(Invariance, HoldsForRowsThatAreNotTheDerivativeOfTheResidual) {
  // Multipliers of rows that change are extrapolated along another path: as accurate, but not the same. Worst seen
  // 4e-6.
  expect_invariance([](RandomMechanism& options) { options.rows = JointRows::changing; }, 1e-4);
}

}  // namespace
}  // namespace linkwork::test
