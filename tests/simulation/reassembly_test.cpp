#include "../messages.hpp"
#include "start_mechanisms.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/joints/constant_velocity.hpp>
#include <linkwork/joints/constraints/driven_speed.hpp>
#include <linkwork/joints/constraints/gear.hpp>
#include <linkwork/joints/constraints/rack_and_pinion.hpp>
#include <linkwork/joints/cylindrical.hpp>
#include <linkwork/joints/driven_prismatic.hpp>
#include <linkwork/joints/driven_revolute.hpp>
#include <linkwork/joints/fixed.hpp>
#include <linkwork/joints/plane_joint.hpp>
#include <linkwork/joints/point_on_line.hpp>
#include <linkwork/joints/point_on_plane.hpp>
#include <linkwork/joints/screw.hpp>
#include <linkwork/joints/spherical.hpp>
#include <linkwork/joints/universal.hpp>
#include <linkwork/solvers/simulation/simulation.hpp>

#include <gtest/gtest.h>
#include <numbers>
#include <random>

namespace linkwork::test {
namespace reassembly_test {

constexpr double pi = std::numbers::pi;
// Angles follow from lengths that are closed to 1e-13, conditions to 1e-12 after a Newton step by differences, with
// transmissions up to 10.
constexpr double met = 1e-9;

const std::vector<Formulation> all_formulations = {Formulation::absolute, Formulation::mixed, Formulation::relative};

double angle_between(double a, double b) { return std::abs(std::remainder(a - b, 2 * pi)); }

template <class Space>
double value_of(Simulation& simulation, const State& state, const Quantity<Space>& quantity) {
  return measure(simulation.equations(), state, quantity.value);
}

// Branches.

TEST(Branches, AFourBarHasTwo) {
  for (const Formulation formulation : all_formulations)
    for (const int side : {1, -1}) {
      SCOPED_TRACE(name_of(formulation));
      const FourBar m(1, side);
      Simulation simulation(m.model, {.formulation = formulation});
      simulation.set_initial_conditions(InitialConditions().fix(joint_coordinate(m.crank_pin), 1));
      const std::vector<AssemblyBranch> branches = simulation.assembly_branches(0);
      ASSERT_EQ(branches.size(), 2u);
      for (std::size_t i = 0; i < 2; ++i) {
        const double expected = m.rocker_angle(1, i == 0 ? side : -side);
        EXPECT_LE(angle_between(value_of(simulation, branches[i].state, joint_coordinate(m.rocker_pin)), expected),
                  met);
      }
      EXPECT_NE(branches[0].text, branches[1].text);
      if (formulation != Formulation::absolute) continue;
      EXPECT_TRUE(branches[0].text.starts_with("coupler: angle = ")) << branches[0].text;
      EXPECT_EQ(branches[0].text.find(','), std::string::npos) << branches[0].text;  // one value tells two apart
    }
}

TEST(Branches, WhatIsFreeIsHeld) {
  const FourBar m(1, 1);
  Simulation simulation(m.model);
  EXPECT_EQ(simulation.assembly_branches(0).size(), 2u);  // one coordinate is held where it is, whichever that is
}

/// The guesses that "rod: angle = 1.2 rad, rocker: x = 2.3 m" names.
void guess_values_of(const std::string& text, InitialConditions& conditions) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(", ", begin), text.size());
    const std::string item = text.substr(begin, end - begin);
    const std::size_t equals = item.find(" = ");
    conditions.guess(item.substr(0, equals), std::stod(item.substr(equals + 3)));
    begin = end + 2;
  }
}

// Teeth mesh as the bodies are placed: with the rack or the other wheel held there is no second way.
TEST(Branches, TeethMeshInAllAsWhereBodiesArePlaced) {
  for (const Formulation formulation : all_formulations)
    for (const bool has_rack : {true, false}) {
      PlanarModel model("teeth");
      auto first = model.add_body("first", MassProperties::planar(1, 1));
      auto wheel = model.add_body("wheel", MassProperties::planar(1, 1)).place({0.5, 0.1});
      const auto bearing = model.add_joint<Revolute>("bearing", model.ground().at({0.5, 0.1}), wheel.origin());
      JointRef<Planar> guide;
      if (has_rack) {
        guide = model.add_joint<Prismatic>("guide", model.ground().origin(), first.origin(), Axis::x());
        model.add_constraint<RackAndPinion>("teeth", first.origin(), wheel.origin(), 0.1);
      } else {
        guide = model.add_joint<Revolute>("guide", model.ground().origin(), first.origin());
        model.add_constraint<Gear>("teeth", guide, bearing, 2.0);
      }
      Simulation simulation(model, {.formulation = formulation});
      simulation.set_initial_conditions(InitialConditions().fix(joint_coordinate(guide), 0.05));
      EXPECT_EQ(simulation.assembly_branches(0).size(), 1u) << name_of(formulation) << ' ' << has_rack;
    }
}

TEST(Branches, TheGuessesThatTheyNameLeadToThem) {
  for (const Formulation formulation : all_formulations) {
    SCOPED_TRACE(name_of(formulation));
    const FourBar m(1, 1);
    Simulation simulation(m.model, {.formulation = formulation});
    InitialConditions conditions;
    conditions.fix(joint_coordinate(m.crank_pin), 1);
    simulation.set_initial_conditions(conditions);
    guess_values_of(simulation.assembly_branches(0).at(1).text, conditions);
    simulation.set_initial_conditions(conditions);
    const State state = simulation.find_initial_values(0).state;
    EXPECT_LE(angle_between(value_of(simulation, state, joint_coordinate(m.rocker_pin)), m.rocker_angle(1, -1)), met);
    // On the way a search may turn joints round and round; none of it stays.
    const Eigen::VectorXd change = state.p - simulation.equations().initial_state().p;
    EXPECT_LE(change.cwiseAbs().maxCoeff(), 4) << state.p.transpose();
  }
}

/// Two four-bars on one crank have four branches; two values at least tell them apart, and no more are named.
TEST(Branches, AreToldApartByAsFewValuesAsPossible) {
  FourBar m(1, 1);
  auto second_coupler = m.model.add_body("second coupler", MassProperties::rod(1, 3));
  auto second_rocker = m.model.add_body("second rocker", MassProperties::rod(1, 2.5));
  second_coupler.place({1.5, -0.5}, -0.5);
  second_rocker.place({3, -1.2}, 1.5);
  m.model.add_joint<Revolute>("second coupler pin", m.crank.at({FourBar::crank_length / 2, 0}),
                              second_coupler.at({-1.5, 0}));
  m.model.add_joint<Revolute>("second rocker top", second_coupler.at({1.5, 0}), second_rocker.at({1.25, 0}));
  m.model.add_joint<Revolute>("second rocker pin", m.model.ground().at({3, 0}), second_rocker.at({-1.25, 0}));
  Simulation simulation(m.model);
  simulation.set_initial_conditions(InitialConditions().fix(joint_coordinate(m.crank_pin), 1));
  const std::vector<AssemblyBranch> branches = simulation.assembly_branches(0);
  ASSERT_EQ(branches.size(), 4u);
  for (std::size_t b = 0; b < branches.size(); ++b) {
    EXPECT_EQ(std::count(branches[b].text.begin(), branches[b].text.end(), ','), 1) << branches[b].text;
    for (std::size_t a = 0; a < b; ++a) EXPECT_NE(branches[a].text, branches[b].text);
  }
}

/// An attitude that is held has no other with one entry of its quaternion in common: the crank of a four-bar in space
/// stays where it is.
TEST(Branches, AttitudesInSpaceAreHeld) {
  SpatialModel model("four-bar in space");
  const FourBar plane(1, 1);
  const auto add = [&](const char* name, double length, double from_x, double from_y, double to_x, double to_y) {
    auto body = model.add_body(name, MassProperties::box(1, {length, 0.1, 0.1}));
    body.place(
        {(from_x + to_x) / 2, (from_y + to_y) / 2, 0},
        Eigen::Quaterniond(Eigen::AngleAxisd(std::atan2(to_y - from_y, to_x - from_x), Eigen::Vector3d::UnitZ())));
    return body;
  };
  const double rocker_angle = plane.rocker_angle(1, 1);
  const Eigen::Vector2d knee(std::cos(1.0), std::sin(1.0)),
      top = Eigen::Vector2d(3, 0) + 2.5 * Eigen::Vector2d(std::cos(rocker_angle), std::sin(rocker_angle));
  auto crank = add("crank", 1, 0, 0, knee.x(), knee.y());
  auto coupler = add("coupler", 3, knee.x(), knee.y(), top.x(), top.y());
  auto rocker = add("rocker", 2.5, 3, 0, top.x(), top.y());
  model.add_joint<Revolute>("crank pin", model.ground().origin(), crank.at({-0.5, 0, 0}));
  model.add_joint<Revolute>("knee", crank.at({0.5, 0, 0}), coupler.at({-1.5, 0, 0}));
  model.add_joint<Revolute>("top", coupler.at({1.5, 0, 0}), rocker.at({1.25, 0, 0}));
  model.add_joint<Revolute>("rocker pin", model.ground().at({3, 0, 0}), rocker.at({-1.25, 0, 0}));
  for (const Formulation formulation : all_formulations) {
    Simulation simulation(model, {.formulation = formulation});
    EXPECT_EQ(simulation.assembly_branches(0).size(), 2u) << name_of(formulation);
  }
}

TEST(Branches, TreesHaveOne) {
  PlanarModel model("pendulum");
  auto rod = model.add_body("rod", MassProperties::rod(1, 1));
  rod.place({0.5, 0});
  model.add_joint<Revolute>("pin", model.ground().origin(), rod.at({-0.5, 0}));
  for (const Formulation formulation : all_formulations) {
    Simulation simulation(model, {.formulation = formulation});
    EXPECT_EQ(simulation.assembly_branches(0).size(), 1u) << name_of(formulation);
    EXPECT_EQ(simulation.assembly_branches(0).front().text, "");
  }
}

/// q and -q are one attitude, of bodies and of joints: no branches of their own, and no changes.
TEST(Branches, QuaternionsHaveNoSign) {
  SpatialModel model("top");
  auto top = model.add_body("top", MassProperties::box(1, {1, 2, 3})).place({0, 1, 0});
  model.add_joint<Spherical>("tip", model.ground().origin(), top.at({0, -1, 0}));
  for (const Formulation formulation : all_formulations) {
    SCOPED_TRACE(name_of(formulation));
    Simulation simulation(model, {.formulation = formulation});
    const Eigen::VectorXd near = simulation.equations().initial_state().p;
    Eigen::VectorXd p = near;
    for (int i = 0; i < p.size(); ++i)
      if (simulation.equations().position_measure(i) == Measure::unknown) p[i] = -p[i];  // entries of quaternions
    ASSERT_NE(p, near);
    simulation.equations().normalise(near, p);
    EXPECT_EQ(p, near);
  }
}

// False roots.

template <class Space>
auto properties() {
  if constexpr (Space::dimension == 2)
    return MassProperties::planar(1, 1);
  else
    return MassProperties::box(1, {1, 2, 3});
}

/// A body on the ground by a joint; assembled from anywhere, its pose must be one that the joint can have.
template <class Space, class J, class... Arguments>
void expect_no_false_root(const Arguments&... arguments) {
  int assembled = 0;
  constexpr int starts = 12;
  std::string name;
  for (int i = 0; i < starts; ++i) {
    std::mt19937 random(static_cast<unsigned>(i + 1));
    std::normal_distribution<double> normal;
    Model<Space> model("one joint");
    auto body = model.add_body("body", properties<Space>());
    Vector<Space> position;
    for (double& x : position) x = normal(random);
    // The first starts are turned by half a turn, exactly and nearly.
    const double half_turn = i < 6 ? pi - (i % 2) * 1e-9 : pi * normal(random);
    if constexpr (Space::dimension == 2) {
      body.place(position, half_turn);
    } else {
      const Eigen::Vector3d axis = i < 6 ? Eigen::Vector3d::Unit(i / 2) : Eigen::Vector3d::Random().normalized();
      body.place(position, Eigen::Quaterniond(Eigen::AngleAxisd(half_turn, axis)));
    }
    model.template add_joint<J>("joint", model.ground().at(Vector<Space>::Constant(0.2)), body.origin(), arguments...);
    const Joint<Space>& element = *model.data().constraints[0].joint;
    name = element.type();
    Simulation simulation(model);
    const InitialValues start = simulation.find_initial_values(0);
    if (!start.consistent) continue;
    ++assembled;
    const double gap = measure(simulation.equations(), start.state,
                               std::function<double(const Snapshot<Space>&)>([&](const Snapshot<Space>& now) {
                                 const Pose<Space> X =
                                     relative_pose(now.pose(element.frames()[0]), now.pose(element.frames()[1]));
                                 std::vector<double> q(static_cast<std::size_t>(element.coordinates()) + 1);
                                 element.home(q.data());
                                 element.locate(0, X, q.data());
                                 return logarithm(relative_pose(element.pose(0, q.data()), X)).norm();
                               }));
    EXPECT_LE(gap, met) << element.type() << ", start " << i;
  }
  EXPECT_EQ(assembled, starts) << name;
}

TEST(Assembly, HasNoFalseRootsInThePlane) {
  const Input zero = [](const Instant&) { return InputValue{}; };
  expect_no_false_root<Planar, Fixed<Planar>>();
  expect_no_false_root<Planar, Revolute<Planar>>();
  expect_no_false_root<Planar, Prismatic<Planar>>(Axis::x());
  expect_no_false_root<Planar, PointOnLine<Planar>>(Axis::y());
  expect_no_false_root<Planar, DrivenRevolute<Planar>>(zero);
  expect_no_false_root<Planar, DrivenPrismatic<Planar>>(Axis::x(), zero);
}

TEST(Assembly, HasNoFalseRootsInSpace) {
  const Input zero = [](const Instant&) { return InputValue{}; };
  expect_no_false_root<Spatial, Fixed<Spatial>>();
  expect_no_false_root<Spatial, Revolute<Spatial>>(Axis::z());
  expect_no_false_root<Spatial, Prismatic<Spatial>>(Axis::x());
  expect_no_false_root<Spatial, Cylindrical>(Axis::y());
  expect_no_false_root<Spatial, Universal>(Axis::x(), Axis::y());
  expect_no_false_root<Spatial, Spherical>();
  expect_no_false_root<Spatial, Screw>(Axis::z(), 0.1);
  expect_no_false_root<Spatial, PlaneJoint>(Axis::z());
  expect_no_false_root<Spatial, ConstantVelocity>(Axis::z());
  expect_no_false_root<Spatial, PointOnLine<Spatial>>(Axis::x());
  expect_no_false_root<Spatial, PointOnPlane>(Axis::x());
  expect_no_false_root<Spatial, DrivenRevolute<Spatial>>(Axis::z(), zero);
  expect_no_false_root<Spatial, DrivenPrismatic<Spatial>>(Axis::x(), zero);
}

// Reassembly.

TEST(Reassembly, AFullTurnOfTheCrankLeadsBack) {
  for (const Formulation formulation : all_formulations) {
    SCOPED_TRACE(name_of(formulation));
    FourBar m(1, 1);
    Simulation simulation(m.model, {.formulation = formulation});
    for (const double angle : {2.5, 5.0, 1 + 2 * pi}) {
      const Reassembly moved = simulation.move_and_reassemble(m.crank_pin, 0, angle);
      ASSERT_TRUE(moved.arrived) << moved.reason;
      EXPECT_EQ(moved.reached, angle);
      const double rocker = value_of(simulation, moved.state, joint_coordinate(m.rocker_pin));
      EXPECT_LE(angle_between(rocker, m.rocker_angle(angle, 1)), met);
      simulation.equations().set(moved.state);
      EXPECT_LE(simulation.equations().constraint_residual().position_m, 1e-12);
    }
    simulation.run(0, 0.01);  // the simulation starts there
    EXPECT_LE(angle_between(value_of(simulation, simulation.trajectory().segments().front().begin,
                                     joint_coordinate(m.rocker_pin)),
                            m.rocker_angle(1, 1)),
              1e-6);
  }
}

TEST(Reassembly, StopsAtADeadPoint) {
  // The rocker's angle is greatest where crank and coupler are in line.
  const double c = FourBar::coupler_length - FourBar::crank_length, r = FourBar::rocker_length, b = FourBar::base;
  const double least = pi - std::acos((b * b + r * r - c * c) / (2 * b * r));
  const double far = FourBar::coupler_length + FourBar::crank_length;
  const double end = pi - std::acos((b * b + r * r - far * far) / (2 * b * r));
  for (const Formulation formulation : all_formulations) {
    SCOPED_TRACE(name_of(formulation));
    FourBar m(1, 1);
    Simulation simulation(m.model, {.formulation = formulation});
    const Reassembly moved = simulation.move_and_reassemble(m.rocker_pin, 0, pi);
    EXPECT_FALSE(moved.arrived);
    EXPECT_NEAR(moved.reached, std::max(least, end), 1e-8);
    EXPECT_TRUE(contains(moved.reason, "'D: coordinate 1' can't go on to 3.14159265359 rad: it meets a dead point at "))
        << moved.reason;
    EXPECT_TRUE(contains(moved.reason, " of the constraints of ")) << moved.reason;
    EXPECT_TRUE(contains(moved.reason, "; move another quantity past it, or start in another branch.")) << moved.reason;
    simulation.equations().set(moved.state);
    EXPECT_LE(simulation.equations().constraint_residual().position_m, 1e-9);
  }
}

TEST(Reassembly, ADeadPointItselfIsReached) {
  constexpr double far = SliderCrank::crank_length + SliderCrank::rod_length;
  for (const Formulation formulation : all_formulations) {
    SCOPED_TRACE(name_of(formulation));
    SliderCrank m;
    Simulation simulation(m.model, {.formulation = formulation});
    const Reassembly moved = simulation.move_and_reassemble(position_of(m.slider.origin(), 0), far);
    EXPECT_TRUE(moved.arrived) << moved.reason;
    EXPECT_EQ(moved.reached, far);
    // The angle is the root of the 1e-9 to which a condition holds.
    EXPECT_NEAR(value_of(simulation, moved.state, joint_coordinate(m.bearing)), 0, 1e-4);
    simulation.equations().set(moved.state);
    EXPECT_LE(simulation.equations().constraint_residual().position_m, 1e-12);
    const Reassembly beyond = simulation.move_and_reassemble(position_of(m.slider.origin(), 0), far + 1e-6);
    EXPECT_FALSE(beyond.arrived);
    EXPECT_NEAR(beyond.reached, far, 1e-8);
  }
}

TEST(Reassembly, WhatCanNotMoveIsSaid) {
  for (const Formulation formulation : all_formulations) {
    SCOPED_TRACE(name_of(formulation));
    SliderCrank m;
    Simulation simulation(m.model, {.formulation = formulation});
    const Reassembly moved = simulation.move_and_reassemble(position_of(m.slider.origin(), 1), 0.1);
    EXPECT_FALSE(moved.arrived);
    EXPECT_NEAR(moved.reached, 0, met);
    const char* why = formulation == Formulation::relative ? "nothing that may move changes it there"
                                                           : "the constraints of guide hold it there";
    EXPECT_EQ(moved.reason, concat("'slider: y' can't move from 0 m towards 0.1 m: ", why,
                                   "; move another quantity, or start elsewhere."));
  }
}

TEST(Reassembly, VelocitiesThatThePlaceDoesNotAllowAreSaid) {
  constexpr double far = SliderCrank::crank_length + SliderCrank::rod_length;
  SliderCrank m;
  m.model.add_constraint<DrivenSpeed>("belt", m.slider.origin(), Axis::x(), [](const Instant&) {
    return InputValue{-1, 0, 0};
  });
  Simulation simulation(m.model);
  const Reassembly moved = simulation.move_and_reassemble(position_of(m.slider.origin(), 0), far);
  EXPECT_TRUE(moved.arrived) << moved.reason;
  EXPECT_TRUE(contains(moved.reason, "No velocities were found there: the constraints of ")) << moved.reason;
  EXPECT_TRUE(contains(moved.reason, "belt")) << moved.reason;
  EXPECT_TRUE(contains(moved.reason, "m/s; check their drives, or start from other positions.")) << moved.reason;
}

TEST(Reassembly, AnyQuantityCanBeMoved) {
  SliderCrank m;
  Simulation simulation(m.model);
  const Reassembly moved = simulation.move_and_reassemble(position_of(m.slider.origin(), 0), 0.7);
  ASSERT_TRUE(moved.arrived) << moved.reason;
  const double angle = value_of(simulation, moved.state, joint_coordinate(m.bearing));
  EXPECT_NEAR(m.slider_position(angle), 0.7, met);
  EXPECT_GT(angle, 0);  // the branch is kept
}

TEST(Reassembly, VelocitiesStayAsNearAsTheyCan) {
  SliderCrank m;
  m.crank.move({-0.15, 0}, 1);
  Simulation simulation(m.model, {.integrator = ExtrapolationOptions{.consent_to_projection = true}});
  const Reassembly moved = simulation.move_and_reassemble(m.bearing, 0, 1.0);
  simulation.equations().set(moved.state);
  EXPECT_LE(simulation.equations().constraint_residual().velocity_m_per_s, 1e-12);
  EXPECT_GT(value_of(simulation, moved.state, joint_velocity(m.bearing)), 0.1);
}

TEST(Reassembly, MisuseIsRefused) {
  SliderCrank m;
  Simulation simulation(m.model);
  EXPECT_EQ(error_of([&] { simulation.move_and_reassemble(m.bearing, 0, NAN); }),
            "move_and_reassemble: 'main bearing: coordinate 1' is to be nan; expected a finite number.");
  const std::string far = error_of([&] { simulation.move_and_reassemble(m.bearing, 0, 20000 * pi + 1); });
  EXPECT_TRUE(contains(far, "move_and_reassemble: 'main bearing: coordinate 1' is 1.5707963")) << far;
  EXPECT_TRUE(
      contains(far, " rad, farther than the 10000 rad that small steps go; give a nearer value, such as 7.283185"))
      << far;
  EXPECT_TRUE(contains(error_of([&] { simulation.move_and_reassemble(position_of(m.slider.origin(), 0), 1e12); }),
                       " m that small steps go; give a nearer value."));
  PlanarModel model("short");
  auto rod = model.add_body("rod", MassProperties::rod(1, 1));
  rod.place({0.5, 0});
  const auto left = model.add_joint<Revolute>("left", model.ground().origin(), rod.at({-0.5, 0}));
  model.add_joint<Revolute>("right", model.ground().at({1.5, 0}), rod.at({0.5, 0}));
  Simulation open(model);
  EXPECT_TRUE(contains(error_of([&] { open.move_and_reassemble(left, 0, 1); }),
                       "move_and_reassemble: the constraints of left, right can't be satisfied together"));
}

/// Two parallelograms in a row lie flat at angle zero, where each could go over into an antiparallelogram. From 1 rad,
/// steps of 0.1 rad meet that position.
TEST(Reassembly, KeepsTheBranchWhereBranchesCross) {
  for (const Formulation formulation : all_formulations) {
    SCOPED_TRACE(name_of(formulation));
    PlanarModel model("two windows");
    const Eigen::Vector2d along(std::cos(1.0), std::sin(1.0));
    std::vector<BodyRef<Planar>> cranks;
    std::vector<JointRef<Planar>> bearings;
    for (int i = 0; i < 3; ++i) {
      const Eigen::Vector2d foot(i, 0);
      cranks.push_back(model.add_body(concat("crank ", i), MassProperties::rod(1, 1)).place(foot + along / 2, 1));
      bearings.push_back(
          model.add_joint<Revolute>(concat("bearing ", i), model.ground().at(foot), cranks.back().at({-0.5, 0})));
      if (i == 0) continue;
      auto coupler = model.add_body(concat("coupler ", i), MassProperties::rod(1, 1));
      coupler.place(foot + along - Eigen::Vector2d(0.5, 0));
      model.add_joint<Revolute>(concat("left ", i), cranks[cranks.size() - 2].at({0.5, 0}), coupler.at({-0.5, 0}));
      model.add_joint<Revolute>(concat("right ", i), cranks.back().at({0.5, 0}), coupler.at({0.5, 0}));
    }
    Simulation simulation(model, {.formulation = formulation});
    const Reassembly moved = simulation.move_and_reassemble(bearings[0], 0, -1.0);
    EXPECT_TRUE(moved.arrived) << moved.reason;
    for (const JointRef<Planar>& bearing : bearings)
      EXPECT_LE(angle_between(value_of(simulation, moved.state, joint_coordinate(bearing)), -1), met);
  }
}

}  // namespace reassembly_test
}  // namespace linkwork::test
