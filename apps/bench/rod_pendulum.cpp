#include "bench/rod_pendulum.hpp"

#include "bench/cpu_clock.hpp"
#include "text_table.hpp"

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/joints/revolute.hpp>
#include <linkwork/solvers/simulation/simulation.hpp>

#include <algorithm>
#include <limits>
#include <string>

namespace linkwork::apps {
namespace {

PlanarModel make_pendulum(int rods) {
  PlanarModel model("pendulum of rods");
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

double largest_kinetic_energy(Simulation& simulation, double t_end) {
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

}  // namespace

RodPendulumRun run_rod_pendulum(int rods, double t_end, double tolerance) {
  constexpr int repeats = 3;
  const PlanarModel model = make_pendulum(rods);
  Simulation watched(model, options_for(tolerance));
  const double kinetic = largest_kinetic_energy(watched, t_end);
  Simulation simulation(model, options_for(tolerance));
  RodPendulumRun out;
  out.point = {"Linkwork, relative, recursive", number(tolerance), std::numeric_limits<double>::infinity(), 0};
  for (int k = 0; k < repeats; ++k) {
    const double start = cpu_seconds();
    simulation.run(0, t_end);
    out.point.milliseconds = std::min(out.point.milliseconds, 1e3 * (cpu_seconds() - start));
  }
  out.point.error = simulation.energy().max_drift / kinetic;
  out.steps = simulation.statistics().integrator.steps;
  out.accelerations = simulation.statistics().linear.factorizations;
  return out;
}

}  // namespace linkwork::apps
