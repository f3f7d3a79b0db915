// Redundant rows of many loops: rank by sparse elimination, reactions of least norm by sparse projections, at a cost
// that is linear in the number of loops.

#include "drift.hpp"
#include "nearly_dependent.hpp"
#include "reference_solution.hpp"

#include <linkwork/core/dense_factors.hpp>
#include <linkwork/linkwork.hpp>
#include <linkwork/solvers/formulations/absolute.hpp>
#include <linkwork/solvers/formulations/mixed.hpp>
#include <linkwork/solvers/linear/redundancy.hpp>
#include <linkwork/solvers/linear/row_elimination.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "../random_mechanism.hpp"

namespace linkwork {
namespace redundant_loops_test {

using Eigen::Vector3d;

enum class Shape {
  row,   ///< parallelograms side by side on the ground; neighbours share a crank
  tower  ///< one on the other; the lowest stands on the ground
};

/// Parallelograms in a plane, made of revolute joints in space: three rows of each loop say what the others have said.
SpatialModel parallelograms(Shape shape, int loops, const Vector3d& gravity = {0.5, -9.81, 3}) {
  SpatialModel model("parallelograms");
  model.set_gravity(gravity);
  const Axis axis = Axis::z();
  const auto add_bar = [&](const std::string& name, int number, const Vector3d& middle, double angle) {
    auto bar = model.add_body(name + " " + std::to_string(number), MassProperties::box(1.0, {1, 0.1, 0.2}));
    bar.place(middle, Eigen::Quaterniond(Eigen::AngleAxisd(angle, Vector3d::UnitZ())));
    return bar;
  };
  const auto pin = [&](const char* name, int number, const Frame<Spatial>& a, const Frame<Spatial>& b) {
    model.add_joint<Revolute>(name + std::to_string(number), a, b, axis);
  };
  const Vector3d half(0.5, 0, 0);
  const auto direction = [](double angle) { return Vector3d(std::cos(angle), std::sin(angle), 0); };
  if (shape == Shape::row) {
    Frame<Spatial> last = model.ground().origin();
    for (int i = 0; i <= loops; ++i) {
      const Vector3d foot(i, 0, 0);
      auto crank = add_bar("crank", i, foot + direction(1.2) / 2, 1.2);
      pin("A", i, model.ground().at(foot), crank.at(-half));
      if (i > 0) {
        auto rod = add_bar("rod", i, foot + direction(1.2) - half, 0);
        pin("B", i, last, rod.at(-half));
        pin("C", i, rod.at(half), crank.at(half));
      }
      last = crank.at(half);
    }
    return model;
  }
  Frame<Spatial> left = model.ground().origin(), right = model.ground().at({1, 0, 0});
  Vector3d base = Vector3d::Zero();
  for (int i = 0; i < loops; ++i) {
    const double angle = -1.57 + (i % 2 ? -0.4 : 0.5);
    auto first = add_bar("left", i, base + direction(angle) / 2, angle);
    auto second = add_bar("right", i, base + 2 * half + direction(angle) / 2, angle);
    base += direction(angle);
    auto rod = add_bar("rod", i, base + half, 0);
    pin("A", i, left, first.at(-half));
    pin("B", i, right, second.at(-half));
    pin("C", i, first.at(half), rod.at(-half));
    pin("D", i, second.at(half), rod.at(half));
    left = rod.at(-half);
    right = rod.at(half);
  }
  return model;
}

/// The joints of a loop.
std::vector<std::string> joints_of_loop(Shape shape, int loop) {
  const std::string number = std::to_string(loop), next = std::to_string(loop + 1);
  return shape == Shape::row ? std::vector<std::string>{"A" + number, "A" + next, "B" + next, "C" + next}
                             : std::vector<std::string>{"A" + number, "B" + number, "C" + number, "D" + number};
}

/// At the start.
std::unique_ptr<EquationsOfMotion> started(std::unique_ptr<EquationsOfMotion> equations) {
  const State start = equations->initial_state();
  equations->set(start);
  equations->remember(true, -1);
  equations->set(start);
  return equations;
}

/// Singular values of the rows and columns that were chosen, scaled as by the elimination: the smallest.
double smallest_singular_value(const Eigen::MatrixXd& G, const Eigen::VectorXd& scales, const SparseRank& rank) {
  Eigen::MatrixXd chosen(rank.rank, rank.rank);
  for (int i = 0; i < rank.rank; ++i)
    for (int j = 0; j < rank.rank; ++j) {
      const int row = rank.independent_rows[static_cast<std::size_t>(i)];
      chosen(i, j) = scales[row] * G(row, rank.independent_columns[static_cast<std::size_t>(j)]);
    }
  return rank.rank > 0 ? SingularValues(chosen, 0).values()[rank.rank - 1] : 1.0;
}

void expect_rank_of_decomposition(EquationsOfMotion& equations) {
  const Eigen::MatrixXd G = equations.G().dense();
  const Eigen::VectorXd scales = row_scales(equations);
  const double length = equations.characteristic_length();
  const Redundancy dense = find_redundancy(G, scales, length);
  const SparseRank sparse = find_sparse_rank(equations.G(), scales, length);
  ASSERT_EQ(sparse.rank, dense.rank);
  ASSERT_EQ(static_cast<int>(sparse.independent_rows.size()), sparse.rank);
  ASSERT_EQ(static_cast<int>(sparse.independent_columns.size()), sparse.rank);
  EXPECT_EQ(sparse.redundant_rows.size(), dense.redundant_rows.size());
  if (!dense.redundant_rows.empty()) {
    EXPECT_GT(sparse.gap, 1e8);
  }
  // The elimination takes pivots down to a thousandth; singular values may be smaller. Smallest seen 1.7e-3.
  EXPECT_GT(smallest_singular_value(G, scales, sparse), 1e-6);
}

TEST(SparseRank, IsThatOfTheDecomposition) {
  for (const Shape shape : {Shape::row, Shape::tower})
    for (const int loops : {1, 2, 9})
      for (const Formulation formulation : {Formulation::absolute, Formulation::mixed, Formulation::relative}) {
        const auto equations = started(make_equations(parallelograms(shape, loops), {.formulation = formulation}));
        expect_rank_of_decomposition(*equations);
        const SparseRank found =
            find_sparse_rank(equations->G(), row_scales(*equations), equations->characteristic_length());
        EXPECT_EQ(found.redundant_rows.size(), static_cast<std::size_t>(3 * loops)) << equations->formulation_name();
      }
}

template <class Space>
void expect_ranks_of_random_mechanisms(unsigned seeds) {
  for (unsigned seed = 1; seed <= seeds; ++seed) {
    const test::RandomMechanism options{.seed = seed, .rigid_bodies = 8, .loops = 3};
    SCOPED_TRACE(seed);
    for (const auto& make : {make_absolute_equations(test::random_mechanism<Space>(options)),
                             make_mixed_equations(test::random_mechanism<Space>(options))}) {
      make->set(make->initial_state());
      expect_rank_of_decomposition(*make);
    }
  }
}
TEST(SparseRank, IsThatOfTheDecompositionInRandomMechanismsInThePlane) { expect_ranks_of_random_mechanisms<Planar>(8); }
TEST(SparseRank, IsThatOfTheDecompositionInRandomMechanismsInSpace) { expect_ranks_of_random_mechanisms<Spatial>(8); }

TEST(SparseRank, IsKeptUntilTheGapIsClear) {
  const Eigen::VectorXd scales = Eigen::VectorXd::Ones(3);
  EXPECT_EQ(find_sparse_rank(nearly_dependent(1e-8), scales, 1).rank, 2);
  EXPECT_EQ(find_sparse_rank(nearly_dependent(1e-5), scales, 1).rank, 3);
  EXPECT_EQ(find_sparse_rank(nearly_dependent(1e-5), scales, 1, 2).rank, 2);
  EXPECT_EQ(find_sparse_rank(nearly_dependent(1e-2), scales, 1, 2).rank, 3);
  EXPECT_EQ(find_sparse_rank(nearly_dependent(1e-4), scales, 1, 2, /*force_known*/ true).rank, 2);
}

TEST(SparseRank, IsZeroWhereNothingIsLeftToConstrain) {
  const Eigen::VectorXd scales = Eigen::VectorXd::Ones(3);
  EXPECT_EQ(find_sparse_rank(BlockMatrix(3, 0), scales, 1).rank, 0);
  EXPECT_EQ(find_sparse_rank(BlockMatrix(0, 3), Eigen::VectorXd(0), 1).rank, 0);
  BlockMatrix G(3, 2);
  G.add_block(0, 0, 3, 2);
  EXPECT_EQ(find_sparse_rank(G, scales, 1).redundant_rows, (std::vector<int>{0, 1, 2}));
}

TEST(SparseRank, KeepsRowsAndColumnsThatAreKnown) {
  const auto equations = started(make_absolute_equations(parallelograms(Shape::tower, 5)));
  const Eigen::VectorXd scales = row_scales(*equations);
  const double length = equations->characteristic_length();
  const SparseRank found = find_sparse_rank(equations->G(), scales, length);
  SparseRank other = found;  // another choice: a redundant row for one that it depends on
  std::swap(other.independent_rows.front(), other.redundant_rows.front());
  std::sort(other.independent_rows.begin(), other.independent_rows.end());
  for (const SparseRank& known : {found, other}) {
    const SparseRank again = find_sparse_rank(equations->G(), scales, length, found.rank, false, {}, &known);
    EXPECT_EQ(again.rank, found.rank);
    EXPECT_TRUE(std::includes(again.independent_rows.begin(), again.independent_rows.end(),
                              found.independent_rows.begin() + 1, found.independent_rows.end()));
  }
  const SparseRank same = find_sparse_rank(equations->G(), scales, length, found.rank, false, {}, &found);
  EXPECT_EQ(same.independent_rows, found.independent_rows);
  EXPECT_EQ(same.independent_columns, found.independent_columns);
}

/// Factored at the equations' position.
std::unique_ptr<LinearSolver> factored(EquationsOfMotion& equations, const std::string& name = "redundant") {
  auto solver = make_linear_solver(name, equations);
  Outcome outcome = solver->analyze(equations);
  if (outcome) outcome = solver->factor(MatrixKind::velocity);
  EXPECT_TRUE(outcome) << outcome.reason();
  return solver;
}

TEST(RedundantLoops, GiveTheReactionsOfLeastNorm) {
  for (const Shape shape : {Shape::row, Shape::tower}) {
    const auto equations = started(make_absolute_equations(parallelograms(shape, 21)));
    const int nv = equations->dimensions().v, rows = equations->dimensions().constraints();
    ASSERT_GT(rows, 300);
    const auto solver = factored(*equations);
    Eigen::VectorXd w, lambda;
    solver->solve(equations->f(), equations->gamma(), w, lambda);
    EXPECT_EQ(solver->redundant_rows().size(), 63u);

    // Independent route: the pseudo-inverse of the whole matrix with scaled rows.
    const Eigen::VectorXd scales = row_scales(*equations);
    Eigen::MatrixXd A = full_matrix(AugmentedMatrix{MatrixKind::velocity, &equations->M(), &equations->G(), nullptr});
    Eigen::VectorXd b(A.rows());
    b << equations->f(), equations->gamma().cwiseProduct(scales);
    A.bottomRows(rows) = scales.asDiagonal() * A.bottomRows(rows);
    A.rightCols(rows) = A.rightCols(rows) * scales.asDiagonal();
    const OrthogonalFactors pseudo_inverse(A, /*threshold*/ 1e-10);
    ASSERT_EQ(pseudo_inverse.rank(), nv + rows - 63);
    const Eigen::VectorXd x = pseudo_inverse.solve(b);
    // Condition numbers of 1e4 (row) and 1e6 (tower) times eps. Seen 7e-15 and 3e-11. A wrong norm gives 1e-2 and more.
    EXPECT_LE((w - x.head(nv)).norm(), 1e-9 * x.head(nv).norm());
    EXPECT_LE((lambda - scales.cwiseProduct(x.tail(rows))).norm(), 1e-9 * lambda.norm());
  }
}

/// Of the scaled multipliers, the largest component that a loop could carry by itself: null vectors of its own rows.
double largest_stress(EquationsOfMotion& equations, const Eigen::VectorXd& lambda, Shape shape, int loops) {
  const Eigen::VectorXd scales = row_scales(equations);
  struct Value {
    int column;
    double value;
  };
  std::map<std::string, std::vector<int>> rows_of;
  std::vector<std::vector<Value>> G(static_cast<std::size_t>(scales.size()));
  for (int row = 0; row < scales.size(); ++row) rows_of[equations.constraint_element(row)].push_back(row);
  for (const BlockMatrix::Block& block : equations.G().blocks())
    for (int i = 0; i < block.height; ++i)
      for (int j = 0; j < block.width; ++j)
        G[static_cast<std::size_t>(block.row + i)].push_back(
            {block.column + j, equations.G().data()[block.offset + static_cast<std::size_t>(i * block.width + j)] *
                                   scales[block.row + i]});
  double largest = 0;
  for (int loop = 0; loop < loops; ++loop) {
    std::vector<int> rows;
    for (const std::string& joint : joints_of_loop(shape, loop))
      rows.insert(rows.end(), rows_of.at(joint).begin(), rows_of.at(joint).end());
    std::map<int, int> place;
    for (const int row : rows)
      for (const Value& each : G[static_cast<std::size_t>(row)])
        place.emplace(each.column, static_cast<int>(place.size()));
    Eigen::MatrixXd local = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(place.size()), 20);
    Eigen::VectorXd carried(20);
    for (int i = 0; i < 20; ++i) {
      const int row = rows[static_cast<std::size_t>(i)];
      for (const Value& each : G[static_cast<std::size_t>(row)]) local(place.at(each.column), i) = each.value;
      carried[i] = lambda[row] / scales[row];
    }
    const SingularValues svd(local, Eigen::ComputeFullV);
    EXPECT_GT(svd.values()[16], 1e-3);
    EXPECT_LT(svd.values()[17], 1e-12);
    largest = std::max(largest, (svd.V().rightCols(3).transpose() * carried).cwiseAbs().maxCoeff());
  }
  return largest;
}

/// With the solver that `auto` comes to: residuals of both equations, and what the loops carry by themselves.
/// @return multiply-adds of a factorisation
double expect_solution(Shape shape, int loops) {
  const auto equations = started(make_absolute_equations(parallelograms(shape, loops)));
  const auto solver = make_linear_solver("auto", *equations);
  EXPECT_TRUE(solver->analyze(*equations));
  Eigen::VectorXd a, lambda;
  const Outcome outcome = solver->accelerations(a, lambda);
  EXPECT_TRUE(outcome) << outcome.reason();
  if (!outcome) return 0;
  EXPECT_EQ(solver->name(), "redundant");
  EXPECT_EQ(solver->redundant_rows().size(), static_cast<std::size_t>(3 * loops));
  Eigen::VectorXd f = equations->f(), g = equations->gamma();
  equations->M().multiply_add(-1, a, f);
  equations->G().transpose_multiply_add(-1, lambda, f);
  equations->G().multiply_add(-1, a, g);
  const double size = lambda.lpNorm<Eigen::Infinity>();
  // Rounding errors of the multipliers and accelerations. Seen 3e-13 and 2e-16.
  EXPECT_LE(f.lpNorm<Eigen::Infinity>(), 1e-11 * size);
  EXPECT_LE(g.lpNorm<Eigen::Infinity>(), 1e-12 * a.lpNorm<Eigen::Infinity>());
  // Seen 1e-13 in a row. A tower is a cantilever for forces across, whose moments grow as the square of its height: ten
  // times eps 600^2; seen 5e-11.
  EXPECT_LE(largest_stress(*equations, lambda, shape, loops), (shape == Shape::row ? 1e-11 : 1e-9) * size);
  return solver->statistics().factor_operations;
}

TEST(RedundantLoops, CostInProportionToTheirNumber) {
  for (const Shape shape : {Shape::row, Shape::tower}) {
    const int large = shape == Shape::row ? 3000 : 600;  // 45,005 and 12,000 rows
    const double exponent =
        std::log(expect_solution(shape, large) / expect_solution(shape, 100)) / std::log(large / 100.0);
    EXPECT_LT(exponent, 1.1);
    EXPECT_GT(exponent, 0.9);
  }
}

TEST(RedundantLoops, HaveARankThatCostsInProportionToTheirNumber) {
  const auto operations = [](Shape shape, int loops) {
    const auto equations = started(make_absolute_equations(parallelograms(shape, loops)));
    const SparseRank rank =
        find_sparse_rank(equations->G(), row_scales(*equations), equations->characteristic_length());
    EXPECT_EQ(rank.redundant_rows.size(), static_cast<std::size_t>(3 * loops));
    return static_cast<double>(rank.operations);
  };
  for (const Shape shape : {Shape::row, Shape::tower})
    EXPECT_LT(std::log10(operations(shape, 3000) / operations(shape, 300)), 1.1);
}

// In joint coordinates M of a tower is full; many rows are eliminated along the joints without it.
TEST(RedundantLoops, NeedNoMassMatrixInJointCoordinates) {
  const auto equations =
      started(make_equations(parallelograms(Shape::tower, 80), {.formulation = Formulation::relative}));
  ASSERT_GT(equations->dimensions().constraints(), 300);
  const auto along_joints = factored(*equations), assembled = make_linear_solver("redundant", *equations);
  ASSERT_TRUE(assembled->analyze(*equations));
  ASSERT_TRUE(assembled->factor({MatrixKind::velocity, &equations->M(), &equations->G(), nullptr}));
  std::srand(3);
  const Eigen::VectorXd f = Eigen::VectorXd::Random(equations->dimensions().v);
  const Eigen::VectorXd contradicting = Eigen::VectorXd::Random(equations->dimensions().constraints());
  for (const Eigen::VectorXd& g : {equations->gamma(), contradicting}) {
    Eigen::VectorXd w, lambda, expected_w, expected_lambda;
    along_joints->solve(f, g, w, lambda);
    assembled->solve(f, g, expected_w, expected_lambda);
    // Rounding errors times the condition number of M, 1e6. Seen 5e-11.
    EXPECT_LE((w - expected_w).norm(), 1e-8 * expected_w.norm());
    EXPECT_LE((lambda - expected_lambda).norm(), 1e-8 * expected_lambda.norm());
  }

  const auto tall = started(make_equations(parallelograms(Shape::tower, 2000), {.formulation = Formulation::relative}));
  const auto solver = make_linear_solver("auto", *tall);
  ASSERT_TRUE(solver->analyze(*tall));
  Eigen::VectorXd a, lambda, residual;
  ASSERT_TRUE(solver->accelerations(a, lambda));
  EXPECT_EQ(solver->name(), "redundant");
  EXPECT_EQ(solver->redundant_rows().size(), 6000u);
  tall->dynamic_residual(a, lambda, residual);
  Eigen::VectorXd g = tall->gamma();
  tall->G().multiply_add(-1, a, g);
  // Rounding errors of 8000 weights at arms of up to 2 km.
  EXPECT_LE(residual.lpNorm<Eigen::Infinity>(), 1e-12 * 8000 * 10 * 2000);
  EXPECT_LE(g.lpNorm<Eigen::Infinity>(), 1e-9 * a.lpNorm<Eigen::Infinity>());
}

TEST(RedundantLoops, AreSmoothWhereDriftWouldDecide) {
  const auto equations = started(make_absolute_equations(parallelograms(Shape::row, 21)));
  expect_smooth_under_drift(*equations, *factored(*equations), 1e-4);
}

TEST(RedundantLoops, SolveContradictingRowsByLeastSquares) {
  const auto equations = started(make_absolute_equations(parallelograms(Shape::tower, 21)));
  const auto solver = factored(*equations);
  const Eigen::MatrixXd G = equations->G().dense();
  const Eigen::VectorXd scales = row_scales(*equations);
  std::srand(2);
  const Eigen::VectorXd f = Eigen::VectorXd::Zero(G.cols()), g = Eigen::VectorXd::Random(G.rows());
  Eigen::VectorXd w, lambda;
  solver->solve(f, g, w, lambda);
  const Eigen::VectorXd residual = scales.cwiseProduct(G * w - g);
  EXPECT_GT(residual.norm(), 0.1);
  // Seen 1e-14.
  EXPECT_LE((G.transpose() * scales.cwiseProduct(residual)).norm(), 1e-12 * residual.norm());
}

TEST(RedundantLoops, ContradictEachOtherByName) {
  SpatialModel model = parallelograms(Shape::row, 25);
  auto body = model.add_body("body", MassProperties::box(1, {1, 1, 1}));
  body.place({1, 0, 5});
  model.add_constraint<Rod>("first", model.ground().at({0, 0, 5}), body.origin(), 1.0);
  model.add_constraint<Rod>("second", model.ground().at({0, 0, 5}), body.origin(), 1.001);
  Simulation simulation(model, {.integrator = ExtrapolationOptions{.consent_to_projection = true}});
  try {
    simulation.run(0, 1);
    ADD_FAILURE() << "the contradiction was not found";
  } catch (const RunError& error) {
    EXPECT_NE(std::string(error.what()).find("contradict each other at t = 0 s"), std::string::npos) << error.what();
  }
}

// Cranks that turn alike are one: the motion is that of a single parallelogram with the mass of a crank and a rod for
// each loop, and of a crank more.
TEST(RedundantLoops, MoveAsOne) {
  const auto angle = [](int loops) {
    SpatialModel model = parallelograms(Shape::row, loops, {0, -9.81, 0});
    model.add_observable("cosine", "", [first = model.body("crank 0").at({0.5, 0, 0})](const auto& now) {
      return now.pose(first).position.x();
    });
    Simulation simulation(model, {.integrator = ExtrapolationOptions{.rtol = 1e-9, .atol = 1e-9}});
    const Trajectory path = simulation.run(0, 0.5);
    EXPECT_EQ(simulation.linear_solver_name(), "redundant");
    EXPECT_LE(simulation.energy().max_drift, 1e-7 * loops);
    Eigen::VectorXd observed;
    simulation.equations().observables(path.at(0.5), observed);
    return observed[0];
  };
  // With n loops: inertia n (1/3 + 1) + 1/3 and moment n (1/2 + 1) + 1/2 differ; both are compared with a pendulum.
  const auto pendulum = [](int loops) {
    const double inertia = (loops + 1) * (0.25 + (1 + 0.01) / 12) + loops, moment = (loops + 1) * 0.5 + loops;
    double phi = 1.2, omega = 0;
    const int steps = 20000;
    const double h = 0.5 / steps;
    const auto rate = [&](double at) { return -9.81 * moment / inertia * std::cos(at); };
    for (int i = 0; i < steps; ++i) {  // leapfrog: error h^2
      const double half = omega + h / 2 * rate(phi);
      phi += h * half;
      omega = half + h / 2 * rate(phi);
    }
    return std::cos(phi);
  };
  EXPECT_NEAR(angle(1), pendulum(1), 1e-7);
  EXPECT_NEAR(angle(25), pendulum(25), 1e-7);
}

}  // namespace redundant_loops_test
}  // namespace linkwork
