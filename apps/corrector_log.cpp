#include "corrector_log.hpp"

#include <linkwork/solvers/newton/corrector_options.hpp>
#include <linkwork/solvers/newton/iteration_estimates.hpp>

#include <cmath>
#include <limits>

namespace linkwork::apps {
namespace {

/// An empty field where something was not measured.
void write_field(std::ostream& out, double value, bool is_known) {
  out << ',';
  if (is_known && std::isfinite(value)) out << value;
}

}  // namespace

void write_corrector_log(std::ostream& out, const std::vector<CorrectorRecord>& records) {
  out.precision(std::numeric_limits<double>::max_digits10);
  out << "t,h,alpha,cycle,phase,iterations,converged,contraction,spectral_radius,matched_iterations,"
         "worst_observed_iterations,nearest_observed_iterations,matrix_alpha,drop_tolerance,work\n";
  std::vector<CorrectorRecord> before;
  for (const CorrectorRecord& record : records) {
    const CorrectorSolution& s = record.solution;
    const double rho = record.spectral_radius;
    const bool is_measured = rho >= 0;
    out << s.t << ',' << s.h << ',' << s.alpha << ',' << record.cycle << ',' << name_of(record.phase) << ','
        << s.iterations << ',' << (s.converged ? 1 : 0);
    write_field(out, s.contraction, s.contraction > 0);
    write_field(out, rho, is_measured);
    const bool has_last = is_measured && !before.empty() && before.back().spectral_radius > 0;
    write_field(
        out, has_last ? matched_iterations(before.back().spectral_radius, before.back().solution.iterations, rho) : 0,
        has_last);
    const int worst = worst_observed_iterations(before, rho), nearest = nearest_observed_iterations(before, rho);
    write_field(out, worst, is_measured && worst > 0);
    write_field(out, nearest, is_measured && nearest > 0);
    out << ',' << record.matrix_alpha << ',' << record.drop_tolerance << ',' << record.work << '\n';
    if (is_measured) before.push_back(record);
  }
}

}  // namespace linkwork::apps
