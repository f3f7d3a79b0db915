#pragma once

#include <linkwork/solvers/newton/corrector_record.hpp>

#include <vector>

namespace linkwork {

/// Iterations that a corrector with spectral radius rho_2 takes for what one with rho_1 has done in so many: both
/// contract by the same in all, rho_2^m_2 = rho_1^m_1 (DASSL+ 4.1, 4.2). Not rounded; infinite from rho_2 = 1 on.
double matched_iterations(double rho_1, int iterations_1, double rho_2);
/// The most that any solution took whose spectral radius was no larger (DASSL+ 4.3); 0: there was none.
int worst_observed_iterations(const std::vector<CorrectorRecord>& records, double rho);
/// Those of the solution whose spectral radius was the nearest one above, or the same; 0: there was none.
int nearest_observed_iterations(const std::vector<CorrectorRecord>& records, double rho);

}  // namespace linkwork
