// One revolution of the sprocket chain at a tolerance of 1e-4.

#include "zoo_simulation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace linkwork::apps {
namespace sprocket_chain_revolution_test {

/// Work [J] of all forces of the chain, those that turn the sprockets included, by Gauss's rule of two points over
/// each step: what is in the power by collisions is as smooth there as the polynomial of the step.
double work_along(Simulation& simulation) {
  EquationsOfMotion& equations = simulation.equations();
  const Trajectory& path = simulation.trajectory();
  const double place = std::sqrt(1.0 / 12);
  double work = 0;
  for (const TrajectorySegment& segment : path.segments()) {
    const double begin = segment.begin.t, step = segment.end.t - begin;
    for (const double at : {0.5 - place, 0.5 + place}) {
      equations.set(path.at(begin + at * step));
      work += step / 2 * equations.element_power();
    }
  }
  return work;
}

/// Energy [J] without what the contacts store, which their power counts.
double mechanical_energy(Simulation& simulation, double t) {
  simulation.equations().set(simulation.trajectory().at(t));
  const Energies now = simulation.equations().energies();
  return now.kinetic + now.potential - now.element_storage;
}

// The figures asked for: no failure, and an energy balance within 1 percent of the energy. After one revolution the
// first pin is back on top of the left sprocket, but for the slack that the gaps leave along the chain.
void expect_revolution(const IntegratorOptions& integrator) {
  const ZooModel& model = find_model("sprocket_chain");
  SimulationOptions options;
  options.formulation = Formulation::relative;
  options.integrator = integrator;
  Simulation simulation = make_simulation(model, model.parameters_with({}), options);
  simulation.run(0, model.t_end);
  const auto names = simulation.equations().observable_names();
  const Eigen::VectorXd values = final_observables(simulation);
  const auto value = [&](const char* name) {
    return values[std::find(names.begin(), names.end(), name) - names.begin()];
  };
  EXPECT_NEAR(value("x"), 0, 0.004);
  EXPECT_NEAR(value("y"), 0.0254 / (2 * std::sin(std::numbers::pi / 16)), 0.004);
  EXPECT_NEAR(value("speed"), 2, 0.2);
  const double change = mechanical_energy(simulation, model.t_end) - mechanical_energy(simulation, 0);
  EXPECT_LT(std::abs(change - work_along(simulation)), 0.01 * simulation.energy().initial);
}

TEST(SprocketChain, TurnsOnceByBdf) { expect_revolution(BdfOptions{.rtol = 1e-4, .atol = 1e-4}); }
TEST(SprocketChain, TurnsOnceByRadau) { expect_revolution(RadauOptions{.rtol = 1e-4, .atol = 1e-4}); }

}  // namespace sprocket_chain_revolution_test
}  // namespace linkwork::apps
