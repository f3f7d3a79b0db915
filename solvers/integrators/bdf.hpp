#pragma once

#include <linkwork/solvers/dae/motion_residual.hpp>
#include <linkwork/solvers/dae/tolerances.hpp>
#include <linkwork/solvers/integrators/dense_polynomial.hpp>
#include <linkwork/solvers/integrators/integrator.hpp>
#include <linkwork/solvers/jacobian/jacobian_options.hpp>
#include <linkwork/solvers/newton/corrector.hpp>
#include <linkwork/solvers/newton/corrector_options.hpp>
#include <linkwork/solvers/newton/iteration_matrix.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace linkwork {

struct BdfOptions {
  double rtol = 1e-6, atol = 1e-6;  ///< see Tolerances
  std::optional<double> atol_angle = {};
  ComponentTolerances components = {};  ///< override the scalars
  Formalism formalism = Formalism::residual;
  JacobianOptions jacobian = {};                        ///< how iteration matrices are kept up to date
  IterationSolver matrix = IterationSolver::automatic;  ///< factors of the iteration matrix
  CorrectorOptions newton = {};                         ///< how Newton's iteration corrects, with these two
  CorrectorFactory corrector = {};                      ///< your own, in place of those three
  bool eta_derivative = false;  ///< keep the derivative of Z D G^T eta in the Jacobian; eta is as small as errors
  int maximum_order = 5;        ///< 1 to 5
  bool finish = false;          ///< solve the constraints to rounding at every accepted point, at a projection's cost
  double first_step = 0;        ///< [s], > 0; 0: chosen from the rates at the start
  double maximum_step = 0;      ///< [s]; 0: none
  std::int64_t maximum_steps = 1000000;  ///< > 0
  bool consent_to_projection = false;    ///< accept initial values that are more than 100 atol off the constraints
  bool keep_invariants = true;  ///< move the end of every step onto the solution invariants, if the model has some
  DenseSelection dense = {};
  bool dense_output = true;  ///< keep what the continuous solution needs; the driver turns it off where unused

  Tolerances tolerances() const { return {rtol, atol, atol_angle, components}; }
  /// "" when usable, else the reason.
  std::string why_invalid() const;
};

/// Backward differentiation of order 1 to 5 in variable steps with a fixed leading coefficient, on the stabilised
/// index-2 form of the equations of motion (see MotionResidual). Errors of p, v and r are controlled; multipliers,
/// w and s have the accuracy that follows. Each step is solved by Newton's iteration, simplified (CORR 14, 18) or with
/// another corrector of CorrectorOptions.
/// Constraints hold as well as Newton's iteration has solved them, to a small part of the tolerance, or to rounding
/// with `finish`, whose change is a part of the error that the history carries on.
/// The tolerance holds for each step, and the global error grows with their number: 30 to 140 tolerances in the median
/// (see Tolerances), mostly with a loss of energy, so that for an error of 1e-4 a tolerance of 1e-6 is needed.
/// Behind a restart, as by an event, the first 200 steps have a fiftieth of it: starts are many short steps.
/// The continuous solution is the polynomial through the last points, of the order of the step and continuous.
/// Positions where constraints lose rank are passed where the motion is smooth: where a step ends too near to one, a
/// longer one is tried.
/// Source: Brenan, Campbell, Petzold (1996), chapter 5, for the choice of order, step and new Jacobians.
/// @throws ModelError if the options make no sense
std::unique_ptr<Integrator> make_integrator(const BdfOptions& options);

}  // namespace linkwork
