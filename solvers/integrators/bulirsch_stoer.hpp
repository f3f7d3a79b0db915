#pragma once

#include <linkwork/solvers/dae/tolerances.hpp>
#include <linkwork/solvers/integrators/dense_polynomial.hpp>
#include <linkwork/solvers/integrators/integrator.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace linkwork {

struct BulirschStoerOptions {
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

/// Extrapolation of the modified midpoint rule with control of order and step by Bulirsch and Stoer (Boost.Odeint,
/// bulirsch_stoer_dense_out), orders up to 16, for equations without constraint rows: trees in relative coordinates,
/// free bodies, equations posed so. Others are refused by name. For smooth motions at high accuracy. The continuous
/// solution is the method's own polynomial about the middle of the step, moved by a cubic so that p, v and r meet the
/// ends of the step with their rates; a is the derivative of v. A step is accepted only where that cubic is small: it
/// tells what the sub-steps do not know of the forces at the ends, and how good the polynomial is. Steps that stability
/// keeps short are counted (IntegratorStatistics). Source: Hairer, Norsett, Wanner (1993), Solving Ordinary
/// Differential Equations I, II.9; Hairer, Ostermann (1990).
/// @throws ModelError if the options make no sense
std::unique_ptr<Integrator> make_integrator(const BulirschStoerOptions& options);

}  // namespace linkwork
