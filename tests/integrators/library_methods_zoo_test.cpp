// Integrators from libraries on trees of the zoo, by the names that the command knows them by.

#include "../messages.hpp"

#include "integrator_table.hpp"
#include "zoo/zoo.hpp"
#include "zoo_simulation.hpp"

#include <linkwork/solvers/integrators/cvode.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace linkwork::apps {
namespace library_methods_zoo_test {

using test::contains;
using test::error_of;

std::vector<std::string> names() {
  std::vector<std::string> all{"dopri5", "bulirsch-stoer"};
  if (contains(error_of([] { (void)make_integrator(CvodeOptions{}); }), "built without SUNDIALS")) return all;
  all.insert(all.end(), {"cvode-adams", "cvode-bdf"});
  return all;
}

Simulation run(const ZooModel& model, Formulation formulation, const IntegratorOptions& integrator, double t_end) {
  const Parameters parameters = model.parameters_with({});
  Simulation simulation = make_simulation(model, parameters, {.formulation = formulation, .integrator = integrator});
  simulation.run(0, t_end);
  return simulation;
}

Simulation run(const ZooModel& model, const std::string& integrator, double tolerance, double t_end) {
  const CommonChoices common{.rtol = tolerance, .atol = tolerance};
  return run(model, Formulation::relative, find_integrator(integrator).make(model, common, {}), t_end);
}

/// max |x - x_ref| / max(1, |x_ref|), in tolerances.
double difference(Simulation& found, Simulation& reference, double tolerance) {
  const Eigen::VectorXd x = final_observables(found), expected = final_observables(reference);
  return ((x - expected).array() / expected.array().abs().max(1)).abs().maxCoeff() / tolerance;
}

struct TreeCase {
  std::string model;
  double bound;  ///< of the error at the model's end, in tolerances
};

// Against extrapolation at 1e-11. The bounds are about five times the worst seen: 5000, 1700 and 4, of the methods of
// CVODE, whose steps are many; dopri5 and bulirsch-stoer: 330, 1000 and 0.04. Of bdf the first two are 2400 and 1100.
TEST(LibraryMethodsOnTrees, AgreeWithExtrapolation) {
  constexpr double tolerance = 1e-8;
  for (const TreeCase& c :
       {TreeCase{"heavy_top", 25000}, TreeCase{"pendulum_chain", 10000}, TreeCase{"humanoid", 20}}) {
    const ZooModel& model = find_model(c.model);
    Simulation reference = run(model, "extrapolation", 1e-11, model.t_end);
    for (const std::string& name : names()) {
      Simulation simulation = run(model, name, tolerance, model.t_end);
      EXPECT_LT(difference(simulation, reference, tolerance), c.bound) << c.model << ' ' << name;
      EXPECT_EQ(simulation.trajectory().final_state().t, model.t_end);
    }
  }
}

// The worst seen is 5e-5, of cvode-adams.
TEST(LibraryMethodsOnTrees, ReachTheReferenceOfTheHeavyTop) {
  const ZooModel& model = find_model("heavy_top");
  for (const std::string& name : names()) {
    Simulation simulation = run(model, name, 1e-8, model.t_end);
    EXPECT_LT(final_reference_error(simulation, model, model.parameters_with({})), 2e-4) << name;
  }
}

TEST(LibraryMethodsOnTrees, RefuseLoopsBeforeTheRun) {
  const ZooModel& model = find_model("andrews");
  for (const std::string& name : names()) {
    const std::string refusal = error_of([&] { run(model, name, 1e-6, model.t_end); });
    EXPECT_TRUE(contains(refusal, "the run stopped at t = 0 s: " + name + ": model 'andrews' has ")) << refusal;
    EXPECT_TRUE(contains(refusal,
                         " constraint rows in relative coordinates, and this method takes none; use extrapolation, bdf "
                         "or radau, or for a tree of joints relative coordinates."))
        << refusal;
  }
}

TEST(LibraryMethodsOnTrees, TakeTheOptionsOfTheCommand) {
  const ZooModel& model = find_model("heavy_top");
  const IntegratorOptions adams =
      find_integrator("cvode-adams").make(model, {.rtol = 1e-4}, {{"max-order", std::int64_t{3}}, {"max-step", 0.1}});
  const CvodeOptions* options = adams.get_if<CvodeOptions>();
  ASSERT_NE(options, nullptr);
  EXPECT_EQ(options->name(), "cvode-adams");
  EXPECT_EQ(options->maximum_order, 3);
  EXPECT_EQ(options->maximum_step, 0.1);
  EXPECT_EQ(options->rtol, 1e-4);
  EXPECT_EQ(find_integrator("cvode-bdf").make(model, {}, {}).get_if<CvodeOptions>()->method, CvodeMethod::bdf);
  if (names().size() < 4) return;  // without SUNDIALS
  Simulation simulation = run(model, Formulation::relative, adams, 0.1);
  EXPECT_EQ(simulation.integrator_name(), "cvode-adams");
}

}  // namespace library_methods_zoo_test
}  // namespace linkwork::apps
