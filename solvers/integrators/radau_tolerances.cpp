#include <linkwork/solvers/integrators/radau_tolerances.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

namespace linkwork {

Tolerances transformed_tolerances(Tolerances tolerances) {
  // Where the tolerance is tight, an estimate of 0.1 TOL^(2/3) would leave an error of many TOL.
  constexpr double largest_transformed = 100;                 // in units of TOL
  const std::optional<double> ratio = tolerances.atol_angle;  // lengths say nothing about a ratio
  const auto transform = [&](double& relative, double& absolute) {
    const double leading = relative > 0 ? relative : ratio.value_or(absolute);
    if (!(leading > 0)) return;
    const double factor = std::min(0.1 * std::pow(leading, -1.0 / 3), largest_transformed);
    relative *= factor;
    absolute *= factor;
  };
  ComponentTolerances& by = tolerances.components;
  const auto transform_all = [&](std::vector<double>& relative, std::vector<double>& absolute, std::size_t count) {
    if (relative.empty() && absolute.empty()) return;
    relative.resize(count, tolerances.rtol);
    absolute.resize(count, tolerances.atol);
    for (std::size_t i = 0; i < count; ++i) transform(relative[i], absolute[i]);
  };
  transform_all(by.p_rtol, by.p_atol, std::max(by.p_rtol.size(), by.p_atol.size()));
  transform_all(by.v_rtol, by.v_atol, std::max(by.v_rtol.size(), by.v_atol.size()));
  transform_all(by.r_rtol, by.r_atol, std::max(by.r_rtol.size(), by.r_atol.size()));
  if (ratio) {
    double relative = tolerances.rtol;
    transform(relative, *tolerances.atol_angle);
  }
  transform(tolerances.rtol, tolerances.atol);
  return tolerances;
}

}  // namespace linkwork
