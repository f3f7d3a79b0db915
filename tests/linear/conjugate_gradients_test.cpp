// Conjugate gradients: accuracy with factors of another position, and when these are renewed.

#include "posed_tree.hpp"
#include "reference_solution.hpp"

#include <linkwork/linkwork.hpp>

#include <gtest/gtest.h>

namespace linkwork {
namespace conjugate_gradients_test {

TreeRecipe chain_with_loops(int nodes) {
  TreeRecipe recipe;
  for (int k = 0; k < nodes; ++k) recipe.nodes.push_back({k - 1, 3, 2});
  recipe.closures = {{nodes - 1, 1, 1}, {nodes / 2, 0, 1}};
  return recipe;
}

std::unique_ptr<LinearSolver> analyzed(EquationsOfMotion& equations) {
  auto solver = make_linear_solver("cg", equations);
  const Outcome outcome = solver->analyze(equations);
  EXPECT_TRUE(outcome) << outcome.reason();
  return solver;
}

void change_rows(PosedTree& equations, double by, unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  for (std::size_t k = 0; k < equations.mutable_G().size(); ++k)
    equations.mutable_G().data()[k] *= 1 + by * normal(generator);
  equations.set_position(0, equations.position());
}

TEST(ConjugateGradients, NeedNoIterationWithNewFactors) {
  PosedTree equations(chain_with_loops(10));
  const auto solver = analyzed(equations);
  ASSERT_TRUE(solver->factor(equations.matrix()));
  const Eigen::MatrixXd A = full_matrix(equations.matrix());
  const Eigen::VectorXd b = Eigen::VectorXd::Ones(A.rows());
  EXPECT_LE(relative_error(solve(*solver, b, 30), reference_solution(A, b)), 2.2e-15 * condition(A));
  EXPECT_LE(solver->statistics().iterations, 2);  // to remove rounding errors at most
}

TEST(ConjugateGradients, ReachTheAccuracyOfDirectSolversWithOldFactors) {
  PosedTree equations(chain_with_loops(20));
  const auto solver = analyzed(equations);
  ASSERT_TRUE(solver->factor(equations.matrix()));
  const std::int64_t before = solver->statistics().iterations;
  for (unsigned position = 1; position <= 5; ++position) {
    change_rows(equations, 0.01, position);
    const AugmentedMatrix matrix = equations.matrix();
    ASSERT_TRUE(solver->factor(matrix));
    const Eigen::MatrixXd A = full_matrix(matrix);
    std::srand(position);
    const Eigen::VectorXd b = Eigen::VectorXd::Random(A.rows());
    const Eigen::VectorXd x = solve(*solver, b, matrix.M->rows());
    // A few eps times the condition number, as for direct solvers; the worst seen is 3.
    EXPECT_LE(relative_error(x, reference_solution(A, b)), 50 * 2.2e-16 * condition(A));
    // The rows hold to rounding, whatever the condition is.
    const Eigen::VectorXd w = x.head(matrix.M->rows());
    const Eigen::MatrixXd G = matrix.G->dense();
    const Eigen::VectorXd scale = G.cwiseAbs() * w.cwiseAbs() + b.tail(G.rows()).cwiseAbs();
    EXPECT_LE(((G * w - b.tail(G.rows())).array() / scale.array()).abs().maxCoeff(), 1e-14);
  }
  EXPECT_GT(solver->statistics().iterations, before);
}

TEST(ConjugateGradients, RenewFactorsThatHaveBecomeTooOld) {
  PosedTree equations(chain_with_loops(20));
  const auto solver = analyzed(equations);
  ASSERT_TRUE(solver->factor(equations.matrix()));
  for (unsigned position = 2; position <= 4; ++position) {
    equations.renew(position);  // another matrix altogether
    const AugmentedMatrix matrix = equations.matrix();
    ASSERT_TRUE(solver->factor(matrix));
    const Eigen::MatrixXd A = full_matrix(matrix);
    const Eigen::VectorXd b = Eigen::VectorXd::Ones(A.rows());
    EXPECT_LE(relative_error(solve(*solver, b, matrix.M->rows()), reference_solution(A, b)),
              50 * 2.2e-16 * condition(A));
  }
  // Each time the limit of iterations was reached once, and the new factors needed next to none.
  EXPECT_LE(solver->statistics().iterations, 3 * 60);
}

TEST(ConjugateGradients, AreADirectEliminationWithoutRowsAndWithoutMass) {
  TreeRecipe free;
  free.nodes = {{-1, 6, 0}, {-1, 6, 0}};
  TreeRecipe massless;
  massless.nodes = {{-1, 3, 2}, {0, 3, 2, 0}, {1, 3, 2}};
  for (const TreeRecipe& recipe : {free, massless}) {
    PosedTree equations(recipe);
    const auto solver = analyzed(equations);
    for (unsigned position = 1; position <= 3; ++position) {
      equations.renew(position);
      ASSERT_TRUE(solver->factor(equations.matrix()));
      const Eigen::MatrixXd A = full_matrix(equations.matrix());
      const Eigen::VectorXd b = Eigen::VectorXd::Ones(A.rows());
      EXPECT_LE(relative_error(solve(*solver, b, equations.dimensions().v), reference_solution(A, b)),
                10 * 2.2e-16 * condition(A));
    }
    EXPECT_EQ(solver->statistics().iterations, 0);
  }
}

TEST(ConjugateGradients, SayAtTheNextFactorisationThatAMatrixIsSingular) {
  PosedTree equations(TreeRecipe{.nodes = {{-1, 3, 2}}});
  const auto solver = analyzed(equations);
  ASSERT_TRUE(solver->factor(equations.matrix()));
  for (int c = 0; c < 3; ++c) equations.mutable_G().values(0)[3 + c] = equations.mutable_G().values(0)[c];
  equations.set_position(0, equations.position());
  ASSERT_TRUE(solver->factor(equations.matrix()));  // the old factors are used
  EXPECT_FALSE(solve(*solver, Eigen::VectorXd::LinSpaced(5, 1, 2), 3).allFinite());
  const Outcome outcome = solver->factor(equations.matrix());
  ASSERT_FALSE(outcome);
  EXPECT_NE(outcome.reason().find("cg: the matrix of accelerations and constraint forces of model 'posed tree' is"),
            std::string::npos)
      << outcome.reason();
}

/// A planar chain whose links are held by more pins to the ground: closed loops in joint coordinates.
PlanarModel hanging_loops() {
  PlanarModel model("hanging loops");
  model.set_gravity({0, -9.81});
  auto last = model.ground().origin();
  double x = 0, y = 0;
  for (int i = 0; i < 12; ++i) {
    const double angle = i % 2 == 0 ? 0.6 : -0.5;
    const Eigen::Vector2d along(std::cos(angle), std::sin(angle));
    auto link = model.add_body("link " + std::to_string(i), MassProperties::rod(1 + 0.1 * i, 1.0));
    link.place(Eigen::Vector2d(x, y) + along / 2, angle);
    model.add_joint<Revolute>("pin " + std::to_string(i), last, link.at({-0.5, 0}));
    x += along.x();
    y += along.y();
    last = link.at({0.5, 0});
    if (i % 4 == 3) model.add_joint<Revolute>("foot " + std::to_string(i), model.ground().at({x, y}), last);
  }
  return model;
}

TEST(ConjugateGradients, CloseLoopsOfJointCoordinates) {
  const auto equations = make_equations(hanging_loops(), {.formulation = Formulation::relative});
  equations->set(equations->initial_state());
  const Eigen::VectorXd p = equations->position();
  const auto solver = analyzed(*equations);
  const auto direct = make_linear_solver("dense-lu", *equations);
  ASSERT_TRUE(direct->analyze(*equations));
  std::srand(1);
  const Eigen::VectorXd direction = Eigen::VectorXd::Random(equations->dimensions().v);
  Eigen::VectorXd a, lambda, expected_a, expected_lambda, moved;
  for (int position = 0; position < 6; ++position) {
    SCOPED_TRACE(position);
    equations->set_position(0, p);
    equations->position_step(0.02 * position * direction, moved);
    equations->set_position(0, moved);
    ASSERT_TRUE(direct->accelerations(expected_a, expected_lambda));
    const Outcome outcome = solver->accelerations(a, lambda);
    ASSERT_TRUE(outcome) << outcome.reason();
    // eps times the condition number, about 1e4.
    EXPECT_LE((a - expected_a).norm(), 1e-11 * expected_a.norm());
    EXPECT_LE((lambda - expected_lambda).norm(), 1e-11 * expected_lambda.norm());
  }
  EXPECT_GT(solver->statistics().iterations, 0);
}

TEST(ConjugateGradients, AreTheRecursionAloneForTreesOfJoints) {
  PlanarModel model("pendulum");
  model.set_gravity({0, -9.81});
  auto rod = model.add_body("rod", MassProperties::rod(1.0, 1.0));
  rod.place({0.5, 0});
  model.add_joint<Revolute>("pin", model.ground().origin(), rod.at({-0.5, 0}));
  const auto equations = make_equations(model, {.formulation = Formulation::relative});
  equations->set(equations->initial_state());
  const auto solver = analyzed(*equations);
  Eigen::VectorXd a, lambda;
  ASSERT_TRUE(solver->accelerations(a, lambda));
  ASSERT_EQ(a.size(), 1);
  EXPECT_NEAR(a[0], -1.5 * 9.81, 1e-12);  // -g / (2 L / 3)
}

}  // namespace conjugate_gradients_test
}  // namespace linkwork
