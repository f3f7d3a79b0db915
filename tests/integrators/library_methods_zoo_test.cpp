// Integrators from libraries on trees of the zoo, by the names that the command knows them by.

#include "../messages.hpp"

#include "integrator_table.hpp"
#include "zoo/zoo.hpp"
#include "zoo_simulation.hpp"

#include <linkwork/solvers/integrators/cvode.hpp>

#include <gtest/gtest.h>

#include <algorithm>
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
  double t_end;  ///< [s]
  double bound;  ///< of the error, in tolerances
};

// Against extrapolation at 1e-12.
TEST(LibraryMethodsOnTrees, AgreeWithExtrapolation) {
  constexpr double tolerance = 1e-8;
  for (const TreeCase& c :
       {TreeCase{"pendulum", 2, 1e3}, TreeCase{"double_pendulum", 1, 1e3}, TreeCase{"heavy_top", 0.2, 1e3},
        TreeCase{"humanoid", 0.2, 1e3}, TreeCase{"link_tree", 0.2, 1e3}}) {
    const ZooModel& model = find_model(c.model);
    Simulation reference = run(model, "extrapolation", 1e-12, c.t_end);
    for (const std::string& name : names()) {
      Simulation simulation = run(model, name, tolerance, c.t_end);
      EXPECT_LT(difference(simulation, reference, tolerance), c.bound) << c.model << ' ' << name;
    }
  }
}

}  // namespace library_methods_zoo_test
}  // namespace linkwork::apps
