// Jacobians of the models that bdf takes: the structure that they claim, and differences by groups.

#include "zoo_simulation.hpp"

#include "../jacobian/structure.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace linkwork::apps {
namespace zoo_jacobians_test {

/// A model of few bodies where their number can be chosen, and always one of bodies.
Parameters small(const ZooModel& model) {
  Parameters changes;
  for (const Parameter& parameter : model.parameters) {
    if (parameter.name == "n") changes["n"] = std::clamp(3.0, parameter.least, parameter.greatest);
    if (parameter.name == "posed") changes["posed"] = 1;
  }
  return model.parameters_with(changes);
}

void expect_true_structure(const ZooModel& model, Formulation formulation) {
  SCOPED_TRACE(concat(model.name, ", ", name_of(formulation)));
  const auto equations = make_equations(model, small(model), {formulation, {}, unknowns_for(BdfOptions{})});
  const State start = equations->initial_state();
  equations->set(start);
  equations->remember(true, -1);
  constexpr double reach = 0.02;                          // wheels stay on rails and roads
  constexpr int few_unknowns = 140, most_unknowns = 400;  // beyond, differences of all columns take too long here
  MotionResidual system(*equations, {.eta_derivative = true});
  if (system.size() > most_unknowns) return;
  const Dependencies claims = system.dependencies();
  EXPECT_TRUE(claims.complete);
  const test::SeenStructure seen(system, test::RandomPoints(system, start, reach, true),
                                 system.size() <= few_unknowns ? 20 : 3);
  EXPECT_EQ(test::described(system, test::unclaimed(claims.pattern, seen)), "");

  MotionResidual run(*equations, {});
  // Closures of loops that meet in a moving body push it with opposite wrenches, of which a rounding is left: their
  // multipliers, which share groups with what moves the body, are felt in its rows by the last bit of the largest
  // force.
  const double rounding = model.name == "atv" && formulation == Formulation::relative ? 1e-15 : 0;
  EXPECT_LE(test::groups_beside_columns(run, test::RandomPoints(run, start, reach, false), 2), rounding);
}

TEST(ZooJacobians, ClaimAllThatShowsAndAreTheSameByGroupsToTheLastBit) {
  for (const ZooModel& model : zoo())
    for (const Formulation formulation : {Formulation::absolute, Formulation::relative})
      expect_true_structure(model, formulation);
}

}  // namespace zoo_jacobians_test
}  // namespace linkwork::apps
