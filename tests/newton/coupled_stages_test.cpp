// The system of all stages together beside the one that decouples them, and beside its own definition.

#include "../random_mechanism.hpp"

#include <linkwork/solvers/formulations/formulation.hpp>
#include <linkwork/solvers/integrators/radau_coefficients.hpp>
#include <linkwork/solvers/newton/coupled_stages.hpp>
#include <linkwork/solvers/newton/stage_matrix.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <random>
#include <utility>
#include <vector>

namespace linkwork {
namespace coupled_stages_test {

constexpr double h = 1e-2;

/// A mechanism with loops, and Jacobians of it at three points near its start.
struct Stages {
  explicit Stages(Formulation formulation)
      : equations(make_equations(test::random_mechanism<Planar>({.rigid_bodies = 4, .loops = 1}),
                                 {.formulation = formulation})) {
    const State start = equations->initial_state();
    equations->set(start);
    system = std::make_unique<MotionResidual>(
        *equations, MotionResidual::Options{.form = EquationForm::strangeness_free, .acceleration_unknowns = true});
    system->read(start, y);
  }
  std::unique_ptr<StageMatrix> matrix(const StageSystemOptions& options, bool is_dense) {
    return std::make_unique<StageMatrix>(
        *system, JacobianOptions{.partitioned = PartitionedUpdates::off}, nullptr,
        is_dense ? make_dense_stage_system(*system, options) : make_sparse_stage_system(*system, options));
  }
  /// At the start, all unknowns moved by at most a hundredth of one.
  SparseMatrix jacobian(StageMatrix& matrix, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> shift(-1e-2, 1e-2);
    Eigen::VectorXd moved = y, F(system->equations());
    if (seed > 0)
      for (double& value : moved) value += shift(random);
    const Eigen::VectorXd zero_rate = Eigen::VectorXd::Zero(y.size()), sizes = Eigen::VectorXd::Ones(y.size());
    system->evaluate(0, moved, zero_rate, F);
    const Outcome renewed = matrix.renew({0, moved, F, sizes}, h);
    EXPECT_TRUE(renewed) << renewed.reason();
    return matrix.jacobian();
  }

  std::unique_ptr<EquationsOfMotion> equations;
  std::unique_ptr<MotionResidual> system;
  Eigen::VectorXd y;
};

const std::vector<std::pair<StageSystemOptions, bool>> systems = {
    {{}, false}, {{}, true}, {{.algebraic = AlgebraicDecomposition::svd}, true}};

Eigen::MatrixXd right_sides(int rows) {
  std::srand(7);
  return Eigen::MatrixXd::Random(rows, 3);
}

/// S (sum_j c_ij E dy_j + J_i dy_i + F_i), relative to the largest term of its row.
double relative_residual(const Stages& stages, const std::vector<SparseMatrix>& J, const SparseMatrix& S,
                         const Eigen::Matrix3d& coupling, const Eigen::MatrixXd& F, const Eigen::MatrixXd& dy) {
  const int differential = stages.system->layout().differential();
  double largest = 0;
  for (int i = 0; i < 3; ++i) {
    Eigen::MatrixXd terms = J[static_cast<std::size_t>(i)].dense() * dy.col(i).asDiagonal();
    terms.conservativeResize(Eigen::NoChange, terms.cols() + 4);
    terms.rightCols(4).setZero();
    terms.col(terms.cols() - 1) = F.col(i);
    for (int j = 0; j < 3; ++j)
      terms.col(terms.cols() - 2 - j).head(differential) = coupling(i, j) * dy.col(j).head(differential);
    const Eigen::MatrixXd chosen = S.dense() * terms;
    largest = std::max(
        largest, chosen.rowwise().sum().cwiseAbs().cwiseQuotient(chosen.cwiseAbs().rowwise().maxCoeff()).maxCoeff());
  }
  return largest;
}

// Residuals of an equilibrated system: rounding, times the growth of pivots. Worst seen: 2e-12.
TEST(CoupledStages, SolveWhatTheyAreDefinedBy) {
  for (const Formulation formulation : {Formulation::absolute, Formulation::mixed, Formulation::relative})
    for (const auto& [options, is_dense] : systems) {
      Stages stages(formulation);
      const auto matrix = stages.matrix(options, is_dense);
      std::vector<SparseMatrix> J;
      for (unsigned seed = 1; seed <= 3; ++seed) J.push_back(stages.jacobian(*matrix, seed));
      const SparseMatrix S = matrix->system().selection();
      const Eigen::Matrix3d coupling = radau_coefficients().inverse / h;
      CoupledStages coupled(*stages.system);
      const Outcome factored = coupled.factor(J, S, coupling);
      ASSERT_TRUE(factored) << factored.reason();
      const Eigen::MatrixXd F = right_sides(stages.system->equations());
      Eigen::MatrixXd dy(stages.y.size(), 3);
      coupled.solve(F, dy);
      ASSERT_TRUE(dy.allFinite());
      EXPECT_LT(relative_residual(stages, J, S, coupling, F, dy), 1e-10)
          << name_of(formulation) << (is_dense ? ", dense" : ", sparse");
    }
}

// With one Jacobian for all stages a transformation decouples them (Hairer and Wanner, IV.8). Both are as exact as the
// condition of the matrix allows; largest difference seen: 4e-10 of the largest solution.
TEST(CoupledStages, AgreeWithDecoupledOnesWhereAllHaveOneJacobian) {
  const RadauCoefficients& radau = radau_coefficients();
  for (const Formulation formulation : {Formulation::absolute, Formulation::mixed, Formulation::relative})
    for (const auto& [options, is_dense] : systems) {
      Stages stages(formulation);
      const auto matrix = stages.matrix(options, is_dense);
      const SparseMatrix J = stages.jacobian(*matrix, 0);
      ASSERT_TRUE(matrix->factor(h, radau.real / h, radau.complex_pair / h));
      CoupledStages coupled(*stages.system);
      ASSERT_TRUE(coupled.factor({J, J, J}, matrix->system().selection(), radau.inverse / h));

      const Eigen::MatrixXd F = right_sides(stages.system->equations()), W = F * radau.T_inverse.transpose();
      Eigen::MatrixXd dy(stages.y.size(), 3), decoupled(stages.y.size(), 3);
      coupled.solve(F, dy);
      Eigen::VectorXd real, imaginary;
      matrix->system().solve(W.col(0), real);
      decoupled.col(0) = real;
      matrix->system().solve(W.col(1), W.col(2), real, imaginary);
      decoupled.col(1) = real;
      decoupled.col(2) = imaginary;
      decoupled = (decoupled * radau.T.transpose()).eval();
      for (int i = 0; i < dy.rows(); ++i)
        EXPECT_LT((dy - decoupled).row(i).norm(), 1e-7 * dy.row(i).norm() + 1e-12 * dy.norm())
            << name_of(formulation) << (is_dense ? ", dense, " : ", sparse, ") << stages.system->unknown_name(i);
    }
}

TEST(CoupledStages, NameAnUnknownThatNothingDetermines) {
  Stages stages(Formulation::absolute);
  const auto matrix = stages.matrix({}, false);
  SparseMatrix J = stages.jacobian(*matrix, 0);
  const int lost = stages.system->size() - 1;
  for (int k = J.begin(lost); k < J.end(lost); ++k) J.value(k) = 0;
  CoupledStages coupled(*stages.system);
  const Outcome factored = coupled.factor({J, J, J}, matrix->system().selection(), radau_coefficients().inverse / h);
  ASSERT_FALSE(factored);
  EXPECT_TRUE(factored.is(Failure::singular));
  EXPECT_EQ(factored.reason(), "the iteration matrix is singular: nothing determines " +
                                   stages.system->unknown_name(lost) + ", or it depends on others");
}

}  // namespace coupled_stages_test
}  // namespace linkwork
