// Elements that count their own calls, against the statistics of a run.

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/forces/dry_friction.hpp>
#include <linkwork/joints/prismatic.hpp>
#include <linkwork/joints/revolute.hpp>
#include <linkwork/solvers/analyses/declarations.hpp>
#include <linkwork/solvers/integrators/extrapolation_tableau.hpp>
#include <linkwork/solvers/simulation/simulation.hpp>

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <sstream>

namespace linkwork::test {
namespace accounts_test {

struct Calls {
  std::int64_t force = 0, state_rate = 0, residual = 0, rows = 0, position_rows = 0, bias = 0;
};

/// A motor whose torque fades: r' = -r.
class CountingMotor final : public ForceElement<Planar> {
 public:
  CountingMotor(const Frame<Planar>& frame, Calls& calls) : ForceElement({frame}), calls_(calls) {}
  std::string_view type() const override { return "counting motor"; }
  int states() const override { return 1; }
  double initial_state(int) const override { return 2; }

 private:
  void do_add_to(const Motion<Planar>& m, ForceSums<Planar>& sums) const override {
    ++calls_.force;
    sums.add_torque(0, m.state(0));
  }
  void do_state_rates(const Motion<Planar>& m, double* rates) const override {
    ++calls_.state_rate;
    rates[0] = -m.state(0);
  }
  Calls& calls_;
};

/// Keeps a frame's origin on a circle about the ground's origin; its rows are not the derivative of its residual.
class CountingRod final : public Constraint<Planar> {
 public:
  CountingRod(const Frame<Planar>& frame, double length, Calls& calls)
      : Constraint({frame}), length_(length), calls_(calls) {}
  std::string_view type() const override { return "counting rod"; }
  int rows() const override { return 1; }
  bool has_position_rows() const override { return true; }

 private:
  void do_residual(const Motion<Planar>& m, double* g) const override {
    ++calls_.residual;
    g[0] = m.frame(0).pose.position.norm() - length_;
  }
  void do_rows(const Motion<Planar>& m, ConstraintRows<Planar>& out) const override {
    ++calls_.rows;
    out.add_linear(0, 0, m.frame(0).pose.position);
  }
  void do_position_rows(const Motion<Planar>& m, ConstraintRows<Planar>& out) const override {
    ++calls_.position_rows;
    out.add_linear(0, 0, m.frame(0).pose.position.normalized());
  }
  // By default rows are differenced for it.
  void do_bias(const Motion<Planar>& m, double* bias) const override {
    ++calls_.bias;
    bias[0] = -m.frame(0).velocity.linear.squaredNorm();
  }
  double length_;
  Calls& calls_;
};

/// A body whose centre moves on a circle, driven by a motor.
PlanarModel counting_model(Calls& calls) {
  PlanarModel model("counted");
  model.set_gravity({0, -9.81});
  auto body = model.add_body("body", MassProperties::planar(1.5, 0.2));
  body.place({1, 0}).move({0, -2});
  model.add_constraint<CountingRod>("rod", body.origin(), 1.0, calls);
  model.add_force<CountingMotor>("motor", body.origin(), calls);
  model.add_observable("height", "m",
                       [frame = body.origin()](const auto& now) { return now.pose(frame).position.y(); });
  return model;
}

/// What check_functions, with which a run begins, calls single elements for: these are no evaluations of equations.
Calls calls_of_check(Simulation& simulation, Calls& calls) {
  EquationsOfMotion& equations = simulation.equations();
  equations.set(equations.initial_state());
  equations.remember(true, -1);
  const EvaluationCounters before = equations.counters();
  calls = {};
  check_functions(equations);
  const EvaluationCounters& after = equations.counters();
  const Calls out{calls.force - (after.force - before.force), calls.state_rate - (after.state_rate - before.state_rate),
                  calls.residual - (after.residual - before.residual),
                  calls.rows - (after.matrix - before.matrix) - calls.bias,
                  calls.position_rows - (after.position_matrix - before.position_matrix)};
  calls = {};
  return out;
}

void expect_counted(const Calls& calls, const Calls& check, const SimulationStatistics& statistics) {
  const EvaluationCounters &run = statistics.evaluations, &driver = statistics.driver_evaluations;
  EXPECT_EQ(calls.force - check.force, run.force + driver.force);
  EXPECT_EQ(calls.state_rate - check.state_rate, run.state_rate + driver.state_rate);
  EXPECT_EQ(calls.residual - check.residual, run.residual + driver.residual);
  EXPECT_EQ(calls.rows - check.rows, run.matrix + driver.matrix + calls.bias);  // gamma asks for the rows once more
  EXPECT_EQ(calls.position_rows - check.position_rows, run.position_matrix + driver.position_matrix);
}

TEST(Accounts, AgreeWithElementsThatCountTheirCalls) {
  Calls calls;
  Simulation simulation(counting_model(calls));
  const Calls check = calls_of_check(simulation, calls);
  simulation.run(0, 2);
  expect_counted(calls, check, simulation.statistics());
}

TEST(Accounts, AgreeWithElementsWhereTheDriverAsksThemToo) {
  Calls calls;
  Simulation simulation(counting_model(calls), {.energy_balance = true});
  simulation.add_event({.observable = "height"});
  Event kick{.name = "kick", .observable = "height", .direction = Event::Direction::rising};
  kick.action = Event::Action::change;
  kick.effect = [](State& state, EquationsOfMotion&) { state.v *= 0.5; };
  simulation.add_event(kick);
  simulation.observe([](const State&, EquationsOfMotion& equations) { return equations.f().allFinite(); });
  const Calls check = calls_of_check(simulation, calls);
  simulation.run(0, 3);
  EXPECT_GT(simulation.statistics().restarts, 0);
  EXPECT_GT(simulation.statistics().driver_evaluations.force, 0);
  expect_counted(calls, check, simulation.statistics());
}

TEST(Accounts, ReportsCostTheMethodNothing) {
  Calls calls;
  Simulation plain(counting_model(calls));
  Simulation busy(counting_model(calls), {.energy_balance = true});
  busy.on_output(OutputPoints::per_step(5), [&](const State&) { busy.equations().f(); });
  plain.run(0, 2);
  busy.run(0, 2);
  EXPECT_EQ(plain.statistics().evaluations.force, busy.statistics().evaluations.force);
  EXPECT_EQ(plain.statistics().evaluations.matrix, busy.statistics().evaluations.matrix);
  EXPECT_EQ(plain.statistics().evaluations.residual, busy.statistics().evaluations.residual);
}

/// Accepted and rejected attempts of a step log with their orders.
std::vector<std::pair<bool, int>> attempts(const std::string& file) {
  std::ifstream in(file);
  std::string line, field;
  std::getline(in, line);  // names
  std::getline(in, line);  // the start
  std::vector<std::pair<bool, int>> out;
  while (std::getline(in, line)) {
    std::istringstream fields(line);
    for (int i = 0; i < 2; ++i) std::getline(fields, field, ',');
    std::getline(fields, field, ',');
    const bool accepted = field == "1";
    std::getline(fields, field, ',');
    out.emplace_back(accepted, std::stoi(field));
  }
  return out;
}

TEST(Accounts, AreThoseOfTheMethod) {
  Calls calls;
  const std::string file = "accounts_test_steps.csv";
  Simulation simulation(counting_model(calls), {.keep_dense_output = false, .step_log = file});
  simulation.run(0, 5);
  // A line of n sub-steps evaluates G n times and f n - 1 times, the first f being common to all lines; a step adds one
  // projection of velocities and the first f of the next step, and so does the start, where accelerations need G once
  // more; a look at stability after every tenth step takes one of both.
  std::int64_t matrix = 2, force = 1, steps = 0, rejected = 0;
  for (const auto& [accepted, lines] : attempts(file)) {
    for (int line = 1; line <= lines; ++line) {
      matrix += half_explicit_sequence.steps(line);
      force += half_explicit_sequence.steps(line) - 1;
    }
    matrix += accepted;
    force += accepted;
    ++(accepted ? steps : rejected);
  }
  std::remove(file.c_str());
  matrix += steps / 10;
  force += steps / 10;
  const SimulationStatistics& statistics = simulation.statistics();
  EXPECT_EQ(steps, statistics.integrator.steps);
  EXPECT_EQ(rejected, statistics.integrator.rejected_steps);
  EXPECT_EQ(matrix, statistics.evaluations.matrix);
  EXPECT_EQ(force, statistics.evaluations.force);
}

}  // namespace accounts_test
}  // namespace linkwork::test
