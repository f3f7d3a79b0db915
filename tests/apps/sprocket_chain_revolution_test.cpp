// One revolution of the sprocket chain at a tolerance of 1e-4.

#include "zoo_simulation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace linkwork::apps {
namespace sprocket_chain_revolution_test {

// The figures asked for: no failure, and an energy balance within 1 percent, here of the least that it is a balance of,
// the energy itself. After one revolution the first pin is back on top of the left sprocket, but for the slack.
void expect_revolution(const IntegratorOptions& integrator) {
  const ZooModel& model = find_model("sprocket_chain");
  SimulationOptions options;
  options.formulation = Formulation::relative;
  options.integrator = integrator;
  options.energy_balance = true;
  Simulation simulation = make_simulation(model, model.parameters_with({}), options);
  simulation.run(0, model.t_end);
  EXPECT_LT(simulation.energy().balance, 0.01 * simulation.energy().initial);
  const auto names = simulation.equations().observable_names();
  const auto value = [&](const char* name) {
    return final_observables(simulation)[std::find(names.begin(), names.end(), name) - names.begin()];
  };
  EXPECT_NEAR(value("x"), 0, 0.003);
  EXPECT_NEAR(value("y"), 0.0254 / (2 * std::sin(3.14159265358979 / 16)), 0.003);
}

TEST(SprocketChain, TurnsOnceByBdf) { expect_revolution(BdfOptions{.rtol = 1e-4, .atol = 1e-4}); }
TEST(SprocketChain, TurnsOnceByRadau) { expect_revolution(RadauOptions{.rtol = 1e-4, .atol = 1e-4}); }

}  // namespace sprocket_chain_revolution_test
}  // namespace linkwork::apps
