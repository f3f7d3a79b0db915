#include "zoo/zoo.hpp"
#include "zoo_simulation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

namespace linkwork::apps {
namespace {

/// A model, the parameters of one of its references, a tolerance and what it must reach.
struct Case {
  std::string model;
  Parameters changes;
  double tolerance, bound;
};
std::ostream& operator<<(std::ostream& out, const Case& c) {
  out << c.model;
  for (const auto& [name, value] : c.changes) out << ", " << name << " = " << value;
  return out;
}

class ZooReference : public ::testing::TestWithParam<Case> {};

// Bounds: about ten times the worst error seen. A sign, a unit or a parameter that is wrong gives 1e-3 or more.
TEST_P(ZooReference, IsReached) {
  const Case& c = GetParam();
  const ZooModel& model = find_model(c.model);
  const Parameters parameters = model.parameters_with(c.changes);
  SimulationOptions options;
  options.integrator = ExtrapolationOptions{.rtol = c.tolerance, .atol = c.tolerance};
  Simulation simulation = make_simulation(model, parameters, options);
  simulation.run(0, model.t_end);
  EXPECT_LT(final_reference_error(simulation, model, parameters), c.bound);  // false for NaN, too
}

INSTANTIATE_TEST_SUITE_P(
    Zoo, ZooReference,
    ::testing::Values(Case{"pendulum", {}, 1e-9, 1e-6},         //
                      Case{"double_pendulum", {}, 1e-9, 1e-4},  // chaotic: errors grow by 1e4
                      Case{"chaplygin_sleigh", {}, 1e-9, 1e-7},
                      Case{"andrews", {}, 1e-9, 1e-5},  // its accelerations are not controlled
                      Case{"cable_drum", {{"mu", 0}}, 1e-9, 1e-8}, Case{"cable_drum", {{"mu", 0.125}}, 1e-9, 1e-8},
                      Case{"cable_drum", {{"mu", 0.25}}, 1e-9, 1e-8}, Case{"cable_drum", {{"mu", 0.5}}, 1e-9, 1e-8},
                      Case{"cable_drum", {{"mu", 0.75}}, 1e-9, 1e-8}, Case{"cable_drum", {{"mu", 1}}, 1e-9, 1e-8},
                      Case{"cable_drum", {{"mu", 1.25}}, 1e-9, 1e-8}, Case{"cable_drum", {{"mu", 1.5}}, 1e-9, 1e-8},
                      Case{"insulator_chain", {{"n", 16}}, 1e-9, 1e-6},
                      Case{"insulator_chain", {{"n", 32}}, 1e-9, 1e-6},
                      Case{"insulator_chain", {{"n", 64}}, 1e-9, 1e-6}));

TEST(Zoo, EveryModelIsBuiltWithItsParametersAndObservables) {
  std::set<std::string> names;
  for (const ZooModel& model : zoo()) {
    EXPECT_TRUE(names.insert(model.name).second) << model.name;
    EXPECT_GT(model.t_end, 0) << model.name;
    Simulation simulation = make_simulation(model, model.parameters_with({}), {});
    EXPECT_EQ(simulation.equations().model_name(), model.name);
    EXPECT_EQ(simulation.equations().space_name(), model.space) << model.name;
    add_offered_events(simulation, model);  // throws for an observable that does not exist
    const auto observables = simulation.equations().observable_names();
    const std::set<std::string> known(observables.begin(), observables.end());
    EXPECT_EQ(known.size(), observables.size()) << model.name;
    for (const ReferenceCase& reference : model.references) {
      model.parameters_with(reference.parameters);
      for (const ReferencePoint& point : reference.points)
        for (const auto& value : point.values) EXPECT_TRUE(known.count(value.first)) << model.name << value.first;
    }
  }
}

TEST(Zoo, KnowsReferencesOfItsOwnParametersOnly) {
  const ZooModel& drum = find_model("cable_drum");
  EXPECT_NE(drum.reference_at(drum.parameters_with({}), 4), nullptr);
  EXPECT_NE(drum.reference_at(drum.parameters_with({{"mu", 0.75}}), 4), nullptr);
  EXPECT_EQ(drum.reference_at(drum.parameters_with({{"mu", 0.3}}), 4), nullptr);
  EXPECT_EQ(drum.reference_at(drum.parameters_with({}), 3), nullptr);
}

TEST(Zoo, CableDrumStartsWithConsistentMultipliers) {
  const ZooModel& drum = find_model("cable_drum");
  Simulation simulation = make_simulation(drum, drum.parameters_with({{"mu", 0.5}}), {});
  const State start = simulation.run(0, 1e-3).segments().front().begin;
  // Closed form at t = 0; rows: the guide, the bearing, the cable. Rounding of one 8 x 8 system: below 1e-13.
  EXPECT_LT((start.lambda - Eigen::Vector4d(0, 1.75, -3.5, -2.5)).norm(), 1e-12);
}

TEST(Zoo, ErrorIsScaledByTheReference) {
  const ReferencePoint point{1.0, {{"small", 0.5}, {"large", 200.0}}};
  const Eigen::Vector3d values(0.51, 7, 202);
  // 0.01 / 1 against 2 / 200, up to rounding of the differences
  EXPECT_NEAR(reference_error(point, {"small", "other", "large"}, values), 0.01, 1e-15);
  EXPECT_TRUE(std::isnan(reference_error(point, {"small", "other", "large"}, Eigen::Vector3d(NAN, 7, 200))));
  EXPECT_THROW(reference_error(point, {"small", "other", "huge"}, values), ModelError);
}

TEST(Zoo, DefaultInsulatorChainHasThePublishedSize) {
  const ZooModel& chain = find_model("insulator_chain");
  Simulation simulation = make_simulation(chain, chain.parameters_with({}), {});
  EXPECT_EQ(simulation.equations().dimensions().v, 101);
  EXPECT_EQ(simulation.equations().dimensions().lambda, 68);
}

}  // namespace
}  // namespace linkwork::apps
