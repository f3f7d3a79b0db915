#pragma once

#include <linkwork/solvers/dae/tolerances.hpp>
#include <linkwork/solvers/integrators/dense_polynomial.hpp>
#include <linkwork/solvers/integrators/integrator.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace linkwork {

/// Basic scheme of the extrapolation: the half-explicit Euler method (MEXX 2.1), its variant that treats the dependence
/// of forces on multipliers implicitly (2.2), or Gragg's midpoint rule for equations without constraint rows and
/// without such forces, which gains two orders per line (Hairer, Norsett, Wanner, Solving Ordinary Differential
/// Equations I, II.9). `automatic` takes the variant if forces read multipliers, else the midpoint rule where there are
/// no rows.
enum class Discretisation { automatic, standard, friction, midpoint };

struct ExtrapolationOptions {
  double rtol = 1e-6, atol = 1e-6;  ///< see Tolerances
  std::optional<double> atol_angle = {};
  ComponentTolerances components = {};  ///< override the scalars
  Discretisation discretisation = Discretisation::automatic;
  int maximum_order = 9;     ///< lines of the tableau, 3 to 13: the order, half of it for the midpoint rule; more than
                             ///< about 10 amplify rounding
  double first_step = 1e-3;  ///< [s], > 0; a guess, the error control may reduce it
  double maximum_step = 0;   ///< [s]; 0: none
  std::int64_t maximum_steps = 1000000;  ///< > 0
  bool consent_to_projection = false;    ///< accept initial values that are more than 100 atol off the constraints
  /// Where forces read multipliers, those of the start are searched from those of the start state, not from zero.
  bool multipliers_given = false;
  bool keep_invariants = true;  ///< move the end of every step onto the solution invariants, if the model has some
  DenseSelection dense = {};
  int maximum_dense_degree = 0;  ///< of the polynomials for p, v, r; 0: as high as the tableau allows, else >= 3
  bool dense_output = true;      ///< keep what the continuous solution needs; the driver turns it off where unused

  Tolerances tolerances() const { return {rtol, atol, atol_angle, components}; }
  /// "" when usable, else the reason.
  std::string why_invalid() const;
};

/// Extrapolation method: half-explicit (MEXX chapter 2) or, for equations without rows, of the midpoint rule.
///
/// A step is accepted where its error estimate is below the tolerance and its lines, three at least, fit the
/// accelerations at both of its ends: a force that sets in behind the last sub-steps, or is gone after the first ones,
/// is a part of no line, and all lines agree without it. With dense_output, what is interpolated inside is tested too
/// and limits the next step. a and lambda of accepted states are those of the equations
/// there. Steps that stability keeps short are counted (IntegratorStatistics).
/// @throws ModelError if the options make no sense
std::unique_ptr<Integrator> make_integrator(const ExtrapolationOptions& options);

}  // namespace linkwork
