#pragma once

// Internal: positions that satisfy the constraints, also where rows are redundant or the position is singular.

#include <linkwork/core/equations_of_motion.hpp>

#include <Eigen/Core>

namespace linkwork {

/// Residuals at a point that is moved by tangent steps, so that quaternions need no care. The point is the problem's
/// own; it starts at one that is kept.
class LeastSquaresProblem {
 public:
  virtual ~LeastSquaresProblem() = default;
  /// Weighted, at the point. @throws RecoverableFailure where it can't be evaluated
  virtual Eigen::VectorXd residual() = 0;
  virtual Eigen::MatrixXd jacobian() = 0;
  virtual bool is_solved() = 0;
  /// Moves the point to where a step leads from the kept one.
  virtual void try_step(const Eigen::VectorXd& step) = 0;
  virtual void keep() = 0;
  virtual void go_back() = 0;

 protected:
  LeastSquaresProblem() = default;
  LeastSquaresProblem(const LeastSquaresProblem&) = default;
  LeastSquaresProblem& operator=(const LeastSquaresProblem&) = default;
};

/// Leaves the point where the residual is least nearby, by Levenberg and Marquardt's method. Dense, the cube of the
/// unknowns per iteration.
/// @param damping_units  one for each unknown, > 0: sizes of the diagonal of J^T J that damping is compared with
void minimise(LeastSquaresProblem& problem, const Eigen::VectorXd& damping_units);

/// Moves p to the nearby positions at which the weighted constraint residual is least, by `minimise`: redundant rows
/// and singular positions do no harm. Leaves the equations at p.
/// @param weights  n_lambda: 1 for rows in metres, lengths [m/rad] for those in radians
/// @param length   [m] that makes turns and displacements comparable
void assemble(EquationsOfMotion& equations, const Eigen::VectorXd& weights, double length, Eigen::VectorXd& p);

/// The projector onto the velocities that the constraints at the current position allow, in units of the mechanism (see
/// velocity_sizes); n_v x n_v, dense.
Eigen::MatrixXd allowed_motion(EquationsOfMotion& equations);

}  // namespace linkwork
