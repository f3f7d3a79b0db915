#pragma once

#include <linkwork/core/equations_of_motion.hpp>

#include <Eigen/Core>
#include <string>
#include <vector>

namespace linkwork {

/// Where the forces act that shall make a motion: column j of B is the generalised force of actuator j at effort one.
struct Actuators {
  std::vector<std::string> names;
  Eigen::MatrixXd B;  ///< n_v x actuators
};

/// One actuator for each velocity: in relative coordinates a force or torque in every joint of the tree.
Actuators all_velocities(const EquationsOfMotion& equations);
/// Actuators along velocities given by their names (EquationsOfMotion::velocity_name), or by the part of the name that
/// stands before the colon, which is a joint's in relative coordinates and a body's in absolute ones ("crank" is all
/// velocities of the crank, "crank: angular velocity" is one). None at all where driven joints make the motion; their
/// multipliers are the efforts then.
/// @throws ModelError for a name that no velocity has, listing the names there are
Actuators actuators_along(const EquationsOfMotion& equations, const std::vector<std::string>& velocities);

/// The forces that make a given motion.
struct InverseDynamicsResult {
  Eigen::VectorXd efforts;      ///< tau, one per actuator [N, N m]
  Eigen::VectorXd multipliers;  ///< lambda of all constraint rows; of least norm where rows are redundant
};

struct InverseDynamicsOptions {
  /// How far accelerations may miss G a = gamma, and efforts the motion, relative to the size of the terms.
  double tolerance = 1e-8;
  /// Takes the efforts of least norm where they are not unique; else that is a failure.
  bool least_norm = false;
};

/// Inverse dynamics with closed loops: efforts tau and multipliers lambda with (the residual formalism, CORR 1)
///
///   M(p) a - f(t, p, v, r, lambda) + G(p)^T lambda = B tau
///
/// at the current point (t, p, v, r) of equations in any formulation; applied_force() is part of f, the efforts come in
/// addition. f may depend on lambda (dry friction): Newton iterations with F = df/dlambda.
///
/// With N a basis of the motions that the constraints allow (N^T (G^T - F) = 0), N^T (M a - f) = N^T B tau decides: tau
/// is unique where N^T B has full column rank (relative to 1e-9), the motion is possible where the residual vanishes;
/// lambda follows by least squares. O(n_v) for all_velocities without constraints, else O(n_v^3) with dense matrices.
///
/// Failures, by name: accelerations that violate the constraints (the worst row and by how much), actuators that are
/// redundant (the efforts that can't be told apart), actuators that can't make the motion (the velocity whose
/// equation misses most), multipliers of friction that do not converge. Then the result is left alone.
/// The equations are left at the multipliers of the result.
///
/// @param a  v', n_v entries
/// @throws ModelError for an `a` or B of the wrong size, and for numbers that are not finite or a tolerance <= 0
Outcome inverse_dynamics(EquationsOfMotion& equations, const Actuators& actuators, const Eigen::VectorXd& a,
                         InverseDynamicsResult& result, const InverseDynamicsOptions& options = {});

}  // namespace linkwork
