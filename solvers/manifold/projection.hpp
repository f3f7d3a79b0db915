#pragma once

#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/solvers/linear/linear_solver.hpp>

#include <Eigen/Core>

namespace linkwork {

/// Root mean square of x_i / w_i (MEXX 2.8a) over the components with finite weights; 0 if there are none.
double scaled_norm(const Eigen::Ref<const Eigen::VectorXd>& x, const Eigen::VectorXd& weights);

/// Projections onto the constraint manifold in the metric of the mass matrix (MEXX 2.3). One owner for integrators,
/// events and consistent initial values. Workspaces live here, so that repeated calls allocate nothing.
class Projection {
 public:
  Projection(EquationsOfMotion& equations, LinearSolver& solver);

  /// Changes p so that g(t, p) = 0 (MEXX 2.9 to 2.11): modified Newton iterations until the scaled norm of the last
  /// change is at most 1e-2; the matrix is renewed when they converge slowly. Leaves the equations at (t, p) and the
  /// norms of redundant coordinates restored.
  /// @param weights  error weights of p, n_p numbers above zero
  /// Failure: no convergence; the message names the worst constraint and its residual.
  Outcome position(double t, Eigen::VectorXd& p, const Eigen::VectorXd& weights);
  /// Changes v so that G v + offset = 0 (MEXX 2.12) at the current position of the equations, and sets it there. The
  /// matrix is left factored; nothing is factored where there are no rows. Rows that are nonlinear in v need Newton
  /// iterations, each with its own matrix, until the scaled norm of the last change is at most 1e-2, and one more. A
  /// row that no change of v within the weights would close, as one that vanishes, has not converged.
  /// Servos hold no velocity: C v stays as it is.
  /// @param weights  error weights of v
  /// Failure: no convergence, with the worst constraint and its residual.
  Outcome velocity(Eigen::VectorXd& v, const Eigen::VectorXd& weights);

  /// Of the last call: Newton iterations, and the scaled norm of the whole change.
  int iterations() const { return iterations_; }
  /// Whether the iterations came to rest. A failure all the same is one of the constraints, which contradict each
  /// other.
  bool has_converged() const { return converged_; }
  double position_change() const { return position_change_; }
  double velocity_change() const { return velocity_change_; }

 private:
  void move_to(double t, const Eigen::VectorXd& p);
  bool closes_velocities(const Eigen::VectorXd& weights);
  Outcome velocity_by_iteration(Eigen::VectorXd& v, const Eigen::VectorXd& weights);
  bool is_closed_to_rounding(const Eigen::VectorXd& p);

  EquationsOfMotion& equations_;
  LinearSolver& solver_;
  int iterations_ = 0;
  bool converged_ = false;
  double position_change_ = 0, velocity_change_ = 0;
  Eigen::VectorXd start_, step_, total_, change_, right_v_;
  Eigen::VectorXd right_g_, multipliers_;                  // of position rows
  Eigen::VectorXd right_velocity_, velocity_multipliers_;  // of all rows
};

}  // namespace linkwork
