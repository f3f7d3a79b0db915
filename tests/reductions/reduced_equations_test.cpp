// Reduced equations beside the full ones that they are made of.

#include "zoo_simulation.hpp"

#include "../messages.hpp"

#include <linkwork/core/dense_factors.hpp>
#include <linkwork/joints/driven_revolute.hpp>
#include <linkwork/solvers/manifold/consistent_accelerations.hpp>
#include <linkwork/solvers/reductions/independent_columns.hpp>
#include <linkwork/solvers/reductions/null_space.hpp>

#include <gtest/gtest.h>
#include <Eigen/Cholesky>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace linkwork::apps {
namespace reduced_equations_test {

using test::contains;

constexpr Formulation formulations[] = {Formulation::absolute, Formulation::mixed, Formulation::relative};
constexpr Reduction reductions[] = {Reduction::partitioning, Reduction::baumgarte, Reduction::hybrid, Reduction::svd,
                                    Reduction::null_space};

/// Equations of a model with a consistent state on its way, and a reduction that begins there.
struct Reduced {
  std::unique_ptr<EquationsOfMotion> full;
  std::unique_ptr<LinearSolver> solver;
  std::unique_ptr<ReducedEquations> equations;
  State state;

  Reduced(const std::string& name, Formulation formulation, const ReductionOptions& options, double t = 0.3) {
    const ZooModel& model = find_model(name);
    Simulation simulation =
        make_simulation(model, model.parameters_with({}),
                        {.formulation = formulation, .integrator = ExtrapolationOptions{.rtol = 1e-10, .atol = 1e-10}});
    state = simulation.run(0, t * model.t_end).final_state();
    full = make_equations(model, model.parameters_with({}), {.formulation = formulation});
    full->set(full->initial_state());
    full->remember(true, -1);
    solver = make_linear_solver("auto", *full, full->forces_read_multipliers());
    EXPECT_TRUE(solver->analyze(*full));
    EXPECT_TRUE(find_accelerations(*full, *solver, state));
    equations = make_reduced_equations(*full, *solver, options, {});
    const Outcome begun = equations->begin(state);
    EXPECT_TRUE(begun) << begun.reason();
  }
  /// The reduced equations at the state.
  ReducedEquations& at_state() {
    const State own = equations->reduced(state);
    equations->set_position(own.t, own.p);
    equations->set_velocity(own.v);
    equations->set_states(own.r);
    return *equations;
  }
};

// Accelerations from the linear solver of the full equations, and from the report's reduced masses: relative to the
// largest one, 1e-9 is the rounding of the masses' condition.
TEST(ReducedEquations, HaveTheAccelerationsOfReducedMasses) {
  for (const char* name : {"andrews", "bricard", "spatial_slider_crank", "chaplygin_sleigh", "double_pendulum"})
    for (const Formulation formulation : formulations)
      for (const Reduction method : {Reduction::partitioning, Reduction::svd, Reduction::null_space}) {
        SCOPED_TRACE(concat(name, ", ", name_of(formulation), ", ", name_of(method)));
        Reduced reduced(name, formulation, {.method = method});
        if (reduced.full->dimensions().constraints() == 0) continue;
        ReducedEquations& e = reduced.at_state();
        const Eigen::VectorXd f = e.f();
        const Eigen::VectorXd by_masses = OrthogonalFactors(e.reduced_mass()).solve(e.reduced_force());
        EXPECT_LT((f - by_masses).norm(), 1e-9 * std::max(1.0, f.norm()));
      }
}

// v = N w + v0 and p' of the full equations, at any state of the reduced ones.
TEST(ReducedEquations, MoveAsTheFullOnes) {
  for (const char* name : {"andrews", "bricard", "spatial_slider_crank", "heavy_top", "chaplygin_sleigh"})
    for (const Formulation formulation : formulations)
      for (const Reduction method : reductions) {
        SCOPED_TRACE(concat(name, ", ", name_of(formulation), ", ", name_of(method)));
        Reduced reduced(name, formulation, {.method = method});
        if (reduced.full->dimensions().constraints() == 0) continue;
        State back = reduced.state;
        reduced.equations->expand(reduced.equations->reduced(reduced.state), back);
        EXPECT_LT((back.p - reduced.state.p).lpNorm<Eigen::Infinity>(), 1e-11);
        EXPECT_LT((back.v - reduced.state.v).lpNorm<Eigen::Infinity>(),
                  1e-10 * std::max(1.0, back.v.lpNorm<Eigen::Infinity>()));
      }
}

// REDUCE A3: what M a leaves of f has no part along the velocities that the constraints allow, and its orthogonal
// projection onto their rows gives the multipliers of the linear solver. 1e-9 of the forces, as asked of reactions.
TEST(NullSpace, ConstraintForcesAreOrthogonalProjections) {
  for (const char* name : {"andrews", "spatial_slider_crank", "double_pendulum", "chaplygin_sleigh"})
    for (const Formulation formulation : {Formulation::absolute, Formulation::mixed}) {
      SCOPED_TRACE(concat(name, ", ", name_of(formulation)));
      Reduced reduced(name, formulation, {.method = Reduction::null_space});
      const Eigen::MatrixXd V = reduced.at_state().directions();
      reduced.full->set(reduced.state);
      Eigen::VectorXd force;
      reduced.full->dynamic_residual(reduced.state.a, Eigen::VectorXd::Zero(reduced.state.lambda.size()), force);
      force = -force;
      const double size = force.lpNorm<Eigen::Infinity>();
      ASSERT_GT(size, 1e-3);
      EXPECT_LT((V.transpose() * force).lpNorm<Eigen::Infinity>(), 1e-9 * size);
      const Eigen::MatrixXd G = reduced.full->G().dense();
      const Eigen::VectorXd lambda = (G * G.transpose()).ldlt().solve(G * force);
      EXPECT_LT((G.transpose() * lambda - force).lpNorm<Eigen::Infinity>(), 1e-9 * size);
      EXPECT_LT((lambda - reduced.state.lambda).lpNorm<Eigen::Infinity>(),
                1e-9 * std::max(size, reduced.state.lambda.lpNorm<Eigen::Infinity>()));
    }
}

/// V at a position of null-space equations that the state is moved to.
Eigen::MatrixXd basis_after(Reduced& reduced, double dt) {
  auto& e = dynamic_cast<NullSpaceProjection&>(*reduced.equations);
  Eigen::VectorXd step;
  reduced.full->set(reduced.state);
  reduced.full->position_step(dt * reduced.state.v, step);
  e.set_position(reduced.state.t + dt, step);
  return e.basis();
}

// By differences of the fourth order over 1e-3 of the time in which the motion turns: 1e-7 asked, seen below 2e-8.
TEST(NullSpace, DerivativeOfTheBasisIsThatOfDifferences) {
  for (const char* name : {"andrews", "bricard", "spatial_slider_crank", "double_pendulum", "chaplygin_sleigh"}) {
    SCOPED_TRACE(name);
    Reduced reduced(name, Formulation::absolute, {.method = Reduction::null_space});
    auto& e = dynamic_cast<NullSpaceProjection&>(reduced.at_state());
    const Eigen::MatrixXd rate = e.basis_rate();
    const double h = 1e-3 / std::max(1.0, reduced.state.v.lpNorm<Eigen::Infinity>());
    const Eigen::MatrixXd by_differences = (8 * (basis_after(reduced, h) - basis_after(reduced, -h)) -
                                            (basis_after(reduced, 2 * h) - basis_after(reduced, -2 * h))) /
                                           (12 * h);
    EXPECT_LT((rate - by_differences).norm(), 1e-7 * std::max(1.0, rate.norm()));
  }
}

// Along a motion z' goes on as its rate says, and the end of a step changes it only where that is reported. The
// trapezoidal rule over 2000 parts of a motion of some radians is right to 1e-5 of the largest rate; a new basis moves
// z' by its own size.
TEST(NullSpace, VelocitiesGoOnUnlessANewBasisIsReported) {
  for (const char* name : {"andrews", "bricard", "spatial_slider_crank"})
    for (const bool renews : {false, true}) {
      SCOPED_TRACE(concat(name, renews ? ", a new basis at every step" : ""));
      const ZooModel& model = find_model(name);
      Reduced reduced(name, Formulation::absolute,
                      {.method = Reduction::null_space, .renews_basis_at_every_step = renews}, 0);
      Simulation simulation = make_simulation(model, model.parameters_with({}),
                                              {.integrator = ExtrapolationOptions{.rtol = 1e-10, .atol = 1e-10}});
      const double t_end = 0.3 * model.t_end;
      const Trajectory path = simulation.run(0, t_end);
      constexpr int parts = 2000;
      const double h = t_end / parts;
      Eigen::VectorXd last, last_rate;
      double largest = 0, worst = 0;
      int changes = 0;
      for (int k = 0; k <= parts; ++k) {
        reduced.state = path.at(k * h);
        ReducedEquations& e = reduced.at_state();
        const Eigen::VectorXd z = e.velocity(), rate = e.f();
        if (k > 0) worst = std::max(worst, (z - last - h / 2 * (rate + last_rate)).norm());
        largest = std::max(largest, rate.norm() * h);
        ReductionChange change;
        State end = reduced.state;
        ASSERT_TRUE(e.accept(end, h, change));
        reduced.state = end;
        const ReducedEquations& after = reduced.at_state();
        if (change) {
          ++changes;
        } else {
          EXPECT_LT((after.velocity() - z).norm(), 1e-10 * (1 + z.norm()));
        }
        last = after.velocity();
        last_rate = reduced.equations->f();
      }
      EXPECT_LT(worst, 1e-2 * largest);
      if (renews) {
        EXPECT_GT(changes, parts / 2);
      } else {
        EXPECT_LT(changes, parts / 100);
      }
    }
}

TEST(NullSpace, BasesOfSingularValuesOfLuAndGivenOnesMoveAlike) {
  const ZooModel& model = find_model("andrews");
  std::vector<double> errors;
  ReductionOptions options{.method = Reduction::null_space};
  const auto add = [&] {
    Simulation simulation =
        make_simulation(model, model.parameters_with({}),
                        {.integrator = ExtrapolationOptions{.rtol = 1e-10, .atol = 1e-10}, .reduction = options});
    simulation.run(0, 0.03);
    errors.push_back(final_reference_error(simulation, model, model.parameters_with({})));
  };
  add();
  options.basis = NullSpaceBasis::lu;
  add();
  options.basis = NullSpaceBasis::given;
  options.given_basis = Eigen::MatrixXd::Zero(1, 21);
  options.given_basis(0, 2) = 3;  // the crank turns
  add();
  for (const double error : errors) EXPECT_LT(error, 1e-6);
}

TEST(NullSpace, BasesThatDoNotFitAreRefused) {
  const auto refusal = [](const Eigen::MatrixXd& basis) {
    const ZooModel& model = find_model("andrews");
    Simulation simulation = make_simulation(
        model, model.parameters_with({}),
        {.reduction = {.method = Reduction::null_space, .basis = NullSpaceBasis::given, .given_basis = basis}});
    return test::error_of([&] { simulation.run(0, 0.01); });
  };
  EXPECT_TRUE(contains(refusal(Eigen::MatrixXd::Ones(2, 3)),
                       "null-space: given_basis is a matrix of 2 x 3 entries; model 'andrews' has 1 independent "
                       "velocities of 21, so that it needs 1 x 21."));
  EXPECT_TRUE(contains(refusal(Eigen::MatrixXd::Zero(1, 21)), "given_basis depend on the constraints"));
}

// REDUCE 2.3: with scaled rows and columns, metres or millimetres choose the same; as they come, they don't.
TEST(Partitioning, ChoosesTheSameInAllUnitsWhereItScales) {
  const auto chosen = [](double unit, bool scaled, PartitionPivoting pivoting) {
    const auto along = [](double angle) { return Eigen::Vector2d(std::cos(angle), std::sin(angle)); };
    const double lean = -std::asin(0.3 * std::sin(0.7) / 0.5);
    PlanarModel model("crank and slider");
    auto crank = model.add_body("crank", MassProperties::rod(1, 0.3 * unit)).place(0.15 * unit * along(0.7), 0.7);
    auto rod = model.add_body("rod", MassProperties::rod(1, 0.5 * unit))
                   .place((0.3 * along(0.7) + 0.25 * along(lean)) * unit, lean);
    auto slider = model.add_body("slider", MassProperties::planar(1, 1e-3 * unit * unit))
                      .place({(0.3 * std::cos(0.7) + 0.5 * std::cos(lean)) * unit, 0});
    model.add_joint<Revolute>("bearing", model.ground().origin(), crank.at({-0.15 * unit, 0}));
    model.add_joint<Revolute>("big end", crank.at({0.15 * unit, 0}), rod.at({-0.25 * unit, 0}));
    model.add_joint<Revolute>("small end", rod.at({0.25 * unit, 0}), slider.origin());
    model.add_joint<Prismatic>("guide", model.ground().origin(), slider.origin(), Axis::x());
    const auto equations = make_equations(model, {.formulation = Formulation::absolute});
    equations->set(equations->initial_state());
    return choose_columns(*equations, equations->G(), pivoting, scaled).independent;
  };
  for (const PartitionPivoting pivoting :
       {PartitionPivoting::full, PartitionPivoting::columns, PartitionPivoting::partial})
    EXPECT_EQ(chosen(1, true, pivoting), chosen(1000, true, pivoting));
  EXPECT_NE(chosen(1e-3, false, PartitionPivoting::full), chosen(1e3, false, PartitionPivoting::full));
}

}  // namespace reduced_equations_test
}  // namespace linkwork::apps
