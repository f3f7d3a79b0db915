// After its first use the basic scheme and the projections allocate nothing, also where position and velocity
// constraints differ in number.

#include "../allocations.hpp"

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/core/model.hpp>
#include <linkwork/joints/constraints/knife_edge.hpp>
#include <linkwork/joints/constraints/rod.hpp>
#include <linkwork/solvers/formulations/absolute.hpp>
#include <linkwork/solvers/integrators/half_explicit_euler.hpp>
#include <linkwork/solvers/integrators/midpoint_rule.hpp>
#include <linkwork/solvers/manifold/projection.hpp>

#include <gtest/gtest.h>

namespace linkwork {
namespace allocation_test {

/// A blade on a rod: one position constraint and two velocity constraints.
PlanarModel blade_on_a_rod() {
  PlanarModel model("blade on a rod");
  auto blade = model.add_body("blade", MassProperties::planar(/*mass*/ 2, /*inertia*/ 0.1));
  blade.place({1, 0}, /*angle*/ 0.5);
  model.add_constraint<Rod>("rod", model.ground().origin(), blade.at({0.2, 0}), 1.2);
  model.add_constraint<KnifeEdge>("edge", blade.origin());
  return model;
}

TEST(HotPaths, AllocateNothingAfterTheirFirstUse) {
  if (!test::allocations_are_counted) GTEST_SKIP() << "the sanitizer has an allocator of its own";
  const auto equations = make_absolute_equations(blade_on_a_rod());
  const auto solver = make_linear_solver("dense-lu", *equations);
  ASSERT_TRUE(solver->analyze(*equations));
  ASSERT_EQ(equations->dimensions().lambda, 1);
  ASSERT_EQ(equations->dimensions().mu, 1);
  State start = equations->initial_state();
  const Eigen::VectorXd weights = Eigen::VectorXd::Constant(3, 1e-8);
  HalfExplicitEuler scheme(*equations, *solver, /*friction*/ false);
  Projection projection(*equations, *solver);
  HalfExplicitEuler::Result result;
  HalfExplicitEuler::History history;
  Eigen::VectorXd p = start.p, v = start.v;
  bool fine = true;
  const auto compute = [&] {
    fine = fine && scheme.begin(start, false) && scheme.run(4, 1e-3, result, history);
    p = start.p;
    v = start.v;
    fine = fine && projection.position(0, p, weights);
    fine = fine && projection.velocity(v, weights);
  };
  compute();
  const long before = test::allocations;
  ASSERT_GT(before, 0) << "the counter does not count";
  for (int i = 0; i < 3; ++i) compute();
  EXPECT_EQ(test::allocations, before);
  EXPECT_TRUE(fine);
  EXPECT_GT(projection.iterations(), 0);
}

TEST(HotPaths, MidpointRuleAllocatesNothingAfterItsFirstUse) {
  if (!test::allocations_are_counted) GTEST_SKIP() << "the sanitizer has an allocator of its own";
  SpatialModel model("free body");
  model.set_gravity({0, 0, -9.81});
  model.add_body("body", MassProperties::box(/*mass*/ 2, {0.1, 0.2, 0.3})).move({1, 0, 0}, {1, 2, 3});
  const auto equations = make_absolute_equations(model);
  const auto solver = make_linear_solver("dense-lu", *equations);
  ASSERT_TRUE(solver->analyze(*equations));
  State start = equations->initial_state();
  MidpointRule rule(*equations, *solver);
  BasicScheme::Result result;
  BasicScheme::History history;
  bool fine = true;
  const auto compute = [&] { fine = fine && rule.begin(start, false) && rule.run(6, 1e-3, result, history); };
  compute();
  const long before = test::allocations;
  for (int i = 0; i < 3; ++i) compute();
  EXPECT_EQ(test::allocations, before);
  EXPECT_TRUE(fine);
}

}  // namespace allocation_test
}  // namespace linkwork
