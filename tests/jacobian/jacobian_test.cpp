#include "test_functions.hpp"

#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/jacobian/jacobian.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace linkwork {
namespace jacobian_test {

// Forward differences with increments of 1.5e-8 |y|: truncation |F''| d / 2 = 1.5e-8 and rounding eps |F| / d = 3e-7
// for |F| = 10, |y| = 0.5. A wrong entry would be off by 0.1 or more.
constexpr double difference_error = 6e-7;

/// Numbers between 0.5 and 1.5 in size, of both signs.
Eigen::VectorXd random_vector(int size) {
  const Eigen::ArrayXd numbers = Eigen::VectorXd::Random(size);
  return numbers + 0.5 * numbers.sign();
}

/// A point of a system, and what renews its Jacobian there.
struct Case {
  Eigen::VectorXd y, y_rate, weights, F;
  double t = 0, alpha = 100, step = 0.01;

  explicit Case(int size, unsigned seed = 1) : F(size) {
    std::srand(seed);
    y = random_vector(size);
    y_rate = random_vector(size);
    weights = Eigen::VectorXd::Constant(size, 1e-4);
  }
  JacobianPoint point() const { return {t, y, y_rate, alpha, step, weights}; }
  const Eigen::VectorXd& residual(ResidualFunction& function) {
    function.evaluate(t, y, y_rate, F);
    return F;
  }
  void renew(Jacobian& jacobian, ResidualFunction& function, JacobianCause cause = JacobianCause::start) {
    const Outcome outcome = jacobian.renew(point(), residual(function), cause);
    ASSERT_TRUE(outcome) << outcome.reason();
  }
};

double largest_difference(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) { return (a - b).cwiseAbs().maxCoeff(); }

JacobianOptions with(Differences differences, PartitionedUpdates partitioned = PartitionedUpdates::on) {
  JacobianOptions options;
  options.differences = differences;
  options.partitioned = partitioned;
  return options;
}

template <class Function>
std::string message_of(Function&& function) {
  try {
    function();
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

TEST(Jacobian, OfGroupsIsThatOfSingleColumnsToTheLastBit) {
  for (unsigned seed = 1; seed <= 20; ++seed)
    for (bool knows_rates : {true, false}) {
      SCOPED_TRACE(seed);
      SparseSystem system(30, 4, seed);
      system.knows_rates = knows_rates;
      Case at(30, seed);
      const PartitionedUpdates off = PartitionedUpdates::off;
      Jacobian dense(system, with(Differences::dense, off)), grouped(system, with(Differences::grouped, off));
      at.renew(dense, system);
      at.renew(grouped, system);
      EXPECT_EQ(dense.matrix().dense(), grouped.matrix().dense());
      EXPECT_LT(largest_difference(grouped.matrix().dense(), system.exact(at.t, at.y, at.alpha)), difference_error);
      EXPECT_EQ(dense.statistics().function_calls, 30);
      EXPECT_EQ(grouped.statistics().function_calls, grouped.statistics().groups);
      EXPECT_LT(grouped.statistics().groups, 16);
      EXPECT_GE(grouped.statistics().groups, grouped.statistics().lower_bound);
    }
}

TEST(Jacobian, IsAsExactWithBothRulesOfIncrements) {
  SparseSystem system(20, 4, 3);
  Case at(20);
  for (Increments rule : {Increments::weighted, Increments::relative}) {
    JacobianOptions options;
    options.increments = rule;
    Jacobian jacobian(system, options);
    at.renew(jacobian, system);
    EXPECT_LT(largest_difference(jacobian.matrix().dense(), system.exact(at.t, at.y, at.alpha)), difference_error);
  }
}

TEST(Jacobian, OfAnUnknownNearZeroDrownsInRoundingOnlyByTheRelativeRule) {
  // Forces of 1e5 and y = 0: increments of 1.8e-12 leave eps 1e5 / 1.8e-12 = 12 of an entry of 1.
  SparseSystem system(5, 2, 1);
  system.disturb = [](double, const Eigen::VectorXd&, Eigen::VectorXd& F) { F.array() += 1e5; };
  Case at(5);
  at.y.setZero();
  std::vector<double> errors;
  for (Increments rule : {Increments::relative, Increments::weighted}) {
    JacobianOptions options;
    options.increments = rule;
    Jacobian jacobian(system, options);
    at.renew(jacobian, system);
    errors.push_back(largest_difference(jacobian.matrix().dense(), system.exact(at.t, at.y, at.alpha)));
  }
  EXPECT_GT(errors[0], 0.5);
  // |h y'| up to 0.01: rounding eps 1e5 / 1.5e-10 = 0.1 at worst, for components that hardly move.
  EXPECT_LT(errors[1], 0.2);
}

TEST(Jacobian, KeepsItsAccuracyAtAStepOfTenToTheMinusTen) {
  SparseSystem system(20, 4, 5);
  Case at(20);
  at.alpha = 1e10;
  Jacobian jacobian(system, {});
  at.renew(jacobian, system);
  at.alpha = 1;
  at.renew(jacobian, system, JacobianCause::coefficient);
  EXPECT_LT(largest_difference(jacobian.matrix().dense(), system.exact(at.t, at.y, at.alpha)), difference_error);
  EXPECT_EQ(jacobian.statistics().differenced, 1);
}

TEST(Jacobian, TakesKnownEntriesFromTheFunctionAndDoesNotDifferenceTheirColumns) {
  SparseSystem system(20, 4, 7);
  for (int i = 0; i < 20; ++i)
    for (int j : system.pattern().rows[static_cast<std::size_t>(i)])
      if (j >= 12) system.known.rows[static_cast<std::size_t>(i)].push_back(j);
  Case at(20);
  Jacobian dense(system, with(Differences::dense));
  at.renew(dense, system);
  EXPECT_EQ(dense.statistics().function_calls, 12);
  Jacobian grouped(system, {});
  at.renew(grouped, system);
  EXPECT_EQ(dense.matrix().dense(), grouped.matrix().dense());
  const Eigen::MatrixXd exact = system.exact(at.t, at.y, at.alpha);
  EXPECT_EQ(largest_difference(grouped.matrix().dense().rightCols(8), exact.rightCols(8)), 0);
  EXPECT_LT(largest_difference(grouped.matrix().dense(), exact), difference_error);

  JacobianOptions options = with(Differences::dense);
  options.known_entries = false;
  Jacobian all(system, options);
  at.renew(all, system);
  EXPECT_EQ(all.statistics().function_calls, 20);
}

TEST(Jacobian, WithSingleKnownEntriesIsThatOfSingleColumnsToTheLastBit) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    SparseSystem system(30, 4, seed);
    for (int i = 0; i < 30; ++i)
      for (int j : system.pattern().rows[static_cast<std::size_t>(i)])
        if ((i * 7 + j * 3) % 5 < 2) system.known.rows[static_cast<std::size_t>(i)].push_back(j);
    Case at(30, seed);
    Jacobian dense(system, with(Differences::dense)), grouped(system, {});
    at.renew(dense, system);
    at.renew(grouped, system);
    EXPECT_EQ(dense.matrix().dense(), grouped.matrix().dense());
    EXPECT_LT(largest_difference(grouped.matrix().dense(), system.exact(at.t, at.y, at.alpha)), difference_error);
  }
}

TEST(Jacobian, UpdatedForAnotherCoefficientIsExactWhereTheSystemIsLinear) {  // CORR (24)
  DrivenSystem system(6);
  system.motion = [](double) { return InputValue{}; };
  Case at(6);
  Jacobian jacobian(system, {});
  at.renew(jacobian, system);
  const int evaluations = static_cast<int>(jacobian.statistics().function_calls);
  for (double alpha : {1e-3, 1.0, 1e6}) {
    at.alpha = alpha;
    at.t += 0.1;
    at.y = random_vector(system.size());
    at.renew(jacobian, system, JacobianCause::coefficient);
    EXPECT_LT(largest_difference(jacobian.matrix().dense(), system.exact(at.t, alpha)), difference_error);
  }
  EXPECT_EQ(jacobian.statistics().updates, 3);
  EXPECT_EQ(jacobian.statistics().differenced, 1);
  EXPECT_EQ(jacobian.statistics().function_calls, evaluations);
}

TEST(Jacobian, UpdatedForAnotherMassIsExactWhereForcesAreLinear) {  // CORR (25)
  DrivenSystem system(6);
  system.moves_mass = true;
  system.shape = [](double) { return 0.0; };
  Case at(6);
  Jacobian jacobian(system, {});
  at.renew(jacobian, system);
  at.t = 1.3;
  at.renew(jacobian, system, JacobianCause::coefficient);
  EXPECT_LT(largest_difference(jacobian.matrix().dense(), system.exact(at.t, at.alpha)), difference_error);
}

TEST(Jacobian, WithExtendedUpdatesIsExactWhereInputsAreFactors) {  // CORR (26), and with (25)
  for (bool moves_mass : {false, true}) {
    DrivenSystem system(6);
    system.moves_mass = moves_mass;
    Case at(6);
    at.t = 0.4;
    Jacobian extended(system, with(Differences::grouped, PartitionedUpdates::extended));
    Jacobian partitioned(system, with(Differences::grouped, PartitionedUpdates::on));
    at.renew(extended, system);
    at.renew(partitioned, system);
    at.t = 2.1;
    at.alpha = 30;
    at.renew(extended, system, JacobianCause::coefficient);
    at.renew(partitioned, system, JacobianCause::coefficient);
    const Eigen::MatrixXd exact = system.exact(at.t, at.alpha);
    // The system is linear in y and u, so that second derivatives have rounding errors alone, with increments of 1.2e-4
    // of both eps |F| / 1.5e-8 = 1.5e-7, times changes of u up to 2; and those of the difference itself.
    EXPECT_LT(largest_difference(extended.matrix().dense(), exact), difference_error);
    EXPECT_GT(largest_difference(partitioned.matrix().dense(), exact), 0.5);
  }
}

TEST(Jacobian, WithExtendedUpdatesErrsBySquareOfTheAmplitude) {
  std::vector<double> errors;
  for (double amplitude : {0.2, 0.1, 0.05}) {
    std::srand(1);  // the same system each time
    DrivenSystem system(6);
    system.motion = [amplitude](double t) {
      return InputValue{0.5 + amplitude * std::sin(t), amplitude * std::cos(t), -amplitude * std::sin(t)};
    };
    system.shape = [](double u) { return std::exp(u); };
    Case at(6);
    Jacobian jacobian(system, with(Differences::grouped, PartitionedUpdates::extended));
    at.renew(jacobian, system);
    at.t = 1.4;
    at.renew(jacobian, system, JacobianCause::coefficient);
    errors.push_back(largest_difference(jacobian.matrix().dense(), system.exact(at.t, at.alpha)));
  }
  // Fourfold for each halving; the third order adds a share of amplitude / 3.
  EXPECT_NEAR(errors[0] / errors[1], 4, 0.4);
  EXPECT_NEAR(errors[1] / errors[2], 4, 0.3);
}

TEST(Jacobian, RenewsDerivativesByInputsOnlyWhereThatIsAskedFor) {
  for (bool renews : {false, true}) {
    DrivenSystem system(6);
    Case at(6);
    JacobianOptions options = with(Differences::grouped, PartitionedUpdates::extended);
    options.renew_input_derivatives = renews;
    Jacobian jacobian(system, options);
    at.renew(jacobian, system);
    const std::int64_t at_start = jacobian.statistics().function_calls;
    at.t = 1;
    at.renew(jacobian, system, JacobianCause::start);
    const std::int64_t again = jacobian.statistics().function_calls - at_start;
    // 6 columns; with derivatives by u, u' and u'' 6 columns with their increments, and one more F and 6 more columns
    // for each of them.
    EXPECT_EQ(again, renews ? 6 + 6 + 3 * 7 : 6);
  }
}

TEST(Jacobian, TriesUpdateDifferencesAndSearchInTurn) {
  SparseSystem system(20, 4, 11);
  system.complete = false;
  Case at(20);
  Jacobian jacobian(system, {});
  EXPECT_TRUE(jacobian.can_improve(0));
  at.renew(jacobian, system);
  EXPECT_FALSE(jacobian.can_improve(0));  // the start searched already
  at.t = 1;
  at.y = random_vector(system.size());
  EXPECT_TRUE(jacobian.can_improve(at.t));
  at.alpha *= 3;
  at.renew(jacobian, system, JacobianCause::convergence);
  EXPECT_EQ(jacobian.statistics().updates, 1);
  EXPECT_EQ(jacobian.statistics().differenced, 1);
  at.renew(jacobian, system, JacobianCause::convergence);
  EXPECT_EQ(jacobian.statistics().differenced, 2);
  EXPECT_EQ(jacobian.statistics().pattern_updates, 0);
  EXPECT_TRUE(jacobian.can_improve(at.t));
  at.renew(jacobian, system, JacobianCause::convergence);
  EXPECT_EQ(jacobian.statistics().pattern_updates, 1);
  EXPECT_FALSE(jacobian.can_improve(at.t));
}

TEST(Jacobian, IsDifferencedAtOnceWhereAnUpdateWouldChangeNothing) {
  SparseSystem system(20, 4, 11);
  Case at(20);
  Jacobian jacobian(system, {});
  at.renew(jacobian, system);
  at.t = 1;  // the same alpha
  at.renew(jacobian, system, JacobianCause::convergence);
  EXPECT_EQ(jacobian.statistics().differenced, 2);
  EXPECT_FALSE(jacobian.can_improve(at.t));
}

TEST(Jacobian, WithAnEstimatedPatternCatchesAnElementThatSwitchesOnLater) {
  for (JacobianPattern source : {JacobianPattern::estimated, JacobianPattern::exact}) {
    SparseSystem system(20, 3, 2);
    system.complete = false;
    system.switch_time = 1;
    Case at(20);
    JacobianOptions options;
    options.pattern = source;
    Jacobian jacobian(system, options);
    at.renew(jacobian, system);
    // Twenty columns, and again with F itself at values nearby where the pattern is declared in part.
    EXPECT_EQ(jacobian.statistics().function_calls, source == JacobianPattern::exact ? 41 : 20);
    const int nonzeros = jacobian.statistics().nonzeros, version = jacobian.pattern_version();
    EXPECT_EQ(nonzeros, 60);
    at.t = 2;
    at.renew(jacobian, system, JacobianCause::convergence);
    EXPECT_EQ(jacobian.pattern_version(), version);
    EXPECT_GT(largest_difference(jacobian.matrix().dense(), system.exact(at.t, at.y, at.alpha)), 0.1);
    at.renew(jacobian, system, JacobianCause::convergence);  // slow although it is recent
    EXPECT_EQ(jacobian.statistics().pattern_updates, 1);
    EXPECT_EQ(jacobian.statistics().nonzeros, 61);
    EXPECT_NE(jacobian.pattern_version(), version);
    EXPECT_LT(largest_difference(jacobian.matrix().dense(), system.exact(at.t, at.y, at.alpha)), difference_error);
    at.t = 3;
    at.y = random_vector(system.size());
    at.renew(jacobian, system, JacobianCause::start);  // by groups again
    EXPECT_LT(largest_difference(jacobian.matrix().dense(), system.exact(at.t, at.y, at.alpha)), difference_error);
  }
}

TEST(Jacobian, OfAPartlyDeclaredPatternFindsEntriesThatAreZeroByChanceAtTheStart) {
  SparseSystem system(20, 3, 2);
  system.complete = false;
  system.disturb = [](double, const Eigen::VectorXd& y, Eigen::VectorXd& F) { F[3] += y[7] * y[8]; };
  Case at(20);
  at.y[7] = at.y[8] = 0;
  Jacobian jacobian(system, {});
  at.renew(jacobian, system);
  EXPECT_GE(jacobian.matrix().place(3, 7), 0);
  EXPECT_GE(jacobian.matrix().place(3, 8), 0);
}

/// y_0 y_1 of unknowns of a small size, which are both zero at the start; far from there F can't be evaluated.
class SmallProduct final : public ResidualFunction {
 public:
  static constexpr double size_of_all = 1e-5;
  SmallProduct() : ResidualFunction(2) {}
  void evaluate(double, const Eigen::VectorXd& y, const Eigen::VectorXd& y_rate, Eigen::VectorXd& F) override {
    if (y.cwiseAbs().maxCoeff() > size_of_all) throw RecoverableFailure("too far from the origin");
    F << y_rate[0] - y[0] * y[1], y_rate[1] - y[1];
  }
  bool knows_rate_matrix() const override { return true; }
  SparsityPattern rate_pattern() const override {
    SparsityPattern pattern(2, 2);
    pattern.rows = {{0}, {1}};
    return pattern;
  }
  void rate_matrix(double, const Eigen::VectorXd&, const Eigen::VectorXd&, SparseMatrix& matrix) override {
    matrix.value(0) = matrix.value(1) = 1;
  }
  Eigen::VectorXd unknown_sizes() const override { return Eigen::VectorXd::Constant(2, size_of_all); }
};

TEST(Jacobian, LooksNearbyByTheSizesOfTheUnknowns) {
  SmallProduct product;
  Jacobian jacobian(product, {});
  const Eigen::VectorXd y = Eigen::VectorXd::Zero(2), weights = Eigen::VectorXd::Constant(2, 1e-8);
  Eigen::VectorXd F(2);
  product.evaluate(0, y, y, F);
  ASSERT_TRUE(jacobian.difference({0, y, y, 1, 0.1, weights}, F));
  EXPECT_GE(jacobian.matrix().place(0, 1), 0);
  EXPECT_GE(jacobian.matrix().place(1, 1), 0);
}

TEST(Jacobian, SearchesLessOftenWhenSearchesAreInVain) {
  SparseSystem system(20, 3, 2);
  system.complete = false;
  Case at(20);
  Jacobian jacobian(system, {});
  at.renew(jacobian, system);
  for (int i = 1; i <= 40; ++i) {
    at.t += at.step;
    at.renew(jacobian, system, JacobianCause::convergence);
  }
  // Waits of 0, 1, 3, 7, 15 and 31 evaluations, which the search itself follows.
  EXPECT_LE(jacobian.statistics().pattern_updates, 6);
  EXPECT_GE(jacobian.statistics().pattern_updates, 4);
}

TEST(Jacobian, UnitesDeclaredEntriesWithDetectedOnes) {
  SparseSystem system(20, 3, 2);
  system.complete = false;
  // An entry that is declared and zero here: cos(y + i) = 0.
  Case at(20);
  const int j = system.pattern().rows[4][0];
  at.y[j] = std::acos(0.0) - 4;
  Jacobian jacobian(system, {});
  at.renew(jacobian, system);
  EXPECT_EQ(jacobian.statistics().nonzeros, 60);
  EXPECT_GE(jacobian.matrix().place(4, j), 0);
}

TEST(Jacobian, RefreshesOnlyTheBlocksThatHaveChanged) {
  SparseSystem system(40, 3, 9);
  Case at(40);
  JacobianOptions options;
  options.refresh = JacobianRefresh::blocks;
  Jacobian jacobian(system, options);
  at.renew(jacobian, system);
  const std::int64_t at_start = jacobian.statistics().function_calls;
  at.t = 1;
  at.alpha = 1;
  at.y[5] += 1.5;  // changes the column of unknown 5, nothing else
  const Outcome outcome = jacobian.refresh_blocks(at.point(), at.residual(system));
  ASSERT_TRUE(outcome) << outcome.reason();
  EXPECT_EQ(jacobian.statistics().refreshed, 1);
  EXPECT_LT(largest_difference(jacobian.matrix().dense(), system.exact(at.t, at.y, at.alpha)), difference_error);
  // One probe for each group of blocks, and one difference: every column is a block of its own here.
  EXPECT_EQ(jacobian.statistics().function_calls - at_start, jacobian.statistics().groups + 1);
}

/// Pairs of bodies with six unknowns each, coupled within the pair: F_i = y'_i + k(t) sum over the pair of sin(y_j).
class Pairs final : public ResidualFunction {
 public:
  static constexpr int width = 12, pairs = 5;
  Pairs() : ResidualFunction(width * pairs) {}
  void evaluate(double t, const Eigen::VectorXd& y, const Eigen::VectorXd& y_rate, Eigen::VectorXd& F) override {
    F = y_rate;
    for (int i = 0; i < size(); ++i)
      for (int j = i / width * width; j < (i / width + 1) * width; ++j)
        F[i] += stiffness(i / width, t) * (1 + (i + j) % 5) * y[j];
  }
  static double stiffness(int pair, double t) { return pair == 2 && t > 0.5 ? 2 : 1; }
  Dependencies dependencies() const override {
    SparsityPattern pattern(size(), size());
    for (int i = 0; i < size(); ++i)
      for (int j = i / width * width; j < (i / width + 1) * width; ++j)
        pattern.rows[static_cast<std::size_t>(i)].push_back(j);
    return {pattern, true};
  }
  bool knows_rate_matrix() const override { return true; }
  SparsityPattern rate_pattern() const override {
    SparsityPattern pattern(size(), size());
    for (int i = 0; i < size(); ++i) pattern.rows[static_cast<std::size_t>(i)] = {i};
    return pattern;
  }
  void rate_matrix(double, const Eigen::VectorXd&, const Eigen::VectorXd&, SparseMatrix& matrix) override {
    for (double& value : matrix.values()) value = 1;
  }
};

TEST(Jacobian, FindsWithOneProbeThatNoBlockHasChanged) {
  Pairs system;
  Case at(system.size());
  JacobianOptions options;
  options.refresh = JacobianRefresh::blocks;
  Jacobian jacobian(system, options);
  at.renew(jacobian, system);
  EXPECT_EQ(jacobian.statistics().groups, 12);
  ASSERT_TRUE(jacobian.refresh_blocks(at.point(), at.residual(system)));
  EXPECT_EQ(jacobian.statistics().function_calls, 12 + 1);
  at.t = 1;  // now one pair has changed: its twelve columns are differenced again
  ASSERT_TRUE(jacobian.refresh_blocks(at.point(), at.residual(system)));
  EXPECT_EQ(jacobian.statistics().function_calls, 13 + 1 + 12);
  Jacobian fresh(system, {});
  at.renew(fresh, system);
  EXPECT_LT(largest_difference(jacobian.matrix().dense(), fresh.matrix().dense()), difference_error);
}

TEST(Jacobian, RefreshesBlocksOnlyWhereThatPays) {
  Pairs system;
  SparseSystem columns(40, 3, 9);  // every column is a block: probes cost as much as all differences
  for (bool pays : {true, false}) {
    ResidualFunction& function = pays ? static_cast<ResidualFunction&>(system) : columns;
    Case at(function.size());
    JacobianOptions options;
    options.refresh = JacobianRefresh::blocks;
    Jacobian jacobian(function, options);
    at.renew(jacobian, function);
    at.t = 1;
    at.renew(jacobian, function, JacobianCause::convergence);
    EXPECT_EQ(jacobian.statistics().refreshed, pays ? 1 : 0);
    EXPECT_EQ(jacobian.statistics().differenced, pays ? 1 : 2);
    EXPECT_EQ(jacobian.can_improve(at.t), pays);
  }
}

TEST(Jacobian, TriesTheOtherSignWhereTheFunctionCannotBeEvaluated) {
  SparseSystem system(10, 3, 4);
  Case at(10);
  const double limit = at.y[6];
  at.y_rate[6] = 1;  // the increment goes up, where there is nothing
  for (bool throws : {true, false}) {
    system.disturb = [&](double, const Eigen::VectorXd& y, Eigen::VectorXd& F) {
      if (y[6] <= limit) return;
      if (throws) throw RecoverableFailure("the table ends here");
      F[2] = std::numeric_limits<double>::quiet_NaN();
    };
    Jacobian jacobian(system, {});
    at.renew(jacobian, system);
    EXPECT_LT(largest_difference(jacobian.matrix().dense(), system.exact(at.t, at.y, at.alpha)), difference_error);
    EXPECT_EQ(jacobian.statistics().retries, 1);
  }
}

TEST(Jacobian, SeparatesAGroupOfWhichTwoUnknownsNeedOppositeSigns) {
  // A diagonal system: all unknowns in one group.
  SparseSystem system(4, 1, 4);
  Case at(4);
  at.y_rate.setOnes();
  const Eigen::VectorXd limit = at.y;
  system.disturb = [&](double, const Eigen::VectorXd& y, Eigen::VectorXd&) {
    if (y[0] > limit[0] || y[1] < limit[1]) throw RecoverableFailure("the table ends here");
  };
  Jacobian jacobian(system, {});
  at.renew(jacobian, system);
  EXPECT_EQ(jacobian.statistics().groups, 1);
  EXPECT_LT(largest_difference(jacobian.matrix().dense(), system.exact(at.t, at.y, at.alpha)), difference_error);
}

TEST(Jacobian, TakesSmallerIncrementsInANarrowRange) {
  SparseSystem system(10, 3, 4);
  Case at(10);
  const double middle = at.y[6];
  system.disturb = [&](double, const Eigen::VectorXd& y, Eigen::VectorXd&) {
    if (std::abs(y[6] - middle) > 2e-9 * std::abs(middle)) throw RecoverableFailure("the table ends here");
  };
  Jacobian jacobian(system, {});
  at.renew(jacobian, system);
  // The increment is ten times smaller, the rounding ten times larger.
  EXPECT_LT(largest_difference(jacobian.matrix().dense(), system.exact(at.t, at.y, at.alpha)), 10 * difference_error);
}

TEST(Jacobian, NamesTheUnknownThatTheFunctionCannotBeEvaluatedBeside) {
  SparseSystem system(10, 3, 4);
  Case at(10);
  at.y[6] = 0.25;
  system.disturb = [&](double, const Eigen::VectorXd& y, Eigen::VectorXd&) {
    if (y[6] != 0.25) throw RecoverableFailure("the table has one point");
  };
  Jacobian jacobian(system, {});
  const Outcome outcome = jacobian.renew(at.point(), at.residual(system), JacobianCause::start);
  ASSERT_FALSE(outcome);
  EXPECT_NE(outcome.reason().find("the Jacobian's column of angle 6 (value 0.25, increment"), std::string::npos)
      << outcome.reason();
  EXPECT_NE(outcome.reason().find("can't be found at t = 0 s"), std::string::npos) << outcome.reason();
  EXPECT_NE(outcome.reason().find("the table has one point"), std::string::npos) << outcome.reason();
}

TEST(Jacobian, NamesTheInputThatTheFunctionCannotBeEvaluatedBeside) {
  class Fragile final : public SparseSystem {
   public:
    Fragile() : SparseSystem(5, 2, 1) {}
    int inputs() const override { return 1; }
    std::string input_name(int) const override { return "stamp"; }
    InputValue input(int, double) override { return {0.5, 0, 0}; }
    void offset_input(int, const InputValue& offset) override {
      disturb = [is_zero = offset.value == 0](double, const Eigen::VectorXd&, Eigen::VectorXd&) {
        if (!is_zero) throw RecoverableFailure("the stamp is fixed");
      };
    }
  };
  Fragile system;
  Case at(5);
  Jacobian jacobian(system, with(Differences::grouped, PartitionedUpdates::extended));
  const Outcome outcome = jacobian.renew(at.point(), at.residual(system), JacobianCause::start);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.reason(),
            "the Jacobian's derivative with respect to the input stamp (value 0.5) can't be found: the stamp is fixed");
}

TEST(Jacobian, RefusesWhatTheFunctionCannotServe) {
  SparseSystem system(5, 2, 1);
  system.knows_rates = false;
  EXPECT_EQ(message_of([&] { Jacobian(system, {}); }),
            "Jacobian: partitioned updates need dF/dy', which this function does not know; give it rate_matrix(), or "
            "take PartitionedUpdates::off.");
  JacobianOptions options = with(Differences::grouped, PartitionedUpdates::off);
  options.refresh = JacobianRefresh::blocks;
  EXPECT_EQ(message_of([&] { Jacobian(system, options); }),
            "Jacobian: the refresh of single blocks needs dF/dy', which this function does not know; give it "
            "rate_matrix(), or take JacobianRefresh::whole.");
  options = {};
  options.stale_share = 1;
  EXPECT_EQ(message_of([&] { Jacobian(system, options); }),
            "JacobianOptions: stale_share is 1; expected a number between 0 and 1.");
}

TEST(Jacobian, OfAFunctionThatDeclaresNothingIsFoundByDifferencesAlone) {
  DrivenSystem system(6);  // declares no pattern
  Case at(6);
  for (Differences differences : {Differences::dense, Differences::grouped}) {
    Jacobian jacobian(system, with(differences));
    at.renew(jacobian, system);
    EXPECT_EQ(jacobian.statistics().nonzeros, 36);
    EXPECT_LT(largest_difference(jacobian.matrix().dense(), system.exact(at.t, at.alpha)), difference_error);
  }
}

TEST(Jacobian, OfNoUnknownsIsEmpty) {
  SparseSystem system(0, 0, 1);
  Case at(0);
  Jacobian jacobian(system, {});
  at.renew(jacobian, system);
  EXPECT_EQ(jacobian.matrix().nonzeros(), 0);
  EXPECT_EQ(jacobian.statistics().groups, 0);
}

}  // namespace jacobian_test
}  // namespace linkwork
