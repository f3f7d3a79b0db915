#pragma once

#include <linkwork/solvers/dae/tolerances.hpp>

namespace linkwork {

/// What steps of radau are controlled with: 0.1 TOL^(2/3), or 100 TOL below 1e-9; ratios of absolute and relative
/// tolerances kept. The error of a step's end is of order 5 and its estimate of order 3.
Tolerances transformed_tolerances(Tolerances tolerances);

}  // namespace linkwork
