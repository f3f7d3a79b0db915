#pragma once

#include <linkwork/solvers/dae/motion_residual.hpp>
#include <linkwork/solvers/dae/tolerances.hpp>
#include <linkwork/solvers/integrators/dense_polynomial.hpp>
#include <linkwork/solvers/integrators/integrator.hpp>
#include <linkwork/solvers/integrators/radau_step_control.hpp>
#include <linkwork/solvers/jacobian/jacobian_options.hpp>
#include <linkwork/solvers/newton/corrector_options.hpp>
#include <linkwork/solvers/newton/stage_system.hpp>

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace linkwork {

enum class StartingValues {
  extrapolated,  ///< stages from the polynomial of the step before
  constant       ///< the values at the start of the step
};

/// Where the iteration matrix is taken.
enum class MatrixPoint { start, first_stage, second_stage, third_stage };

/// Every option of the manual in GEOMS, appendix A; its names stand in brackets. Output units, rounding unit and the
/// structure of M and of time need no options: the equations of motion know them.
struct RadauOptions {
  double rtol = 1e-6, atol = 1e-6;  ///< see Tolerances
  std::optional<double> atol_angle = {};
  ComponentTolerances components = {};  ///< override the scalars
  /// Steps are controlled with 0.1 TOL^(2/3) in place of TOL, since the error estimate is of order 3, and the error of
  /// order 5. The published counts belong to it. Tolerances below 1e-9 are not among them: there it is 100 TOL, for the
  /// error to stay in proportion.
  bool transform_tolerances = true;
  EquationForm form = EquationForm::strangeness_free;                      ///< (FORM)
  AlgebraicDecomposition algebraic = AlgebraicDecomposition::automatic;    ///< of dense systems (DECOMPC)
  DifferentialDecomposition differential = DifferentialDecomposition::lu;  ///< of dense systems (DECOMPD)
  SelectorRenewal selectors = SelectorRenewal::when_pivots_change;         ///< (SELCOMP)
  StageSolver solver = StageSolver::automatic;
  JacobianOptions jacobian = {};  ///< differences, dense or grouped
  /// dF/dy of all equations of the form, written into zeros at t and y, in place of differences; its rows and columns
  /// are those of MotionResidual. Empty: differences. The first of a run is compared with differences along
  /// one direction (check_given_jacobian); what is off there ends the run by name. (JAC)
  std::function<void(const MotionResidual& equations, double t, const Eigen::VectorXd& y, Eigen::MatrixXd& J)>
      given_jacobian = {};
  /// How the iteration for the stages corrects: simplified, newton, dropped_lu, krylov or cycle, the last one by its
  /// phases and without a controller. `newton` has a J for each stage of each iterate, in one system for all stages
  /// (steps that pass a singular position go by it whatever is asked for); the others a real and a complex system that
  /// come from one J, where `broyden` would fill the zeros by which they are apart. Factors are those of the step size,
  /// as the error estimate needs them, so that GMRES saves no factorisation, but Jacobians and steps that fail.
  CorrectorOptions newton = {};
  StartingValues starting_values = StartingValues::extrapolated;  ///< (STARTN)
  MatrixPoint matrix_point = MatrixPoint::start;  ///< (NWTMAT); a stage needs extrapolated starting values
  int matrix_updates = 0;                         ///< new iteration matrices allowed within a step (NWTUPD)
  int maximum_iterations = 10;                    ///< in one step, of simplified Newton (NIT)
  double newton_tolerance = 0;                    ///< in units of the tolerance (FNEWT); 0: min(0.01, sqrt(rtol)/3)
  double kept_matrix_rate = 1e-3;                 ///< the Jacobian is kept where Newton converges at this rate (THET)
  StepControlOptions step_control = {};           ///< (PRED, SAFE, FACL, FACR)
  /// Where the Jacobian is kept, so is the step, unless the next one would be less or more than these times it; saves
  /// decompositions, with 0.99 and 2 in large systems. (QUOT1, QUOT2)
  double least_kept_ratio = 1, largest_kept_ratio = 1.2;
  bool finish = true;                   ///< solve the algebraic equations to rounding at every accepted point
  double first_step = 0;                ///< [s], > 0 (H); 0: chosen from the rates at the start
  double maximum_step = 0;              ///< [s] (HMAX); 0: none
  std::int64_t maximum_steps = 100000;  ///< > 0 (NMAX)
  bool consent_to_projection = false;   ///< accept initial values that are more than 100 atol off the constraints
  bool start_is_consistent = false;     ///< take the initial values as given; gaps fail the first step (IVCNSST)
  bool keep_invariants = true;  ///< move the end of every step onto the solution invariants, if the model has some
  DenseSelection dense = {};
  bool dense_output = true;  ///< keep what the continuous solution needs; the driver turns it off where unused

  Tolerances tolerances() const { return {rtol, atol, atol_angle, components}; }
  /// "" when usable, else the reason.
  std::string why_invalid() const;
};

/// The Radau IIA method of order 5 on the projected strangeness-free form of the equations of motion (GEOMS 12), or on
/// the forms that it is compared with. Constraints of positions, velocities and accelerations hold to rounding at every
/// accepted point. Inside a step positions, velocities and states are interpolated by what is exact at both ends, with
/// errors of order 5 and 6; each step is tested at a point inside, where the equations must not change what is
/// interpolated by more than 10 tolerances. a, lambda, w and s are the collocation polynomial, of order 3. In forms
/// that lack constraints of accelerations all of it is that polynomial, and there is no such test. Where constraints
/// are redundant, independent rows are chosen (find_redundancy), and chosen anew where they become dependent; a dense
/// decomposition that is asked for has to be that by singular values. The run ends where the rank of all rows changes.
/// @throws ModelError if the options make no sense
std::unique_ptr<Integrator> make_integrator(const RadauOptions& options);

}  // namespace linkwork
