#include "../messages.hpp"
#include "../random_mechanism.hpp"
#include "start_mechanisms.hpp"
#include "systems.hpp"

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/forces/dry_friction.hpp>
#include <linkwork/forces/series_spring_damper.hpp>
#include <linkwork/forces/torsion_spring_damper.hpp>
#include <linkwork/joints/constraints/gear.hpp>
#include <linkwork/joints/constraints/knife_edge.hpp>
#include <linkwork/joints/spherical.hpp>
#include <linkwork/solvers/simulation/simulation.hpp>

#include <gtest/gtest.h>
#include <cmath>
#include <numbers>
#include <random>

namespace linkwork::test {
namespace initial_values_test {

// Constraints are closed to rounding. Conditions come by differences whose last Newton step leaves 1e-10 of 1e-9 at
// most, and pass from the conditions to other quantities with transmissions up to 3.
constexpr double closed = 1e-12, met = 1e-9;

const std::vector<Formulation> all_formulations = {Formulation::absolute, Formulation::mixed, Formulation::relative};

/// Calls check(simulation, mechanism) in every formulation.
template <class Mechanism, class Check>
void in_all_formulations(Check&& check, auto... arguments) {
  for (const Formulation formulation : all_formulations) {
    SCOPED_TRACE(name_of(formulation));
    const Mechanism mechanism(arguments...);
    Simulation simulation(mechanism.model, {.formulation = formulation, .rough_placement = true});
    check(simulation, mechanism);
  }
}

template <class Space>
double value_of(Simulation& simulation, const InitialValues& start, const Quantity<Space>& quantity) {
  return measure(simulation.equations(), start.state, quantity.value);
}

double largest_residual(EquationsOfMotion& equations, const State& state) {
  equations.set(state);
  const ConstraintResidual r = equations.constraint_residual();
  return std::max({r.position_m, r.position_rad, r.velocity_m_per_s, r.velocity_rad_per_s, r.normalisation});
}

InitialValues found(Simulation& simulation, const InitialConditions& conditions, double t = 0) {
  simulation.set_initial_conditions(conditions);
  InitialValues out = simulation.find_initial_values(t);
  EXPECT_TRUE(out.consistent) << out.reason;
  if (!out.consistent) return out;
  EXPECT_LE(largest_residual(simulation.equations(), out.state), closed);
  return out;
}

std::string why_not_found(Simulation& simulation, const InitialConditions& conditions) {
  simulation.set_initial_conditions(conditions);
  const InitialValues out = simulation.find_initial_values(0);
  EXPECT_FALSE(out.consistent);
  return out.reason;
}

// Conditions.

TEST(InitialValues, AnglesAndSpeedsOfAJointPassThroughTheLoop) {
  in_all_formulations<SliderCrank>(
      [](Simulation& simulation, const SliderCrank& m) {
        constexpr double angle = 0.5, speed = 3;
        const InitialValues start =
            found(simulation,
                  InitialConditions().fix(joint_coordinate(m.bearing), angle).fix(joint_velocity(m.bearing), speed));
        EXPECT_NEAR(value_of(simulation, start, position_of(m.slider.origin(), 0)), m.slider_position(angle), met);
        EXPECT_NEAR(value_of(simulation, start, velocity_of(m.slider.origin(), 0)), speed * m.transmission(angle), met);
        EXPECT_EQ(start.free_positions, 0);
        EXPECT_EQ(start.free_velocities, 0);
        EXPECT_TRUE(start.decided_by_guesses.empty());
        EXPECT_TRUE(start.redundant_conditions.empty());
        const std::vector<std::string> sentences = start.sentences();
        ASSERT_EQ(sentences.size(), 2u);
        EXPECT_EQ(sentences[0].find("positions changed by up to "), 0u) << sentences[0];
        EXPECT_EQ(sentences[1].find("velocities changed by up to "), 0u) << sentences[1];
      },
      0.05);
}

TEST(InitialValues, ConditionsMayBeOnAnyBody) {
  in_all_formulations<SliderCrank>([](Simulation& simulation, const SliderCrank& m) {
    constexpr double speed = 2;
    // A point of the rod at a height, and the slider's speed.
    const InitialValues start = found(simulation, InitialConditions()
                                                      .fix(position_of(m.rod.at({0.25 / 2, 0}), 1), 0.05)
                                                      .fix(velocity_of(m.slider.origin(), 0), speed));
    // The point divides the rod as 3 to 1: the pin of the crank stands four times as high.
    const double angle = value_of(simulation, start, joint_coordinate(m.bearing));
    EXPECT_NEAR(m.crank_length * std::sin(angle), 0.2, met);
    EXPECT_NEAR(value_of(simulation, start, joint_velocity(m.bearing)), speed / m.transmission(angle), 10 * met);
  });
}

TEST(InitialValues, ConditionsBeatAGuessAlsoAConsistentOne) {
  in_all_formulations<FourBar>([](Simulation& simulation, const FourBar& m) {
    EXPECT_TRUE(simulation.check_initial_values(0).consistent);
    const InitialValues start = found(simulation, InitialConditions().fix(joint_coordinate(m.crank_pin), 1.3));
    EXPECT_NEAR(value_of(simulation, start, joint_coordinate(m.rocker_pin)), m.rocker_angle(1.3, 1), met);
  });
}

TEST(InitialValues, GuessesChooseTheBranch) {
  for (const int side : {1, -1})
    in_all_formulations<FourBar>([side](Simulation& simulation, const FourBar& m) {
      const InitialValues start =
          found(simulation, InitialConditions()
                                .fix(joint_coordinate(m.crank_pin), 1.1)
                                .guess(joint_coordinate(m.rocker_pin), m.rocker_angle(1.1, side) + 0.2));
      const double angle = value_of(simulation, start, joint_coordinate(m.rocker_pin));
      EXPECT_NEAR(std::remainder(angle - m.rocker_angle(1.1, side), 2 * std::numbers::pi), 0, met);
    });
}

TEST(InitialValues, NamesOfCoordinatesAndObservablesWillDo) {
  SliderCrank m;
  m.model.add_observable("stroke", "m",
                         [slider = m.slider.origin()](const auto& now) { return now.pose(slider).position.x(); });
  Simulation simulation(m.model);
  const InitialValues start =
      found(simulation, InitialConditions().fix("stroke", 0.7).fix("crank: angular velocity", -2).fix("slider: angle"));
  EXPECT_NEAR(value_of(simulation, start, position_of(m.slider.origin(), 0)), 0.7, met);
  ASSERT_EQ(start.redundant_conditions.size(), 1u);  // the guide holds the slider's angle
  EXPECT_EQ(start.redundant_conditions.front(),
            "condition 'slider: angle = 0 rad' follows from the constraints of guide: it determines nothing more.");
  EXPECT_NEAR(value_of(simulation, start, angular_velocity_of(m.crank.origin())), -2, met);
}

TEST(InitialValues, NamesOfJointCoordinatesWillDoInEveryFormulation) {
  in_all_formulations<SliderCrank>([](Simulation& simulation, const SliderCrank& m) {
    constexpr double angle = 0.5, speed = 3;
    const InitialValues start =
        found(simulation,
              InitialConditions().fix("main bearing: coordinate 1", angle).fix("main bearing: velocity 1", speed));
    EXPECT_NEAR(value_of(simulation, start, position_of(m.slider.origin(), 0)), m.slider_position(angle), met);
    EXPECT_NEAR(value_of(simulation, start, velocity_of(m.slider.origin(), 0)), speed * m.transmission(angle), met);
  });
}

TEST(InitialValues, AUsersFunctionIsACondition) {
  in_all_formulations<SliderCrank>([](Simulation& simulation, const SliderCrank& m) {
    InitialConditions conditions;
    conditions.fix(joint_coordinate(m.bearing), 0.5);
    conditions.require("5 J", [](const State& state, EquationsOfMotion& equations) {
      equations.set(state);
      return equations.energies().kinetic - 5;
    });
    const InitialValues start = found(simulation, conditions);
    simulation.equations().set(start.state);
    EXPECT_NEAR(simulation.equations().energies().kinetic, 5, met);
  });
}

TEST(InitialValues, ConditionsMayBeOnWhatFollows) {
  // Acceleration of the slider: (d^2 x / d angle^2) omega^2 + ... at rest, from gravity, it follows; with speed it is
  // what the speed makes it.
  in_all_formulations<SliderCrank>([](Simulation& simulation, const SliderCrank& m) {
    const Quantity<Planar> acceleration{"slider: acceleration", "m/s^2", [slider = m.slider.origin()](const auto& now) {
                                          return now.acceleration(slider).linear.x();
                                        }};
    InitialConditions conditions;
    conditions.fix(joint_coordinate(m.bearing), 1.0).fix(acceleration, -4).guess(joint_velocity(m.bearing), 2);
    const InitialValues start = found(simulation, conditions);
    EXPECT_NEAR(value_of(simulation, start, acceleration), -4, 4 * met);
    EXPECT_GT(value_of(simulation, start, joint_velocity(m.bearing)), 0.1);
  });
}

TEST(InitialValues, PositionsMoveForVelocitiesWhereNothingElseHelps) {
  in_all_formulations<SliderCrank>([](Simulation& simulation, const SliderCrank& m) {
    constexpr double crank_speed = 3, slider_speed = -1;
    const InitialValues start = found(simulation, InitialConditions()
                                                      .fix(joint_velocity(m.bearing), crank_speed)
                                                      .fix(velocity_of(m.slider.origin(), 0), slider_speed));
    const double angle = value_of(simulation, start, joint_coordinate(m.bearing));
    EXPECT_NEAR(crank_speed * m.transmission(angle), slider_speed, 10 * met);
    EXPECT_EQ(start.free_positions + start.free_velocities, 0);
  });
}

TEST(InitialValues, WholeBodiesCanBeFixed) {
  SpatialModel model("two bodies");
  auto first = model.add_body("first", MassProperties::box(1, {0.1, 0.2, 0.3}));
  auto second = model.add_body("second", MassProperties::box(1, {0.1, 0.2, 0.3}));
  second.place({1, 0.1, 0});
  model.add_joint<Spherical>("ball", first.at({0.5, 0, 0}), second.at({-0.5, 0, 0}));
  for (const Formulation formulation : {Formulation::absolute, Formulation::mixed}) {
    Simulation simulation(model, {.formulation = formulation});
    const Eigen::Quaterniond turned(Eigen::AngleAxisd(0.7, Eigen::Vector3d(1, 2, 2).normalized()));
    Pose<Spatial> pose;
    pose.position = {0.2, 0.3, 0.4};
    pose.rotation = rotation_matrix(turned);
    const Twist<Spatial> twist{{1, 2, 3}, {4, 5, 6}};
    const InitialValues start =
        found(simulation, InitialConditions().fix_pose(first.origin(), pose).fix_velocity(first.origin(), twist));
    EXPECT_EQ(start.free_positions, 3);
    EXPECT_EQ(start.free_velocities, 3);
    const Eigen::Vector3d joint = pose.position + pose.rotation * Eigen::Vector3d(0.5, 0, 0);
    const Eigen::Vector3d joint_velocity = twist.linear + twist.angular.cross(joint - pose.position);
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(value_of(simulation, start, position_of(second.at({-0.5, 0, 0}), i)), joint[i], met);
      EXPECT_NEAR(value_of(simulation, start, velocity_of(second.at({-0.5, 0, 0}), i)), joint_velocity[i], 10 * met);
      EXPECT_NEAR(value_of(simulation, start, angular_velocity_of(first.origin(), i)), twist.angular[i], met);
    }
    EXPECT_TRUE(start.redundant_conditions.empty());
  }
}

TEST(InitialValues, TheChangeIsLeast) {
  // A point mass on a rod of 1 m about the origin, guessed at (3, 4) with velocity (1, 0): the nearest point is
  // (0.6, 0.8), and the velocity loses its part along the rod, 0.6.
  class Rod final : public EquationsOfMotion {
   public:
    Rod() : EquationsOfMotion({.p = 2, .v = 2, .lambda = 1, .eta = 1}) {
      M_.add_block(0, 0, 2, 2);
      G_.add_block(0, 0, 1, 2);
    }
    State initial_state() const override {
      State out = EquationsOfMotion::initial_state();
      out.p << 3, 4;
      out.v << 1, 0;
      return out;
    }

   private:
    void do_M(BlockMatrix& M) override {
      M.values(0)[0] = M.values(0)[3] = 1;
      M.values(0)[1] = M.values(0)[2] = 0;
    }
    void do_G(BlockMatrix& G, Eigen::VectorXd&) override {
      for (int i = 0; i < 2; ++i) G.values(0)[i] = 2 * position()[i];
    }
    void do_g(Eigen::VectorXd& g) override { g[0] = position().squaredNorm() - 1; }
    void do_f(Eigen::VectorXd& f) override { f << 0, -9.81; }
    void do_gamma(Eigen::VectorXd& gamma) override { gamma[0] = -2 * velocity().squaredNorm(); }
  };
  Rod equations;
  const InitialValues start = find_initial_values(equations, equations.initial_state());
  ASSERT_TRUE(start.consistent) << start.reason;
  // Steps end when they are below 1e-9.
  EXPECT_NEAR((start.state.p - Eigen::Vector2d(0.6, 0.8)).norm(), 0, 1e-8);
  EXPECT_NEAR((start.state.v - Eigen::Vector2d(0.64, -0.48)).norm(), 0, 1e-8);
  EXPECT_EQ(start.position_name, equations.position_name(1));
  EXPECT_NEAR(start.position_change, 3.2, 1e-8);
  EXPECT_EQ(start.free_positions, 1);
}

// Determination.

TEST(InitialValues, WhatIsFreeIsCountedAndNamed) {
  SliderCrank m;
  Simulation simulation(m.model, {.formulation = Formulation::relative});
  const InitialValues start = found(simulation, {});
  EXPECT_EQ(start.free_positions, 1);
  EXPECT_EQ(start.free_velocities, 1);
  const std::vector<std::string> names = {"guide: coordinate 1", "guide: velocity 1"};
  EXPECT_EQ(start.decided_by_guesses, names);
  EXPECT_EQ(start.sentences().back(),
            "constraints and conditions leave 1 positions and 1 velocities or states to the guesses, such as guide: "
            "coordinate 1, guide: velocity 1.");
  EXPECT_EQ(
      why_not_found(simulation, InitialConditions().fix(joint_coordinate(m.bearing), 0.5).expect_determined()),
      "the initial values are not determined: 1 of them is free, such as big end: velocity 1; fix these or others "
      "that they depend on.");
}

TEST(InitialValues, OfManyThatAreFreeTheFirstAreNamed) {
  PlanarModel model("dust");
  for (int i = 1; i <= 3; ++i) model.add_body<PointMass>(concat("grain ", i), 1.0);
  Simulation simulation(model);
  EXPECT_EQ(found(simulation, {}).sentences().back(),
            "constraints and conditions leave 6 positions and 6 velocities or states to the guesses, such as grain 1: "
            "x, grain 1: y, grain 2: x, grain 2: y, grain 3: x, grain 3: y, grain 1: x velocity, grain 1: y velocity "
            "and 4 others.");
}

TEST(InitialValues, ConditionsThatFollowFromOthersAreNoContradiction) {
  in_all_formulations<SliderCrank>([](Simulation& simulation, const SliderCrank& m) {
    const InitialValues start = found(simulation, InitialConditions()
                                                      .fix(joint_coordinate(m.bearing), 0.5)
                                                      .fix(position_of(m.slider.origin(), 0), m.slider_position(0.5)));
    ASSERT_EQ(start.redundant_conditions.size(), 1u);
    const std::string& sentence = start.redundant_conditions.front();
    EXPECT_TRUE(contains(sentence, "condition 'slider: x = 0.742141768645 m' follows from the constraints of "));
    EXPECT_TRUE(
        contains(sentence, " and condition 'main bearing: coordinate 1 = 0.5 rad': it determines nothing more."))
        << sentence;
    EXPECT_EQ(start.free_positions, 0);
    EXPECT_EQ(start.free_velocities, 1);
  });
}

TEST(InitialValues, ContradictionsNameConditionAndConstraintsAndTheNearestValue) {
  SliderCrank m;
  Simulation simulation(m.model, {.formulation = Formulation::absolute});
  // The slider's travel ends at 0.8 m, where crank and rod are in line; the guide holds across it only.
  const std::string too_far = why_not_found(simulation, InitialConditions().fix(position_of(m.slider.origin(), 0), 1));
  EXPECT_EQ(too_far,
            "condition 'slider: x = 1 m' contradicts the constraints of main bearing, big end, small end: the nearest "
            "value that was reached is 0.8 m; change it, drop one of them, or make one a guess.");

  InitialConditions two;
  two.fix(joint_coordinate(m.bearing), 0.5).fix(position_of(m.slider.origin(), 0), 0.6);
  EXPECT_EQ(why_not_found(simulation, two),
            "condition 'slider: x = 0.6 m' contradicts the constraints of main bearing, big end, guide, small end and "
            "condition 'main bearing: coordinate 1 = 0.5 rad': the nearest value that was reached is 0.74214177 m; "
            "change it, drop one of them, or make one a guess.");
}

TEST(InitialValues, ContradictoryVelocitiesAreExplained) {
  SliderCrank m;
  Simulation simulation(m.model);
  InitialConditions conditions;
  conditions.fix(joint_coordinate(m.bearing), 0.5)
      .fix(joint_velocity(m.bearing), 3)
      .fix(velocity_of(m.slider.origin(), 0), 3);
  const std::string reason = why_not_found(simulation, conditions);
  EXPECT_TRUE(contains(reason, "condition 'slider: x velocity = 3 m/s' contradicts the constraints of ")) << reason;
  EXPECT_TRUE(contains(reason, "'main bearing: velocity 1 = 3 rad/s'")) << reason;
  EXPECT_TRUE(contains(reason, concat("the nearest value that was reached is ", 3 * m.transmission(0.5)).substr(0, 45)))
      << reason;
}

TEST(InitialValues, OneQuantityFixedTwiceContradictsItself) {
  SliderCrank m;
  Simulation simulation(m.model);
  EXPECT_EQ(
      why_not_found(simulation,
                    InitialConditions().fix(joint_coordinate(m.bearing), 0.5).fix(joint_coordinate(m.bearing), 0.6)),
      "condition 'main bearing: coordinate 1 = 0.6 rad' contradicts condition 'main bearing: coordinate 1 = 0.5 "
      "rad': the nearest value that was reached is 0.5 rad; change it, drop one of them, or make one a guess.");
}

TEST(InitialValues, AConditionOnWhatCanNotChangeIsAContradiction) {
  SliderCrank m;
  const Quantity<Planar> fixed{"ground: x", "m", [](const auto&) { return 0.0; }};
  Simulation simulation(m.model);
  EXPECT_EQ(why_not_found(simulation, InitialConditions().fix(fixed, 1)),
            "condition 'ground: x = 1 m' can't be met, because nothing that may move changes it further: the nearest "
            "value that was reached is 0 m; change it, drop it, or make it a guess.");
  EXPECT_EQ(
      found(simulation, InitialConditions().fix(fixed, 0)).redundant_conditions,
      std::vector<std::string>{"condition 'ground: x = 0 m' holds here whatever may move: it determines nothing."});
}

TEST(InitialValues, WhatReadsReactionsIsFixedAtAValueOnly) {
  SliderCrank m;
  m.model.set_gravity({0, -9.81});
  m.model.add_observable(
      "pull", "N", [bearing = m.bearing](const Snapshot<Planar>& now) { return now.reaction(bearing).force.y(); });
  m.model.add_observable("height", "m",
                         [rod = m.rod](const Snapshot<Planar>& now) { return now.pose(rod.origin()).position.y(); });
  Simulation simulation(m.model);
  simulation.set_initial_conditions(InitialConditions().fix("pull"));
  EXPECT_EQ(
      error_of([&] { simulation.find_initial_values(0); }),
      "initial conditions: 'pull' is to stay as it is among the initial values of model 'slider crank', but reads "
      "accelerations, multipliers or auxiliary variables, which these do not have; give it a value: fix(name, "
      "value).");
  // Once they are known, it can stay as it is; the height always can.
  const State start = found(simulation, InitialConditions().fix("height")).state;
  simulation.set_initial_state(start);
  EXPECT_TRUE(found(simulation, InitialConditions().fix("pull")).consistent);
}

TEST(InitialValues, AFunctionThatCanNotVanishIsAContradiction) {
  SliderCrank m;
  Simulation simulation(m.model);
  InitialConditions conditions;
  conditions.fix(joint_coordinate(m.bearing), 0.5);
  conditions.require("never", [](const State& state, EquationsOfMotion&) { return state.p[0] + 1; });
  EXPECT_EQ(why_not_found(simulation, conditions),
            "condition 'never' contradicts condition 'main bearing: coordinate 1 = 0.5 rad': the "
            "violation that was reached is 1.5; change it, drop one of them, or make one a guess.");
}

TEST(InitialValues, WithoutAccelerationsThereIsNoStart) {
  // A thin rod on two balls: nothing determines how it turns about itself.
  SpatialModel model("thin");
  auto rod = model.add_body("rod", MassProperties::rod(1, 1));
  rod.place({0.5, 0, 0});
  model.add_joint<Spherical>("left", model.ground().origin(), rod.at({-0.5, 0, 0}));
  Simulation simulation(model);
  const std::string reason = why_not_found(simulation, {});
  EXPECT_TRUE(contains(reason, "there are no accelerations at the initial values: ")) << reason;
  EXPECT_TRUE(contains(reason, "rod: angular velocity x")) << reason;
}

/// A mass held at 0 by a constraint whose multiplier is that of a force lambda^2 + 1: none is.
class Contradiction final : public EquationsOfMotion {
 public:
  Contradiction() : EquationsOfMotion({.p = 1, .v = 1, .lambda = 1, .eta = 1}) {
    M_.add_block(0, 0, 1, 1);
    G_.add_block(0, 0, 1, 1);
    F_.add_block(0, 0, 1, 1);
  }
  bool forces_read_multipliers() const override { return true; }

 private:
  void do_M(BlockMatrix& M) override { M.values(0)[0] = 1; }
  void do_G(BlockMatrix& G, Eigen::VectorXd&) override { G.values(0)[0] = 1; }
  void do_g(Eigen::VectorXd& g) override { g = position(); }
  void do_f(Eigen::VectorXd& f) override { f[0] = multipliers()[0] * multipliers()[0] + 1; }
  void do_gamma(Eigen::VectorXd& gamma) override { gamma[0] = 0; }
};

TEST(InitialValues, MultipliersThatDoNotSettleAreReported) {
  Contradiction equations;
  State state = equations.initial_state();
  state.lambda[0] = 0.3;
  EXPECT_EQ(find_initial_values(equations, state).reason,
            "there are no accelerations at the initial values: forces that read reactions do not settle: after 50 "
            "iterations the multipliers still change; give other initial values.");
}

TEST(InitialValues, LoopsThatCanNotCloseAreNamed) {
  PlanarModel model("short");
  auto rod = model.add_body("rod", MassProperties::rod(1, 1));
  rod.place({0.5, 0});
  model.add_joint<Revolute>("left", model.ground().origin(), rod.at({-0.5, 0}));
  model.add_joint<Revolute>("right", model.ground().at({1.5, 0}), rod.at({0.5, 0}));
  Simulation simulation(model);
  // The gap of half a metre is shared equally.
  EXPECT_EQ(why_not_found(simulation, {}).substr(0, 108),
            "the constraints of left, right can't be satisfied together near the initial values: at best left: row 1 "
            "is o");
  EXPECT_TRUE(contains(why_not_found(simulation, {}), " is off by 0.25")) << why_not_found(simulation, {});
}

TEST(InitialValues, RedundantConstraintsDoNotCountAsContradictions) {
  // A planar four-bar linkage built of hinges in space: three redundant rows.
  SpatialModel model("four-bar in space");
  const double height = 1;
  auto left = model.add_body("left", MassProperties::rod(1, height));
  auto top = model.add_body("top", MassProperties::rod(1, 2));
  auto right = model.add_body("right", MassProperties::rod(1, height));
  const Eigen::Quaterniond up(Eigen::AngleAxisd(std::numbers::pi / 2 + 0.1, Eigen::Vector3d::UnitZ()));
  left.place({0.02, 0.5, 0.01}, up);
  top.place({1, 1.02, 0});
  right.place({2, 0.47, 0}, up);
  model.add_joint<Revolute>("A", model.ground().origin(), left.at({-0.5, 0, 0}), Axis::z());
  model.add_joint<Revolute>("B", left.at({0.5, 0, 0}), top.at({-1, 0, 0}), Axis::z());
  const auto C = model.add_joint<Revolute>("C", top.at({1, 0, 0}), right.at({0.5, 0, 0}), Axis::z());
  const auto D = model.add_joint<Revolute>("D", model.ground().at({2, 0, 0}), right.at({-0.5, 0, 0}), Axis::z());
  (void)C;
  for (const Formulation formulation : all_formulations) {
    SCOPED_TRACE(name_of(formulation));
    Simulation simulation(model, {.formulation = formulation, .rough_placement = true});
    const InitialValues any = found(simulation, {});
    EXPECT_EQ(any.free_positions, 1);
    EXPECT_EQ(any.free_velocities, 1);
    const double angle = 1.2;
    const InitialValues start =
        found(simulation, InitialConditions().fix(joint_coordinate(D), angle).fix(joint_velocity(D), 2));
    EXPECT_EQ(start.free_positions, 0);
    EXPECT_EQ(start.free_velocities, 0);
    EXPECT_TRUE(start.redundant_conditions.empty());
    // A parallelogram: the top moves as the end of the right bar.
    EXPECT_NEAR(value_of(simulation, start, position_of(top.origin(), 1)), std::sin(angle), met);
    EXPECT_NEAR(value_of(simulation, start, velocity_of(top.origin(), 0)), -2 * std::sin(angle), 10 * met);
  }
}

// Levels and unknowns of all kinds.

TEST(InitialValues, NonholonomicConstraintsHold) {
  PlanarModel model("sleigh");
  auto sleigh = model.add_body("sleigh", MassProperties::planar(2, 0.5));
  sleigh.place({0.3, 0.2}, 0.6).move({1, 1}, 0.5);
  model.add_constraint<KnifeEdge>("edge", sleigh.at({-0.2, 0}));
  for (const Formulation formulation : all_formulations) {
    Simulation simulation(model, {.formulation = formulation});
    const InitialValues start = found(simulation, InitialConditions().fix(angular_velocity_of(sleigh.origin()), 2));
    EXPECT_EQ(start.free_positions, 3);
    EXPECT_EQ(start.free_velocities, 1);
    // No motion of the edge across it: -sin v_x + cos v_y = 0.
    const auto edge = sleigh.at({-0.2, 0});
    EXPECT_NEAR(-std::sin(0.6) * value_of(simulation, start, velocity_of(edge, 0)) +
                    std::cos(0.6) * value_of(simulation, start, velocity_of(edge, 1)),
                0, met);
    EXPECT_NEAR(value_of(simulation, start, angular_velocity_of(sleigh.origin())), 2, met);
  }
}

TEST(InitialValues, StatesAndAuxiliaryVariablesAreFound) {
  PlanarModel model("strut");
  auto body = model.add_body("body", MassProperties::planar(2, 0.5));
  body.place({1, 0}).move({0.5, 0});
  model.add_joint<Prismatic>("guide", model.ground().origin(), body.origin(), Axis::x());
  model.add_force<SeriesSpringDamper>("strut", model.ground().origin(), body.origin(),
                                      {.stiffness = 100, .damping = 5, .free_length = 0.8});
  for (const IntegratorOptions& integrator :
       {IntegratorOptions(ExtrapolationOptions{}), IntegratorOptions(BdfOptions{})}) {
    Simulation simulation(model, {.integrator = integrator});
    const std::string state = simulation.equations().dimensions().r > 0 ? simulation.equations().state_name(0) : "";
    ASSERT_FALSE(state.empty());
    const InitialValues start = found(simulation, InitialConditions().fix(state, 0.05));
    EXPECT_NEAR(start.state.r[0], 0.05, met);
    simulation.equations().set(start.state);
    EXPECT_LE(simulation.equations().d().size() > 0 ? simulation.equations().d().cwiseAbs().maxCoeff() : 0.0, closed);
    EXPECT_TRUE(check_initial_values(simulation.equations(), start.state).consistent)
        << check_initial_values(simulation.equations(), start.state).reason;
  }
}

TEST(InitialValues, AccelerationsAndMultipliersBelongToThem) {
  in_all_formulations<FourBar>([](Simulation& simulation, const FourBar& m) {
    const InitialValues start = found(simulation, InitialConditions().fix(joint_velocity(m.crank_pin), 2));
    EquationsOfMotion& equations = simulation.equations();
    equations.set(start.state);
    Eigen::VectorXd residual;
    equations.dynamic_residual(start.state.a, start.state.lambda, residual);
    EXPECT_LE(residual.cwiseAbs().maxCoeff(), 1e-11);  // rounding of forces of some 10 N
    residual = -equations.gamma();
    equations.G().multiply_add(1, start.state.a, residual);
    EXPECT_LE(residual.cwiseAbs().maxCoeff(), 1e-11);
    EXPECT_TRUE(check_initial_values(equations, start.state).consistent);
  });
}

TEST(InitialValues, DisplacedMechanismsAreAssembled) {
  for (const RandomMechanism& options : random_mechanisms(1)) {
    if (options.gears > 0 || options.rows == JointRows::changing) continue;
    SCOPED_TRACE(testing::Message() << options);
    const auto check = [&]<class Space>(const Model<Space>& model) {
      for (const Formulation formulation : all_formulations) {
        SCOPED_TRACE(name_of(formulation));
        Simulation simulation(model, {.formulation = formulation, .rough_placement = true});
        EquationsOfMotion& equations = simulation.equations();
        State state = equations.initial_state();
        std::mt19937 random(options.seed);
        std::normal_distribution<double> normal;
        Eigen::VectorXd step(equations.dimensions().v);
        for (double& entry : step) entry = 0.03 * normal(random);
        for (double& entry : state.v) entry = normal(random);
        equations.set(state);
        const Eigen::VectorXd start = state.p;
        equations.position_step(step, state.p);
        equations.normalise(start, state.p);
        simulation.set_initial_state(state);
        found(simulation, {});
      }
    };
    check(random_mechanism<Planar>(options));
    check(random_mechanism<Spatial>(options));
  }
}

/// A rod of 1 m on a hinge in the origin, its centre placed off by (displacement, displacement), with a torsion spring.
struct DisplacedRod {
  static constexpr double stiffness = 10;
  PlanarModel model{"displaced rod"};
  explicit DisplacedRod(double displacement) {
    auto rod = model.add_body("rod", MassProperties::rod(1, 1));
    rod.place({0.5 + displacement, displacement});
    model.add_joint<Revolute>("hinge", model.ground().origin(), rod.at({-0.5, 0}));
    model.add_force<TorsionSpringDamper>("spring", model.ground().origin(), rod.at({-0.5, 0}),
                                         TorsionSpringDamper<Planar>::Options{.stiffness = stiffness});
  }
};

TEST(InitialValues, NoTurnsAreLeftOver) {
  for (const double displacement : {1.0, 5.0, 100.0, 1e4})
    for (const Formulation formulation : {Formulation::absolute, Formulation::mixed, Formulation::relative}) {
      SCOPED_TRACE(concat(name_of(formulation), ", ", displacement, " m"));
      const DisplacedRod m(displacement);
      Simulation simulation(m.model, {.formulation = formulation, .rough_placement = true});
      const double angle = found(simulation, {}).state.p[0];
      EXPECT_LE(std::abs(angle), std::numbers::pi);
      simulation.run(0, 0);
      EXPECT_NEAR(simulation.energy().initial, 0.5 * DisplacedRod::stiffness * angle * angle, 1e-9);
      if (formulation != Formulation::absolute) continue;
      // Least |c - e / 2|^2 + (L angle)^2, with the unit vector e along the rod: c x e = 2 L^2 angle. Of the square of
      // the distance 1e-13 is told apart, of the angle the root of that.
      const double length = simulation.equations().characteristic_length();
      double least = 0, most = std::numbers::pi / 4;
      while (most - least > 1e-9) {
        const double middle = 0.5 * (least + most);
        const double across = displacement * std::cos(middle) - (0.5 + displacement) * std::sin(middle);
        (across > 2 * length * length * middle ? least : most) = middle;
      }
      EXPECT_NEAR(angle, least, 1e-5);
    }
}

TEST(InitialValues, TurnsThatHangTogetherStayAndOthersDoNot) {
  // Two rods that a gear couples, and one on its own, all placed far off.
  PlanarModel model("rods");
  const auto hinged = [&](const char* name, double x) {
    auto rod = model.add_body(name, MassProperties::rod(1, 1));
    rod.place({x + 50, 50});
    return model.add_joint<Revolute>(concat(name, " hinge"), model.ground().at({x, 0}), rod.at({-0.5, 0}));
  };
  const auto left = hinged("left", 0), right = hinged("right", 3);
  hinged("other", 6);
  model.add_constraint<Gear>("gear", left, right, -2.5);
  Simulation simulation(model);
  const State start = found(simulation, {}).state;
  EXPECT_NEAR(start.p[3], -2.5 * start.p[0], met);
  EXPECT_LE(std::abs(start.p[6]), std::numbers::pi);
}

TEST(InitialValues, SpatialLoopsAreAssembled) {
  // A spatial four-bar: hinge, ball, ball, hinge; the coupler turns about itself. The ball of the second crank stands
  // where its distance from that of the first is the coupler's length.
  SpatialModel model("four-bar with balls");
  auto crank = model.add_body("crank", MassProperties::rod(1, 1));
  auto coupler = model.add_body("coupler", MassProperties::box(1, {3, 0.1, 0.1}));
  auto rocker = model.add_body("rocker", MassProperties::rod(1, 2));
  crank.place({0.4, 0.3, 0.1});
  coupler.place({2, 1, 0.4});
  rocker.place({3.2, 0.8, 0.2}, Eigen::Quaterniond(Eigen::AngleAxisd(1.2, Eigen::Vector3d::UnitZ())));
  const auto pin = model.add_joint<Revolute>("hinge", model.ground().origin(), crank.at({-0.5, 0, 0}), Axis::z());
  model.add_joint<Spherical>("ball 1", crank.at({0.5, 0, 0}), coupler.at({-1.5, 0, 0}));
  model.add_joint<Spherical>("ball 2", coupler.at({1.5, 0, 0}), rocker.at({1, 0, 0}));
  const Eigen::Quaterniond tilted(Eigen::AngleAxisd(0.5, Eigen::Vector3d::UnitX()));
  const auto other =
      model.add_joint<Revolute>("tilted hinge", model.ground().at({3, 0, 0}, tilted), rocker.at({-1, 0, 0}), Axis::z());
  for (const Formulation formulation : all_formulations) {
    SCOPED_TRACE(name_of(formulation));
    Simulation simulation(model, {.formulation = formulation, .rough_placement = true});
    const InitialValues start =
        found(simulation, InitialConditions().fix(joint_coordinate(pin), 0.8).fix(joint_velocity(pin), 1.5));
    EXPECT_EQ(start.free_positions, 1);  // of the coupler about itself
    EXPECT_EQ(start.free_velocities, 1);
    const double angle = value_of(simulation, start, joint_coordinate(other));
    const Eigen::Matrix3d R = rotation_matrix(tilted);
    const Eigen::Vector3d a(std::cos(0.8), std::sin(0.8), 0);
    const Eigen::Vector3d arm = R * Eigen::Vector3d(2 * std::cos(angle), 2 * std::sin(angle), 0);
    const Eigen::Vector3d d = Eigen::Vector3d(3, 0, 0) + arm - a;
    EXPECT_NEAR(d.norm(), 3, met);
    // d . d' = 0.
    const Eigen::Vector3d a_rate = 1.5 * Eigen::Vector3d(-a.y(), a.x(), 0);
    const double other_rate = d.dot(a_rate) / d.dot((R * Eigen::Vector3d::UnitZ()).cross(arm));
    EXPECT_NEAR(value_of(simulation, start, joint_velocity(other)), other_rate, 10 * met);
  }
}

TEST(InitialValues, BricardsMechanismIsAssembledAndMoves) {
  // Five rods of 1 m along x, y, z, x, y, six hinges; one closure row always depends on the others.
  SpatialModel model("bricard");
  const std::vector<Eigen::Vector3d> pins = {{0, 0, 0}, {1, 0, 0}, {1, -1, 0}, {1, -1, 1}, {0, -1, 1}, {0, 0, 1}};
  const std::vector<Axis> axes = {Axis::y(), Axis::z(), Axis::x(), Axis::y(), Axis::z(), Axis::x()};
  Frame<Spatial> last = model.ground().origin();
  std::vector<JointRef<Spatial>> joints;
  for (std::size_t i = 0; i < 5; ++i) {
    const Eigen::Vector3d arm = (pins[i + 1] - pins[i]) / 2;
    auto rod =
        model.add_body(concat("rod ", i + 1), MassProperties::box(1, Eigen::Vector3d::Constant(0.1) + arm.cwiseAbs()));
    const Eigen::Vector3d off = 0.02 * Eigen::Vector3d(1, -1, static_cast<double>(i));
    rod.place(pins[i] + arm + off, Eigen::Quaterniond(Eigen::AngleAxisd(0.03, Eigen::Vector3d(1, 2, -1).normalized())));
    joints.push_back(model.add_joint<Revolute>(concat("joint ", i + 1), last, rod.at(-arm), axes[i]));
    last = rod.at(arm);
  }
  model.add_joint<Revolute>("joint 6", model.ground().at(pins[5]), last, axes[5]);
  for (const Formulation formulation : all_formulations) {
    SCOPED_TRACE(name_of(formulation));
    Simulation simulation(model, {.formulation = formulation, .rough_placement = true});
    const InitialValues start =
        found(simulation, InitialConditions().fix(joint_coordinate(joints[0]), 0.2).fix(joint_velocity(joints[0]), 1));
    EXPECT_EQ(start.free_positions, 0);
    EXPECT_EQ(start.free_velocities, 0);
    EXPECT_TRUE(start.redundant_conditions.empty());
    // Angle of the first hinge and its rate in the others: the mechanism repeats itself after two hinges.
    EXPECT_NEAR(std::abs(value_of(simulation, start, joint_coordinate(joints[2]))), 0.2, 10 * met);
    EXPECT_NEAR(std::abs(value_of(simulation, start, joint_velocity(joints[2]))), 1, 100 * met);
  }
}

TEST(InitialValues, MultipliersThatForcesReadAreFound) {
  // A block of 2 kg on a guide with friction mu times the guide's force: mu m g in all.
  PlanarModel model("block");
  model.set_gravity({0, -9.81});
  auto block = model.add_body("block", MassProperties::planar(2, 1));
  block.move({1, 0});
  const auto guide = model.add_joint<Prismatic>("guide", model.ground().origin(), block.origin(), Axis::x());
  model.add_force<DryFriction>("friction", guide, model.ground().origin(), block.origin(),
                               DryFriction<Planar>::Options{.coefficient = 0.3,
                                                            .normal = {0, 1},
                                                            .tangent = {1, 0},
                                                            .direction = DryFriction<Planar>::Direction::frozen});
  Simulation simulation(model);
  const InitialValues start = found(simulation, {});
  simulation.equations().set(start.state);
  EXPECT_NEAR(start.state.a[1], -0.3 * 9.81, met);
  EXPECT_TRUE(check_initial_values(simulation.equations(), start.state).consistent);
}

/// A particle without forces, whose kinetic energy is an invariant.
class Coasting final : public EquationsOfMotion {
 public:
  Coasting() : EquationsOfMotion({.p = 1, .v = 1, .e = 1}) { M_.add_block(0, 0, 1, 1); }
  std::string invariant_name(int) const override { return "energy"; }
  std::string invariant_unit(int) const override { return "J"; }
  State initial_state() const override {
    State out = EquationsOfMotion::initial_state();
    out.v[0] = 0.2;
    return out;
  }

 private:
  void do_M(BlockMatrix& M) override { M.values(0)[0] = 1; }
  void do_G(BlockMatrix&, Eigen::VectorXd&) override {}
  void do_g(Eigen::VectorXd&) override {}
  void do_f(Eigen::VectorXd& f) override { f[0] = 0; }
  void do_gamma(Eigen::VectorXd&) override {}
  void do_invariants(Eigen::VectorXd& values) override { values[0] = 0.5 * velocity()[0] * velocity()[0]; }
};

TEST(InitialValues, InvariantsHaveTheLevelsThatAreGiven) {
  Coasting particle;
  EXPECT_EQ(find_initial_values(particle, particle.initial_state()).free_velocities, 1);  // no level, no condition
  particle.set_invariant_level(0, 2);
  EXPECT_EQ(check_initial_values(particle, particle.initial_state()).reason,
            "the initial values are not consistent: condition 'energy = 2 J' is off by 1.98 J.");
  const InitialValues start = find_initial_values(particle, particle.initial_state());
  ASSERT_TRUE(start.consistent) << start.reason;
  EXPECT_NEAR(start.state.v[0], 2, met);
  EXPECT_EQ(start.free_velocities, 0);
}

// Modes.

TEST(InitialValues, CheckingNamesTheWorstOfEveryLevelAndChangesNothing) {
  SliderCrank m(0.1);
  Simulation simulation(m.model);
  simulation.set_initial_conditions(InitialConditions().fix(position_of(m.slider.origin(), 0), 0.6));
  const State before = simulation.equations().initial_state();
  const InitialValues checked = simulation.check_initial_values(0);
  EXPECT_FALSE(checked.consistent);
  EXPECT_EQ(checked.state.p, before.p);
  EXPECT_TRUE(contains(checked.reason, "the initial values are not consistent: ")) << checked.reason;
  EXPECT_TRUE(contains(checked.reason, "condition 'slider: x = 0.6 m' is off by 0.1 m")) << checked.reason;
  EXPECT_EQ(checked.sentences().front(), checked.reason);

  SliderCrank good;
  good.crank.move({1, 0}, 0);
  Simulation moving(good.model);
  EXPECT_EQ(moving.check_initial_values(0).reason,
            "the initial values are not consistent: the rate of main bearing: row 1 is off by 1 m/s.");
  State wrong = moving.equations().initial_state();
  wrong.v.setZero();
  wrong.a[0] = 1;
  moving.set_initial_state(wrong);
  EXPECT_TRUE(contains(moving.check_initial_values(0).reason, "the equation of motion of "))
      << moving.check_initial_values(0).reason;
  EXPECT_TRUE(contains(moving.check_initial_values(0).reason, "the second derivative of "))
      << moving.check_initial_values(0).reason;
}

TEST(InitialValues, EveryIntegratorStartsWithThem) {
  for (const IntegratorOptions& integrator :
       {IntegratorOptions(ExtrapolationOptions{}), IntegratorOptions(BdfOptions{}), IntegratorOptions(RadauOptions{})})
    for (const Formulation formulation : all_formulations) {
      SCOPED_TRACE(name_of(formulation));
      SliderCrank m(0.05);
      Simulation simulation(m.model, {.formulation = formulation, .integrator = integrator, .rough_placement = true});
      simulation.set_initial_conditions(
          InitialConditions().fix(joint_coordinate(m.bearing), 0.5).fix(joint_velocity(m.bearing), 3));
      const State start = simulation.run(0, 0).final_state();  // only computes
      EXPECT_NEAR(measure(simulation.equations(), start, velocity_of(m.slider.origin(), 0).value),
                  3 * m.transmission(0.5), met);
      EXPECT_GT(start.a.norm(), 0);
      EXPECT_TRUE(simulation.initial_values().consistent);
      simulation.run(0, 0.01);
      EXPECT_GT(simulation.statistics().integrator.steps, 0);
    }
}

TEST(InitialValues, ARunWithContradictoryConditionsEndsWithTheReason) {
  SliderCrank m;
  Simulation simulation(m.model);
  simulation.set_initial_conditions(InitialConditions().fix(position_of(m.slider.origin(), 1), 1));
  const std::string error = error_of([&] { simulation.run(0, 1); });
  EXPECT_TRUE(contains(error,
                       "model 'slider crank': the run stopped at t = 0 s: condition 'slider: y = 1 m' contradicts "
                       "the constraints of guide: the nearest value that was reached is 0 m"))
      << error;
}

// Bad input.

// A stop that a condition asks for: at once by any exception of its own; by a RecoverableFailure where no place serves.
TEST(InitialValues, ConditionsThatCanNotBeEvaluatedEndTheSearchWithTheirReason) {
  SliderCrank m;
  Simulation simulation(m.model);
  simulation.set_initial_conditions(InitialConditions().require(
      "table", [](const State&, EquationsOfMotion&) -> double { throw RecoverableFailure("the table ends at 0"); }));
  EXPECT_THROW(simulation.find_initial_values(0), RecoverableFailure);
  const std::string message = error_of([&] { simulation.run(0, 1); });
  EXPECT_TRUE(contains(message, "model 'slider crank': the run stopped at t = 0 s: the table ends at 0")) << message;
  struct LicenceExpired {};
  simulation.set_initial_conditions(InitialConditions().require(
      "licence", [](const State&, EquationsOfMotion&) -> double { throw LicenceExpired(); }));
  EXPECT_THROW(simulation.run(0, 1), RunError);
  EXPECT_THROW(simulation.find_initial_values(0), LicenceExpired);
  simulation.set_initial_conditions({});
  EXPECT_NO_THROW(simulation.run(0, 0.01));
}

// All at once, the second condition holds the slider at the nearest of its teeth; where the first one holds already,
// the second does too.
TEST(InitialValues, ConditionsThatHoldOneByOneAreFound) {
  PlanarModel model("rack");
  auto slider = model.add_body("slider", MassProperties::planar(1, 1));
  model.add_joint<Prismatic>("guide", model.ground().origin(), slider.origin(), Axis::x());
  Simulation simulation(model, {.formulation = Formulation::relative});
  const double place = 3;
  const auto teeth = [](const State& state, EquationsOfMotion&) {
    return 100 * std::sin(std::numbers::pi * state.p[0]);
  };
  const InitialValues start =
      found(simulation, InitialConditions().fix(position_of(slider.origin(), 0), place).require("teeth", teeth));
  EXPECT_NEAR(start.state.p[0], place, met);
}

TEST(InitialValues, MisuseIsRefused) {
  SliderCrank m;
  Simulation simulation(m.model);
  InitialConditions unknown;
  unknown.fix("slider: z", 1);
  simulation.set_initial_conditions(unknown);
  EXPECT_EQ(
      error_of([&] { simulation.find_initial_values(0); }),
      "initial conditions: model 'slider crank' (absolute formulation) has nothing that is called 'slider: z'; it "
      "has the observables (none), positions such as 'crank: angle' and velocities such as 'crank: angular "
      "velocity'.");
  InitialConditions bad;
  EXPECT_EQ(error_of([&] { bad.fix("", 1); }), "InitialConditions: a condition or guess has no name; give one.");
  EXPECT_EQ(error_of([&] { bad.guess("x", NAN); }), "InitialConditions: 'x' is to be nan; expected a finite number.");
  EXPECT_EQ(error_of([&] { bad.require("nothing", {}); }),
            "InitialConditions: 'nothing' is an empty function; give one.");
  Pose<Planar> nowhere;
  nowhere.position.x() = INFINITY;
  EXPECT_EQ(error_of([&] { bad.fix_pose(m.crank.origin(), nowhere); }),
            "InitialConditions::fix_pose: the pose has a number that is not finite.");
  EXPECT_EQ(error_of([&] { joint_coordinate(m.bearing, 1); }),
            "joint 'main bearing' (revolute) has no coordinate 1; it has 1, counted from 0.");
  EXPECT_EQ(error_of([&] { joint_velocity(m.bearing, -1); }),
            "joint 'main bearing' (revolute) has no velocity -1; it has 1, counted from 0.");
  EXPECT_EQ(error_of([&] { position_of(m.crank.origin(), 2); }),
            "position_of: axis 2 was asked for; expected 0 to 1, 0 for x.");
  EXPECT_EQ(error_of([&] { simulation.find_initial_values(NAN); }),
            "Simulation: the start is at t = nan s; expected a finite time.");
  const auto ball = falling_ball(1);
  EXPECT_EQ(error_of([&] { measure(*ball, ball->initial_state(), position_of(m.crank.origin(), 0).value); }),
            "a quantity of a planar model was asked of 'particle' (none); use quantities of its own model.");
  InitialConditions wild;
  wild.require("no number", [](const State&, EquationsOfMotion&) { return NAN; });
  simulation.set_initial_conditions(wild);
  EXPECT_TRUE(contains(error_of([&] { simulation.find_initial_values(0); }),
                       "condition 'no number' is nan at t = 0 s; check its function."));
  PlanarModel chain("chain");
  for (int i = 0; i < 501; ++i) chain.add_body(concat("body ", i), MassProperties::planar(1, 1));
  Simulation large(chain);
  EXPECT_EQ(error_of([&] { large.find_initial_values(0); }),
            "initial values: model 'chain' has 1503 velocities, and they are searched for up to 1500; set a consistent "
            "initial state yourself (Simulation::set_initial_state).");
  SpatialModel spatial("free");
  spatial.add_body("body", MassProperties::box(1, {1, 1, 1}));
  Simulation nowhere_turned(spatial);
  State state = nowhere_turned.equations().initial_state();
  state.p.setZero();
  nowhere_turned.set_initial_state(state);
  EXPECT_EQ(error_of([&] { nowhere_turned.find_initial_values(0); }),
            "initial values: body: qw is 0 and belongs to a quaternion of norm 0; give a unit quaternion.");
  SliderCrank other;
  simulation.set_initial_conditions(InitialConditions().fix(position_of(other.slider.origin(), 0), 0.6));
  EXPECT_TRUE(contains(error_of([&] { simulation.find_initial_values(0); }), "does not belong to model"));
}

}  // namespace initial_values_test
}  // namespace linkwork::test
