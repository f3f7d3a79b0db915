#pragma once

#include <linkwork/solvers/integrators/dense_polynomial.hpp>
#include <linkwork/solvers/integrators/integrator.hpp>
#include <linkwork/solvers/linear/linear_solver.hpp>
#include <linkwork/solvers/newton/error_weights.hpp>
#include <linkwork/solvers/newton/projection.hpp>
#include <linkwork/solvers/newton/solution_manifold.hpp>
#include <linkwork/solvers/phase.hpp>

#include <utility>

namespace linkwork {

/// States inside the last accepted step, from its dense output.
class StepInterior {
 public:
  /// @param tolerances       those of the projection, so that an event's state is as consistent as an accepted one
  /// @param with_invariants  whether accepted states are on the solution invariants
  StepInterior(EquationsOfMotion& equations, LinearSolver& solver, Integrator& integrator, Tolerances tolerances,
               bool with_invariants)
      : equations_(equations),
        integrator_(integrator),
        projection_(equations, solver),
        manifold_(equations, solver, projection_, with_invariants),
        tolerances_(std::move(tolerances)) {}

  const State& begin() const { return integrator_.previous_state(); }
  const State& end() const { return integrator_.state(); }
  /// Interpolated, quaternions of unit length. The reference is valid until the next call.
  const State& interpolated(double t);
  /// As consistent as an accepted state: projected onto the constraints (MEXX 2.11, 2.12), and on the solution
  /// invariants where these are kept; a and lambda are the interpolated ones. @throws RunError if that fails
  const State& settled(double t);
  /// The beginning carried on for a moment by its velocities and accelerations.
  const State& shortly_after_begin(double dt);
  /// Projects p and v of any state.
  /// @throws RunError if the projection fails
  void project(State& state);
  /// Of the last step; see Integrator::dense.
  const DensePolynomial& dense(bool all);
  /// What making dense output has cost so far.
  const Phase& dense_phase() const { return dense_phase_; }

 private:
  void expect_projected(const Outcome& outcome, double t) const;
  void find_auxiliary(State& state);  // at the equations' position and velocity

  EquationsOfMotion& equations_;
  Integrator& integrator_;
  Projection projection_;
  SolutionManifold manifold_;
  Tolerances tolerances_;
  ErrorWeights weights_;
  State state_;
  Phase dense_phase_;
};

}  // namespace linkwork
