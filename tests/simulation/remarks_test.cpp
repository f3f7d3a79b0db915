// What is allowed and looks like a mistake is a line of the summary; numbers without sense are refused by name.

#include "../core/expect_error.hpp"
#include "../messages.hpp"
#include "systems.hpp"

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/joints/fixed.hpp>
#include <linkwork/joints/revolute.hpp>
#include <linkwork/solvers/simulation/remarks.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace linkwork::test {
namespace remarks_test {

using Sentences = std::vector<std::string>;

/// An arm on a hinge at the ground, whose frame is turned by an angle.
PlanarModel arm_on_hinge(double turn) {
  PlanarModel model("arm");
  model.set_gravity({0.0, -9.81});
  auto arm = model.add_body("arm", MassProperties::rod(1.0, 1.0));
  arm.place({0.5, 0.0}, turn);
  model.add_joint<Revolute>("hinge", model.ground().origin(), arm.at({-0.5, 0.0}));
  return model;
}

Sentences remarks_of(const PlanarModel& model) { return Simulation(model, {.rough_placement = true}).remarks(); }

TEST(Remarks, NothingIsSaidOfAModelInOrder) {
  EXPECT_TRUE(remarks_of(arm_on_hinge(0)).empty());
  EXPECT_TRUE(remarks_on(*oscillator()).empty());  // of no graph
}

TEST(Remarks, ABodyThatNothingHoldsIsNamed) {
  PlanarModel model = arm_on_hinge(0);
  model.add_body("loose", MassProperties::rod(1.0, 1.0));
  EXPECT_EQ(remarks_of(model), (Sentences{"body 'loose' has no path to the ground by joints or forces: left free by "
                                          "mistake? If so, add a joint."}));
  Simulation simulation(model);
  simulation.run(0, 0.01);
  EXPECT_TRUE(contains(simulation.summary(), "  remark          body 'loose' has no path to the ground"));
}

// Turns of 4 pi are a choice; 90 is not.
TEST(Remarks, AnglesInDegreesAreNamed) {
  EXPECT_EQ(remarks_of(arm_on_hinge(90)),
            (Sentences{"body 'arm' is turned by 90 rad, more than a whole turn: angles are "
                       "in radians; 90 degrees are 1.57079632679 rad."}));
  EXPECT_EQ(remarks_of(arm_on_hinge(-22.5)).size(), 1u);
  for (double angle : {4 * M_PI, -6 * M_PI, 6.0, 2.5, M_PI / 2})
    EXPECT_TRUE(remarks_of(arm_on_hinge(angle)).empty()) << angle;
  PlanarModel model("frames");
  const auto arm = model.add_body("arm", MassProperties::rod(1.0, 1.0));
  model.add_joint<Revolute>("hinge", model.ground().at({0.0, 0.0}, 45.0), arm.origin());
  EXPECT_EQ(remarks_of(model),
            (Sentences{"the frame of joint 'hinge' on body 'ground' is turned by 45 rad, more than a "
                       "whole turn: angles are in radians; 45 degrees are 0.785398163397 rad."}));
}

TEST(Remarks, AMechanismThatCanNotMoveIsNamed) {
  PlanarModel model("welded");
  const auto arm = model.add_body("arm", MassProperties::rod(1.0, 1.0));
  model.add_joint<Fixed>("weld", model.ground().origin(), arm.origin());
  Simulation simulation(model);
  simulation.run(0, 0.01);
  EXPECT_EQ(simulation.remarks(),
            (Sentences{"mobility 0: 3 constraint rows hold all 3 velocities, and nothing moves but by "
                       "drives; remove a constraint if it should."}));
}

TEST(Tolerances, AreRefusedFromOneOnAndBelowRounding) {
  const auto reason = [](double rtol, double atol) { return Tolerances{.rtol = rtol, .atol = atol}.why_invalid(); };
  for (double rtol : {1.0, 5.0, 1e-17, -1e-6, std::numeric_limits<double>::denorm_min(), std::nan("")})
    EXPECT_TRUE(contains(reason(rtol, 1e-6), "rtol = ")) << rtol;
  for (double atol : {1.0, 1e9, -1e-6, std::nan("")}) EXPECT_TRUE(contains(reason(1e-6, atol), "atol = ")) << atol;
  for (double atol : {0.0, 1e-300, 1e-17}) EXPECT_TRUE(contains(reason(0, atol), "rtol = 0 and atol = ")) << atol;
  for (double rtol : {0.0, 1e-15, 0.5}) EXPECT_EQ(reason(rtol, 1e-3), "");
  EXPECT_EQ(reason(1e-6, 0), "");
  EXPECT_EQ(reason(1e-6, 1e-300), "");  // next to nothing beside the relative one
  ComponentTolerances components;
  components.p_atol = {1000.0};  // of a large mechanism's lengths
  EXPECT_EQ((Tolerances{.components = components}.why_invalid()), "");
  components.p_rtol = {1.0};
  EXPECT_TRUE(contains(Tolerances{.components = components}.why_invalid(), "a component's relative tolerance is 1;"));

  // With a tolerance of angles, that of lengths may be any length.
  const auto with_angle = [](double rtol, double atol, double angle) {
    return Tolerances{.rtol = rtol, .atol = atol, .atol_angle = angle}.why_invalid();
  };
  EXPECT_EQ(with_angle(0, 100, 1e-6), "");
  EXPECT_TRUE(contains(with_angle(1e-6, 1e-6, 1), "atol_angle = 1 rad; expected 0 up to below 1."));
  EXPECT_TRUE(contains(with_angle(1e-6, -1, 1e-6), "atol = -1; expected a finite value >= 0."));
  EXPECT_TRUE(contains(with_angle(0, 1, 1e-20), "rtol = 0 and atol_angle = 1e-20; expected one of them at"));
  EXPECT_TRUE(contains(with_angle(0, 0, 1e-6), "rtol = 0 and atol = 0; expected one of them above 0."));
}

TEST(OutputPoints, AreRefusedWhereThereAreTooMany) {
  EXPECT_EQ(OutputPoints::equidistant(std::numeric_limits<int>::max()).why_invalid(),
            "count is 2147483647; expected 1000000000 at most.");
  EXPECT_TRUE(contains(OutputPoints::per_step(1000000001).why_invalid(), "count is 1000000001"));
  Simulation simulation(oscillator(), {});
  simulation.on_output(OutputPoints::at_most(1e-300), [](const State&) {});
  expect_error<ModelError>(
      "OutputPoints: interval is 1e-300 s, which gives 1e+300 points over the run [0, 1] s; give a longer one, for "
      "1000000000 points at most.",
      [&] { simulation.run(0, 1); });
}

TEST(Accounts, TheEnergyBalanceHasATimeOfItsOwn) {
  Simulation without(oscillator(), {}), with(oscillator(), {.energy_balance = true});
  without.run(0, 1);
  with.run(0, 1);
  EXPECT_EQ(without.statistics().balance_seconds, 0);
  EXPECT_GT(with.statistics().balance_seconds, 0);
  EXPECT_GT(with.statistics().wall_seconds, 0);
  EXPECT_EQ(with.statistics().evaluations.force, without.statistics().evaluations.force);
  EXPECT_TRUE(contains(with.summary(), " for the energy balance\n"));
  EXPECT_FALSE(contains(without.summary(), "energy balance"));
}

}  // namespace remarks_test
}  // namespace linkwork::test
