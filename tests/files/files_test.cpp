// What the library writes of runs for programs: trajectories that are read back, and reports as JSON.

#include "../messages.hpp"
#include "../scratch.hpp"

#include <linkwork/linkwork.hpp>

#include <gtest/gtest.h>
#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

namespace files_test {

using namespace linkwork;
using linkwork::test::contains;
using linkwork::test::error_of;

PlanarModel pendulum(const std::string& body = "bar") {
  PlanarModel model("pendulum");
  model.set_gravity({0, -9.81});
  auto bar = model.add_body(body, MassProperties::rod(1, 0.8)).place({0.4, 0});
  model.add_joint<Revolute>("bearing", model.ground().origin(), bar.at({-0.4, 0}));
  model.add_force<TorsionSpringDamper>("spring", model.ground().origin(), bar.origin(),
                                       {.stiffness = 2, .damping = 0.1});
  model.add_observable("height", "m", [=](const auto& now) { return now.pose(bar.origin()).position.y(); });
  model.add_observable("hole", "", [](const auto&) { return std::numeric_limits<double>::quiet_NaN(); });
  return model;
}

using Files = linkwork::test::Scratch;

std::string samples_of(const Trajectory& path) {
  std::ostringstream out;
  path.write_csv(out, 100, {"*"});
  return out.str();
}

TEST_F(Files, OfTrajectoriesGiveTheSameNumbersInEveryFormulation) {
  for (const Formulation formulation : {Formulation::absolute, Formulation::mixed, Formulation::relative}) {
    const PlanarModel model = pendulum();
    Simulation simulation(model, {.formulation = formulation, .integrator = BdfOptions{.rtol = 1e-6, .atol = 1e-6}});
    const Trajectory written = simulation.run(0, 0.5);
    write_trajectory(written, path("a.traj"));
    const Trajectory read = read_trajectory(path("a.traj"), model);
    EXPECT_EQ(samples_of(read), samples_of(written));
    ASSERT_EQ(read.attempts().size(), written.attempts().size());
    EXPECT_EQ(read.attempts().back().order, written.attempts().back().order);
  }
}

TEST_F(Files, OfTrajectoriesAreReadForTheirOwnModelOnly) {
  Simulation simulation(pendulum());
  write_trajectory(simulation.run(0, 0.1), path("a.traj"));
  EXPECT_EQ(
      error_of([&] { read_trajectory(path("a.traj"), pendulum("beam")); }),
      "'" + path("a.traj") +
          "' is of another model, or of one with other cuts: it has 3 coordinates and model 'pendulum' has 3; the "
          "first that differ are 'bar: angle' and 'beam: angle'; give the model that was run.");
  EXPECT_TRUE(contains(error_of([&] { read_trajectory(path("no.traj"), pendulum()); }),
                       "can't read '" + path("no.traj") + "'; give a file written by write_trajectory"));
  std::ofstream(path("b.traj")) << "no trajectory\n";
  EXPECT_TRUE(contains(error_of([&] { read_trajectory(path("b.traj"), pendulum()); }), "is damaged, or no trajectory"));
}

TEST_F(Files, ThatCannotBeWrittenAreRefusedAndLeaveOlderOnes) {
  Simulation simulation(pendulum());
  const Trajectory run = simulation.run(0, 0.1);
  EXPECT_TRUE(contains(error_of([&] { write_trajectory(run, path("no/where.traj")); }), "no/where.traj"));
  EXPECT_TRUE(contains(error_of([&] { write_json(simulation, path("no/where.json")); }), "no/where.json"));
  EXPECT_TRUE(contains(error_of([&] { write_trajectory(run, std::string("/dev/full")); }), "/dev/full"));
  std::ofstream(path("old.traj")) << "older";
  EXPECT_TRUE(contains(error_of([&] { write_trajectory(Trajectory(), path("old.traj")); }), "the trajectory is empty"));
  EXPECT_EQ(text_of("old.traj"), "older");
}

TEST_F(Files, OfARunWithoutAStepAndOfOneThatEndedEarly) {
  const PlanarModel model = pendulum();
  Simulation simulation(model);
  write_trajectory(simulation.run(0, 0), path("start.traj"));
  EXPECT_EQ(read_trajectory(path("start.traj"), model).t_end(), 0);

  Simulation stopped(model);
  stopped.observe([](const State& state, EquationsOfMotion&) {
    if (state.t > 0.2) throw std::runtime_error("enough");
    return true;
  });
  EXPECT_TRUE(contains(error_of([&] { stopped.run(0, 1); }), "enough"));
  write_trajectory(stopped.trajectory(), path("early.traj"));
  EXPECT_EQ(read_trajectory(path("early.traj"), model).t_end(), stopped.trajectory().t_end());
  std::ostringstream json;
  write_json(stopped, json);
  EXPECT_EQ(nlohmann::json::parse(json.str())["t_reached"], stopped.trajectory().t_end());
}

TEST(Reports, HaveWhatTheSimulationKnows) {
  Simulation simulation(pendulum(), {.formulation = Formulation::relative,
                                     .integrator = ExtrapolationOptions{.rtol = 1e-7, .atol = 1e-8}});
  simulation.add_event({.observable = "bearing: reaction force x"});
  const Trajectory path = simulation.run(0, 1);
  std::ostringstream out;
  write_json(simulation, out);
  const nlohmann::json report = nlohmann::json::parse(out.str());
  EXPECT_EQ(report["model"], "pendulum");
  EXPECT_EQ(report["formulation"], "relative");
  EXPECT_EQ(report["integrator"], "extrapolation");
  EXPECT_EQ(report["rtol"], 1e-7);
  EXPECT_EQ(report["atol"], 1e-8);
  EXPECT_EQ(report["t_reached"], 1);
  EXPECT_EQ(report["statistics"]["steps"], simulation.statistics().integrator.steps);
  EXPECT_EQ(report["energy"]["initial"], simulation.energy().initial);
  EXPECT_EQ(report["observables"]["height"], path.values("height").values.back());
  EXPECT_TRUE(report["observables"]["hole"].is_null());
  ASSERT_EQ(report["events"].size(), path.events().size());
  EXPECT_GT(path.events().size(), 0u);
  EXPECT_EQ(report["events"][0]["name"], "bearing: reaction force x");
}

}  // namespace files_test
