#include "reproduce/cycle_gains.hpp"

#include <linkwork/solvers/newton/iteration_estimates.hpp>

#include <algorithm>
#include <iterator>

namespace linkwork::apps {
namespace {

double share_of(double factorization) { return std::max(factorization, 0.0) / (1 + std::max(factorization, 0.0)); }

std::vector<CorrectorRecord> records_of(const NewtonStudy& study) {
  std::vector<CorrectorRecord> records;
  for (const StudiedSolution& each : study.solutions) records.push_back(each.record);
  return records;
}

/// As long as a method's radius stays below the limit; then the phase is over.
template <class Radius, class Take>
std::size_t follow(const NewtonStudy& study, std::size_t first, std::size_t end, double limit, const Radius& radius,
                   const Take& take) {
  std::size_t i = first;
  for (; i < end; ++i) {
    const double rho = radius(study.solutions[i]);
    if (rho < 0 || rho > limit) break;
    take(study.solutions[i], rho);
  }
  return i;
}

CycleEstimate estimate_cycle(const NewtonStudy& study, std::size_t first, std::size_t end, std::size_t next_end,
                             std::size_t tolerance) {
  CycleEstimate out{.first = first, .end = end, .limit = study.solutions[end - 1].record.spectral_radius};
  for (std::size_t i = first; i < end; ++i) {
    out.length += study.solutions[i].record.solution.h;
    out.effort += study.solutions[i].record.solution.iterations;
  }
  out.effort_12 = out.effort;
  if (!study.solutions[first].dropped.empty())
    follow(
        study, first, end, out.limit, [&](const StudiedSolution& s) { return s.dropped[tolerance]; },
        [&](const StudiedSolution& s, double rho) {
          out.dropped_length += s.record.solution.h;
          out.effort_12 += estimated_iterations(study, rho) * s.kept[tolerance] - s.record.solution.iterations;
        });
  out.krylov_end = follow(
      study, end, next_end, out.limit, [](const StudiedSolution& s) { return s.krylov_of_last_cycle; },
      [&](const StudiedSolution& s, double rho) {
        out.krylov_length += s.record.solution.h;
        out.krylov_effort += 2 * estimated_iterations(study, rho);
      });
  return out;
}

}  // namespace

double rate_of_three_phases(const CycleGains& gains, double factorization) {
  return gains.length / (factorization + gains.effort_of_phases_12() + gains.effort_of_phase_3());
}

/// (4.4) equals (4.5) there.
double share_for_three_phases(const CycleGains& gains) {
  return share_of((gains.effort_of_phases_12() + gains.effort_of_phase_3() - gains.length) / gains.added_length());
}

double share_for_phase_3(const CycleGains& gains) { return share_of(1 / gains.phase_3 - gains.effort_of_phases_12()); }

double estimated_iterations(const NewtonStudy& study, double radius) {
  return std::max(worst_observed_iterations(records_of(study), radius), 1);
}

std::vector<CycleEstimate> estimate_cycles(const NewtonStudy& study, std::size_t tolerance) {
  const std::vector<StudiedSolution>& all = study.solutions;
  std::vector<std::size_t> begins;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (i == 0 || all[i].record.cycle != all[i - 1].record.cycle) begins.push_back(i);
  begins.push_back(all.size());
  std::vector<CycleEstimate> cycles;
  for (std::size_t c = 1; c + 2 < begins.size(); ++c)
    cycles.push_back(estimate_cycle(study, begins[c], begins[c + 1], begins[c + 2], tolerance));
  return cycles;
}

CycleGains mean_gains(const std::vector<CycleEstimate>& cycles) {
  CycleEstimate sum;
  for (const CycleEstimate& each : cycles) {
    sum.length += each.length;
    sum.effort += each.effort;
    sum.effort_12 += each.effort_12;
    sum.krylov_length += each.krylov_length;
    sum.krylov_effort += each.krylov_effort;
  }
  CycleGains gains{.phases_12 = sum.effort / sum.effort_12, .length = 1 + sum.krylov_length / sum.length};
  if (sum.krylov_length > 0) gains.phase_3 = (sum.krylov_length / sum.length) / (sum.krylov_effort / sum.effort);
  return gains;
}

double iteration_effort(const CorrectorRun& run) {
  const CorrectorStatistics& counts = run.counts.corrector;
  return counts.work - static_cast<double>(counts.refresh_cycles) * counts.factor_operations;
}

double whole_work(const CorrectorRun& run) {
  return run.counts.corrector.work +
         CorrectorCosts().evaluation * run.unknowns * static_cast<double>(run.counts.function_calls);
}

PhaseEffort effort_in(const CorrectorRun& run, CorrectorPhase phase) {
  PhaseEffort out;
  std::int64_t cycle = 0;
  for (const CorrectorRecord& record : run.records) {
    const auto refreshes = static_cast<double>(record.cycle - cycle);
    cycle = record.cycle;
    if (record.phase != phase) continue;
    out.length += record.solution.converged ? record.solution.h : 0;
    out.effort += record.work - refreshes * run.counts.corrector.factor_operations;
  }
  return out;
}

CycleGains measured_gains(const CorrectorRun& plain, const CorrectorRun& two, const CorrectorRun& three) {
  const auto cycles = [](const CorrectorRun& run) { return static_cast<double>(run.counts.corrector.refresh_cycles); };
  CycleGains gains{.phases_12 = iteration_effort(plain) / iteration_effort(two),
                   .length = cycles(plain) / cycles(three)};
  const PhaseEffort simplified = effort_in(plain, CorrectorPhase::simplified),
                    krylov = effort_in(three, CorrectorPhase::krylov);
  if (krylov.length > 0) gains.phase_3 = (simplified.effort / simplified.length) / (krylov.effort / krylov.length);
  return gains;
}

}  // namespace linkwork::apps
