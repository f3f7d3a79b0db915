#include "bench/yardstick.hpp"

#include "bench/cpu_clock.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <vector>

namespace linkwork::apps {

Yardstick measure_yardstick() {
  using Matrix6 = Eigen::Matrix<double, 6, 6>;
  using Vector6 = Eigen::Matrix<double, 6, 1>;
  constexpr int batches = 101, calls = 2000;

  Matrix6 X = Matrix6::Identity();  // the identity and a small skew part: powers of it stay bounded
  for (int row = 0; row < 6; ++row) {
    for (int column = 0; column < row; ++column) {
      X(row, column) = 1e-3 * (row + column);
      X(column, row) = -X(row, column);
    }
  }
  Matrix6 A = Matrix6::Identity();
  Vector6 v = Vector6::Ones();
  std::vector<double> times;
  for (int batch = 0; batch < batches; ++batch) {
    const double start = cpu_seconds();
    for (int call = 0; call < calls; ++call) {
      A.noalias() = (X.transpose() * A * X).eval() * 0.98;
      A.diagonal().array() += 0.02;
      v = 0.5 * (A * v) + Vector6::Constant(0.5);
    }
    times.push_back(1e9 * (cpu_seconds() - start) / calls);
  }
  // The result is looked at, so that the loop can't be optimised away.
  if (!v.allFinite()) return {};
  std::sort(times.begin(), times.end());
  return {times.front(), times[batches / 2]};
}

}  // namespace linkwork::apps
