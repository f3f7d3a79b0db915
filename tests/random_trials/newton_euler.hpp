#pragma once

#include "description.hpp"
#include "jet.hpp"

#include <optional>
#include <string>
#include <vector>

namespace linkwork::test {

/// The equations of Newton and Euler for a described mechanism, with all joints as constraints on the bodies, in
/// extended precision. Rows come from differentiating the joints' closure twice along a motion (Jet). It shares no code
/// with the library, so that an agreement is one of two independent derivations.
struct NewtonEuler {
  struct BodyAcceleration {
    RealVector3 angular, linear;  ///< of the body's origin, ground axes
  };
  struct Reaction {
    RealVector3 torque, force;  ///< on the son, at the son's frame, ground axes
    bool is_unique = true;      ///< whether the rows determine it
  };
  std::vector<BodyAcceleration> bodies;
  std::vector<Reaction> joints;
  int freedoms = 0;        ///< velocities less independent rows
  int redundant_rows = 0;  ///< rows less independent ones
  double condition = 1;    ///< of the augmented matrix without redundant rows: rows of unit length, masses relative to
                           ///< the largest entry of M
  /// Largest multiplier of a row of unit length over the largest entry of M. The condition number belongs to the vector
  /// of accelerations and these: it bounds errors relative to the larger of them. A light body that is held against a
  /// force is a case where that is the multiplier.
  double held_acceleration = 0;
  double largest_position_residual = 0, largest_velocity_residual = 0;
  double contradiction = 0;  ///< of redundant rows, relative
  double definiteness = 1;   ///< smallest over largest kinetic energy of the freedoms, by eigenvalues
};

NewtonEuler solve_newton_euler(const Description& mechanism);

/// The velocities that all rows allow, nearest to the given ones by least squares; nothing where rows contradict.
void make_velocities_consistent(Description& mechanism);

}  // namespace linkwork::test
