#include <linkwork/solvers/newton/corrector_schedule.hpp>

#include <linkwork/core/concat.hpp>

#include <cmath>
#include <cstdint>

namespace linkwork {

namespace {

/// FNV-1a, the same on every machine.
void add_to_checksum(const std::string& text, std::uint64_t& sum) {
  for (const char letter : text) sum = (sum ^ static_cast<unsigned char>(letter)) * 1099511628211u;
  sum = (sum ^ 255u) * 1099511628211u;
}

}  // namespace

const CorrectorSchedule::Interval& CorrectorSchedule::at(double t) const {
  std::size_t i = 0;
  while (i + 1 < intervals.size() && intervals[i + 1].from <= t) ++i;
  return intervals[i];
}

std::string CorrectorSchedule::why_invalid() const {
  double before = -INFINITY;
  for (const Interval& interval : intervals) {
    if (!(interval.from > before))
      return concat("the schedule has an interval from ", interval.from, " s on behind one from ", before,
                    " s on; put them in the order of time.");
    before = interval.from;
    if (!(interval.drop_tolerance >= 0 && interval.drop_tolerance < 1))
      return concat("the schedule has a drop tolerance of ", interval.drop_tolerance, " from ", interval.from,
                    " s on; expected a number in [0, 1).");
    if (interval.krylov_steps < 1)
      return concat("the schedule has ", interval.krylov_steps, " Krylov steps from ", interval.from,
                    " s on; expected at least 1.");
    if (interval.phases == CyclePhases{false, false, false})
      return concat("the schedule has no phase from ", interval.from, " s on; give one at least.");
  }
  if (!(std::isfinite(costs.evaluation) && costs.evaluation > 0))
    return concat("the schedule has a cost of evaluations of ", costs.evaluation, "; expected > 0.");
  return "";
}

std::string system_identity(const ResidualFunction& system, int unknowns) {
  std::uint64_t sum = 14695981039346656037u;
  for (int j = 0; j < unknowns; ++j) add_to_checksum(system.unknown_name(j), sum);
  return concat(unknowns, " unknowns, ", sum);
}

}  // namespace linkwork
