// Every error of the manual in GEOMS, appendix A, has its counterpart; what is not tested beside its subject is here,
// for radau and, where it applies, for bdf.

#include "posed_systems.hpp"
#include "radau_run.hpp"

#include "../messages.hpp"

#include <linkwork/solvers/integrators/bdf.hpp>
#include <linkwork/solvers/integrators/radau_coefficients.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace linkwork {
namespace refusals_test {

using test::contains;
using test::LeveredPendulum;
using test::Mass;
using test::PaperPendulum;
using test::RadauRun;
using test::run_radau;

RadauOptions radau_at(double tolerance) { return {.rtol = tolerance, .atol = tolerance}; }
BdfOptions bdf_at(double tolerance) { return {.rtol = tolerance, .atol = tolerance}; }

/// Runs any integrator to t_end; what it says of its failure, and the records of its last step.
struct Finished {
  std::string failure;
  State end;
  IntegratorStatistics statistics;
  std::vector<StepRecord> rejected;  ///< of all steps
};
Finished run(EquationsOfMotion& equations, std::unique_ptr<Integrator> integrator, double t_end,
             const std::string& linear_solver = "auto") {
  const auto solver = make_linear_solver(linear_solver, equations, equations.forces_read_multipliers());
  Finished out;
  Outcome outcome = solver->analyze(equations);
  if (outcome) outcome = integrator->initialize(equations, *solver, equations.initial_state());
  while (outcome && integrator->state().t < t_end) {
    outcome = integrator->step(t_end);
    for (const StepRecord& record : integrator->records())
      if (!record.accepted) out.rejected.push_back(record);
  }
  if (!outcome) out.failure = outcome.reason();
  out.end = integrator->state();
  out.statistics = integrator->statistics();
  return out;
}

// ---------------------------------------------------------------------------- steps that fail again and again (-1115)

// A force that is another one at every time: Newton's iteration meets it at once, and no step is small enough for it.
TEST(Refusals, ErrorTestsThatFailAgainAndAgainNameTheWorstComponent) {
  const auto noise = [](double t, double) { return 1e9 * std::sin(1e15 * t); };
  for (const bool by_radau : {true, false}) {
    Mass mass(noise);
    const Finished failed = run(mass, by_radau ? make_integrator(radau_at(1e-9)) : make_integrator(bdf_at(1e-9)), 2);
    // radau cuts steps further at edges of laws, down to the rounding of time.
    EXPECT_TRUE(contains(failed.failure,
                         by_radau ? "the step size became too small: " : "20 error tests failed in one step at t = "))
        << failed.failure;
    EXPECT_TRUE(contains(failed.failure, "the error estimate is ")) << failed.failure;
    EXPECT_TRUE(contains(failed.failure, " times the tolerance, worst in the velocity of mass")) << failed.failure;
  }
}

// A force that is another one at every place: differences say nothing of it. radau resolves the slower one by steps of
// 1e-11 s.
TEST(Refusals, NewtonsIterationThatFailsAgainAndAgainNamesTheUnknown) {
  for (const bool by_radau : {true, false}) {
    const double frequency = by_radau ? 1e15 : 1e9;
    Mass mass([frequency](double t, double x) { return 1e9 * std::sin(frequency * (x - 1 + t)); });
    const Finished failed = run(mass, by_radau ? make_integrator(radau_at(1e-9)) : make_integrator(bdf_at(1e-9)), 2);
    EXPECT_TRUE(contains(failed.failure, by_radau ? "at t = " : "10 Newton iterations failed in one step at t = "))
        << failed.failure;
    // The last attempts of radau are below the rounding of time, where the iteration converges to what is no solution.
    EXPECT_TRUE(by_radau || contains(failed.failure, "Newton's iteration does not converge: after ")) << failed.failure;
    EXPECT_TRUE(contains(failed.failure, by_radau ? "worst in the velocity of mass"
                                                  : "iterations the velocity of mass still changes by "))
        << failed.failure;
    EXPECT_EQ(contains(failed.failure, "the motion equation of mass is off by "), !by_radau) << failed.failure;
  }
}

// -1118
TEST(Refusals, StepsThatBecomeTooSmallSayWhatTheLastAttemptFailedBy) {
  const auto noise = [](double t, double) { return 1e15 * std::sin(1e20 * t); };
  for (const bool by_radau : {true, false}) {
    Mass mass(noise);
    RadauOptions radau = radau_at(1e-9);
    BdfOptions bdf = bdf_at(1e-9);
    radau.first_step = bdf.first_step = 1e-13;
    const Finished failed = run(mass, by_radau ? make_integrator(radau) : make_integrator(bdf), 2);
    EXPECT_TRUE(contains(failed.failure, "the step size became too small: ")) << failed.failure;
    EXPECT_TRUE(contains(failed.failure, "the last attempt failed: the error estimate is ")) << failed.failure;
  }
}

// ------------------------------------------------------------------------- a stop by the user's functions (-1102, ...)

/// Fails at one evaluation, and at no other.
class OnceInterrupted : public PaperPendulum {
 public:
  explicit OnceInterrupted(int failing) : PaperPendulum(2.9), failing_(failing) {}
  int evaluations() const { return evaluations_; }

 private:
  void do_f(Eigen::VectorXd& f) override {
    if (++evaluations_ == failing_) throw RecoverableFailure("the file server was away");
    f << 0, -gravity;
  }
  int failing_, evaluations_ = 0;
};

// Wherever that happens after the start, the step is done again: also where it was at the step's end, after all tests.
TEST(Refusals, AFunctionThatFailsOnceIsAskedAgain) {
  constexpr double t_end = 0.3;
  for (const bool by_radau : {true, false}) {
    const auto integrator = [&] { return by_radau ? make_integrator(radau_at(1e-6)) : make_integrator(bdf_at(1e-6)); };
    OnceInterrupted undisturbed(-1);
    const Finished reference = run(undisturbed, integrator(), t_end);
    ASSERT_EQ(reference.failure, "");
    bool failed_at_the_start = false, failed_at_an_end = false;
    for (int failing = 1; failing <= undisturbed.evaluations(); ++failing) {
      OnceInterrupted system(failing);
      const Finished once = run(system, integrator(), t_end);
      if (once.end.t == 0) {
        failed_at_the_start = true;
        EXPECT_EQ(once.failure, "the initial state can't be evaluated: the file server was away");
        continue;
      }
      EXPECT_EQ(once.failure, "") << failing;
      EXPECT_LT((once.end.p - reference.end.p).norm(), 1e-4) << failing;  // a hundred tolerances
      for (const StepRecord& record : once.rejected)
        failed_at_an_end |= record.reason == "the end of the step can't be evaluated: the file server was away";
    }
    EXPECT_TRUE(failed_at_the_start);
    EXPECT_EQ(failed_at_an_end, by_radau);  // bdf takes its end from Newton's iteration as it is
  }
}

// ----------------------------------------------------------------------------------- singular parts (-1114, -14..,
// -26..)

// x'' = k x: the matrix (c, -1; -k, c) of the differential part is singular for c = sqrt(k). With c = 32, a power of
// two, without any rounding. Another step is taken.
TEST(Refusals, ASingularDifferentialPartMakesAnotherStep) {
  constexpr double c = 32, k = c * c;
  const auto growing = [](double, double x) { return k * x; };
  for (const bool is_sparse : {false, true}) {
    Mass mass(growing);
    RadauOptions options = radau_at(1e-8);
    options.first_step = radau_coefficients().real / c;
    options.rtol = options.atol = 1e-4;
    options.solver = is_sparse ? StageSolver::sparse : StageSolver::dense;
    options.given_jacobian = [&](const MotionResidual& e, double, const Eigen::VectorXd&, Eigen::MatrixXd& J) {
      const MotionLayout& at = e.layout();
      J(e.position_rate().first, at.v) = J(e.velocity_rate().first, at.a) = -1;
      J(e.acceleration().first, at.a) = 1;
      J(e.acceleration().first, at.p) = -k;
    };
    const Finished through = run(mass, make_integrator(options), 0.2);
    EXPECT_EQ(through.failure, "");
    ASSERT_FALSE(through.rejected.empty());
    EXPECT_TRUE(contains(through.rejected.front().reason,
                         is_sparse ? "the iteration matrix is singular: nothing determines "
                                   : "the differential part of the iteration matrix is singular"))
        << through.rejected.front().reason;
    EXPECT_NEAR(through.end.p[0] / std::cosh(c * 0.2), 1, 1e-2);  // a hundred tolerances
  }
}

// Constraints that become dependent where nothing looks for it: what depends on what.
TEST(Refusals, ConstraintsThatBecomeDependentOnTheWayAreNamed) {
  for (const bool is_sparse : {false, true}) {
    LeveredPendulum pendulum(false);
    RadauOptions options = radau_at(1e-6);
    options.solver = is_sparse ? StageSolver::sparse : StageSolver::dense;
    const Finished failed = run(pendulum, make_integrator(options), 1, "dense-lu");
    // Steps may end nearer to the place than the iteration matrix tells.
    EXPECT_TRUE(contains(failed.failure, "equations depend on others: ") ||
                (is_sparse && contains(failed.failure,
                                       "the iteration matrix is singular: nothing determines the "
                                       "multiplier of copy, or it depends on others")))
        << failed.failure;
    EXPECT_TRUE(is_sparse ||
                contains(failed.failure,
                         "rod, copy; the mechanism is at a singular position, or its constraints are redundant"))
        << failed.failure;
    EXPECT_NEAR(failed.end.t, 0.5, 0.1);
  }
}

// -2401: more are independent than at the start.
TEST(Refusals, RedundantConstraintsThatBecomeIndependentEndARunOfRadau) {
  LeveredPendulum pendulum(true);
  const Finished failed = run(pendulum, make_integrator(radau_at(1e-6)), 1, "redundant");
  EXPECT_TRUE(contains(failed.failure, "the rank of the constraints changes at t = ")) << failed.failure;
  EXPECT_TRUE(
      contains(failed.failure, "rows that depended on each other at the start have become independent; begin beside"))
      << failed.failure;
  EXPECT_GT(failed.end.t, 0.5);
}

/// Friction by the multiplier of a rod that is there twice.
class RubbingTwice : public EquationsOfMotion {
 public:
  RubbingTwice() : EquationsOfMotion({.p = 2, .v = 2, .lambda = 2}) {
    M_.add_block(0, 0, 2, 2);
    G_.add_block(0, 0, 2, 2);
    F_.add_block(0, 0, 2, 2);
  }
  bool forces_read_multipliers() const override { return true; }
  std::string constraint_name(int row) const override { return row == 0 ? "floor" : "same floor"; }

 private:
  void do_M(BlockMatrix& M) override { M.data()[0] = M.data()[3] = 1; }
  void do_G(BlockMatrix& G, Eigen::VectorXd&) override {
    Eigen::Matrix<double, 2, 2, Eigen::RowMajor>::Map(G.data()) << 0, 1, 0, 2;
  }
  void do_g(Eigen::VectorXd& g) override { g << position()[1], 2 * position()[1]; }
  void do_f(Eigen::VectorXd& f) override { f << 0.1 * multipliers()[0], -9.81; }
  void do_gamma(Eigen::VectorXd& gamma) override { gamma.setZero(); }
};

TEST(Refusals, ForcesThatReadReactionsThatAreNotUniqueAreRefusedAtTheStart) {
  for (const bool by_radau : {true, false}) {
    RubbingTwice system;
    const Finished failed =
        run(system, by_radau ? make_integrator(radau_at(1e-6)) : make_integrator(bdf_at(1e-6)), 1, "redundant");
    EXPECT_TRUE(contains(failed.failure, "forces depend on constraint forces that are not unique: ")) << failed.failure;
    EXPECT_TRUE(contains(failed.failure, "floor is redundant")) << failed.failure;
    EXPECT_EQ(failed.end.t, 0);
  }
}

// --------------------------------------------------------------------------------- options and counters of the manual

// QUOT1 and QUOT2: steps and their decompositions are kept over a wider range of wishes.
TEST(Refusals, RadauKeepsStepsWithinTheRatiosThatItIsGiven) {
  PaperPendulum pendulum(2.9);
  RadauOptions options = radau_at(1e-8);
  options.kept_matrix_rate = 0.1;
  const RadauRun usual = run_radau(pendulum, options, 5);
  options.least_kept_ratio = 0.8;
  options.largest_kept_ratio = 2;
  const RadauRun kept = run_radau(pendulum, options, 5);
  ASSERT_EQ(kept.failure, "");
  EXPECT_LT(kept.statistics.factorizations, 0.8 * static_cast<double>(usual.statistics.factorizations));
  EXPECT_LT((kept.end.p - usual.end.p).norm(), 1e-6);  // a hundred tolerances
  options.least_kept_ratio = 1.1;
  EXPECT_EQ(options.why_invalid(),
            "steps are kept for ratios from 1.1 to 2; expected one between 0 and 1, and one above or equal to 1.");
}

/// The pendulum, placed a little off its circle.
class Misplaced : public PaperPendulum {
 public:
  explicit Misplaced(double off) : PaperPendulum(2.9), off_(off) {}
  State initial_state() const override {
    State s = PaperPendulum::initial_state();
    s.p[1] -= off_;
    return s;
  }

 private:
  double off_;
};

// IVCNSST = 1: nothing is checked or moved. A gap within the tolerance is closed by the first step, a larger one is an
// error that no step is small enough for.
TEST(Refusals, RadauTakesAStartAsItIsWhereItIsSaidToBeConsistent) {
  RadauOptions options = radau_at(1e-6);
  Misplaced far(0.01), near(1e-7);
  EXPECT_TRUE(
      contains(run(far, make_integrator(options), 1).failure, "the initial positions are not consistent: circle"));
  options.start_is_consistent = true;
  const auto solver = make_linear_solver("auto", near, false);
  ASSERT_TRUE(solver->analyze(near));
  const auto integrator = make_integrator(options);
  ASSERT_TRUE(integrator->initialize(near, *solver, near.initial_state()));
  EXPECT_EQ(integrator->state().p, near.initial_state().p);
  EXPECT_EQ(integrator->statistics().newton_iterations, 0);
  ASSERT_TRUE(integrator->step(1));
  EXPECT_LT(test::constraint_levels(near, integrator->state()), 1e-13);  // rounding, as at all accepted points
  const Finished failed = run(far, make_integrator(options), 1);
  EXPECT_TRUE(contains(failed.failure, "the step size became too small: ")) << failed.failure;
  EXPECT_TRUE(contains(failed.failure, " times the tolerance, worst in the multiplier of circle")) << failed.failure;
}

// IWORK(1) to (11).
// It divides what is measured in radians.
TEST(Refusals, ACharacteristicLengthOfZeroIsNamed) {
  class WithoutLength : public Mass {
   public:
    using Mass::Mass;
    std::string model_name() const override { return "point"; }
    double characteristic_length() const override { return 0; }
  };
  WithoutLength equations([](double, double x) { return -x; });
  try {
    (void)run(equations, make_integrator(radau_at(1e-6)), 1);
    FAIL() << "no error";
  } catch (const ModelError& error) {
    EXPECT_TRUE(contains(error.what(),
                         "the characteristic length of model 'point' is 0 m; override "
                         "characteristic_length() by a length above 0."))
        << error.what();
  }
}

TEST(Refusals, TheCountersOfTheManualAddUp) {
  PaperPendulum pendulum(2.9);
  std::int64_t attempts = 0, accepted = 0;
  const RadauRun done = run_radau(pendulum, radau_at(1e-8), 5, [&](Integrator& i) {
    attempts += static_cast<std::int64_t>(i.records().size());
    accepted += i.records().back().accepted;
  });
  const IntegratorStatistics& s = done.statistics;
  EXPECT_EQ(s.steps, accepted);                     // NACCPT
  EXPECT_EQ(s.steps + s.rejected_steps, attempts);  // NSTEP
  EXPECT_GT(s.rejected_steps, 0);                   // NERJCT + NCRJCT ...
  EXPECT_LE(s.convergence_failures, s.rejected_steps);
  EXPECT_GT(s.function_calls, s.jacobian_function_calls);  // NEOM, those for Jacobians included, two of the start not
  EXPECT_EQ(s.function_calls + 2, pendulum.counters().force);
  EXPECT_GT(pendulum.counters().matrix, 0);                       // NMAS
  EXPECT_GE(s.jacobian_evaluations, s.selector_updates);          // NJAC, NSEL
  EXPECT_EQ(s.algebraic_decompositions, s.jacobian_evaluations);  // NPDEC
  EXPECT_GE(s.factorizations, s.algebraic_decompositions);        // NEDEC
  EXPECT_GE(s.stage_solves, 2 * s.newton_iterations);             // NBSUB
}

}  // namespace refusals_test
}  // namespace linkwork
