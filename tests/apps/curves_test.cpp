// A sample of the table `linkwork reproduce curves`, which has every model of the zoo.

#include <curve_errors.hpp>

#include <gtest/gtest.h>

#include <string>

namespace linkwork::apps {
namespace curves_test {

void expect_promise(const CurveCase& chosen, Formulation formulation) {
  const CurveComparison comparison(chosen, formulation, 300);
  for (const std::string integrator : {"extrapolation", "bdf", "radau"})
    for (const double tolerance : {1e-6, 1e-8}) {
      const CurveErrors errors = comparison.errors_of(integrator, tolerance);
      const std::string name = chosen.model + ", " + integrator + ", " + std::to_string(tolerance);
      EXPECT_EQ(errors.failure, "") << name;
      EXPECT_GT(errors.steps, 5u) << name;
      EXPECT_GT(errors.p_steps, 0) << name;
      EXPECT_LE(errors.share_of_promise(tolerance), 1) << name;  // worst seen 0.88, radau on the sleigh
      EXPECT_LT(errors.p_steps, 1e3 * tolerance) << name;        // worst seen 110, bdf on the top
    }
}

TEST(Curves, BetweenStepsAreAsGoodAsAtTheirEnds) {
  expect_promise({"double_pendulum", {}, 2}, Formulation::absolute);
  expect_promise({"andrews", {}, 0.03}, Formulation::relative);
  expect_promise({"heavy_top", {}, 0.1}, Formulation::mixed);
  expect_promise({"chaplygin_sleigh", {}, 5}, Formulation::relative);
}

TEST(Curves, HaveACaseForEachModelOfTheZoo) {
  for (const ZooModel& model : zoo()) {
    int cases = 0;
    for (const CurveCase& each : curve_cases()) cases += each.model == model.name;
    EXPECT_EQ(cases, 1) << model.name;
  }
  for (const CurveCase& each : curve_cases()) EXPECT_NO_THROW(find_model(each.model).parameters_with(each.changes));
}

}  // namespace curves_test
}  // namespace linkwork::apps
