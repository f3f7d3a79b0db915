// What only relative coordinates do: counters, starts that do not fit, full turns at the start.

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/bodies/massless_frame.hpp>
#include <linkwork/joints/driven_revolute.hpp>
#include <linkwork/joints/revolute.hpp>
#include <linkwork/solvers/formulations/relative.hpp>
#include <linkwork/solvers/linear/linear_solver.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

namespace linkwork {
namespace relative_test {

/// A bar of 1 kg and 1 m on a bearing at its end, hanging down.
struct Bar {
  PlanarModel model{"bar"};
  BodyRef<Planar> body;
  explicit Bar(double angle = -std::numbers::pi / 2, const Eigen::Vector2d& center = {0, -0.5}) {
    model.set_gravity({0, -9.81});
    body = model.add_body("bar", MassProperties::rod(1, 1));
    body.place(center, angle);
    model.add_joint<Revolute>("bearing", model.ground().origin(), body.at({-0.5, 0}));
  }
};

TEST(Relative, CountsEachEvaluationOnce) {
  Bar bar;
  const auto equations = make_relative_equations(bar.model);
  const auto solver = make_linear_solver("recursive", *equations);
  ASSERT_TRUE(solver->analyze(*equations));
  Eigen::VectorXd a, lambda;
  for (int i = 0; i < 3; ++i) {
    equations->set(equations->initial_state());
    ASSERT_TRUE(solver->accelerations(a, lambda));
    equations->f();
    equations->M();
    equations->G();
    equations->velocity_residual();
  }
  EXPECT_EQ(equations->counters().force, 3);
  EXPECT_EQ(equations->counters().matrix, 3);
}

TEST(Relative, KeepsTheTurnsThatBodiesArePlacedWith) {
  for (const double turns : {-2.0, 0.0, 3.0}) {
    const double angle = -std::numbers::pi / 2 + 2 * std::numbers::pi * turns;
    Bar bar(angle);
    EXPECT_NEAR(make_relative_equations(bar.model)->initial_state().p[0], angle, 1e-14);
  }
}

/// The message up to the components of the gap, which are in the axes of the joint.
std::string refusal(const PlanarModel& model) {
  try {
    make_relative_equations(model);
  } catch (const ModelError& error) {
    const std::string what = error.what();
    return what.substr(0, what.find(", along ("));
  }
  return "nothing was thrown";
}

TEST(Relative, RefusesBodiesThatDoNotFitTheirJoints) {
  EXPECT_EQ(refusal(Bar(-std::numbers::pi / 2, {0, -0.375}).model),
            "joint 'bearing' (revolute): the bodies are placed 0.125 m and 0 rad off what the joint allows");
  Bar leaving;
  leaving.body.move({0.5, -0.25}, 1.0);  // turning at 1 rad/s takes its centre along x at 0.5 m/s
  EXPECT_EQ(refusal(leaving.model),
            "joint 'bearing' (revolute): the bodies move 0.25 m/s and 0 rad/s off what the joint allows");
}

TEST(Relative, NamesADriveThatIsNotFinite) {
  PlanarModel model("driven bar");
  const auto body = model.add_body("bar", MassProperties::rod(1, 1));
  model.add_joint<DrivenRevolute>("motor", model.ground().origin(), body.origin(), Input([](double) {
                                    return InputValue{std::nan(""), 0, 0};
                                  }));
  EXPECT_EQ(refusal(model),
            "joint 'motor' (driven revolute): its pose is not finite at t = 0 s; check the functions that it is "
            "given.");
}

// A crank of 2 kg and 0.1 kg m^2 that a motor turns at 3 rad/s, its centre of mass 0.5 m from the axis, and a rod of 1
// kg and 1 m, I = 1/12 kg m^2, that turns about the crank's tip, 1 m from the axis, at 4 rad/s beside it.
TEST(Relative, CountsWhatDrivesDoAsKineticEnergy) {
  PlanarModel model("driven crank");
  auto crank = model.add_body("crank", MassProperties::planar(2, 0.1)),
       rod = model.add_body("rod", MassProperties::rod(1, 1));
  crank.place({0.5, 0}).move({0, 1.5}, 3);
  rod.place({1.5, 0}).move({0, 3 + 0.5 * 7}, 7);
  model.add_joint<DrivenRevolute>("motor", model.ground().origin(), crank.at({-0.5, 0}), Input([](double t) {
                                    return InputValue{3 * t, 3, 0};
                                  }));
  model.add_joint<Revolute>("pin", crank.at({0.5, 0}), rod.at({-0.5, 0}));
  const auto equations = make_relative_equations(model);
  equations->set(equations->initial_state());
  const double of_crank = 0.5 * (2 * 1.5 * 1.5 + 0.1 * 9), of_rod = 0.5 * (6.5 * 6.5 + 49.0 / 12);
  EXPECT_NEAR(equations->energies().kinetic, of_crank + of_rod,
              1e-13);  // rounding of a few operations on numbers of 30
}

TEST(Relative, NamesAJointThatMeetsNoInertia) {
  Bar bar;
  const auto frame = bar.model.add_body<MasslessFrame>("frame");
  bar.model.body("frame").place({0, -1});
  bar.model.add_joint<Revolute>("idle", bar.body.at({0.5, 0}), frame.origin());
  const auto equations = make_relative_equations(bar.model);
  equations->set(equations->initial_state());
  for (const std::string& name : {std::string("recursive"), std::string("graph"), std::string("dense-lu")}) {
    const auto solver = make_linear_solver(name, *equations);
    ASSERT_TRUE(solver->analyze(*equations));
    Eigen::VectorXd a, lambda;
    const Outcome outcome = solver->accelerations(a, lambda);
    ASSERT_FALSE(outcome) << name;
    EXPECT_NE(outcome.reason().find("idle"), std::string::npos) << outcome.reason();
  }
}

}  // namespace relative_test
}  // namespace linkwork
