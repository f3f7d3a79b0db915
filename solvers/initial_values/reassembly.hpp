#pragma once

#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/solvers/initial_values/initial_conditions.hpp>

#include <string>
#include <vector>

namespace linkwork {

/// A way to close the loops.
struct AssemblyBranch {
  State state;       ///< its velocities are those of the first branch
  std::string text;  ///< "rod: angle = 1.2 rad", as few values as tell it from the others
};
/// The ways to close the loops where the conditions hold and all that is free otherwise is held where it is: the two of
/// a four-bar linkage with given crank angle. The first is that of the state; the others are looked for from random
/// positions, so that some may be missing. Guesses of the values in `text` lead to another one. Angles are given
/// without full turns.
/// @param state  consistent
std::vector<AssemblyBranch> assembly_branches(EquationsOfMotion& equations, const State& state,
                                              const InitialConditions& conditions = {}, unsigned attempts = 60);

/// What became of a motion from one assembled position to another.
struct Reassembly {
  State state;           ///< positions closed, velocities changed as little as these allow; a and lambda are zero
  bool arrived = false;  ///< else at `reached`
  double reached = 0;    ///< value of the quantity
  std::string reason;    ///< why it went no further, or has no velocities there (the best try is left), by elements
};
/// Moves one quantity to a value and closes all loops again, continuously, by steps so small that the branch is kept.
/// Angles go the way that the sign of value - present value says, full turns included. Stops at dead points before it.
/// @param state  consistent, or near to that
/// @throws ModelError for a value that is not finite or over 1e4 rad or lengths away, or positions that can't be closed
template <class Space>
Reassembly move_and_reassemble(EquationsOfMotion& equations, const State& state, const Quantity<Space>& quantity,
                               double value);
extern template Reassembly move_and_reassemble(EquationsOfMotion&, const State&, const Quantity<Planar>&, double);
extern template Reassembly move_and_reassemble(EquationsOfMotion&, const State&, const Quantity<Spatial>&, double);

}  // namespace linkwork
