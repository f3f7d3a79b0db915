// On random mechanisms all formulations with all linear solvers give the same accelerations of bodies and the same
// reactions: trees and loops, all joints, planar and spatial, massless bodies, drives.

#include <linkwork/solvers/formulations/formulation.hpp>
#include <linkwork/solvers/linear/linear_solver.hpp>

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "../consistent_velocities.hpp"
#include "../equations/dense_solution.hpp"
#include "../linear/reference_solution.hpp"
#include "../random_mechanism.hpp"
#include "../sampled.hpp"

namespace linkwork::test {
namespace agreement_test {

// Rounding, 2e-16, times the condition number times a few, where that is below 1e6. Beyond it, in proportion:
// 1e-15 for every unit of it.
constexpr double bound = 1e-9, condition_of_the_bound = 1e6, singular = 1e11;

/// Accelerations of bodies, then reactions of joints and constraints, as observables.
template <class Space>
void observe_everything(Model<Space>& model) {
  for (const BodyEntry<Space>& entry : model.data().bodies) {
    const Frame<Space> origin = model.body(entry.name).origin();
    observe(model, "acceleration of " + entry.name, [=](const Snapshot<Space>& now) {
      const Twist<Space> a = now.acceleration(origin);
      return joined<Space>(a.angular, a.linear);
    });
  }
  for (const ConstraintEntry<Space>& entry : model.data().constraints) {
    const ConstraintRef<Space> constraint = model.constraint(entry.name);
    observe(model, "reaction of " + entry.name, [=](const Snapshot<Space>& now) {
      const Wrench<Space> wrench = now.reaction(constraint);
      return joined<Space>(wrench.torque, wrench.force);
    });
  }
}

template <class Space>
std::unique_ptr<EquationsOfMotion> equations_in_motion(const RandomMechanism& options, Formulation formulation,
                                                       const std::vector<Twist<Space>>& velocities) {
  Model<Space> model = random_mechanism<Space>(options);
  for (std::size_t b = 0; b < velocities.size(); ++b)
    model.body(model.data().bodies[b].name).move(velocities[b].linear, velocities[b].angular);
  observe_everything(model);
  return make_equations(model, {.formulation = formulation});
}

/// What all observables say with the solution of a solver.
Eigen::VectorXd report(EquationsOfMotion& equations, State state, const Eigen::VectorXd& a,
                       const Eigen::VectorXd& lambda) {
  state.a = a;
  state.lambda = lambda;
  Eigen::VectorXd values;
  equations.observables(state, values);
  return values;
}

double difference(const Eigen::VectorXd& x, const Eigen::VectorXd& reference) {
  return (x - reference).lpNorm<Eigen::Infinity>() / (1 + reference.lpNorm<Eigen::Infinity>());
}

template <class Space>
void expect_agreement(const RandomMechanism& options) {
  SCOPED_TRACE(testing::Message() << Space::name << ": " << options);
  const std::vector<Twist<Space>> velocities = consistent_velocities<Space>(options);
  Eigen::VectorXd reference;
  double allowed = bound;
  for (const Formulation formulation : {Formulation::absolute, Formulation::mixed, Formulation::relative}) {
    const auto equations = equations_in_motion<Space>(options, formulation, velocities);
    const State state = equations->initial_state();
    equations->set(state);
    const int nv = equations->dimensions().v;
    const Eigen::MatrixXd A = full_matrix({MatrixKind::velocity, &equations->M(), &equations->G(), nullptr});
    Eigen::VectorXd right(A.rows());
    right << equations->f(), equations->gamma();
    const Eigen::VectorXd solution = reference_solution(A, right);
    const Eigen::VectorXd values = report(*equations, state, solution.head(nv), solution.tail(right.size() - nv));
    if (reference.size() == 0) {
      const double condition_number = condition(A);
      if (condition_number > singular) return;  // a singular position by chance: a few in thousands
      reference = values;
      allowed = bound * std::max(1.0, condition_number / condition_of_the_bound);
    }
    EXPECT_LE(difference(values, reference), allowed) << name_of(formulation);

    // The residual formalism is zero at the solution of the explicit one.
    Eigen::VectorXd residual;
    equations->set(state);
    equations->dynamic_residual(solution.head(nv), solution.tail(right.size() - nv), residual);
    EXPECT_LE(difference(residual + right.head(nv), right.head(nv)), allowed) << name_of(formulation);

    for (const std::string& name : linear_solver_names()) {
      // This one needs a definite M.
      if (name == "cholesky-qr" && (options.massless || formulation == Formulation::mixed)) continue;
      SCOPED_TRACE(testing::Message() << name_of(formulation) << " with " << name);
      const auto solver = make_linear_solver(name, *equations);
      Outcome outcome = solver->analyze(*equations);
      equations->set(state);
      Eigen::VectorXd a, lambda;
      if (outcome) outcome = solver->accelerations(a, lambda);
      // The recursion refuses a massless body that no joint of its tree holds, never in silence: what hangs on it
      // does not determine its motion, only the loops that it closes do.
      if (!outcome && options.massless && name == "recursive") {
        EXPECT_NE(outcome.reason().find("use 'graph'"), std::string::npos) << outcome.reason();
        continue;
      }
      ASSERT_TRUE(outcome) << outcome.reason();
      EXPECT_LE(difference(report(*equations, state, a, lambda), reference), allowed);
    }
  }
}

// 2,000 mechanisms in all: six of each seed and space.
constexpr unsigned seeds = test::sampled(167U, 16U);

template <class Space>
void expect_agreement_of_many() {
  for (const RandomMechanism& options : random_mechanisms(seeds)) expect_agreement<Space>(options);
  for (const RandomMechanism& options : mechanisms_of_all_joints(seeds)) expect_agreement<Space>(options);
}

TEST(Formulations, AgreeInThePlane) { expect_agreement_of_many<Planar>(); }
TEST(Formulations, AgreeInSpace) { expect_agreement_of_many<Spatial>(); }

}  // namespace agreement_test
}  // namespace linkwork::test
