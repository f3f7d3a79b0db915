#pragma once

#include "zoo_simulation.hpp"

#include <linkwork/solvers/integrators/dopri5.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace linkwork::apps::reduced_runs {

inline constexpr Reduction reductions[] = {Reduction::partitioning, Reduction::baumgarte, Reduction::hybrid,
                                           Reduction::svd, Reduction::null_space};

struct Named {
  std::string name;
  IntegratorOptions options;
};
inline std::vector<Named> integrators(double tolerance) {
  return {{"extrapolation", ExtrapolationOptions{.rtol = tolerance, .atol = tolerance}},
          {"bdf", BdfOptions{.rtol = tolerance, .atol = tolerance}},
          {"radau", RadauOptions{.rtol = tolerance, .atol = tolerance}}};
}

struct Result {
  Eigen::VectorXd observables;
  double reference_error = 0, drift = 0;
  ConstraintResidual residual;
  SimulationStatistics statistics;
};
inline Result run(const std::string& name, const IntegratorOptions& integrator, const ReductionOptions& reduction,
                  double t, Formulation formulation = Formulation::absolute, const Parameters& parameters = {}) {
  const ZooModel& model = find_model(name);
  SimulationOptions options{.formulation = formulation, .integrator = integrator, .reduction = reduction};
  options.keep_dense_output = options.keep_steps = false;
  const Parameters values = model.parameters_with(parameters);
  Simulation simulation = make_simulation(model, values, options);
  simulation.run(0, t);
  return {final_observables(simulation), final_reference_error(simulation, model, values),
          simulation.energy().max_drift, simulation.constraint_residual(), simulation.statistics()};
}

inline double largest_position(const Result& result) {
  return std::max(result.residual.position_m, result.residual.position_rad);
}
inline double largest_velocity(const Result& result) {
  return std::max(result.residual.velocity_m_per_s, result.residual.velocity_rad_per_s);
}

}  // namespace linkwork::apps::reduced_runs
