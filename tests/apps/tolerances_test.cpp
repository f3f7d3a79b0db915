// What README and the headers say about tolerances and errors of whole runs, on a part of `linkwork reproduce
// tolerances`.

#include "global_error.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace linkwork::apps {
namespace tolerances_test {

/// The median and the worst error of a run in tolerances.
struct Published {
  double tolerance, median, worst;
};

/// Counts of steps, and with them the errors, move with rounding and with every change of a step control: published
/// numbers hold to a factor of three, and to five for single runs.
template <class Options>
void expect_published(const Published& row) {
  const GlobalErrors errors = measure_global_errors(
      [](double tolerance) -> IntegratorOptions { return Options{.rtol = tolerance, .atol = tolerance}; },
      {row.tolerance});
  EXPECT_LT(errors.median(0), 3 * row.median);
  EXPECT_LT(errors.worst(0), 5 * row.worst);
}

TEST(Tolerances, MeanTheErrorsThatAreSaidForBdf) {
  expect_published<BdfOptions>({1e-4, 31, 670});
  expect_published<BdfOptions>({1e-8, 41, 6200});
}

TEST(Tolerances, MeanTheErrorsThatAreSaidForExtrapolation) {
  expect_published<ExtrapolationOptions>({1e-4, 12, 410});
  expect_published<ExtrapolationOptions>({1e-8, 14, 260});
}

TEST(Tolerances, MeanTheErrorsThatAreSaidForRadau) {
  expect_published<RadauOptions>({1e-4, 0.68, 120});
  expect_published<RadauOptions>({1e-8, 6.3, 64});
}

TEST(GlobalErrors, GiveTheToleranceForAWantedError) {
  const GlobalErrors errors{{1e-2, 1e-4}, {{1, 10, 100}, {10, 100, 1000}}};
  // Medians are errors of 1e-1 and 1e-2: a slope of 1/2 in logarithms.
  EXPECT_NEAR(errors.tolerance_for(0.0316227766, false), 1e-3, 1e-9);
  EXPECT_NEAR(errors.tolerance_for(0.316227766, true), 1e-3, 1e-9);
  EXPECT_TRUE(std::isnan(errors.tolerance_for(1e-6, false)));
}

}  // namespace tolerances_test
}  // namespace linkwork::apps
