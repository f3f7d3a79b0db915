#include "extrapolation_run.hpp"
#include "posed_systems.hpp"

#include <gtest/gtest.h>
#include <linkwork/solvers/integrators/extrapolation.hpp>
#include <linkwork/solvers/integrators/midpoint_rule.hpp>

#include <algorithm>
#include <cmath>
#include <memory>

namespace linkwork {
namespace midpoint_test {

using test::CableDrum;
using test::CartesianPendulum;
using test::FilteredOscillator;
using test::integrate;
using test::Integration;
using test::start;
using test::with_tolerance;

/// The pendulum of the posed systems by its angle, with a filter r' = angle - r: no rows, and not linear.
class AnglePendulum : public EquationsOfMotion {
 public:
  AnglePendulum() : EquationsOfMotion({.p = 1, .v = 1, .r = 1}) { M_.add_block(0, 0, 1, 1); }
  State initial_state() const override {
    State s = EquationsOfMotion::initial_state();
    s.p << std::acos(-1.0) / 2;
    return s;
  }
  static double acceleration(double angle) { return -CartesianPendulum::gravity * std::sin(angle); }

 private:
  void do_M(BlockMatrix& M) override { M.data()[0] = 1; }
  void do_G(BlockMatrix&, Eigen::VectorXd&) override {}
  void do_g(Eigen::VectorXd&) override {}
  void do_f(Eigen::VectorXd& f) override { f[0] = acceleration(position()[0]); }
  void do_gamma(Eigen::VectorXd&) override {}
  void do_r_rate(Eigen::VectorXd& rate) override { rate[0] = position()[0] - states()[0]; }
};

/// Exact state of the oscillator.
State oscillator_state(double t) {
  State out;
  out.t = t;
  out.p = Eigen::VectorXd::Constant(1, std::cos(t));
  out.v = Eigen::VectorXd::Constant(1, -std::sin(t));
  out.a = -out.p;
  out.r = Eigen::VectorXd::Constant(1, FilteredOscillator::filtered(t));
  out.lambda.resize(0);
  return out;
}

Eigen::VectorXd gains(const BasicScheme::Result& result) {
  Eigen::VectorXd out(3);
  out << result.dp, result.dv, result.dr;
  return out;
}

/// One extrapolated step of the oscillator over [0.4, 0.4 + H] with a number of lines.
struct OscillatorStep {
  static constexpr double begin_time = 0.4;
  FilteredOscillator oscillator;
  std::unique_ptr<LinearSolver> solver = make_linear_solver("dense-lu", oscillator);
  std::vector<BasicScheme::History> history{StepSequence::maximum_lines};
  State begin = oscillator_state(begin_time), end;
  double error = 0;  ///< of the gains at the end
  DensePolynomial dense;

  OscillatorStep(int lines, double H) : end(oscillator_state(begin_time + H)) {
    EXPECT_TRUE(solver->analyze(oscillator));
    MidpointRule rule(oscillator, *solver);
    EXPECT_TRUE(rule.begin(begin, false));
    ExtrapolationTableau tableau(midpoint_sequence);
    BasicScheme::Result result;
    for (int line = 1; line <= lines; ++line) {
      EXPECT_TRUE(rule.run(midpoint_sequence.steps(line), H, result, history[static_cast<std::size_t>(line - 1)]));
      Eigen::VectorXd entry = gains(result);
      tableau.add(entry);
    }
    Eigen::VectorXd exact(3);
    exact << end.p - begin.p, end.v - begin.v, end.r - begin.r;
    error = (tableau.value() - exact).norm();
    dense.t_begin = begin.t;
    dense.t_end = end.t;
    for (DensePolynomial::Group* group : {&dense.p, &dense.v, &dense.r, &dense.a}) group->components = {0};
    const Eigen::VectorXd r0 = begin.p - begin.r, r1 = end.p - end.r;
    rule.interpolate({history, lines, H}, 0, {begin, end, begin.v, end.v, r0, r1}, dense);
  }
  /// Largest errors inside the step: of p, v and r, and of a.
  std::pair<double, double> errors_between() const {
    double differential = 0, algebraic = 0;
    State state = end;
    for (int i = 1; i < 16; ++i) {
      const double t = begin.t + (end.t - begin.t) * i / 16;
      dense.evaluate(t, state);
      const State exact = oscillator_state(t);
      differential = std::max({differential, std::abs(state.p[0] - exact.p[0]), std::abs(state.v[0] - exact.v[0]),
                               std::abs(state.r[0] - exact.r[0])});
      algebraic = std::max(algebraic, std::abs(state.a[0] - exact.a[0]));
    }
    return {differential, algebraic};
  }
};

TEST(MidpointRule, HasOrderTwo) {
  const double H = 0.5;
  const auto error = [H](int n) {
    FilteredOscillator oscillator;
    auto solver = make_linear_solver("dense-lu", oscillator);
    EXPECT_TRUE(solver->analyze(oscillator));
    MidpointRule rule(oscillator, *solver);
    State begin = oscillator_state(0.4);
    EXPECT_TRUE(rule.begin(begin, false));
    EXPECT_EQ(begin.a[0], -begin.p[0]);
    BasicScheme::Result result;
    BasicScheme::History history;
    EXPECT_TRUE(rule.run(n, H, result, history));
    const State end = oscillator_state(0.4 + H);
    Eigen::VectorXd exact(3);
    exact << end.p - begin.p, end.v - begin.v, end.r - begin.r;
    return (gains(result) - exact).norm();
  };
  EXPECT_NEAR(error(32) / error(64), 4.0, 0.01);  // up to h^2 e4 / e2, 1e-3
}

// T(k, k) has the local error O(H^(2 k + 1)). Half an order: the next term of the expansion is H^2 smaller.
TEST(MidpointRule, ExtrapolatedColumnsGainTwoOrdersEach) {
  for (int k = 1; k <= 4; ++k) {
    const double order = std::log2(OscillatorStep(k, 1.2).error / OscillatorStep(k, 0.6).error);
    EXPECT_NEAR(order, 2 * k + 1, 0.5) << "column " << k;
  }
}

TEST(MidpointRule, DenseOutputHasTheOrderOfTheErrorEstimate) {
  for (int lines = 2; lines <= 4; ++lines) {
    const OscillatorStep coarse(lines, 1.2), fine(lines, 0.6);
    const auto [differential, algebraic] = coarse.errors_between();
    const auto [fine_differential, fine_algebraic] = fine.errors_between();
    EXPECT_GT(std::log2(differential / fine_differential), 2 * lines - 0.5) << lines;
    EXPECT_GT(std::log2(algebraic / fine_algebraic), 2 * lines - 1 - 0.5) << lines;
    EXPECT_EQ(fine.dense.differential_degree(), 2 * lines + 1);
    EXPECT_EQ(fine.dense.algebraic_degree(), 2 * lines - 2);
  }
}

TEST(MidpointExtrapolation, ReachesTheToleranceOnThePendulum) {
  const auto [angle, rate] = test::pendulum_angle(2.0);
  for (double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
    AnglePendulum pendulum;
    const Integration run = integrate(pendulum, with_tolerance(tolerance), 2.0);
    ASSERT_TRUE(run.outcome) << run.outcome.reason();
    const State& end = run.integrator->state();
    EXPECT_EQ(end.t, 2.0);
    // Local errors of at most the tolerance grow over about 10 steps, with the pendulum's growth of about 10.
    EXPECT_NEAR(end.p[0], angle, 100 * tolerance);
    EXPECT_NEAR(end.v[0], rate, 1000 * tolerance);
    EXPECT_EQ(end.a[0], AnglePendulum::acceleration(end.p[0]));
  }
}

TEST(MidpointExtrapolation, IsTakenByItselfWhereThereAreNoRowsAndNeedsFewerEvaluations) {
  const auto evaluations = [](Discretisation discretisation) {
    AnglePendulum pendulum;
    ExtrapolationOptions options = with_tolerance(1e-9);
    options.discretisation = discretisation;
    EXPECT_TRUE(integrate(pendulum, options, 2.0).outcome);
    return pendulum.counters().force;
  };
  const auto automatic = evaluations(Discretisation::automatic);
  EXPECT_EQ(automatic, evaluations(Discretisation::midpoint));
  EXPECT_LT(automatic, evaluations(Discretisation::standard));
}

// A line of n sub-steps evaluates n - 1 times, the first evaluation being common to all lines; a step adds that of its
// end, and so does the start, once more where the step is rejected for what is interpolated inside. Every tenth step
// looks beside the state for the limit of stability.
TEST(MidpointExtrapolation, EvaluatesAsOftenAsTheMethodSays) {
  AnglePendulum pendulum;
  Integration run = start(pendulum, with_tolerance(1e-7), pendulum.initial_state());
  std::int64_t expected = 1;
  while (run.outcome && run.integrator->state().t < 3) {
    run.outcome = run.integrator->step(3);
    for (const StepRecord& record : run.integrator->records()) {
      for (int line = 1; line <= record.order; ++line) expected += midpoint_sequence.evaluations(line);
      const bool is_off_inside = record.reason.find("interpolated inside the step") != std::string::npos;
      expected += record.accepted ? 1 : is_off_inside ? 2 : 0;
    }
  }
  ASSERT_TRUE(run.outcome) << run.outcome.reason();
  expected += run.integrator->statistics().steps / 10;
  EXPECT_EQ(pendulum.counters().force, expected);
  EXPECT_EQ(run.solver->statistics().factorizations, expected);
}

TEST(MidpointExtrapolation, KeepsEveryMaximumOrder) {
  const double angle = test::pendulum_angle(0.5).first;
  for (int order = 3; order <= StepSequence::maximum_lines; ++order) {
    AnglePendulum pendulum;
    ExtrapolationOptions options = with_tolerance(1e-7);
    options.maximum_order = order;
    Integration run = start(pendulum, options, pendulum.initial_state());
    while (run.outcome && run.integrator->state().t < 0.5) {
      run.outcome = run.integrator->step(0.5);
      for (const StepRecord& record : run.integrator->records()) EXPECT_LE(record.order, order);
    }
    ASSERT_TRUE(run.outcome) << run.outcome.reason();
    EXPECT_NEAR(run.integrator->state().p[0], angle, 1e-5);
  }
}

TEST(MidpointExtrapolation, DenseOutputIsAsAccurateAsTheStepsThemselves) {
  for (double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
    FilteredOscillator oscillator;
    Integration run = start(oscillator, with_tolerance(tolerance), oscillator.initial_state());
    double worst[4] = {};
    while (run.outcome && run.integrator->state().t < 20.0) {
      run.outcome = run.integrator->step(20.0);
      const DensePolynomial& dense = run.integrator->dense(true);
      State state = run.integrator->state();
      for (int i = 0; i <= 8; ++i) {
        dense.evaluate(dense.t_begin + i * (dense.t_end - dense.t_begin) / 8, state);
        const State exact = oscillator_state(state.t);
        worst[0] = std::max(worst[0], std::abs(state.p[0] - exact.p[0]));
        worst[1] = std::max(worst[1], std::abs(state.v[0] - exact.v[0]));
        worst[2] = std::max(worst[2], std::abs(state.r[0] - exact.r[0]));
        worst[3] = std::max(worst[3], std::abs(state.a[0] - exact.a[0]));
      }
    }
    ASSERT_TRUE(run.outcome) << run.outcome.reason();
    for (double error : worst) EXPECT_LT(error, 100 * tolerance) << tolerance;  // over 20 s, three periods
  }
}

TEST(MidpointExtrapolation, DenseOutputMeetsBothEndsAndKeepsToSelectionAndDegree) {
  AnglePendulum whole_pendulum, pendulum;
  ExtrapolationOptions options = with_tolerance(1e-8);
  Integration whole = start(whole_pendulum, options, whole_pendulum.initial_state());
  options.dense.p = std::vector<int>{0};
  options.dense.v = options.dense.a = options.dense.r = std::vector<int>{};
  options.maximum_dense_degree = 5;
  Integration part = start(pendulum, options, pendulum.initial_state());
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(whole.integrator->step(10.0));
    ASSERT_TRUE(part.integrator->step(10.0));
    const DensePolynomial& dense = whole.integrator->dense(true);
    State state = whole.integrator->state();
    dense.evaluate(dense.t_end, state);
    EXPECT_NEAR(state.p[0], whole.integrator->state().p[0], 1e-13);
    EXPECT_NEAR(state.a[0], whole.integrator->state().a[0], 1e-12);
    dense.evaluate(dense.t_begin, state);
    EXPECT_EQ(state.p, whole.integrator->previous_state().p);
    EXPECT_EQ(state.a, whole.integrator->previous_state().a);
    const DensePolynomial& selected = part.integrator->dense(false);
    EXPECT_EQ(selected.p.coefficients.rows(), 1);
    EXPECT_EQ(selected.v.coefficients.rows(), 0);
    EXPECT_LE(selected.differential_degree(), 5);
  }
  options.maximum_dense_degree = 3;  // values and slopes at the ends only
  AnglePendulum cubic_pendulum;
  Integration cubic = start(cubic_pendulum, options, cubic_pendulum.initial_state());
  ASSERT_TRUE(cubic.integrator->step(10.0));
  EXPECT_EQ(cubic.integrator->dense(true).differential_degree(), 3);
  EXPECT_EQ(cubic.integrator->dense(true).algebraic_degree(), 1);
}

TEST(MidpointExtrapolation, RefusesRowsAndForcesThatReadReactionsByName) {
  ExtrapolationOptions options = with_tolerance(1e-6);
  options.discretisation = Discretisation::midpoint;
  CartesianPendulum pendulum;
  EXPECT_EQ(start(pendulum, options, pendulum.initial_state()).outcome.reason(),
            "extrapolation: the midpoint rule treats no constraints, and the given equations of model 'equations' have "
            "1 constraint rows, among them rod; take discretisation automatic or standard, or relative coordinates "
            "where all joints form a tree.");

  class ReadingOscillator : public FilteredOscillator {
    bool forces_read_multipliers() const override { return true; }
  } oscillator;
  EXPECT_EQ(start(oscillator, options, oscillator.initial_state()).outcome.reason(),
            "extrapolation: the midpoint rule treats no forces that read reactions, as those of model 'equations' do; "
            "take discretisation automatic or friction.");
}

/// A pendulum whose mass vanishes at the angle of 1 rad.
class VanishingMass : public AnglePendulum {
  void do_M(BlockMatrix& M) override { M.data()[0] = position()[0] > 1 ? 1 : 0; }
};

TEST(MidpointExtrapolation, ReportsASingularMatrixWhereItMeetsOne) {
  VanishingMass pendulum;
  const Integration run = integrate(pendulum, with_tolerance(1e-6), 2.0);
  ASSERT_FALSE(run.outcome);
  EXPECT_NE(run.outcome.reason().find("step size became too small"), std::string::npos) << run.outcome.reason();
  EXPECT_NE(run.outcome.reason().find("singular"), std::string::npos) << run.outcome.reason();
  EXPECT_NEAR(run.integrator->state().p[0], 1.0, 1e-3);
}

}  // namespace midpoint_test
}  // namespace linkwork
