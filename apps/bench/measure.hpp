#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace linkwork::apps {

/// One thing to time: a benchmark on a case of some size with one linear solver.
struct BenchJob {
  std::string benchmark, case_name;
  int size = 0;
  std::string solver;
};

struct Measurement {
  BenchJob job;
  double nanoseconds = 0;       ///< median processor time of one call
  std::int64_t operations = 0;  ///< calls that one repetition timed
};

/// Growth of the time with the size, time = constant * size^exponent, by least squares in logarithms.
struct Fit {
  BenchJob job;  ///< its size is 0
  double exponent = 0;
};

/// Names of the benchmarks:
///   factor_solve      numeric factorisation of [M G^T; G 0] and one solve; symbolic analysis and values are there
///   forward_dynamics  absolute coordinates: M, G, f, gamma at a new state, then factor_solve
std::vector<std::string> benchmark_names();

/// Times the jobs with Google Benchmark, one after another, and writes a line for each as it is done.
/// @throws ModelError for unknown names, and for dense solvers at sizes that make no sense
std::vector<Measurement> measure(const std::vector<BenchJob>& jobs, std::ostream& progress);

/// One fit for every benchmark, case and solver that was timed at two sizes or more.
std::vector<Fit> fit_growth(const std::vector<Measurement>& measurements);

}  // namespace linkwork::apps
