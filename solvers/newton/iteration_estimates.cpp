#include <linkwork/solvers/newton/iteration_estimates.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace linkwork {

double matched_iterations(double rho_1, int iterations_1, double rho_2) {
  if (!(rho_2 < 1)) return std::numeric_limits<double>::infinity();
  return std::log(rho_1) / std::log(rho_2) * iterations_1;
}

int worst_observed_iterations(const std::vector<CorrectorRecord>& records, double rho) {
  int worst = 0;
  for (const CorrectorRecord& record : records)
    if (record.spectral_radius >= 0 && record.spectral_radius <= rho)
      worst = std::max(worst, record.solution.iterations);
  return worst;
}

int nearest_observed_iterations(const std::vector<CorrectorRecord>& records, double rho) {
  const CorrectorRecord* nearest = nullptr;
  for (const CorrectorRecord& record : records)
    if (record.spectral_radius >= rho && (!nearest || record.spectral_radius < nearest->spectral_radius))
      nearest = &record;
  return nearest ? nearest->solution.iterations : 0;
}

}  // namespace linkwork
