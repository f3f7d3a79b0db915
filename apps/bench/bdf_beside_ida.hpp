#pragma once

#include "zoo/zoo.hpp"

#include <linkwork/solvers/formulations/formulation.hpp>

#include <ostream>
#include <string>
#include <vector>

namespace linkwork::apps {

/// A motion that `bdf` and SUNDIALS IDA compute from the same residual function and the same consistent start.
struct BdfComparison {
  std::string name, model;
  Parameters changes;
  Formulation formulation = Formulation::relative;
  double absolute_share = 1;       ///< atol = absolute_share * rtol
  std::vector<double> tolerances;  ///< rtol, from loose to tight
};

const std::vector<BdfComparison>& bdf_comparisons();

/// Prints errors, calls, Jacobians, steps and times of IDA and of `bdf`, with dense differences and with grouped ones,
/// and what IDA with dense differences takes for the same error. Error: largest of positions and velocities at the end
/// against the extrapolation method at 1e-11, scaled by max(1, |x|). All figures are geometric means over five
/// tolerances around the one that is named; single runs scatter, those of IDA too, where stability limits the steps.
void compare_bdf_with_ida(const BdfComparison& comparison, std::ostream& out);

}  // namespace linkwork::apps
