// One mechanism described in several ways does one thing. Rounding differs between descriptions, so that results agree
// to rounding as it grows along the motion and in error estimates; step counts agree exactly.

#include "../random_mechanism.hpp"
#include "observed.hpp"

#include <gtest/gtest.h>
#include <cmath>
#include <cstdint>

namespace linkwork::test {
namespace invariance_test {

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
SimulationOptions absolute_tolerance(double unit) {
  ExtrapolationOptions options{.rtol = 0, .atol = tolerance * unit, .atol_angle = tolerance};
  options.consent_to_projection = true;
  return {.integrator = options};
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
  const Watched<Space> found = watch(changed, absolute_tolerance(second.unit), times);
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
/// Steps of a run of a mechanism whose unit of length is 1/unit metres, with as many digits of lengths and angles.
template <class Space, class Options>
std::int64_t steps_in(double unit, RandomMechanism mechanism, Formulation formulation) {
  mechanism.unit = unit;
  Model<Space> model = random_mechanism<Space>(mechanism);
  Options options{.rtol = 1e-6, .atol = 1e-6 * unit, .atol_angle = 1e-6};
  options.consent_to_projection = true;
  Simulation simulation(model, {.formulation = formulation, .integrator = options});
  simulation.run(0, 0.1);
  return simulation.statistics().integrator.steps;
}

/// Powers of two leave every digit as it is: what differs was measured by an absolute length.
template <class Options>
void expect_steps_of_other_units(const std::vector<double>& units, const RandomMechanism& mechanism,
                                 Formulation formulation) {
  for (const double unit : units) {
    SCOPED_TRACE(testing::Message() << "unit " << unit << ", loops " << mechanism.loops << ", formulation "
                                    << static_cast<int>(formulation));
    EXPECT_EQ((steps_in<Planar, Options>(unit, mechanism, formulation)),
              (steps_in<Planar, Options>(1, mechanism, formulation)));
    EXPECT_EQ((steps_in<Spatial, Options>(unit, mechanism, formulation)),
              (steps_in<Spatial, Options>(1, mechanism, formulation)));
  }
}

const std::vector<double> units{std::exp2(-20), std::exp2(-10), std::exp2(10), std::exp2(20)};

template <class Options>
void expect_steps_of_all_units() {
  for (const int loops : {0, 2})
    for (const Formulation formulation : {Formulation::absolute, Formulation::relative, Formulation::mixed})
      expect_steps_of_other_units<Options>(units, {.seed = 3, .loops = loops}, formulation);
}

TEST(Invariance, ExtrapolationTakesTheSameStepsInAllUnits) { expect_steps_of_all_units<ExtrapolationOptions>(); }
TEST(Invariance, RadauTakesTheSameStepsInAllUnits) { expect_steps_of_all_units<RadauOptions>(); }
TEST(Invariance, BdfTakesTheSameStepsInAllUnits) { expect_steps_of_all_units<BdfOptions>(); }

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

}  // namespace invariance_test
}  // namespace linkwork::test
