// Correctors by themselves, on linear systems whose answers are known, without a test that stops the iteration.

#include "../jacobian/test_functions.hpp"
#include "../messages.hpp"

#include <linkwork/core/dense_factors.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/linear/klu_factors.hpp>
#include <linkwork/solvers/newton/corrector_options.hpp>
#include <linkwork/solvers/newton/cycle_controller.hpp>
#include <linkwork/solvers/newton/low_rank_updates.hpp>
#include <linkwork/solvers/newton/spectral_radius.hpp>

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace linkwork {
namespace correctors_test {

using test::contains;

/// F = K y - b with a matrix that changes under the corrector's hands.
class LinearSystem final : public ResidualFunction {
 public:
  explicit LinearSystem(Eigen::MatrixXd matrix) : ResidualFunction(static_cast<int>(matrix.rows())), K(matrix) {}
  void evaluate(double, const Eigen::VectorXd& y, const Eigen::VectorXd&, Eigen::VectorXd& F) override {
    if (!is_defined(y)) throw RecoverableFailure("the law ends there");
    F = K * y - b;
  }
  Dependencies dependencies() const override { return {SparsityPattern::full(size(), size()), true}; }
  bool knows_rate_matrix() const override { return true; }  // there are no rates

  Eigen::MatrixXd K;
  Eigen::VectorXd b = Eigen::VectorXd::Zero(K.rows());
  std::function<bool(const Eigen::VectorXd& y)> is_defined = [](const Eigen::VectorXd&) { return true; };
};

/// A corrector at a point of a system.
struct Case {
  LinearSystem& system;
  Eigen::VectorXd y, rate = Eigen::VectorXd::Zero(system.size()), sizes = Eigen::VectorXd::Ones(system.size());
  std::unique_ptr<Corrector> corrector;

  Case(LinearSystem& of, const CorrectorOptions& options, Eigen::VectorXd start)
      : system(of),
        y(std::move(start)),
        corrector(make_corrector(of, StateLayout(Dimensions{}), options, {.partitioned = PartitionedUpdates::off},
                                 IterationSolver::klu)) {}
  JacobianPoint point() const { return {0, y, rate, 1, 1, sizes}; }
  Eigen::VectorXd F() const {
    Eigen::VectorXd F(system.size());
    system.evaluate(0, y, rate, F);
    return F;
  }
  void refresh(JacobianCause cause = JacobianCause::start) {
    const Outcome refreshed = corrector->refresh(point(), F(), cause);
    ASSERT_TRUE(refreshed) << refreshed.reason();
  }
  Eigen::VectorXd correction(const Eigen::VectorXd& F) {
    Eigen::VectorXd delta(system.size());
    const Outcome corrected = corrector->correct(point(), F, delta);
    EXPECT_TRUE(corrected) << corrected.reason();
    return delta;
  }
  Eigen::VectorXd iterate() {
    const Eigen::VectorXd delta = correction(F());
    y -= delta;
    return delta;
  }
  /// I - G~^-1 G, column by column.
  Eigen::MatrixXd error_matrix() {
    Eigen::MatrixXd E = Eigen::MatrixXd::Identity(system.size(), system.size());
    for (int j = 0; j < system.size(); ++j) E.col(j) -= correction(system.K.col(j));
    return E;
  }
};

Eigen::MatrixXd random_matrix(int rows, int columns, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  Eigen::MatrixXd A(rows, columns);
  for (double& entry : A.reshaped()) entry = number(generator);
  return A;
}

/// Diagonally dominant with nothing above zero beside the diagonal: then I - G~^-1 G has no negative entry, for an
/// older G~ with smaller entries beside the diagonal and for dropped factors, and its largest eigenvalue is a single
/// one.
Eigen::MatrixXd m_matrix(int size, double share) {
  const Eigen::MatrixXd beside = -random_matrix(size, size, 5).cwiseAbs();
  Eigen::MatrixXd A = share * beside;
  A.diagonal() = 1.3 * beside.cwiseAbs().rowwise().sum();
  return A;
}

double dense_spectral_radius(const Eigen::MatrixXd& A) { return A.eigenvalues().cwiseAbs().maxCoeff(); }

/// Geometric mean over 20 iterations after 40; the solution is zero, so that rounding ends nothing.
double contraction(Case& each) {
  double before = 0;
  for (int k = 1; k <= 60; ++k) {
    const double size = each.iterate().norm();
    if (k == 40) before = size;
    if (k == 60) return std::pow(size / before, 1.0 / 20);
  }
  return 0;
}

TEST(Correctors, ContractAsTheSpectralRadiusSays) {
  struct Row {
    const char* name;
    CorrectorOptions options;
    double older;  // share of the entries beside the diagonal when the matrix is taken
  };
  const Row rows[] = {
      {"simplified", {}, 0.5},
      {"dropped-lu", {.method = CorrectorMethod::dropped_lu, .drop_tolerance = 0.05}, 1},
      {"dropped-lu, dated", {.method = CorrectorMethod::dropped_lu, .drop_tolerance = 0.05}, 0.6},
      {"cycle, dropped",
       {.method = CorrectorMethod::cycle, .drop_tolerance = 0.05, .phases = {true, false, false}, .adapts = false},
       0.6},
      {"cycle, simplified", {.method = CorrectorMethod::cycle, .phases = {false, true, false}}, 0.5}};
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    LinearSystem system(m_matrix(30, row.older));
    Case each(system, row.options, random_matrix(30, 1, 7));
    each.refresh();
    system.K = m_matrix(30, 1);
    const double radius = dense_spectral_radius(each.error_matrix());
    EXPECT_GT(radius, 0.05);
    EXPECT_LT(radius, 0.95);
    EXPECT_NEAR(contraction(each), radius, 0.02 * radius);
  }
}

// With updates from an iteration before, which then stay.
TEST(Correctors, ContractWithBroydensUpdatesAsTheSpectralRadiusSays) {
  LinearSystem system(m_matrix(30, 0.5));
  Case each(system, {.method = CorrectorMethod::broyden, .broyden_updates = BroydenUpdates::at_last_iteration},
            random_matrix(30, 1, 7));
  each.refresh();
  system.K = m_matrix(30, 1);
  const double before = dense_spectral_radius(each.error_matrix());
  each.corrector->begin(0, 1);
  for (int k = 0; k < 4; ++k) each.iterate();
  each.corrector->end({.converged = true});
  EXPECT_EQ(each.corrector->statistics().low_rank_updates, 1);
  const double radius = dense_spectral_radius(each.error_matrix());
  EXPECT_LT(radius, 0.5 * before);  // the direction of the slowest part is known now
  each.corrector->begin(0, 1);
  EXPECT_NEAR(contraction(each), radius, 0.02 * radius);
}

TEST(SpectralRadius, IsThatOfAllEigenvalues) {
  for (const int size : {1, 2, 7, 60, 150}) {
    const Eigen::MatrixXd A = random_matrix(size, size, 3);
    const auto apply = [&](Eigen::VectorXd& x) { x = A * x; };
    // Eigenvalues of random matrices lie in a disc, many near its rim: Arnoldi finds the largest to some percent before
    // it has all, and to rounding where it has.
    const double exact = dense_spectral_radius(A);
    EXPECT_NEAR(spectral_radius(size, apply), exact, size <= 60 ? 1e-2 * exact : 0.05 * exact);
    EXPECT_NEAR(spectral_radius(size, apply, size), exact, 1e-2 * exact);
  }
  EXPECT_EQ(spectral_radius(0, [](Eigen::VectorXd&) {}), 0);
  EXPECT_EQ(spectral_radius(5, [](Eigen::VectorXd& x) { x.setZero(); }), 0);
}

/// A matrix, one that was factored before it changed by so much, and a Krylov corrector of n steps.
struct Changed {
  LinearSystem system;
  Case krylov, simplified;

  Changed(const Eigen::MatrixXd& change, int steps, KrylovProducts products = KrylovProducts::differences)
      : system(10 * Eigen::MatrixXd::Identity(20, 20) + random_matrix(20, 20, 1)),
        krylov(system,
               {.method = CorrectorMethod::krylov,
                .krylov_steps = steps,
                .krylov_products = products,
                .krylov_norm = KrylovNorm::plain},
               random_matrix(20, 1, 2)),
        simplified(system, {}, krylov.y) {
    system.b = random_matrix(20, 1, 9);
    krylov.refresh();
    simplified.refresh();
    system.K += change;
  }
  /// |P^-1 F|
  double residual(const Case& of) { return simplified.correction(of.F()).norm(); }
};

TEST(Correctors, KrylovStepsNeverLeaveMoreThanAsManySimplifiedOnes) {
  for (unsigned seed = 11; seed < 31; ++seed)
    for (int steps = 1; steps <= 6; ++steps)
      for (const double size : {0.3, 3.0}) {
        Changed each(size * random_matrix(20, 20, seed), steps);
        each.krylov.corrector->begin(0, 1);
        each.krylov.iterate();
        for (int k = 0; k < steps; ++k) each.simplified.iterate();
        const double by_krylov = each.residual(each.krylov), by_simplified = each.residual(each.simplified);
        // A difference along a direction has eight digits.
        EXPECT_LE(by_krylov, by_simplified * (1 + 1e-6) + 1e-7) << steps << " steps, " << size;
      }
}

TEST(Correctors, KrylovStepsAreExactWhereTheChangeHasOneRankLess) {
  for (const KrylovProducts products : {KrylovProducts::differences, KrylovProducts::jacobian})
    for (int rank = 0; rank <= 4; ++rank) {
      const Eigen::MatrixXd change = 3 * random_matrix(20, rank, 4) * random_matrix(rank, 20, 5);
      Changed exact(change, rank + 1, products);
      const double before = exact.residual(exact.krylov);
      exact.krylov.corrector->begin(0, 1);
      exact.krylov.iterate();
      // Products by differences have eight digits, and changes three times as large as the matrix cost one or two.
      EXPECT_LT(exact.residual(exact.krylov), 1e-5 * before) << rank;
      if (rank == 0) continue;
      Changed fewer(change, rank, products);
      fewer.krylov.corrector->begin(0, 1);
      fewer.krylov.iterate();
      EXPECT_GT(fewer.residual(fewer.krylov), 1e-3 * before) << rank;
    }
}

// Near the end of a law a direction can be gone along in the other sense, or not at all.
TEST(Correctors, KrylovDoesWithTheStepsThatCanBeEvaluated) {
  Changed each(random_matrix(20, 20, 6), 3);
  const Eigen::VectorXd at = each.krylov.y;
  int refused = 0;
  each.system.is_defined = [&](const Eigen::VectorXd& y) { return y == at || ++refused % 2 == 0; };
  Eigen::VectorXd half_defined = each.krylov.correction(each.krylov.F());
  each.system.is_defined = [](const Eigen::VectorXd&) { return true; };
  const Eigen::VectorXd all_defined = each.krylov.correction(each.krylov.F());
  EXPECT_LT((half_defined - all_defined).norm(), 1e-6 * all_defined.norm());
  each.system.is_defined = [&](const Eigen::VectorXd& y) { return y == at; };
  EXPECT_EQ(each.krylov.correction(each.krylov.F()), each.simplified.correction(each.simplified.F()));
}

// An error that the factors make nothing of: the correction says that next to nothing is left.
TEST(Correctors, KrylovSeesNoErrorThatItsFactorsMakeNothingOf) {
  LinearSystem system(Eigen::Vector4d(1e6, 1, 1, 1).asDiagonal());
  Case each(system, {.method = CorrectorMethod::krylov, .krylov_steps = 2}, Eigen::Vector4d::Ones());
  each.refresh();
  system.K = Eigen::Vector4d(1, 1, 1.2, 1.2).asDiagonal();
  each.iterate();
  EXPECT_LT(each.corrector->leaves(), 0.1);
  EXPECT_GT(std::abs(each.y[0]), 0.9);
  EXPECT_LT(each.y.tail(3).norm(), 1e-3);
}

// So that it does not keep factors until it hardly converges, where other ones cost no evaluation.
TEST(Correctors, KrylovRenewsDatedFactorsWhereThatCostsNoEvaluation) {
  LinearSystem system(Eigen::MatrixXd::Identity(3, 3));
  for (const CorrectorMethod method : {CorrectorMethod::krylov, CorrectorMethod::cycle})
    for (const PartitionedUpdates updates : {PartitionedUpdates::on, PartitionedUpdates::off}) {
      const CorrectorOptions options{.method = method, .phases = {false, false, true}, .adapts = false};
      Case each(system, options, Eigen::VectorXd::Ones(3));
      each.corrector =
          make_corrector(system, StateLayout(Dimensions{}), options, {.partitioned = updates}, IterationSolver::klu);
      each.refresh();
      each.corrector->begin(0, 1);
      each.iterate();
      each.corrector->observe(0.05);
      EXPECT_FALSE(each.corrector->renews(1, false));
      each.corrector->observe(0.2);
      EXPECT_EQ(each.corrector->renews(1, false), updates == PartitionedUpdates::on);
      each.refresh(JacobianCause::coefficient);
      EXPECT_FALSE(each.corrector->renews(1, false));
    }
}

TEST(Correctors, KrylovCountsItsSteps) {
  Changed each(random_matrix(20, 20, 6), 3);
  const std::int64_t before = each.krylov.corrector->jacobian_statistics().function_calls;
  each.krylov.iterate();
  const CorrectorStatistics counts = each.krylov.corrector->statistics();
  EXPECT_EQ(counts.krylov_steps, 3);
  EXPECT_EQ(counts.krylov_function_calls, 3);
  EXPECT_EQ(each.krylov.corrector->jacobian_statistics().function_calls, before + 3);
  EXPECT_EQ(counts.iterations[static_cast<std::size_t>(CorrectorPhase::krylov)], 1);
}

// ---------------------------------------------------------------------------------------------- updates of low rank

// G~ z = f_(i+1) - f_i for beta = 1, else that much of it beside -f_i, which the old one gives for z.
TEST(Correctors, BroydensUpdatesMeetTheSecantEquation) {
  for (const BroydenUpdates kind : {BroydenUpdates::when_dated, BroydenUpdates::at_last_iteration})
    for (const double damping : {1.0, 0.5})
      for (int iterations = 2; iterations <= 9; ++iterations) {  // more than updates are kept
        LinearSystem system(10 * Eigen::MatrixXd::Identity(20, 20) + random_matrix(20, 20, 1));
        Case each(system,
                  {.method = CorrectorMethod::broyden,
                   .broyden_rank = 3,
                   .broyden_damping = damping,
                   .broyden_updates = kind},
                  random_matrix(20, 1, 2));
        each.sizes = random_matrix(20, 1, 8).cwiseAbs().array() + 0.1;
        each.refresh();
        system.K += 2 * random_matrix(20, 20, 3);
        each.corrector->begin(0, 1);
        each.corrector->observe(0.5);  // slow enough for updates
        Eigen::VectorXd f_before, f = each.F(), z;
        for (int k = 0; k < iterations; ++k) {
          if (k + 1 < iterations) {
            f_before = f;
            z = -each.iterate();
            f = each.F();
          } else {
            each.correction(f);  // learns from the pair of before
          }
        }
        each.corrector->end({.converged = true});
        const std::int64_t updates = each.corrector->statistics().low_rank_updates;
        EXPECT_EQ(updates, kind == BroydenUpdates::when_dated ? iterations - 1 : 1);
        each.corrector->begin(0, 1);
        const bool is_first_of_few = kind == BroydenUpdates::when_dated && (iterations - 1) % 3 == 1 && iterations > 2;
        if (damping < 1 && is_first_of_few)
          continue;  // those of before were given up, so that -f_i is not what is left
        const Eigen::VectorXd right = damping * (f - f_before) - (1 - damping) * f_before;
        EXPECT_LT((each.correction(right) - z).norm(), 1e-12 * z.norm()) << iterations << ' ' << damping;
      }
}

TEST(Correctors, BroydensUpdatesEndWithTheCoefficientAndTheFactors) {
  LinearSystem system(10 * Eigen::MatrixXd::Identity(20, 20) + random_matrix(20, 20, 1));
  Case each(system, {.method = CorrectorMethod::broyden}, random_matrix(20, 1, 2));
  each.refresh();
  const Eigen::MatrixXd plain = each.error_matrix();
  system.K += 2 * random_matrix(20, 20, 3);
  each.corrector->begin(0, 1);
  each.corrector->observe(0.5);
  for (int k = 0; k < 3; ++k) each.iterate();
  system.K -= 2 * random_matrix(20, 20, 3);
  each.corrector->begin(0, 2);
  EXPECT_LT((each.correction(system.K.col(3)) - (Eigen::VectorXd::Unit(20, 3) - plain.col(3))).norm(), 1e-14);
}

TEST(Correctors, TheBestUpdateOfARankIsExactWhereTheChangeHasThatRank) {
  LinearSystem system(10 * Eigen::MatrixXd::Identity(20, 20) + random_matrix(20, 20, 1));
  Case each(system,
            {.method = CorrectorMethod::broyden, .broyden_rank = 3, .broyden_updates = BroydenUpdates::singular_values},
            random_matrix(20, 1, 2));
  each.refresh();
  system.K += random_matrix(20, 3, 3) * random_matrix(3, 20, 4);
  const double before = each.F().norm();
  ASSERT_TRUE(each.corrector->can_improve(0));
  each.refresh(JacobianCause::convergence);
  EXPECT_EQ(each.corrector->factorizations(), 1);
  EXPECT_EQ(each.corrector->statistics().low_rank_updates, 3);
  each.iterate();
  EXPECT_LT(each.F().norm(), 1e-6 * before);  // of differences
  // The next means is the matrix itself, whose differences are at hand.
  const std::int64_t calls = each.corrector->jacobian_statistics().function_calls;
  ASSERT_TRUE(each.corrector->can_improve(0));
  each.refresh(JacobianCause::convergence);
  EXPECT_EQ(each.corrector->factorizations(), 2);
  EXPECT_EQ(each.corrector->jacobian_statistics().function_calls, calls);
  EXPECT_FALSE(each.corrector->can_improve(0) && each.corrector->factorizations() > 2);
}

TEST(LowRankUpdates, InvertAndRefuseWhatIsSingular) {
  const int n = 12;
  const Eigen::MatrixXd A = 5 * Eigen::MatrixXd::Identity(n, n) + random_matrix(n, n, 1);
  const Eigen::MatrixXd V = random_matrix(n, 4, 2), W = random_matrix(n, 4, 3);
  LowRankUpdates updates(n, 4);
  LuFactors lu;
  lu.compute(A);
  const Eigen::MatrixXd solutions = lu.solve_columns(V);
  Eigen::MatrixXd changed = A;
  for (int k = 0; k < 4; ++k)
    if (updates.add(solutions.col(k), W.col(k))) changed += V.col(k) * W.col(k).transpose();
  EXPECT_GE(updates.rank(), 2);
  const Eigen::VectorXd b = random_matrix(n, 1, 4);
  Eigen::VectorXd x(n), product;
  lu.solve(b, x);
  updates.apply(x);
  EXPECT_LT((changed * x - b).norm(), 1e-13 * b.norm());
  updates.multiply(x, product);
  EXPECT_LT((A * product - b).norm(), 1e-13 * b.norm());
  // A - a_0 e_0^T has no column 0.
  LowRankUpdates singular(n, 4);
  EXPECT_FALSE(singular.add(-Eigen::VectorXd::Unit(n, 0), Eigen::VectorXd::Unit(n, 0)));
  EXPECT_EQ(singular.rank(), 0);
}

// ---------------------------------------------------------------------------------------------- newton, dropped-lu

/// F = K y + y^3 - b, component by component.
class CubicSystem final : public ResidualFunction {
 public:
  CubicSystem() : ResidualFunction(20), K_(10 * Eigen::MatrixXd::Identity(20, 20) + random_matrix(20, 20, 1)) {}
  void evaluate(double, const Eigen::VectorXd& y, const Eigen::VectorXd&, Eigen::VectorXd& F) override {
    F = K_ * (y - solution) + (y.array().cube() - solution.array().cube()).matrix();
  }
  Dependencies dependencies() const override { return {SparsityPattern::full(size(), size()), true}; }
  const Eigen::VectorXd solution = random_matrix(20, 1, 2);

 private:
  Eigen::MatrixXd K_;
};

TEST(Correctors, ExactNewtonSquaresErrors) {
  CubicSystem system;
  const Eigen::VectorXd rate = Eigen::VectorXd::Zero(20), sizes = Eigen::VectorXd::Ones(20);
  Eigen::VectorXd F(20), delta(20), y = system.solution + random_matrix(20, 1, 3);
  const auto newton = make_corrector(system, StateLayout(Dimensions{}), {.method = CorrectorMethod::newton},
                                     {.partitioned = PartitionedUpdates::off}, IterationSolver::klu);
  std::vector<double> errors;
  for (int k = 0; k < 5; ++k) {
    errors.push_back((y - system.solution).norm());
    system.evaluate(0, y, rate, F);
    ASSERT_TRUE(newton->correct({0, y, rate, 1, 1, sizes}, F, delta));
    y -= delta;
  }
  EXPECT_NEAR(std::log(errors[3] / errors[2]) / std::log(errors[2] / errors[1]), 2, 0.3);
  EXPECT_EQ(newton->factorizations(), 5);
  EXPECT_EQ(newton->jacobian_statistics().differenced, 5);
}

/// P A Q = L U + B with a small entry in each factor.
TriangularFactors small_factors() {
  TriangularFactors f;
  f.row_order = {2, 0, 1, 3};
  f.column_order = {1, 0, 3, 2};
  f.blocks = {0, 3, 4};
  f.pivots = {2, 4, 5, 8};
  f.lower = {{0, 2, 3, 3, 3}, {1, 2, 2}, {0.05, 0.5, 0.009}};
  f.upper = {{0, 0, 1, 3, 3}, {0, 0, 1}, {1, 0.1, -3}};
  f.beside = {{0, 0, 0, 0, 2}, {0, 2}, {1e-9, 1}};
  return f;
}

Eigen::MatrixXd matrix_of(const TriangularFactors& f, double tolerance) {
  const int n = f.size();
  Eigen::MatrixXd L = Eigen::MatrixXd::Identity(n, n), U = Eigen::MatrixXd::Zero(n, n), B = U, A = U;
  const auto add = [n](const TriangularColumns<double>& columns, Eigen::MatrixXd& to) {
    for (int j = 0; j < n; ++j)
      for (int k = columns.starts[static_cast<std::size_t>(j)]; k < columns.starts[static_cast<std::size_t>(j) + 1];
           ++k)
        to(columns.rows[static_cast<std::size_t>(k)], j) = columns.values[static_cast<std::size_t>(k)];
  };
  add(f.lower, L);
  add(f.upper, U);
  add(f.beside, B);
  for (int j = 0; j < n; ++j) U(j, j) = f.pivots[static_cast<std::size_t>(j)];
  for (Eigen::MatrixXd* factor : {&L, &U})
    for (int i = 0; i < n; ++i) {
      const double largest = factor->row(i).cwiseAbs().maxCoeff();
      for (int j = 0; j < n; ++j)
        if (i != j && std::abs((*factor)(i, j)) < tolerance * largest) (*factor)(i, j) = 0;
    }
  const Eigen::MatrixXd C = L * U + B;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      A(f.row_order[static_cast<std::size_t>(i)], f.column_order[static_cast<std::size_t>(j)]) = C(i, j);
  return A;
}

TEST(DroppedFactors, LeaveOutWhatIsSmallInItsRow) {
  const TriangularFactors all = small_factors();
  struct Row {
    double tolerance;
    int left_out;
  };
  // L has 0.05, 0.5 and 0.009 beside ones; U has 1 and 0.1 beside 2, and -3 beside 4; B stays as it is.
  for (const Row& row : {Row{0, 0}, Row{0.01, 1}, Row{0.06, 3}, Row{0.6, 5}, Row{0.8, 6}}) {
    DroppedFactors dropped;
    dropped.drop(all, row.tolerance);
    EXPECT_EQ(dropped.all_entries() - dropped.entries(), row.left_out) << row.tolerance;
    EXPECT_EQ(dropped.drops_nothing(), row.left_out == 0);
    const Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(4, 1, 2);
    Eigen::VectorXd solved = matrix_of(all, row.tolerance) * x;
    dropped.solve(solved.data());
    EXPECT_LT((solved - x).norm(), 1e-14) << row.tolerance;
  }
}

/// A matrix with blocks, so that KLU's form has entries beside them.
Eigen::MatrixXd block_matrix(int size) {
  Eigen::MatrixXd A = 4 * Eigen::MatrixXd::Identity(size, size);
  std::mt19937 generator(2);
  std::uniform_int_distribution<int> place(0, size - 1);
  for (int k = 0; k < 2 * size; ++k) A(place(generator), place(generator)) += 1;
  return A.rowwise().reverse();
}

TEST(DroppedFactors, OfKluSolveAsItsOwnDo) {
  for (const bool block_triangular : {false, true}) {
    const int n = 40;
    const Eigen::MatrixXd A = block_matrix(n);
    SparsityPattern pattern(n, n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        if (A(i, j) != 0) pattern.rows[static_cast<std::size_t>(i)].push_back(j);
    SparseMatrix matrix(pattern);
    std::vector<std::complex<double>> values;
    for (int j = 0; j < n; ++j)
      for (int k = matrix.begin(j); k < matrix.end(j); ++k) {
        matrix.value(k) = A(matrix.row(k), j);
        values.emplace_back(matrix.value(k), 0.3 * matrix.value(k));
      }
    const Eigen::VectorXd expected = random_matrix(n, 1, 3);
    const auto check = [&](auto& factors, auto x, auto triangular, auto dropped) {
      factors.extract(triangular);
      dropped.drop(triangular, 0);
      EXPECT_EQ(dropped.entries(), factors.entries());
      dropped.solve(x.data());
      EXPECT_LT((x - expected.cast<typename decltype(x)::Scalar>()).norm(), 1e-12);
    };
    KluFactors real(block_triangular);
    real.analyze(matrix);
    ASSERT_EQ(real.choose_pivots(matrix), -1);
    check(real, Eigen::VectorXd(A * expected), TriangularFactors(), DroppedFactors());
    ComplexKluFactors complex(block_triangular);
    complex.analyze(matrix);
    ASSERT_EQ(complex.choose_pivots(matrix, values.data()), -1);
    const std::complex<double> c(1, 0.3);
    check(complex, Eigen::VectorXcd(c * (A * expected)), TriangularFactorsOf<std::complex<double>>(),
          DroppedFactorsOf<std::complex<double>>());
  }
}

// ---------------------------------------------------------------------------------------------- the controller

/// Work that nothing but trials says whether another setting saves.
CycleWork all_open(double work) { return {work, work, work}; }

// Costs with a minimum on the way, as functions of the two settings.
TEST(CycleController, FindsTheCheapestSettings) {
  const auto cost = [](const CycleSettings& s) {
    const double dropped = s.phases.dropped_lu ? std::abs(std::log10(s.drop_tolerance) + 4) - 2 : 0;
    const double krylov = s.phases.krylov ? 2 * std::abs(s.krylov_steps - 2) - 3 : 0;
    return 10 + dropped + krylov;
  };
  CycleController controller({}, 1e-3, 2, 3);
  double late = 0;
  for (int cycle = 0; cycle < 3000; ++cycle) {
    const double each = cost(controller.settings());
    if (cycle >= 1000) late += each / 2000;
    controller.end_cycle(all_open(20 * each), 20);
  }
  EXPECT_NEAR(controller.usual_work(), 5, 1e-9);  // at 1e-4 and two steps
  EXPECT_LT(late, 5 * 1.05);                      // trials on the way included, of settings up to three times as dear
}

TEST(CycleController, FallsBackToPlainWhereNothingPays) {
  CycleController controller({}, 1e-3, 2, 3);
  int plain = 0;
  for (int cycle = 0; cycle < 2000; ++cycle) {
    const CycleSettings s = controller.settings();
    plain += controller.is_plain() ? 1 : 0;
    const double each = 10 + (s.phases.dropped_lu ? 1 : 0) + (s.phases.krylov ? s.krylov_steps : 0);
    controller.end_cycle(all_open(20 * each), 20);
  }
  EXPECT_GT(plain, 1800);
  const CycleSettings s = CycleController({false, true, false}, 1e-3, 2, 3).settings();
  EXPECT_FALSE(s.phases.dropped_lu);
  EXPECT_FALSE(s.phases.krylov);
}

TEST(CycleController, TriesNothingThatCouldSaveLittle) {
  const auto settings_tried = [](const CycleWork& work) {
    CycleController controller({}, 1e-3, 2, 3);
    int dropped = 0, krylov = 0;
    for (int cycle = 0; cycle < 200; ++cycle) {
      dropped += controller.settings().phases.dropped_lu ? 1 : 0;
      krylov += controller.settings().phases.krylov ? 1 : 0;
      controller.end_cycle(work, 20);
    }
    return std::pair(dropped > 0, krylov > 0);
  };
  EXPECT_EQ(settings_tried({1000, 100, 50}), std::pair(false, false));
  EXPECT_EQ(settings_tried({1000, 400, 50}), std::pair(false, true));
  EXPECT_EQ(settings_tried({1000, 100, 300}), std::pair(true, false));
}

// ---------------------------------------------------------------------------------------------- refusals

const std::string nothing = "nothing was thrown";

std::string refusal(const CorrectorOptions& options, IterationSolver solver = IterationSolver::automatic) {
  LinearSystem system(Eigen::MatrixXd::Identity(4, 4));
  return test::error_of([&] {
    make_corrector(system, StateLayout(Dimensions{}), options, {.partitioned = PartitionedUpdates::off}, solver);
  });
}

TEST(Correctors, RefuseOptionsOutOfRange) {
  using Method = CorrectorMethod;
  for (const double tolerance : {-0.1, 1.0, 2.0, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_TRUE(contains(refusal({.method = Method::dropped_lu, .drop_tolerance = tolerance}),
                         concat("CorrectorOptions: drop_tolerance is ", tolerance, "; expected a number in [0, 1)")));
  EXPECT_EQ(refusal({.method = Method::krylov, .krylov_steps = 0}),
            "CorrectorOptions: krylov_steps is 0; expected at least 1.");
  EXPECT_EQ(refusal({.method = Method::krylov, .krylov_steps = 5}),
            "the corrector is to take 5 Krylov steps, and the system has 4 unknowns, which as many steps determine; "
            "take 1 to 4.");
  EXPECT_EQ(refusal({.method = Method::krylov, .krylov_steps = 4}), nothing);
  EXPECT_EQ(refusal({.method = Method::broyden, .broyden_rank = 17}),
            "CorrectorOptions: broyden_rank is 17; expected 1 to 16.");
  EXPECT_EQ(refusal({.method = Method::broyden, .broyden_damping = 0}),
            "CorrectorOptions: broyden_damping is 0; expected above 0 and up to 1.");
  EXPECT_EQ(refusal({.method = Method::cycle, .phases = {false, false, false}}),
            "CorrectorOptions: phases has none of the cycle's three phases; leave one at least on.");
  EXPECT_EQ(refusal({.factor_delay = -1}), "CorrectorOptions: factor_delay is -1; expected >= 0.");
  EXPECT_TRUE(contains(refusal({.method = Method::newton, .factor_delay = 2}),
                       "corrector 'newton' takes new ones at every iterate"));
  EXPECT_TRUE(contains(refusal({.method = Method::dropped_lu}, IterationSolver::dense),
                       "corrector 'dropped-lu' drops entries of KLU's factors, and the iteration matrix is to be "
                       "'dense'; take 'klu' or 'automatic', or drop nothing."));
  EXPECT_EQ(refusal({.method = Method::dropped_lu, .drop_tolerance = 0}, IterationSolver::dense), nothing);
  LinearSystem large(Eigen::MatrixXd::Identity(301, 301));
  EXPECT_TRUE(contains(test::error_of([&] {
                         make_corrector(large, StateLayout(Dimensions{}),
                                        {.method = Method::broyden, .broyden_updates = BroydenUpdates::singular_values},
                                        {.partitioned = PartitionedUpdates::off}, IterationSolver::klu);
                       }),
                       "for up to 300 unknowns, and the system has 301"));
}

TEST(Correctors, RefuseSchedulesThatDoNotFit) {
  LinearSystem system(Eigen::MatrixXd::Identity(4, 4));
  CorrectorOptions options{.method = CorrectorMethod::cycle};
  options.schedule = {.model = "crane", .system = system_identity(system, 0), .intervals = {{}, {.from = 1}}};
  EXPECT_EQ(refusal(options), nothing);
  options.schedule.system = "7 unknowns, 1";
  EXPECT_TRUE(contains(refusal(options),
                       "the corrector's schedule is that of 'crane' with 7 unknowns, 1, and this "
                       "system has 0 unknowns, "));
  options.schedule.intervals[1].from = -1;
  EXPECT_TRUE(contains(refusal(options), "the schedule has an interval from -1 s on behind one from 0 s on"));
  options.schedule.intervals[1] = {.from = 1, .drop_tolerance = 1};
  EXPECT_TRUE(contains(refusal(options), "the schedule has a drop tolerance of 1 from 1 s on"));
  options.schedule.intervals[1] = {.from = 1, .krylov_steps = 0};
  EXPECT_TRUE(contains(refusal(options), "the schedule has 0 Krylov steps from 1 s on"));
  options.schedule.intervals[1] = {.from = 1, .phases = {false, false, false}};
  EXPECT_TRUE(contains(refusal(options), "the schedule has no phase from 1 s on"));
  options.schedule.intervals.pop_back();
  options.schedule.costs.evaluation = 0;
  EXPECT_TRUE(contains(refusal(options), "the schedule has a cost of evaluations of 0"));
  options.method = CorrectorMethod::krylov;
  EXPECT_TRUE(contains(refusal(options), "a schedule is given for corrector 'krylov', and only 'cycle' follows one."));
}

TEST(CorrectorSchedule, HoldsFromItsTimesOn) {
  CorrectorSchedule schedule;
  schedule.intervals = {{.from = 0, .krylov_steps = 1}, {.from = 2, .krylov_steps = 2}, {.from = 3, .krylov_steps = 3}};
  EXPECT_EQ(schedule.at(-1).krylov_steps, 1);
  EXPECT_EQ(schedule.at(1.9).krylov_steps, 1);
  EXPECT_EQ(schedule.at(2).krylov_steps, 2);
  EXPECT_EQ(schedule.at(9).krylov_steps, 3);
}

}  // namespace correctors_test
}  // namespace linkwork
