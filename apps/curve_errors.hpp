#pragma once

#include "zoo/zoo.hpp"

#include <linkwork/solvers/formulations/formulation.hpp>
#include <linkwork/solvers/simulation/simulation.hpp>
#include <linkwork/solvers/simulation/trajectory.hpp>

#include <string>
#include <vector>

namespace linkwork::apps {

/// A mechanism of the zoo, and how long two runs of it can be laid beside each other.
struct CurveCase {
  std::string model;
  Parameters changes;
  double t_end = 0;  ///< [s]
};

/// Every model of the zoo: small sizes, and shorter than its own time where its motion forgets where it began or is
/// not smooth.
const std::vector<CurveCase>& curve_cases();

/// "extrapolation", "bdf" or "radau" with one tolerance. @throws ModelError for another name
IntegratorOptions integrator_options(const std::string& name, double tolerance);

/// Largest errors of a run, each over 1 + |value|: rtol |x| + atol is the tolerance times that.
struct CurveErrors {
  double p_steps = 0, v_steps = 0;    ///< at the ends of steps
  double p_points = 0, v_points = 0;  ///< at equidistant points
  std::size_t steps = 0;
  std::string failure;  ///< of a run that did not reach its end

  /// How far curves are from what is promised, at most 10 times the errors at steps plus 10 tolerances: 1 is the limit.
  double share_of_promise(double tolerance) const;
};

/// Compares runs in one formulation with the same run by radau at 1e-12, whose steps are not longer than the points'
/// distance.
class CurveComparison {
 public:
  /// @throws ModelError where the model has no such formulation; RunError where the reference can't be computed
  CurveComparison(const CurveCase& chosen, Formulation formulation, int points);

  CurveErrors errors_of(const std::string& integrator, double tolerance) const;

 private:
  Simulation simulation(IntegratorOptions integrator) const;

  CurveCase case_;
  Formulation formulation_;
  int points_;
  Trajectory reference_;
};

}  // namespace linkwork::apps
