#pragma once

#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/solvers/integrators/integrator.hpp>
#include <linkwork/solvers/linear/linear_solver.hpp>

#include <memory>

namespace linkwork::apps {

/// An integrator on equations, at their initial state and ready to step: no driver, whose reports would be timed too.
struct StartedIntegrator {
  StartedIntegrator(std::unique_ptr<EquationsOfMotion> made_equations, std::unique_ptr<Integrator> made_integrator);
  /// Steps until t_end or a failure.
  void run(double t_end);

  std::unique_ptr<EquationsOfMotion> equations;
  std::unique_ptr<LinearSolver> solver;
  std::unique_ptr<Integrator> integrator;
  Outcome outcome;  ///< of the start, then of the last step
};

}  // namespace linkwork::apps
