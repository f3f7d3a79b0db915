#pragma once

// Internal: how near a position is to one where constraint rows lose rank, and whose rows meet there. Dense, for
// positions that stop a run or slow it down.

#include <linkwork/core/equations_of_motion.hpp>

#include <string>
#include <vector>

namespace linkwork {

/// How independent that many of the constraint rows are at the equations' position: their smallest singular value over
/// the largest, 1 to 0, in the sizes of the mechanism.
/// @param rank  of the rows
double independence_of_rows(EquationsOfMotion& equations, int rank);

/// Whether the position counts as near a singular one: that rank nearly is one less. Up to 500 rows are looked at; of
/// more nothing is said.
/// @param ratio  of the singular values, at which it does
bool is_near_singular_position(EquationsOfMotion& equations, int rank, double ratio = 1e-2);

/// Names of the elements whose rows depend on each other there (see elements_of_row).
/// @param rank  that the rows are taken to have; -1: by their gap
std::vector<std::string> dependent_elements(EquationsOfMotion& equations, int rank);

/// Names of the elements whose rows meet at a position where one row more than `rank` should be independent; none where
/// they are.
std::vector<std::string> elements_that_meet(EquationsOfMotion& equations, int rank);

/// A sentence, with a space before it, that names the elements which nearly depend on each other at a state; "" where
/// none do, or where it can't be evaluated. Leaves the equations there.
/// @param rank    of the rows away from such positions
/// @param remedy  what ends the sentence and says what to do
std::string why_near_singular_position(EquationsOfMotion& equations, const State& state, int rank,
                                       const char* remedy =
                                           ". Where the motion is smooth, extrapolation, radau and bdf with "
                                           "corrector newton pass most such positions; or keep the mechanism away "
                                           "from it.");

}  // namespace linkwork
