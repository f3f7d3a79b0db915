// The chain around two sprockets: its geometry for any number of links, its energy, one motion in all coordinates.

#include "accelerations.hpp"
#include "zoo_simulation.hpp"

#include <linkwork/solvers/dae/motion_residual.hpp>

#include "../messages.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace linkwork::apps {
namespace sprocket_chain_test {

Simulation simulation_of(const Parameters& changes, Formulation formulation, const IntegratorOptions& integrator,
                         bool balance = false) {
  const ZooModel& model = find_model("sprocket_chain");
  SimulationOptions options;
  options.formulation = formulation;
  options.integrator = integrator;
  options.energy_balance = balance;
  return make_simulation(model, model.parameters_with(changes), options);
}

double observable(Simulation& simulation, const std::string& name) {
  const auto names = simulation.equations().observable_names();
  return final_observables(simulation)[std::find(names.begin(), names.end(), name) - names.begin()];
}

TEST(SprocketChain, FormulationsAndSolversGiveOneAcceleration) {
  for (const double sprockets : {0.0, 1.0}) {
    SpatialModel model = test::build("sprocket_chain", {{"links", 30}, {"sprockets", sprockets}});
    test::observe_accelerations(model);
    const Eigen::VectorXd reference = test::report(model, Formulation::relative);
    EXPECT_GT(reference.norm(), 1);
    for (const Formulation formulation : {Formulation::absolute, Formulation::mixed, Formulation::relative})
      for (const char* solver : {"dense-lu", "sparse-lu", "graph"})
        EXPECT_LT((test::report(model, formulation, solver) - reference).lpNorm<Eigen::Infinity>(),
                  1e-9 * (1 + reference.lpNorm<Eigen::Infinity>()))
            << name_of(formulation) << ", " << solver;
  }
}

// Placed pins and speeds satisfy all constraints for any size: nothing is left to search for.
TEST(SprocketChain, IsPlacedConsistentlyWithAnyNumberOfLinks) {
  for (const double links : {50, 250, 1000})
    for (const double teeth : {8, 16, 26}) {
      const auto equations = make_equations(test::build("sprocket_chain", {{"links", links}, {"teeth", teeth}}),
                                            {.formulation = Formulation::relative});
      equations->set(equations->initial_state());
      EXPECT_LT(equations->g().lpNorm<Eigen::Infinity>(), 1e-12);  // rounding of places up to 13 m away
      EXPECT_LT(equations->velocity_residual().lpNorm<Eigen::Infinity>(), 1e-12);
    }
}

// Rows stay as short and groups of columns as few as the chain grows, where the sprockets turn as prescribed.
TEST(SprocketChain, HasAJacobianOfBoundedRows) {
  for (const double links : {54, 250}) {
    const auto equations =
        make_equations(test::build("sprocket_chain", {{"links", links}}), {.formulation = Formulation::absolute});
    equations->set(equations->initial_state());
    std::size_t longest = 0;
    for (const auto& row : MotionResidual(*equations, {}).dependencies().pattern.rows)
      longest = std::max(longest, row.size());
    EXPECT_LT(longest, 50U);
  }
}

// What the drives and the losses do, integrated along by another quadrature, is what the energy changes by. The figure
// asked for is 1 percent of it; the energy is that of 30 links at 2 m/s, 4 J.
TEST(SprocketChain, BalancesItsEnergy) {
  for (const double sprockets : {0.0, 1.0}) {
    Simulation simulation = simulation_of({{"links", 30}, {"sprockets", sprockets}}, Formulation::relative,
                                          BdfOptions{.rtol = 1e-4, .atol = 1e-4}, true);
    simulation.run(0, 0.01);
    EXPECT_GE(simulation.energy().balance, 0);
    EXPECT_LT(simulation.energy().balance, 0.01 * simulation.energy().initial);
    EXPECT_NEAR(observable(simulation, "speed"), 2, 0.5);  // the chain takes up its slack against the brake
    EXPECT_GT(observable(simulation, "pin_force"), 10);
  }
}

TEST(SprocketChain, RefusesLengthsThatDoNotFit) {
  const ZooModel& model = find_model("sprocket_chain");
  const auto refusal = [&](const Parameters& changes) {
    return test::error_of([&] { model.build(model.parameters_with(changes)); });
  };
  const std::string advice = "both have to be even, so that either strand has whole links, and links at least 28";
  EXPECT_TRUE(test::contains(refusal({{"links", 51}}), "links is 51 and teeth is 16; " + advice));
  EXPECT_TRUE(test::contains(refusal({{"links", 26}}), "links is 26 and teeth is 16; " + advice));
  EXPECT_TRUE(test::contains(refusal({{"teeth", 13}}), "links is 54 and teeth is 13"));
  EXPECT_TRUE(test::contains(refusal({{"links", 4}}), "parameter 'links' is 4"));
}

}  // namespace sprocket_chain_test
}  // namespace linkwork::apps
