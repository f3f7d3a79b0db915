// Nonlinear nonholonomic constraints and servos: in every formulation, by every integrator, against closed forms.

#include "servo_models.hpp"

#include <linkwork/core/conformance.hpp>
#include <linkwork/solvers/analyses/declarations.hpp>
#include <linkwork/solvers/formulations/formulation.hpp>
#include <linkwork/solvers/formulations/impulses.hpp>
#include <linkwork/solvers/integrators/bulirsch_stoer.hpp>
#include <linkwork/solvers/integrators/dopri5.hpp>
#include <linkwork/solvers/linear/linear_solver.hpp>
#include <linkwork/solvers/manifold/consistent_accelerations.hpp>
#include <linkwork/solvers/manifold/projection.hpp>
#include <linkwork/solvers/simulation/simulation.hpp>

#include "../messages.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace linkwork::test {
namespace velocity_rows_test {

constexpr Formulation formulations[] = {Formulation::absolute, Formulation::mixed, Formulation::relative};

/// The energy balance integrates the power of multipliers within steps, where curves are less exact than at their ends;
/// those of reduced runs, whose steps are the longest, are not looked at.
struct Method {
  std::string name;
  IntegratorOptions integrator;
  double balance = 1;  ///< bound [J]
  Reduction reduction = Reduction::none;
};
std::vector<Method> methods(double tolerance) {
  return {{"extrapolation", ExtrapolationOptions{.rtol = tolerance, .atol = tolerance}, 1e-3},
          {"bdf", BdfOptions{.rtol = tolerance, .atol = tolerance}, 1e-5},
          {"radau", RadauOptions{.rtol = tolerance, .atol = tolerance}, 1e-5},
          {"dopri5", Dopri5Options{.rtol = tolerance, .atol = tolerance}, 1, Reduction::baumgarte},
          {"bulirsch-stoer", BulirschStoerOptions{.rtol = tolerance, .atol = tolerance}, 1, Reduction::baumgarte}};
}

/// Calls check(simulation after the run) for every formulation and method.
template <class Space, class Check>
void for_all_runs(const Model<Space>& model, double tolerance, double t_end, const Check& check) {
  for (const Formulation formulation : formulations)
    for (const Method& method : methods(tolerance)) {
      SCOPED_TRACE(concat(method.name, " in ", name_of(formulation), " coordinates"));
      Simulation simulation(model, {.formulation = formulation,
                                    .integrator = method.integrator,
                                    .reduction = {.method = method.reduction},
                                    .energy_balance = true});
      simulation.run(0, t_end);
      check(simulation);
      EXPECT_LT(simulation.energy().balance, method.balance);
    }
}

double last(const Simulation& simulation, const std::string& name) {
  return simulation.trajectory().values(name).values.back();
}

// Along the straight line m (1 + k^2) u' = m g k, and the pulley's force is m g / (1 + k^2) upwards.
TEST(NonlinearConstraints, WeightFallsByTheClosedForm) {
  constexpr double ratio = 0.5, speed = 1, t_end = 1, mass = 2;
  const double rate = gravity * ratio / (1 + ratio * ratio);
  for_all_runs(falling_weight(ratio, speed), 1e-8, t_end, [&](Simulation& simulation) {
    // The tolerance 1e-8 per step, in up to some hundred steps; bdf's errors are the largest.
    EXPECT_NEAR(last(simulation, "x"), 0.6 * (speed * t_end + rate * t_end * t_end / 2), 1e-6);
    EXPECT_NEAR(last(simulation, "multiplier"), -mass * gravity / (1 + ratio * ratio), 1e-4);
    EXPECT_LT(simulation.energy().max_drift, 1e-5);  // phi is homogeneous in the velocities: the force does no work
    EXPECT_LT(simulation.constraint_residual().velocity_m_per_s, 1e-6);
  });
}

// The force along the velocity does work: the balance counts it.
TEST(NonlinearConstraints, FormulationsAgreeOnWhatAConstantSpeedTakes) {
  const PlanarModel model = driven_double_pendulum();
  Simulation exact(model, {.integrator = RadauOptions{.rtol = 1e-11, .atol = 1e-11}});
  exact.run(0, 0.5);
  for_all_runs(model, 1e-8, 0.5, [&](Simulation& simulation) {
    EXPECT_NEAR(last(simulation, "x"), last(exact, "x"), 2e-6);
    EXPECT_NEAR(last(simulation, "multiplier"), last(exact, "multiplier"), 1e-4);
    EXPECT_GT(simulation.energy().max_drift, 0.1);
  });
}

TEST(NonlinearConstraints, LinearSolversAgree) {
  const PlanarModel model = driven_double_pendulum();
  Eigen::VectorXd expected;
  for (const Formulation formulation : {Formulation::absolute, Formulation::relative})
    for (const std::string& name : linear_solver_names()) {
      const auto equations = make_equations(model, {.formulation = formulation});
      const auto solver = make_linear_solver(name, *equations);
      if (!solver->analyze(*equations)) continue;  // a structure that it says it can't treat
      equations->set(equations->initial_state());
      State state = equations->initial_state();
      ASSERT_TRUE(solver->accelerations(state.a, state.lambda)) << name;
      Eigen::VectorXd values;
      equations->observables(state, values);
      if (expected.size() == 0) expected = values;
      EXPECT_LT((values - expected).norm(), 1e-10 * (1 + expected.norm())) << name;
    }
}

TEST(NonlinearConstraints, VelocitiesAreProjectedByNewtonsMethod) {
  PlanarModel model("fast start");
  auto bead = model.add_body<PointMass>("bead", 1.0);
  bead.move({0.7, 0.1});
  model.add_constraint<ConstantSpeed>("speed", bead.origin(), 0.6);
  const ExtrapolationOptions strict{.rtol = 1e-9, .atol = 1e-9};
  Simulation refused(model, {.integrator = strict});
  EXPECT_TRUE(contains(error_of([&] { refused.run(0, 1); }),
                       "the initial velocities are not consistent: the rate of speed: row 1 is off by"));
  ExtrapolationOptions consenting = strict;
  consenting.consent_to_projection = true;
  Simulation projected(model, {.integrator = consenting});
  EXPECT_NEAR(projected.run(0, 1).final_state().v.norm(), 0.6, 1e-12);
  Simulation searched(model, {.integrator = strict});
  searched.set_initial_conditions({});
  EXPECT_NEAR(searched.run(0, 1).final_state().v.norm(), 0.6, 1e-9);

  Simulation standing(model, {.integrator = consenting});
  State state = standing.equations().initial_state();
  state.v.setZero();
  standing.set_initial_state(state);
  const std::string message = error_of([&] { standing.run(0, 1); });
  EXPECT_TRUE(contains(message, "speed: row 1 is off by 0.3; give velocities that are nearer to satisfying it."))
      << message;
}

// From a speed of 1e6 times the prescribed one Newton's iteration halves it each time.
TEST(NonlinearConstraints, ProjectionThatDoesNotConvergeIsNamed) {
  PlanarModel model("much too fast");
  auto bead = model.add_body<PointMass>("bead", 1.0);
  bead.move({6e5, 0});
  model.add_constraint<ConstantSpeed>("speed", bead.origin(), 0.6);
  const auto equations = make_equations(model, {});
  equations->set(equations->initial_state());
  const auto solver = make_linear_solver("auto", *equations);
  ASSERT_TRUE(solver->analyze(*equations));
  Projection projection(*equations, *solver);
  Eigen::VectorXd v = equations->initial_state().v;
  const Outcome outcome = projection.velocity(v, Eigen::VectorXd::Constant(2, 1e-8));
  ASSERT_FALSE(outcome);
  EXPECT_TRUE(contains(outcome.reason(),
                       "the velocities at t = 0 s can't be projected onto the constraints: after 15 "
                       "iterations speed: row 1 is off by"));
}

TEST(Servos, AngleIsThatOfTheControlLaw) {
  constexpr double t_end = 1;
  for (const Push push : {Push::by_torque, Push::along_rail})
    for_all_runs(CartPole(push).model, 1e-8, t_end, [&](Simulation& simulation) {
      // As above; forces follow from angles by factors of a hundred.
      EXPECT_NEAR(last(simulation, "theta"), CartPole::angle(t_end).value, 1e-6);
      if (push == Push::along_rail) {
        EXPECT_NEAR(last(simulation, "effort"), CartPole::force(t_end), 1e-4);
      }
    });
}

// The reaction on the servo's last frame is what it puts there.
TEST(Servos, OwnForcesActOnTheirOwnFrames) {
  CartPole mechanism(Push::along_rail);
  mechanism.model.add_observable("on the cart", "N", [s = mechanism.servo](const Snapshot<Planar>& now) {
    return now.reaction(s).force.x() + 1e3 * std::abs(now.reaction(s).torque);
  });
  for (const Formulation formulation : formulations) {
    Simulation simulation(mechanism.model, {.formulation = formulation});
    simulation.run(0, 0);
    EXPECT_NEAR(last(simulation, "on the cart"), CartPole::force(0), 1e-9) << name_of(formulation);
  }
}

TEST(Servos, WhatNoForceCanMeetIsRefusedByName) {
  const auto expect_refusal = [](const PlanarModel& model, Formulation formulation, const std::string& text) {
    Simulation simulation(model, {.formulation = formulation});
    const std::string message = error_of([&] { simulation.run(0, 1); });
    EXPECT_TRUE(contains(message, "model 'cart and pole': no force of the model can meet servo " + text)) << message;
  };
  for (const Formulation formulation : formulations)
    expect_refusal(CartPole(Push::across_rail).model, formulation,
                   "'servo' at t = 0 s: the servo's forces do not change the accelerations that it prescribes; let "
                   "them act on other frames or in other directions (do_force_rows).");
  CartPole twice(Push::by_torque);
  twice.model.add_constraint<AngleServo>("second", twice.model.body("pole").origin());
  expect_refusal(twice.model, Formulation::absolute,
                 "'servo', 'second' at t = 0 s: it prescribes what another servo prescribes already; take one of the "
                 "two away.");
  CartPole held(Push::by_torque);
  held.model.add_constraint<AngleServo>("second", held.model.body("cart").origin());
  expect_refusal(held.model, Formulation::absolute,
                 "'second' at t = 0 s: it prescribes what 'rail' determines already; take one of the two away.");
}

TEST(VelocityRows, DependencesAreDeclared) {
  const auto expect_declared = [](const auto& model) {
    for (const Formulation formulation : formulations) {
      const auto equations = make_equations(model, {.formulation = formulation});
      State state = equations->initial_state();
      ASSERT_TRUE(find_accelerations(*equations, state));
      for (const UndeclaredDependence& each : undeclared_dependences(*equations, state))
        ADD_FAILURE() << name_of(formulation) << ": " << describe(*equations, each);
    }
  };
  expect_declared(driven_double_pendulum());
  expect_declared(CartPole(Push::by_torque).model);
  expect_declared(CartPole(Push::along_rail).model);
}

TEST(VelocityRows, MethodsThatCanNotTreatThemSayWhichDo) {
  const PlanarModel nonlinear = driven_double_pendulum();
  const auto refusal = [](const auto& model, const SimulationOptions& options) {
    return error_of([&] { Simulation(model, options).run(0, 0.1); });
  };
  for (const Reduction method : {Reduction::partitioning, Reduction::hybrid, Reduction::svd, Reduction::null_space}) {
    const std::string message = refusal(nonlinear, {.reduction = {.method = method}});
    EXPECT_TRUE(contains(message, concat("reduction '", name_of(method), "'"))) << message;
    EXPECT_TRUE(contains(message, "the rows of 'speed' are not linear in the velocities")) << message;
    EXPECT_TRUE(contains(message, "take 'baumgarte', or none.")) << message;
  }
  CartPole own(Push::along_rail);
  EXPECT_TRUE(contains(refusal(own.model, {.linear_solver = "ldlt"}), "ldlt: the matrix [M, G^T - F; G, 0]"));
  EXPECT_TRUE(
      contains(refusal(own.model, {.integrator = ExtrapolationOptions{.discretisation = Discretisation::standard}}),
               "which is none for servo 'servo' of model 'cart and pole'"));

  const auto equations = make_equations(nonlinear, {});
  State state = equations->initial_state();
  const auto strike = [&] { apply_impulse(*equations, state, Eigen::VectorXd(Eigen::VectorXd::Ones(6))); };
  EXPECT_TRUE(contains(error_of(strike), "what 'speed' does in an impact is not known"));

  CartPole energetic(Push::by_torque);
  energetic.model.add_energy_invariant();
  EXPECT_TRUE(contains(refusal(energetic.model, {}), "servo 'servo' (angle servo) does work"));
}

// Elements with a fault each.
template <int fault>
class Faulty final : public Constraint<Planar> {
 public:
  explicit Faulty(const Frame<Planar>& point) : Constraint<Planar>({point}) {}
  std::string_view type() const override { return "faulty"; }
  Level level() const override { return fault == 3 ? Level::nonholonomic : Level::nonlinear; }
  int rows() const override { return 1; }
  int contacts() const override { return fault == 4 ? 1 : 0; }
  bool has_own_forces() const override { return fault == 3; }

 private:
  void do_velocity_residual(const Motion<Planar>& m, double* phi) const override {
    const Eigen::Vector2d& v = m.frame(0).velocity.linear;
    phi[0] = v.squaredNorm() - m.frame(0).pose.position.x();
  }
  void do_rows(const Motion<Planar>& m, ConstraintRows<Planar>& out) const override {
    out.add_linear(0, 0, (fault == 5 ? 1 : 2) * m.frame(0).velocity.linear);
  }
  void do_bias(const Motion<Planar>& m, double* bias) const override {
    bias[0] = (fault == 6 ? -1 : 1) * m.frame(0).velocity.linear.x();
  }
};

/// A servo that lacks a function.
template <bool has_rows>
class Unfinished final : public Constraint<Planar> {
 public:
  explicit Unfinished(const Frame<Planar>& point) : Constraint<Planar>({point}) {}
  std::string_view type() const override { return "unfinished"; }
  Level level() const override { return Level::servo; }
  int rows() const override { return 1; }
};
template <>
class Unfinished<true> final : public Constraint<Planar> {
 public:
  explicit Unfinished(const Frame<Planar>& point) : Constraint<Planar>({point}) {}
  std::string_view type() const override { return "unfinished"; }
  Level level() const override { return Level::servo; }
  int rows() const override { return 1; }

 private:
  void do_rows(const Motion<Planar>& /*m*/, ConstraintRows<Planar>& out) const override {
    out.add_linear(0, 0, {1, 0});
  }
};

template <class Element>
std::string error_of_element() {
  return error_of([] {
    PlanarModel model("faulty");
    auto bead = model.add_body<PointMass>("bead", 1.0).place({1, 0});
    bead.move({1, 0});
    model.add_constraint<Element>("element", bead.origin());
    Simulation(model).run(0, 0.1);
  });
}
template <int fault>
std::string error_of_fault() {
  return error_of_element<Faulty<fault>>();
}

TEST(VelocityRows, ElementsWithFaultsAreNamed) {
  EXPECT_TRUE(contains(error_of_element<Unfinished<false>>(),
                       "a servo constraint has no residual that its rows could be derived from"));
  EXPECT_TRUE(contains(error_of_element<Unfinished<true>>(),
                       "a servo constraint prescribes accelerations: rows A = bias; give do_bias"));
  EXPECT_TRUE(contains(error_of_fault<3>(), "has forces of its own and is no servo"));
  EXPECT_TRUE(contains(error_of_fault<4>(), "which rows that depend on velocities can't have"));
  EXPECT_TRUE(contains(error_of_fault<5>(), "'element' (faulty): do_rows: row 0 is"));
  EXPECT_TRUE(contains(error_of_fault<6>(), "'element' (faulty): do_bias: row 0 is"));
  EXPECT_EQ(error_of_fault<0>(), "nothing was thrown");

  const auto report = [](const auto& make) {
    PlanarModel model("kit");
    return check_constraint(make(model.add_body("body", MassProperties::planar(1, 0.1)).origin())).summary();
  };
  EXPECT_TRUE(contains(report([](const auto& frame) { return Faulty<5>(frame); }), "do_velocity_residual"));
  PlanarModel model("kit");
  auto body = model.add_body("body", MassProperties::planar(1, 0.1));
  EXPECT_TRUE(check_constraint(Faulty<0>(body.origin())));
  EXPECT_TRUE(check_constraint(AngleServo(body.origin())));
}

}  // namespace velocity_rows_test
}  // namespace linkwork::test
