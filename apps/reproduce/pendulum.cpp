#include "bench/cpu_clock.hpp"
#include "bench/yardstick.hpp"
#include "reproduce/tables.hpp"
#include "text_table.hpp"

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/joints/revolute.hpp>
#include <linkwork/solvers/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

// Pendulum of 32 slender rods of 1 m and 1 kg, released from rest and horizontal, over 10 s. The motion is chaotic, so
// that codes are compared by the time they take for a drift of the energy. Times of the other codes were measured on a
// machine whose yardstick was 76.4 ns, and are carried to this one by its own.

namespace linkwork::apps {
namespace {

constexpr int rods = 32;
constexpr double t_end = 10;  // [s]

PlanarModel make_pendulum() {
  PlanarModel model("pendulum of 32 rods");
  model.set_gravity({0, -9.81});
  Frame<Planar> last = model.ground().origin();
  for (int i = 0; i < rods; ++i) {
    const std::string number = std::to_string(i + 1);
    auto rod = model.add_body("rod " + number, MassProperties::rod(1, 1));
    rod.place({i + 0.5, 0});
    model.add_joint<Revolute>("pin " + number, last, rod.at({-0.5, 0}));
    last = rod.at({0.5, 0});
  }
  return model;
}

struct Point {
  std::string code, setting;
  double milliseconds = 0;  ///< of processor time
  double drift = 0;         ///< of the energy, relative to the largest kinetic energy
};

/// On a machine whose yardstick was 76.4 ns.
const std::vector<Point>& simbody() {
  static const std::vector<Point> points = {{"Simbody, Merson", "1e-5", 620, 3.6e-6},
                                            {"Simbody, Merson", "1e-7", 1960, 4.2e-8}};
  return points;
}
const std::vector<Point>& mujoco() {
  static const std::vector<Point> points = {{"MuJoCo, RK4", "0.001 s", 604, 1.4e-5},
                                            {"MuJoCo, RK4", "0.0005 s", 1210, 1.1e-6},
                                            {"MuJoCo, RK4", "0.00025 s", 2480, 8.2e-8}};
  return points;
}

double largest_kinetic_energy(Simulation& simulation) {
  double largest = 0;
  simulation.observe([&largest](const State&, EquationsOfMotion& equations) {
    largest = std::max(largest, equations.energies().kinetic);
    return true;
  });
  simulation.run(0, t_end);
  return largest;
}

SimulationOptions options_for(double tolerance) {
  SimulationOptions options;
  options.formulation = Formulation::relative;
  options.linear_solver = "recursive";
  options.integrator = ExtrapolationOptions{.rtol = tolerance, .atol = tolerance};
  options.keep_dense_output = options.keep_steps = false;
  return options;
}

Point run(double tolerance, TextTable& table) {
  constexpr int repeats = 3;
  const PlanarModel model = make_pendulum();
  Simulation watched(model, options_for(tolerance));
  const double kinetic = largest_kinetic_energy(watched);
  Simulation simulation(model, options_for(tolerance));
  Point point{"Linkwork, relative, recursive", number(tolerance), std::numeric_limits<double>::infinity()};
  for (int k = 0; k < repeats; ++k) {
    const double start = cpu_seconds();
    simulation.run(0, t_end);
    point.milliseconds = std::min(point.milliseconds, 1e3 * (cpu_seconds() - start));
  }
  point.drift = simulation.energy().max_drift / kinetic;
  const SimulationStatistics& statistics = simulation.statistics();
  table.add({point.code, point.setting, number(point.milliseconds, 3), number(point.drift, 2),
             std::to_string(statistics.integrator.steps), std::to_string(statistics.linear.factorizations)});
  return point;
}

/// On straight lines through the points in logarithms; NaN outside of them.
double time_at_drift(const std::vector<Point>& points, double drift) {
  for (std::size_t k = 0; k + 1 < points.size(); ++k) {
    const Point &loose = points[k], &tight = points[k + 1];
    if (drift > loose.drift || drift < tight.drift) continue;
    const double share = std::log(loose.drift / drift) / std::log(loose.drift / tight.drift);
    return loose.milliseconds * std::pow(tight.milliseconds / loose.milliseconds, share);
  }
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

void reproduce_pendulum_32(std::ostream& out) {
  constexpr double their_yardstick = 76.4, wanted_drift = 1e-6;
  const double scale = measure_yardstick().minimum / their_yardstick;
  TextTable table({"code", "tolerance or step", "ms", "drift", "steps", "accelerations"});
  std::vector<Point> ours;
  for (double tolerance : {1e-4, 1e-5, 1e-6, 1e-7, 1e-8}) ours.push_back(run(tolerance, table));
  for (const auto& peer : {simbody(), mujoco()})
    for (const Point& point : peer)
      table.add({point.code, point.setting, number(scale * point.milliseconds, 3), number(point.drift, 2), "", ""});
  table.print(out);

  const double our_time = time_at_drift(ours, wanted_drift);
  const double simbody_time = scale * time_at_drift(simbody(), wanted_drift),
               mujoco_time = scale * time_at_drift(mujoco(), wanted_drift);
  out << "\nAt a drift of 1e-6: Linkwork " << number(our_time, 3) << " ms; Simbody " << number(simbody_time, 3)
      << " ms, " << number(simbody_time / our_time, 3) << " times as long; MuJoCo " << number(mujoco_time, 3) << " ms, "
      << number(mujoco_time / our_time, 3) << " times as long.\nDrift: of the energy, over the largest "
      << "kinetic energy. Smallest processor times of several runs.\n";
}

}  // namespace linkwork::apps
