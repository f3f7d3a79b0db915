#include "../core/expect_error.hpp"
#include "../messages.hpp"
#include "systems.hpp"

#include <linkwork/solvers/simulation/event_location.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace linkwork::test {
namespace events_test {

using std::numbers::pi;

// Error of an event's time: that of the solution, a few tolerances after a few steps, over the function's slope of
// about
// 1. Worst seen 3e-10 at this tolerance; an event missed or located on the wrong step is off by 1e-3 or more.
constexpr double tolerance = 1e-10;
constexpr double time_error = 1e-8;

std::vector<double> times_of(const Trajectory& path, const std::string& name) {
  std::vector<double> out;
  for (const EventRecord& event : path.events())
    if (event.name == name) out.push_back(event.t);
  return out;
}

std::vector<std::string> names_of(const Trajectory& path) {
  std::vector<std::string> out;
  for (const EventRecord& event : path.events()) out.push_back(event.name);
  return out;
}

Event bounce(double restitution) {
  Event event = position_event("floor", 0);
  event.direction = Event::Direction::falling;
  event.action = Event::Action::change;
  event.effect = [restitution](State& state, EquationsOfMotion&) { state.v *= -restitution; };
  return event;
}

// ---------------------------------------------------------------------------------------------- find_zero

TEST(FindZero, FindsZerosOfSmoothSteepAndFlatFunctions) {
  int evaluations = 0;
  const auto zero = [&](auto function, double left, double right) {
    evaluations = 0;
    double slope = 0;
    return find_zero(
        [&](double t) {
          ++evaluations;
          return function(t);
        },
        {left, right, function(left), function(right)}, 0, slope, 1e-15);
  };
  // The zero is known to rounding; the number of evaluations is that of a method faster than linear.
  EXPECT_NEAR(zero([](double t) { return std::cos(t); }, 0.5, 3.0), pi / 2, 1e-15);
  EXPECT_LE(evaluations, 12);
  EXPECT_NEAR(zero([](double t) { return std::exp(20 * t) - 2; }, -1.0, 1.0), std::log(2) / 20, 1e-15);
  EXPECT_LE(evaluations, 30);
  EXPECT_NEAR(zero([](double t) { return std::tanh(1e6 * (t - 0.3)); }, 0.0, 1.0), 0.3, 1e-15);
  // A cube is flat: a value of 1e-48 is as good as zero.
  EXPECT_NEAR(zero([](double t) { return std::pow(t - 0.3, 3); }, 0.0, 1.0), 0.3, 1e-12);
}

TEST(FindZero, NeverLeavesTheBracketAtAJump) {
  double slope = 0;
  const double t = find_zero(
      [](double x) {
        EXPECT_GE(x, 0);
        EXPECT_LE(x, 1);
        return x < 0.7 ? -1.0 : 1.0;
      },
      {0, 1, -1, 1}, 5.0, slope, 1e-14);
  EXPECT_NEAR(t, 0.7, 1e-14);  // the tolerance
}

TEST(Widen, FindsTheNearestChangeOfSignWithinLimits) {
  const Bracket limits{0, 1, -1, 1};
  const auto around = [&](double zero, double guess, double slope) {
    return widen([=](double t) { return t - zero; }, guess, limits, slope, 1e-15);
  };
  for (double guess : {0.0, 0.29, 0.31, 1.0}) {
    const std::optional<Bracket> found = around(0.3, guess, 1);
    ASSERT_TRUE(found) << guess;
    EXPECT_LE(found->left, 0.3);
    EXPECT_GE(found->right, 0.3);
    EXPECT_LE(found->f_left, 0);
    EXPECT_GE(found->f_right, 0);
  }
  EXPECT_EQ(around(0.3, 0.3, 1)->right, 0.3);
  EXPECT_TRUE(around(0.3, 0.9, 1e6));  // a slope that is wrong costs calls
  EXPECT_FALSE(around(1.5, 0.9, 1));   // without a zero
  EXPECT_FALSE(around(-0.5, 0.1, 1));
}

// ------------------------------------------------------------------------------------------ where zeros are

TEST(Events, OfBothDirectionsAreFoundAtTheirTimes) {
  Simulation simulation(oscillator(), with_tolerance(tolerance));
  Event any{.observable = "x"}, rising{.name = "rising", .observable = "x"},
      falling{.name = "falling", .observable = "x"};
  rising.direction = Event::Direction::rising;
  falling.direction = Event::Direction::falling;
  for (const Event& event : {any, rising, falling}) simulation.add_event(event);
  const Trajectory& path = simulation.run(0, 7);  // x = cos t is zero at pi/2 and 3 pi/2
  ASSERT_EQ(times_of(path, "x").size(), 2u);
  EXPECT_NEAR(times_of(path, "x")[0], pi / 2, time_error);
  EXPECT_NEAR(times_of(path, "x")[1], 3 * pi / 2, time_error);
  ASSERT_EQ(times_of(path, "falling").size(), 1u);
  EXPECT_NEAR(times_of(path, "falling")[0], pi / 2, time_error);
  ASSERT_EQ(times_of(path, "rising").size(), 1u);
  EXPECT_NEAR(times_of(path, "rising")[0], 3 * pi / 2, time_error);
  EXPECT_EQ(simulation.statistics().events, 4);
  EXPECT_EQ(path.t_end(), 7);
}

TEST(Events, ReportedOnesLeaveTheIntegrationAlone) {
  Simulation plain(oscillator(), with_tolerance(tolerance)), watched(oscillator(), with_tolerance(tolerance));
  watched.add_event({.observable = "x"});
  const State a = plain.run(0, 7).final_state(), b = watched.run(0, 7).final_state();
  EXPECT_EQ(a.p, b.p);
  EXPECT_EQ(plain.statistics().integrator.steps, watched.statistics().integrator.steps);
  EXPECT_EQ(plain.statistics().evaluations.force, watched.statistics().evaluations.force);
  EXPECT_EQ(watched.statistics().driver_evaluations.position_matrix, 0);  // without rows nothing is projected
}

TEST(Events, HaveNoneAtTheStartUntilTheFunctionHasLeftZero) {
  Simulation simulation(oscillator(), with_tolerance(tolerance));
  simulation.add_event({.observable = "v"});  // -sin t
  const std::vector<double> times = times_of(simulation.run(0, 7), "v");
  ASSERT_EQ(times.size(), 2u);
  EXPECT_NEAR(times[0], pi, time_error);
  EXPECT_NEAR(times[1], 2 * pi, time_error);
}

TEST(Events, AfterAStartAtZeroAreFoundInTheFirstStepToo) {
  Simulation simulation(free_particle(0, 1), straight_line(1));
  Event event = position_event("hill", 0);
  event.function = [](const State& state, EquationsOfMotion&) { return state.p[0] * (0.6 - state.p[0]); };
  simulation.add_event(event);
  const std::vector<double> times = times_of(simulation.run(0, 1), "hill");
  ASSERT_EQ(times.size(), 1u);
  EXPECT_NEAR(times[0], 0.6, 1e-14);  // rounding
}

TEST(Events, AtTheEndOfARunCountOnce) {
  Simulation simulation(free_particle(-1, 1), straight_line(0.25));  // steps without rounding
  simulation.add_event(position_event("zero", 0));
  EXPECT_EQ(times_of(simulation.run(0, 1), "zero"), std::vector<double>{1});
}

TEST(Events, AtTheEndOfAStepCountOnce) {
  Simulation simulation(free_particle(-0.5, 1), straight_line(0.25));
  simulation.add_event(position_event("zero", 0));
  EXPECT_EQ(times_of(simulation.run(0, 1), "zero"), std::vector<double>{0.5});
}

TEST(Events, OfOneStepComeInTheOrderOfTime) {
  Simulation simulation(free_particle(0, 1), straight_line(1));
  for (double x : {0.7, 0.2, 0.4}) simulation.add_event(position_event(std::to_string(x), x));
  EXPECT_EQ(names_of(simulation.run(0, 1)), (std::vector<std::string>{"0.200000", "0.400000", "0.700000"}));
}

TEST(Events, OfOneFunctionInOneStepAreFoundInTheOrderOfTime) {
  const std::vector<double> zeros{0.2, 0.4, 0.41, 0.9};
  Event event = position_event("many", 0);
  event.function = [&](const State& state, EquationsOfMotion&) {
    double out = 1;
    for (double zero : zeros) out *= state.p[0] - zero;
    return out;
  };
  const auto found = [&](Event::Direction direction) {
    Simulation simulation(free_particle(0, 1), straight_line(1));
    event.direction = direction;
    simulation.add_event(event);
    return times_of(simulation.run(0, 1), "many");
  };
  const auto expect_times = [](const std::vector<double>& times, const std::vector<double>& expected) {
    ASSERT_EQ(times.size(), expected.size());
    for (std::size_t i = 0; i < times.size(); ++i) EXPECT_NEAR(times[i], expected[i], 1e-14);  // rounding
  };
  expect_times(found(Event::Direction::any), zeros);
  expect_times(found(Event::Direction::falling), {0.2, 0.41});
  expect_times(found(Event::Direction::rising), {0.4, 0.9});
}

TEST(Events, NearAKinkAreFound) {
  Simulation simulation(free_particle(0, 1), straight_line(1));
  Event event = position_event("thin wall", 0);
  event.function = [](const State& state, EquationsOfMotion&) { return std::abs(state.p[0] - 0.613) - 1e-3; };
  simulation.add_event(event);
  const std::vector<double> times = times_of(simulation.run(0, 1), "thin wall");
  ASSERT_EQ(times.size(), 2u);
  EXPECT_NEAR(times[0], 0.612, 1e-14);  // rounding
  EXPECT_NEAR(times[1], 0.614, 1e-14);
}

TEST(Events, OfAFunctionThatIsCutOffAtZeroAreWhereItBecomesZero) {
  Simulation simulation(free_particle(0, 1), straight_line(1));
  Event event = position_event("contact force", 0);
  event.function = [](const State& state, EquationsOfMotion&) { return std::max(0.0, 0.3 - state.p[0]); };
  simulation.add_event(event);
  const std::vector<double> times = times_of(simulation.run(0, 3), "contact force");
  ASSERT_EQ(times.size(), 1u);
  EXPECT_NEAR(times[0], 0.3, 1e-14);  // rounding
}

TEST(Events, OfAFunctionThatIsZeroButForRoundingAreNone) {
  Simulation simulation(oscillator(), with_tolerance(tolerance));
  Event event = position_event("nothing", 0);
  event.function = [](const State& state, EquationsOfMotion&) {
    return std::pow(state.p[0] + 0.1, 2) - state.p[0] * state.p[0] - 0.2 * state.p[0] - 0.01;
  };
  simulation.add_event(event);
  EXPECT_TRUE(times_of(simulation.run(0, 7), "nothing").empty());
}

TEST(Events, BelowTheResidualThresholdAreNoZeros) {
  const auto count = [](double threshold) {
    Simulation simulation(free_particle(0, 1), straight_line(1));
    Event event = position_event("ripple", 0);
    event.function = [](const State& state, EquationsOfMotion&) { return 1e-3 * std::cos(pi * state.p[0]); };
    event.residual_threshold = threshold;
    simulation.add_event(event);
    return times_of(simulation.run(0, 5), "ripple").size();
  };
  EXPECT_EQ(count(0), 5u);
  EXPECT_EQ(count(2e-3), 0u);
}

TEST(Events, MayDependOnAccelerationsAndMultipliers) {
  Simulation simulation(std::make_unique<Pendulum>(), with_tolerance(tolerance));
  Event tension;
  tension.name = "half tension";
  tension.function = [](const State& state, EquationsOfMotion&) { return state.lambda[0] - 1.5 * gravity; };
  tension.action = Event::Action::stop;
  simulation.add_event(tension);
  const State end = simulation.run(0, 5).final_state();
  // lambda = 3 g cos(phi): the angle is 60 degrees. lambda has the accuracy of the dense output, 1e-8.
  EXPECT_NEAR(end.p[1], -0.5, 1e-7);

  Simulation other(oscillator(), with_tolerance(tolerance));
  other.add_event({.observable = "a"});  // -cos t
  EXPECT_NEAR(times_of(other.run(0, 2), "a").at(0), pi / 2, 1e-7);
}

TEST(Events, SatisfyTheConstraintsAtTheirTimes) {
  Simulation simulation(std::make_unique<Pendulum>(), with_tolerance(1e-4));
  Event event;
  event.name = "lowest point";
  event.function = [](const State& state, EquationsOfMotion&) { return state.p[0]; };
  event.action = Event::Action::stop;
  simulation.add_event(event);
  const State end = simulation.run(0, 5).final_state();
  // Rounding, and what Newton's iteration for the positions leaves: its last change squared, (1e-2 * 1e-4)^2.
  EXPECT_NEAR(end.p.norm(), 1, 1e-11);
  EXPECT_NEAR(end.p.dot(end.v), 0, 1e-11);
  EXPECT_NEAR(end.p[0], 0, 1e-11);
}

TEST(Events, LookOnceIntoAStepFarFromZero) {
  Simulation simulation(free_particle(0, 1), straight_line(0.25));
  int calls = 0;
  Event never = position_event("never", 100);
  never.function = [&](const State& state, EquationsOfMotion&) {
    ++calls;
    return state.p[0] - 100;
  };
  simulation.add_event(never);
  simulation.run(0, 10);
  // The start, and for each of 40 steps its end and a place inside; three places more as long as there is no past.
  EXPECT_LE(calls, 1 + 40 * 2 + 4 * 3);
}

// ------------------------------------------------------------------------------------- stop, change, restart

TEST(Events, StopARunAtTheirZero) {
  Simulation simulation(oscillator(), with_tolerance(tolerance));
  Event event{.observable = "x"};
  event.action = Event::Action::stop;
  simulation.add_event(event);
  const Trajectory& path = simulation.run(0, 7);
  EXPECT_NEAR(path.t_end(), pi / 2, time_error);
  EXPECT_NEAR(path.final_state().p[0], 0, 1e-14);  // located to rounding
  EXPECT_NEAR(path.final_state().v[0], -1, time_error);
  EXPECT_NEAR(path.at(1.5).p[0], std::cos(1.5), time_error);  // the last segment is a part of its step
  EXPECT_EQ(path.events().size(), 1u);
}

TEST(Events, MakeABallBounce) {
  constexpr double height = 1, restitution = 0.5;
  Simulation simulation(falling_ball(height), with_tolerance(tolerance));
  simulation.add_event(bounce(restitution));
  const Trajectory path = simulation.run(0, 1.25);
  double t = std::sqrt(2 * height / gravity), speed = gravity * t;
  const std::vector<double> times = times_of(path, "floor");
  ASSERT_EQ(times.size(), 4u);  // the fifth would be at 1.258
  for (double found : times) {
    EXPECT_NEAR(found, t, time_error);
    EXPECT_NEAR(path.at(found, Side::left).v[0], -speed, 1e-7);  // gravity times the error of the time
    EXPECT_NEAR(path.at(found, Side::right).v[0], restitution * speed, 1e-7);
    EXPECT_NEAR(path.at(found, Side::left).p[0], 0, 1e-14);
    speed *= restitution;
    t += 2 * speed / gravity;
  }
  EXPECT_EQ(simulation.statistics().restarts, 4);
  for (double sample = 0; sample <= 1.25; sample += 0.01) EXPECT_GE(path.at(sample).p[0], -1e-14);
}

TEST(Events, EndARunWithInfinitelyManyOfThem) {
  Simulation simulation(falling_ball(1), with_tolerance(tolerance));
  simulation.add_event(bounce(0.5));
  const double rest = 3 * std::sqrt(2 / gravity);  // sum of the geometric series
  try {
    simulation.run(0, 2);
    ADD_FAILURE() << "the ball never came to rest";
  } catch (const RunError& error) {
    EXPECT_NE(std::string(error.what()).find("event 'floor': the times between its zeros shrink towards nothing"),
              std::string::npos)
        << error.what();
    EXPECT_NEAR(error.time_reached(), rest, 1e-5);  // a millionth of the first flight is left
  }
  EXPECT_NEAR(simulation.trajectory().t_end(), rest, 1e-5);
}

TEST(Events, ThatAreFastAndEquidistantAreNoneThatVanish) {
  // The function is steep: rounding of the time leaves 1e-10 of it at a zero, so that the sign of a value can't be
  // trusted just after it.
  constexpr double rate = 1e5, end = 0.05;
  for (const IntegratorOptions& method : {IntegratorOptions(BdfOptions{.rtol = 1e-8, .atol = 1e-8}),
                                          IntegratorOptions(ExtrapolationOptions{.rtol = 1e-8, .atol = 1e-8})}) {
    Simulation simulation(oscillator(), {.integrator = method});
    Event event{.name = "saw", .action = Event::Action::change};
    event.function = [](const State& state, EquationsOfMotion&) { return std::sin(rate * (7 + state.t) + 1); };
    event.effect = [](State&, EquationsOfMotion&) {};
    simulation.add_event(event);
    const Trajectory& path = simulation.run(0, end);
    const double first = std::floor((rate * 7 + 1) / pi), last = std::floor((rate * (7 + end) + 1) / pi);
    ASSERT_EQ(path.events().size(), static_cast<std::size_t>(last - first)) << simulation.integrator_name();
    for (std::size_t i = 0; i < path.events().size(); ++i)
      EXPECT_NEAR(path.events()[i].t, ((first + 1 + static_cast<double>(i)) * pi - 1) / rate - 7, 1e-14);  // rounding
  }
}

TEST(Events, TwoZerosCloseToEachOtherDoNotEndARun) {
  RestartMonitor monitor;
  for (double t : {0.0, 1.0, 2.0, 2.0 + 1e-9, 3.0, 4.0}) EXPECT_EQ(monitor.note(t, false), "") << t;
}

TEST(Events, WithoutProgressInTimeEndARun) {
  RestartMonitor monitor;
  std::string why;
  int restarts = 0;
  for (; why.empty() && restarts < 1000; ++restarts) why = monitor.note(1.0, false);
  EXPECT_EQ(
      why, "50 of its zeros followed each other without progress in time; the effect does not lead away from the zero");
  EXPECT_EQ(restarts, 51);
}

TEST(Switches, ThatChatterAreToSmoothTheLawOfTheirElement) {
  RestartMonitor still, shrinking;
  std::string why;
  for (int i = 0; why.empty() && i < 1000; ++i) why = still.note(1.0, true);
  EXPECT_TRUE(contains(why, "without progress in time; smooth the law of this element")) << why;
  why.clear();
  for (double t = 0, step = 1; why.empty() && step > 1e-12; t += step, step *= 0.1) why = shrinking.note(t, true);
  EXPECT_TRUE(contains(why, "infinitely many would follow; smooth the law of this element")) << why;
}

const std::vector<IntegratorOptions> integrators{ExtrapolationOptions{}, BdfOptions{}, RadauOptions{}};

// What the function may be off its zero where the run starts is no measure of what it grows to.
TEST(Events, OfAFunctionThatStartsWithinItsThresholdAreFoundAfterwards) {
  for (const IntegratorOptions& integrator : integrators) {
    Simulation simulation(std::make_unique<Particle>(0, 1, [](double, double x, double) { return -x; }),
                          {.integrator = integrator});
    Event event = position_event("middle", 0);
    event.residual_threshold = 1e-3;
    simulation.add_event(event);
    const std::vector<double> times = times_of(simulation.run(0, 7), "middle");
    ASSERT_EQ(times.size(), 2) << simulation.integrator_name();
    EXPECT_NEAR(times[0], pi, 2e-3) << simulation.integrator_name();  // the threshold over the slope, and errors
    EXPECT_NEAR(times[1], 2 * pi, 2e-3) << simulation.integrator_name();
  }
}

// Steps of 0.05 s, and zeros just before their ends, at which values are still within the threshold.
TEST(Events, BehindWhichAStepEndsWithinTheirThresholdAreFound) {
  const std::vector<IntegratorOptions> in_equal_steps{ExtrapolationOptions{.first_step = 0.05, .maximum_step = 0.05},
                                                      BdfOptions{.first_step = 0.05, .maximum_step = 0.05},
                                                      RadauOptions{.first_step = 0.05, .maximum_step = 0.05}};
  const auto run = [](const IntegratorOptions& integrator, double zero, Event::Action action, double turn) {
    Simulation simulation(oscillator(), {.integrator = integrator});
    Event event;
    event.name = "clock";
    event.function = [=](const State& state, EquationsOfMotion&) {
      const double late = state.t - zero;
      return late < turn ? late : 2 * turn - late;
    };
    event.residual_threshold = 1e-4;
    event.action = action;
    if (action == Event::Action::change) event.effect = [](State&, EquationsOfMotion&) {};
    simulation.add_event(event);
    return simulation.run(0, 2);
  };
  constexpr double never = 10;
  for (const IntegratorOptions& integrator : in_equal_steps)
    for (const double before : {0.0, 1e-15, 1e-9, 5e-5, 9e-5}) {
      double zero = -before;  // from the sum of the steps
      for (int step = 0; step < 20; ++step) zero += 0.05;
      const std::vector<double> times = times_of(run(integrator, zero, Event::Action::report, never), "clock");
      ASSERT_EQ(times.size(), 1) << before;
      EXPECT_NEAR(times[0], zero, 4e-15) << before;
      const Trajectory stopped = run(integrator, zero, Event::Action::stop, never);
      EXPECT_NEAR(stopped.t_end(), zero, 1e-4) << before;  // the threshold over the slope
      EXPECT_EQ(times_of(stopped, "clock"), std::vector<double>{stopped.t_end()}) << before;
      const Trajectory changed = run(integrator, zero, Event::Action::change, never);
      EXPECT_EQ(times_of(changed, "clock").size(), 1) << before;
      EXPECT_EQ(changed.t_end(), 2) << before;
      if (before < 1e-9) continue;
      // Of a function that turns back within its threshold it is none.
      EXPECT_TRUE(times_of(run(integrator, zero, Event::Action::report, 9.5e-5), "clock").empty()) << before;
    }
}

// Another event restarts the run a little before or behind the zero, where the function is within its threshold.
TEST(Events, AreFoundWhereAnotherRestartsTheRunWithinTheirThreshold) {
  const std::vector<IntegratorOptions> in_equal_steps{ExtrapolationOptions{.first_step = 0.05, .maximum_step = 0.05},
                                                      BdfOptions{.first_step = 0.05, .maximum_step = 0.05},
                                                      RadauOptions{.first_step = 0.05, .maximum_step = 0.05}};
  for (const IntegratorOptions& integrator : in_equal_steps)
    for (const Event::Action action : {Event::Action::report, Event::Action::stop, Event::Action::change})
      for (const double zero : {1 - 5e-5, 1 - 1e-9, 1.02})  // steps end at 1.00 s
        for (const double later : {-9e-5, -3e-5, 0.0, 1e-5, 6e-5, 2e-4})
          for (const bool is_first : {true, false}) {
            Event clock;
            clock.name = "clock";
            clock.function = [zero](const State& state, EquationsOfMotion&) { return state.t - zero; };
            clock.residual_threshold = 1e-4;
            clock.action = action;
            if (action == Event::Action::change) clock.effect = [](State&, EquationsOfMotion&) {};
            Event other;
            other.name = "other";
            other.function = [=](const State& state, EquationsOfMotion&) { return state.t - zero - later; };
            other.action = Event::Action::change;
            other.effect = [](State& state, EquationsOfMotion&) { state.v *= 0.5; };
            Simulation simulation(oscillator(), {.integrator = integrator});
            simulation.add_event(is_first ? clock : other);
            simulation.add_event(is_first ? other : clock);
            const std::vector<double> times = times_of(simulation.run(0, 2), "clock");
            ASSERT_EQ(times.size(), 1) << simulation.integrator_name() << ' ' << zero << ' ' << later;
            EXPECT_NEAR(times[0], zero, 1e-4 + 1e-12) << zero << ' ' << later;  // the threshold over the slope
          }
}

// What an effect throws across zero has passed none.
TEST(Events, AreNoneOfAFunctionThatAnEffectThrowsAcrossZero) {
  for (const double from : {0.5, 5e-5}) {  // without and within the threshold
    bool is_thrown = false;
    Event thrown;
    thrown.name = "thrown";
    thrown.function = [&, from](const State&, EquationsOfMotion&) { return is_thrown ? -0.5 : from; };
    thrown.residual_threshold = 1e-4;
    Event other;
    other.name = "other";
    other.function = [](const State& state, EquationsOfMotion&) { return state.t - 1; };
    other.action = Event::Action::change;
    other.effect = [&](State&, EquationsOfMotion&) { is_thrown = true; };
    Simulation simulation(oscillator());
    simulation.add_event(thrown);
    simulation.add_event(other);
    EXPECT_TRUE(times_of(simulation.run(0, 2), "thrown").empty()) << from;
  }
}

// The effect acts behind the zero, and lets the function go on through it.
TEST(Events, BehindWhichAStepEndsMayHaveADirectionAndAlternate) {
  Simulation simulation(oscillator(), {.integrator = RadauOptions{.first_step = 0.05, .maximum_step = 0.05}});
  Event event;
  event.name = "clock";
  event.function = [](const State& state, EquationsOfMotion&) {
    return 0.5 - 2e-5 - std::abs(state.t - 0.6);  // rises at 0.10002 s and falls at 1.09998 s
  };
  event.residual_threshold = 1e-4;
  event.action = Event::Action::change;
  event.effect = [](State&, EquationsOfMotion&) {};
  Event rising = event;
  rising.name = "rising";
  rising.direction = Event::Direction::rising;
  simulation.add_event(event);
  simulation.add_event(rising);
  const Trajectory path = simulation.run(0, 2);
  EXPECT_EQ(path.t_end(), 2);
  const std::vector<double> times = times_of(path, "clock"), up = times_of(path, "rising");
  ASSERT_EQ(times.size(), 2);
  EXPECT_NEAR(times[0], 0.10002, 1e-4);
  EXPECT_NEAR(times[1], 1.09998, 1e-4);
  ASSERT_EQ(up.size(), 1);
  EXPECT_NEAR(up[0], 0.10002, 1e-4);
}

TEST(Events, JustBeforeTheEndOfARunDoNotEndItByAnError) {
  for (const IntegratorOptions& integrator : integrators)
    for (const double before : {1e-9, 1e-12, 1e-13, 1e-14, 1e-15, 2e-16}) {
      Simulation simulation(oscillator(), {.integrator = integrator});
      Event event;
      event.name = "late";
      event.function = [before](const State& state, EquationsOfMotion&) { return state.t - (1 - before); };
      event.action = Event::Action::change;
      event.effect = [](State&, EquationsOfMotion&) {};
      simulation.add_event(event);
      const Trajectory path = simulation.run(0, 1);
      EXPECT_EQ(path.t_end(), 1) << simulation.integrator_name() << ' ' << before;
      EXPECT_LE(times_of(path, "late").size(), 1) << simulation.integrator_name() << ' ' << before;
      EXPECT_NEAR(path.final_state().p[0], std::cos(1), 1e-4) << simulation.integrator_name() << ' ' << before;
    }
}

// Beyond the zero the step leads through the floor.
TEST(Events, ThatEndARunByAnErrorEndTheTrajectoryToo) {
  Simulation simulation(falling_ball(1), {});
  Event event = bounce(0.8);
  event.maximum_count = 3;
  simulation.add_event(event);
  EXPECT_TRUE(contains(error_of([&] { simulation.run(0, 10); }), "has had more than 3 zeros"));
  const Trajectory& path = simulation.trajectory();
  EXPECT_EQ(path.t_end(), times_of(path, "floor").back());
  EXPECT_NEAR(path.final_state().p[0], 0, 1e-9);
}

TEST(Events, BeyondTheirMaximumCountEndARun) {
  Simulation simulation(free_particle(0, 1), straight_line(0.25));
  Event event = position_event("ripple", 0);
  event.function = [](const State& state, EquationsOfMotion&) { return std::cos(pi * state.p[0]); };
  event.maximum_count = 3;
  simulation.add_event(event);
  expect_error<RunError>(
      "model 'particle': the run stopped at t = 3.5 s: event 'ripple' has had more than 3 zeros; raise maximum_count "
      "if so "
      "many are expected, or stop the run earlier.",
      [&] { simulation.run(0, 10); });
}

TEST(Events, WithOneZeroAreTreatedTogether) {
  Simulation simulation(free_particle(0, 1), straight_line(1));
  Event turn = position_event("turn", 0.4), halve = position_event("halve", 0.4),
        report = position_event("report", 0.4);
  turn.action = halve.action = Event::Action::change;
  turn.effect = [](State& state, EquationsOfMotion&) { state.v *= -1; };
  halve.effect = [](State& state, EquationsOfMotion&) { state.v *= 0.5; };
  for (const Event& event : {turn, report, halve}) simulation.add_event(event);
  const Trajectory& path = simulation.run(0, 2);
  EXPECT_EQ(names_of(path), (std::vector<std::string>{"turn", "report", "halve"}));
  EXPECT_EQ(simulation.statistics().restarts, 1);
  EXPECT_NEAR(path.final_state().p[0], 0.4 - 0.5 * 1.6, 1e-14);  // rounding
}

TEST(Events, DoNotTriggerAgainAtTheSameInstantWhicheverWayTheFunctionGoesOn) {
  for (double factor : {-1.0, 1.0}) {
    Simulation simulation(free_particle(-1.0 / 3, 1), straight_line(0.25));
    Event event = position_event("wall", 0);
    event.action = Event::Action::change;
    event.effect = [factor](State& state, EquationsOfMotion&) { state.v *= factor; };
    simulation.add_event(event);
    EXPECT_EQ(names_of(simulation.run(0, 3)).size(), 1u) << factor;
  }
}

TEST(Events, AreFoundAfterAFlightThatIsShorterThanAStep) {
  // Between walls at 0 and 1e-4: flights of 1e-4 s with steps of 1 s.
  Simulation simulation(free_particle(0.5e-4, 1), straight_line(1));
  const auto turn = [](State& state, EquationsOfMotion&) { state.v *= -1; };
  Event left = position_event("left", 0), right = position_event("right", 1e-4);
  left.action = right.action = Event::Action::change;
  left.effect = right.effect = turn;
  simulation.add_event(left);
  simulation.add_event(right);
  const Trajectory& path = simulation.run(0, 1e-3);
  EXPECT_EQ(path.events().size(), 10u);
  for (std::size_t i = 0; i < path.events().size(); ++i) {
    EXPECT_EQ(path.events()[i].name, i % 2 == 0 ? "right" : "left");
    EXPECT_NEAR(path.events()[i].t, (static_cast<double>(i) + 0.5) * 1e-4, 1e-15);  // rounding
  }
}

TEST(Events, ThatChangeTheStateAtTheEndLeaveBothValues) {
  Simulation simulation(free_particle(-1, 1), straight_line(0.25));
  Event event = bounce(0.5);
  event.direction = Event::Direction::any;
  simulation.add_event(event);
  const Trajectory& path = simulation.run(0, 1);
  EXPECT_EQ(path.at(1, Side::left).v[0], 1);
  EXPECT_EQ(path.at(1, Side::right).v[0], -0.5);
  EXPECT_EQ(path.final_state().v[0], -0.5);
}

/// Where the pendulum is at 45 degrees; without its effect.
Event hit_on_the_way_down() {
  Event hit;
  hit.name = "hit";
  hit.function = [](const State& state, EquationsOfMotion&) { return state.p[0] - std::sqrt(0.5); };
  hit.action = Event::Action::change;
  return hit;
}

TEST(Events, ProjectTheStateThatAnEffectLeaves) {
  Simulation simulation(std::make_unique<Pendulum>(), with_tolerance(1e-8));
  Event hit = hit_on_the_way_down();
  hit.effect = [](State& state, EquationsOfMotion&) { state.v = Eigen::Vector2d(0, -1); };  // not along the circle
  simulation.add_event(hit);
  const Trajectory& path = simulation.run(0, 0.5);
  const State after = path.at(path.events().at(0).t, Side::right);
  // The part of (0, -1) along the circle at -45 degrees: (-0.5, -0.5). The tolerance is that of the position.
  EXPECT_NEAR(after.v[0], -0.5, 1e-7);
  EXPECT_NEAR(after.v[1], -0.5, 1e-7);
  EXPECT_LT(simulation.constraint_residual().velocity_m_per_s, 1e-9);
}

TEST(Events, WhoseEffectLeavesAStateThatCanNotBeProjectedEndTheRun) {
  Simulation simulation(std::make_unique<Pendulum>(), with_tolerance(1e-8));
  Event hit = hit_on_the_way_down();
  hit.effect = [](State& state, EquationsOfMotion&) { state.p.setZero(); };  // no direction leads back to the circle
  simulation.add_event(hit);
  try {
    simulation.run(0, 0.5);
    FAIL();
  } catch (const RunError& error) {
    EXPECT_TRUE(test::contains(error.what(), "model 'pendulum': the state at an event can't be projected: "))
        << error.what();
    EXPECT_NEAR(error.time_reached(), 0.4, 0.1);
  }
}

/// x'' = -x - c s, with the sign s of the friction force held in memory between zeros of v.
class FrictionOscillator : public Particle {
 public:
  static constexpr double c = 0.1;
  FrictionOscillator() : Particle(1, 0, [this](double, double x, double) { return -x - c * sign_; }) {}
  int switches() const override { return 1; }
  double switching_function(int) override { return velocity()[0]; }
  std::string switch_name(int) const override { return "friction"; }
  void remember(bool restart, int crossed) override {
    if (!restart) return;
    ++restarts;
    sign_ = crossed == 0 ? -sign_ : -1;  // starts by moving down
  }
  int restarts = 0;

 private:
  double sign_ = -1;
};

TEST(Switches, OfElementsStopAStepAndChangeTheMode) {
  auto equations = std::make_unique<FrictionOscillator>();
  const FrictionOscillator& oscillator = *equations;
  Simulation simulation(std::move(equations), with_tolerance(tolerance));
  const Trajectory path = simulation.run(0, 7);
  // Each half turn is a harmonic motion about -c s: the amplitude loses 2 c.
  const std::vector<double> times = times_of(path, "friction");
  ASSERT_EQ(times.size(), 2u);
  EXPECT_NEAR(times[0], pi, time_error);
  EXPECT_NEAR(times[1], 2 * pi, time_error);
  EXPECT_NEAR(path.at(times[0]).p[0], -0.8, time_error);
  EXPECT_NEAR(path.at(times[1]).p[0], 0.6, time_error);
  EXPECT_EQ(oscillator.restarts, 3);  // the start and two switches
}

/// x'' = 0, with a switch that is at zero at 0.4 and at 0.5.
class TwoSwitches : public Particle {
 public:
  TwoSwitches() : Particle(0, 1, [](double, double, double) { return 0.0; }) {}
  int switches() const override { return 1; }
  double switching_function(int) override { return (position()[0] - 0.4) * (position()[0] - 0.5); }
  std::string switch_name(int) const override { return "both"; }
};

TEST(Switches, ThatCrossZeroTwiceInAStepAreBothSeen) {
  Simulation simulation(std::make_unique<TwoSwitches>(), straight_line(1));
  const std::vector<double> times = times_of(simulation.run(0, 1), "both");
  ASSERT_EQ(times.size(), 2u);
  EXPECT_NEAR(times[0], 0.4, 1e-14);  // rounding
  EXPECT_NEAR(times[1], 0.5, 1e-14);
  EXPECT_EQ(simulation.statistics().restarts, 2);
}

// ----------------------------------------------------------------------- effects that end the motion at their zero

TEST(Events, WhoseEffectEndsTheMotionMustNotLeadThroughTheirZero) {
  const auto run = [](double factor, Event::Direction direction, double push) {
    Simulation simulation(std::make_unique<Particle>(1, -1, [=](double, double, double) { return push; }),
                          with_tolerance(tolerance));
    Event event = bounce(-factor);  // v *= factor
    event.direction = direction;
    simulation.add_event(event);
    return test::error_of([&] { simulation.run(0, 3); });
  };
  const std::string nothing = "nothing was thrown";
  using Direction = Event::Direction;
  const std::string refused =
      "event 'floor': its effect leaves the function at rest at zero, and what acts then takes it to the side that "
      "direction `falling` keeps it from; an event makes impacts, but no contact that carries: stop the run there, by "
      "an "
      "observer that returns false or an event that stops, and go on with a model that has a joint or a stiff spring "
      "in "
      "its place.";
  EXPECT_TRUE(test::contains(run(0, Direction::falling, -1), refused)) << run(0, Direction::falling, -1);
  EXPECT_TRUE(test::contains(run(1e-6, Direction::falling, -1), refused));
  EXPECT_TRUE(test::contains(run(-1e-9, Direction::falling, -1), "event 'floor': "));  // infinitely many
  EXPECT_EQ(run(0, Direction::falling, 0.1), nothing);                                 // leads back
  EXPECT_EQ(run(0.5, Direction::falling, -1), nothing);                                // goes on through it, at a speed
  EXPECT_EQ(run(0, Direction::any, -1), nothing);                                      // may go either way
}

TEST(Events, WhoseEffectEndsTheMotionForAWhileMustNotLeadThroughTheirZeroLater) {
  // Nothing acts until 2 s, then a force draws it on.
  Simulation simulation(
      std::make_unique<Particle>(1, -1, [](double t, double, double) { return t < 2 ? 0.0 : -std::pow(t - 2, 3); }),
      with_tolerance(tolerance));
  simulation.add_event(bounce(0));
  EXPECT_TRUE(test::contains(test::error_of([&] { simulation.run(0, 4); }), "its effect leaves the function at rest"));
  EXPECT_GE(simulation.trajectory().t_end(), 1);
  EXPECT_GT(simulation.trajectory().final_state().p[0], -1e-12);
}

TEST(Events, WhoseEffectLeadsBackForLessThanAStepResolvesEndTheRun) {
  // The dense output is a straight line from 0 to where the step ends, below: thrown up at 0.1 m/s, a ball is back
  // after 0.02 s of a step of 1 s.
  class LongSteps final : public Integrator {
   public:
    std::string_view name() const override { return "long steps"; }
    Outcome initialize(EquationsOfMotion&, LinearSolver&, const State& start) override {
      state_ = previous_ = start;
      return {};
    }
    Outcome step(double t_limit) override {
      previous_ = state_;
      const double h = std::min(1.0, t_limit - previous_.t);
      state_.t += h;
      state_.v[0] -= 10 * h;
      state_.p += h * state_.v;
      return {};
    }
    const State& state() const override { return state_; }
    const State& previous_state() const override { return previous_; }
    const DensePolynomial& dense(bool) override {
      dense_.t_begin = previous_.t;
      dense_.t_end = state_.t;
      dense_.p = {{0}, 1, hermite_coefficients(previous_.p, state_.p)};
      dense_.v = {{0}, 1, hermite_coefficients(previous_.v, state_.v)};
      dense_.a = {{0}, 1, hermite_coefficients(previous_.a, state_.a)};
      return dense_;
    }
    const IntegratorStatistics& statistics() const override { return statistics_; }
    const std::vector<StepRecord>& records() const override { return records_; }

   private:
    State state_, previous_;
    DensePolynomial dense_;
    IntegratorStatistics statistics_;
    std::vector<StepRecord> records_;
  };
  Simulation simulation(falling_ball(1),
                        {.integrator = IntegratorFactory([] { return std::make_unique<LongSteps>(); })});
  Event event = bounce(0.1);
  event.direction = Event::Direction::any;
  simulation.add_event(event);
  expect_error<RunError>(
      "model 'particle': the run stopped at t = 0.1 s: event 'floor': its effect leads away from zero, but for less "
      "than "
      "a step resolves; give a smaller tolerance or first_step; where this is the end of bounces, an event makes "
      "impacts, but no contact that carries: stop the run there, by an observer that returns false or an event that "
      "stops, and go on with a model that has a joint or a stiff spring in its place.",
      [&] { simulation.run(0, 3); });
}

// -------------------------------------------------------------------------------------------------- misuse

TEST(Events, ThatMakeNoSenseAreRefused) {
  const auto refused = [](const std::string& message, auto change) {
    Simulation simulation(oscillator());
    simulation.add_event(position_event("first", 0));
    Event event = position_event("zero", 0);
    change(event);
    expect_error<ModelError>(message, [&] { simulation.add_event(event); });
  };
  refused("Simulation::add_event: the event has no name; give one.", [](Event& e) { e.name = ""; });
  refused("event 'first' exists already; give another name.", [](Event& e) { e.name = "first"; });
  refused("event 'zero': there is no function; give `function` or the name of an `observable`.",
          [](Event& e) { e.function = nullptr; });
  refused("event 'zero': both `function` and `observable` are given; give one of them.",
          [](Event& e) { e.observable = "x"; });
  refused("event 'zero': model 'particle' has no observable 'y'; it has: x, v, a.", [](Event& e) {
    e.function = nullptr;
    e.observable = "y";
  });
  refused("event 'zero': residual_threshold is -1; expected a finite value >= 0.",
          [](Event& e) { e.residual_threshold = -1; });
  refused("event 'zero': period is -1; expected a finite value >= 0, 0 for none.", [](Event& e) { e.period = -1; });
  refused("event 'zero': maximum_count is 0; expected 1 or more.", [](Event& e) { e.maximum_count = 0; });
  refused("event 'zero': the action is `change`, but there is no effect; give `effect`.",
          [](Event& e) { e.action = Event::Action::change; });
  refused("event 'zero': an effect is given, but the action is not `change`; set `action`.",
          [](Event& e) { e.effect = [](State&, EquationsOfMotion&) {}; });
}

TEST(Events, WhoseFunctionOrEffectIsNotFiniteEndTheRun) {
  Simulation simulation(free_particle(-1, 1), straight_line(0.25));
  Event event = position_event("table", 0);
  event.function = [](const State& state, EquationsOfMotion&) { return state.p[0] > -0.3 ? INFINITY : 1.0; };
  simulation.add_event(event);
  expect_error<RunError>("event 'table': its function is inf at t = 0.75 s; expected a finite value.",
                         [&] { simulation.run(0, 1); });
  EXPECT_EQ(simulation.trajectory().t_end(), 0.75);  // the step itself is kept

  Simulation other(free_particle(-1, 1), straight_line(0.25));
  event = bounce(std::nan(""));
  event.direction = Event::Direction::any;
  other.add_event(event);
  expect_error<RunError>(
      "model 'particle': the run stopped at t = 1 s: the effect of event 'floor' left a state that is not finite; "
      "check "
      "its function.",
      [&] { other.run(0, 2); });

  Simulation resized(free_particle(-1, 1), straight_line(0.25));
  event.effect = [](State& state, EquationsOfMotion&) { state.v.setZero(2); };
  resized.add_event(event);
  expect_error<RunError>(
      "model 'particle': the run stopped at t = 1 s: the effect of event 'floor' changed the size of the state; let it "
      "change values only.",
      [&] { resized.run(0, 2); });
}

}  // namespace events_test
}  // namespace linkwork::test
