#include <linkwork/solvers/dae/error_weights.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace linkwork {

ErrorWeights::ErrorWeights(const EquationsOfMotion& equations) {
  for (int i = 0; i < equations.dimensions().p; ++i)
    if (equations.is_dependent_position(i)) dependent_p.push_back(i);
  for (int i = 0; i < equations.dimensions().v; ++i)
    if (equations.is_dependent_velocity(i)) dependent_v.push_back(i);
}

void ErrorWeights::renew(const Tolerances& tolerances, const State& a, const State& b) {
  const auto set = [&](const Eigen::VectorXd& x, const Eigen::VectorXd& y, const std::vector<double>& rtol,
                       const std::vector<double>& atol, Eigen::VectorXd& weights) {
    weights.resize(x.size());
    for (Eigen::Index i = 0; i < x.size(); ++i) {
      const auto k = static_cast<std::size_t>(i);
      const double relative = rtol.empty() ? tolerances.rtol : rtol[k];
      const double absolute = atol.empty() ? tolerances.atol : atol[k];
      // A component that is exactly zero under a purely relative tolerance must not divide by zero.
      weights[i] =
          std::max(relative * std::max(std::abs(x[i]), std::abs(y[i])) + absolute, std::numeric_limits<double>::min());
    }
  };
  const ComponentTolerances& by = tolerances.components;
  set(a.p, b.p, by.p_rtol, by.p_atol, p);
  set(a.v, b.v, by.v_rtol, by.v_atol, v);
  set(a.r, b.r, by.r_rtol, by.r_atol, r);
  for (const int i : dependent_p) p[i] = std::numeric_limits<double>::infinity();
  for (const int i : dependent_v) v[i] = std::numeric_limits<double>::infinity();
}

}  // namespace linkwork
