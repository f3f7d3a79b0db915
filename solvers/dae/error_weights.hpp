#pragma once

#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/solvers/dae/tolerances.hpp>

#include <Eigen/Core>
#include <vector>

namespace linkwork {

/// Error weights of p, v and r: rtol |y| + atol (MEXX 2.8b), the unit in which error estimates, projections and the
/// location of events measure sizes. Components that follow from others have infinite weights: they do not count.
struct ErrorWeights {
  Eigen::VectorXd p, v, r;
  std::vector<int> dependent_p, dependent_v;

  ErrorWeights() = default;
  explicit ErrorWeights(const EquationsOfMotion& equations);

  /// |y| is the larger of the sizes at the two states. Component tolerances must fit the sizes of the states.
  void renew(const Tolerances& tolerances, const State& a, const State& b);
};

}  // namespace linkwork
