#include <linkwork/solvers/integrators/bdf.hpp>
#include "../messages.hpp"

#include "posed_systems.hpp"

#include <linkwork/solvers/integrators/bdf_history.hpp>
#include <linkwork/solvers/simulation/simulation.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace linkwork {
namespace bdf_test {

using test::contains;

using test::CartesianPendulum;
using test::LeveredPendulum;

// ---------------------------------------------------------------------------------------------- the history

/// Backward differentiation of order k for y' = -y on [0, 2], exact start values, steps that alternate by `ratio`.
double error_of_decay(int order, int steps, double ratio) {
  const double mean = 2.0 / steps, shorter = 2 * mean / (1 + ratio), longer = ratio * shorter;
  BdfHistory history;
  const auto exact = [](double t) { return Eigen::VectorXd::Constant(1, std::exp(-t)); };
  double t = 0;
  history.start(exact(t), -exact(t));
  Eigen::VectorXd predicted, rate(1);
  for (int n = 0; n < steps; ++n) {
    const double h = n % 2 == 0 ? shorter : longer;
    history.prepare(h);
    history.predict(predicted, rate);
    const double alpha = history.leading_coefficient();
    // The first steps are exact, so that the past is that of order k.
    const bool starts = n < order + 1;
    const Eigen::VectorXd correction =
        starts ? Eigen::VectorXd(exact(t + h) - predicted) : Eigen::VectorXd(-(rate + predicted) / (alpha + 1));
    history.accept(correction);
    t += h;
    if (history.order() < order) history.set_order(history.order() + 1);
  }
  return std::abs(history.difference(0)[0] - std::exp(-t));
}

TEST(BdfHistory, HasTheOrderOfItsFormulas) {
  for (double ratio : {1.0, 1.5})
    for (int order = 1; order <= BdfHistory::highest_order; ++order) {
      const double coarse = error_of_decay(order, 80, ratio), fine = error_of_decay(order, 160, ratio);
      // The next term of the error is h times a number near 1, h = 0.025. Worst seen: 0.024 off. A formula that is
      // wrong anywhere has order 1 or none.
      EXPECT_NEAR(std::log2(coarse / fine), order, 0.1) << "ratio " << ratio;
    }
}

TEST(BdfHistory, PredictsPolynomialsExactly) {
  for (int order = 1; order <= BdfHistory::highest_order; ++order) {
    const auto polynomial = [&](double t) { return Eigen::VectorXd::Constant(1, 1 + std::pow(t, order)); };
    const auto derivative = [&](double t) { return order * std::pow(t, order - 1); };
    BdfHistory history;
    history.start(polynomial(0.5), Eigen::VectorXd::Constant(1, derivative(0.5)));
    Eigen::VectorXd predicted, rate(1);
    double t = 0.5;
    for (int n = 0; n < 12; ++n) {
      const double h = 0.1 * (1 + 0.3 * std::sin(n));
      history.prepare(h);
      history.predict(predicted, rate);
      t += h;
      if (n > order) {
        // Rounding of numbers up to 10^2 and of differences of order 5: worst seen 6e-14
        // and 1e-12.
        EXPECT_NEAR(predicted[0], polynomial(t)[0], 1e-12);
        EXPECT_NEAR(rate[0], derivative(t), 2e-11);
      }
      history.accept(polynomial(t) - predicted);
      if (history.order() < order) history.set_order(history.order() + 1);
    }
  }
}

// ---------------------------------------------------------------------------------------------- accuracy

SimulationOptions with(const BdfOptions& options, const std::string& solver = "dense-lu") {
  SimulationOptions out;
  out.linear_solver = solver;
  out.integrator = options;
  return out;
}

template <class System, class... Arguments>
Simulation simulation_of(const SimulationOptions& options, Arguments... arguments) {
  return Simulation(std::make_unique<System>(arguments...), options);
}

TEST(Bdf, ReachesOrdersOneToFive) {
  // Errors against numbers of steps, both in logarithms, over tolerances where the largest order rules: the slope of
  // the straight line that fits best. Steps and orders vary, so that the points scatter about it: worst seen 0.60 off
  // (order 5, whose loosest tolerances still take some steps of order 4). The orders of the formulas are tested above.
  for (int order = 1; order <= 5; ++order) {
    double x = 0, y = 0, xx = 0, xy = 0, count = 0;
    const double loosest = order < 5 ? 1e-4 : 1e-8, tightest = order == 1 ? 1e-6 : (order < 5 ? 1e-10 : 1e-12);
    for (double tolerance = loosest; tolerance > tightest; tolerance *= 0.5) {
      Simulation simulation =
          simulation_of<test::FilteredOscillator>(with({.rtol = tolerance, .atol = tolerance, .maximum_order = order}));
      double error = 0;
      for (const TrajectorySegment& segment : simulation.run(0, 6).segments())
        error = std::max({error, std::abs(segment.end.p[0] - std::cos(segment.end.t)),
                          std::abs(segment.end.r[0] - test::FilteredOscillator::filtered(segment.end.t))});
      const double steps = std::log(static_cast<double>(simulation.statistics().integrator.steps));
      x += steps, y += std::log(error), xx += steps * steps, xy += steps * std::log(error), ++count;
    }
    EXPECT_NEAR(-(count * xy - x * y) / (count * xx - x * x), order, 0.7) << "order " << order;
  }
}

TEST(Bdf, FollowsThePendulum) {
  for (double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
    Simulation simulation = simulation_of<CartesianPendulum>(with({.rtol = tolerance, .atol = tolerance}));
    const State end = simulation.run(0, 2).final_state(), exact = test::pendulum_state(2);
    // Errors of steps add up over some hundred steps: worst seen 18 tolerances in positions, 64 in velocities.
    EXPECT_LT((end.p - exact.p).norm(), 100 * tolerance);
    EXPECT_LT((end.v - exact.v).norm(), 300 * tolerance);
    // Multipliers and accelerations are as accurate as derivatives of velocities: worst seen 400.
    EXPECT_LT((end.lambda - exact.lambda).norm(), 2000 * tolerance);
    EXPECT_LT((end.a - exact.a).norm(), 2000 * tolerance);
  }
}

TEST(Bdf, KeepsTheConstraintsWithinTheTolerance) {
  constexpr double fastest = 4.43;  // [m/s] sqrt(2 g)
  for (double tolerance : {1e-3, 1e-6, 1e-9}) {
    Simulation simulation = simulation_of<CartesianPendulum>(with({.rtol = tolerance, .atol = tolerance}));
    simulation.run(0, 10);
    // What the last correction, of some tolerances, leaves of the residuals. Worst seen, at 1e-3: 0.4 and 2.7 times.
    EXPECT_LT(simulation.constraint_residual().position_m, tolerance);
    EXPECT_LT(simulation.constraint_residual().velocity_m_per_s, 4 * tolerance * (1 + fastest));
  }
}

TEST(Bdf, FinishesTheConstraintsToRounding) {
  for (double tolerance : {1e-3, 1e-6, 1e-9}) {
    Simulation simulation =
        simulation_of<CartesianPendulum>(with({.rtol = tolerance, .atol = tolerance, .finish = true}));
    const State end = simulation.run(0, 2).final_state(), exact = test::pendulum_state(2);
    // Rounding of a length of 1 m and of a speed of 4.4 m/s.
    EXPECT_LT(simulation.constraint_residual().position_m, 1e-15);
    EXPECT_LT(simulation.constraint_residual().velocity_m_per_s, 1e-14);
    // As without (see FollowsThePendulum).
    EXPECT_LT((end.p - exact.p).norm(), 100 * tolerance);
    EXPECT_LT((end.v - exact.v).norm(), 300 * tolerance);
  }
}

// By half of the tolerance the pendulum would move within 5e-13 s; time at the end of the run is known to 2e-10 s.
TEST(Bdf, StartsWithAStepThatTimeCanTell) {
  Simulation simulation = simulation_of<CartesianPendulum>(with({.rtol = 1e-11, .atol = 1e-11}));
  int steps = 0;
  simulation.observe([&](const State&, EquationsOfMotion&) { return ++steps < 10; });
  simulation.run(0, 1e6);
  EXPECT_EQ(steps, 10);
}

TEST(Bdf, TakesConstraintsThatMove) {
  // The length of the pendulum is given: the extrapolation method is the second route.
  const auto end = [](const IntegratorOptions& integrator) {
    SimulationOptions options;
    options.linear_solver = "dense-lu";
    options.integrator = integrator;
    Simulation simulation(std::make_unique<CartesianPendulum>(0.3), options);
    return simulation.run(0, 2).final_state();
  };
  const State reference = end(ExtrapolationOptions{.rtol = 1e-11, .atol = 1e-11});
  const State bdf = end(BdfOptions{.rtol = 1e-8, .atol = 1e-8});
  EXPECT_LT((bdf.p - reference.p).norm(), 1e-6);  // 100 tolerances; seen 3e-9
  EXPECT_LT((bdf.v - reference.v).norm(), 3e-6);  // seen 1.8e-7
}

TEST(Bdf, TakesForcesThatReadMultipliers) {
  const double mu = 0.3;
  Simulation simulation = simulation_of<test::CableDrum>(with({.rtol = 1e-8, .atol = 1e-8}), mu);
  const State end = simulation.run(0, 1).final_state();
  EXPECT_NEAR(end.p[3], test::CableDrum(mu).load_height(1) - 1, 1e-7);  // y starts at -1; seen 1.4e-8
}

TEST(Bdf, GivesTheSameWithEveryJacobian) {
  const State exact = test::pendulum_state(1);
  for (Formalism formalism : {Formalism::residual, Formalism::explicit_inverse})
    for (Differences differences : {Differences::dense, Differences::grouped})
      for (PartitionedUpdates partitioned :
           {PartitionedUpdates::off, PartitionedUpdates::on, PartitionedUpdates::extended})
        for (IterationSolver matrix : {IterationSolver::dense, IterationSolver::klu}) {
          BdfOptions options{.rtol = 1e-7, .atol = 1e-7, .formalism = formalism, .matrix = matrix};
          options.jacobian.differences = differences;
          options.jacobian.partitioned = partitioned;
          Simulation simulation = simulation_of<CartesianPendulum>(with(options));
          EXPECT_LT((simulation.run(0, 1).final_state().p - exact.p).norm(), 5e-6);  // worst seen 9e-7
          const IntegratorStatistics& s = simulation.statistics().integrator;
          EXPECT_GT(s.jacobian_evaluations, 0);
          EXPECT_EQ(s.jacobian_updates > 0, partitioned != PartitionedUpdates::off);
          EXPECT_GE(s.factorizations, s.jacobian_evaluations);
          EXPECT_GT(s.function_calls, s.jacobian_function_calls);
        }
}

// ---------------------------------------------------------------------------------------------- dense output

TEST(Bdf, DenseOutputIsContinuousAndAsAccurateAsTheSteps) {
  const double tolerance = 1e-8;
  Simulation simulation = simulation_of<CartesianPendulum>(with({.rtol = tolerance, .atol = tolerance}));
  const Trajectory& path = simulation.run(0, 2);
  double position = 0, velocity = 0, acceleration = 0, multiplier = 0;
  for (double t = 0.1; t < 2; t += 0.003) {  // the first steps have low order
    const State state = path.at(t), exact = test::pendulum_state(t);
    position = std::max(position, (state.p - exact.p).norm());
    velocity = std::max(velocity, (state.v - exact.v).norm());
    acceleration = std::max(acceleration, (state.a - exact.a).norm());
    multiplier = std::max(multiplier, (state.lambda - exact.lambda).norm());
  }
  // Positions and velocities as at the ends of steps: seen 18 and 72 tolerances. Accelerations and multipliers have no
  // error test: seen 1.5e4, in the early steps of low order.
  EXPECT_LT(position, 100 * tolerance);
  EXPECT_LT(velocity, 300 * tolerance);
  EXPECT_LT(acceleration, 5e4 * tolerance);
  EXPECT_LT(multiplier, 5e4 * tolerance);
  double jump = 0;
  for (const TrajectorySegment& segment : path.segments()) {
    State left = segment.begin, right = segment.end;
    segment.dense->evaluate(segment.begin.t, left);
    segment.dense->evaluate(segment.end.t, right);
    jump = std::max(
        {jump, (left.p - segment.begin.p).norm(), (right.p - segment.end.p).norm(), (right.v - segment.end.v).norm()});
  }
  EXPECT_LT(jump, 1e-13);  // rounding of numbers up to 5, of polynomials up to degree 5
}

// ---------------------------------------------------------------------------------------------- events

TEST(Bdf, FindsEventsAndRestartsAtOrderOne) {
  SimulationOptions options = with({.rtol = 1e-8, .atol = 1e-8});
  Simulation simulation = simulation_of<CartesianPendulum>(options);
  std::vector<double> times;
  Event lowest;
  lowest.name = "lowest point";
  lowest.function = [](const State& state, EquationsOfMotion&) { return state.p[0]; };
  lowest.action = Event::Action::change;
  lowest.effect = [&](State& state, EquationsOfMotion&) {
    times.push_back(state.t);
    state.v = -state.v;  // thrown back the way it came
  };
  simulation.add_event(lowest);
  simulation.run(0, 4);
  ASSERT_EQ(times.size(), 3u);
  // It falls for a quarter of its period T, then goes up and comes back in half of it, again and again.
  // T / 4 = K(1/sqrt 2) / omega, K the complete elliptic integral.
  const double quarter = 1.8540746773013719 / std::sqrt(CartesianPendulum::gravity);
  for (std::size_t i = 0; i < times.size(); ++i)
    EXPECT_NEAR(times[i], (2.0 * static_cast<double>(i) + 1) * quarter, 1e-6);  // worst seen 3.5e-8
  EXPECT_EQ(simulation.statistics().restarts, 3);
}

// ---------------------------------------------------------------------------------------------- failures

std::string failure_of(double (*force)(double, double), const BdfOptions& options, double* reached = nullptr) {
  Simulation simulation(std::make_unique<test::Mass>(force), with(options));
  try {
    simulation.run(0, 2);
  } catch (const RunError& error) {
    if (reached) *reached = error.time_reached();
    return error.what();
  }
  return "";
}

TEST(Bdf, NamesAForceThatIsNotFiniteAfterItHasReducedItsSteps) {
  double reached = 0;
  const std::string message = failure_of(
      [](double t, double x) { return t > 1 ? std::numeric_limits<double>::quiet_NaN() : -x; }, {}, &reached);
  EXPECT_TRUE(contains(message, "the step size became too small")) << message;
  EXPECT_TRUE(contains(message, "the generalised force is not finite")) << message;
  EXPECT_TRUE(contains(message, "mass")) << message;
  EXPECT_NEAR(reached, 1, 1e-2);  // as near as ten steps a quarter each come
}

TEST(Bdf, NamesTheComponentWhoseErrorStaysTooLarge) {
  // A force that is a different one in every evaluation: no step is small enough for its error.
  const std::string message = failure_of(
      [](double t, double x) { return t < 0.5 ? -x : 1e9 * std::sin(1e12 * (t + x)); }, {.rtol = 1e-9, .atol = 1e-9});
  EXPECT_TRUE(contains(message, "failed in one step") || contains(message, "the step size became too small"))
      << message;
  EXPECT_TRUE(contains(message, "mass") || contains(message, "place")) << message;
}

// The message says in what it measures. A tolerance that has no digits to give is kept as it is.
TEST(Bdf, HasAFiftiethOfTheToleranceBehindARestart) {
  for (const double tolerance : {1e-6, 1e-11}) {
    Simulation simulation(
        std::make_unique<test::Mass>([](double t, double x) { return t < 0.5 ? -x : 1e9 * std::sin(1e12 * (t + x)); }),
        with({.rtol = tolerance, .atol = tolerance}));
    Event late{.name = "late", .function = [](const State& state, EquationsOfMotion&) { return state.t - 0.499; }};
    late.action = Event::Action::change;
    late.effect = [](State&, EquationsOfMotion&) {};
    simulation.add_event(late);
    const std::string message = test::error_of([&] { simulation.run(0, 2); });
    const char* measure = tolerance == 1e-6 ? " times the tolerance that steps behind a restart have, 0.02 of the usual"
                                            : " times the tolerance that steps behind a restart have, 0.1 of the usual";
    EXPECT_TRUE(contains(message, measure)) << message;
  }
}

TEST(Bdf, NamesTheLimitOfSteps) {
  const std::string message = failure_of([](double, double x) { return -x; }, {.maximum_steps = 5});
  EXPECT_TRUE(contains(message, "the limit of 5 steps is reached")) << message;
}

TEST(Bdf, NamesStepsThatAreLostInRounding) {
  const std::string message = failure_of([](double, double x) { return -x; }, {.first_step = 1e-17});
  EXPECT_TRUE(contains(message, "the step size became too small")) << message;
  EXPECT_TRUE(contains(message, "lost in the rounding of time")) << message;
}

/// A mass on a rod that is held twice: the second row depends on the first.
class TwiceHeldPendulum : public EquationsOfMotion {
 public:
  TwiceHeldPendulum() : EquationsOfMotion({.p = 2, .v = 2, .lambda = 2}) {
    M_.add_block(0, 0, 2, 2);
    G_.add_block(0, 0, 2, 2);
  }
  State initial_state() const override {
    State s = EquationsOfMotion::initial_state();
    s.p << 1, 0;
    return s;
  }
  std::string constraint_name(int row) const override { return row == 0 ? "rod" : "copy"; }

 private:
  void do_M(BlockMatrix& M) override { M.data()[0] = M.data()[3] = 1; }
  void do_G(BlockMatrix& G, Eigen::VectorXd& offset) override {
    for (int row = 0; row < 2; ++row)
      for (int i = 0; i < 2; ++i) G.data()[2 * row + i] = (row + 1) * position()[i];
    offset.setZero();
  }
  void do_g(Eigen::VectorXd& g) override {
    g[0] = 0.5 * (position().squaredNorm() - 1);
    g[1] = 2 * g[0];
  }
  void do_f(Eigen::VectorXd& f) override { f << 0, -CartesianPendulum::gravity; }
  void do_gamma(Eigen::VectorXd& gamma) override { gamma << -velocity().squaredNorm(), -2 * velocity().squaredNorm(); }
};

TEST(Bdf, TreatsConstraintsThatDependOnEachOther) {
  Simulation simulation = simulation_of<TwiceHeldPendulum>(with({.rtol = 1e-8, .atol = 1e-8}, "redundant"));
  const Trajectory& path = simulation.run(0, 1);
  const State end = path.final_state(), exact = test::pendulum_state(1);
  EXPECT_LT((end.p - exact.p).norm(), 1e-6);  // 100 tolerances; seen 4e-8
  // G^T lambda = (lambda_0 + 2 lambda_1) p, the norm of (lambda_0, lambda_1) least: lambda_1 = 2 lambda_0.
  EXPECT_NEAR(end.lambda[0] + 2 * end.lambda[1], exact.lambda[0], 2e-5);  // 2000 tolerances; seen 3e-7
  EXPECT_NEAR(end.lambda[1], 2 * end.lambda[0], 1e-9);
  const State between = path.at(0.7317);
  EXPECT_NEAR(between.lambda[1], 2 * between.lambda[0], 1e-9);
}

TEST(Bdf, RefusesDependentConstraintsWhereTheLinearSolverDoes) {
  Simulation simulation = simulation_of<TwiceHeldPendulum>(with({}));
  try {
    simulation.run(0, 1);
    FAIL();
  } catch (const RunError& error) {
    EXPECT_TRUE(contains(error.what(), "singular")) << error.what();
    EXPECT_TRUE(contains(error.what(), "redundant")) << error.what();
  }
}

TEST(Bdf, GoesOnWhereRedundantConstraintsBecomeIndependent) {
  Simulation simulation = simulation_of<LeveredPendulum>(with({.rtol = 1e-8, .atol = 1e-8}, "redundant"), true);
  const State end = simulation.run(0, 1).final_state(), exact = test::pendulum_state(1);
  EXPECT_LT((end.p.head<2>() - exact.p).norm(), 1e-6);  // 100 tolerances
  EXPECT_LT((end.v.head<2>() - exact.v).norm(), 3e-6);  // 300 tolerances, as without the copy
  // With the lever out nothing loads the copy: the rod alone carries the mass.
  EXPECT_NEAR(end.lambda[0], exact.lambda[0], 2e-5);  // 2000 tolerances
  EXPECT_NEAR(end.lambda[1], 0, 2e-5);
}

TEST(Bdf, NamesConstraintsThatBecomeDependentWhereNothingLooksForIt) {
  // A solver of independent rows: the matrix of Newton's iteration turns singular in the run.
  Simulation simulation = simulation_of<LeveredPendulum>(with({.rtol = 1e-8, .atol = 1e-8}), false);
  try {
    simulation.run(0, 1);
    FAIL();
  } catch (const RunError& error) {
    const std::string message = error.what();
    EXPECT_TRUE(contains(message, "the iteration matrix is singular")) << message;
    EXPECT_TRUE(contains(message, "the multiplier of rod")) << message;
    EXPECT_TRUE(contains(message, "the multiplier of copy")) << message;
    EXPECT_NEAR(error.time_reached(), 0.5, 0.1) << message;
  }
}

TEST(Bdf, RecoversItsStepAfterAJump) {
  // The force jumps by 5 at t = 1. Left to itself the solution needs the same steps before and after.
  const auto force = [](double t, double x) { return t < 1 ? -x : 5 - x; };
  Simulation simulation(std::make_unique<test::Mass>(force), with({.rtol = 1e-6, .atol = 1e-6}));
  const Trajectory& path = simulation.run(0, 4);
  double largest_before = 0, smallest = 1, largest_after = 0;
  for (const TrajectorySegment& segment : path.segments()) {
    const double h = segment.end.t - segment.begin.t;
    if (segment.end.t < 1) largest_before = std::max(largest_before, h);
    if (segment.begin.t > 2) largest_after = std::max(largest_after, h);
    smallest = std::min(smallest, segment.begin.t > 0.9 && segment.end.t < 1.2 ? h : 1);
  }
  EXPECT_LT(smallest, 0.1 * largest_before);
  EXPECT_GT(largest_after, 0.5 * largest_before);
  // x = 5 + A cos t + B sin t from t = 1 on. The error at the jump is that of one step: seen 2.4e-5.
  const double x = std::cos(1.0), v = -std::sin(1.0), s = 3;
  EXPECT_NEAR(path.final_state().p[0], 5 + (x - 5) * std::cos(s) + v * std::sin(s), 1e-3);
}

// ---------------------------------------------------------------------------------------------- misuse

std::string refusal_of(const BdfOptions& options) { return options.why_invalid(); }

TEST(BdfOptions, SaysWhatIsWrong) {
  EXPECT_EQ(refusal_of({}), "");
  EXPECT_TRUE(contains(refusal_of({.rtol = -1}), "rtol = -1"));
  EXPECT_TRUE(contains(refusal_of({.maximum_order = 6}), "maximum_order is 6; expected 1 to 5"));
  EXPECT_TRUE(contains(refusal_of({.first_step = -1}), "first_step is -1 s"));
  EXPECT_TRUE(contains(refusal_of({.maximum_step = -1}), "maximum_step is -1 s"));
  EXPECT_TRUE(contains(refusal_of({.maximum_steps = 0}), "maximum_steps is 0"));
  EXPECT_THROW(make_integrator(BdfOptions{.maximum_order = 0}), ModelError);
}

TEST(BdfOptions, MustFitTheSystem) {
  BdfOptions options;
  options.components.p_atol = {1e-6};
  Simulation simulation = simulation_of<CartesianPendulum>(with(options));
  try {
    simulation.run(0, 1);
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_TRUE(contains(error.what(), "BdfOptions: components.p_atol has 1 entries; this system has 2"))
        << error.what();
  }
}

TEST(Bdf, RefusesInitialValuesFarFromTheConstraints) {
  Simulation simulation = simulation_of<CartesianPendulum>(with({}));
  State start = CartesianPendulum().initial_state();
  start.p << 1.1, 0;
  simulation.set_initial_state(start);
  try {
    simulation.run(0, 1);
    FAIL();
  } catch (const RunError& error) {
    EXPECT_TRUE(contains(error.what(), "the initial positions are not consistent: rod is off by")) << error.what();
  }
}

}  // namespace bdf_test
}  // namespace linkwork
