// Eliminations along the joint tree of mixed coordinates, and along the graph of bodies in mixed and in joint
// coordinates: the whole matrix, for any right side, wherever the bodies are.

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/bodies/massless_node.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/joints/prismatic.hpp>
#include <linkwork/joints/revolute.hpp>
#include <linkwork/solvers/formulations/absolute.hpp>
#include <linkwork/solvers/formulations/mixed.hpp>
#include <linkwork/solvers/formulations/relative.hpp>
#include <linkwork/solvers/linear/linear_solver.hpp>

#include <gtest/gtest.h>

#include <random>

#include "../random_mechanism.hpp"
#include "reference_solution.hpp"

namespace linkwork::test {
namespace mixed_elimination_test {

// As in random_mechanisms_test.cpp: some hundred eps times the condition number. Worst seen 40 eps times it; a joint
// turned around or a coordinate of a cut joint forgotten gives 1e-3 or more.
constexpr double bound = 1e3 * 2.2e-16;

/// Bodies and joints moved by about 0.1 from where they fit.
void leave_the_constraints(EquationsOfMotion& equations, unsigned seed) {
  const State start = equations.initial_state();
  std::mt19937 random(seed);
  std::normal_distribution<double> normal(0, 0.1);
  Eigen::VectorXd step(equations.dimensions().v), p(start.p.size());
  for (double& component : step) component = normal(random);
  equations.set(start);
  equations.position_step(step, p);
  equations.normalise(start.p, p);
  equations.set_position(start.t, p);
}

void expect_solution_of_any_right_side(EquationsOfMotion& equations, const std::string& name, unsigned seed) {
  for (const MatrixKind kind : {MatrixKind::velocity, MatrixKind::position}) {
    SCOPED_TRACE(testing::Message() << equations.formulation_name() << " with " << name
                                    << (kind == MatrixKind::position ? ", C" : ", G"));
    const Eigen::MatrixXd A =
        full_matrix({kind, &equations.M(), kind == MatrixKind::position ? &equations.C() : &equations.G(), nullptr});
    const double condition_number = condition(A);
    if (condition_number > 1e8) continue;
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    Eigen::VectorXd right(A.rows());
    for (double& component : right) component = normal(random);
    const auto solver = make_linear_solver(name, equations);
    ASSERT_TRUE(solver->analyze(equations));
    const Outcome outcome = solver->factor(kind);
    ASSERT_TRUE(outcome) << outcome.reason();
    EXPECT_LE(relative_error(solve(*solver, right, equations.dimensions().v), reference_solution(A, right)),
              bound * condition_number);
  }
}

template <class Space>
void expect_solutions_in_mixed_coordinates(unsigned seeds) {
  std::vector<RandomMechanism> all = random_mechanisms(seeds);
  for (const RandomMechanism& options : mechanisms_of_all_joints(seeds)) all.push_back(options);
  for (const RandomMechanism& options : all) {
    SCOPED_TRACE(testing::Message() << Space::name << ": " << options);
    const auto equations = make_mixed_equations(random_mechanism<Space>(options));
    leave_the_constraints(*equations, options.seed);
    expect_solution_of_any_right_side(*equations, "graph", options.seed);
    if (!options.massless) expect_solution_of_any_right_side(*equations, "recursive", options.seed);
  }
}

TEST(MixedElimination, SolvesRandomMechanismsInThePlane) { expect_solutions_in_mixed_coordinates<Planar>(6); }
TEST(MixedElimination, SolvesRandomMechanismsInSpace) { expect_solutions_in_mixed_coordinates<Spatial>(4); }

template <class Space>
void expect_solutions_with_massless_bodies(unsigned seeds) {
  for (unsigned seed = 1; seed <= seeds; ++seed) {
    const RandomMechanism options{.seed = seed, .rigid_bodies = 7, .loops = 2, .massless = true, .points = true};
    SCOPED_TRACE(testing::Message() << Space::name << ": " << options);
    const auto equations = make_relative_equations(random_mechanism<Space>(options));
    leave_the_constraints(*equations, seed);
    expect_solution_of_any_right_side(*equations, "graph", seed);
  }
}

TEST(LinkBlocks, HoldMasslessBodiesByLoopsInThePlane) { expect_solutions_with_massless_bodies<Planar>(6); }
TEST(LinkBlocks, HoldMasslessBodiesByLoopsInSpace) { expect_solutions_with_massless_bodies<Spatial>(4); }

/// A chain of hinged bars whose tip carries a massless point: no joint of the tree holds that, a pin does.
PlanarModel chain_with_a_point(int bars) {
  PlanarModel model("chain with a point");
  model.set_gravity({0, -9.81});
  Frame<Planar> last = model.ground().origin();
  for (int i = 0; i < bars; ++i) {
    auto bar = model.add_body(concat("bar ", i), MassProperties::rod(1.0, 0.5));
    bar.place({0.5 * i + 0.25, 0}, 0);
    model.add_joint<Revolute>(concat("hinge ", i), last, bar.at({-0.25, 0}));
    last = bar.at({0.25, 0});
  }
  auto point = model.add_body<MasslessNode>("point");
  point.place({0.5 * bars, 0});
  model.add_joint<Revolute>("pin", last, point.origin());
  return model;
}

TEST(Automatic, TakesTheGraphOfBodiesForMasslessBodiesInJointCoordinates) {
  const auto absolute = make_absolute_equations(chain_with_a_point(24));
  const auto relative = make_relative_equations(chain_with_a_point(24));
  Eigen::VectorXd a, lambda, of_bodies;
  const auto solve_with = [&](const char* name, EquationsOfMotion& equations) {
    equations.set(equations.initial_state());
    auto solver = make_linear_solver(name, equations);
    EXPECT_TRUE(solver->analyze(equations));
    const Outcome outcome = solver->accelerations(a, lambda);
    EXPECT_TRUE(outcome) << outcome.reason();
    return solver;
  };
  solve_with("dense-lu", *absolute);
  of_bodies = a;
  EXPECT_EQ(solve_with("auto", *relative)->name(), "graph");
  // The first bar's angle, which is both its joint's coordinate and its own. 1e3 eps times the condition, 1e4.
  EXPECT_NEAR(a[0], of_bodies[0], 2e-9 * std::abs(of_bodies[0]));
}

TEST(Recursive, NamesTheSolverForMasslessBodiesInJointCoordinates) {
  const auto reason = [](std::unique_ptr<EquationsOfMotion> equations) {
    equations->set(equations->initial_state());
    const auto solver = make_linear_solver("recursive", *equations);
    EXPECT_TRUE(solver->analyze(*equations));
    return solver->factor(MatrixKind::velocity).reason();
  };
  const std::string rest =
      " meets no inertia at t = 0 s: nothing with mass that hangs on it moves with it, only a closed loop may "
      "determine its motion; use 'graph', or give the body a mass.";
  EXPECT_EQ(reason(make_relative_equations(chain_with_a_point(12))),
            "recursive: the joint of point: velocity 1" + rest);
  EXPECT_EQ(reason(make_mixed_equations(chain_with_a_point(12))), "recursive: the joint of point: x velocity" + rest);
}

}  // namespace mixed_elimination_test
}  // namespace linkwork::test
