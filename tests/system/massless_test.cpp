// Massless nodes take part in a motion without changing it: every model is run against one without them.

#include "observed.hpp"

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/bodies/massless_frame.hpp>
#include <linkwork/bodies/massless_node.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/forces/spring_damper.hpp>
#include <linkwork/joints/constraints/rod.hpp>
#include <linkwork/joints/revolute.hpp>
#include <linkwork/joints/spherical.hpp>
#include <linkwork/joints/universal.hpp>

#include <gtest/gtest.h>

namespace linkwork::test {
namespace massless_test {

const std::vector<double> times{0.3, 0.7, 1.0};
constexpr double tolerance = 1e-10;
// Both runs have errors of the tolerance in every step, some fifty, which the motion amplifies. Accelerations and
// reactions are not controlled. Worst seen 1.3e-9 and 2.4e-7.
constexpr double motion_bound = 1e-8, forces_bound = 2e-6;

/// (x, y) in the plane, (x, y, z) in space.
template <class Space>
Vector<Space> at(double x, double y, double z = 0) {
  if constexpr (Space::dimension == 2)
    return {x, y};
  else
    return {x, y, z};
}

template <class Space>
void pin(Model<Space>& model, const std::string& name, const Frame<Space>& a, const Frame<Space>& b) {
  if constexpr (Space::dimension == 2)
    model.template add_joint<Revolute>(name, a, b);
  else
    model.template add_joint<Spherical>(name, a, b);
}

template <class Space>
Frame<Space> add_node(Model<Space>& model, const std::string& name, const Vector<Space>& place,
                      const Vector<Space>& velocity) {
  return model.template add_body<MasslessNode>(name).place(place).move(velocity).origin();
}

enum Nodes : unsigned { none = 0, at_root = 1, inside = 2, in_a_row = 4, at_leaf = 8, all = 15 };

/// An arm and a bob pinned to it, then a weight on a rod below the bob, with a spring from the weight to the ground;
/// the arm hangs on the ground or flies. Bodies lie along x, the rod along -y.
template <class Space>
Model<Space> arm_and_bob(unsigned nodes, bool flying) {
  Model<Space> model("arm and bob");
  model.set_gravity(at<Space>(0, -9.81));
  auto arm = model.add_body("arm", MassProperties::box(1.2, {1, 0.2, 0.1})).place(at<Space>(0.5, 0));
  auto bob = model.add_body("bob", MassProperties::box(0.8, {0.6, 0.1, 0.2})).place(at<Space>(1.3, 0));
  auto weight = model.add_body("weight", MassProperties::box(0.5, {0.2, 0.3, 0.2})).place(at<Space>(1.6, -0.55, 0.05));
  const Vector<Space> velocity = flying ? at<Space>(1, 2, 0.5) : at<Space>(0, 0);
  for (auto* body : {&arm, &bob, &weight}) body->move(velocity);
  const auto node = [&](const std::string& name, double x, double y, double z = 0) {
    return add_node(model, name, at<Space>(x, y, z), velocity);
  };

  if (!flying) {
    Frame<Space> support = model.ground().origin();
    if (nodes & at_root) {
      const Frame<Space> root = node("root node", 0, 0);
      pin(model, "root", support, root);
      support = root;
    }
    pin(model, "pivot", support, arm.at(at<Space>(-0.5, 0)));
  }

  Frame<Space> end = arm.at(at<Space>(0.5, 0));
  if (nodes & inside) {
    const Frame<Space> between = node("elbow node", 1, 0);
    pin(model, "first elbow", end, between);
    end = between;
  }
  pin(model, "elbow", end, bob.at(at<Space>(-0.3, 0)));

  Frame<Space> upper = bob.at(at<Space>(0.3, 0)), lower = weight.at(at<Space>(0, 0.15, -0.05));
  if (nodes & in_a_row) {
    const Frame<Space> first = node("upper node", 1.6, 0);
    const Frame<Space> second = node("lower node", 1.6, -0.4);
    pin(model, "upper end", upper, first);
    pin(model, "lower end", second, lower);
    upper = first;
    lower = second;
  }
  model.template add_constraint<Rod>("rod", upper, lower, 0.4);

  Frame<Space> hook = weight.at(at<Space>(0, -0.15));
  if (nodes & at_leaf) {
    const Frame<Space> leaf = node("hook node", 1.6, -0.7, 0.05);
    pin(model, "hook", hook, leaf);
    hook = leaf;
  }
  model.template add_force<SpringDamper>("spring", hook, model.ground().at(at<Space>(2, -1, 0.3)),
                                         {.stiffness = 60, .damping = 2, .free_length = 0.2});
  return model;
}

SimulationOptions options(const std::string& solver) {
  return {.linear_solver = solver, .integrator = ExtrapolationOptions{.rtol = tolerance, .atol = tolerance}};
}

template <class Space>
void expect_same(const Watched<Space>& expected, const Watched<Space>& found) {
  for (std::size_t i = 0; i < times.size(); ++i) {
    const Difference apart = difference(expected.at[i], found.at[i]);
    EXPECT_LT(apart.motion, motion_bound);
    EXPECT_LT(apart.forces, forces_bound);
  }
}

template <class Space>
void expect_nodes_change_nothing(bool flying) {
  Model<Space> without = arm_and_bob<Space>(none, flying);
  const Watched<Space> expected = watch(without, options("dense-lu"), times);
  for (const unsigned nodes : {at_root, inside, in_a_row, at_leaf, all})
    for (const char* solver : {"recursive", "sparse-lu"}) {
      if (flying && nodes == at_root) continue;
      SCOPED_TRACE(testing::Message() << Space::name << (flying ? ", flying" : "") << ", nodes " << nodes << ", "
                                      << solver);
      Model<Space> with = arm_and_bob<Space>(nodes, flying);
      expect_same(expected, watch(with, options(solver), times));
    }
}

TEST(MasslessNodes, ChangeNothingInThePlane) { expect_nodes_change_nothing<Planar>(false); }
TEST(MasslessNodes, ChangeNothingInSpace) { expect_nodes_change_nothing<Spatial>(false); }
TEST(MasslessNodes, ChangeNothingInMechanismsThatFly) {
  expect_nodes_change_nothing<Planar>(true);
  expect_nodes_change_nothing<Spatial>(true);
}

// M is singular: the velocity equations that radau keeps must determine what M leaves open. At 1e-7 per step bdf and
// radau err by some 60 tolerances in motions, by some 400 in forces, which are not controlled.
template <class Space>
void expect_nodes_change_nothing_by(const IntegratorOptions& integrator, Formulation formulation) {
  SCOPED_TRACE(testing::Message() << Space::name << ", " << name_of(formulation));
  Model<Space> without = arm_and_bob<Space>(none, false), with = arm_and_bob<Space>(all, false);
  const Watched<Space> expected = watch(without, options("dense-lu"), times);
  const Watched<Space> found = watch(with, {.formulation = formulation, .integrator = integrator}, times);
  for (std::size_t i = 0; i < times.size(); ++i) {
    const Difference apart = difference(expected.at[i], found.at[i]);
    EXPECT_LT(apart.motion, 2e-5);
    EXPECT_LT(apart.forces, 2e-4);
  }
}

TEST(MasslessNodes, ChangeNothingByImplicitMethods) {
  const BdfOptions bdf{.rtol = 1e-7, .atol = 1e-7};
  expect_nodes_change_nothing_by<Planar>(bdf, Formulation::absolute);
  expect_nodes_change_nothing_by<Planar>(bdf, Formulation::relative);
  expect_nodes_change_nothing_by<Spatial>(bdf, Formulation::relative);
  RadauOptions radau{.rtol = 1e-7, .atol = 1e-7};
  for (const AlgebraicDecomposition algebraic :
       {AlgebraicDecomposition::lu, AlgebraicDecomposition::qr, AlgebraicDecomposition::svd}) {
    radau.algebraic = algebraic;
    expect_nodes_change_nothing_by<Planar>(radau, Formulation::relative);
  }
  radau.algebraic = AlgebraicDecomposition::automatic;
  radau.solver = StageSolver::sparse;
  expect_nodes_change_nothing_by<Planar>(radau, Formulation::absolute);
  expect_nodes_change_nothing_by<Spatial>(radau, Formulation::relative);
}

/// A box on a Cardan joint: one joint, or a massless cross between two revolute joints.
SpatialModel cardan(bool with_cross) {
  SpatialModel model("cardan");
  model.set_gravity({0, -9.81, 0});
  auto box = model.add_body("box", MassProperties::box(1, {0.6, 0.2, 0.1})).place({0.4, 0, 0});
  const auto ground = model.ground().origin(), end = box.at({-0.4, 0, 0});
  if (with_cross) {
    const auto cross = model.add_body<MasslessFrame>("cross").move({0, 0, 0}, {0, 2, 0}).origin();
    model.add_joint<Revolute>("first axis", ground, cross, Axis::y());
    model.add_joint<Revolute>("cardan", cross, end, Axis::z());
  } else {
    model.add_joint<Universal>("cardan", ground, end, Axis::y(), Axis::z());
  }
  box.move({0, 0, -0.8}, {0, 2, 0});
  return model;
}

TEST(MasslessFrames, MakeAUniversalJoint) {
  SpatialModel joint = cardan(false);
  const Watched<Spatial> expected = watch(joint, options("dense-lu"), times);
  for (const char* solver : {"recursive", "sparse-lu"}) {
    SCOPED_TRACE(solver);
    SpatialModel cross = cardan(true);
    expect_same(expected, watch(cross, options(solver), times));
  }
}

}  // namespace massless_test
}  // namespace linkwork::test
