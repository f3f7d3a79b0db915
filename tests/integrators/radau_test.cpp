#include "pendulum_jacobian.hpp"
#include "radau_run.hpp"

#include "posed_systems.hpp"

#include "../messages.hpp"

#include <linkwork/core/concat.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>

using namespace linkwork;
using namespace linkwork::test;

namespace radau_test {

RadauOptions at_tolerance(double tolerance) {
  RadauOptions options;
  options.rtol = options.atol = tolerance;
  options.first_step = 0.01;
  return options;
}

double error_at_end(const RadauRun& run, double v0) {
  const State exact = paper_pendulum_at(v0, run.end.t);
  return std::max((run.end.p - exact.p).cwiseAbs().maxCoeff(), (run.end.v - exact.v).cwiseAbs().maxCoeff());
}

struct TableRow {
  double v0, tolerance;
  int steps;      // printed in GEOMS, tables 3 and 4
  double error;   // of p and v at t = 5
  int selectors;  // selector updates without those after convergence failures
};

constexpr std::array<TableRow, 6> table_rows = {{{2.8, 1e-7, 187, 1e-6, 1},
                                                 {2.8, 1e-8, 270, 5e-8, 1},
                                                 {2.8, 1e-9, 391, 5e-9, 1},
                                                 {2.9, 1e-7, 207, 1e-6, 13},
                                                 {2.9, 1e-8, 303, 5e-8, 13},
                                                 {2.9, 1e-9, 441, 5e-9, 13}}};

// GEOMS, tables 3 and 4: at most 1.1 times the printed steps. Selectors are chosen at the start and at each of the 12
// passages through 45 degrees, which only the faster pendulum reaches.
TEST(Radau, TakesThePublishedSteps) {
  for (const TableRow& row : table_rows) {
    PaperPendulum pendulum(row.v0);
    RadauOptions options = at_tolerance(row.tolerance);
    options.dense_output = false;  // which the tables do not ask for
    const RadauRun run = run_radau(pendulum, options, 5);
    ASSERT_EQ(run.failure, "");
    const std::string which = concat("v0 = ", row.v0, ", tolerance ", row.tolerance);
    EXPECT_LE(static_cast<double>(run.statistics.steps), 1.1 * row.steps) << which;
    EXPECT_EQ(run.statistics.selector_updates - run.statistics.convergence_failures, row.selectors) << which;
    EXPECT_LE(error_at_end(run, row.v0), row.error) << which;
  }
}

// The finish leaves rounding errors of numbers up to 20: 32 times 2^-53 * 20.
TEST(Radau, ClosesAllThreeLevelsOfConstraintsAtAcceptedPoints) {
  for (const StageSolver solver : {StageSolver::dense, StageSolver::sparse}) {
    PaperPendulum pendulum(2.9);
    RadauOptions options = at_tolerance(1e-7);
    options.solver = solver;
    double worst = 0;
    const RadauRun run = run_radau(
        pendulum, options, 5, [&](Integrator& i) { worst = std::max(worst, constraint_levels(pendulum, i.state())); });
    ASSERT_EQ(run.failure, "");
    EXPECT_LT(worst, 1e-13);
  }
}

// What Newton's test leaves without the finish: the size of the tolerance times newton_tolerance, above rounding.
TEST(Radau, LeavesNewtonsResidualsWithoutTheFinish) {
  PaperPendulum pendulum(2.9);
  RadauOptions options = at_tolerance(1e-7);
  options.finish = false;
  double worst = 0;
  const RadauRun run = run_radau(
      pendulum, options, 5, [&](Integrator& i) { worst = std::max(worst, constraint_levels(pendulum, i.state())); });
  ASSERT_EQ(run.failure, "");
  EXPECT_GT(worst, 1e-13);
  EXPECT_LT(worst, 1e-5);
  EXPECT_LT(error_at_end(run, 2.9), 1e-6);
}

// The same problem by other decompositions: the same steps within a few percent, as selectors change the discretised
// system only by the choice of equations.
TEST(Radau, AllDecompositionsAgree) {
  PaperPendulum pendulum(2.9);
  const RadauRun reference = run_radau(pendulum, at_tolerance(1e-8), 5);
  for (const AlgebraicDecomposition algebraic :
       {AlgebraicDecomposition::lu, AlgebraicDecomposition::qr, AlgebraicDecomposition::svd})
    for (const DifferentialDecomposition differential :
         {DifferentialDecomposition::lu, DifferentialDecomposition::qr}) {
      RadauOptions options = at_tolerance(1e-8);
      options.algebraic = algebraic;
      options.differential = differential;
      const RadauRun run = run_radau(pendulum, options, 5);
      ASSERT_EQ(run.failure, "");
      EXPECT_LT(error_at_end(run, 2.9), 5e-8);
      EXPECT_NEAR(static_cast<double>(run.statistics.steps), static_cast<double>(reference.statistics.steps),
                  0.05 * static_cast<double>(reference.statistics.steps));
    }
}

// The sparse system keeps its selectors for longer than the dense one, which follows the pivots at once: nearly the
// same steps.
TEST(Radau, SparseAndDenseSystemsAgree) {
  PaperPendulum pendulum(2.9);
  RadauOptions options = at_tolerance(1e-8);
  options.solver = StageSolver::dense;
  const RadauRun dense = run_radau(pendulum, options, 5);
  options.solver = StageSolver::sparse;
  const RadauRun sparse = run_radau(pendulum, options, 5);
  ASSERT_EQ(sparse.failure, "");
  EXPECT_NEAR(static_cast<double>(sparse.statistics.steps), static_cast<double>(dense.statistics.steps), 15);
  EXPECT_LT((sparse.end.p - dense.end.p).norm(), 2e-8);  // the error of both
}

// All forms solve the pendulum; errors of those of higher index are larger (GEOMS, figure 1).
TEST(Radau, SolvesAllForms) {
  for (const EquationForm form :
       {EquationForm::strangeness_free, EquationForm::without_acceleration_level, EquationForm::index_3,
        EquationForm::index_2, EquationForm::index_1, EquationForm::stabilised})
    for (const StageSolver solver : {StageSolver::dense, StageSolver::sparse}) {
      PaperPendulum pendulum(2.8);
      RadauOptions options = at_tolerance(1e-7);
      options.form = form;
      options.solver = solver;
      const RadauRun run = run_radau(pendulum, options, 5);
      ASSERT_EQ(run.failure, "") << static_cast<int>(form);
      EXPECT_LT(error_at_end(run, 2.8), form == EquationForm::index_3 ? 1e-4 : 1e-5) << static_cast<int>(form);
    }
}

/// Error of p and v, and of lambda, at t = 0.5 with fixed steps.
std::pair<double, double> errors_with_step(EquationForm form, double h) {
  PaperPendulum pendulum(2.9);
  RadauOptions options = at_tolerance(1e-3);  // every step is accepted, and the largest step rules
  options.form = form;
  options.first_step = options.maximum_step = h;
  options.newton_tolerance = 1e-12;
  options.rtol = options.atol = 0.99;
  options.maximum_iterations = 40;
  const RadauRun run = run_radau(pendulum, options, 0.5);
  EXPECT_EQ(run.failure, "");
  const State exact = paper_pendulum_at(2.9, run.end.t);
  return {error_at_end(run, 2.9), std::abs(run.end.lambda[0] - exact.lambda[0])};
}

double order(double coarse, double fine) { return std::log2(coarse / fine); }

// Hairer, Lubich, Roche (1989): order 5 at end points for index 1, and 3 for multipliers of index 2. With steps
// of 1/20 to 1/80 s the next term of the error changes the observed order by less than 0.4.
TEST(Radau, HasOrderFiveAndThreeForMultipliersOfIndexTwo) {
  const auto coarse = errors_with_step(EquationForm::strangeness_free, 1.0 / 20);
  const auto fine = errors_with_step(EquationForm::strangeness_free, 1.0 / 40);
  EXPECT_NEAR(order(coarse.first, fine.first), 5, 0.4);
  EXPECT_NEAR(order(coarse.second, fine.second), 5, 0.4);
  const auto coarse_2 = errors_with_step(EquationForm::without_acceleration_level, 1.0 / 40);
  const auto fine_2 = errors_with_step(EquationForm::without_acceleration_level, 1.0 / 80);
  EXPECT_NEAR(order(coarse_2.first, fine_2.first), 5, 0.4);
  EXPECT_NEAR(order(coarse_2.second, fine_2.second), 3, 0.4);
}

// Every option of the manual that changes the way of solving leaves the solution where it is.
TEST(Radau, OptionsOfTheManualLeaveTheSolution) {
  std::vector<RadauOptions> variants(9, at_tolerance(1e-8));
  variants[0].starting_values = StartingValues::constant;
  variants[1].matrix_point = MatrixPoint::first_stage;
  variants[2].matrix_point = MatrixPoint::second_stage;
  variants[3].matrix_point = MatrixPoint::third_stage;
  variants[4].matrix_updates = 1;
  variants[5].step_control.control = StepControl::classical;
  variants[6].selectors = SelectorRenewal::every_step;
  variants[7].kept_matrix_rate = 0.1;
  variants[8].jacobian.differences = Differences::dense;
  for (std::size_t i = 0; i < variants.size(); ++i) {
    PaperPendulum pendulum(2.9);
    const RadauRun run = run_radau(pendulum, variants[i], 5);
    ASSERT_EQ(run.failure, "") << i;
    EXPECT_LT(error_at_end(run, 2.9), 5e-8) << i;
  }
}

// The same steps with the exact derivative, without evaluations for differences.
// 0.1 TOL^(2/3) is 1e-7 at 1e-9: a hundredfold smaller tolerance makes steps of order 3 in the estimate 3 to 5 times as
// many, and the solution better.
TEST(Radau, TakesTheToleranceAsItIsWhereAsked) {
  PaperPendulum pendulum(2.8);
  RadauOptions options = at_tolerance(1e-9);
  const RadauRun transformed = run_radau(pendulum, options, 5);
  options.transform_tolerances = false;
  const RadauRun as_given = run_radau(pendulum, options, 5);
  ASSERT_EQ(as_given.failure, "");
  EXPECT_GT(as_given.statistics.steps, 2 * transformed.statistics.steps);
  EXPECT_LT(error_at_end(as_given, 2.8), error_at_end(transformed, 2.8));
}

// A limit that binds costs no factorisation for the longer step that is not taken.
TEST(Radau, FactorsForStepsThatAreTaken) {
  PaperPendulum pendulum(2.8);
  RadauOptions options = at_tolerance(1e-4);
  options.maximum_step = 1e-3;
  const RadauRun run = run_radau(pendulum, options, 1);
  ASSERT_EQ(run.failure, "");
  EXPECT_LT(run.statistics.factorizations, run.statistics.steps / 2);
}

TEST(Radau, TakesAGivenJacobian) {
  PaperPendulum pendulum(2.9);
  RadauOptions options = at_tolerance(1e-8);
  const RadauRun differenced = run_radau(pendulum, options, 5);
  options.given_jacobian = pendulum_jacobian();
  const RadauRun given = run_radau(pendulum, options, 5);
  ASSERT_EQ(given.failure, "");
  EXPECT_EQ(given.statistics.jacobian_function_calls, 0);
  EXPECT_NEAR(static_cast<double>(given.statistics.steps), static_cast<double>(differenced.statistics.steps), 3);
  EXPECT_LT(error_at_end(given, 2.9), 5e-8);

  options.given_jacobian = [](const MotionResidual&, double, const Eigen::VectorXd&, Eigen::MatrixXd& J) {
    J(0, 0) = std::nan("");
  };
  EXPECT_NE(run_radau(pendulum, options, 5).failure.find("the Jacobian that was given is not finite at t = 0 s"),
            std::string::npos);
  options.given_jacobian = [](const MotionResidual&, double, const Eigen::VectorXd&, Eigen::MatrixXd& J) {
    J = Eigen::MatrixXd::Zero(20, 30);
  };
  EXPECT_NE(run_radau(pendulum, options, 5).failure.find("has 20 x 30 entries, not"), std::string::npos);
}

TEST(Radau, KeepsTheJacobianWhereNewtonConvergesFast) {
  PaperPendulum pendulum(2.9);
  RadauOptions options = at_tolerance(1e-8);
  const RadauRun each = run_radau(pendulum, options, 5);
  options.kept_matrix_rate = 0.1;
  const RadauRun kept = run_radau(pendulum, options, 5);
  EXPECT_LT(kept.statistics.jacobian_evaluations, each.statistics.jacobian_evaluations / 2);
}

// x = cos t, r as in closed form: systems without constraints and with states of force elements.
TEST(Radau, IntegratesStatesAndSystemsWithoutConstraints) {
  FilteredOscillator oscillator;
  const RadauRun run = run_radau(oscillator, at_tolerance(1e-9), 3);
  ASSERT_EQ(run.failure, "");
  EXPECT_NEAR(run.end.p[0], std::cos(3.0), 5e-9);
  EXPECT_NEAR(run.end.r[0], FilteredOscillator::filtered(3.0), 5e-9);
}

TEST(Radau, IntegratesRheonomicConstraintsAndForcesThatReadMultipliers) {
  CartesianPendulum stretched(0.2);
  double worst = 0;
  const RadauRun run = run_radau(stretched, at_tolerance(1e-8), 2, [&](Integrator& i) {
    worst = std::max(worst, constraint_levels(stretched, i.state()));
  });
  ASSERT_EQ(run.failure, "");
  EXPECT_LT(worst, 1e-12);

  CableDrum drum(0.5);
  const RadauRun rolled = run_radau(drum, at_tolerance(1e-9), 1);
  ASSERT_EQ(rolled.failure, "");
  EXPECT_NEAR(rolled.end.p[3], CableDrum(0.5).load_height(1.0) - 1, 1e-8);
}

// The collocation polynomial is of order 3: its error at 1e-8 is that of h^4.
TEST(Radau, InterpolatesWithinSteps) {
  PaperPendulum pendulum(2.9);
  double worst = 0, longest = 0;
  run_radau(pendulum, at_tolerance(1e-8), 0.5, [&](Integrator& i) {
    const double middle = 0.5 * (i.state().t + i.previous_state().t);
    State inside = i.state();
    i.dense(true).evaluate(middle, inside);
    const State exact = paper_pendulum_at(2.9, middle);
    worst = std::max(worst, (inside.p - exact.p).cwiseAbs().maxCoeff());
    longest = std::max(longest, i.state().t - i.previous_state().t);
  });
  // |p''''| is below 13.75^2 here, and theta^2 (1 - theta)^2 / 24 at most 1/384.
  EXPECT_LT(worst, std::pow(longest, 4) * 13.75 * 13.75 / 100);
}

/// Its energy is an invariant (GEOMS 20, 21).
class ConservativePendulum : public PaperPendulum {
 public:
  /// @param v0  0: at rest at the horizontal
  explicit ConservativePendulum(double v0) : PaperPendulum(v0), rests_(v0 == 0) {
    Dimensions n = dimensions();
    n.e = 1;
    set_dimensions(n);
    M_.add_block(0, 0, 2, 2);
    G_.add_block(0, 0, 1, 2);
  }
  State initial_state() const override {
    State s = PaperPendulum::initial_state();
    if (rests_) s.p << 1, 0;
    return s;
  }
  std::string invariant_name(int) const override { return "energy"; }

 private:
  void do_invariants(Eigen::VectorXd& values) override {
    values[0] = 0.5 * velocity().squaredNorm() + gravity * position()[1];
  }
  bool rests_;
};

// The printed form with invariants: energy holds to rounding of numbers of about 15 until the velocity vanishes, where
// the energy no longer depends on it (here at the very start); then the form says so.
TEST(Radau, TheFormWithInvariantsKeepsThemAndSaysWhereItIsSingular) {
  RadauOptions options = at_tolerance(1e-7);
  options.form = EquationForm::strangeness_free_with_invariants;
  options.keep_invariants = false;
  ConservativePendulum turning(6);  // passes the horizontal and does not yet turn
  const double energy = 0.5 * 36 - PaperPendulum::gravity;
  double drift = 0;
  const RadauRun run = run_radau(turning, options, 0.3, [&](Integrator& i) {
    const State& s = i.state();
    drift = std::max(drift, std::abs(0.5 * s.v.squaredNorm() + PaperPendulum::gravity * s.p[1] - energy));
  });
  ASSERT_EQ(run.failure, "");
  EXPECT_LT(drift, 1e-13);

  ConservativePendulum at_rest(0);
  const std::string failure = run_radau(at_rest, options, 1).failure;
  EXPECT_NE(failure.find("at t = 0 s equations depend on others"), std::string::npos) << failure;
  EXPECT_NE(failure.find("the invariant energy"), std::string::npos) << failure;

  PaperPendulum without(2.9);
  EXPECT_NE(run_radau(without, options, 1).failure.find("the form with invariants needs some"), std::string::npos);
}

// ------------------------------------------------------------------------------------------------ bad input

template <class Change>
std::string refusal(const Change& change) {
  RadauOptions options;
  change(options);
  return options.why_invalid();
}

TEST(Radau, RefusesOptionsThatMakeNoSense) {
  EXPECT_EQ(refusal([](RadauOptions&) {}), "");
  EXPECT_EQ(refusal([](RadauOptions& o) { o.maximum_iterations = 1; }),
            "maximum_iterations is 1; expected at least 2.");
  for (const auto& change : {+[](RadauOptions& o) { o.jacobian.partitioned = PartitionedUpdates::extended; },
                             +[](RadauOptions& o) { o.jacobian.refresh = JacobianRefresh::blocks; }})
    EXPECT_NE(refusal(change).find("radau takes its Jacobian anew as a whole"), std::string::npos);
  EXPECT_EQ(refusal([](RadauOptions& o) { o.matrix_updates = -1; }), "matrix_updates is -1; expected >= 0.");
  EXPECT_EQ(refusal([](RadauOptions& o) { o.newton_tolerance = -1; }),
            "newton_tolerance is -1; expected > 0, or 0 for a choice by rtol.");
  EXPECT_EQ(refusal([](RadauOptions& o) { o.kept_matrix_rate = 1; }), "kept_matrix_rate is 1; expected < 1.");
  EXPECT_EQ(refusal([](RadauOptions& o) { o.largest_kept_ratio = 0.5; }),
            "steps are kept for ratios from 1 to 0.5; expected one between 0 and 1, and one above or equal to 1.");
  EXPECT_EQ(refusal([](RadauOptions& o) { o.first_step = -1; }),
            "first_step is -1 s; expected > 0, or 0 for a choice by the rates at the start.");
  EXPECT_EQ(refusal([](RadauOptions& o) { o.step_control.safety = 1; }),
            "step_control.safety is 1; expected between 0 and 1.");
  EXPECT_EQ(refusal([](RadauOptions& o) { o.step_control.largest_ratio = 1; }),
            "step_control allows ratios of steps from 0.2 to 1; expected one between 0 and 1, and one above 1.");
  EXPECT_NE(refusal([](RadauOptions& o) {
              o.matrix_point = MatrixPoint::second_stage;
              o.starting_values = StartingValues::constant;
            }).find("matrix_point is a stage"),
            std::string::npos);
  EXPECT_NE(refusal([](RadauOptions& o) {
              o.solver = StageSolver::sparse;
              o.algebraic = AlgebraicDecomposition::qr;
            }).find("solver is sparse"),
            std::string::npos);
  EXPECT_NE(refusal([](RadauOptions& o) {
              o.solver = StageSolver::sparse;
              o.differential = DifferentialDecomposition::qr;
            }).find("solver is sparse"),
            std::string::npos);
  EXPECT_NE(refusal([](RadauOptions& o) { o.rtol = o.atol = 0; }).find("expected one of them at"), std::string::npos);
  EXPECT_EQ(error_of([] { make_integrator(RadauOptions{.maximum_iterations = 0}); }),
            "RadauOptions: maximum_iterations is 0; expected at least 2.");
}

TEST(Radau, StopsAtTheLimitOfSteps) {
  PaperPendulum pendulum(2.9);
  RadauOptions options = at_tolerance(1e-8);
  options.maximum_steps = 10;
  EXPECT_NE(run_radau(pendulum, options, 5).failure.find("the limit of 10 steps is reached"), std::string::npos);
}

TEST(Radau, SaysThatStepsAreTooSmall) {
  PaperPendulum pendulum(2.9);
  RadauOptions options = at_tolerance(1e-8);
  options.first_step = 1e-30;
  EXPECT_NE(run_radau(pendulum, options, 5).failure.find("are lost in the rounding of time"), std::string::npos);
}

TEST(Radau, RefusesInconsistentInitialValues) {
  class Displaced : public PaperPendulum {
   public:
    using PaperPendulum::PaperPendulum;
    State initial_state() const override {
      State s = PaperPendulum::initial_state();
      s.p[1] = -1.5;
      return s;
    }
  };
  Displaced displaced(2.9);
  RadauOptions options = at_tolerance(1e-8);
  EXPECT_NE(run_radau(displaced, options, 1).failure.find("the initial positions are not consistent: circle"),
            std::string::npos);
  options.consent_to_projection = true;
  EXPECT_EQ(run_radau(displaced, options, 1).failure, "");
}

/// Stops answering at a time.
class Interrupted : public PaperPendulum {
 public:
  Interrupted() : PaperPendulum(2.9) {}

 private:
  void do_gamma(Eigen::VectorXd& gamma) override {
    if (time() > 0.5) throw RecoverableFailure("table left at t > 0.5 s");
    gamma[0] = -2 * velocity().squaredNorm();
  }
};

// A function that can't be evaluated makes steps smaller, and the run ends with the user's own reason.
TEST(Radau, EndsWithTheReasonOfTheUsersFunctions) {
  Interrupted interrupted;
  const RadauRun run = run_radau(interrupted, at_tolerance(1e-6), 5);
  EXPECT_NE(run.failure.find("table left at t > 0.5 s"), std::string::npos) << run.failure;
  EXPECT_LE(run.end.t, 0.5);
  EXPECT_GT(run.end.t, 0.4);
}

}  // namespace radau_test
