#pragma once

#include <linkwork/core/state.hpp>
#include <linkwork/solvers/integrators/extrapolation.hpp>

#include <Eigen/Core>

namespace linkwork {

/// Error weights of p, v and r: rtol |y| + atol (MEXX 2.8b), the unit in which error estimates, projections and the
/// location of events measure sizes.
struct ErrorWeights {
  Eigen::VectorXd p, v, r;

  /// |y| is the larger of the sizes at the two states. Component tolerances must fit the sizes of the states.
  void renew(const ExtrapolationOptions& options, const State& a, const State& b);
};

}  // namespace linkwork
