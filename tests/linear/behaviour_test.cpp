// Counts, choices, refusals and messages of the linear solvers.

#include <linkwork/solvers/linear/linear_solvers.hpp>

#include <gtest/gtest.h>

#include "../allocations.hpp"
#include "../core/expect_error.hpp"
#include "insulator_chain.hpp"
#include "posed_tree.hpp"
#include "reference_solution.hpp"

namespace linkwork {
namespace behaviour_test {

const std::vector<std::string> regular_solvers{"dense-lu",  "ldlt",      "cholesky-qr", "minimal",
                                               "sparse-lu", "recursive", "cg"};
const std::vector<std::string> all_solvers = [] {
  std::vector<std::string> names = regular_solvers;
  names.push_back("redundant");
  return names;
}();

TreeRecipe chain_with_loop() {
  TreeRecipe recipe;
  recipe.nodes = {{-1, 3, 2}, {0, 3, 2}, {1, 3, 2}, {2, 3, 2}, {3, 3, 2}};
  recipe.closures = {{4, 1, 1}};
  return recipe;
}

std::unique_ptr<LinearSolver> analyzed(const std::string& name, EquationsOfMotion& equations) {
  auto solver = make_linear_solver(name, equations);
  const Outcome outcome = solver->analyze(equations);
  EXPECT_TRUE(outcome) << outcome.reason();
  return solver;
}

std::string failure(const std::string& name, PosedTree& equations, MatrixKind kind = MatrixKind::velocity) {
  const auto solver = make_linear_solver(name, equations);
  Outcome outcome = solver->analyze(equations);
  if (outcome) outcome = solver->factor(equations.matrix(kind));
  return outcome ? "no failure" : outcome.reason();
}

TEST(LinearSolvers, CountFactorizationsAndSolves) {
  PosedTree equations(chain_with_loop());
  for (const std::string& name : all_solvers) {
    const auto solver = analyzed(name, equations);
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(solver->factor(equations.matrix()));
    const Eigen::VectorXd b = Eigen::VectorXd::Ones(26);
    for (int i = 0; i < 5; ++i) solve(*solver, b, 15);
    EXPECT_EQ(solver->name(), name);
    EXPECT_EQ(solver->statistics().factorizations, 3);
    EXPECT_EQ(solver->statistics().solves, 5);
  }
}

TEST(LinearSolvers, DoNotAllocateOnceTheyHaveFactored) {
  if (!test::allocations_are_counted) GTEST_SKIP() << "the sanitizer has an allocator of its own";
  TreeRecipe recipe = chain_with_loop();
  recipe.nodes.push_back({4, 2, 2, 0});  // a massless leaf
  for (const std::string& name : all_solvers) {
    PosedTree equations(name == "cholesky-qr" ? chain_with_loop() : recipe);
    const auto solver = analyzed(name, equations);
    const AugmentedMatrix matrix = equations.matrix();
    ASSERT_TRUE(solver->factor(matrix)) << name;
    Eigen::VectorXd f = Eigen::VectorXd::Ones(matrix.M->rows()), g = Eigen::VectorXd::Ones(matrix.G->rows());
    Eigen::VectorXd w = f, lambda = g;
    const long before = test::allocations;
    bool fine = true;
    for (int i = 0; i < 3; ++i) {
      fine = fine && solver->factor(matrix);
      solver->solve(f, g, w, lambda);
    }
    EXPECT_EQ(test::allocations, before) << name;
    EXPECT_TRUE(fine);
  }
}

TEST(SparseLu, CountsTheNonzerosOfThePublishedTable) {
  // MEXX table 5.4. At zero angles, as here, some entries vanish: they are structural all the same.
  for (const auto& [insulators, nonzeros] : {std::pair{16, 327}, {32, 631}, {64, 1239}}) {
    InsulatorChain chain(insulators);
    const auto solver = analyzed("sparse-lu", chain);
    ASSERT_TRUE(solver->factor({MatrixKind::velocity, &chain.M(), &chain.G(), nullptr}));
    EXPECT_EQ(solver->statistics().matrix_nonzeros, nonzeros);
    EXPECT_EQ(chain.position(), Eigen::VectorXd::Zero(chain.dimensions().p));
  }
}

TEST(SparseLu, AnalysesOncePerKindOfMatrix) {
  PosedTree equations(random_recipe(12, 3, 2, false, 6), 1);
  const auto solver = make_linear_solver("sparse-lu", equations, true);
  ASSERT_TRUE(solver->analyze(equations));
  for (int i = 0; i < 100; ++i) {
    for (std::size_t k = 0; k < equations.mutable_G().size(); ++k)
      equations.mutable_G().data()[k] *= 1 + 0.01 * (i % 3);
    equations.set_position(0, equations.position());
    for (const MatrixKind kind : {MatrixKind::velocity, MatrixKind::position, MatrixKind::friction})
      ASSERT_TRUE(solver->factor(equations.matrix(kind)));
  }
  EXPECT_EQ(solver->statistics().analyses, 3);
}

TEST(SparseLu, TakesNewPivotsWhenValuesChangeBrutally) {
  PosedTree equations(random_recipe(12, 3, 0, true, 4), 1);
  const auto solver = analyzed("sparse-lu", equations);
  ASSERT_TRUE(solver->factor(equations.matrix()));
  // Every entry of G changes its size by up to six decades: pivots of before become small against their columns.
  std::mt19937 generator(7);
  std::uniform_real_distribution<double> decades(-6, 0);
  for (int i = 0; i < 40; ++i) {
    equations.renew(static_cast<unsigned>(i) + 2);
    for (std::size_t k = 0; k < equations.mutable_G().size(); ++k)
      equations.mutable_G().data()[k] *= std::pow(10, decades(generator));
    const AugmentedMatrix matrix = equations.matrix();
    const Eigen::MatrixXd A = full_matrix(matrix);
    const double condition_number = condition(A);
    if (condition_number > 1e10) continue;
    ASSERT_TRUE(solver->factor(matrix));
    const Eigen::VectorXd b = Eigen::VectorXd::Ones(A.rows());
    // Kept pivots may cost four digits (documented); eps * 1e4 times the condition number.
    EXPECT_LE(relative_error(solve(*solver, b, matrix.M->rows()), reference_solution(A, b)),
              2.2e-12 * condition_number);
  }
  EXPECT_GT(solver->statistics().analyses, 1);
}

TEST(SparseLu, AnalysesOnceMoreWhenAnEntryAppears) {
  PosedTree equations(chain_with_loop());
  const double first = equations.mutable_G().data()[0], second = equations.mutable_G().data()[7];
  equations.mutable_G().data()[0] = equations.mutable_G().data()[7] = 0;
  const auto solver = analyzed("sparse-lu", equations);
  ASSERT_TRUE(solver->factor(equations.matrix()));
  const std::int64_t before = solver->statistics().matrix_nonzeros;
  for (const auto& [index, value] : {std::pair{0, first}, {7, second}}) {
    equations.mutable_G().data()[index] = value;
    ASSERT_TRUE(solver->factor(equations.matrix()));
    const Eigen::MatrixXd A = full_matrix(equations.matrix());
    const Eigen::VectorXd b = Eigen::VectorXd::Ones(A.rows());
    EXPECT_LE(relative_error(solve(*solver, b, 15), reference_solution(A, b)), 2.2e-15 * condition(A));
  }
  EXPECT_EQ(solver->statistics().analyses, 2);  // the second entry had a place already
  EXPECT_EQ(solver->statistics().matrix_nonzeros, before + 2);
}

TEST(Failures, AreRenamedWithOrWithoutTheNameOfTheSolver) {
  EXPECT_EQ(renamed(Outcome::failure("sparse-lu: no memory: 8 GB"), "sparse-lu", "cg").reason(), "cg: no memory: 8 GB");
  EXPECT_EQ(renamed(Outcome::failure("no memory: 8 GB"), "sparse-lu", "cg").reason(), "cg: no memory: 8 GB");
  EXPECT_EQ(renamed(Outcome::failure("no memory"), "sparse-lu", "cg").reason(), "cg: no memory");
}

TEST(Automatic, ChoosesByStructure) {
  PosedTree small(TreeRecipe{.nodes = {{-1, 3, 2}, {0, 3, 2}}});
  EXPECT_EQ(make_linear_solver("auto", small)->name(), "dense-lu");
  PosedTree tree(random_recipe(20, 3, 2, false, 1));
  EXPECT_EQ(make_linear_solver("auto", tree)->name(), "recursive");
  EXPECT_EQ(make_linear_solver("auto", tree, true)->name(), "sparse-lu");
  TreeRecipe loops = random_recipe(20, 6, 0, false, 1);
  loops.closures = {{3, 9, 6}, {4, 17, 6}, {12, 18, 1}};
  PosedTree meshed(loops);
  EXPECT_EQ(make_linear_solver("auto", meshed)->name(), "graph");
  TreeRecipe hidden = random_recipe(20, 3, 0, false, 1);
  hidden.publish_tree = false;
  PosedTree without_tree(hidden);
  EXPECT_EQ(make_linear_solver("auto", without_tree)->name(), "sparse-lu");
}

/// A massless leaf that its joint to the father does not hold; a loop does.
TreeRecipe held_by_a_loop() {
  TreeRecipe recipe;
  recipe.nodes = {{-1, 3, 2}, {0, 3, 2}, {1, 3, 2}, {2, 2, 1, 0}, {0, 3, 2}};
  recipe.closures = {{3, 4, 1}};
  return recipe;
}

TEST(Recursive, SaysWhenOnlyALoopMakesANodeRegular) {
  PosedTree equations(held_by_a_loop());
  EXPECT_EQ(failure("recursive", equations),
            "recursive: the node of body '3', joint '3', can't be eliminated before the rest at t = 0 s: its mass, its "
            "joint and what hangs on it do not determine its motion, only a closed loop may; use 'graph'.");
}

TEST(Automatic, GoesOnWithSparseLuWhereTheRecursionEnds) {
  PosedTree equations(held_by_a_loop());
  const auto solver = analyzed("auto", equations);
  EXPECT_EQ(solver->name(), "recursive");
  ASSERT_TRUE(solver->factor(equations.matrix()));
  EXPECT_EQ(solver->name(), "sparse-lu");
  const Eigen::MatrixXd A = full_matrix(equations.matrix());
  const Eigen::VectorXd b = Eigen::VectorXd::Ones(A.rows());
  EXPECT_LE(relative_error(solve(*solver, b, 14), reference_solution(A, b)), 2.2e-15 * condition(A));
}

TEST(SingularMatrix, NamesConstraintsThatDependOnEachOther) {
  TreeRecipe recipe = chain_with_loop();
  PosedTree equations(recipe);
  BlockMatrix& G = equations.mutable_G();
  const BlockTree& tree = *equations.velocity_tree();
  // The loop becomes a copy of the first row of joint 3, but between bodies 4 and 1: only that of joint '0' has no
  // father, so let the loop's part on body 1 repeat a combination of joint 0 and joint 1 that leaves body 0 alone.
  const BlockTree::Closure& loop = tree.closures.front();
  for (const BlockTree::Closure::Part& part : loop.parts) std::fill_n(G.values(part.block), 3, 0.0);
  // Rows of joint 0 span two directions of body 0; the father blocks of joint 1 must lie in them.
  const int own0 = tree.nodes[0].rows[0].own_block, father1 = tree.nodes[1].rows[0].father_block;
  for (int c = 0; c < 3; ++c) G.values(father1)[c] = 2 * G.values(own0)[c];
  for (int c = 0; c < 3; ++c) G.values(loop.parts[1].block)[c] = G.values(tree.nodes[1].rows[0].own_block)[c];
  equations.set_position(0, equations.position());
  for (const std::string& name : regular_solvers)
    EXPECT_EQ(failure(name, equations),
              name +
                  ": the matrix of accelerations and constraint forces of model 'posed tree' is singular at t = 0 s. "
                  "Constraints that depend on each other: joint '0', joint '1', loop '0'; take a redundant one away, "
                  "use joints with more freedoms, or the solver 'redundant'.");
}

TEST(SingularMatrix, NamesWhatNeitherMassNorConstraintsDetermine) {
  TreeRecipe recipe;
  recipe.nodes = {{-1, 3, 2}, {0, 3, 2}, {1, 2, 1, 0}};
  PosedTree equations(recipe);
  for (const std::string name : {"dense-lu", "ldlt", "minimal", "sparse-lu", "recursive", "cg", "redundant"})
    EXPECT_EQ(failure(name, equations),
              name +
                  ": the matrix of accelerations and constraint forces of model 'posed tree' is singular at t = 0 s. "
                  "Neither mass nor constraints determine body '2'; give the body a mass or inertia, or hold it by a "
                  "joint.");
}

TEST(SingularMatrix, OfZerosIsRefused) {
  TreeRecipe recipe;
  recipe.nodes = {{-1, 2, 0, 0}};
  PosedTree floating(recipe);
  for (const std::string name : {"dense-lu", "ldlt", "minimal", "sparse-lu", "recursive", "cg", "redundant"})
    EXPECT_NE(failure(name, floating).find("determine body '0'; give"), std::string::npos) << failure(name, floating);
}

TEST(SingularMatrix, OfALargeSystemIsNamedByThePivot) {
  TreeRecipe recipe;
  for (int k = 0; k < 80; ++k) recipe.nodes.push_back({k - 1, 3, 2});
  recipe.nodes.push_back({40, 2, 1, 0});
  PosedTree equations(recipe);
  for (const std::string name : {"dense-lu", "ldlt", "sparse-lu", "cg", "redundant"})
    EXPECT_NE(failure(name, equations).find("determine body '80'; give"), std::string::npos)
        << failure(name, equations);
  EXPECT_NE(failure("recursive", equations).find("the node of body '80', joint '80', can't"), std::string::npos);
}

TEST(SingularMatrix, WithMoreRowsThanFreedomsIsRefused) {
  TreeRecipe recipe;
  recipe.nodes = {{-1, 3, 3}};
  recipe.closures = {{0, 0, 1}};
  PosedTree equations(recipe);
  for (const std::string& name : regular_solvers)
    EXPECT_NE(failure(name, equations).find("Constraints that depend on each other: joint '0', loop '0'"),
              std::string::npos)
        << failure(name, equations);
}

TEST(CholeskyQr, RefusesASemidefiniteMassMatrix) {
  TreeRecipe recipe;
  recipe.nodes = {{-1, 3, 2}, {0, 2, 2, 0}};
  PosedTree massless(recipe);
  EXPECT_EQ(failure("cholesky-qr", massless),
            "cholesky-qr: M is only semidefinite, no mass at body '1'; this solver needs M positive definite; use "
            "'sparse-lu' or 'recursive'.");
  PosedTree equations(chain_with_loop());
  std::fill_n(equations.mutable_M().values(2), 9, 1.0);  // rank one
  EXPECT_NE(failure("cholesky-qr", equations).find("no mass at body '2'"), std::string::npos);
}

TEST(SymmetricSolvers, RefuseTheFrictionVariant) {
  PosedTree equations(chain_with_loop());
  for (const std::string name : {"ldlt", "cholesky-qr", "minimal", "recursive", "cg"}) {
    const std::string message =
        name +
        ": the matrix [M, G^T - F; G, 0] of the friction variant is unsymmetric and this solver needs symmetry; "
        "use 'dense-lu' or 'sparse-lu'.";
    EXPECT_EQ(failure(name, equations, MatrixKind::friction), message);
    expect_error<ModelError>(message, [&] { make_linear_solver(name, equations, true); });
  }
}

TEST(Recursive, RefusesWhatIsNoTree) {
  TreeRecipe recipe = chain_with_loop();
  recipe.publish_tree = false;
  PosedTree hidden(recipe);
  EXPECT_EQ(failure("recursive", hidden),
            "recursive: the given equations of model 'posed tree' publish no tree of bodies; use 'sparse-lu'.");
  recipe = {};
  recipe.nodes = {{-1, 3, 2}, {0, 3, 4}};
  PosedTree overheld(recipe);
  EXPECT_EQ(
      failure("recursive", overheld),
      "recursive: 4 constraint rows, among them joint '1', tie the 3 freedoms of the node of body '1' to its father; "
      "use 'sparse-lu'.");
  recipe.nodes = {{-1, 7, 2}};
  PosedTree wide(recipe);
  EXPECT_EQ(failure("recursive", wide),
            "recursive: the node of body '0' has 7 freedoms; nodes of at most 6 are treated; use 'sparse-lu'.");
}

TEST(LinearSolvers, RefuseMisuse) {
  PosedTree equations(chain_with_loop()), other(TreeRecipe{.nodes = {{-1, 3, 2}}});
  expect_error<ModelError>(
      "make_linear_solver: unknown linear solver 'lu'; choose one of 'auto', 'dense-lu', 'ldlt', 'cholesky-qr', "
      "'minimal', 'sparse-lu', 'recursive', 'graph', 'cg', 'redundant'.",
      [&] { make_linear_solver("lu", equations); });
  const auto solver = make_linear_solver("dense-lu", equations);
  Eigen::VectorXd w, lambda;
  expect_error<ModelError>("dense-lu: factor was called before analyze; call analyze first.",
                           [&] { (void)!solver->factor(equations.matrix()); });
  ASSERT_TRUE(solver->analyze(equations));
  expect_error<ModelError>("dense-lu: solve was called without a factored matrix; call factor first.",
                           [&] { solver->solve(w, lambda, w, lambda); });
  expect_error<ModelError>(
      "dense-lu: the matrices to factor do not belong to the analysed equations, which have 15 velocities; analyze "
      "again.",
      [&] { (void)!solver->factor(other.matrix()); });
  ASSERT_TRUE(solver->factor(equations.matrix()));
  expect_error<ModelError>("dense-lu: right side of 0 + 0 entries; expected 15 + 11.",
                           [&] { solver->solve(w, lambda, w, lambda); });
}

}  // namespace behaviour_test
}  // namespace linkwork
