#pragma once

#include "zoo/zoo.hpp"

#include <linkwork/solvers/formulations/formulation.hpp>
#include <linkwork/solvers/simulation/simulation.hpp>

#include <functional>
#include <string>
#include <vector>

namespace linkwork::apps {

/// What a tolerance means: how far a whole run is off in units of the tolerance that its steps were controlled by.
struct GlobalErrors {
  std::vector<double> tolerances;  ///< rtol = atol, from loose to tight
  /// By tolerance: of each run, max |y - y_ref| / (tolerance (1 + |y_ref|)) over positions and velocities at
  /// equidistant times, most of them between steps; in ascending order. A run that fails counts as infinite.
  std::vector<std::vector<double>> in_tolerances;

  double median(std::size_t i) const { return in_tolerances[i][in_tolerances[i].size() / 2]; }
  double worst(std::size_t i) const { return in_tolerances[i].back(); }
  /// The tolerance with which the median, or the worst, of the runs comes to an error of `wanted` (1 + |y|): on
  /// straight lines through the measured points in logarithms; NaN outside of them.
  double tolerance_for(double wanted, bool of_the_worst) const;
};

/// Motions that are not chaotic for as long as they are run, without stiff parts.
struct ComparedMotion {
  std::string model;
  double t_end = 0;  ///< [s]
};
const std::vector<ComparedMotion>& compared_motions();

/// Runs of an integrator on the compared motions in absolute and relative coordinates, against radau at 1e-12.
/// @param integrator  makes its options with rtol = atol = tolerance
GlobalErrors measure_global_errors(const std::function<IntegratorOptions(double tolerance)>& integrator,
                                   const std::vector<double>& tolerances);

}  // namespace linkwork::apps
