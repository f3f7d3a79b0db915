// Every solver against Gaussian elimination in long double, on random trees with and without closures.

#include "posed_tree.hpp"
#include "reference_solution.hpp"

#include <gtest/gtest.h>

namespace linkwork {
namespace agreement_test {

// A backward stable solution is off by a few eps times the condition number. Worst of 150 seeds: dense solvers 1,
// sparse-lu 4, recursive 270 times (its order of elimination is the tree's, not one of pivots). A mistake gives 1.
constexpr double dense_bound = 10 * 2.2e-16, recursive_bound = 2e3 * 2.2e-16;
// Random matrices worse than this are skipped: nothing could be seen in their solutions.
constexpr double worst_condition = 1e10;

const std::vector<std::string> symmetric_solvers{"auto",      "dense-lu",  "ldlt", "cholesky-qr", "minimal",
                                                 "sparse-lu", "recursive", "cg",   "redundant"};
const std::vector<std::string> friction_solvers{"dense-lu", "sparse-lu", "redundant", "auto"};

double bound_of(const std::string& solver) {
  return solver == "recursive" || solver == "auto" ? recursive_bound : dense_bound;
}

void expect_agreement(PosedTree& equations, MatrixKind kind, const std::vector<std::string>& solvers, unsigned seed) {
  const AugmentedMatrix matrix = equations.matrix(kind);
  const Eigen::MatrixXd A = full_matrix(matrix);
  const double condition_number = condition(A);
  if (!(condition_number < worst_condition)) return;
  std::srand(seed);
  const Eigen::VectorXd b = Eigen::VectorXd::Random(A.rows());
  const Eigen::VectorXd reference = reference_solution(A, b);
  for (const std::string& name : solvers) {
    SCOPED_TRACE(concat(name, ", seed ", seed, ", kind ", static_cast<int>(kind), ", condition ", condition_number));
    const auto solver = make_linear_solver(name, equations, kind == MatrixKind::friction);
    const Outcome analyzed = solver->analyze(equations);
    ASSERT_TRUE(analyzed) << analyzed.reason();
    const Outcome factored = solver->factor(matrix);
    ASSERT_TRUE(factored) << factored.reason();
    EXPECT_LE(relative_error(solve(*solver, b, matrix.M->rows()), reference), bound_of(name) * condition_number);
  }
}

class RandomTrees : public testing::TestWithParam<std::tuple<int, int>> {};  // width, closures

TEST_P(RandomTrees, AllSolversGiveTheSameSolution) {
  const auto [width, closures] = GetParam();
  for (unsigned seed = 1; seed <= 25; ++seed) {
    const int nodes = 2 + static_cast<int>(seed) % 13;
    PosedTree equations(random_recipe(nodes, width, closures, seed % 3 == 0, seed), seed);
    expect_agreement(equations, MatrixKind::velocity, symmetric_solvers, seed);
    expect_agreement(equations, MatrixKind::position, symmetric_solvers, seed);
    expect_agreement(equations, MatrixKind::friction, friction_solvers, seed);
  }
}
INSTANTIATE_TEST_SUITE_P(PlanarAndSpatial, RandomTrees, testing::Combine(testing::Values(3, 6), testing::Values(0, 3)));

TEST(OddNodes, OfOneFourAndFiveFreedomsAreTreatedByTheRecursion) {
  TreeRecipe recipe;
  recipe.nodes = {{-1, 4, 1}, {0, 5, 2}, {1, 1, 0}, {1, 6, 3}};
  PosedTree spatial(recipe);
  expect_agreement(spatial, MatrixKind::velocity, {"recursive"}, 1);
  recipe.nodes = {{-1, 1, 0}, {0, 3, 2}, {1, 1, 1}};
  PosedTree planar(recipe);
  expect_agreement(planar, MatrixKind::velocity, {"recursive"}, 1);
}

// Massless nodes: M is semidefinite, definite on the null space of G.
struct MasslessCase {
  const char* name;
  TreeRecipe recipe;
};
std::ostream& operator<<(std::ostream& out, const MasslessCase& test) { return out << test.name; }

class MasslessNodes : public testing::TestWithParam<MasslessCase> {};

TEST_P(MasslessNodes, AreTreatedByAllSolversButCholesky) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    PosedTree equations(GetParam().recipe, seed);
    expect_agreement(equations, MatrixKind::velocity,
                     {"dense-lu", "ldlt", "minimal", "sparse-lu", "recursive", "cg", "redundant", "auto"}, seed);
    expect_agreement(equations, MatrixKind::friction, friction_solvers, seed);
  }
}
INSTANTIATE_TEST_SUITE_P(
    Trees, MasslessNodes,
    testing::Values(MasslessCase{"PlanarLeaf", {.nodes = {{-1, 3, 2}, {0, 3, 2}, {1, 2, 2, 0}}}},
                    MasslessCase{"SpatialLeaf", {.nodes = {{-1, 6, 5}, {0, 6, 5}, {1, 6, 6, 0}}}},
                    MasslessCase{"PlanarInside", {.nodes = {{-1, 3, 2}, {0, 3, 2, 0}, {1, 3, 2}}}},
                    MasslessCase{"PlanarPointInside", {.nodes = {{-1, 3, 2}, {0, 2, 1, 0}, {1, 3, 1}}}},
                    MasslessCase{"SpatialInside", {.nodes = {{-1, 6, 5}, {0, 6, 5, 0}, {1, 6, 5}}}},
                    MasslessCase{"PlanarTwoInARow", {.nodes = {{-1, 3, 2}, {0, 3, 2, 0}, {1, 3, 3, 0}, {2, 3, 2}}}},
                    MasslessCase{"SpatialTwoInARow", {.nodes = {{-1, 6, 5}, {0, 6, 5, 0}, {1, 6, 5, 0}, {2, 6, 5}}}},
                    MasslessCase{"TwoInARowAtALeaf", {.nodes = {{-1, 3, 2}, {0, 3, 3, 0}, {1, 2, 2, 0}}}},
                    MasslessCase{"PlanarRoot", {.nodes = {{-1, 3, 2, 0}, {0, 3, 2}, {1, 3, 2}}}},
                    MasslessCase{"SpatialRoot", {.nodes = {{-1, 6, 4, 0}, {0, 6, 5}}}},
                    MasslessCase{"RootWithoutRows", {.nodes = {{-1, 3, 0, 0}, {0, 3, 2}, {0, 3, 2}}}},
                    MasslessCase{"BesideAClosure",
                                 {.nodes = {{-1, 3, 2}, {0, 3, 2, 0}, {1, 3, 2}, {2, 2, 2, 0}, {0, 3, 2}},
                                  .closures = {{3, 4, 1}}}}),
    [](const testing::TestParamInfo<MasslessCase>& test) { return test.param.name; });

TEST(RootWithoutRows, OfAFreeBodyIsTreated) {
  TreeRecipe recipe;
  recipe.nodes = {{-1, 6, 0}, {0, 6, 5}, {-1, 6, 0}};
  PosedTree equations(recipe);
  expect_agreement(equations, MatrixKind::velocity, symmetric_solvers, 1);
}

// From a light body to one that is as good as massless there is no mass at which a solver loses digits: the condition
// number does not grow, since the joints hold the body.
TEST(LightNodes, LoseNoDigits) {
  for (double mass = 1e-2; mass > 1e-16; mass /= 10) {
    SCOPED_TRACE(concat("mass ", mass));
    TreeRecipe recipe;
    recipe.nodes = {{-1, 3, 2}, {0, 3, 2, mass}, {1, 3, 2}, {2, 2, 2, mass}};
    PosedTree equations(recipe, 3);
    expect_agreement(equations, MatrixKind::velocity,
                     {"dense-lu", "ldlt", "minimal", "sparse-lu", "recursive", "cg", "redundant"}, 3);
  }
}

// With masses in milligrams and lengths in kilometres the entries span 18 decades; equilibration makes them harmless.
TEST(Units, DoNotMakeAMatrixSingular) {
  PosedTree equations(random_recipe(8, 3, 0, true, 5), 5);
  for (std::size_t i = 0; i < equations.mutable_M().size(); ++i) equations.mutable_M().data()[i] *= 1e9;
  for (std::size_t i = 0; i < equations.mutable_G().size(); ++i) equations.mutable_G().data()[i] *= 1e-9;
  for (const std::string& name : symmetric_solvers) {
    const auto solver = make_linear_solver(name, equations);
    ASSERT_TRUE(solver->analyze(equations));
    const Outcome factored = solver->factor(equations.matrix());
    EXPECT_TRUE(factored) << name << ": " << factored.reason();
  }
}

}  // namespace agreement_test
}  // namespace linkwork
