#include "zoo_simulation.hpp"

#include <linkwork/core/dense_factors.hpp>
#include <linkwork/solvers/dae/motion_residual.hpp>
#include <linkwork/solvers/jacobian/jacobian.hpp>
#include <linkwork/solvers/newton/iteration_matrix.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace linkwork::apps {
namespace bdf_models_test {

Simulation simulation_of(const std::string& name, const IntegratorOptions& integrator,
                         Formulation formulation = Formulation::relative, const Parameters& parameters = {}) {
  const ZooModel& model = find_model(name);
  SimulationOptions options;
  options.formulation = formulation;
  options.integrator = integrator;
  options.keep_dense_output = false;
  return make_simulation(model, model.parameters_with(parameters), options);
}

double reference_error_of(const std::string& name, const BdfOptions& options, Formulation formulation) {
  const ZooModel& model = find_model(name);
  Simulation simulation = simulation_of(name, options, formulation);
  simulation.run(0, model.t_end);
  return final_reference_error(simulation, model, model.parameters_with({}));
}

/// Largest difference of the observables at t, relative to max(1, |value|).
double difference(const std::string& name, double t, const IntegratorOptions& a, const IntegratorOptions& b,
                  Formulation formulation, const Parameters& parameters = {}) {
  Simulation first = simulation_of(name, a, formulation, parameters);
  Simulation second = simulation_of(name, b, formulation, parameters);
  first.run(0, t);
  second.run(0, t);
  const Eigen::VectorXd x = final_observables(first), y = final_observables(second);
  return ((x - y).array().abs() / y.array().abs().max(1.0)).maxCoeff();
}

TEST(BdfModels, AndrewsStartsAtAllTolerances) {
  // The multipliers jump from nothing to 100 N within microseconds of the start; a method that lets them into its error
  // test, or into Newton's test without a scale, stops here at the first step.
  for (Formulation formulation : {Formulation::absolute, Formulation::relative})
    for (double tolerance = 1e-3; tolerance > 0.5e-10; tolerance *= 0.1) {
      Simulation simulation = simulation_of("andrews", BdfOptions{.rtol = tolerance, .atol = tolerance}, formulation);
      EXPECT_NO_THROW(simulation.run(0, 1e-3)) << tolerance;
      EXPECT_LT(simulation.constraint_residual().position_m, tolerance);
    }
}

// The track's frame is massless and the car's is not: at a step h the constraint rows between them are of size h / mass
// beside ones, which looks singular below 1e-8 s unless multipliers are measured by alpha.
TEST(BdfModels, SmallStepsDoNotMakeMasslessFramesSingular) {
  for (double step : {1e-8, 1e-10, 1e-12})
    for (IterationSolver solver : {IterationSolver::dense, IterationSolver::klu}) {
      BdfOptions options{.rtol = 1e-8, .atol = 1e-8};
      options.first_step = step;
      options.matrix = solver;
      Simulation simulation =
          simulation_of("train_carriage", options, Formulation::absolute, {{"contact", /*explicit*/ 1}});
      EXPECT_NO_THROW(simulation.run(0, 1e-4)) << step;
    }
}

TEST(BdfModels, AndrewsConvergesToItsReference) {
  // Chaotic in the end: angles of some 16 rad, errors grow by 10^3 to 10^4 over the run. The reference error
  // counts accelerations too. Seen 1.4e-4, 9e-6 and 1.1e-5.
  EXPECT_LT(reference_error_of("andrews", {.rtol = 1e-7, .atol = 1e-7}, Formulation::relative), 1e-3);
  EXPECT_LT(reference_error_of("andrews", {.rtol = 1e-9, .atol = 1e-9}, Formulation::relative), 1e-4);
  EXPECT_LT(reference_error_of("andrews", {.rtol = 1e-9, .atol = 1e-9}, Formulation::absolute), 1e-4);
}

constexpr Formulation formulations[] = {Formulation::absolute, Formulation::mixed, Formulation::relative};

TEST(BdfModels, AgreesWithExtrapolation) {
  struct Case {
    const char* model;
    double t;
    double bound;  // on the difference, BDF at 1e-8
  };
  for (const Case& c : {Case{"chaplygin_sleigh", 2, 3e-6},     // nonholonomic; worst seen 3.4e-7
                        Case{"heavy_top", 0.1, 3e-5},          // quaternions, 300 rad/s; 3.7e-6
                        Case{"bricard", 1, 1e-6},              // redundant; 8e-8
                        Case{"ring", 0.2, 1e-5},               // a spatial loop; 1e-6
                        Case{"cable_drum", 0.5, 3e-7},         // forces that read multipliers; 2.6e-8
                        Case{"insulator_chain", 0.02, 5e-3}})  // massless bodies; 5e-4 in a force, else 2e-7
    for (Formulation formulation : formulations)
      EXPECT_LT(difference(c.model, c.t, BdfOptions{.rtol = 1e-8, .atol = 1e-8},
                           ExtrapolationOptions{.rtol = 1e-10, .atol = 1e-10}, formulation),
                c.bound)
          << c.model << ' ' << static_cast<int>(formulation);
}

TEST(BdfModels, ExplicitFormalismAgreesWithTheResidualOne) {
  for (const char* name : {"andrews", "heavy_top"})
    for (Formulation formulation : {Formulation::absolute, Formulation::relative})
      EXPECT_LT(difference(name, 5e-3, BdfOptions{.rtol = 1e-9, .atol = 1e-9, .formalism = Formalism::explicit_inverse},
                           BdfOptions{.rtol = 1e-9, .atol = 1e-9}, formulation),
                1e-6)  // worst seen 1.2e-7
          << name;
}

TEST(BdfModels, ExplicitFormalismRefusesMassesThatDoNotResist) {
  // Absolute coordinates of a body without inertia: its angle has none, M is singular.
  try {
    Simulation simulation =
        simulation_of("pendulum_chain", BdfOptions{.formalism = Formalism::explicit_inverse}, Formulation::absolute);
    simulation.run(0, 1);
    FAIL();
  } catch (const ModelError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("explicit formalism: model 'pendulum_chain'"), std::string::npos) << message;
    EXPECT_NE(message.find("no inertia resists"), std::string::npos) << message;
    EXPECT_NE(message.find("use the residual formalism"), std::string::npos) << message;
  }
}

/// The iteration matrix at the start, and where its unknowns stand.
struct StartMatrix {
  SparseMatrix J;
  MotionLayout at;
};

StartMatrix start_matrix(const std::string& name, Formulation formulation, double h) {
  Simulation simulation = simulation_of(name, BdfOptions{.maximum_steps = 1}, formulation);
  EquationsOfMotion& equations = simulation.equations();
  State state = equations.initial_state();
  equations.set(state);
  MotionResidual system(equations, {});
  Eigen::VectorXd y = Eigen::VectorXd::Zero(system.size()), y_rate = y, F = y;
  y.head(state.p.size() + state.v.size()) << state.p, state.v;
  system.evaluate(0, y, y_rate, F);
  JacobianOptions options;
  options.differences = Differences::dense;
  Jacobian jacobian(system, options);
  const Eigen::VectorXd weights = Eigen::VectorXd::Ones(system.size());
  EXPECT_TRUE(jacobian.difference({0, y, y_rate, 1 / h, h, weights}, F));
  return {jacobian.matrix(), system.layout()};
}

/// Condition number of the scaled iteration matrix at the start, by its singular values.
double condition(const std::string& name, Formulation formulation, double h) {
  const SparseMatrix J = start_matrix(name, formulation, h).J;
  RowColumnScaling scaling;
  scaling.compute(J);
  const Eigen::MatrixXd scaled = scaling.rows().asDiagonal() * J.dense() * scaling.columns().asDiagonal();
  const Eigen::VectorXd values = SingularValues(scaled, 0).values();
  return values[0] / values[values.size() - 1];
}

TEST(BdfModels, IterationMatricesStayWellConditionedHoweverSmallTheStep) {
  // With h the unscaled condition number grows like h^-2 and more. Scaled it tends to a limit.
  for (const char* name : {"andrews", "ring", "chaplygin_sleigh"})
    for (Formulation formulation : {Formulation::absolute, Formulation::relative}) {
      const double limit = condition(name, formulation, 1e-6);
      EXPECT_LT(limit, 1e7) << name;
      EXPECT_NEAR(condition(name, formulation, 1e-10) / limit, 1, 0.5) << name;
    }
}

/// Names of unknowns that no test reads.
class Unnamed final : public ResidualFunction {
 public:
  explicit Unnamed(int size) : ResidualFunction(size) {}
  void evaluate(double, const Eigen::VectorXd&, const Eigen::VectorXd&, Eigen::VectorXd&) override {}
};

TEST(BdfModels, NewtonCorrectionsAreAsGoodAsWithConstraintRowsOverTheStep) {
  // J x = b at h = 1e-10, x of size 1 in positions and velocities and 1 / h in multipliers, as it is in a step. The
  // second way: constraint rows over h, multipliers times h, as CORR writes them, and LU with partial pivoting.
  constexpr double h = 1e-10;
  for (const char* name : {"andrews", "ring", "chaplygin_sleigh"})
    for (Formulation formulation : {Formulation::absolute, Formulation::relative}) {
      const StartMatrix start = start_matrix(name, formulation, h);
      const int n = start.J.columns(), multipliers = n - start.at.lambda;
      Eigen::VectorXd expected = Eigen::VectorXd::LinSpaced(n, 1, 2);
      expected.tail(multipliers) /= h;
      Eigen::VectorXd b = Eigen::VectorXd::Zero(n);
      start.J.multiply_add(1, expected, b);
      RowColumnScaling scaling;  // in whose unknowns the condition number bounds errors
      scaling.compute(start.J);
      const auto size_of = [&](const Eigen::VectorXd& x) {
        return x.cwiseQuotient(scaling.columns()).cwiseAbs().maxCoeff();
      };
      const auto error_of = [&](const Eigen::VectorXd& x) { return size_of(x - expected) / size_of(expected); };

      Eigen::MatrixXd over_step = start.J.dense();
      over_step.bottomRows(multipliers) /= h;
      over_step.rightCols(multipliers) /= h;
      Eigen::VectorXd right = b;
      right.tail(multipliers) /= h;
      LuFactors lu;
      lu.compute(over_step);
      Eigen::VectorXd other(right.size());
      lu.solve(right, other);
      other.tail(multipliers) /= h;
      // Rounding of b and of the factors, through the condition number of the scaled matrix.
      const double rounding = 10 * std::numeric_limits<double>::epsilon() * condition(name, formulation, h);
      EXPECT_LT(rounding, 1e-8);
      for (IterationSolver solver : {IterationSolver::dense, IterationSolver::klu}) {
        const auto factors = make_iteration_matrix(solver, start.J);
        Unnamed names(n);
        ASSERT_TRUE(factors->factor(start.J, 1, 1, names));
        Eigen::VectorXd x = b;
        factors->solve(x);
        EXPECT_LT(error_of(x), std::max(rounding, error_of(other))) << name << ' ' << static_cast<int>(formulation);
      }
    }
}

TEST(BdfModels, EventsMoveTheUnknownsOfElementsAlong) {
  // A blow on the follower and on the cam in the middle of the run, with the damper's rate w, its stretch r and the
  // contact points s as unknowns. The blow breaks the constraints at the velocity level, which are restored; the other
  // route eliminates w and s.
  const auto end_of = [](const IntegratorOptions& integrator, Formulation formulation) {
    Simulation simulation = simulation_of("cam_follower", integrator, formulation);
    Event blow;
    blow.name = "blow";
    blow.function = [](const State& state, EquationsOfMotion&) { return state.t - 0.1; };
    blow.action = Event::Action::change;
    blow.effect = [](State& state, EquationsOfMotion&) { state.v *= 0.9; };
    simulation.add_event(blow);
    simulation.run(0, 0.15);
    EXPECT_EQ(simulation.statistics().restarts, 1);
    EXPECT_LT(simulation.constraint_residual().position_m, 1e-7);
    EXPECT_LT(simulation.constraint_residual().velocity_m_per_s, 1e-6);
    return final_observables(simulation);
  };
  for (Formulation formulation : formulations) {
    const Eigen::VectorXd carried = end_of(BdfOptions{.rtol = 1e-7, .atol = 1e-7}, formulation);
    const Eigen::VectorXd eliminated = end_of(ExtrapolationOptions{.rtol = 1e-9, .atol = 1e-9}, formulation);
    EXPECT_LT(((carried - eliminated).array().abs() / eliminated.array().abs().max(1.0)).maxCoeff(), 3e-5)
        << static_cast<int>(formulation);
  }
}

TEST(BdfModels, GroupsDoNotGrowWithTheChain) {
  const auto groups_of = [](int n) {
    Simulation simulation = simulation_of("pendulum_chain", BdfOptions{}, Formulation::absolute, {{"n", n}});
    simulation.equations().set(simulation.equations().initial_state());
    MotionResidual system(simulation.equations(), {});
    return Jacobian(system, {}).statistics().groups;
  };
  EXPECT_EQ(groups_of(20), 6);
  EXPECT_EQ(groups_of(200), 6);
}

TEST(BdfModels, KeepsNormsOfQuaternions) {
  Simulation simulation = simulation_of("heavy_top", BdfOptions{.rtol = 1e-5, .atol = 1e-5}, Formulation::absolute);
  simulation.run(0, 0.2);
  EXPECT_LT(simulation.constraint_residual().normalisation, 1e-15);
}

}  // namespace bdf_models_test
}  // namespace linkwork::apps
