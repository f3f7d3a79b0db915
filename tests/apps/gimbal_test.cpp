// The desk toy of two gimbals and an eccentric weight: its invariants, and one motion in all coordinates.

#include "accelerations.hpp"
#include "zoo_simulation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace linkwork::apps {
namespace gimbal_test {

double observable(Simulation& simulation, const std::string& name) {
  const auto names = simulation.equations().observable_names();
  return final_observables(simulation)[std::find(names.begin(), names.end(), name) - names.begin()];
}

Simulation simulation_of(const Parameters& changes, Formulation formulation, const IntegratorOptions& integrator) {
  const ZooModel& model = find_model("gimbal");
  SimulationOptions options;
  options.formulation = formulation;
  options.integrator = integrator;
  return make_simulation(model, model.parameters_with(changes), options);
}

// At the start nothing but the disc moves, about its axle, which leans by the tilt. Closed forms: m (r^2 / 2 + e^2)
// about the axle and the height of the center of mass. Rounding, and what a step of a microsecond leaves.
constexpr double mass = 0.2, eccentricity = 0.015, about_axle = mass * (0.04 * 0.04 / 2 + eccentricity * eccentricity);
constexpr double spin = 30, tilt = 0.5;

TEST(Gimbal, StartsWithTheEnergyAndTheMomentumOfItsDisc) {
  Simulation simulation = simulation_of({}, Formulation::absolute, ExtrapolationOptions{});
  simulation.run(0, 1e-6);
  EXPECT_NEAR(observable(simulation, "vertical_momentum"), about_axle * spin * std::sin(tilt), 1e-12);
  EXPECT_NEAR(simulation.energy().initial, about_axle * spin * spin / 2 - mass * 9.81 * eccentricity * std::cos(tilt),
              1e-13);
}

// Both invariants of the motion without friction; no method keeps them by itself. The drift of either is that of the
// error control over 1 s, some hundred tolerances of an energy of 0.07 J and a momentum of 3e-3 kg m^2/s.
TEST(Gimbal, KeepsItsEnergyAndItsMomentumAboutThePillar) {
  const IntegratorOptions integrators[] = {ExtrapolationOptions{.rtol = 1e-8, .atol = 1e-8},
                                           BdfOptions{.rtol = 1e-8, .atol = 1e-8},
                                           RadauOptions{.rtol = 1e-8, .atol = 1e-8}};
  for (const Formulation formulation : {Formulation::absolute, Formulation::mixed, Formulation::relative})
    for (const IntegratorOptions& integrator : integrators) {
      Simulation simulation = simulation_of({}, formulation, integrator);
      SCOPED_TRACE(concat(simulation.integrator_name(), ", ", name_of(formulation)));
      simulation.run(0, 1);
      EXPECT_LT(simulation.energy().max_drift, 1e-6);
      EXPECT_NEAR(observable(simulation, "vertical_momentum"), about_axle * spin * std::sin(tilt), 1e-7);
      EXPECT_GT(std::abs(observable(simulation, "spin") - spin), 1);  // the rings have begun to move
    }
}

// Friction takes energy away, and the rings come to rest with the weight below.
TEST(Gimbal, ComesToRestWithFriction) {
  Simulation simulation = simulation_of({{"damping", 5e-4}}, Formulation::relative, BdfOptions{});
  simulation.run(0, 10);
  EXPECT_LT(simulation.energy().final, simulation.energy().initial);
  EXPECT_NEAR(observable(simulation, "z"), -0.015, 1e-4);
}

TEST(Gimbal, FormulationsAndSolversGiveOneAcceleration) {
  SpatialModel model = test::build("gimbal", {{"damping", 1e-4}});
  test::observe_accelerations(model);
  const Eigen::VectorXd reference = test::report(model, Formulation::absolute);
  EXPECT_GT(reference.norm(), 1);
  for (const Formulation formulation : {Formulation::absolute, Formulation::mixed, Formulation::relative})
    for (const char* solver : {"dense-lu", "recursive", "sparse-lu"})
      EXPECT_LT((test::report(model, formulation, solver) - reference).lpNorm<Eigen::Infinity>(),
                1e-9 * (1 + reference.lpNorm<Eigen::Infinity>()))
          << name_of(formulation) << ", " << solver;
}

TEST(Gimbal, RefusesATiltBeyondItsRange) {
  EXPECT_THROW(find_model("gimbal").parameters_with({{"tilt", 2}}), ModelError);
}

}  // namespace gimbal_test
}  // namespace linkwork::apps
