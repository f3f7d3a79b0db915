// The reduction to minimal form beyond what all solvers share: which velocities are independent, and for how long.

#include "posed_tree.hpp"
#include "reference_solution.hpp"

#include <gtest/gtest.h>

namespace linkwork {
namespace minimal_test {

std::unique_ptr<LinearSolver> analyzed(EquationsOfMotion& equations) {
  auto solver = make_linear_solver("minimal", equations);
  const Outcome outcome = solver->analyze(equations);
  EXPECT_TRUE(outcome) << outcome.reason();
  return solver;
}

/// Relative error over eps times the condition number.
double error_of(LinearSolver& solver, PosedTree& equations) {
  const Eigen::MatrixXd A = full_matrix(equations.matrix());
  const Eigen::VectorXd b = Eigen::VectorXd::Ones(A.rows());
  return relative_error(solve(solver, b, equations.dimensions().v), reference_solution(A, b)) /
         (2.2e-16 * condition(A));
}

TEST(Minimal, KeepsItsIndependentVelocitiesWhileTheyAreGood) {
  PosedTree equations(random_recipe(8, 3, 2, false, 3), 3);
  const auto solver = analyzed(equations);
  for (int i = 0; i < 20; ++i) {
    for (std::size_t k = 0; k < equations.mutable_G().size(); ++k)
      equations.mutable_G().data()[k] *= 1 + 1e-3 * (i % 2);
    equations.set_position(0, equations.position());
    ASSERT_TRUE(solver->factor(equations.matrix()));
    // As for the other dense solvers (agreement_test.cpp), with the growth of a choice that is not new: 100 at most.
    EXPECT_LE(error_of(*solver, equations), 1e3);
  }
  EXPECT_EQ(solver->statistics().analyses, 1);
}

TEST(Minimal, ChoosesOthersWhenTheOldOnesFail) {
  TreeRecipe recipe;
  recipe.nodes = {{-1, 2, 1}};  // one row on two velocities
  PosedTree equations(recipe);
  double* row = equations.mutable_G().values(0);
  const auto solver = analyzed(equations);
  for (const auto& [first, second] : {std::pair{1.0, 0.0}, {1e-3, 1.0}, {0.0, 1.0}, {1.0, 1e-9}}) {
    row[0] = first;
    row[1] = second;
    equations.set_position(0, equations.position());
    ASSERT_TRUE(solver->factor(equations.matrix())) << first << ' ' << second;
    EXPECT_LE(error_of(*solver, equations), 10);
  }
  EXPECT_EQ(solver->statistics().analyses, 3);
}

TEST(Minimal, TreatsMassesThatOnlyConstraintsMove) {
  TreeRecipe recipe;
  recipe.nodes = {{-1, 3, 2}, {0, 3, 2, 0}, {1, 3, 2}, {2, 2, 1, 0}, {0, 3, 2}};
  recipe.closures = {{3, 4, 1}};
  PosedTree equations(recipe);
  const auto solver = analyzed(equations);
  ASSERT_TRUE(solver->factor(equations.matrix()));
  EXPECT_LE(error_of(*solver, equations), 1e2);
}

TEST(Minimal, HasNothingToSolveWhereConstraintsHoldEverything) {
  TreeRecipe recipe;
  recipe.nodes = {{-1, 3, 3}, {0, 3, 3}};
  PosedTree equations(recipe);
  const auto solver = analyzed(equations);
  ASSERT_TRUE(solver->factor(equations.matrix()));
  EXPECT_LE(error_of(*solver, equations), 1e2);
}

}  // namespace minimal_test
}  // namespace linkwork
