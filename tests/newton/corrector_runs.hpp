#pragma once

// Runs of the zoo by every corrector, in joint coordinates.

#include "zoo_simulation.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace linkwork::apps {
namespace corrector_runs {

struct Result {
  State end;
  IntegratorStatistics counts;
};

template <class Options>
Result run(const std::string& name, const Options& integrator, double t, const Parameters& changes = {}) {
  const ZooModel& model = find_model(name);
  SimulationOptions options{.formulation = Formulation::relative, .integrator = integrator};
  options.keep_dense_output = options.keep_steps = false;
  Simulation simulation = make_simulation(model, model.parameters_with(changes), options);
  const State end = simulation.run(0, t).final_state();
  return {end, simulation.statistics().integrator};
}

inline BdfOptions bdf(const CorrectorOptions& newton, double tolerance = 1e-5) {
  return {.rtol = tolerance, .atol = tolerance, .matrix = IterationSolver::klu, .newton = newton};
}
inline RadauOptions radau(const CorrectorOptions& newton, double tolerance = 1e-5) {
  return {.rtol = tolerance, .atol = tolerance, .solver = StageSolver::sparse, .newton = newton};
}

struct Named {
  const char* name;
  CorrectorOptions options;
  bool is_standard = true;  // with the options that one gets; others may err more, see solvers/README.md
};

inline std::vector<Named> correctors() {
  using Method = CorrectorMethod;
  return {{"newton", {.method = Method::newton}},
          {"dropped-lu", {.method = Method::dropped_lu}},
          {"krylov", {.method = Method::krylov}},
          {"krylov by Jacobians", {.method = Method::krylov, .krylov_products = KrylovProducts::jacobian}, false},
          {"broyden", {.method = Method::broyden}},
          {"broyden at the end", {.method = Method::broyden, .broyden_updates = BroydenUpdates::at_last_iteration}},
          {"broyden by singular values",
           {.method = Method::broyden, .broyden_updates = BroydenUpdates::singular_values},
           false},
          {"cycle", {.method = Method::cycle}},
          {"cycle as it is given", {.method = Method::cycle, .adapts = false}, false},
          {"second thread", {.factor_delay = 2}},
          {"cycle with a second thread", {.method = Method::cycle, .factor_delay = 2}}};
}

inline std::vector<Named> correctors_of_radau() {
  using Method = CorrectorMethod;
  return {{"dropped-lu", {.method = Method::dropped_lu}},
          {"krylov", {.method = Method::krylov, .krylov_steps = 2}},
          {"cycle", {.method = Method::cycle}}};
}

}  // namespace corrector_runs
}  // namespace linkwork::apps
