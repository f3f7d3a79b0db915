#pragma once

#include "zoo_simulation.hpp"

#include <functional>
#include <string>
#include <vector>

namespace linkwork::apps {

/// Work and error of a model by extrapolation: medians over the nine first steps 1e-3 * 2^(k/2) s, k = -4 .. 4. A
/// single run says little: a different first step puts all later ones elsewhere, and the error scatters by a factor of
/// ten.
struct WorkAndError {
  double steps = 0, evaluations = 0, solves = 0;
  double error = 0, worst_error = 0;  ///< median and largest
  std::string failure;                ///< of one of the runs; "" if all came to their end
};

/// How far off a simulation's final state is.
using ErrorMeasure = std::function<double(Simulation&)>;

/// @param options  its integrator is ExtrapolationOptions; the first step is replaced
WorkAndError over_first_steps(const ZooModel& model, const Parameters& changes, SimulationOptions options,
                              const ErrorMeasure& error);
/// The error is that against the zoo's reference.
WorkAndError over_first_steps(const ZooModel& model, const Parameters& changes, const SimulationOptions& options);

/// The largest relative error of the seven angles of `andrews` at the end of its run, t = 0.03 s, the measure by which
/// codes are compared on this problem.
double largest_angle_error(Simulation& simulation);

/// Calls of a run that cost about the same each, reports and event functions included: evaluations of forces, matrices,
/// constraints, r' and invariants, factorisations and solves.
double operations(const Simulation& simulation);

/// Options of the published runs: one tolerance, nothing kept.
SimulationOptions mexx_options(double tolerance, const std::string& linear_solver);

// What Lubich, Nowak, Poehle and Engstler published: MEXX - Numerical Software for the Integration of Constrained
// Mechanical Multibody Systems, Konrad-Zuse-Zentrum Berlin, chapter 5. Times are seconds on a SPARCstation 1+.

/// Table 5.1: cable drum at 1e-5. NaN where the run failed.
struct CableDrumRow {
  Discretisation mode;
  double mu, steps, evaluations, solves;
};
const std::vector<CableDrumRow>& published_cable_drum();

/// Table 5.2: seven-body mechanism.
struct SevenBodyRow {
  double tolerance, steps, evaluations, solves, seconds;
};
const std::vector<SevenBodyRow>& published_seven_body();

/// Table 5.5: insulator chains.
struct InsulatorRow {
  int n;
  double tolerance, steps, evaluations, solves, seconds;
};
const std::vector<InsulatorRow>& published_insulators();

}  // namespace linkwork::apps
