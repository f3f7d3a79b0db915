// After construction the equations allocate nothing, nor does forward dynamics in joint coordinates.

#include <linkwork/solvers/formulations/absolute.hpp>
#include <linkwork/solvers/formulations/mixed.hpp>
#include <linkwork/solvers/formulations/relative.hpp>
#include <linkwork/solvers/linear/linear_solver.hpp>

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/forces/dry_friction.hpp>
#include <linkwork/forces/series_spring_damper.hpp>
#include <linkwork/joints/constraints/plane_curve_contact.hpp>

#include <gtest/gtest.h>

#include <string>

#include "../allocations.hpp"
#include "../random_mechanism.hpp"
#include "dense_solution.hpp"

namespace linkwork::test {
namespace allocation_test {

template <class Space>
void expect_no_allocation(const Model<Space>& model) {
  const auto equations = make_absolute_equations(model);
  const State state = equations->initial_state();
  Eigen::VectorXd p_new(state.p.size()), near = state.p;
  double sum = 0;
  const auto evaluate_all = [&] {
    equations->set(state);
    sum += equations->g().sum() + equations->G().data()[0] + equations->velocity_offset().sum() + equations->f().sum() +
           equations->gamma().sum() + equations->C().data()[0] + equations->M().data()[0] + equations->r_rate().sum();
    equations->position_rate(p_new);
    equations->position_step(state.v, p_new);
    equations->normalise(near, p_new);
    equations->remember(false, -1);
    sum += equations->energies().kinetic + equations->constraint_residual().position_m;
  };
  const long before = allocations;
  ASSERT_GT(before, 0) << "the counter does not count";
  evaluate_all();
  EXPECT_EQ(allocations, before);
  EXPECT_TRUE(std::isfinite(sum));
}

TEST(Absolute, AllocatesNothingAfterConstruction) {
  if (!allocations_are_counted) GTEST_SKIP() << "the sanitizer has an allocator of its own";
  for (const RandomMechanism& options : random_mechanisms(1)) {
    SCOPED_TRACE(testing::Message() << options);
    expect_no_allocation(random_mechanism<Planar>(options));
    expect_no_allocation(random_mechanism<Spatial>(options));
  }
}

/// With w and s, which the equations solve for.
TEST(Absolute, AllocatesNothingForAuxiliaryVariablesAndContacts) {
  if (!allocations_are_counted) GTEST_SKIP() << "the sanitizer has an allocator of its own";
  PlanarModel model;
  auto disc = model.add_body("disc", MassProperties::planar(1, 0.1));
  disc.place({0, 1.5});
  model.add_constraint<PlaneCurveContact>("contact", model.ground().origin(), PlaneCurve::circle(1), disc.origin(),
                                          PlaneCurve::circle(0.5), Eigen::Vector2d(1.5, -1.5));
  model.add_force<SeriesSpringDamper>("damper", model.ground().at({0, 3}), disc.origin(),
                                      {.stiffness = 100, .damping = 10, .free_length = 1});
  expect_no_allocation(model);
}

void expect_no_allocation_by(const std::string& name, EquationsOfMotion* equations, int warm_up) {
  const auto solver = make_linear_solver(name, *equations);
  ASSERT_TRUE(solver->analyze(*equations));
  const State state = equations->initial_state();
  const Eigen::VectorXd torque = Eigen::VectorXd::Ones(state.v.size());
  Eigen::VectorXd a = state.v, lambda = state.lambda;
  for (int i = 0; i < warm_up; ++i) {
    equations->set(state);
    ASSERT_TRUE(solver->accelerations(a, lambda));
  }
  const long before = allocations;
  equations->set_position(state.t, state.p);
  equations->set_velocity(state.v);
  equations->set_applied_force(torque);
  const bool solved = static_cast<bool>(solver->accelerations(a, lambda));
  EXPECT_EQ(allocations, before);
  EXPECT_TRUE(solved);
  EXPECT_TRUE(a.allFinite());
}

TEST(Relative, ForwardDynamicsByRecursionAllocatesNothing) {
  if (!allocations_are_counted) GTEST_SKIP() << "the sanitizer has an allocator of its own";
  for (const RandomMechanism& options : random_mechanisms(1)) {
    // A message about joints without inertia is made of allocated strings; driven joints start against their drives.
    if (options.massless || options.driven) continue;
    SCOPED_TRACE(testing::Message() << options);
    expect_no_allocation_by("recursive", make_relative_equations(random_mechanism<Planar>(options)).get(), 0);
    expect_no_allocation_by("recursive", make_relative_equations(random_mechanism<Spatial>(options)).get(), 0);
  }
}

TEST(Mixed, EliminationsAllocateNothingOnceTheyHaveFactored) {
  if (!allocations_are_counted) GTEST_SKIP() << "the sanitizer has an allocator of its own";
  for (const RandomMechanism& options : random_mechanisms(1)) {
    if (options.massless) continue;
    SCOPED_TRACE(testing::Message() << options);
    for (const char* solver : {"recursive", "graph"}) {
      expect_no_allocation_by(solver, make_mixed_equations(random_mechanism<Planar>(options)).get(), 1);
      expect_no_allocation_by(solver, make_mixed_equations(random_mechanism<Spatial>(options)).get(), 1);
    }
  }
}

TEST(Relative, EliminationAlongTheGraphOfBodiesAllocatesNothingOnceItHasFactored) {
  if (!allocations_are_counted) GTEST_SKIP() << "the sanitizer has an allocator of its own";
  const RandomMechanism options{.seed = 3, .rigid_bodies = 7, .loops = 2, .massless = true};
  expect_no_allocation_by("graph", make_relative_equations(random_mechanism<Planar>(options)).get(), 1);
  expect_no_allocation_by("graph", make_relative_equations(random_mechanism<Spatial>(options)).get(), 1);
}

}  // namespace allocation_test
}  // namespace linkwork::test
