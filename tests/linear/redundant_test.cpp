// Redundant rows: rank, dependencies, reactions of least norm, and what drift must not decide.

#include "drift.hpp"
#include "nearly_dependent.hpp"
#include "posed_tree.hpp"
#include "reference_solution.hpp"

#include "../core/expect_error.hpp"

#include <linkwork/core/dense_factors.hpp>
#include <linkwork/linkwork.hpp>
#include <linkwork/solvers/formulations/absolute.hpp>
#include <linkwork/solvers/linear/redundancy.hpp>
#include <linkwork/solvers/manifold/projection.hpp>

#include <gtest/gtest.h>

#include <array>

namespace linkwork {
namespace redundant_test {

using Eigen::Vector3d;

/// A planar parallelogram of three links made of revolute joints in space: three of the rows at the closure say what
/// the others have said. `skew` tilts the last axis, which makes the closure impossible to hold in motion.
SpatialModel four_bar_in_space() {
  SpatialModel model("four-bar in space");
  model.set_gravity({0, -9.81, 0});
  const Axis axis = Axis::z();
  auto left = model.add_body("left", MassProperties::rod(1.0, 1.0));
  auto top = model.add_body("top", MassProperties::rod(2.0, 2.0));
  auto right = model.add_body("right", MassProperties::rod(1.0, 1.0));
  const Eigen::Quaterniond upright(Eigen::AngleAxisd(0.5, Vector3d::UnitZ()));
  const Vector3d direction = upright * Vector3d::UnitX();
  left.place(direction / 2, upright);
  top.place(direction + Vector3d::UnitX());
  right.place(2 * Vector3d::UnitX() + direction / 2, upright);
  model.add_joint<Revolute>("A", model.ground().origin(), left.at({-0.5, 0, 0}), axis);
  model.add_joint<Revolute>("B", left.at({0.5, 0, 0}), top.at({-1, 0, 0}), axis);
  model.add_joint<Revolute>("C", top.at({1, 0, 0}), right.at({0.5, 0, 0}), axis);
  model.add_joint<Revolute>("D", model.ground().at({2, 0, 0}), right.at({-0.5, 0, 0}), axis);
  return model;
}

SpatialModel bricard() {
  SpatialModel model("bricard");
  model.set_gravity({0, -9.81, 0});
  const std::array<Vector3d, 6> pins = {Vector3d(0, 0, 0),  Vector3d(1, 0, 0),  Vector3d(1, -1, 0),
                                        Vector3d(1, -1, 1), Vector3d(0, -1, 1), Vector3d(0, 0, 1)};
  const std::array<Axis, 6> axes = {Axis::y(), Axis::z(), Axis::x(), Axis::y(), Axis::z(), Axis::x()};
  Frame<Spatial> last = model.ground().origin(), joint_3;
  for (std::size_t i = 0; i < 5; ++i) {
    const Vector3d arm = (pins[i + 1] - pins[i]) / 2;
    Vector3d lengths = Vector3d::Constant(0.1);
    lengths[static_cast<int>(i % 3)] = 1;
    auto rod = model.add_body("rod " + std::to_string(i + 1), MassProperties::box(1, lengths));
    rod.place(pins[i] + arm);
    model.add_joint<Revolute>("joint " + std::to_string(i + 1), last, rod.at(-arm), axes[i]);
    last = rod.at(arm);
    if (i == 1) joint_3 = last;
  }
  model.add_joint<Revolute>("joint 6", model.ground().at(pins[5]), last, axes[5]);
  for (int i = 0; i < 3; ++i)
    model.add_observable("P3" + std::string(1, static_cast<char>('x' + i)), "m",
                         [=](const auto& now) { return now.pose(joint_3).position[i]; });
  return model;
}

/// Equations at their start.
std::unique_ptr<EquationsOfMotion> equations_of(const SpatialModel& model) {
  auto equations = make_absolute_equations(model);
  const State start = equations->initial_state();
  equations->set(start);
  equations->remember(true, -1);
  equations->set(start);
  return equations;
}

TEST(Redundancy, FindsTheRankAndTheDependencies) {
  const auto equations = equations_of(four_bar_in_space());
  const Eigen::MatrixXd G = equations->G().dense();
  const Eigen::VectorXd scales = row_scales(*equations);
  const Redundancy found = find_redundancy(G, scales, equations->characteristic_length());
  EXPECT_EQ(found.rank, 17);  // of 20 rows: 18 freedoms, one of which is left
  EXPECT_EQ(found.independent_rows.size(), 17u);
  ASSERT_EQ(found.redundant_rows.size(), 3u);
  EXPECT_GT(found.gap, 1e10);
  // eps times the size of the combinations.
  EXPECT_LE((G.transpose() * found.combinations).cwiseAbs().maxCoeff(), 1e-13);
  for (int j = 0; j < 3; ++j) {
    EXPECT_EQ(found.combinations(found.redundant_rows[static_cast<std::size_t>(j)], j), 1);
    EXPECT_GT(found.members(j, scales).size(), 1u);
  }
}

TEST(Redundancy, IsNoneInRegularRows) {
  const Redundancy found = find_redundancy(Eigen::MatrixXd::Identity(3, 5), Eigen::VectorXd::Ones(3), 1);
  EXPECT_EQ(found.rank, 3);
  EXPECT_TRUE(found.redundant_rows.empty());
  EXPECT_EQ(find_redundancy(Eigen::MatrixXd(0, 4), Eigen::VectorXd(0), 1).rank, 0);
  EXPECT_EQ(find_redundancy(Eigen::MatrixXd::Ones(3, 1), Eigen::VectorXd::Ones(3), 1).rank, 1);
}

TEST(Redundancy, IsOfAllRowsWhereNothingIsLeftToConstrain) {
  const Eigen::VectorXd scales = Eigen::VectorXd::Ones(3);
  const Redundancy without_columns = find_redundancy(Eigen::MatrixXd(3, 0), scales, 1);
  EXPECT_EQ(without_columns.rank, 0);
  EXPECT_EQ(without_columns.redundant_rows, (std::vector<int>{0, 1, 2}));
  // Rounding errors of a joint that the closures leave as it is, alone and beside one that they hold.
  Eigen::MatrixXd G(3, 2);
  G << 1e-17, 0, -4e-16, 0, 2e-17, 0;
  EXPECT_EQ(find_redundancy(G, scales, 1).rank, 0);
  G(1, 1) = 1;
  EXPECT_EQ(find_redundancy(G, scales, 1).rank, 1);
  // Arms of a mechanism of a micrometre are none.
  G(0, 0) = 1e-7;
  EXPECT_EQ(find_redundancy(G, scales, 1e-6).rank, 2);
}

TEST(Redundancy, IsKeptUntilTheGapIsClear) {
  const Eigen::VectorXd scales = Eigen::VectorXd::Ones(3);
  EXPECT_EQ(find_redundancy(nearly_dependent(1e-8).dense(), scales, 1).rank, 2);
  EXPECT_EQ(find_redundancy(nearly_dependent(1e-5).dense(), scales, 1).rank, 3);
  // Of a row known to be redundant, the same distance is drift; a distance of a hundredth is none.
  EXPECT_EQ(find_redundancy(nearly_dependent(1e-5).dense(), scales, 1, 2).rank, 2);
  EXPECT_EQ(find_redundancy(nearly_dependent(1e-2).dense(), scales, 1, 2).rank, 3);
  EXPECT_EQ(find_redundancy(nearly_dependent(1e-2).dense(), scales, 1, 2, /*force_known*/ true).rank, 2);
}

TEST(Redundancy, ComparesAnglesWithLengthsByTheLeverArms) {
  const auto equations = equations_of(four_bar_in_space());
  // Arms are the halves of the links, two each: 0.5 m, 1 m, 0.5 m.
  const double length = equations->characteristic_length();
  EXPECT_DOUBLE_EQ(length, std::sqrt((4 * 0.25 + 2 * 1) / 6));
  const Eigen::VectorXd scales = row_scales(*equations);
  for (int row = 0; row < 20; ++row)
    EXPECT_EQ(scales[row], equations->constraint_measure(row) == Measure::angle ? length : 1.0)
        << equations->constraint_name(row);
}

TEST(Redundant, GivesTheReactionsOfLeastNorm) {
  const auto equations = equations_of(four_bar_in_space());
  const auto solver = make_linear_solver("redundant", *equations);
  ASSERT_TRUE(solver->analyze(*equations));
  const AugmentedMatrix matrix{MatrixKind::velocity, &equations->M(), &equations->G(), nullptr};
  ASSERT_TRUE(solver->factor(matrix));
  Eigen::VectorXd w, lambda;
  solver->solve(equations->f(), equations->gamma(), w, lambda);

  // Independent route: the pseudo-inverse of the whole matrix with scaled rows.
  const Eigen::VectorXd scales = row_scales(*equations);
  Eigen::MatrixXd A = full_matrix(matrix);
  Eigen::VectorXd b(A.rows());
  b << equations->f(), equations->gamma().cwiseProduct(scales);
  A.bottomRows(20) = scales.asDiagonal() * A.bottomRows(20);
  A.rightCols(20) = A.rightCols(20) * scales.asDiagonal();
  const OrthogonalFactors pseudo_inverse(A, /*threshold*/ 1e-10);
  ASSERT_EQ(pseudo_inverse.rank(), 18 + 17);
  const Eigen::VectorXd x = pseudo_inverse.solve(b);
  // Condition number 1e3 times eps; a wrong norm gives 1e-2 and more.
  EXPECT_LE((w - x.head(18)).norm(), 1e-11 * x.head(18).norm());
  EXPECT_LE((lambda - scales.cwiseProduct(x.tail(20))).norm(), 1e-11 * lambda.norm());
  EXPECT_EQ(solver->redundant_rows().size(), 3u);
}

TEST(Redundant, IsSmoothWhereDriftWouldDecide) {
  const auto equations = equations_of(four_bar_in_space());
  const auto solver = make_linear_solver("redundant", *equations);
  ASSERT_TRUE(solver->analyze(*equations));
  ASSERT_TRUE(solver->factor(MatrixKind::velocity));
  expect_smooth_under_drift(*equations, *solver, 1e-3);
}

TEST(Redundant, SolvesContradictingRowsByLeastSquares) {
  const auto equations = equations_of(four_bar_in_space());
  const auto solver = make_linear_solver("redundant", *equations);
  ASSERT_TRUE(solver->analyze(*equations));
  ASSERT_TRUE(solver->factor(MatrixKind::velocity));
  const Eigen::MatrixXd G = equations->G().dense();
  const Eigen::VectorXd scales = row_scales(*equations);
  std::srand(2);
  const Eigen::VectorXd f = Eigen::VectorXd::Zero(18), g = Eigen::VectorXd::Random(20);
  Eigen::VectorXd w, lambda;
  solver->solve(f, g, w, lambda);
  const Eigen::VectorXd residual = scales.cwiseProduct(G * w - g);
  EXPECT_GT(residual.norm(), 0.1);
  EXPECT_LE((G.transpose() * scales.cwiseProduct(residual)).norm(), 1e-12 * residual.norm());
}

TEST(Redundant, NamesContradictingConstraints) {
  SpatialModel model("twice held");
  auto body = model.add_body("body", MassProperties::box(1, {1, 1, 1}));
  body.place({1, 0, 0});
  model.add_constraint<Rod>("first", model.ground().origin(), body.origin(), 1.0);
  model.add_constraint<Rod>("second", model.ground().origin(), body.origin(), 1.001);
  Simulation simulation(model, {.integrator = ExtrapolationOptions{.consent_to_projection = true}});
  try {
    simulation.run(0, 1);
    ADD_FAILURE() << "the contradiction was not found";
  } catch (const RunError& error) {
    EXPECT_NE(std::string(error.what()).find("constraints of model 'twice held' contradict each other at t = 0 s"),
              std::string::npos)
        << error.what();
  }
}

TEST(Redundant, RefusesForcesThatReadReactionsWhichAreNotUnique) {
  TreeRecipe recipe;
  recipe.nodes = {{-1, 3, 2}, {0, 3, 2}};
  PosedTree equations(recipe);
  double* rows = equations.mutable_G().values(0);
  for (int c = 0; c < 3; ++c) rows[3 + c] = 2 * rows[c];
  equations.set_position(0, equations.position());
  const auto solver = make_linear_solver("redundant", equations, /*friction*/ true);
  ASSERT_TRUE(solver->analyze(equations));
  const Outcome outcome = solver->factor(equations.matrix(MatrixKind::friction));
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.reason(),
            "redundant: forces depend on constraint forces that are not unique: joint '0' is redundant; take it away, "
            "or use joints with more freedoms.");
}

// In joint coordinates only the closure C has rows: they stand for the whole loop, which is named as in others.
TEST(SingularMatrix, NamesTheLoopThatARowCloses) {
  const auto equations = make_equations(four_bar_in_space(), {.formulation = Formulation::relative});
  equations->set(equations->initial_state());
  const auto solver = make_linear_solver("dense-lu", *equations);
  ASSERT_TRUE(solver->analyze(*equations));
  const Outcome outcome = solver->factor(MatrixKind::velocity);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(
      outcome.reason(),
      "dense-lu: the matrix of accelerations and constraint forces of model 'four-bar in space' is singular at "
      "t = 0 s. Constraints that depend on each other: B, A, D, C; take a redundant one away, use joints with more "
      "freedoms, or the solver 'redundant'.");
}

TEST(Automatic, GoesOverToRedundantWhereRowsAre) {
  for (const SpatialModel& model : {four_bar_in_space(), bricard()}) {
    const auto equations = equations_of(model);
    const auto solver = make_linear_solver("auto", *equations);
    ASSERT_TRUE(solver->analyze(*equations));
    ASSERT_TRUE(solver->factor(MatrixKind::position));
    EXPECT_EQ(solver->name(), "redundant");
    EXPECT_FALSE(solver->redundant_rows().empty());
  }
}

// A planar mechanism made of joints in space moves like the planar one.
TEST(Redundant, FourBarInSpaceMovesLikeThePlanarOne) {
  Simulation simulation(four_bar_in_space(), {.integrator = ExtrapolationOptions{.rtol = 1e-8, .atol = 1e-8}});
  const Trajectory path = simulation.run(0, 2);
  EXPECT_EQ(simulation.linear_solver_name(), "redundant");
  EXPECT_LE(simulation.energy().max_drift, 1e-5);
  const State end = path.at(2);
  EXPECT_LE(std::abs(end.p[6]), 1e-9);  // z of the first link: the plane is kept
  // The parallelogram: both cranks turn alike.
  EXPECT_LE((end.p.segment(0, 4) - end.p.segment(14, 4)).norm(), 1e-7);
}

// IFToMM A04, homogeneous bars, 10 s; reference computed in 34 digits. The bound is the benchmark's.
TEST(Redundant, BricardsMechanismFollowsTheReference) {
  Simulation simulation(bricard(), {.integrator = ExtrapolationOptions{.rtol = 1e-8, .atol = 1e-8}});
  const Trajectory path = simulation.run(0, 10);
  EXPECT_EQ(simulation.linear_solver_name(), "redundant");
  EXPECT_LE(simulation.energy().max_drift, 1e-4);  // [J]; 2e-7 seen
  const std::vector<std::pair<double, Vector3d>> samples = {
      {0.5, {0.7747178080392334, -0.979815047655669, -0.19990615895344271}},
      {2.0, {-0.778135373033291, -0.9803526834432565, -0.1972526706171706}},
      {5.0, {0.999932742302117, -0.9999999977383531, -6.725543608396148e-05}},
      {10.0, {0.9997309873038354, -0.9999999638258172, -0.00026897651224930475}}};
  Eigen::VectorXd observed;
  for (const auto& [t, reference] : samples) {
    simulation.equations().observables(path.at(t), observed);
    EXPECT_LE((observed - reference).norm(), 1e-3) << t;  // [m]; 1e-7 seen
  }
}

/// Row of windows of links of 1 m (IFToMM A02).
PlanarModel windows(int n) {
  PlanarModel model("windows");
  model.set_gravity({0, -9.81});
  const MassProperties link = MassProperties::rod(1, 1);
  std::vector<BodyRef<Planar>> cranks;
  for (int i = 0; i <= n; ++i) {
    const std::string number = std::to_string(i);
    cranks.push_back(model.add_body("crank " + number, link));
    cranks.back().place({i, 0.5}, std::acos(0.0)).move(Eigen::Vector2d(0.5, 0), -1);
    model.add_joint<Revolute>("bearing " + number, model.ground().at({i, 0}), cranks.back().at({-0.5, 0}));
  }
  for (int i = 1; i <= n; ++i) {
    const std::string number = std::to_string(i);
    auto coupler = model.add_body("coupler " + number, link);
    coupler.place({i - 0.5, 1}).move(Eigen::Vector2d(1, 0));
    model.add_joint<Revolute>("left " + number, cranks[static_cast<std::size_t>(i - 1)].at({0.5, 0}),
                              coupler.at({-0.5, 0}));
    model.add_joint<Revolute>("right " + number, cranks[static_cast<std::size_t>(i)].at({0.5, 0}),
                              coupler.at({0.5, 0}));
  }
  const auto end = cranks.front().at({0.5, 0});
  model.add_observable("x", "m", [=](const auto& now) { return now.pose(end).position.x(); });
  model.add_observable("y", "m", [=](const auto& now) { return now.pose(end).position.y(); });
  return model;
}

struct Passage {
  const char* solver;
  int n;
  double t_end;
  Eigen::Vector2d end;
};
std::ostream& operator<<(std::ostream& out, const Passage& test) { return out << test.solver << " n " << test.n; }

class SingularPositions : public testing::TestWithParam<Passage> {};

// Ten passages of the singular position per 10 s. The branch is the one continuous in velocity.
TEST_P(SingularPositions, ArePassedOnTheBranchOfTheReference) {
  const Passage& test = GetParam();
  Simulation simulation(windows(test.n),
                        {.linear_solver = test.solver, .integrator = ExtrapolationOptions{.rtol = 1e-9, .atol = 1e-9}});
  const Trajectory path = simulation.run(0, test.t_end);
  EXPECT_LE(simulation.energy().max_drift, 1e-4);  // [J]; 4e-7 seen for n = 2
  Eigen::VectorXd observed;
  simulation.equations().observables(path.at(test.t_end), observed);
  EXPECT_LE((observed - test.end).norm(), 1e-3);  // [m], the benchmark's; 1e-6 seen
}
INSTANTIATE_TEST_SUITE_P(Windows, SingularPositions,
                         testing::Values(Passage{"auto", 2, 10, {0.3284581115408154, 0.944518538178601}},
                                         Passage{"redundant", 2, 10, {0.3284581115408154, 0.944518538178601}},
                                         Passage{"auto", 40, 20, {0.4109011537629452, 0.9116799009719807}}));

// A step may end where the rank drops, and the next one begin there: the rows that fail there are held again after it.
TEST(SingularPositions, MayBeTheEndOfAStep) {
  const double passage = 0.7143555292929604;  // of n = 2, from the closed form
  Simulation simulation(windows(2),
                        {.linear_solver = "redundant", .integrator = ExtrapolationOptions{.rtol = 1e-9, .atol = 1e-9}});
  State singular;
  try {
    singular = simulation.run(0, passage).at(passage);
  } catch (const RunError& error) {  // steps may close in on the position instead, and stop before it by name
    EXPECT_NE(std::string(error.what()).find("position is close to a singular one, where"), std::string::npos);
    return;
  }
  Eigen::VectorXd observed;
  simulation.equations().observables(singular, observed);
  ASSERT_LE(std::abs(observed[1]), 1e-6);
  simulation.set_initial_state(singular);
  const Trajectory second = simulation.run(0, 1 - passage);
  simulation.equations().observables(second.at(1 - passage), observed);
  EXPECT_LE((observed - Eigen::Vector2d(-0.1950203019494351, -0.9807992056621738)).norm(), 1e-3);
}

}  // namespace redundant_test
}  // namespace linkwork
