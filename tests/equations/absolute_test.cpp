#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/bodies/massless_node.hpp>
#include <linkwork/bodies/point_mass.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/core/dense_factors.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/forces/actuator.hpp>
#include <linkwork/forces/applied_force.hpp>
#include <linkwork/forces/dry_friction.hpp>
#include <linkwork/joints/constraints/rod.hpp>
#include <linkwork/joints/fixed.hpp>
#include <linkwork/joints/prismatic.hpp>
#include <linkwork/joints/revolute.hpp>
#include <linkwork/solvers/formulations/absolute.hpp>

#include "../core/expect_error.hpp"
#include "../random_mechanism.hpp"
#include "dense_solution.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>

#include <gtest/gtest.h>

namespace linkwork::test {
namespace absolute_test {

// Values below are a few operations away from what is expected.
constexpr double rounding = 1e-14;

constexpr double mass = 2, inertia = 0.5, arm = 0.3, omega = 3, gravity = 9.81;

/// A pendulum lying on the x axis, with its centre of mass off its origin, swinging up.
struct Pendulum {
  PlanarModel model{"pendulum"};
  BodyRef<Planar> bob = model.add_body("bob", MassProperties::planar(mass, inertia, {arm, 0}));
  JointRef<Planar> pivot = model.add_joint<Revolute>("pivot", model.ground().origin(), bob.origin());

  Pendulum() {
    model.set_gravity({0, -gravity});
    bob.move({0, 0}, omega);
  }
};

Eigen::MatrixXd matrix(int rows, std::initializer_list<double> values) {
  return Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>(values.begin(), rows,
                                                                          static_cast<int>(values.size()) / rows);
}
Eigen::VectorXd column(std::initializer_list<double> values) {
  return Eigen::Map<const Eigen::VectorXd>(values.begin(), static_cast<Eigen::Index>(values.size()));
}
void expect_near(const Eigen::MatrixXd& found, const Eigen::MatrixXd& expected, double tolerance = rounding) {
  ASSERT_EQ(found.rows(), expected.rows());
  ASSERT_EQ(found.cols(), expected.cols());
  if (expected.size() > 0) {
    EXPECT_LT((found - expected).cwiseAbs().maxCoeff(), tolerance) << found << "\nexpected\n" << expected;
  }
}

TEST(Absolute, GivesThePendulumByHand) {
  Pendulum pendulum;
  const auto equations = make_absolute_equations(pendulum.model);
  const State start = equations->initial_state();
  expect_near(start.p, column({0, arm, 0}));
  expect_near(start.v, column({omega, 0, omega * arm}));
  equations->set(start);
  expect_near(equations->M().dense(), matrix(3, {inertia, 0, 0, 0, mass, 0, 0, 0, mass}));
  expect_near(equations->G().dense(), matrix(2, {0, 1, 0, -arm, 0, 1}));
  expect_near(equations->C().dense(), equations->G().dense());
  expect_near(equations->velocity_offset(), column({0, 0}));
  expect_near(equations->g(), column({0, 0}));
  expect_near(equations->f(), column({0, 0, -mass * gravity}));
  expect_near(equations->gamma(), column({-omega * omega * arm, 0}));
  const Energies energies = equations->energies();
  EXPECT_NEAR(energies.kinetic, 0.5 * (inertia + mass * arm * arm) * omega * omega, rounding);
  EXPECT_NEAR(energies.potential, 0, rounding);
}

TEST(Absolute, NamesItsEntriesAndUnits) {
  Pendulum pendulum;
  const auto equations = make_absolute_equations(pendulum.model);
  EXPECT_EQ(equations->position_name(0), "bob: angle");
  EXPECT_EQ(equations->position_name(2), "bob: y");
  EXPECT_EQ(equations->velocity_name(0), "bob: angular velocity");
  EXPECT_EQ(equations->velocity_name(1), "bob: x velocity");
  EXPECT_EQ(equations->position_measure(0), Measure::angle);
  EXPECT_EQ(equations->position_measure(1), Measure::length);
  EXPECT_EQ(equations->constraint_name(1), "pivot: row 2");
  EXPECT_EQ(equations->model_name(), "pendulum");
  EXPECT_EQ(equations->space_name(), "planar");
  EXPECT_EQ(equations->formulation_name(), "absolute");

  SpatialModel model;
  model.add_body("ball", MassProperties::sphere(1, 0.1));
  const auto spatial = make_absolute_equations(model);
  EXPECT_EQ(spatial->position_name(0), "ball: qw");
  EXPECT_EQ(spatial->position_name(6), "ball: z");
  EXPECT_EQ(spatial->position_measure(3), Measure::unknown);
  EXPECT_EQ(spatial->velocity_name(2), "ball: angular velocity z");
  EXPECT_EQ(spatial->velocity_name(3), "ball: x velocity");
}

TEST(Absolute, ReportsResidualsByUnit) {
  PlanarModel model;
  auto body = model.add_body("body", MassProperties::planar(1, 1));
  model.add_joint<Fixed>("weld", model.ground().at({1, 0}), body.at({0.75, 0}));
  body.place({0, 0}, 0).move({0, 0.5}, 0.125);
  const auto equations = make_absolute_equations(model);
  equations->set(equations->initial_state());
  const ConstraintResidual residual = equations->constraint_residual();
  EXPECT_NEAR(residual.position_m, 0.25, rounding);
  EXPECT_NEAR(residual.position_rad, 0, rounding);
  EXPECT_NEAR(residual.velocity_m_per_s, 0.5 + 0.125 * 0.75, rounding);
  EXPECT_NEAR(residual.velocity_rad_per_s, 0.125, rounding);

  SpatialModel free;
  free.add_body("ball", MassProperties::sphere(1, 1));
  const auto flying = make_absolute_equations(free);
  State state = flying->initial_state();
  state.p.head<4>() *= 1.5;
  flying->set(state);
  EXPECT_NEAR(flying->constraint_residual().normalisation, 0.5, rounding);
}

// Space.

TEST(Absolute, TurnsVelocitiesAndTorquesIntoBodyAxes) {
  SpatialModel model;
  const Eigen::Matrix3d moments = Eigen::Vector3d(1, 1.5, 2).asDiagonal();
  auto body = model.add_body("body", MassProperties::given(2, {0.1, 0, 0}, moments));
  const Eigen::Quaterniond quarter(Eigen::AngleAxisd(M_PI / 2, Eigen::Vector3d::UnitZ()));  // body x is ground y
  const Eigen::Vector3d spin(1, 2, 3);
  body.place({5, 6, 7}, quarter).move({0.5, 0, 0}, spin);
  const auto equations = make_absolute_equations(model);
  const State start = equations->initial_state();
  const double half = std::sqrt(0.5);
  expect_near(start.p, column({half, 0, 0, half, 5, 6.1, 7}));
  const Eigen::Vector3d in_body(2, -1, 3);
  expect_near(start.v.head<3>(), in_body);
  expect_near(start.v.tail<3>(), Eigen::Vector3d(0.5, 0, 0) + spin.cross(Eigen::Vector3d(0, 0.1, 0)));
  equations->set(start);
  expect_near(equations->f().head<3>(), -in_body.cross(moments * in_body));
  expect_near(equations->M().dense().topLeftCorner(3, 3), moments);

  // q' = q (0, omega) / 2 in body axes, also where |q| is not 1.
  State off = start;
  off.p.head<4>() *= 2;
  equations->set(off);
  Eigen::VectorXd rate, stepped;
  equations->position_rate(rate);
  const Eigen::Quaterniond product = quarter * Eigen::Quaterniond(0, in_body.x(), in_body.y(), in_body.z());
  expect_near(rate.head<4>(), column({product.w(), product.x(), product.y(), product.z()}));
  equations->position_step(0.25 * off.v, stepped);
  expect_near(stepped, off.p + 0.25 * rate);
}

TEST(Absolute, NormalisesToTheNearerQuaternion) {
  SpatialModel model;
  model.add_body("ball", MassProperties::sphere(1, 1));
  const auto equations = make_absolute_equations(model);
  Eigen::VectorXd p = column({-3, 0, 0, -4, 1, 2, 3});
  equations->normalise(column({1, 0, 0, 0, 0, 0, 0}), p);
  expect_near(p, column({0.6, 0, 0, 0.8, 1, 2, 3}));
}

// Forces.

TEST(Absolute, ForcesMayReadReactions) {
  // A slider on the x axis, pressed down by its weight, dragged by friction in the direction of +x.
  PlanarModel model;
  model.set_gravity({0, -gravity});
  auto slider = model.add_body("slider", MassProperties::planar(mass, inertia));
  const auto rail = model.add_joint<Prismatic>("rail", model.ground().origin(), slider.origin(), Axis::x());
  model.add_force<DryFriction<Planar>>(
      "friction", rail, model.ground().origin(), slider.origin(),
      DryFriction<Planar>::Options{
          .coefficient = 0.5, .normal = {0, 1}, .tangent = {1, 0}, .direction = DryFriction<Planar>::Direction::given});
  const auto equations = make_absolute_equations(model);
  ASSERT_TRUE(equations->forces_read_multipliers());
  State state = equations->initial_state();
  equations->set(state);
  const Eigen::MatrixXd G = equations->G().dense();
  const double support = mass * gravity;  // G^T lambda = weight in y
  state.lambda = solve_least_squares(G.transpose(), column({0, 0, -support}));
  equations->set(state);
  expect_near(equations->f(), column({0, 0.5 * support, -support}), 1e-13);

  // f depends on lambda linearly. Differences with steps of 2e-5: rounding 20 eps / 2e-5 = 2e-10.
  const Eigen::MatrixXd F = equations->force_jacobian().dense();
  Eigen::VectorXd more = state.lambda + column({1, 2});
  const Eigen::VectorXd before = equations->f();
  equations->set_multipliers(more);
  expect_near(equations->f() - before, F * column({1, 2}), 1e-9);
}

TEST(Absolute, RemembersAndSwitches) {
  PlanarModel model;
  auto slider = model.add_body("slider", MassProperties::planar(mass, inertia));
  const auto rail = model.add_joint<Prismatic>("rail", model.ground().origin(), slider.origin(), Axis::x());
  model.add_force<DryFriction<Planar>>(
      "friction", rail, model.ground().origin(), slider.origin(),
      DryFriction<Planar>::Options{.coefficient = 0.5,
                                   .normal = {0, 1},
                                   .tangent = {1, 0},
                                   .direction = DryFriction<Planar>::Direction::frozen});
  slider.move({2, 0});
  const auto equations = make_absolute_equations(model);
  State state = equations->initial_state();
  equations->set(state);
  ASSERT_EQ(equations->switches(), 1);
  EXPECT_EQ(equations->switch_name(0), "friction: switch 1");
  EXPECT_NEAR(equations->switching_function(0), 2, rounding);
  const Eigen::MatrixXd G = equations->G().dense();
  state.lambda = solve_least_squares(G.transpose(), column({0, 0, -10}));
  equations->set(state);
  EXPECT_NEAR(equations->f()[1], -5, 1e-13);
  equations->remember(true, 0);
  EXPECT_NEAR(equations->f()[1], 5, 1e-13) << "what was computed before must not survive";
  equations->forget();
  EXPECT_NEAR(equations->f()[1], 0, 1e-13);
}

TEST(Absolute, HasStatesOfForceElements) {
  Pendulum pendulum;
  const auto load = pendulum.model.add_force<Actuator<Planar>>(
      "motor", pendulum.model.ground().origin(), pendulum.bob.origin(),
      Actuator<Planar>::Options{
          .command = [](const Motion<Planar>& m) { return 1 + m.time(); }, .time_constant = 0.5, .initial = 4});
  pendulum.model.add_observable("torque", "N m", [=](const Snapshot<Planar>& s) { return s.state(load, 0); });
  const auto equations = make_absolute_equations(pendulum.model);
  ASSERT_EQ(equations->dimensions().r, 1);
  EXPECT_EQ(equations->state_name(0), "motor: state 1");
  State state = equations->initial_state();
  state.t = 2;
  expect_near(state.r, column({4}));
  equations->set(state);
  expect_near(equations->r_rate(), column({(3 - 4) / 0.5}));
  expect_near(equations->f(), column({4, 0, -mass * gravity}));
  EXPECT_NEAR(equations->element_power(), 4 * omega, rounding * 10);
  Eigen::VectorXd values;
  equations->observables(state, values);
  expect_near(values, column({4}));
}

// Observables.

TEST(Absolute, ShowsTheMotionToObservables) {
  Pendulum pendulum;
  const Frame<Planar> tip = pendulum.bob.at({2 * arm, 0}, 0.25);
  auto& model = pendulum.model;
  const auto add = [&](const char* name, auto value) { model.add_observable(name, "", value); };
  using View = Snapshot<Planar>;
  add("tip x", [=](const View& s) { return s.pose(tip).position.x(); });
  add("tip angle", [=](const View& s) { return s.pose(tip).angle; });
  add("tip y'", [=](const View& s) { return s.velocity(tip).linear.y(); });
  add("tip x''", [=](const View& s) { return s.acceleration(tip).linear.x(); });
  add("tip y''", [=](const View& s) { return s.acceleration(tip).linear.y(); });
  add("support", [pivot = pendulum.pivot](const View& s) { return s.reaction(pivot).force.y(); });
  add("lambda", [pivot = pendulum.pivot](const View& s) { return s.multiplier(pivot, 1); });
  add("ground", [ground = model.ground().origin()](const View& s) { return s.acceleration(ground).linear.norm(); });
  const auto equations = make_absolute_equations(model);
  State state = equations->initial_state();
  solve_accelerations(*equations, state);
  Eigen::VectorXd values;
  equations->observables(state, values);
  const double alpha = -mass * gravity * arm / (inertia + mass * arm * arm);
  const double support = mass * (gravity + alpha * arm);
  expect_near(values,
              column({2 * arm, 0.25, omega * 2 * arm, -omega * omega * 2 * arm, alpha * 2 * arm, support, -support, 0}),
              1e-13);
  EXPECT_EQ(equations->observable_names()[2], "tip y'");
}

TEST(Absolute, ObservesAccelerationsInSpace) {
  // The acceleration of a frame against differences of its velocity along the motion; step and bound as in
  // derivatives_test.cpp.
  SpatialModel model = random_mechanism<Spatial>({.seed = 5, .forces = true});
  const Frame<Spatial> tip = model.body("body 3").at({0.3, -0.2, 0.5});
  for (int i = 0; i < 3; ++i) {
    model.add_observable(concat("v", i), "m/s", [=](const Snapshot<Spatial>& s) { return s.velocity(tip).linear[i]; });
    model.add_observable(concat("a", i), "m/s^2",
                         [=](const Snapshot<Spatial>& s) { return s.acceleration(tip).linear[i]; });
  }
  const auto equations = make_absolute_equations(model);
  State state = equations->initial_state();
  equations->set(state);
  state.v = consistent_velocity(*equations, Eigen::VectorXd::Ones(state.v.size()));
  solve_accelerations(*equations, state);
  Eigen::VectorXd p_rate, here, there;
  equations->position_rate(p_rate);
  equations->observables(state, here);
  const auto velocity = [&](double s) {
    State moved = state;
    moved.p += s * p_rate;
    moved.v += s * state.a;
    equations->observables(moved, there);
    return Eigen::Vector3d(there[0], there[2], there[4]);
  };
  constexpr double h = 0.001;
  const Eigen::Vector3d rate = (45 * (velocity(h) - velocity(-h)) - 9 * (velocity(2 * h) - velocity(-2 * h)) +
                                velocity(3 * h) - velocity(-3 * h)) /
                               (60 * h);
  expect_near(Eigen::Vector3d(here[1], here[3], here[5]), rate, 1e-9);
}

// Structure.

/// Every block of the matrix belongs to exactly one entry of the tree, in the right rows and columns.
void expect_tree_covers(const BlockTree& tree, const BlockMatrix& matrix) {
  std::vector<int> used(matrix.blocks().size(), 0);
  const auto check = [&](int block, int row, int count, int node) {
    ASSERT_GE(block, 0);
    const BlockMatrix::Block& found = matrix.blocks()[static_cast<std::size_t>(block)];
    ++used[static_cast<std::size_t>(block)];
    EXPECT_EQ(found.row, row);
    EXPECT_EQ(found.height, count);
    EXPECT_EQ(found.column, tree.nodes[static_cast<std::size_t>(node)].column);
    EXPECT_EQ(found.width, tree.nodes[static_cast<std::size_t>(node)].size);
  };
  for (int k = 0; k < static_cast<int>(tree.nodes.size()); ++k) {
    const BlockTree::Node& node = tree.nodes[static_cast<std::size_t>(k)];
    EXPECT_LT(node.father, k);
    for (const BlockTree::Rows& rows : node.rows) {
      check(rows.own_block, rows.row, rows.count, k);
      if (node.father >= 0) check(rows.father_block, rows.row, rows.count, node.father);
      if (node.father < 0) {
        EXPECT_EQ(rows.father_block, -1);
      }
    }
  }
  for (const BlockTree::Closure& closure : tree.closures)
    for (const BlockTree::Closure::Part& part : closure.parts) check(part.block, closure.row, closure.count, part.node);
  for (const int count : used) EXPECT_EQ(count, 1);
}

TEST(Absolute, PublishesTheBlocksAlongTheTree) {
  for (const RandomMechanism& options : random_mechanisms(5)) {
    SCOPED_TRACE(testing::Message() << options);
    const auto model = random_mechanism<Spatial>(options);
    const auto equations = make_absolute_equations(model);
    equations->set(equations->initial_state());
    expect_tree_covers(*equations->velocity_tree(), equations->G());
    expect_tree_covers(*equations->position_tree(), equations->C());
    for (const BlockTree::Node& node : equations->velocity_tree()->nodes)
      if (node.mass_block >= 0) {
        const BlockMatrix::Block& block = equations->M().blocks()[static_cast<std::size_t>(node.mass_block)];
        EXPECT_EQ(block.column, node.column);
        EXPECT_EQ(block.width, node.size);
      }
  }
}

TEST(Absolute, KeepsHolonomicRowsBeforeTheOthers) {
  const auto model = random_mechanism<Planar>({.seed = 3, .nonholonomic = true});
  const auto equations = make_absolute_equations(model);
  EXPECT_EQ(equations->dimensions().mu, 1);
  EXPECT_EQ(equations->constraint_name(equations->dimensions().lambda).substr(0, 10), "knife edge");
  EXPECT_EQ(equations->C().rows(), equations->dimensions().lambda);
}

/// Accelerations and multipliers by name.
std::map<std::string, double> solution_by_name(EquationsOfMotion& equations) {
  State state = equations.initial_state();
  equations.set(state);
  solve_accelerations(equations, state);
  std::map<std::string, double> out;
  for (int i = 0; i < equations.dimensions().v; ++i) out[equations.velocity_name(i)] = state.a[i];
  for (int i = 0; i < equations.dimensions().constraints(); ++i) out[equations.constraint_name(i)] = state.lambda[i];
  return out;
}

TEST(Absolute, OrderOfInsertionDoesNotMatter) {
  for (RandomMechanism options : random_mechanisms(3)) {
    SCOPED_TRACE(testing::Message() << options);
    const auto model = random_mechanism<Spatial>(options);
    options.order = 77;
    const auto shuffled = random_mechanism<Spatial>(options);
    const auto first = solution_by_name(*make_absolute_equations(model));
    const auto second = solution_by_name(*make_absolute_equations(shuffled));
    ASSERT_EQ(first.size(), second.size());
    double size = 1;
    for (const auto& [name, value] : first) size = std::max(size, std::abs(value));
    // Rounding of a dense solution with condition numbers up to 1e5.
    for (const auto& [name, value] : first) EXPECT_NEAR(value, second.at(name), 1e-11 * size) << name;
  }
}

TEST(Absolute, TurningAndShiftingTheModelDoesNotMatter) {
  for (RandomMechanism options : random_mechanisms(3)) {
    SCOPED_TRACE(testing::Message() << options);
    const auto model = random_mechanism<Spatial>(options);
    options.turn = 0.7;
    options.shift = 3;
    const auto moved = random_mechanism<Spatial>(options);
    const auto first = solution_by_name(*make_absolute_equations(model));
    const auto second = solution_by_name(*make_absolute_equations(moved));
    double size = 1;
    for (const auto& [name, value] : first) size = std::max(size, std::abs(value));
    for (const auto& [name, value] : first)  // body axes, so the same numbers
      if (name.find("angular velocity") != std::string::npos) {
        EXPECT_NEAR(value, second.at(name), 1e-11 * size) << name;
      }
  }
}

// Constraints of a user.

/// Keeps the centre of the second frame midway between those of the first and third; with rows scaled by `factor`.
class Midway final : public Constraint<Planar> {
 public:
  Midway(std::vector<Frame<Planar>> frames, double factor) : Constraint(std::move(frames)), factor_(factor) {}
  std::string_view type() const override { return "midway"; }
  int rows() const override { return 2; }
  bool has_position_rows() const override { return factor_ != 1; }

 private:
  void do_residual(const Motion<Planar>& m, double* g) const override {
    const Eigen::Vector2d value =
        m.frame(1).pose.position - 0.5 * (m.frame(0).pose.position + m.frame(2).pose.position);
    g[0] = value.x();
    g[1] = value.y();
  }
  void write(ConstraintRows<Planar>& out, double factor) const {
    for (int i = 0; i < 2; ++i) {
      out.add_linear(i, 0, -0.5 * factor * Eigen::Vector2d::Unit(i));
      out.add_linear(i, 1, factor * Eigen::Vector2d::Unit(i));
      out.add_linear(i, 2, -0.5 * factor * Eigen::Vector2d::Unit(i));
    }
  }
  void do_rows(const Motion<Planar>&, ConstraintRows<Planar>& out) const override { write(out, factor_); }
  void do_position_rows(const Motion<Planar>&, ConstraintRows<Planar>& out) const override { write(out, 1); }
  double factor_;
};

TEST(Absolute, TakesConstraintsOnThreeBodies) {
  PlanarModel model;
  std::vector<Frame<Planar>> frames;
  for (const char* name : {"a", "b", "c"})
    frames.push_back(model.add_body(name, MassProperties::planar(1, 1)).origin());
  model.add_constraint<Midway>("midway", frames, 1.0);
  const auto equations = make_absolute_equations(model);
  equations->set(equations->initial_state());
  expect_near(equations->G().dense(), matrix(2, {0, -0.5, 0, 0, 1, 0, 0, -0.5, 0, 0, 0, -0.5, 0, 0, 1, 0, 0, -0.5}));
  ASSERT_EQ(equations->velocity_tree()->closures.size(), 1u);
  EXPECT_EQ(equations->velocity_tree()->closures[0].parts.size(), 3u);
  expect_tree_covers(*equations->velocity_tree(), equations->G());
}

TEST(Absolute, MergesFramesOnOneBodyAndDropsTheGround) {
  PlanarModel model;
  auto body = model.add_body("body", MassProperties::planar(1, 1));
  model.add_constraint<Midway>(
      "midway", std::vector<Frame<Planar>>{body.at({0, 1}), body.at({0, 0}), model.ground().origin()}, 1.0);
  const auto equations = make_absolute_equations(model);
  equations->set(equations->initial_state());
  // -1/2 of a point one above the centre: angular part -1/2 (0,1) x (1,0) = 1/2 in the first row.
  expect_near(equations->G().dense(), matrix(2, {0.5, 0.5, 0, 0, 0, 0.5}));
  expect_tree_covers(*equations->velocity_tree(), equations->G());
}

TEST(Absolute, KeepsRowsThatAreNotTheDerivativeOfTheResidualApart) {
  PlanarModel model;
  auto body = model.add_body("body", MassProperties::planar(1, 1));
  model.add_joint<Revolute>("pin", model.ground().origin(), body.origin());
  auto second = model.add_body("second", MassProperties::planar(1, 1));
  model.add_constraint<Midway>(
      "midway", std::vector<Frame<Planar>>{body.at({1, 0}), second.origin(), model.ground().origin()}, 3.0);
  const auto equations = make_absolute_equations(model);
  equations->set(equations->initial_state());
  const Eigen::MatrixXd G = equations->G().dense(), C = equations->C().dense();
  expect_near(G.topRows(2), C.topRows(2));
  expect_near(G.bottomRows(2), 3 * C.bottomRows(2));
}

// Counting.

/// Counts what it is asked for.
class CountingPin final : public Constraint<Planar> {
 public:
  struct Counts {
    std::int64_t residual = 0, rows = 0;
  };
  CountingPin(const Frame<Planar>& frame, Counts& counts) : Constraint({frame}), counts_(counts) {}
  std::string_view type() const override { return "counting pin"; }
  int rows() const override { return 1; }

 private:
  void do_residual(const Motion<Planar>& m, double* g) const override {
    ++counts_.residual;
    g[0] = m.frame(0).pose.position.x();
  }
  void do_rows(const Motion<Planar>&, ConstraintRows<Planar>& out) const override {
    ++counts_.rows;
    out.add_linear(0, 0, {1, 0});
  }
  Counts& counts_;
};

TEST(Absolute, CountsWhatElementsCount) {
  PlanarModel model;
  auto body = model.add_body("body", MassProperties::planar(1, 1));
  CountingPin::Counts counts;
  std::int64_t forces = 0;
  model.add_constraint<CountingPin>("pin", body.origin(), counts);
  model.add_force<AppliedForce>("pull", body.origin(), [&](const Motion<Planar>&) {
    ++forces;
    return Eigen::Vector2d(1, 0);
  });
  const auto equations = make_absolute_equations(model);
  const State state = equations->initial_state();
  for (int i = 0; i < 5; ++i) {
    equations->set(state);
    equations->G();
    equations->velocity_offset();
    if (i < 3) equations->g();
    if (i < 2) equations->f();
    if (i < 1) equations->C();
    equations->energies();
  }
  EXPECT_EQ(equations->counters().matrix, 5);
  EXPECT_EQ(equations->counters().position_matrix, 1);
  EXPECT_EQ(equations->counters().residual, 3);
  EXPECT_EQ(counts.rows, equations->counters().matrix + equations->counters().position_matrix);
  EXPECT_EQ(counts.residual, equations->counters().residual);
  EXPECT_EQ(forces, equations->counters().force);
}

// Size.

TEST(Absolute, HoldsTenThousandBodies) {
  PlanarModel model;
  Frame<Planar> hook = model.ground().origin();
  for (int i = 0; i < 10000; ++i) {
    auto link = model.add_body(concat("link ", i), MassProperties::planar(1, 0.1));
    link.place({0, -i - 0.5});
    model.add_joint<Revolute>(concat("joint ", i), hook, link.at({0, 0.5}));
    hook = link.at({0, -0.5});
  }
  const auto equations = make_absolute_equations(model);
  equations->set(equations->initial_state());
  EXPECT_LT(equations->g().cwiseAbs().maxCoeff(), rounding);
  EXPECT_EQ(equations->position_name(29999), "link 9999: y");
  EXPECT_TRUE(equations->velocity_tree()->closures.empty());
}

// Errors.

TEST(AbsoluteErrors, RefusesElementsWithoutEffect) {
  PlanarModel weightless("weightless");
  weightless.add_body<MasslessNode>("node");
  weightless.set_gravity({0, -9.81});
  expect_error<ModelError>(
      "model 'weightless': gravity is (    0 -9.81) m/s^2, but no body has mass, so that it contributes nothing; give "
      "a "
      "body mass or set gravity to zero.",
      [&] { make_absolute_equations(weightless); });
}

TEST(AbsoluteErrors, RefusesAnEmptyModel) {
  SpatialModel model;
  expect_error<ModelError>("topology: the model has no body; add one with add_body.",
                           [&] { make_absolute_equations(model); });
}

TEST(AbsoluteErrors, RefusesTorquesOnPoints) {
  PlanarModel model;
  auto point = model.add_body<PointMass>("point", 1.0);
  model.add_joint<Fixed>("weld", model.ground().origin(), point.origin());
  expect_error<ModelError>(
      "constraint 'weld' (fixed) acts on the rotation of body 'point' (point mass), which does not rotate; use a "
      "constraint between points, or a rigid body.",
      [&] { make_absolute_equations(model); });

  PlanarModel driven;
  auto bead = driven.add_body<PointMass>("bead", 1.0);
  driven.add_force<Actuator<Planar>>(
      "motor", driven.ground().origin(), bead.origin(),
      Actuator<Planar>::Options{
          .command = [](const Motion<Planar>&) { return 1.0; }, .time_constant = 1, .initial = 1});
  const auto equations = make_absolute_equations(driven);
  equations->set(equations->initial_state());
  expect_error<ModelError>(
      "force 'motor' (actuator) puts a torque on body 'bead' (point mass), which does not rotate; act on a rigid body, "
      "or give a force without torque.",
      [&] { equations->f(); });
}

/// Gives what it is told to.
class Faulty final : public ForceElement<Planar> {
 public:
  Faulty(const Frame<Planar>& frame, double force, double rate) : ForceElement({frame}), force_(force), rate_(rate) {}
  std::string_view type() const override { return "faulty"; }
  int states() const override { return 1; }
  int switches() const override { return 1; }

 private:
  void do_add_to(const Motion<Planar>&, ForceSums<Planar>& sums) const override {
    if (force_ < 0) throw RecoverableFailure("the table ends at 0.");
    sums.add_force(0, {force_, 0});
  }
  void do_state_rates(const Motion<Planar>&, double* rates) const override { rates[0] = rate_; }
  double do_switching_function(const Motion<Planar>&, int) const override { return rate_; }
  double force_, rate_;
};

TEST(AbsoluteErrors, NameTheForceAndTheTime) {
  const auto equations_with = [](double force, double rate) {
    PlanarModel model;
    model.add_force<Faulty>("pull", model.add_body("body", MassProperties::planar(1, 1)).origin(), force, rate);
    auto equations = make_absolute_equations(model);
    State state = equations->initial_state();
    state.t = 1.5;
    equations->set(state);
    return equations;
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_error<NonFiniteValue>(
      "force 'pull' (faulty) gives a force that is not finite at t = 1.5 s: (nan, 0) N and (0) N m on its frame 0; "
      "check "
      "its function.",
      [&] { equations_with(nan, 0)->f(); });
  expect_error<NonFiniteValue>(
      "force 'pull' (faulty) gives a state rate that is not finite at t = 1.5 s: (nan); check its function.",
      [&] { equations_with(1, nan)->r_rate(); });
  expect_error<NonFiniteValue>(
      "force 'pull' (faulty) gives a switching function that is not finite at t = 1.5 s: nan; check "
      "its function.",
      [&] { equations_with(1, nan)->switching_function(0); });
  expect_error<RecoverableFailure>("'pull' at t = 1.5 s: the table ends at 0.", [&] { equations_with(-1, 0)->f(); });
}

TEST(AbsoluteErrors, NameTheConstraintOfAFailure) {
  PlanarModel model;
  auto body = model.add_body("body", MassProperties::planar(1, 1));
  model.add_constraint<Rod>("rod", model.ground().at({1, 0}), body.origin(), Input([](double t) {
                              return InputValue{1 - t, -1, 0};
                            }));
  const auto equations = make_absolute_equations(model);
  equations->set_position(3, equations->initial_state().p);
  try {
    equations->g();
    FAIL() << "nothing was thrown";
  } catch (const RecoverableFailure& error) {
    EXPECT_EQ(std::string(error.what()).substr(0, 30), "'rod' at t = 3 s: the prescrib") << error.what();
  }
}

TEST(AbsoluteErrors, RefusesForeignHandlesInObservables) {
  PlanarModel other;
  const auto stranger = other.add_body("stranger", MassProperties::planar(1, 1));
  const auto observe = [](auto value) {
    Pendulum pendulum;
    pendulum.model.add_observable("value", "m", value(pendulum));
    const auto equations = make_absolute_equations(pendulum.model);
    Eigen::VectorXd values;
    equations->observables(equations->initial_state(), values);
  };
  using View = Snapshot<Planar>;
  using Value = std::function<double(const View&)>;
  expect_error<ModelError>(
      "observable 'value': a frame does not belong to model 'pendulum'; use the handles of this model.", [&] {
        observe([&](Pendulum&) -> Value { return [=](const View& s) { return s.pose(stranger.origin()).angle; }; });
      });
  expect_error<ModelError>("observable 'value': constraint 'pivot' has no row 2; it has 2, counted from 0.", [&] {
    observe([&](Pendulum& p) -> Value { return [pivot = p.pivot](const View& s) { return s.multiplier(pivot, 2); }; });
  });
  expect_error<ModelError>("observable 'value': force 'pull' has no state 0; it has 0, counted from 0.", [&] {
    observe([&](Pendulum& p) -> Value {
      const auto pull = p.model.add_force<AppliedForce>("pull", p.bob.origin(), Eigen::Vector2d(1, 0));
      return [pull](const View& s) { return s.state(pull, 0); };
    });
  });
}

TEST(AbsoluteErrors, NamesTheObservableThatCannotBeEvaluated) {
  Pendulum pendulum;
  pendulum.model.add_observable(
      "table", "", [](const Snapshot<Planar>&) -> double { throw RecoverableFailure("the table ends at x = 0.5"); });
  const auto equations = make_absolute_equations(pendulum.model);
  State state = equations->initial_state();
  state.t = 3;
  Eigen::VectorXd values;
  expect_error<RecoverableFailure>("observable 'table' at t = 3 s: the table ends at x = 0.5",
                                   [&] { equations->observables(state, values); });
}

}  // namespace absolute_test
}  // namespace linkwork::test
