#include "../core/expect_error.hpp"
#include "extrapolation_run.hpp"
#include "posed_systems.hpp"

#include <gtest/gtest.h>
#include <linkwork/solvers/integrators/extrapolation.hpp>
#include <linkwork/solvers/integrators/extrapolation_tableau.hpp>
#include <linkwork/solvers/integrators/half_explicit_euler.hpp>
#include <linkwork/solvers/manifold/projection.hpp>

#include <limits>
#include <memory>

namespace linkwork {
namespace extrapolation_test {

using test::CableDrum;
using test::CartesianPendulum;
using test::FilteredOscillator;
using test::integrate;
using test::Integration;
using test::start;
using test::with_tolerance;

double largest_difference(const Eigen::VectorXd& a, const Eigen::VectorXd& b) { return (a - b).cwiseAbs().maxCoeff(); }

/// n sub-steps over [0.3, 0.3 + H] of the pendulum: gains, and a and lambda of the last one.
struct EulerLine {
  HalfExplicitEuler::Result gain;
  Eigen::VectorXd a, lambda;
};
EulerLine euler(int n, double H) {
  CartesianPendulum pendulum;
  auto solver = make_linear_solver("dense-lu", pendulum);
  EXPECT_TRUE(solver->analyze(pendulum));
  HalfExplicitEuler scheme(pendulum, *solver, false);
  State begin = test::pendulum_state(0.3);
  EXPECT_TRUE(scheme.begin(begin, false));
  EulerLine line;
  HalfExplicitEuler::History history;
  EXPECT_TRUE(scheme.run(n, H, line.gain, history));
  line.a = history.a.col(n - 1);
  line.lambda = history.lambda.col(n - 1);
  return line;
}

TEST(HalfExplicitEuler, HasOrderOneInAllVariables) {
  const double H = 0.2;
  const State begin = test::pendulum_state(0.3), end = test::pendulum_state(0.3 + H);
  const EulerLine coarse = euler(64, H), fine = euler(128, H);
  const auto ratio = [](const Eigen::VectorXd& a, const Eigen::VectorXd& b, const Eigen::VectorXd& exact) {
    return (a - exact).norm() / (b - exact).norm();
  };
  // Ratio 2 up to h e2 / e1, about 5 percent at h = 0.003.
  EXPECT_NEAR(ratio(coarse.gain.dp, fine.gain.dp, end.p - begin.p), 2.0, 0.1);
  EXPECT_NEAR(ratio(coarse.gain.dv, fine.gain.dv, end.v - begin.v), 2.0, 0.1);
  EXPECT_NEAR(ratio(coarse.a, fine.a, end.a), 2.0, 0.1);
  EXPECT_NEAR(ratio(coarse.lambda, fine.lambda, end.lambda), 2.0, 0.1);
}

// T(k, k) has the local error O(H^(k + 1)): halving H divides it by 2^(k + 1). Asserted within half an order: at H =
// 0.1 the next term is a third of the leading one.
TEST(HalfExplicitEuler, ExtrapolatedColumnsGainOneOrderEach) {
  const auto error_of_column = [](int k, double H) {
    ExtrapolationTableau tableau(half_explicit_sequence);
    for (int line = 1; line <= k; ++line) {
      const HalfExplicitEuler::Result result = euler(half_explicit_sequence.steps(line), H).gain;
      Eigen::VectorXd entry(4);
      entry << result.dp, result.dv;
      tableau.add(entry);
    }
    const State begin = test::pendulum_state(0.3), end = test::pendulum_state(0.3 + H);
    Eigen::VectorXd exact(4);
    exact << end.p - begin.p, end.v - begin.v;
    return (tableau.value() - exact).norm();
  };
  for (int k = 1; k <= 5; ++k) {
    const double order = std::log2(error_of_column(k, 0.04) / error_of_column(k, 0.02));
    EXPECT_NEAR(order, k + 1, 0.5) << "column " << k;
  }
}

TEST(Extrapolation, ReachesTheToleranceOnThePendulum) {
  const State exact = test::pendulum_state(2.0);
  for (double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
    CartesianPendulum pendulum;
    const Integration run = integrate(pendulum, with_tolerance(tolerance), 2.0);
    ASSERT_TRUE(run.outcome) << run.outcome.reason();
    const State& end = run.integrator->state();
    EXPECT_EQ(end.t, 2.0);
    // Local errors of at most the tolerance grow over about 10 steps, with the pendulum's growth of about 10.
    EXPECT_LT(largest_difference(end.p, exact.p), 100 * tolerance);
    EXPECT_LT(largest_difference(end.v, exact.v), 1000 * tolerance);  // |v| is 4, |v'| up to 30
    EXPECT_LT(std::abs(end.p.norm() - 1), 1e-9);                      // projected in every step
    EXPECT_LT(std::abs(end.p.dot(end.v)), 1e-9);
  }
}

TEST(Extrapolation, KeepsEveryMaximumOrder) {
  for (int order = 3; order <= 13; ++order) {
    CartesianPendulum pendulum;
    ExtrapolationOptions options = with_tolerance(1e-7);
    options.maximum_order = order;
    Integration run = start(pendulum, options, pendulum.initial_state());
    while (run.outcome && run.integrator->state().t < 0.5) {
      run.outcome = run.integrator->step(0.5);
      for (const StepRecord& record : run.integrator->records()) EXPECT_LE(record.order, order);
    }
    ASSERT_TRUE(run.outcome) << run.outcome.reason();
    EXPECT_LT(largest_difference(run.integrator->state().p, test::pendulum_state(0.5).p), 1e-5);
  }
}

TEST(Extrapolation, FollowsARheonomicConstraint) {
  CartesianPendulum pendulum(0.3);
  const Integration run = integrate(pendulum, with_tolerance(1e-9), 1.5);
  ASSERT_TRUE(run.outcome) << run.outcome.reason();
  const State& end = run.integrator->state();
  const double length = 1 + 0.3 * std::sin(1.5), rate = 0.3 * std::cos(1.5);
  EXPECT_NEAR(end.p.norm(), length, 1e-12);
  EXPECT_NEAR(end.p.dot(end.v), length * rate, 1e-12);
  // A second method: ten times tighter, lower order.
  CartesianPendulum again(0.3);
  ExtrapolationOptions options = with_tolerance(1e-11);
  options.maximum_order = 7;
  const Integration tight = integrate(again, options, 1.5);
  ASSERT_TRUE(tight.outcome);
  EXPECT_LT(largest_difference(end.p, tight.integrator->state().p), 1e-7);
}

TEST(Extrapolation, IntegratesStatesOfForceElements) {
  FilteredOscillator oscillator;
  const Integration run = integrate(oscillator, with_tolerance(1e-9), 3.0);
  ASSERT_TRUE(run.outcome) << run.outcome.reason();
  EXPECT_NEAR(run.integrator->state().p[0], std::cos(3.0), 1e-7);  // 100 tolerances
  EXPECT_NEAR(run.integrator->state().r[0], FilteredOscillator::filtered(3.0), 1e-7);
}

TEST(Extrapolation, FrictionVariantDoesNotCareHowLargeFrictionIs) {
  for (double mu : {0.125, 0.5, 0.75, 1.25, 1.5}) {
    CableDrum drum(mu);
    const Integration run = integrate(drum, with_tolerance(1e-5), 4.0);
    ASSERT_TRUE(run.outcome) << run.outcome.reason();
    EXPECT_NEAR(run.integrator->state().p[0], drum.load_height(4.0), 1e-5) << mu;
    EXPECT_LT(run.integrator->statistics().steps, 10);
  }
}

TEST(Extrapolation, StandardVariantWorksWhileFrictionIsSmall) {
  for (double mu : {0.125, 0.25, 0.5, 0.75}) {
    CableDrum drum(mu);
    ExtrapolationOptions options = with_tolerance(1e-5);
    options.discretisation = Discretisation::standard;
    options.multipliers_given = true;
    const Integration run = integrate(drum, options, 4.0);
    ASSERT_TRUE(run.outcome) << run.outcome.reason();
    EXPECT_NEAR(run.integrator->state().p[0], drum.load_height(4.0), 5e-3) << mu;
  }
}

TEST(Extrapolation, FindsTheMultipliersAtTheStart) {
  CableDrum drum(0.25);
  ExtrapolationOptions options = with_tolerance(1e-5);
  options.discretisation = Discretisation::standard;
  const State given = drum.initial_state();
  const Integration run = start(drum, options, given);
  ASSERT_TRUE(run.outcome) << run.outcome.reason();
  // Newton's method until lambda changes by less than 1e-12 of its size, which is 1e2.
  EXPECT_LT(largest_difference(run.integrator->state().lambda, given.lambda), 1e-9);
}

// Where multipliers of one sub-step decide about forces of the next one, they must not grow from one to the other.
TEST(Extrapolation, StandardVariantPaysForLargeFriction) {
  const auto evaluations = [](Discretisation discretisation) {
    CableDrum drum(1.5);
    ExtrapolationOptions options = with_tolerance(1e-5);
    options.discretisation = discretisation;
    options.dense_output = false;  // steps are chosen for their ends alone, as in the paper
    const Integration run = integrate(drum, options, 4.0);
    EXPECT_TRUE(run.outcome) << run.outcome.reason();
    const double height = drum.load_height(4.0);
    EXPECT_NEAR(run.integrator->state().p[0], height, 100 * 1e-5 * (1 + std::abs(height)));  // 100 tolerances
    return drum.counters().force;
  };
  EXPECT_GT(evaluations(Discretisation::standard), 10 * evaluations(Discretisation::friction));
}

// They are those of the state by its equations, at a loose tolerance too: two solutions of one system agree to
// rounding, numbers of size 30.
TEST(Extrapolation, AccelerationsAndMultipliersAreThoseOfTheEquationsFromTheStartOn) {
  CartesianPendulum pendulum;
  Integration run = start(pendulum, with_tolerance(1e-3), pendulum.initial_state());
  const auto expect_solved = [&](const State& state) {
    pendulum.set(state);
    Eigen::VectorXd a, lambda;
    ASSERT_TRUE(run.solver->accelerations(a, lambda));
    EXPECT_LT(largest_difference(state.a, a), 1e-13);
    EXPECT_LT(largest_difference(state.lambda, lambda), 1e-13);
  };
  expect_solved(run.integrator->state());
  EXPECT_NEAR(run.integrator->state().a[1], -CartesianPendulum::gravity, 1e-14);
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(run.integrator->step(1.0));
    expect_solved(run.integrator->previous_state());
    expect_solved(run.integrator->state());
  }
}

/// A pendulum with a push that sets in at an angle, and ends at another one.
class PushedPendulum : public CartesianPendulum {
 public:
  static constexpr double push = 100;
  double first_height = -0.3, last_height = -0.4;

 private:
  void do_f(Eigen::VectorXd& f) override {
    const double y = position()[1];
    f << (y < first_height && y > last_height ? -push : 0), -gravity;
  }
};

// The push lasts for a part of the steps that the rest of the motion allows. Whether a step sees it must not be chance:
// the energy that the pendulum has afterwards is that of the push along its path, a straight x-force over dx.
TEST(Extrapolation, SeesAForceThatSetsInNearTheEndOfAStep) {
  for (const double first_step : {1e-4, 3e-4, 1e-3, 2e-3, 5e-3, 1e-2, 3e-2}) {
    PushedPendulum pendulum;
    ExtrapolationOptions options = with_tolerance(1e-6);
    options.first_step = first_step;
    Integration run = start(pendulum, options, pendulum.initial_state());
    while (run.outcome && run.integrator->state().p[1] > -0.5) run.outcome = run.integrator->step(1.0);
    ASSERT_TRUE(run.outcome) << run.outcome.reason();
    const State& end = run.integrator->state();
    const auto x = [](double y) { return std::sqrt(1 - y * y); };
    const double work = PushedPendulum::push * (x(pendulum.first_height) - x(pendulum.last_height));
    const double energy = 0.5 * end.v.squaredNorm() + CartesianPendulum::gravity * end.p[1];
    // Two jumps, each of them an error of some ten tolerances of v, which is 4 m/s.
    EXPECT_NEAR(energy, work, 1e-3 * work) << first_step;
  }
}

// ------------------------------------------------------------------------------------------------ dense output

TEST(Extrapolation, DenseOutputIsAsAccurateAsTheStepsThemselves) {
  for (double tolerance : {1e-4, 1e-6, 1e-8}) {
    CartesianPendulum pendulum;
    Integration run = start(pendulum, with_tolerance(tolerance), pendulum.initial_state());
    double at_steps[4] = {}, between[4] = {};
    const auto gather = [](const State& state, double worst[4]) {
      const State exact = test::pendulum_state(state.t);
      worst[0] = std::max(worst[0], largest_difference(state.p, exact.p));
      worst[1] = std::max(worst[1], largest_difference(state.v, exact.v));
      worst[2] = std::max(worst[2], largest_difference(state.a, exact.a));
      worst[3] = std::max(worst[3], largest_difference(state.lambda, exact.lambda));
    };
    while (run.outcome && run.integrator->state().t < 1.0) {
      run.outcome = run.integrator->step(1.0);
      const DensePolynomial& dense = run.integrator->dense(true);
      State state = run.integrator->state();
      gather(state, at_steps);
      for (int i = 1; i < 8; ++i) {
        dense.evaluate(dense.t_begin + i * (dense.t_end - dense.t_begin) / 8, state);
        gather(state, between);
      }
    }
    ASSERT_TRUE(run.outcome) << run.outcome.reason();
    // Same order: a factor of 10 against the larger of the steps' own error and what the tolerance allows in size
    // (|v| = 4, |a| and lambda up to 30, which the error control does not see).
    EXPECT_LT(between[0], 10 * std::max(at_steps[0], tolerance)) << tolerance;
    EXPECT_LT(between[1], 10 * std::max(at_steps[1], 4 * tolerance)) << tolerance;
    EXPECT_LT(between[2], 10 * std::max(at_steps[2], 30 * tolerance)) << tolerance;
    EXPECT_LT(between[3], 10 * std::max(at_steps[3], 30 * tolerance)) << tolerance;
  }
}

TEST(Extrapolation, DenseOutputHasTheDegreesOfTheMethodAndMeetsBothEnds) {
  CartesianPendulum pendulum;
  Integration run = start(pendulum, with_tolerance(1e-8), pendulum.initial_state());
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(run.integrator->step(10.0));
    const int lines = run.integrator->records().back().order;
    const DensePolynomial& dense = run.integrator->dense(true);
    EXPECT_EQ(dense.differential_degree(), lines + 2);
    EXPECT_EQ(dense.algebraic_degree(), lines);
    State state = run.integrator->state();
    dense.evaluate(dense.t_end, state);
    EXPECT_LT(largest_difference(state.p, run.integrator->state().p), 1e-14);
    EXPECT_LT(largest_difference(state.lambda, run.integrator->state().lambda), 1e-12);
    dense.evaluate(dense.t_begin, state);
    EXPECT_EQ(state.p, run.integrator->previous_state().p);
    EXPECT_EQ(state.a, run.integrator->previous_state().a);
  }
}

TEST(Extrapolation, DenseOutputOfStatesFollowsTheClosedForm) {
  FilteredOscillator oscillator;
  Integration run = start(oscillator, with_tolerance(1e-8), oscillator.initial_state());
  double worst = 0;
  while (run.integrator->state().t < 2.0) {
    ASSERT_TRUE(run.integrator->step(2.0));
    const DensePolynomial& dense = run.integrator->dense(false);
    State state = run.integrator->state();
    for (int i = 0; i <= 10; ++i) {
      const double t = dense.t_begin + i * (dense.t_end - dense.t_begin) / 10;
      dense.evaluate(t, state);
      worst = std::max(worst, std::abs(state.r[0] - FilteredOscillator::filtered(t)));
    }
  }
  EXPECT_LT(worst, 1e-6);  // 100 tolerances
}

TEST(Extrapolation, DenseOutputOfSelectedComponentsHasTheSameNumbers) {
  CartesianPendulum whole_pendulum, pendulum;
  ExtrapolationOptions options = with_tolerance(1e-7);
  Integration whole = start(whole_pendulum, options, pendulum.initial_state());
  options.dense.p = std::vector<int>{1};
  options.dense.v = options.dense.a = options.dense.lambda = std::vector<int>{};
  Integration part = start(pendulum, options, pendulum.initial_state());
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(whole.integrator->step(1.0));
    ASSERT_TRUE(part.integrator->step(1.0));
  }
  const DensePolynomial& selected = part.integrator->dense(false);
  EXPECT_EQ(selected.p.coefficients.rows(), 1);
  EXPECT_EQ(selected.v.coefficients.rows(), 0);
  State a = whole.integrator->state(), b = part.integrator->state();
  const double t = 0.4 * selected.t_begin + 0.6 * selected.t_end;
  whole.integrator->dense(true).evaluate(t, a);
  selected.evaluate(t, b);
  EXPECT_EQ(a.p[1], b.p[1]);
  // Events need everything, also where only some components are selected.
  part.integrator->dense(true).evaluate(t, b);
  EXPECT_EQ(a.p[0], b.p[0]);
  EXPECT_EQ(a.lambda[0], b.lambda[0]);
}

TEST(Extrapolation, DenseOutputKeepsToAMaximumDegree) {
  CartesianPendulum pendulum;
  ExtrapolationOptions options = with_tolerance(1e-8);
  options.maximum_dense_degree = 4;
  Integration run = start(pendulum, options, pendulum.initial_state());
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(run.integrator->step(1.0));
  EXPECT_LE(run.integrator->dense(true).differential_degree(), 4);
}

TEST(Extrapolation, RefusesDenseOutputThatWasNotKept) {
  CartesianPendulum pendulum;
  ExtrapolationOptions options = with_tolerance(1e-6);
  options.dense_output = false;
  Integration off = start(pendulum, options, pendulum.initial_state());
  ASSERT_TRUE(off.integrator->step(1.0));
  EXPECT_THROW(off.integrator->dense(true), ModelError);
  Integration early = start(pendulum, with_tolerance(1e-6), pendulum.initial_state());
  EXPECT_THROW(early.integrator->dense(true), ModelError);
}

// ------------------------------------------------------------------------------------------------ failing well

TEST(Extrapolation, RefusesInconsistentPositionsUnlessTheUserConsents) {
  CartesianPendulum pendulum;
  State off = pendulum.initial_state();
  off.p << 1.05, 0;
  const Integration refused = start(pendulum, with_tolerance(1e-6), off);
  ASSERT_FALSE(refused.outcome);
  EXPECT_NE(refused.outcome.reason().find("rod is off by 0.05125"), std::string::npos) << refused.outcome.reason();
  EXPECT_NE(refused.outcome.reason().find("consent_to_projection"), std::string::npos);
  ExtrapolationOptions options = with_tolerance(1e-6);
  options.consent_to_projection = true;
  const Integration taken = start(pendulum, options, off);
  ASSERT_TRUE(taken.outcome) << taken.outcome.reason();
  EXPECT_NEAR(taken.integrator->state().p[0], 1.0, 1e-8);                  // Newton's test: 1e-2 tolerances
  EXPECT_GT(taken.integrator->records().back().position_projection, 1e3);  // what it changed is reported
}

TEST(Extrapolation, MeasuresInconsistenciesByTheTolerancesOfTheirComponents) {
  CartesianPendulum pendulum;
  State off = pendulum.initial_state();
  off.p << 1.001, 0;
  EXPECT_FALSE(start(pendulum, with_tolerance(1e-6), off).outcome);
  ExtrapolationOptions options = with_tolerance(1e-6);
  options.components.p_atol = {2e-5, 1e-6};  // 0.001 is 50 of them
  EXPECT_TRUE(start(pendulum, options, off).outcome);
  options.components.p_atol = {5e-6, 1e-6};  // 200
  EXPECT_FALSE(start(pendulum, options, off).outcome);
}

TEST(Extrapolation, RefusesInconsistentVelocitiesUnlessTheUserConsents) {
  CartesianPendulum pendulum;
  State off = pendulum.initial_state();
  off.v << 0.5, 1;
  const Integration refused = start(pendulum, with_tolerance(1e-6), off);
  ASSERT_FALSE(refused.outcome);
  EXPECT_NE(refused.outcome.reason().find("the rate of rod is off by 0.5"), std::string::npos)
      << refused.outcome.reason();
  ExtrapolationOptions options = with_tolerance(1e-6);
  options.consent_to_projection = true;
  const Integration taken = start(pendulum, options, off);
  ASSERT_TRUE(taken.outcome);
  EXPECT_NEAR(taken.integrator->state().v[0], 0, 1e-15);
}

TEST(Extrapolation, ProjectsSmallInconsistenciesWithoutAsking) {
  CartesianPendulum pendulum;
  State off = pendulum.initial_state();
  off.p << 1 + 5e-6, 0;
  const Integration run = start(pendulum, with_tolerance(1e-6), off);
  ASSERT_TRUE(run.outcome) << run.outcome.reason();
  EXPECT_NEAR(run.integrator->state().p[0], 1, 1e-12);
}

TEST(Extrapolation, SaysThatPositionsCannotBeProjected) {
  CartesianPendulum pendulum;
  State off = pendulum.initial_state();
  off.p << 0, 0;
  ExtrapolationOptions options = with_tolerance(1e-6);
  options.consent_to_projection = true;
  EXPECT_FALSE(start(pendulum, options, off).outcome);  // G = 0: singular
  off.p << 1e-9, 0;  // Newton's first step lands 5e8 away and halves the distance from there on
  const Integration run = start(pendulum, options, off);
  ASSERT_FALSE(run.outcome);
  EXPECT_NE(run.outcome.reason().find("rod is off by"), std::string::npos) << run.outcome.reason();
}

/// A pendulum whose rod is not known.
class LostRod : public CartesianPendulum {
  void do_g(Eigen::VectorXd&) override { throw RecoverableFailure("rod 'rope': its length is not known"); }
};

TEST(Extrapolation, SaysThatTheInitialStateCannotBeEvaluated) {
  LostRod pendulum;
  const Integration run = start(pendulum, with_tolerance(1e-6), pendulum.initial_state());
  ASSERT_FALSE(run.outcome);
  EXPECT_EQ(run.outcome.reason(), "the initial state can't be evaluated: rod 'rope': its length is not known");
}

/// A pendulum in a force field that ends at y = -0.5.
class Cliff : public CartesianPendulum {
 public:
  enum class Kind { recoverable, nan };
  explicit Cliff(Kind kind) : kind_(kind) {}

 private:
  void do_f(Eigen::VectorXd& f) override {
    f << 0, -gravity;
    if (position()[1] > -0.5) return;
    if (kind_ == Kind::recoverable) throw RecoverableFailure("field 'table': y is below -0.5 m, the end of the table");
    f[0] = std::numeric_limits<double>::quiet_NaN();
  }
  Kind kind_;
};

TEST(Extrapolation, TriesASmallerStepAfterARecoverableFailureAndReportsItInTheEnd) {
  for (const Cliff::Kind kind : {Cliff::Kind::recoverable, Cliff::Kind::nan}) {
    Cliff cliff(kind);
    ExtrapolationOptions options = with_tolerance(1e-6);
    options.first_step = 0.5;  // jumps over the edge at once
    const Integration run = integrate(cliff, options, 2.0);
    ASSERT_FALSE(run.outcome);
    // Reached the edge as near as steps can get: what was computed is kept.
    EXPECT_NEAR(run.integrator->state().p[1], -0.5, 1e-3);
    EXPECT_GT(run.integrator->statistics().convergence_failures, 1);
    const std::string& reason = run.outcome.reason();
    EXPECT_NE(reason.find("step size became too small"), std::string::npos) << reason;
    EXPECT_NE(reason.find(kind == Cliff::Kind::nan ? "not finite" : "end of the table"), std::string::npos) << reason;
  }
}

TEST(Extrapolation, SaysWhatMakesAStepTooSmall) {
  const auto reason = [](double first_step, double maximum_step) {
    CartesianPendulum pendulum;
    ExtrapolationOptions options = with_tolerance(1e-6);
    options.first_step = first_step;
    options.maximum_step = maximum_step;
    return integrate(pendulum, options, 2.0).outcome.reason();
  };
  const std::string lost = "steps below 7.1054273576e-15 s are lost in the rounding of time; give a larger first_step";
  EXPECT_NE(reason(1e-300, 0).find(lost), std::string::npos) << reason(1e-300, 0);
  EXPECT_NE(reason(1e-3, 1e-300).find(lost), std::string::npos) << reason(1e-3, 1e-300);

  CartesianPendulum pendulum;
  const std::string tight = integrate(pendulum, with_tolerance(3e-16), 2.0).outcome.reason();
  EXPECT_NE(tight.find(". Loosen the tolerances"), std::string::npos) << tight;

  Cliff cliff(Cliff::Kind::recoverable);
  const std::string field = integrate(cliff, with_tolerance(1e-6), 2.0).outcome.reason();
  EXPECT_TRUE(field.ends_with("the end of the table.")) << field;
}

/// A mass on a line, x'' = force(x, x').
class DrivenMass : public EquationsOfMotion {
 public:
  using Law = double (*)(double x, double v);
  DrivenMass(double x, double v, Law law) : EquationsOfMotion({.p = 1, .v = 1}), x_(x), speed_(v), law_(law) {
    M_.add_block(0, 0, 1, 1);
  }
  State initial_state() const override {
    State s = EquationsOfMotion::initial_state();
    s.p << x_;
    s.v << speed_;
    return s;
  }
  std::string velocity_name(int) const override { return "slide"; }

 private:
  void do_M(BlockMatrix& M) override { M.data()[0] = 1; }
  void do_G(BlockMatrix&, Eigen::VectorXd&) override {}
  void do_g(Eigen::VectorXd&) override {}
  void do_f(Eigen::VectorXd& f) override { f[0] = law_(position()[0], velocity()[0]); }
  void do_gamma(Eigen::VectorXd&) override {}
  double x_, speed_;
  Law law_;
};

TEST(Extrapolation, NamesTheComponentThatMakesStepsVanish) {
  // x = 1 / (1 - t)^2, which has no value at t = 1.
  DrivenMass blow_up(1, 2, [](double x, double) { return 6 * x * x; });
  const std::string reason = integrate(blow_up, with_tolerance(1e-8), 2.0).outcome.reason();
  EXPECT_NE(reason.find("at t = 1.0000"), std::string::npos) << reason;
  EXPECT_NE(reason.find("slide"), std::string::npos) << reason;
  EXPECT_NE(reason.find("a singularity of the forces"), std::string::npos) << reason;
  EXPECT_EQ(reason.find("larger first_step"), std::string::npos) << reason;
}

TEST(Extrapolation, SaysWhatHasTakenAllSteps) {
  const auto reason = [](DrivenMass::Law law) {
    DrivenMass relay(0.3, 0, law);
    ExtrapolationOptions options = with_tolerance(1e-6);
    options.maximum_steps = 1000;
    const Integration run = integrate(relay, options, 3.0);
    EXPECT_FALSE(run.outcome);
    return run.outcome.reason();
  };
  // A switching law that slides along x + x'/2 = 0: crossed in steps of the tolerance over the jump.
  const std::string jumping = reason([](double x, double v) { return x + 0.5 * v > 0 ? -5.0 : 5.0; });
  EXPECT_NE(jumping.find(" s for the error of the velocity of slide."), std::string::npos) << jumping;
  // The same law, smooth over 1e-3, and a rate of 5 / (2 * 1e-3) per second.
  const std::string stiff = reason([](double x, double v) { return -5 * std::tanh((x + 0.5 * v) / 1e-3); });
  EXPECT_NE(stiff.find("Stability has held the last steps"), std::string::npos) << stiff;
  EXPECT_NE(stiff.find("take radau or bdf"), std::string::npos) << stiff;
}

TEST(Extrapolation, StopsAtTheLimitOfSteps) {
  CartesianPendulum pendulum;
  ExtrapolationOptions options = with_tolerance(1e-8);
  options.maximum_steps = 3;
  const Integration run = integrate(pendulum, options, 10.0);
  ASSERT_FALSE(run.outcome);
  EXPECT_NE(run.outcome.reason().find("limit of 3 steps"), std::string::npos) << run.outcome.reason();
  EXPECT_EQ(run.integrator->statistics().steps, 3);
}

TEST(Extrapolation, KeepsToTheMaximumStep) {
  CartesianPendulum pendulum;
  ExtrapolationOptions options = with_tolerance(1e-3);
  options.maximum_step = 0.02;
  Integration run = start(pendulum, options, pendulum.initial_state());
  while (run.outcome && run.integrator->state().t < 0.3) {
    run.outcome = run.integrator->step(0.3);
    EXPECT_LE(run.integrator->state().t - run.integrator->previous_state().t, 0.02 * (1 + 1e-12));
  }
  EXPECT_TRUE(run.outcome);
}

/// Claims variables that the half-explicit method has no place for.
class WithAuxiliaryVariables : public CartesianPendulum {
 public:
  WithAuxiliaryVariables() { set_dimensions({.p = 2, .v = 2, .w = 1, .s = 2, .lambda = 1}); }
};

TEST(Extrapolation, RefusesVariablesThatItDoesNotTreat) {
  WithAuxiliaryVariables equations;
  auto solver = make_linear_solver("dense-lu", equations);
  auto integrator = make_integrator(ExtrapolationOptions{});
  const Outcome outcome = integrator->initialize(equations, *solver, equations.initial_state());
  ASSERT_FALSE(outcome);
  EXPECT_NE(outcome.reason().find("auxiliary variables w"), std::string::npos) << outcome.reason();
}

TEST(ExtrapolationOptions, SayWhyTheyAreInvalid) {
  const auto message = [](auto change) {
    ExtrapolationOptions options;
    change(options);
    try {
      make_integrator(options);
    } catch (const ModelError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  using O = ExtrapolationOptions;
  const double nan = std::nan("");
  EXPECT_NE(message([](O& o) { o.rtol = -1; }).find("rtol = -1"), std::string::npos);
  EXPECT_NE(message([](O& o) { o.rtol = o.atol = 0; }).find("expected one of them at"), std::string::npos);
  EXPECT_NE(message([&](O& o) { o.atol = nan; }).find("atol"), std::string::npos);
  EXPECT_NE(message([&](O& o) { o.components.v_atol = {1e-3, nan}; }).find("component's tolerance"), std::string::npos);
  EXPECT_NE(message([](O& o) { o.maximum_order = 2; }).find("maximum_order is 2"), std::string::npos);
  EXPECT_NE(message([](O& o) { o.maximum_order = 14; }).find("expected 3 to 13"), std::string::npos);
  EXPECT_NE(message([](O& o) { o.first_step = 0; }).find("first_step is 0"), std::string::npos);
  EXPECT_NE(message([](O& o) { o.maximum_step = -2; }).find("maximum_step is -2"), std::string::npos);
  EXPECT_NE(message([](O& o) { o.maximum_steps = 0; }).find("maximum_steps is 0"), std::string::npos);
  EXPECT_NE(message([](O& o) { o.maximum_dense_degree = 2; }).find("maximum_dense_degree is 2"), std::string::npos);
  EXPECT_EQ(message([](O&) {}), "");
}

TEST(ExtrapolationOptions, ComponentListsMustFitTheSystem) {
  CartesianPendulum pendulum;
  ExtrapolationOptions options;
  options.components.p_atol = {1e-6};
  EXPECT_THROW(start(pendulum, options, pendulum.initial_state()), ModelError);
  options.components.p_atol = {0, 1e-6};
  EXPECT_NO_THROW(start(pendulum, options, pendulum.initial_state()));
  options.components.p_rtol = {0, 0};
  expect_error<ModelError>(
      "ExtrapolationOptions: the tolerances of component 0 of p are both 0; give one of components.p_rtol and "
      "components.p_atol a value above 0.",
      [&] { start(pendulum, options, pendulum.initial_state()); });
  options.components = {};
  options.dense.lambda = std::vector<int>{1};
  EXPECT_THROW(start(pendulum, options, pendulum.initial_state()), ModelError);
}

// A component that is off limits to the error control leaves the step to the others.
TEST(ExtrapolationOptions, ComponentTolerancesReplaceTheScalars) {
  CartesianPendulum tight, loose;
  ExtrapolationOptions options = with_tolerance(1e-9);
  const Integration all = integrate(tight, options, 1.0);
  options.components.p_atol = options.components.v_atol = {1e-3, 1e-3};
  options.components.p_rtol = options.components.v_rtol = {1e-3, 1e-3};
  const Integration few = integrate(loose, options, 1.0);
  ASSERT_TRUE(all.outcome && few.outcome);
  EXPECT_LT(loose.counters().matrix, tight.counters().matrix / 2);
}

// ------------------------------------------------------------------------------------------------ projection

TEST(Projection, MovesAlongTheMassMetricOntoTheConstraint) {
  CartesianPendulum pendulum;
  auto solver = make_linear_solver("dense-lu", pendulum);
  ASSERT_TRUE(solver->analyze(pendulum));
  Projection projection(pendulum, *solver);
  Eigen::VectorXd p = Eigen::Vector2d(0.66, -0.88), v = Eigen::Vector2d(1, 2);
  const Eigen::VectorXd weights = Eigen::VectorXd::Constant(2, 1e-10);
  ASSERT_TRUE(projection.position(0, p, weights));
  EXPECT_NEAR(p[0], 0.6, 1e-12);  // unit mass matrix: along the radius
  EXPECT_NEAR(p[1], -0.8, 1e-12);
  EXPECT_GT(projection.iterations(), 1);
  ASSERT_TRUE(projection.velocity(v, weights));
  EXPECT_NEAR(p.dot(v), 0, 1e-15);
  EXPECT_NEAR(v.dot(Eigen::Vector2d(0.8, 0.6)), 2.0, 1e-12);  // the tangential part stays
}

}  // namespace extrapolation_test
}  // namespace linkwork
