#pragma once

#include <Eigen/Core>

namespace linkwork {

/// Sizes of the general equations (see EquationsOfMotion).
struct Dimensions {
  int p = 0;              ///< position coordinates, a quaternion counts four
  int v = 0;              ///< velocity coordinates
  int r = 0;              ///< states of dynamic force elements
  int w = 0;              ///< auxiliary variables that are unknowns of the system
  int s = 0;              ///< contact-point coordinates that are unknowns of the system
  int lambda = 0;         ///< holonomic constraint rows
  int mu = 0;             ///< nonholonomic constraint rows, those that follow among them
  int nonlinear = 0;      ///< of nonholonomic constraints that are nonlinear in the velocities, before those of servos
  int servo = 0;          ///< of servo constraints, on accelerations only: the last rows
  int normalisation = 0;  ///< normalised redundant coordinates (unit quaternions)
  int eta = 0;            ///< multipliers of the stabilised index-2 form
  int e = 0;              ///< solution invariants
  /// All rows.
  int constraints() const { return lambda + mu; }
  /// The first row that depends on velocities.
  int first_reading_velocity() const { return constraints() - nonlinear - servo; }
};

/// All numbers of a system at one instant. `lambda` holds the multipliers of G, then those of H.
struct State {
  double t = 0;          ///< [s]
  Eigen::VectorXd p, v;  ///< positions and velocities
  Eigen::VectorXd r;     ///< states of dynamic force elements
  /// Auxiliary variables and contact-point coordinates. Where the equations solve for them on their own, this is where
  /// the solution starts, or empty.
  Eigen::VectorXd w, s;
  Eigen::VectorXd a;       ///< v'
  Eigen::VectorXd lambda;  ///< [lambda; mu]
};

}  // namespace linkwork
