#pragma once

#include <linkwork/solvers/dae/error_weights.hpp>
#include <linkwork/solvers/integrators/dense_polynomial.hpp>
#include <linkwork/solvers/integrators/integrator.hpp>
#include <linkwork/solvers/manifold/projection.hpp>
#include <linkwork/solvers/manifold/solution_manifold.hpp>
#include <linkwork/solvers/simulation/phase.hpp>
#include <linkwork/solvers/simulation/solution_reader.hpp>

#include <optional>
#include <utility>

namespace linkwork {

/// States of the last accepted step: its ends, and from its dense output those inside. Who looks on sees accelerations
/// and multipliers from the equations, no numbers where these have none, which is noted.
class StepInterior {
 public:
  /// @param solver          for projections onto invariants
  /// @param reader          finds what goes with a position and a velocity
  /// @param tolerances      of the run, for the projections onto invariants
  /// @param with_invariants whether accepted states are on the solution invariants
  StepInterior(EquationsOfMotion& equations, LinearSolver& solver, Integrator& integrator, SolutionReader& reader,
               Tolerances tolerances, bool with_invariants)
      : equations_(equations),
        integrator_(integrator),
        reader_(reader),
        projection_(equations, solver),
        manifold_(equations, solver, projection_, with_invariants),
        tolerances_(std::move(tolerances)) {}

  /// The integrator has made a step, or has started (again).
  void moved() { begin_.reset(), end_.reset(); }

  /// The ends of the step, found when first asked.
  const State& begin();
  const State& end();
  /// Interpolated in all its parts, quaternions of unit length. The reference is valid until the next call.
  const State& interpolated(double t);
  /// The state at t (see SolutionReader); on the solution invariants too where these are kept, as an accepted one.
  /// Where constraints can't be closed, as at a singular position, positions and velocities stay as they are
  /// interpolated, which is noted in unknown().
  /// @throws RunError if the projection onto invariants fails
  const State& projected(double t);
  /// The beginning carried on for a moment by its velocities and accelerations.
  const State& shortly_after_begin(double dt);
  /// The same without the invariants.
  const State& whole(double t);
  /// How far the step is off the equations by what happens at a time inside it, as where a force has an edge there:
  /// what the rate of interpolated velocities and the accelerations of the equations differ by, over the way to the
  /// nearer end of the step, or over what its last stage counts for, in tolerances of velocities. 0 where the equations
  /// have no accelerations.
  /// @throws RunError as projected
  double off_equations(double t);
  /// Projects p and v of any state.
  /// @throws RunError if the projection fails
  void project(State& state);
  /// Of the last step; see Integrator::dense.
  const DensePolynomial& dense(bool all);
  /// What making dense output has cost so far.
  const Phase& dense_phase() const { return dense_phase_; }
  /// Where accelerations and multipliers were asked for in vain.
  UnknownPoints& unknown() { return unknown_; }

 private:
  void expect_projected(const Outcome& outcome, double t) const;
  /// @return whether its constraints are closed now; it stays as it is where they can't be
  bool close(State& state);
  void find_auxiliary(State& state);
  State completed(State state);
  void complete(State& state);

  EquationsOfMotion& equations_;
  Integrator& integrator_;
  SolutionReader& reader_;
  Projection projection_;
  SolutionManifold manifold_;
  Tolerances tolerances_;
  ErrorWeights weights_;
  State state_, closed_;
  std::optional<State> begin_, end_;
  UnknownPoints unknown_;
  Phase dense_phase_;
};

}  // namespace linkwork
