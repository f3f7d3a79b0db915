#pragma once

#include <linkwork/solvers/integrators/extrapolation.hpp>

#include <memory>

namespace linkwork::test {

/// An extrapolation with the dense solver.
struct Integration {
  std::unique_ptr<LinearSolver> solver;
  std::unique_ptr<Integrator> integrator;
  Outcome outcome;
};

inline Integration start(EquationsOfMotion& equations, const ExtrapolationOptions& options, const State& from) {
  Integration run;
  run.solver = make_linear_solver("dense-lu", equations);
  run.outcome = run.solver->analyze(equations);
  run.integrator = make_integrator(options);
  if (run.outcome) run.outcome = run.integrator->initialize(equations, *run.solver, from);
  return run;
}

inline Integration integrate(EquationsOfMotion& equations, const ExtrapolationOptions& options, double t_end) {
  Integration run = start(equations, options, equations.initial_state());
  while (run.outcome && run.integrator->state().t < t_end) run.outcome = run.integrator->step(t_end);
  return run;
}

inline ExtrapolationOptions with_tolerance(double tolerance) {
  ExtrapolationOptions options;
  options.rtol = options.atol = tolerance;
  return options;
}

}  // namespace linkwork::test
