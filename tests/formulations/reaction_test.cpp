// Reactions as other frames see them.

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/core/reaction.hpp>
#include <linkwork/joints/fixed.hpp>
#include <linkwork/joints/revolute.hpp>
#include <linkwork/solvers/formulations/formulation.hpp>
#include <linkwork/solvers/linear/linear_solver.hpp>

#include <gtest/gtest.h>

#include <numbers>

#include "../core/expect_error.hpp"

namespace linkwork {
namespace reaction_test {

/// Observables at the start, in a formulation.
template <class Space>
Eigen::VectorXd observed(const Model<Space>& model, Formulation formulation) {
  const auto equations = make_equations(model, {.formulation = formulation});
  State state = equations->initial_state();
  equations->set(state);
  equations->remember(true, -1);
  const auto solver = make_linear_solver("auto", *equations);
  EXPECT_TRUE(solver->analyze(*equations));
  EXPECT_TRUE(solver->accelerations(state.a, state.lambda));
  Eigen::VectorXd values;
  equations->observables(state, values);
  return values;
}

constexpr Formulation formulations[] = {Formulation::absolute, Formulation::mixed, Formulation::relative};

// A beam of 5 kg in two pieces out of a wall, along x, under 10 m/s^2: the wall pushes up with 50 N and turns with
// 20 N * 0.5 m + 30 N * 1.5 m = 55 N m about -y.
TEST(Reaction, OfABeamInAWallIsAsStaticsSays) {
  SpatialModel model("beam");
  model.set_gravity({0, 0, -10});
  const auto near = model.add_body("near", MassProperties::box(2, {1, 0.1, 0.1})).place({0.5, 0, 0});
  const auto far = model.add_body("far", MassProperties::box(3, {1, 0.1, 0.1})).place({1.5, 0, 0});
  const auto wall = model.add_joint<Fixed>("wall", model.ground().origin(), near.at({-0.5, 0, 0}));
  model.add_joint<Fixed>("weld", near.at({0.5, 0, 0}), far.at({-0.5, 0, 0}));
  // At the tip, x of the frame points up, y along the beam, z along the ground's y.
  Eigen::Matrix3d axes;
  axes << 0, 1, 0,  //
      0, 0, 1,      //
      1, 0, 0;
  const Frame<Spatial> tip = far.at({0.5, 0, 0}, Eigen::Quaterniond(axes));
  for (int i = 0; i < 6; ++i)
    model.add_observable("wall " + std::to_string(i), "", [=](const Snapshot<Spatial>& s) {
      const Wrench<Spatial> seen = reaction_in_frame(s, wall, tip);
      return i < 3 ? seen.torque[i] : seen.force[i - 3];
    });
  // About the tip the push of 50 N at 2 m turns with 100 N m about +y.
  const Eigen::Vector<double, 6> expected{0, 0, 100 - 55, 50, 0, 0};
  for (const Formulation formulation : formulations)
    EXPECT_LT((observed(model, formulation) - expected).norm(), 1e-12 * expected.norm()) << name_of(formulation);
}

// In the frame of the constraint itself only the axes turn; seen from the father, the father's own balance.
TEST(Reaction, OfAPinInThePlaneTurnsAboutTheOtherFrame) {
  PlanarModel model("pendulum");
  model.set_gravity({0, -10});
  const auto rod = model.add_body("rod", MassProperties::rod(3, 2)).place({1, 0});
  const auto pin = model.add_joint<Revolute>("pin", model.ground().origin(), rod.at({-1, 0}));
  const Frame<Planar> own = rod.at({-1, 0}, std::numbers::pi / 2), other = model.ground().at({4, 1});
  model.add_observable("torque", "", [=](const Snapshot<Planar>& s) { return reaction_in_frame(s, pin, own).torque; });
  for (const int i : {0, 1})
    model.add_observable("force " + std::to_string(i), "",
                         [=](const Snapshot<Planar>& s) { return reaction_in_frame(s, pin, own).force[i]; });
  model.add_observable("moment", "",
                       [=](const Snapshot<Planar>& s) { return reaction_in_frame(s, pin, other).torque; });
  // Released from the horizontal, the pin carries a quarter of the weight, 7.5 N upwards; 4 m to its right that turns
  // with -30 N m.
  const Eigen::Vector4d expected(0, 7.5, 0, -30);
  for (const Formulation formulation : formulations)
    EXPECT_LT((observed(model, formulation) - expected).norm(), 1e-12 * expected.norm()) << name_of(formulation);
}

TEST(ReactionErrors, NameWhatIsOfAnotherModel) {
  PlanarModel model("one"), other("two");
  const auto rod = model.add_body("rod", MassProperties::rod(3, 2)).place({1, 0});
  model.add_joint<Revolute>("pin", model.ground().origin(), rod.at({-1, 0}));
  const auto stranger = other.add_body("rod", MassProperties::rod(3, 2)).place({1, 0});
  const auto pin = other.add_joint<Revolute>("pin", other.ground().origin(), stranger.at({-1, 0}));
  model.add_observable("torque", "",
                       [=](const Snapshot<Planar>& s) { return reaction_in_frame(s, pin, rod.origin()).torque; });
  expect_error<ModelError>(
      "observable 'torque': a constraint does not belong to model 'one'; use the handles of this model.",
      [&] { observed(model, Formulation::absolute); });
}

}  // namespace reaction_test
}  // namespace linkwork
