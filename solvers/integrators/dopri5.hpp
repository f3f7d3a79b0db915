#pragma once

#include <linkwork/solvers/dae/tolerances.hpp>
#include <linkwork/solvers/integrators/dense_polynomial.hpp>
#include <linkwork/solvers/integrators/integrator.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace linkwork {

struct Dopri5Options {
  double rtol = 1e-6, atol = 1e-6;  ///< see Tolerances
  std::optional<double> atol_angle = {};
  ComponentTolerances components = {};   ///< override the scalars
  double first_step = 0;                 ///< [s], > 0; 0: chosen from the rates at the start
  double maximum_step = 0;               ///< [s]; 0: none
  std::int64_t maximum_steps = 1000000;  ///< > 0
  bool consent_to_projection = false;    ///< accept initial values whose norms are more than 100 atol off
  bool keep_invariants = true;  ///< move the end of every step onto the solution invariants, if the model has some
  DenseSelection dense = {};
  bool dense_output = true;  ///< keep what the continuous solution needs; the driver turns it off where unused

  Tolerances tolerances() const { return {rtol, atol, atol_angle, components}; }
  /// "" when usable, else the reason.
  std::string why_invalid() const;
};

/// The Runge-Kutta method of Dormand and Prince of order 5 with an error estimate of order 4 (Boost.Odeint,
/// runge_kutta_dopri5), for equations without constraint rows: trees in relative coordinates, free bodies, equations
/// posed so. Others are refused by name. Six evaluations of the accelerations for each step, one more where norms of
/// quaternions are restored or solution invariants are kept.
/// The continuous solution is the method's own, of order 4: p, v and r meet the ends of the step with their rates, and
/// a is the derivative of v. Steps that stability keeps short are counted (IntegratorStatistics).
/// Source: Hairer, Norsett, Wanner (1993), Solving Ordinary Differential Equations I, II.5 and II.6.
/// @throws ModelError if the options make no sense
std::unique_ptr<Integrator> make_integrator(const Dopri5Options& options);

}  // namespace linkwork
