#pragma once

// Internal: positions that satisfy the constraints, also where rows are redundant or the position is singular.

#include <linkwork/core/equations_of_motion.hpp>

#include <Eigen/Core>

namespace linkwork {

/// Moves p to the nearby positions at which the weighted constraint residual is least, by Levenberg and Marquardt's
/// method: redundant rows and singular positions do no harm. Dense, n_v^3 per iteration. Leaves the equations at p.
/// @param weights  of the position rows
/// @param length   [m] that makes turns and displacements comparable
/// @return         the largest residual that is left [m, rad]
double assemble(EquationsOfMotion& equations, const Eigen::VectorXd& weights, double length, Eigen::VectorXd& p);

/// The projector onto the velocities that the constraints at the current position allow; n_v x n_v, dense.
Eigen::MatrixXd allowed_motion(EquationsOfMotion& equations);

}  // namespace linkwork
