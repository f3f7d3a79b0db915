#pragma once

#include <linkwork/core/equations_of_motion.hpp>

#include <Eigen/Core>

namespace linkwork {

/// The characteristic length of the mechanism [m], rounded to a power of two: dividing by it costs no digit, and in a
/// unit of length that is a power of two of another a mechanism has the same quotients to the last one.
double rounded_length(const EquationsOfMotion& equations);

/// What counts as one of each position, where lengths and angles stand beside each other: `length` [m] for those in
/// metres, else 1 [rad, or the unit that it has]. Matrices are scaled by rounded_length; where sizes decide what is
/// chosen, or how errors are weighed, the characteristic length itself makes any two units alike.
Eigen::VectorXd position_sizes(const EquationsOfMotion& equations, double length);
/// The same of velocities, [m/s] and [rad/s].
Eigen::VectorXd velocity_sizes(const EquationsOfMotion& equations, double length);
/// The same of what constraint rows measure, [m] and [rad].
Eigen::VectorXd constraint_sizes(const EquationsOfMotion& equations, double length);

// By rounded_length.
Eigen::VectorXd position_sizes(const EquationsOfMotion& equations);
Eigen::VectorXd velocity_sizes(const EquationsOfMotion& equations);
Eigen::VectorXd constraint_sizes(const EquationsOfMotion& equations);

/// Squares of the sizes of velocities over that of lengths: 1 for velocities in metres, 1/length^2 [1/m^2] for those in
/// radians. Momenta times these are velocities of one kind, whatever the unit of length: D G^T eta moves bodies as if
/// each had the mass 1 and the radius of gyration `length`.
Eigen::VectorXd velocity_metric(const EquationsOfMotion& equations);

/// D of the stabilised form p' = Z (v - D G^T eta), n_v factors [1, or 1/m^2]: the metric above, and 1024 times as much
/// for velocities on which M has no block. What closes the constraints is to move those, as joint coordinates beside
/// bodies: they follow from the others. The equations are at a position.
Eigen::VectorXd stabilising_metric(EquationsOfMotion& equations);

/// Factors, powers of two, that bring rows and columns of [M G^T; G 0] to sizes that no unit of length or mass decides.
struct UnitScaling {
  Eigen::VectorXd velocities;   ///< of columns of accelerations
  Eigen::VectorXd dynamics;     ///< of rows of M and G^T
  Eigen::VectorXd multipliers;  ///< of columns of G^T
  Eigen::VectorXd constraints;  ///< of rows of G
  Eigen::VectorXd stabilisers;  ///< of columns of D G^T, which move positions
};
/// From the diagonal of M at the equations' position: velocities by the roots of their inertias, which would be hidden
/// beside G else.
UnitScaling unit_scaling(EquationsOfMotion& equations);

}  // namespace linkwork
