#pragma once

#include "bench/workload.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace linkwork::apps {

struct Measurement {
  BenchJob job;
  std::string solver_at_work;      ///< by name; the job's, or what "auto" has chosen
  double minimum = 0, median = 0;  ///< processor time of one call [ns], over repetitions
  std::int64_t operations = 0;     ///< calls that one repetition timed
  int repetitions = 0;
  int velocities = 0;             ///< of the equations
  double qdd0 = 0, qdd_norm = 0;  ///< first joint's acceleration, and the norm of all; NaN where not known
};

/// A job that a formulation or a solver does not do, or whose model can't be built.
struct Refusal {
  BenchJob job;
  std::string reason;
};

struct Measurements {
  std::vector<Measurement> done;
  std::vector<Refusal> refused;
};

/// Growth of the time with the size, time = constant * size^exponent, by least squares in logarithms of the minima.
struct Fit {
  BenchJob job;  ///< its size is 0
  double exponent = 0;
};

/// Times the jobs with Google Benchmark, one after another.
/// @param progress  called with the number of jobs done before each; false leaves the rest
/// @throws ModelError for unknown names
Measurements measure(const std::vector<BenchJob>& jobs, const std::function<bool(std::size_t)>& progress);

/// One fit for every benchmark, case, formulation and solver that was timed at two different sizes or
/// more.
std::vector<Fit> fit_growth(const std::vector<Measurement>& measurements);

}  // namespace linkwork::apps
