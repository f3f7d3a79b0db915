#pragma once

#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/solvers/dae/tolerances.hpp>
#include <linkwork/solvers/linear/linear_solver.hpp>
#include <linkwork/solvers/newton/corrector_statistics.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace linkwork {

struct DensePolynomial;

/// Counters of a run. Evaluations are counted by the equations, factorisations by the linear solver.
struct IntegratorStatistics {
  std::int64_t steps = 0;
  std::int64_t rejected_steps = 0;
  std::int64_t newton_iterations = 0;        ///< of position projections and of implicit steps
  std::int64_t convergence_failures = 0;     ///< steps given up by an iteration, a singular matrix or a user's failure
  std::int64_t invariant_corrections = 0;    ///< steps whose end was moved onto the solution invariants
  std::int64_t invariant_gaps = 0;           ///< those where a part had to be left, see SolutionManifold
  std::int64_t stability_limited_steps = 0;  ///< steps that were as long as stability allows, not the tolerance
  // Of implicit methods.
  std::int64_t function_calls = 0;           ///< of the residual function, those for Jacobians included
  std::int64_t jacobian_function_calls = 0;  ///< those for Jacobians
  std::int64_t jacobian_evaluations = 0;     ///< by differences of all columns
  std::int64_t jacobian_refreshes = 0;       ///< by differences of the blocks that had changed
  std::int64_t jacobian_updates = 0;         ///< without differences
  int jacobian_groups = 0;                   ///< calls that all columns by differences take; dense: one for each
  int jacobian_groups_lower_bound = 0;       ///< differenced columns that meet in one row: no grouping has fewer
  std::int64_t factorizations = 0;           ///< of iteration matrices
  // Of radau.
  std::int64_t selector_updates = 0;          ///< choices of the differential equations that are kept (GEOMS 12)
  std::int64_t algebraic_decompositions = 0;  ///< of what does not depend on the step size
  std::int64_t stage_solves = 0;              ///< of real and complex linear systems
  // Of reductions to independent coordinates.
  std::int64_t coordinate_choices = 0;      ///< of independent coordinates, of a basis or a partition
  std::int64_t constraint_corrections = 0;  ///< Newton iterations that closed constraints at ends of steps
  std::int64_t constraint_closures = 0;     ///< and where equations were evaluated, for dependent coordinates
  CorrectorStatistics corrector = {};       ///< of implicit methods that have one
};

/// What one attempted step did, for the step monitor (MEXX 4.2).
struct StepRecord {
  double t = 0, step = 0;
  bool accepted = false;
  int order = 0;  ///< lines of the extrapolation tableau: the order, half of it for the midpoint rule
  std::vector<double> tableau_errors;  ///< scaled error of every tableau entry T(j,k), k < j, line by line
  double error = 0;                    ///< scaled error estimate of the last line
  double position_projection = 0, velocity_projection = 0;  ///< scaled size of what the projections changed
  int projection_iterations = 0;
  std::string reason;  ///< of a rejection
};

/// A time integrator. It knows equations, never bodies. SteppingIntegrator is the base of those whose steps are
/// attempted, tested and repeated; this one asks for nothing but steps.
class Integrator {
 public:
  virtual ~Integrator() = default;
  virtual std::string_view name() const = 0;

  // What the driver asks before it starts.
  /// Whether it solves for w and s as unknowns of the system; others need equations that eliminate them.
  virtual bool carries_auxiliary() const { return false; }
  /// Whether it hands F = df/dlambda to the linear solver even where no force reads multipliers (MEXX 2.2).
  virtual bool factors_force_jacobian() const { return false; }
  /// Whether it moves the ends of its steps onto the solution invariants.
  virtual bool keeps_invariants() const { return false; }
  /// Of its steps; states at events are projected with them.
  virtual Tolerances tolerances() const { return {.rtol = 1e-8, .atol = 1e-8}; }
  /// The longest time that its limits of steps let it come from a start [s].
  virtual double reach() const { return std::numeric_limits<double>::infinity(); }
  /// Whether a step that is repeated from its beginning is as good as it was before. A multistep method would begin
  /// with short steps of a low order.
  virtual bool repeats_steps() const { return false; }
  /// Controls errors by a part of its tolerances, which `tolerances` goes on to give as they are; told before
  /// `initialize`. Where it does nothing, errors are larger by as much.
  virtual void tighten(double /*share*/) {}
  /// Whether values inside of steps will be asked for; told before `initialize`.
  virtual void keep_dense_output(bool /*wanted*/) {}

  /// Starts (or starts again, after an event) at a state. Projects it onto the constraints.
  virtual Outcome initialize(EquationsOfMotion& equations, LinearSolver& solver, const State& start) = 0;
  /// One accepted step that does not pass `t_limit`, or the reason why none was possible.
  virtual Outcome step(double t_limit) = 0;

  /// Moves the last accepted state, which was corrected by about a tolerance, and goes on from there with the step and
  /// the order that it has. @return whether it did; else it has to be started again
  virtual bool shift(const State& /*corrected*/) { return false; }
  /// Whether it does as a rule. Others lose their order with each correction.
  virtual bool can_shift() const { return repeats_steps(); }
  /// After a start: the step to begin with, where one is known [s].
  virtual void begin_with_step(double /*h*/) {}

  /// The last accepted state, and the one before.
  virtual const State& state() const = 0;
  virtual const State& previous_state() const = 0;

  /// Continuous solution inside the last accepted step, as a value that outlives the step. Computed when first asked.
  /// @param all  every component (needed for events), not only the selected ones
  virtual const DensePolynomial& dense(bool all) = 0;

  virtual const IntegratorStatistics& statistics() const = 0;
  /// Attempts since the last call of `step` began.
  virtual const std::vector<StepRecord>& records() const = 0;
};

}  // namespace linkwork
