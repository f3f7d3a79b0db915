// Work and precision beside Simbody's, measured in the same minutes: the row of four-bar windows through its singular
// positions, against its closed form, and the pendulum of 32 rods, by the drift of its energy.

#include "bench/cpu_clock.hpp"
#include "bench/rod_pendulum.hpp"
#include "bench/simbody_mechanisms.hpp"
#include "text_table.hpp"
#include "zoo_simulation.hpp"

#include <linkwork/solvers/simulation/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <string>
#include <vector>

namespace linkwork::apps {
namespace {

constexpr int repeats = 3;

/// Where the end of the first crank must be at the end of the run.
Eigen::Vector2d known_end(const ReferencePoint& reference) {
  Eigen::Vector2d out;
  for (const auto& [name, value] : reference.values) {
    if (name == "B0x") out.x() = value;
    if (name == "B0y") out.y() = value;
  }
  return out;
}

WorkPoint run_linkwork(const ZooModel& model, const Parameters& parameters, double t_end, double tolerance,
                       const ReferencePoint& reference) {
  WorkPoint point{"Linkwork, relative, graph", number(tolerance), std::numeric_limits<double>::infinity(), 0};
  SimulationOptions options;
  options.formulation = Formulation::relative;
  options.linear_solver = "graph";
  options.integrator = ExtrapolationOptions{.rtol = tolerance, .atol = tolerance};
  options.keep_dense_output = options.keep_steps = false;
  for (int k = 0; k < repeats; ++k) {
    Simulation simulation = make_simulation(model, parameters, options);
    const double start = cpu_seconds();
    simulation.run(0, t_end);
    point.milliseconds = std::min(point.milliseconds, 1e3 * (cpu_seconds() - start));
    point.error = (final_observables(simulation).head<2>() - known_end(reference)).norm();
  }
  return point;
}

void compare_four_bars(int windows, double t_end, const std::vector<double>& accuracies, double limit) {
  const ZooModel& model = find_model("n_four_bar");
  const Parameters parameters = model.parameters_with({{"n", windows}});
  const ReferencePoint& reference = *model.reference_at(parameters, t_end);
  TextTable table({"windows", "code", "tolerance", "error [m]", "ms"});
  for (double tolerance : {1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9}) {
    const WorkPoint point = run_linkwork(model, parameters, t_end, tolerance, reference);
    table.add(
        {std::to_string(windows), point.code, point.setting, number(point.error, 2), number(point.milliseconds, 3)});
  }
  for (const std::string& integrator : simbody_integrators())
    for (double accuracy : accuracies) {
      const SimbodyRun run = run_n_four_bar_in_simbody(windows, t_end, integrator, accuracy, limit);
      const double error = (Eigen::Vector2d(run.x, run.y) - known_end(reference)).norm();
      table.add({std::to_string(windows), "Simbody, " + integrator, number(accuracy),
                 run.finished ? number(error, 2) : "none",
                 run.finished ? number(1e3 * run.cpu_seconds, 3) : "over " + number(1e3 * limit, 3)});
    }
  table.print(std::cout);
  std::cout << '\n';
}

void compare_pendulums() {
  constexpr int rods = 32;
  constexpr double t_end = 10, limit = 30, wanted_drift = 1e-6;
  TextTable table({"rods", "code", "tolerance", "drift", "ms"});
  const auto show = [&](const WorkPoint& point) {
    table.add({std::to_string(rods), point.code, point.setting, number(point.error, 2), number(point.milliseconds, 3)});
  };
  std::vector<WorkPoint> ours, theirs;
  for (double tolerance : {1e-5, 1e-6, 1e-7, 1e-8}) {
    ours.push_back(run_rod_pendulum(rods, t_end, tolerance).point);
    show(ours.back());
  }
  for (double accuracy : {1e-5, 1e-6, 1e-7}) {
    WorkPoint point{"Simbody, Merson", number(accuracy), std::numeric_limits<double>::infinity(), 0};
    for (int k = 0; k < repeats; ++k) {
      const SimbodyRun run = run_rod_pendulum_in_simbody(rods, t_end, "Merson", accuracy, limit);
      if (run.finished) point.milliseconds = std::min(point.milliseconds, 1e3 * run.cpu_seconds);
      point.error = run.drift;
    }
    theirs.push_back(point);
    show(point);
  }
  table.print(std::cout);
  const double our_time = time_at_error(ours, wanted_drift), their_time = time_at_error(theirs, wanted_drift);
  std::cout << "\nAt a drift of 1e-6: Linkwork " << number(our_time, 3) << " ms, Simbody " << number(their_time, 3)
            << " ms, " << number(their_time / our_time, 3) << " times as long.\n";
}

}  // namespace
}  // namespace linkwork::apps

int main() {
  linkwork::apps::compare_four_bars(2, 10, {1e-3, 1e-5, 1e-7, 1e-8}, 5);
  linkwork::apps::compare_four_bars(40, 20, {1e-3, 1e-6}, 3);
  linkwork::apps::compare_pendulums();
}
