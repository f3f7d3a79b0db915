// On random mechanisms in absolute coordinates all linear solvers give the same accelerations and constraint forces.

#include <linkwork/solvers/formulations/absolute.hpp>

#include <gtest/gtest.h>

#include <random>

#include "../equations/dense_solution.hpp"
#include "../random_mechanism.hpp"
#include "reference_solution.hpp"

namespace linkwork::test {
namespace random_mechanisms_test {

// As for random trees (agreement_test.cpp): a few eps times the condition number, more in the recursion.
constexpr double bound = 1e3 * 2.2e-16;

template <class Space>
void expect_agreement(const RandomMechanism& options) {
  SCOPED_TRACE(testing::Message() << Space::name << ": " << options);
  const Model<Space> model = random_mechanism<Space>(options);
  const auto equations = make_absolute_equations(model);
  const State start = equations->initial_state();
  std::mt19937 random(options.seed);
  std::normal_distribution<double> normal;
  Eigen::VectorXd wish(equations->dimensions().v);
  for (double& component : wish) component = normal(random);
  equations->set(start);
  const Eigen::VectorXd velocity = consistent_velocity(*equations, wish);

  for (const MatrixKind kind : {MatrixKind::velocity, MatrixKind::position}) {
    equations->set_velocity(velocity);
    const bool of_velocities = kind == MatrixKind::velocity;
    const AugmentedMatrix matrix{kind, &equations->M(), of_velocities ? &equations->G() : &equations->C(), nullptr};
    const Eigen::MatrixXd A = full_matrix(matrix);
    Eigen::VectorXd right(A.rows());
    right << equations->f(), equations->gamma().head(matrix.G->rows());
    const Eigen::VectorXd reference = reference_solution(A, right);
    const double condition_number = condition(A);
    ASSERT_LT(condition_number, 1e12);
    for (const std::string& name : linear_solver_names()) {
      if (name == "cholesky-qr" && options.massless) continue;
      SCOPED_TRACE(name);
      const auto solver = make_linear_solver(name, *equations);
      Outcome outcome = solver->analyze(*equations);
      if (outcome) outcome = solver->factor(matrix);
      ASSERT_TRUE(outcome) << outcome.reason();
      EXPECT_LE(relative_error(solve(*solver, right, matrix.M->rows()), reference), bound * condition_number);
    }
  }
}

TEST(RandomMechanisms, HaveOneSolutionInThePlane) {
  for (const RandomMechanism& options : random_mechanisms(6)) expect_agreement<Planar>(options);
  for (const RandomMechanism& options : mechanisms_of_all_joints(6)) expect_agreement<Planar>(options);
}

TEST(RandomMechanisms, HaveOneSolutionInSpace) {
  for (const RandomMechanism& options : random_mechanisms(4)) expect_agreement<Spatial>(options);
  for (const RandomMechanism& options : mechanisms_of_all_joints(4)) expect_agreement<Spatial>(options);
}

}  // namespace random_mechanisms_test
}  // namespace linkwork::test
