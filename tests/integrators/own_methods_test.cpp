// What the library gives to integrators, correctors and linear solvers that are not its own.

#include "posed_systems.hpp"

#include "../messages.hpp"

#include <linkwork/solvers/integrators/stepping_integrator.hpp>
#include <linkwork/solvers/newton/simplified_newton.hpp>
#include <linkwork/solvers/simulation/simulation.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace linkwork {
namespace own_methods_test {

using test::contains;
using test::error_of;
using test::Mass;

/// Attempts whose outcome the test decides; accepted ones go along the tangent.
class Scripted final : public SteppingIntegrator {
 public:
  using Script = std::function<Verdict(const StepEnd&, StepRecord&)>;
  Scripted(Script script, const SteppingOptions& options = {}, const StepRules& rules = {})
      : SteppingIntegrator(options, rules), script_(std::move(script)) {}
  std::string_view name() const override { return "scripted"; }
  Outcome initialize(EquationsOfMotion& equations, LinearSolver& solver, const State& start) override {
    has_stepped_ = false;
    return start_consistently(equations, solver, start, [this] { return find_rates(state_, rates_); });
  }
  void wish(double step) { step_ = step; }

 private:
  std::string_view options_name() const override { return "ScriptedOptions"; }
  double first_step(double t_limit) override { return first_share(0.5, t_limit); }
  bool has_stepped() const override { return has_stepped_; }
  Verdict attempt(const StepEnd& end) override {
    end_ = state_;
    end_.t = end.t;
    end_.p += end.h * rates_.p;
    end_.v += end.h * rates_.v;
    return script_(end, records_.back());
  }
  Outcome accept(double h) override {
    has_stepped_ = true;
    previous_ = std::exchange(state_, end_);
    before_ = rates_;
    step_ = h;
    return find_rates(state_, rates_);
  }
  void build_dense(bool /*all*/) override { interpolate_by_rates(before_, rates_); }
  std::string limiting_component() const override { return "everything"; }
  std::string explanation() override { return " It was to be."; }

  Script script_;
  StateRates rates_, before_;
  State end_;
  bool has_stepped_ = false;
};

struct Started {
  Mass equations{[](double, double) { return 1.0; }};
  std::unique_ptr<LinearSolver> solver = make_linear_solver("dense-lu", equations);
  Scripted integrator;

  template <class... Arguments>
  explicit Started(Arguments&&... arguments) : integrator(std::forward<Arguments>(arguments)...) {
    if (const Outcome analysed = solver->analyze(equations); !analysed) throw ModelError(analysed.reason());
    const Outcome begun = integrator.initialize(equations, *solver, equations.initial_state());
    if (!begun) throw ModelError(begun.reason());
  }
};

Verdict accept_all(const StepEnd&, StepRecord&) { return Verdict::accepted; }

TEST(SteppingIntegrator, RepeatsAttemptsUntilOneIsAccepted) {
  int attempts = 0;
  Started started([&](const StepEnd&, StepRecord& record) {
    record.order = 2;
    switch (++attempts) {
      case 1:
        return Verdict::failure;
      case 2:
        throw RecoverableFailure("the law ends there");
      case 3:
        record.error = 4;
        return Verdict::large_error;
      default:
        return Verdict::accepted;
    }
  });
  ASSERT_TRUE(started.integrator.step(1));
  const std::vector<StepRecord>& records = started.integrator.records();
  ASSERT_EQ(records.size(), 4u);
  EXPECT_EQ(records[0].step, 0.5);
  EXPECT_EQ(records[1].step, 0.5 / 4);
  EXPECT_EQ(records[1].reason, "the law ends there");
  EXPECT_EQ(records[2].step, 0.5 / 16);
  EXPECT_DOUBLE_EQ(records[3].step, 0.5 / 16 * 0.9 / 2);  // the error goes with the square
  EXPECT_TRUE(records[3].accepted);
  const IntegratorStatistics& counts = started.integrator.statistics();
  EXPECT_EQ(counts.steps, 1);
  EXPECT_EQ(counts.rejected_steps, 3);
  EXPECT_EQ(counts.convergence_failures, 2);
}

TEST(SteppingIntegrator, EndsWhereItIsAskedTo) {
  Started reaching(accept_all, SteppingOptions{}, StepRules{.stretch = 1.1});
  reaching.integrator.wish(0.95);
  ASSERT_TRUE(reaching.integrator.step(1));
  EXPECT_EQ(reaching.integrator.state().t, 1);  // not 0.95, which would leave a step of 0.05

  Started halving(accept_all, SteppingOptions{}, StepRules{.halves_before_end = true});
  halving.integrator.wish(0.7);
  ASSERT_TRUE(halving.integrator.step(1));
  EXPECT_EQ(halving.integrator.state().t, 0.5);  // not 0.7

  Started limited(accept_all, SteppingOptions{.maximum_step = 0.25});
  EXPECT_EQ(limited.integrator.reach(), 0.25 * 1000000);
  ASSERT_TRUE(limited.integrator.step(1));
  EXPECT_EQ(limited.integrator.state().t, 0.25);
}

TEST(SteppingIntegrator, SaysWhyItEnds) {
  const auto failing = [](Verdict verdict) {
    return [verdict](const StepEnd&, StepRecord& record) {
      record.order = 3;
      record.error = 100;
      record.reason = "it was refused";
      return verdict;
    };
  };
  const auto reason = [](Started&& started, int steps = 1) {
    Outcome outcome;
    for (int i = 0; i < steps && outcome; ++i) outcome = started.integrator.step(1);
    return outcome.reason();
  };
  EXPECT_EQ(reason(Started(failing(Verdict::hopeless))), "it was refused");
  EXPECT_EQ(
      reason(Started(failing(Verdict::failure), SteppingOptions{}, StepRules{.most_failures = 2})),
      "2 Newton iterations failed in one step at t = 0 s, the last one with a step of 0.125 s and order 3: it was "
      "refused. It was to be.");
  EXPECT_EQ(reason(Started(failing(Verdict::large_error), SteppingOptions{}, StepRules{.most_errors = 1})),
            "1 error tests failed in one step at t = 0 s, the last one with a step of 0.5 s and order 3: it was "
            "refused. It was to be.");
  EXPECT_TRUE(contains(reason(Started(failing(Verdict::failure))),
                       " s at t = 0 s; the last attempt failed: it was refused. It was to be."));
  EXPECT_EQ(
      reason(Started(accept_all, SteppingOptions{.maximum_step = 0.25, .maximum_steps = 1}), 2),
      "the limit of 1 steps is reached at t = 0.25 s; raise maximum_steps or loosen the tolerances. The last step "
      "had 0.25 s for the error of everything.");
}

TEST(SteppingIntegrator, TellsWhoMadeAStepTooSmall) {
  Started wished(accept_all);
  wished.integrator.wish(1e-17);
  const std::string of_wish = wished.integrator.step(1).reason();
  EXPECT_TRUE(contains(of_wish, "are lost in the rounding of time; give a larger first_step")) << of_wish;

  Started cut(accept_all);
  cut.integrator.wish(0.25);
  ASSERT_TRUE(cut.integrator.step(1));
  cut.integrator.wish(1e-17);
  const std::string of_errors = cut.integrator.step(1).reason();
  EXPECT_TRUE(contains(of_errors,
                       "the errors of the steps before have cut it below what time resolves, as where a "
                       "solution goes to infinity or jumps, the largest in everything. It was to be."))
      << of_errors;
}

TEST(SteppingIntegrator, InterpolatesByRates) {
  // x = 1 + t^2 / 2 is in the space of cubics; the tangent has left the curve by the end of its step.
  Started started(accept_all);
  started.integrator.wish(0.5);
  ASSERT_TRUE(started.integrator.step(1));
  ASSERT_TRUE(started.integrator.step(1));
  State at = started.integrator.state();
  const State &begin = started.integrator.previous_state(), &end = started.integrator.state();
  started.integrator.dense(true).evaluate(0.75, at);
  EXPECT_NEAR(at.p[0], (begin.p[0] + end.p[0]) / 2 + 0.5 / 8 * (begin.v[0] - end.v[0]), 1e-15);
  EXPECT_NEAR(at.v[0], 0.75, 1e-15);
  EXPECT_NEAR(at.a[0], 1, 1e-15);
}

TEST(SteppingIntegrator, NamesTheOptionsThatDoNotFit) {
  SteppingOptions options;
  options.tolerances.components.p_atol = {1e-6, 1e-6};
  Mass equations([](double, double) { return 1.0; });
  const auto solver = make_linear_solver("dense-lu", equations);
  ASSERT_TRUE(solver->analyze(equations));
  Scripted integrator(accept_all, options);
  EXPECT_TRUE(contains(error_of([&] { (void)integrator.initialize(equations, *solver, equations.initial_state()); }),
                       "ScriptedOptions"));
}

TEST(SteppingIntegrator, RefusesOptionsThatMakeNoSense) {
  EXPECT_EQ(error_of([] { Started(accept_all, SteppingOptions{.maximum_step = -1}); }),
            "ScriptedOptions: maximum_step is -1 s; expected > 0, or 0 for no limit.");
}

TEST(SteppingIntegrator, EndsWhereRejectedStepsDoNotBecomeShorter) {
  class Stubborn final : public SteppingIntegrator {
   public:
    Stubborn() : SteppingIntegrator(SteppingOptions{}) {}
    std::string_view name() const override { return "stubborn"; }
    Outcome initialize(EquationsOfMotion& equations, LinearSolver& solver, const State& start) override {
      return start_consistently(equations, solver, start, [] { return Outcome(); });
    }

   private:
    std::string_view options_name() const override { return "StubbornOptions"; }
    double first_step(double) override { return 0.1; }
    bool has_stepped() const override { return true; }
    Verdict attempt(const StepEnd&) override {
      records_.back().reason = "it does not like it";
      return Verdict::failure;
    }
    Outcome accept(double) override { return {}; }
    void reject(double, Verdict, int) override {}
    void build_dense(bool) override {}
  };
  const IntegratorOptions stubborn([] { return std::make_unique<Stubborn>(); });
  Simulation simulation(std::make_unique<Mass>([](double, double) { return 1.0; }), {.integrator = stubborn});
  EXPECT_TRUE(contains(error_of([&] { simulation.run(0, 1); }),
                       "1000 attempts failed in one step at t = 0 s, the last one with a step of 0.1 s: steps that are "
                       "rejected have to become shorter; it does not like it."));
}

/// An integrator without the base: what it hands back is the test's.
class Raw final : public Integrator {
 public:
  Raw(double to, int positions) : to_(to), positions_(positions) {}
  std::string_view name() const override { return "raw"; }
  Outcome initialize(EquationsOfMotion&, LinearSolver&, const State& start) override {
    state_ = previous_ = start;
    state_.p.setOnes(positions_);
    return {};
  }
  Outcome step(double) override {
    state_.t = to_;
    return {};
  }
  const State& state() const override { return state_; }
  const State& previous_state() const override { return previous_; }
  const DensePolynomial& dense(bool) override { return dense_; }
  const IntegratorStatistics& statistics() const override { return statistics_; }
  const std::vector<StepRecord>& records() const override { return records_; }

 private:
  double to_;
  int positions_;
  State state_, previous_;
  DensePolynomial dense_;
  IntegratorStatistics statistics_;
  std::vector<StepRecord> records_;
};

TEST(OnesOwnIntegrator, IsHeldToTimeAndToTheSystem) {
  const auto message = [](double to, int positions) {
    Simulation simulation(std::make_unique<Mass>([](double, double) { return 1.0; }),
                          {.integrator = [=] { return std::make_unique<Raw>(to, positions); }});
    return error_of([&] { simulation.run(0, 1); });
  };
  for (const double to : {0.0, -1.0, 2.0, std::nan("")})
    EXPECT_TRUE(contains(message(to, 1), "integrator 'raw' went from t = 0 s to ")) << message(to, 1);
  EXPECT_TRUE(contains(message(2, 1), "not behind the limit of 1 s."));
  EXPECT_TRUE(contains(message(0.5, 6), "integrator 'raw' left a state of 6 positions, 1 velocities"));
}

// ---------------------------------------------------------------------------------------------- choices as values

TEST(IntegratorOptions, KnowWhoseTheyAre) {
  IntegratorOptions options = BdfOptions{.rtol = 1e-3};
  ASSERT_NE(options.get_if<BdfOptions>(), nullptr);
  EXPECT_EQ(options.get_if<RadauOptions>(), nullptr);
  options.get_if<BdfOptions>()->keep_invariants = false;
  const IntegratorOptions copy = options;
  EXPECT_EQ(copy.get_if<BdfOptions>()->rtol, 1e-3);
  EXPECT_EQ(copy.make()->name(), "bdf");
  EXPECT_EQ(copy.make()->tolerances().rtol, 1e-3);
  EXPECT_FALSE(copy.make()->keeps_invariants());
}

TEST(LinearSolverChoice, MakesOnesOwnForTheRunAndForWhatIsReadOfIt) {
  int made = 0;
  const LinearSolverChoice own("mine", [&] {
    ++made;
    Mass equations([](double, double) { return 1.0; });
    return make_linear_solver("dense-lu", equations);
  });
  EXPECT_EQ(own.name(), "mine");
  Simulation simulation(std::make_unique<Mass>([](double, double x) { return -x; }), {.linear_solver = own});
  const Trajectory path = simulation.run(0, 1);
  const int of_run = made;
  EXPECT_NEAR(path.at(0.5).a[0], -std::cos(0.5), 1e-4);  // at default tolerances of 1e-6
  EXPECT_EQ(made, of_run + 1);
}

TEST(LinearSolverChoice, RefusesAFactoryThatGivesNothing) {
  const LinearSolverChoice nothing("mine", [] { return std::unique_ptr<LinearSolver>(); });
  EXPECT_EQ(error_of([&] {
              Simulation(std::make_unique<Mass>([](double, double x) { return -x; }), {.linear_solver = nothing});
            }),
            "the factory of linear solver 'mine' gave none; return one.");
  const LinearSolverChoice empty("mine", LinearSolverFactory());
  EXPECT_EQ(error_of([&] {
              Simulation(std::make_unique<Mass>([](double, double x) { return -x; }), {.linear_solver = empty});
            }),
            "the factory of linear solver 'mine' is empty; give a function that makes one.");
}

TEST(Correctors, RefuseAFactoryThatGivesNothing) {
  const CorrectorFactory nothing = [](ResidualFunction&, const StateLayout&) { return std::unique_ptr<Corrector>(); };
  Simulation simulation(std::make_unique<Mass>([](double, double x) { return -x; }),
                        {.integrator = BdfOptions{.corrector = nothing}});
  EXPECT_TRUE(contains(error_of([&] { simulation.run(0, 1); }),
                       "BdfOptions: the factory of correctors gave none; return one."));
}

/// Simplified Newton that counts what it is told.
class Watched final : public Corrector {
 public:
  Watched(ResidualFunction& system, const StateLayout& layout, int& corrections, double& worst)
      : newton_(system, layout, {}, IterationSolver::dense), corrections_(corrections), worst_(worst) {}
  std::string_view name() const override { return "watched"; }
  Outcome refresh(const JacobianPoint& point, const Eigen::VectorXd& F, JacobianCause cause) override {
    return newton_.refresh(point, F, cause);
  }
  bool can_improve(double t) const override { return newton_.can_improve(t); }
  double alpha() const override { return newton_.alpha(); }
  void forget() override { newton_.forget(); }
  bool updates_in_parts() const override { return newton_.updates_in_parts(); }
  Outcome correct(const JacobianPoint& point, const Eigen::VectorXd& F, Eigen::VectorXd& delta) override {
    ++corrections_;
    return newton_.correct(point, F, delta);
  }
  void observe(double contraction) override { worst_ = std::max(worst_, contraction); }
  const SparseMatrix* matrix() const override { return newton_.matrix(); }
  const JacobianStatistics& jacobian_statistics() const override { return newton_.jacobian_statistics(); }
  std::int64_t factorizations() const override { return newton_.factorizations(); }

 private:
  SimplifiedNewton newton_;
  int& corrections_;
  double& worst_;
};

/// Always ready to do better, and wrong in what it gives.
class Wrong final : public Corrector {
 public:
  using Correct = void (*)(const Eigen::VectorXd& F, Eigen::VectorXd& delta);
  explicit Wrong(Correct how) : correct_(how) {}
  std::string_view name() const override { return "wrong"; }
  Outcome refresh(const JacobianPoint& point, const Eigen::VectorXd&, JacobianCause) override {
    alpha_ = point.alpha;
    return {};
  }
  bool can_improve(double) const override { return true; }
  double alpha() const override { return alpha_; }
  void forget() override { alpha_ = 0; }
  Outcome correct(const JacobianPoint&, const Eigen::VectorXd& F, Eigen::VectorXd& delta) override {
    correct_(F, delta);
    return {};
  }
  const JacobianStatistics& jacobian_statistics() const override { return statistics_; }
  std::int64_t factorizations() const override { return 0; }

 private:
  Correct correct_;
  JacobianStatistics statistics_;
  double alpha_ = 0;
};

std::string error_with(Wrong::Correct correct) {
  const auto make = [=](ResidualFunction&, const StateLayout&) { return std::make_unique<Wrong>(correct); };
  Simulation simulation(std::make_unique<Mass>([](double, double x) { return -x; }),
                        {.integrator = BdfOptions{.corrector = make}});
  return error_of([&] { simulation.run(0, 1); });
}

TEST(Correctors, ThatGiveCorrectionsOfAnotherSizeAreNamed) {
  EXPECT_TRUE(contains(error_with([](const Eigen::VectorXd&, Eigen::VectorXd& delta) { delta.setZero(1); }),
                       "corrector 'wrong' gave a correction of 1 unknowns; the system has 2."));
}

TEST(Correctors, ThatGiveNoNumbersAreNamed) {
  const std::string error = error_with([](const Eigen::VectorXd&, Eigen::VectorXd& delta) {
    delta.setConstant(std::numeric_limits<double>::quiet_NaN());
  });
  EXPECT_TRUE(contains(error, "corrector 'wrong' corrects ")) << error;
  EXPECT_TRUE(contains(error, " by nan, and all equations are numbers.")) << error;
}

TEST(Correctors, ThatNeverConvergeEndTheStep) {
  EXPECT_TRUE(contains(error_with([](const Eigen::VectorXd& F, Eigen::VectorXd& delta) { delta = -F; }),
                       "Newton's iteration does not converge"));
}

TEST(Correctors, DoTheWholeIterationOfBdf) {
  const auto run = [](const CorrectorFactory& corrector) {
    Simulation simulation(std::make_unique<Mass>([](double, double x) { return -x * x * x; }),
                          {.integrator = BdfOptions{.matrix = IterationSolver::dense, .corrector = corrector}});
    const State end = simulation.run(0, 2).final_state();
    return std::pair(end, simulation.statistics().integrator);
  };
  int corrections = 0;
  double worst = 0;
  const auto [watched, counts] = run([&](ResidualFunction& system, const StateLayout& layout) {
    return std::make_unique<Watched>(system, layout, corrections, worst);
  });
  const auto [plain, plain_counts] = run({});
  EXPECT_EQ(watched.p[0], plain.p[0]);  // the same to the last bit
  EXPECT_EQ(counts.function_calls, plain_counts.function_calls);
  EXPECT_EQ(corrections, counts.newton_iterations);
  EXPECT_GT(worst, 0);
  EXPECT_LT(worst, 1);
}

}  // namespace own_methods_test
}  // namespace linkwork
