#include <gtest/gtest.h>
#include <linkwork/solvers/integrators/dense_polynomial.hpp>
#include <linkwork/solvers/integrators/extrapolation_tableau.hpp>
#include <linkwork/solvers/integrators/order_control.hpp>

#include <cmath>

namespace linkwork {
namespace tableau_test {

// k lines eliminate h, ..., h^(k-1): a polynomial of degree k - 1 in h is extrapolated to its value at h = 0. The
// weights of 8 lines sum to about 1e4 in size, so rounding leaves 1e4 eps.
TEST(ExtrapolationTableau, IsExactForPolynomialsInTheStepSize) {
  for (int first_line : {1, 3}) {
    ExtrapolationTableau tableau(half_explicit_sequence, first_line);
    for (int line = first_line; line < first_line + 8; ++line) {
      const double h = 1.0 / half_explicit_sequence.steps(line);
      Eigen::VectorXd value = Eigen::VectorXd::Zero(1);
      for (int power = 0; power <= 7; ++power) value[0] += (power + 1) * std::pow(h, power);
      tableau.add(value);
    }
    EXPECT_NEAR(tableau.value()[0], 1.0, 1e-10) << "first line " << first_line;
    EXPECT_GT(std::abs(tableau.entry(7)[0] - 1.0), 1e-6);  // seven lines leave the power h^7
    EXPECT_EQ(tableau.lines(), 8);
  }
}

// With the midpoint rule k lines eliminate h^2, ..., h^(2 k - 2).
TEST(ExtrapolationTableau, IsExactForPolynomialsInTheSquareOfTheStepSize) {
  ExtrapolationTableau tableau(midpoint_sequence);
  for (int line = 1; line <= 6; ++line) {
    const double h = 1.0 / midpoint_sequence.steps(line);
    Eigen::VectorXd value = Eigen::VectorXd::Zero(1);
    for (int power = 0; power <= 5; ++power) value[0] += (power + 1) * std::pow(h, 2 * power);
    tableau.add(value);
  }
  EXPECT_NEAR(tableau.value()[0], 1.0, 1e-13);  // weights of size 1: rounding of a few dozen operations
  EXPECT_GT(std::abs(tableau.entry(5)[0] - 1.0), 1e-11);
}

TEST(ExtrapolationTableau, DifferencesAreThoseOfNeighbouringEntries) {
  ExtrapolationTableau tableau(half_explicit_sequence);
  for (int line = 1; line <= 5; ++line) {
    Eigen::VectorXd value = Eigen::VectorXd::Constant(1, std::exp(1.0 / half_explicit_sequence.steps(line)));
    tableau.add(value);
  }
  for (int k = 1; k < 5; ++k)
    EXPECT_NEAR(tableau.difference(k)[0], tableau.entry(k + 1)[0] - tableau.entry(k)[0], 1e-14);
}

TEST(HermiteCoefficients, ReproduceAPolynomialFromItsDerivativesAtBothEnds) {
  // y = 1 + 2 x - x^3 + 4 x^6: degree 6 has 7 conditions, 4 at the left end and 3 at the right.
  const auto y = [](double x) { return 1 + 2 * x - std::pow(x, 3) + 4 * std::pow(x, 6); };
  Eigen::MatrixXd left(1, 4), right(1, 3);
  left << 1, 2, 0, -6;
  right << y(1), 2 - 3 + 24, -6 + 120;
  DensePolynomial dense;
  dense.t_begin = 3;
  dense.t_end = 5;
  dense.p.components = {0};
  dense.p.left_nodes = 4;
  dense.p.coefficients = hermite_coefficients(left, right);
  Eigen::VectorXd out(1);
  for (double x : {0.0, 0.1, 0.5, 0.9, 1.0}) {
    dense.evaluate(dense.p, 3 + 2 * x, out);
    EXPECT_NEAR(out[0], y(x), 1e-14) << x;  // values of size 6, a dozen operations
  }
  // 4 x^4 (1 - x)^2 is largest at x = 2/3; looked at to a sixteenth.
  EXPECT_NEAR(dense.p.last_term()[0], 4 * 16.0 / 81 / 9, 1e-3);
}

TEST(HermiteCoefficients, ReproduceAPolynomialFromItsDerivativesInTheMiddleToo) {
  // The same polynomial: 1 condition at the left end, 4 in the middle and 2 at the right.
  const auto y = [](double x) { return 1 + 2 * x - std::pow(x, 3) + 4 * std::pow(x, 6); };
  Eigen::MatrixXd left(1, 1), middle(1, 4), right(1, 2);
  left << 1;
  middle << y(0.5), 2 - 0.75 + 24 * std::pow(0.5, 5), -3 + 120 * std::pow(0.5, 4), -6 + 480 * std::pow(0.5, 3);
  right << y(1), 2 - 3 + 24;
  DensePolynomial dense;
  dense.t_begin = 3;
  dense.t_end = 5;
  dense.p = {{0}, 1, hermite_coefficients(left, middle, right), 4};
  Eigen::VectorXd out(1);
  for (double x : {0.0, 0.1, 0.5, 0.9, 1.0}) {
    dense.evaluate(dense.p, 3 + 2 * x, out);
    EXPECT_NEAR(out[0], y(x), 1e-13) << x;  // differences over half the step: up to 2^6 times the rounding
  }
}

TEST(OrderControl, RaisesTheOrderWhileLinesConvergeFast) {
  OrderControl control(half_explicit_sequence, 13, 1e-9);
  control.begin(1.0, true);
  EXPECT_EQ(control.judge(2, 1e3), OrderControl::Decision::next_line);
  EXPECT_EQ(control.judge(3, 0.5), OrderControl::Decision::accept);
  control.accept(3);
  EXPECT_GT(control.step(), 0.9);
}

TEST(OrderControl, RejectsErrorsThatGrowOrAreNotFinite) {
  OrderControl control(half_explicit_sequence, 13, 1e-6);
  control.begin(1.0, false);
  EXPECT_EQ(control.judge(2, std::nan("")), OrderControl::Decision::reject);
  control.reject(2);
  EXPECT_LT(control.step(), 1.0);
  control.begin(1.0, false);
  EXPECT_EQ(control.judge(2, 10.0), OrderControl::Decision::next_line);
  EXPECT_EQ(control.judge(3, 1e6), OrderControl::Decision::reject);
}

TEST(OrderControl, KeepsToTheMaximumOrder) {
  OrderControl control(half_explicit_sequence, 3, 1e-12);
  for (int step = 0; step < 20; ++step) {
    control.begin(0.1, false);
    int line = 2;
    OrderControl::Decision decision = control.judge(line, 0.9);
    while (decision == OrderControl::Decision::next_line) {
      ++line;
      decision = control.judge(line, 0.9 / line);
    }
    EXPECT_LE(line, 3);
    ASSERT_EQ(decision, OrderControl::Decision::accept);
    control.accept(line);
    EXPECT_LE(control.target_line(), 3);
  }
}

// Euler's method with two and with three sub-steps agrees by chance where a force sets in at the end of a step.
TEST(OrderControl, AcceptsNoStepOfTwoLines) {
  for (const bool is_first : {false, true}) {
    OrderControl control(half_explicit_sequence, 3, 1e-2);
    control.begin(0.1, is_first);
    EXPECT_EQ(control.judge(2, 1e-9), OrderControl::Decision::next_line);
    EXPECT_EQ(control.judge(3, 1e-9), OrderControl::Decision::accept);
    control.accept(3);
    EXPECT_GE(control.target_line(), 3);
  }
}

// ODEX: h_new / h within [FACMIN / FAC2, 1 / FACMIN], FACMIN = FAC1^(1/k); here FAC1 = 0.01 and line 3. Steps are
// rounded to six binary digits.
TEST(OrderControl, LetsAStepGrowByTheBoundOfItsLineAtMost) {
  OrderControl control(half_explicit_sequence, 3, 1e-6);
  control.begin(1.0, false);
  control.judge(2, 1e-9);
  EXPECT_EQ(control.judge(3, 1e-12), OrderControl::Decision::accept);
  control.accept(3);
  EXPECT_NEAR(control.step(), std::pow(100, 1.0 / 3), 0.1);
}

}  // namespace tableau_test
}  // namespace linkwork
