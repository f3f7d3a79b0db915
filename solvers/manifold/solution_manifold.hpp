#pragma once

#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/solvers/dae/error_weights.hpp>
#include <linkwork/solvers/linear/linear_solver.hpp>
#include <linkwork/solvers/manifold/projection.hpp>

#include <Eigen/Core>
#include <cstdint>
#include <limits>

namespace linkwork {

/// The states (p, v) that a motion can have: 0 = g, 0 = G v + offset (holonomic and nonholonomic), and 0 = e, the
/// solution invariants. Moves states onto it by least changes in the metric of the kinetic energy, in every formulation
/// the same:
///
///   |change|^2 = dp^T M dp / T^2 + dv^T M dv,
///
/// dv beside what a moved position asks of v. T is the time in which the mechanism moves by its characteristic length,
/// from its velocities or, if that is sooner, by its accelerations. Positions and velocities are moved together,
/// because e_v alone loses rank: at a turning point the energy does not change with v, and is corrected by p.
///
/// Constraints are closed first; then e follows along the directions that keep them closed, P M^-1 e_p^T and
/// P M^-1 e_v^T, found by the linear solver of the system, so that the cost is that of the differences of e. Of several
/// invariants that depend on each other, or whose derivatives vanish, only what can be reached is corrected.
class SolutionManifold {
 public:
  /// @param with_invariants  false: the constraints only
  SolutionManifold(EquationsOfMotion& equations, LinearSolver& solver, Projection& projection, bool with_invariants);

  bool has_invariants() const { return has_invariants_; }

  /// Moves p and v (and s where it is an unknown) onto the manifold, to rounding. Leaves the equations at the state.
  /// A part of e that only a change of more than `longest` tolerances would remove is left, as a gap: near an
  /// equilibrium no small change moves the energy. Later steps make up for it.
  /// Failure: constraints that can't be closed, a singular matrix.
  Outcome correct(State& state, const ErrorWeights& tolerances, double longest = 100);
  /// At the state corrected last: failure where an invariant is not constant along the motion, with its name and rate.
  Outcome conserved() const;

  std::int64_t corrections() const { return corrections_; }  ///< calls that changed a state for e
  std::int64_t gaps() const { return gaps_; }                ///< calls that left a part of e

 private:
  Outcome close_constraints(State& state, const ErrorWeights& tolerances);
  void move_to(const State& state);
  void refine(State& state);
  void find_rates();
  double time_scale();
  void find_rounding(const State& state);
  Outcome find_directions(const State& state);
  void add_turned_velocities(const State& state, int i);
  bool find_step(const ErrorWeights& tolerances, double longest);
  Outcome close_invariants(State& state, const ErrorWeights& tolerances, double longest);

  EquationsOfMotion& equations_;
  LinearSolver& solver_;
  Projection& projection_;
  const bool has_invariants_;
  Eigen::VectorXd row_sizes_;  // of g
  Eigen::VectorXd position_sizes_, velocity_sizes_;
  InvariantJacobian jacobian_;  // at the closed state
  Eigen::VectorXd rounding_, rates_, rate_limits_;
  Eigen::MatrixXd directions_p_, directions_v_;  // one column for each invariant
  Eigen::MatrixXd gram_;                         // e moves by -gram_ x along the directions times x
  Eigen::VectorXd e_, a_, right_, step_p_, step_v_, change_, nothing_, residual_, multipliers_;
  double time_scale_ = 1;
  std::int64_t corrections_ = 0, gaps_ = 0;
};

}  // namespace linkwork
