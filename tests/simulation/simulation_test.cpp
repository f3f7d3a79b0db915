#include "../core/expect_error.hpp"
#include "../messages.hpp"
#include "systems.hpp"

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/bodies/point_mass.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/forces/applied_force.hpp>
#include <linkwork/forces/spring_damper.hpp>
#include <linkwork/joints/revolute.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace linkwork::test {
namespace simulation_test {

// Worst seen 2e-9 at this tolerance over a few units of time.
constexpr double tolerance = 1e-10;
constexpr double solution_error = 1e-8;

std::string text_of(const std::string& file) {
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

int lines_in(const std::string& text) { return static_cast<int>(std::count(text.begin(), text.end(), '\n')); }

// --------------------------------------------------------------------------------------------- trajectories

TEST(Trajectory, CanBeEvaluatedAnywhereAndOutlivesItsSimulation) {
  Trajectory path;
  EXPECT_TRUE(path.empty());
  {
    Simulation simulation(oscillator(), with_tolerance(tolerance));
    path = simulation.run(0, 3);
  }
  EXPECT_EQ(path.t_begin(), 0);
  EXPECT_EQ(path.t_end(), 3);
  for (double t = 0; t <= 3; t += 0.01) {
    const State state = path.at(t);
    EXPECT_EQ(state.t, t);
    EXPECT_NEAR(state.p[0], std::cos(t), solution_error);
    EXPECT_NEAR(state.v[0], -std::sin(t), solution_error);
    EXPECT_NEAR(state.a[0], -std::cos(t), 1e-6);  // not error controlled; worst seen 2e-8
  }
  EXPECT_EQ(path.at(3).p, path.final_state().p);
}

TEST(Trajectory, WritesTheNumbersItIsEvaluatedTo) {
  Simulation simulation(oscillator(), with_tolerance(tolerance));
  const Trajectory& path = simulation.run(0, 1);
  std::ostringstream out;
  path.write_csv(out, 10);
  std::istringstream in(out.str());
  std::string line;
  std::getline(in, line);
  EXPECT_EQ(line, "t,x,v,x (observable),v (observable),a");  // the coordinates, then the observables
  for (int k = 0; k <= 10; ++k) {
    ASSERT_TRUE(std::getline(in, line)) << k;
    std::istringstream fields(line);
    double t, x;
    char comma;
    fields >> t >> comma >> x;
    EXPECT_EQ(t, k / 10.0);
    EXPECT_EQ(x, path.at(t).p[0]);
  }
  EXPECT_FALSE(std::getline(in, line));
  path.write_csv("trajectory_test.csv", 10);
  EXPECT_EQ(text_of("trajectory_test.csv"), out.str());
  std::remove("trajectory_test.csv");
}

TEST(Trajectory, HasWhatDenseOutputWasSelectedForOnly) {
  ExtrapolationOptions options{.rtol = 1e-8, .atol = 1e-8};
  options.dense.v = options.dense.a = std::vector<int>{};
  Simulation simulation(oscillator(), {.integrator = options});
  const Trajectory& path = simulation.run(0, 1);
  EXPECT_NEAR(path.at(0.777).p[0], std::cos(0.777), 1e-6);
  EXPECT_TRUE(std::isnan(path.at(0.777).v[0]));
  std::ostringstream out;
  path.write_csv(out, 2);
  EXPECT_EQ(out.str().substr(0, 4), "t,x\n");
}

TEST(Trajectory, WithoutDenseOutputKnowsItsSteps) {
  Simulation simulation(oscillator(), {.keep_dense_output = false});
  const Trajectory& path = simulation.run(0, 1);
  for (const TrajectorySegment& segment : path.segments()) EXPECT_EQ(path.at(segment.end.t).p, segment.end.p);
  const TrajectorySegment& first = path.segments().front();
  expect_error<ModelError>(concat("Trajectory::at: t = ", 0.5 * first.end.t, " s lies between two steps (0 s and ",
                                  first.end.t, " s) and the run kept no dense output; set keep_dense_output."),
                           [&] { path.at(0.5 * first.end.t); });
}

TEST(Trajectory, KeepsTheLastSegmentOnlyWhereAskedTo) {
  Simulation simulation(oscillator(), {.keep_steps = false});
  const Trajectory& path = simulation.run(0, 1);
  EXPECT_EQ(path.segments().size(), 1u);
  EXPECT_EQ(path.t_end(), 1);
  EXPECT_GT(path.t_begin(), 0);
  EXPECT_NE(simulation.summary().find("time            0 s to 1 s\n"), std::string::npos) << simulation.summary();
}

TEST(Trajectory, CanBeMadeFromParts) {
  Simulation simulation(oscillator());
  const Trajectory& path = simulation.run(0, 1);
  const Trajectory copy(path.segments(), path.events(), oscillator());
  EXPECT_EQ(copy.at(0.3).p, path.at(0.3).p);
}

// 0.45 / 7 * 7 and the like may end a last digit behind the end.
TEST(Trajectory, TakesTheRoundingOfATimeForItsEnds) {
  Simulation simulation(oscillator());
  const Trajectory path = simulation.run(0.1, 1);
  const double behind = std::nextafter(1.0, 2.0), before = std::nextafter(0.1, 0.0);
  EXPECT_EQ(path.at(behind).p, path.at(1).p);
  EXPECT_EQ(path.at(behind).t, 1);
  EXPECT_EQ(path.at(before).p, path.at(0.1).p);
  EXPECT_THROW(path.at(1 + 1e-14), ModelError);
}

TEST(Trajectory, RefusesMisuse) {
  Simulation simulation(oscillator());
  const Trajectory path = simulation.run(0, 1);
  expect_error<ModelError>("Trajectory::at: the trajectory is empty; run a simulation first.",
                           [] { Trajectory().at(0); });
  expect_error<ModelError>("Trajectory::at: t = 1.5 s is outside of [0, 1] s; ask for a time of the run.",
                           [&] { path.at(1.5); });
  expect_error<ModelError>("Trajectory::at: t = nan s is outside of [0, 1] s; ask for a time of the run.",
                           [&] { path.at(std::nan("")); });
  expect_error<ModelError>(
      "Trajectory::write_csv: the rate is -10 samples per second; expected a finite value above 0.", [&] {
        std::ostringstream out;
        path.write_csv(out, -10);
      });
  std::ostringstream csv;
  EXPECT_THROW(path.write_csv(csv, 1e300), ModelError);
  EXPECT_EQ(csv.str(), "");
  expect_error<ModelError>(
      "can't write '/nowhere/x.csv': No such file or directory; make the folder '/nowhere', or "
      "give another file.",
      [&] { path.write_csv("/nowhere/x.csv", 10); });
  expect_error<ModelError>("Trajectory: no equations were given; make them from the model that was run.",
                           [&] { Trajectory(path.segments(), {}, nullptr); });
  expect_error<ModelError>(
      "Trajectory: a state's p has 1 entries; the equations have 2; give the equations of the model that was run.",
      [&] { Trajectory(path.segments(), {}, std::make_unique<Pendulum>()); });
  std::vector<TrajectorySegment> damaged = path.segments();
  damaged[1].dense->v.components = {7};
  expect_error<ModelError>(
      "Trajectory: the polynomial of v in segment 1 does not fit the equations; give ascending components from 0 to 0 "
      "with a row of coefficients each.",
      [&] { Trajectory(damaged, {}, oscillator()); });
  std::vector<TrajectorySegment> gap{path.segments().front(), path.segments().back()};
  gap[1].begin.t = 0.9;
  gap[1].end.t = 1;
  expect_error<ModelError>(
      "Trajectory: segment 1 goes from 0.9 s to 1 s; segments must ascend, each beginning where "
      "the one before it ends.",
      [&] { Trajectory(gap, {}, oscillator()); });
}

// -------------------------------------------------------------------------------------------------- outputs

std::vector<double> output_times(OutputPoints points, double t_end, bool with_bounce = false) {
  std::vector<double> times;
  Simulation simulation(free_particle(-0.4, 1), straight_line(0.25));
  if (with_bounce) {
    Event event = position_event("wall", 0);
    event.action = Event::Action::change;
    event.effect = [](State& state, EquationsOfMotion&) { state.v *= -1; };
    simulation.add_event(event);
  }
  simulation.on_output(std::move(points), [&](const State& state) {
    EXPECT_NEAR(state.p[0], with_bounce ? -std::abs(state.t - 0.4) : state.t - 0.4, 1e-15);  // rounding
    EXPECT_EQ(simulation.equations().time(), state.t);
    times.push_back(state.t);
  });
  simulation.run(0, t_end);
  return times;
}

TEST(Outputs, ComeAtEquidistantTimesWithBothEnds) {
  EXPECT_EQ(output_times(OutputPoints::equidistant(4), 0.5), (std::vector<double>{0, 0.1, 0.2, 0.3, 0.4, 0.5}));
  EXPECT_EQ(output_times(OutputPoints::equidistant(0), 0.5), (std::vector<double>{0, 0.5}));
  EXPECT_EQ(output_times(OutputPoints::equidistant(3), 0), (std::vector<double>{0}));
}
TEST(Outputs, ComePerStep) {
  EXPECT_EQ(output_times(OutputPoints::per_step(1), 0.5), (std::vector<double>{0, 0.125, 0.25, 0.375, 0.5}));
}
TEST(Outputs, ComeAtMostAnIntervalApart) {
  EXPECT_EQ(output_times(OutputPoints::at_most(0.13), 0.5), (std::vector<double>{0, 0.125, 0.25, 0.375, 0.5}));
  EXPECT_EQ(output_times(OutputPoints::at_most(10), 0.5), (std::vector<double>{0, 0.25, 0.5}));
}
TEST(Outputs, ComeAtGivenTimes) {
  EXPECT_EQ(output_times(OutputPoints::given({0, 0.1, 0.25, 0.5}), 0.5), (std::vector<double>{0, 0.1, 0.25, 0.5}));
  EXPECT_TRUE(output_times(OutputPoints::given({}), 0.5).empty());
}
TEST(Outputs, HaveBothValuesAtAJump) {
  const std::vector<double> times = output_times(OutputPoints::per_step(0), 0.8, true);
  EXPECT_EQ(times.size(), 6u);  // 0, 0.25, the wall twice, 0.65, 0.8
  EXPECT_EQ(times[2], times[3]);
  EXPECT_EQ(output_times(OutputPoints::equidistant(7), 0.8, true).size(), 9u);
}
TEST(Outputs, ThatMakeNoSenseAreRefused) {
  const auto refused = [](const std::string& message, OutputPoints points) {
    Simulation simulation(oscillator());
    expect_error<ModelError>(message, [&] { simulation.on_output(std::move(points), [](const State&) {}); });
  };
  refused("OutputPoints: count is -1; expected 0 or more.", OutputPoints::equidistant(-1));
  refused("OutputPoints: interval is 0 s; expected a finite value above 0.", OutputPoints::at_most(0));
  refused("OutputPoints: times[1] = 1 s does not come after times[0] = 2 s; give them in ascending order.",
          OutputPoints::given({2, 1}));
  refused("OutputPoints: times[0] is nan; expected finite times.", OutputPoints::given({std::nan("")}));
  Simulation simulation(oscillator());
  simulation.on_output(OutputPoints::given({0.5, 3}), [](const State&) {});
  expect_error<ModelError>(
      "OutputPoints: the output time 3 s is outside of the run [0, 1] s; leave it out or run longer.",
      [&] { simulation.run(0, 1); });
}

// --------------------------------------------------------------------------------------------------- driver

TEST(Simulation, RunsAModelOfBodiesAndJoints) {
  SpatialModel model("swing");
  model.set_gravity({0, 0, -gravity});
  auto rod = model.add_body("rod", MassProperties::rod(2.0, 1.0));
  rod.place({0.5, 0, 0});
  model.add_joint<Revolute>("pivot", model.ground().at({0, 0, 0}), rod.at({-0.5, 0, 0}), Axis::y());
  // Simulations of one model share nothing that changes, so that they may run side by side.
  std::vector<State> ends(4);
  std::vector<std::unique_ptr<Simulation>> simulations;
  for (std::size_t i = 0; i < ends.size(); ++i)
    simulations.push_back(std::make_unique<Simulation>(model, with_tolerance(1e-9)));
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < ends.size(); ++i)
    threads.emplace_back([&, i] { ends[i] = simulations[i]->run(0, 1).final_state(); });
  for (std::thread& thread : threads) thread.join();
  for (const State& end : ends) {
    EXPECT_EQ(end.p, ends[0].p);
    EXPECT_EQ(end.v, ends[0].v);
  }
  EXPECT_LT(simulations[0]->energy().max_drift, 1e-6);  // tolerance times energies of 10 J
  EXPECT_LT(simulations[0]->constraint_residual().position_m, 1e-9);
  EXPECT_NE(simulations[0]->summary().find("model 'swing', absolute formulation, extrapolation with "),
            std::string::npos);
}

TEST(Simulation, StartsAgainWhenRunAgain) {
  Simulation simulation(oscillator(), with_tolerance(tolerance));
  simulation.add_event({.observable = "x"});
  const Trajectory first = simulation.run(0, 3);
  const SimulationStatistics statistics = simulation.statistics();
  const Trajectory& second = simulation.run(0, 3);
  EXPECT_EQ(first.final_state().p, second.final_state().p);
  EXPECT_EQ(second.events().size(), 1u);
  EXPECT_EQ(simulation.statistics().integrator.steps, statistics.integrator.steps);
  EXPECT_EQ(simulation.statistics().evaluations.force, statistics.evaluations.force);
  EXPECT_EQ(simulation.statistics().linear.factorizations, statistics.linear.factorizations);
}

TEST(Simulation, OfNoTimeGivesTheStart) {
  Simulation simulation(oscillator());
  const Trajectory& path = simulation.run(2, 2);
  EXPECT_EQ(path.segments().size(), 1u);
  EXPECT_EQ(path.at(2).p[0], 1);
  EXPECT_EQ(simulation.statistics().integrator.steps, 0);
}

TEST(Simulation, StartsFromAGivenState) {
  Simulation simulation(oscillator(), with_tolerance(tolerance));
  State start;
  start.p = Eigen::VectorXd::Zero(1);
  start.v = Eigen::VectorXd::Constant(1, 2);
  start.r.resize(0);
  simulation.set_initial_state(start);
  EXPECT_NEAR(simulation.run(1, 2).final_state().p[0], 2 * std::sin(1), solution_error);
}

TEST(Simulation, ReportsWhatTheStartProjectionChanged) {
  constexpr double off = 1e-5;
  Simulation simulation(std::make_unique<Pendulum>(1 + off));
  simulation.run(0, 0.1);
  EXPECT_NEAR(simulation.start_projection().position, off, 1e-9);  // off squared, and the default tolerance
  EXPECT_EQ(simulation.start_projection().position_name, "p[0]");
  EXPECT_EQ(simulation.start_projection().velocity, 0);
  EXPECT_NE(simulation.summary().find("the projection changed positions by up to"), std::string::npos);
}

TEST(Simulation, LetsObserversSeeEveryStepAndStopIt) {
  std::vector<double> seen;
  Simulation simulation(free_particle(0, 1), straight_line(0.25));
  simulation.observe([&](const State& state, EquationsOfMotion& equations) {
    EXPECT_EQ(equations.position(), state.p);
    seen.push_back(state.t);
    return state.t < 0.75;
  });
  const Trajectory& path = simulation.run(0, 2);
  EXPECT_EQ(seen, (std::vector<double>{0, 0.25, 0.5, 0.75}));
  EXPECT_EQ(path.t_end(), 0.75);
  ASSERT_EQ(path.events().size(), 1u);
  EXPECT_EQ(path.events()[0].name, "observer");
}

TEST(Simulation, LetsObserversStopItAtAnEvent) {
  Simulation simulation(free_particle(0, 1), straight_line(0.25));
  simulation.add_event(position_event("mark", 0.4));
  simulation.observe([&](const State&, EquationsOfMotion&) { return simulation.trajectory().events().empty(); });
  EXPECT_NEAR(simulation.run(0, 2).t_end(), 0.4, 1e-15);  // rounding
}

TEST(Simulation, ReportsProgress) {
  std::vector<double> times;
  Simulation simulation(free_particle(0, 1), straight_line(0.5));
  simulation.on_progress([&](double t, double t_end) {
    EXPECT_EQ(t_end, 1);
    times.push_back(t);
  });
  simulation.run(0, 1);
  EXPECT_EQ(times, (std::vector<double>{0.5, 1}));
}

TEST(Simulation, BalancesEnergyWithTheWorkOfElements) {
  SimulationOptions options = with_tolerance(tolerance);
  options.energy_balance = true;
  // A damped oscillator under gravity: storage in the spring, dissipation in the damper.
  const auto spring_and_damper = [](double, double x, double v) { return -4 * x - 0.5 * v; };
  auto particle = std::make_unique<Particle>(
      1, 0, [=](double t, double x, double v) { return spring_and_damper(t, x, v) - gravity; });
  particle->gravity_potential = [](double x) { return gravity * x; };
  particle->storage = [](double x) { return 2 * x * x; };
  particle->element_force = spring_and_damper;
  Simulation simulation(std::move(particle), options);
  simulation.run(0, 5);
  EXPECT_EQ(simulation.energy().initial, gravity + 2);
  EXPECT_GT(simulation.energy().max_drift, 1);
  EXPECT_GE(simulation.energy().balance, 0);
  EXPECT_LT(simulation.energy().balance,
            1e-7);  // energies of 20 J times solution_error; a missing term gives 1 or more
}

TEST(Simulation, LeavesTheWorkOfImpactsOutOfTheBalance) {
  SimulationOptions options = with_tolerance(tolerance);
  options.energy_balance = true;
  Simulation simulation(falling_ball(1), options);
  Event floor = position_event("floor", 0);
  floor.action = Event::Action::change;
  floor.effect = [](State& state, EquationsOfMotion&) { state.v *= -0.5; };
  simulation.add_event(floor);
  simulation.run(0, 1);
  EXPECT_LT(simulation.energy().balance, 1e-7);
  EXPECT_NEAR(simulation.energy().final, 0.0625 * gravity, 1e-7);  // after two impacts
}

TEST(Simulation, KeepsItsOwnEvaluationsApart) {
  Simulation plain(oscillator()), reporting(oscillator(), {.energy_balance = true});
  reporting.observe([](const State&, EquationsOfMotion& equations) { return equations.f().size() == 1; });
  plain.run(0, 3);
  reporting.run(0, 3);
  EXPECT_EQ(plain.statistics().evaluations.matrix, reporting.statistics().evaluations.matrix);
  EXPECT_EQ(plain.statistics().evaluations.force, reporting.statistics().evaluations.force);
  EXPECT_GT(reporting.statistics().driver_evaluations.force, 0);
}

TEST(Simulation, LogsEveryAttemptedStep) {
  const std::string file = "simulation_test_steps.csv";
  Simulation simulation(oscillator(), {.step_log = file});
  simulation.run(0, 3);
  const std::string text = text_of(file);
  std::remove(file.c_str());
  EXPECT_EQ(text.substr(0, text.find('\n')),
            "t,step,accepted,order,error,position_projection,velocity_projection,projection_iterations,reason,"
            "tableau_errors");
  const IntegratorStatistics& statistics = simulation.statistics().integrator;
  EXPECT_EQ(lines_in(text), 2 + statistics.steps + statistics.rejected_steps);  // the header and the start
}

// --------------------------------------------------------------------------------------------------- misuse

TEST(Simulation, RefusesTimesThatMakeNoSense) {
  Simulation simulation(oscillator());
  expect_error<ModelError>(
      "Simulation::run: asked to run from t = 1 s to 0 s; expected finite times, the end not before the beginning.",
      [&] { simulation.run(1, 0); });
  expect_error<ModelError>(
      "Simulation::run: asked to run from t = 0 s to inf s; expected finite times, the end not before the beginning.",
      [&] { simulation.run(0, INFINITY); });
}

TEST(Simulation, RefusesOptionsThatMakeNoSense) {
  EXPECT_THROW(Simulation(oscillator(), {.linear_solver = "magic"}), ModelError);
  EXPECT_THROW(Simulation(oscillator(), with_tolerance(-1)), ModelError);
  expect_error<ModelError>("Simulation: the equations of motion are null; give an object.",
                           [] { Simulation(std::unique_ptr<EquationsOfMotion>()); });
  expect_error<ModelError>("Simulation: the integrator factory gave no integrator; return one.", [] {
    Simulation(oscillator(), {.integrator = IntegratorFactory([] { return std::unique_ptr<Integrator>(); })});
  });
  Simulation simulation(oscillator(), {.step_log = "/nowhere/steps.csv"});
  expect_error<ModelError>(
      "can't write '/nowhere/steps.csv': No such file or directory; make the folder '/nowhere', "
      "or give another file.",
      [&] { simulation.run(0, 1); });
}

TEST(Simulation, RefusesEmptyCallbacks) {
  Simulation simulation(oscillator());
  expect_error<ModelError>("Simulation::observe: the observer is an empty function; give one.",
                           [&] { simulation.observe({}); });
  expect_error<ModelError>("Simulation::on_output: the callback is an empty function; give one.",
                           [&] { simulation.on_output(OutputPoints::per_step(1), {}); });
  expect_error<ModelError>("Simulation::on_progress: the callback is an empty function; give one.",
                           [&] { simulation.on_progress({}); });
}

TEST(Simulation, IsNotToBeChangedByItsOwnCallbacks) {
  Simulation simulation(oscillator());
  const std::string reason = ": called by a callback while the simulation runs; call it before or after the run.";
  simulation.observe([&](const State&, EquationsOfMotion&) {
    const auto observer = [](const State&, EquationsOfMotion&) { return true; };
    expect_error<ModelError>("Simulation::run" + reason, [&] { simulation.run(0, 1); });
    expect_error<ModelError>("Simulation::observe" + reason, [&] { simulation.observe(observer); });
    expect_error<ModelError>("Simulation::add_event" + reason, [&] { simulation.add_event(position_event("e", 0)); });
    expect_error<ModelError>("Simulation::on_output" + reason, [&] { simulation.on_output({}, [](const State&) {}); });
    expect_error<ModelError>("Simulation::on_progress" + reason,
                             [&] { simulation.on_progress([](double, double) {}); });
    return true;
  });
  simulation.run(0, 1);
  EXPECT_NO_THROW(simulation.add_event(position_event("e", 0)));
  EXPECT_EQ(simulation.run(0, 3).events().size(), 1u);

  const Simulation moved(std::move(simulation));
  expect_error<ModelError>("Simulation::run: the simulation was moved away; use the new one.",
                           [&] { simulation.run(0, 1); });  // NOLINT(bugprone-use-after-move)
}

/// Of a user's own type, which the run knows nothing of.
struct TableError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Runs to t = 2 with a function that throws from t = 1 on.
/// @return the message of the RunError, in which the exception is nested
std::string reason_of_exception(Simulation& simulation) {
  try {
    simulation.run(0, 2);
  } catch (const RunError& error) {
    EXPECT_THROW(test::rethrow_innermost(error), TableError);
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

void throw_from_one_second_on(double t) {
  if (t >= 1) throw TableError("the table ends");
}

TEST(Simulation, ExceptionsOfCallbacksEndItByNameAndNothingIsLost) {
  const auto expect_reason = [](const char* reason, auto&& add, double step = 0.25, double t_end = 1) {
    Simulation simulation(free_particle(0, 1), straight_line(step));
    add(simulation);
    const std::string text = reason_of_exception(simulation);
    EXPECT_EQ(text, std::string("model 'particle': the run stopped at t = 1 s: ") + reason +
                        " threw an exception: the table ends");
    EXPECT_DOUBLE_EQ(simulation.trajectory().t_end(), t_end) << reason;
  };
  expect_reason("an observer", [](Simulation& simulation) {
    simulation.observe([](const State& state, EquationsOfMotion&) {
      throw_from_one_second_on(state.t);
      return true;
    });
  });
  expect_reason("an output callback", [](Simulation& simulation) {
    simulation.on_output(OutputPoints::per_step(1), [](const State& state) { throw_from_one_second_on(state.t); });
  });
  expect_reason("a progress callback", [](Simulation& simulation) {
    simulation.on_progress([](double t, double) { throw_from_one_second_on(t); });
  });
  expect_reason("event 'end'", [](Simulation& simulation) {
    Event event = position_event("end", 5);
    event.function = [](const State& state, EquationsOfMotion&) {
      throw_from_one_second_on(state.t);
      return 1.0;
    };
    simulation.add_event(event);
  });
  expect_reason("the effect of event 'turn'", [](Simulation& simulation) {
    Event event = position_event("turn", 1);
    event.action = Event::Action::change;
    event.effect = [](State& state, EquationsOfMotion&) { throw_from_one_second_on(state.t); };
    simulation.add_event(event);
  });
  expect_reason(
      "an observer",
      [](Simulation& simulation) {  // at an event inside of a step
        simulation.add_event(position_event("inside", 1));
        simulation.observe([](const State& state, EquationsOfMotion&) {
          throw_from_one_second_on(state.t);
          return true;
        });
      },
      0.4, 1.2);
}

TEST(Simulation, ExceptionsOfElementsEndItByName) {
  PlanarModel model("arm");
  auto arm = model.add_body("arm", MassProperties::rod(1, 1));
  model.add_joint<Revolute>("pin", model.ground().origin(), arm.at({-0.5, 0}));
  arm.place({0.5, 0});
  model.add_force<AppliedForce>("wind", arm.origin(), [](const Motion<Planar>& motion) -> Eigen::Vector2d {
    throw_from_one_second_on(motion.time());
    return {1, 0};
  });
  Simulation simulation(model);
  const std::string text = reason_of_exception(simulation);
  EXPECT_EQ(text.find("model 'arm': the run stopped at t = "), 0u) << text;
  EXPECT_NE(text.find("'wind' at t = "), std::string::npos) << text;
  EXPECT_NE(text.find("the table ends"), std::string::npos) << text;
  EXPECT_GT(simulation.trajectory().t_end(), 0);
}

TEST(Simulation, MisuseThatACallbackFindsStaysMisuse) {
  Simulation simulation(oscillator());
  simulation.observe([](const State&, EquationsOfMotion&) -> bool { throw ModelError("no such value"); });
  expect_error<ModelError>("no such value", [&] { simulation.run(0, 1); });
}

TEST(Simulation, KeepsItsResultsWhereTheStepLogDoesNotFitOnTheDisk) {
  Simulation simulation(oscillator(), {.step_log = "/dev/full"});
  expect_error<RunError>("writing '/dev/full' failed; is the disk full?", [&] { simulation.run(0, 1); });
  EXPECT_EQ(simulation.trajectory().t_end(), 1);
}

TEST(Simulation, RefusesAnAttitudeThatIsNoUnitQuaternion) {
  SpatialModel model;
  model.add_body("ball", MassProperties::sphere(1, 1));
  Simulation simulation(model);
  State state = simulation.equations().initial_state();
  state.p[0] = 0;
  simulation.set_initial_state(state);
  expect_error<RunError>(
      "model 'model': the run stopped at t = 0 s: the initial positions are not consistent: ball: qw is 0 and belongs "
      "to a quaternion of norm 0; give a unit quaternion.",
      [&] { simulation.run(0, 1); });
  state.p[0] = 2;
  simulation.set_initial_state(state);
  expect_error<RunError>(
      "model 'model': the run stopped at t = 0 s: the initial positions are not consistent: ball: qw is 2, and 1 at "
      "the norm that it must have; give unit quaternions.",
      [&] { simulation.run(0, 1); });
}

TEST(Simulation, StopsWhereAnEnergyIsNotFinite) {
  PlanarModel model;
  auto bob = model.add_body<PointMass>("bob", 1.0);
  bob.place({1, 0});
  model.add_force<SpringDamper>("spring", model.ground().origin(), bob.origin(),
                                {.law = [](double, double) { return 1.0; }, .energy = [](double) { return NAN; }});
  expect_error<RunError>(
      "model 'model': the run stopped at t = 0 s: force 'spring' (spring-damper) gives a potential energy of nan J at "
      "t = 0 s; check its function.",
      [&] { Simulation(model).run(0, 1); });
}

TEST(Simulation, RefusesAnInitialStateThatDoesNotFit) {
  Simulation simulation(oscillator());
  State state = simulation.equations().initial_state();
  state.v.resize(3);
  expect_error<ModelError>("Simulation::set_initial_state: v has 3 entries; this model has 1.",
                           [&] { simulation.set_initial_state(state); });
  state.v = Eigen::VectorXd::Constant(1, std::nan(""));
  expect_error<ModelError>("Simulation::set_initial_state: v has an entry that is not finite; give finite values.",
                           [&] { simulation.set_initial_state(state); });
}

TEST(Simulation, ThatWasMovedAwaySaysSo) {
  Simulation simulation(oscillator());
  const State start = simulation.equations().initial_state();
  Simulation there = std::move(simulation);
  const auto refuses = [](const std::string& function, auto&& call) {
    expect_error<ModelError>("Simulation::" + function + ": the simulation was moved away; use the new one.", call);
  };
  // NOLINTBEGIN(bugprone-use-after-move): that is the question
  refuses("equations", [&] { simulation.equations(); });
  refuses("set_initial_state", [&] { simulation.set_initial_state(start); });
  refuses("run", [&] { simulation.run(0, 1); });
  refuses("summary", [&] { simulation.summary(); });
  refuses("linear_solver_name", [&] { simulation.linear_solver_name(); });
  refuses("integrator_name", [&] { simulation.integrator_name(); });
  // NOLINTEND
  EXPECT_EQ(there.run(0, 1).t_end(), 1);
}

TEST(Simulation, ThatCannotGoOnSaysWhenAndKeepsItsTrajectory) {
  Simulation simulation(std::make_unique<Particle>(0, 1, [](double, double x, double) -> double {
    if (x > 0.5) throw RecoverableFailure("the table ends at x = 0.5");
    return 0;
  }));
  try {
    simulation.run(0, 1);
    ADD_FAILURE() << "the run went on";
  } catch (const RunError& error) {
    EXPECT_EQ(error.time_reached(), simulation.trajectory().t_end());
    EXPECT_NE(std::string(error.what()).find("the table ends at x = 0.5"), std::string::npos) << error.what();
    EXPECT_EQ(std::string(error.what()).find("model 'particle': the run stopped at t = "), 0u) << error.what();
  }
  EXPECT_GT(simulation.trajectory().t_end(), 0);
  EXPECT_LT(simulation.trajectory().final_state().p[0], 0.6);
  EXPECT_GT(simulation.statistics().integrator.steps, 0);
  EXPECT_GT(simulation.statistics().wall_seconds, 0);
}

TEST(Simulation, OfBodiesThatArePlacedRoughlySaysHowToAssembleThem) {
  PlanarModel model("rough");
  auto rod = model.add_body("rod", MassProperties::rod(1, 1));
  rod.place({1.5, 1});
  model.add_joint<Revolute>("pin", model.ground().origin(), rod.at({-0.5, 0}));
  const auto reason_of = [&](bool consent) {
    Simulation simulation(model, {.integrator = ExtrapolationOptions{.consent_to_projection = consent}});
    try {
      simulation.run(0, 0.1);
    } catch (const RunError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  for (const bool consent : {false, true})
    EXPECT_NE(reason_of(consent).find("search for a start by set_initial_conditions({})"), std::string::npos)
        << reason_of(consent);
  Simulation simulation(model);
  simulation.set_initial_conditions({});
  EXPECT_EQ(simulation.run(0, 0.1).t_end(), 0.1);
}

TEST(Simulation, FarFromItsConstraintsAtTheStartIsRefused) {
  Simulation simulation(std::make_unique<Pendulum>(1.1));
  EXPECT_THROW(simulation.run(0, 1), RunError);
  EXPECT_TRUE(simulation.trajectory().empty());
}

}  // namespace simulation_test
}  // namespace linkwork::test
