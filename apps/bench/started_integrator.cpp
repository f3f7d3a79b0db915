#include "bench/started_integrator.hpp"

#include <utility>

namespace linkwork::apps {

StartedIntegrator::StartedIntegrator(std::unique_ptr<EquationsOfMotion> made_equations,
                                     std::unique_ptr<Integrator> made_integrator)
    : equations(std::move(made_equations)),
      solver(make_linear_solver("auto", *equations, equations->forces_read_multipliers())),
      integrator(std::move(made_integrator)) {
  const State start = equations->initial_state();
  equations->set(start);
  equations->remember(true, -1);
  outcome = solver->analyze(*equations);
  if (outcome) outcome = integrator->initialize(*equations, *solver, start);
}

void StartedIntegrator::run(double t_end) {
  while (outcome && integrator->state().t < t_end) outcome = integrator->step(t_end);
}

}  // namespace linkwork::apps
