#include "../jacobian/test_functions.hpp"

#include <linkwork/core/errors.hpp>
#include <linkwork/core/power_of_two.hpp>
#include <linkwork/solvers/newton/iteration_matrix.hpp>

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace linkwork {
namespace iteration_matrix_test {

std::vector<IterationSolver> solvers() {
  std::vector<IterationSolver> all = {IterationSolver::automatic, IterationSolver::dense, IterationSolver::klu};
  if (has_umfpack()) all.push_back(IterationSolver::umfpack);
  return all;
}

SparseMatrix sparse(const Eigen::MatrixXd& A) {
  SparsityPattern pattern(static_cast<int>(A.rows()), static_cast<int>(A.cols()));
  for (int i = 0; i < A.rows(); ++i)
    for (int j = 0; j < A.cols(); ++j)
      if (A(i, j) != 0) pattern.rows[static_cast<std::size_t>(i)].push_back(j);
  SparseMatrix matrix(pattern);
  for (int j = 0; j < A.cols(); ++j)
    for (int k = matrix.begin(j); k < matrix.end(j); ++k) matrix.value(k) = A(matrix.row(k), j);
  return matrix;
}

/// Gives names only.
SparseSystem names(int size) { return SparseSystem(size, 1, 1); }

double relative_error(const Eigen::VectorXd& x, const Eigen::VectorXd& expected) {
  return (x - expected).norm() / expected.norm();
}

TEST(IterationMatrix, SolvesRandomSystemsWithEverySolver) {
  for (IterationSolver solver : solvers()) {
    std::unique_ptr<IterationMatrix> factors;
    for (unsigned seed = 1; seed <= 10; ++seed) {
      SparseSystem system(60, 4, 3);  // one pattern for all
      std::srand(seed);
      const Eigen::VectorXd y = Eigen::VectorXd::Random(60), expected = Eigen::VectorXd::Random(60);
      SparseMatrix J = sparse(system.exact(0, y, 5));
      if (!factors) factors = make_iteration_matrix(solver, J);
      const Outcome outcome = factors->factor(J, 1, 1, system);
      ASSERT_TRUE(outcome) << factors->name() << ": " << outcome.reason();
      Eigen::VectorXd x = Eigen::VectorXd::Zero(60);
      J.multiply_add(1, expected, x);
      factors->solve(x);
      // Condition numbers up to 1e3 times rounding.
      EXPECT_LT(relative_error(x, expected), 1e-12) << factors->name();
    }
    EXPECT_EQ(factors->statistics().factorizations, 10);
    EXPECT_EQ(factors->statistics().solves, 10);
  }
}

/// [alpha I, -I, 0, G^T; K, alpha M, G^T, 0; 0, G, 0, 0; G, 0, 0, 0]: the stabilised index-2 form (CORR 9).
Eigen::MatrixXd stabilised_form(double alpha) {
  std::srand(1);
  constexpr int n = 6, m = 2;
  const Eigen::MatrixXd K = 1e4 * Eigen::MatrixXd::Random(n, n), G = Eigen::MatrixXd::Random(m, n);
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(2 * (n + m), 2 * (n + m));
  J.block(0, 0, n, n) = alpha * Eigen::MatrixXd::Identity(n, n);
  J.block(0, n, n, n) = -Eigen::MatrixXd::Identity(n, n);
  J.block(0, 2 * n + m, n, m) = G.transpose();
  J.block(n, 0, n, n) = K;
  J.block(n, n, n, n) = alpha * Eigen::VectorXd::LinSpaced(n, 0.1, 100).asDiagonal().toDenseMatrix();
  J.block(n, 2 * n, n, m) = G.transpose();
  J.block(2 * n, n, m, n) = G;
  J.block(2 * n + m, 0, m, n) = G;
  return J;
}

TEST(IterationMatrix, StaysWellConditionedAsTheStepGoesToZero) {
  for (double step : {1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
    const SparseMatrix J = sparse(stabilised_form(1 / step));
    RowColumnScaling scaling;
    scaling.compute(J);
    const Eigen::MatrixXd scaled = scaling.rows().asDiagonal() * J.dense() * scaling.columns().asDiagonal();
    const double condition = 1 / Eigen::PartialPivLU<Eigen::MatrixXd>(scaled).rcond();
    EXPECT_LT(condition, 1e4) << "step " << step;  // 1e13 and more at 1e-6 without scaling
  }
}

// A state whose unit nobody knows, and a second one that only the first one sees: in other units of both, and of what
// they act on, the scaled matrix is the same to the last bit.
TEST(RowColumnScaling, FindsWhatNobodyKnowsBesideWhatIsKnown) {
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(3, 3);
  A << 3, 0.7, 0, 0, 5, 1.3, 0, 0, 2;
  const auto scaled = [](const Eigen::MatrixXd& matrix, double known) {
    RowColumnScaling scaling;
    scaling.compute(sparse(matrix), Eigen::Vector3d(1 / known, 0, 0), Eigen::Vector3d(known, 0, 0));
    return Eigen::MatrixXd(scaling.rows().asDiagonal() * matrix * scaling.columns().asDiagonal());
  };
  const Eigen::MatrixXd expected = scaled(A, 1);
  for (const double unit : {0x1p-20, 0x1p-7, 0x1p13}) {
    const Eigen::Vector3d units(unit, unit * unit, 1 / unit);
    const Eigen::MatrixXd other = units.asDiagonal() * A * units.cwiseInverse().asDiagonal();
    EXPECT_EQ(scaled(other, unit), expected) << unit;
  }
  RowColumnScaling scaling;  // nothing is known
  scaling.begin(sparse(A), Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero());
  EXPECT_EQ(scaling.rows(), Eigen::VectorXd::Ones(3));
  EXPECT_EQ(scaling.columns(), Eigen::VectorXd::Ones(3));
}

TEST(PowerOfTwo, GoesWithTheUnit) {
  for (const double x : {1.0, std::sqrt(0.5), std::sqrt(2.0), 1.4, 1.5, 3.0, 1e-7})
    for (const int exponent : {-30, -20, 1, 20})
      EXPECT_EQ(detail::nearest_power_of_two(std::ldexp(x, exponent)),
                std::ldexp(detail::nearest_power_of_two(x), exponent))
          << x << ' ' << exponent;
  EXPECT_EQ(detail::nearest_power_of_two(1.4), 1);
  EXPECT_EQ(detail::nearest_power_of_two(1.5), 2);
  EXPECT_EQ(detail::nearest_power_of_two(0), 0);
}

TEST(IterationMatrix, FollowsTheStepDownWithTheSamePattern) {
  for (IterationSolver solver : solvers()) {
    const SparsityPattern pattern = sparse(stabilised_form(1)).pattern();
    auto factors = make_iteration_matrix(solver, SparseMatrix(pattern));
    SparseSystem system = names(16);
    const Eigen::VectorXd expected = Eigen::VectorXd::LinSpaced(16, 1, 2);
    for (double step : {1e-2, 1e-3, 1e-6, 1e-10, 1e-4}) {
      const SparseMatrix J = sparse(stabilised_form(1 / step));
      ASSERT_TRUE(factors->factor(J, 1, 1, system));
      Eigen::VectorXd x = Eigen::VectorXd::Zero(16);
      J.multiply_add(1, expected, x);
      factors->solve(x);
      // Multipliers are hidden behind alpha p in the right side: eps / step of them is lost there, at 1e-10 all but six
      // digits. Positions and velocities are what the iteration needs.
      EXPECT_LT(relative_error(x.head(12), expected.head(12)), 1e-11) << factors->name() << ", step " << step;
    }
  }
}

TEST(IterationMatrix, TakesANewPattern) {
  for (IterationSolver solver : solvers()) {
    const SparseMatrix first = sparse(Eigen::MatrixXd::Identity(5, 5));
    auto factors = make_iteration_matrix(solver, first);
    SparseSystem system = names(5);
    ASSERT_TRUE(factors->factor(first, 1, 1, system));
    Eigen::MatrixXd A = Eigen::MatrixXd::Identity(5, 5);
    A(0, 4) = 3;
    ASSERT_TRUE(factors->factor(sparse(A), 1, 2, system));
    Eigen::VectorXd x = A * Eigen::VectorXd::Ones(5);
    factors->solve(x);
    EXPECT_LT((x - Eigen::VectorXd::Ones(5)).norm(), 1e-15);
  }
}

TEST(IterationMatrix, ChoosesNewPivotsWhenTheOldOnesTurnSmall) {
  SparseSystem system = names(2);
  Eigen::MatrixXd A(2, 2);
  A << 1, 0.5, 0.25, 1;
  auto factors = make_iteration_matrix(IterationSolver::klu, sparse(A));
  ASSERT_TRUE(factors->factor(sparse(A), 1, 1, system));
  A << 1e-12, 0.5, 0.25, 1e-12;
  ASSERT_TRUE(factors->factor(sparse(A), 1, 1, system));
  Eigen::VectorXd x = A * Eigen::Vector2d(1, 2);
  factors->solve(x);
  EXPECT_LT((x - Eigen::Vector2d(1, 2)).norm(), 1e-14);
  EXPECT_EQ(factors->statistics().analyses, 2);
}

TEST(IterationMatrix, NamesTheUnknownsAndEquationsThatMakeItSingular) {
  for (IterationSolver solver : solvers()) {
    Eigen::MatrixXd A = 2 * Eigen::MatrixXd::Identity(5, 5);
    A(1, 1) = 1;
    A(1, 3) = 1;
    A(3, 1) = 1;
    A(3, 3) = 1;  // rows and columns 1 and 3 are the same
    auto factors = make_iteration_matrix(solver, sparse(A));
    SparseSystem system = names(5);
    EXPECT_EQ(factors->why_singular(system), "");
    const Outcome outcome = factors->factor(sparse(A), 1, 1, system);
    ASSERT_FALSE(outcome) << factors->name();
    EXPECT_EQ(factors->why_singular(system),
              "the iteration matrix is singular: nothing determines angle 1, angle 3; equations that depend on each "
              "other: equation 1, equation 3.");
    Eigen::VectorXd x(5);
    EXPECT_THROW(factors->solve(x), ModelError);
  }
}

TEST(IterationMatrix, NamesAnUnknownThatNoEquationReads) {
  for (IterationSolver solver : solvers()) {
    Eigen::MatrixXd A = Eigen::MatrixXd::Identity(5, 5);
    A(2, 2) = 0;
    A(2, 3) = 1;
    auto factors = make_iteration_matrix(solver, sparse(A));
    SparseSystem system = names(5);
    const Outcome outcome = factors->factor(sparse(A), 1, 1, system);
    ASSERT_FALSE(outcome) << factors->name();
    const std::string why = factors->why_singular(system);
    EXPECT_NE(why.find("nothing determines angle 2;"), std::string::npos) << why;
  }
}

TEST(IterationMatrix, NamesTheUnknownOfTheVanishedPivotInLargeSystems) {
  Eigen::MatrixXd A = Eigen::MatrixXd::Identity(400, 400);
  A(123, 123) = 0;
  A(123, 124) = 1;
  for (IterationSolver solver : solvers()) {
    auto factors = make_iteration_matrix(solver, sparse(A));
    SparseSystem system = names(400);
    const Outcome outcome = factors->factor(sparse(A), 1, 1, system);
    ASSERT_FALSE(outcome) << factors->name();
    EXPECT_EQ(outcome.reason().rfind("the iteration matrix is singular: nothing determines angle ", 0), 0U)
        << outcome.reason();
    EXPECT_EQ(factors->why_singular(system), outcome.reason());
  }
}

/// Counts the names that are asked for.
class CountedNames final : public ResidualFunction {
 public:
  explicit CountedNames(int size) : ResidualFunction(size) {}
  mutable int asked = 0;
  void evaluate(double, const Eigen::VectorXd&, const Eigen::VectorXd&, Eigen::VectorXd&) override {}
  std::string unknown_name(int j) const override { return ++asked, "angle " + std::to_string(j); }
  std::string equation_name(int i) const override { return ++asked, "equation " + std::to_string(i); }
};

// A step that is tried again may meet one singular matrix after the other: what depends on what is found when somebody
// asks, also after a regular matrix.
TEST(IterationMatrix, IsLookedAtAsAWholeOnlyWhereSomebodyAsks) {
  const Eigen::MatrixXd regular = Eigen::MatrixXd::Identity(5, 5) + Eigen::MatrixXd::Constant(5, 5, 0.1);
  Eigen::MatrixXd A = regular;
  A.row(3) = A.row(1);
  for (IterationSolver solver : solvers()) {
    auto factors = make_iteration_matrix(solver, sparse(A));
    CountedNames names(5);
    for (int trial = 1; trial <= 3; ++trial) {
      ASSERT_FALSE(factors->factor(sparse(A), 1, 1, names)) << factors->name();
      EXPECT_EQ(names.asked, trial) << "the unknown of the pivot";
    }
    ASSERT_TRUE(factors->factor(sparse(regular), 1, 1, names));
    EXPECT_NE(factors->why_singular(names).find("depend on each other: equation 1, equation 3."), std::string::npos)
        << factors->why_singular(names);
  }
}

TEST(IterationMatrix, RefusesToSolveBeforeItHasFactors) {
  const SparseMatrix J = sparse(Eigen::MatrixXd::Identity(3, 3));
  auto factors = make_iteration_matrix(IterationSolver::dense, J);
  Eigen::VectorXd x(3);
  try {
    factors->solve(x);
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_STREQ(error.what(), "dense: solve was called without factors; call factor first.");
  }
}

TEST(IterationMatrix, IsDenseWhereMoreThanHalfOfTheEntriesDifferFromZero) {
  const auto name = [](const Eigen::MatrixXd& A) {
    return make_iteration_matrix(IterationSolver::automatic, sparse(A))->name();
  };
  EXPECT_EQ(name(Eigen::MatrixXd::Identity(3, 3)), "klu");
  EXPECT_EQ(name(Eigen::MatrixXd::Ones(60, 60)), "dense");
  Eigen::MatrixXd half = Eigen::MatrixXd::Identity(4, 4);
  half.col(3).setOnes();
  half(3, 0) = 1;
  EXPECT_EQ(name(half), "klu");  // 8 of 16
  half(2, 0) = 1;
  EXPECT_EQ(name(half), "dense");
}

}  // namespace iteration_matrix_test
}  // namespace linkwork
