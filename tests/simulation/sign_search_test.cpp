#include <linkwork/solvers/simulation/sign_search.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

namespace linkwork::test {
namespace sign_search_test {

/// What a search over [0, 1] saw.
struct Seen {
  std::vector<double> before, after;  // the samples around each change of sign
  int evaluations = 0;
  std::size_t changes() const { return before.size(); }
};

template <class Function>
Seen look_at(Function function, int degree, const std::vector<Sample>& past = {}) {
  Seen out;
  SignSearch search;
  const SignSearch::Function counted = [&](double t) {
    ++out.evaluations;
    return function(t);
  };
  Sample last{0, function(0.0)};
  int sign = (last.value > 0) - (last.value < 0);
  search.search(counted, last, {1, function(1.0)}, past, degree, 0, [&](const Sample& sample, bool is_noise) {
    EXPECT_GT(sample.t, last.t);
    const int here = is_noise ? 0 : (sample.value > 0) - (sample.value < 0);
    if (here != 0) {
      if (sign != 0 && here != sign) {
        out.before.push_back(last.t);
        out.after.push_back(sample.t);
      }
      sign = here;
      last = sample;
    }
    return true;
  });
  return out;
}

TEST(SignSearch, SeesEveryChangeOfAPolynomialOfTheDegree) {
  // Zeros anywhere, also close together: the polynomial is known exactly.
  const std::vector<std::vector<double>> cases = {{0.3},
                                                  {0.3, 0.31},
                                                  {0.5, 0.500001},
                                                  {0.01, 0.02, 0.03},
                                                  {0.1, 0.4, 0.6, 0.9, 0.95},
                                                  {0.998, 0.999},
                                                  {0.11, 0.22, 0.33, 0.44, 0.55, 0.66, 0.77}};
  for (const std::vector<double>& zeros : cases) {
    for (int more : {0, 2, 8}) {
      const int degree = static_cast<int>(zeros.size()) + more;
      const Seen seen = look_at(
          [&](double t) {
            double out = 1;
            for (double zero : zeros) out *= t - zero;
            return out;
          },
          degree);
      ASSERT_EQ(seen.changes(), zeros.size()) << zeros[0] << " degree " << degree;
      for (std::size_t i = 0; i < zeros.size(); ++i) {
        EXPECT_LE(seen.before[i], zeros[i]);
        EXPECT_GE(seen.after[i], zeros[i]);
      }
      EXPECT_LE(seen.evaluations, degree + 10);
    }
  }
}

TEST(SignSearch, SeesWhatBendsKinksAndJumps) {
  const auto changes = [](auto function) { return look_at(function, 5).changes(); };
  EXPECT_EQ(changes([](double t) { return std::abs(t - 0.613) - 1e-3; }), 2u);  // close to a kink
  EXPECT_EQ(changes([](double t) { return std::abs(t - 0.613) + 1e-3; }), 0u);
  EXPECT_EQ(changes([](double t) { return std::hypot(t - 0.613, 1e-3) - 2e-3; }), 2u);  // passing a small body
  EXPECT_EQ(changes([](double t) { return std::hypot(t - 0.613, 1e-3) - 0.9e-3; }), 0u);
  EXPECT_EQ(changes([](double t) { return t < 0.7301 ? 1.0 : -2.0; }), 1u);
  EXPECT_EQ(changes([](double t) { return std::tanh(200 * (t - 0.217)); }), 1u);
  EXPECT_EQ(changes([](double t) { return std::sin(10 * t) - 0.95; }), 4u);
  EXPECT_EQ(changes([](double t) { return 1.001 + std::cos(12 * t + 1); }), 0u);
  EXPECT_EQ(changes([](double t) { return 0.999 + std::cos(12 * t + 1); }), 4u);
  EXPECT_EQ(changes([](double t) { return std::cos(100 * t + 1); }), 32u);
  EXPECT_EQ(changes([](double t) { return std::sin(std::exp(4 * t)); }), 17u);
}

TEST(SignSearch, TakesFewSamplesFarFromZero) {
  const auto smooth = [](double t) { return 2 + std::sin(3 * t); };
  EXPECT_LE(look_at(smooth, 5).evaluations, 6);
  EXPECT_LE(look_at(smooth, 9).evaluations, 8);
  // One, where the steps before tell the course.
  std::vector<Sample> past;
  const auto slow = [](double t) { return 2 + std::sin(0.3 * t); };
  for (double t : {-4.0, -3.0, -2.0, -1.0}) past.push_back({t, slow(t)});
  EXPECT_EQ(look_at(slow, 5, past).evaluations, 1);
  // What comes down between two steps is still seen.
  const auto dips = [](double t) { return 0.2 - t * (1 - t); };
  past.clear();
  for (double t : {-4.0, -3.0, -2.0, -1.0}) past.push_back({t, dips(t)});
  EXPECT_EQ(look_at(dips, 5, past).changes(), 2u);
  // What repeats itself at every step too.
  const auto turning = [](double t) { return 0.5 + std::cos(2 * std::numbers::pi * t); };
  past.clear();
  for (double t : {-4.0, -3.0, -2.0, -1.0}) past.push_back({t, turning(t)});
  EXPECT_EQ(look_at(turning, 5, past).changes(), 2u);
}

TEST(SignSearch, TakesRoundingForNoSign) {
  // Zero but for rounding: 1 - cos^2 - sin^2.
  const auto nothing = [](double t) {
    const double c = std::cos(1 + t), s = std::sin(1 + t);
    return 1 - c * c - s * s;
  };
  EXPECT_EQ(look_at(nothing, 5).changes(), 0u);
  EXPECT_LE(look_at(nothing, 5).evaluations, 20);
  // Zeros of a small but smooth function count.
  EXPECT_EQ(look_at([](double t) { return 1e-14 * std::cos(5 * t); }, 5).changes(), 2u);
}

TEST(NewtonInterpolant, TellsHowFarItWasOff) {
  NewtonInterpolant shape;
  const auto cubic = [](double x) { return 1 + x * (2 + x * (3 + 4 * x)); };
  for (double x : {0.0, 1.0, 0.4, 0.7}) shape.add(x, cubic(x));
  EXPECT_LT(shape.add(0.2, cubic(0.2)), 1e-14);  // rounding
  double slope = 0;
  EXPECT_NEAR(shape.evaluate(0.3, slope), cubic(0.3), 1e-14);
  EXPECT_NEAR(slope, 2 + 6 * 0.3 + 12 * 0.09, 1e-13);
  EXPECT_NEAR(shape.add(0.1, cubic(0.1) + 0.5), 0.5, 1e-14);
}

}  // namespace sign_search_test
}  // namespace linkwork::test
