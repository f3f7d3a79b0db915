// Work and error of the extrapolation beside the published tables of MEXX: medians over nine first steps, so that a
// later change can't make them worse unseen.

#include "reproduce/mexx_runs.hpp"

#include <gtest/gtest.h>

namespace linkwork::apps {
namespace mexx_test {

// MEXX 5.2, in relative coordinates as there. Errors: largest relative one of the seven angles at 0.03 s.
TEST(MexxTables, SevenBodyMechanism) {
  const double errors[] = {2e-2, 2e-4, 5e-6, 5e-8, 1.5e-10};
  const double evaluations[] = {465, 875, 1420, 2010, 3002};  // before steps were tested at their ends
  for (std::size_t i = 0; i < std::size(errors); ++i) {
    const SevenBodyRow& row = published_seven_body()[i];
    SCOPED_TRACE(row.tolerance);
    SimulationOptions options = mexx_options(row.tolerance, "auto");
    options.formulation = Formulation::relative;
    const WorkAndError runs = over_first_steps(find_model("andrews"), {}, options, largest_angle_error);
    EXPECT_EQ(runs.failure, "");
    EXPECT_LT(runs.evaluations, 1.1 * row.evaluations);
    EXPECT_LT(runs.evaluations, 1.05 * evaluations[i]);
    EXPECT_LT(runs.error, errors[i]);
    EXPECT_LT(runs.worst_error, 5 * errors[i]);
  }
}

// MEXX 5.1: forces that read reactions. The standard discretisation needs more the larger friction is.
TEST(MexxTables, CableDrum) {
  for (const CableDrumRow& row : published_cable_drum()) {
    const bool treats_friction = row.mode == Discretisation::friction;
    if (!treats_friction && row.mu > 0.25) continue;
    SCOPED_TRACE(::testing::Message() << (treats_friction ? "friction" : "standard") << ", mu " << row.mu);
    SimulationOptions options = mexx_options(1e-5, "auto");
    options.integrator.get_if<ExtrapolationOptions>()->discretisation = row.mode;
    const WorkAndError runs = over_first_steps(find_model("cable_drum"), {{"mu", row.mu}}, options);
    EXPECT_EQ(runs.failure, "");
    EXPECT_LT(runs.evaluations, treats_friction ? row.evaluations : 1.1 * row.evaluations);
    EXPECT_LT(runs.worst_error, 1e-5);
  }
}

// MEXX 5.5. Errors in positions, velocities and the force of the top joint: 30 tolerances after some 20 steps, single
// runs five times as much.
TEST(MexxTables, InsulatorChains) {
  for (const InsulatorRow& row : published_insulators()) {
    SCOPED_TRACE(::testing::Message() << row.n << " insulators, " << row.tolerance);
    const WorkAndError runs =
        over_first_steps(find_model("insulator_chain"), {{"n", row.n}}, mexx_options(row.tolerance, "auto"));
    EXPECT_EQ(runs.failure, "");
    EXPECT_LT(runs.evaluations, 1.1 * row.evaluations);
    EXPECT_LT(runs.error, 30 * row.tolerance);
    EXPECT_LT(runs.worst_error, 150 * row.tolerance);
  }
}

// What dense output of all components and the five zeros of the crank's acceleration add to a run of the seven-body
// mechanism at 1e-5: 19 and 13 percent of the time there.
TEST(MexxTables, DenseOutputAndEventsCostAPartOfARun) {
  const ZooModel& model = find_model("andrews");
  const auto cost = [&](bool keeps, bool finds_events) {
    SimulationOptions options = mexx_options(1e-5, "auto");
    options.keep_dense_output = options.keep_steps = keeps;
    Simulation simulation = make_simulation(model, model.parameters_with({}), options);
    if (finds_events) add_offered_events(simulation, model);
    simulation.run(0, model.t_end);
    return operations(simulation);
  };
  const double plain = cost(false, false);
  EXPECT_LT(cost(true, false), 1.25 * plain);
  EXPECT_LT(cost(false, true), 1.20 * plain);
}

}  // namespace mexx_test
}  // namespace linkwork::apps
