#pragma once

#include <string>
#include <utility>
#include <vector>

namespace linkwork::apps {

/// What SUNDIALS IDA made of the insulator chain.
struct IdaResult {
  bool finished = false;
  double cpu_seconds = 0;
  long steps = 0, residuals = 0, jacobians = 0;
  std::vector<std::pair<std::string, double>> observables;  ///< positions, named as in the zoo
};

/// Integrates the insulator chain with n insulators over [0, t_end] in the stabilised index-2 form of Gear, Gupta and
/// Leimkuhler with IDA, KLU and an analytic Jacobian. The equations are written by hand, so that the peer pays for no
/// generality of ours. Multipliers are kept out of IDA's error norms, which it needs to start at all.
IdaResult integrate_insulator_chain_with_ida(int n, double t_end, double tolerance);

}  // namespace linkwork::apps
