#pragma once

// Internal: how near a position is to one where constraint rows lose rank, and whose rows meet there. Dense, for
// positions that stop a run or slow it down.

#include <linkwork/core/equations_of_motion.hpp>

#include <string>
#include <vector>

namespace linkwork {

/// Smallest of the singular values that count for the rank of the constraint rows, in the sizes of the mechanism, over
/// the largest; 1 where nothing constrains. At the equations' position.
double independence_of_rows(EquationsOfMotion& equations, int rank);

/// Elements whose rows depend on each other at the equations' position.
/// @param rank  of the rows there; -1: by their gap
std::vector<std::string> dependent_elements(EquationsOfMotion& equations, int rank);

/// Names of the rows that nearly depend on each other at a position where one row more than `rank` should be
/// independent; none where they don't.
std::vector<std::string> rows_that_meet(EquationsOfMotion& equations, int rank);

}  // namespace linkwork
