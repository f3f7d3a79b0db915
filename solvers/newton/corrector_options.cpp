#include <linkwork/solvers/newton/corrector_options.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/solvers/newton/broyden_newton.hpp>
#include <linkwork/solvers/newton/cycle_newton.hpp>
#include <linkwork/solvers/newton/dropped_lu_newton.hpp>
#include <linkwork/solvers/newton/exact_newton.hpp>
#include <linkwork/solvers/newton/krylov_newton.hpp>
#include <linkwork/solvers/newton/low_rank_updates.hpp>
#include <linkwork/solvers/newton/simplified_newton.hpp>

#include <algorithm>
#include <array>

namespace linkwork {

namespace {

constexpr std::array method_names = {"simplified", "newton", "dropped-lu", "krylov", "broyden", "cycle"};
constexpr std::array phase_names = {"dropped-lu", "simplified", "krylov", "newton", "broyden"};

}  // namespace

std::string_view name_of(CorrectorMethod method) { return method_names[static_cast<std::size_t>(method)]; }
std::string_view name_of(CorrectorPhase phase) { return phase_names[static_cast<std::size_t>(phase)]; }

CorrectorStatistics operator+(const CorrectorStatistics& earlier, const CorrectorStatistics& later) {
  CorrectorStatistics sums = later;
  for (std::size_t phase = 0; phase < corrector_phases; ++phase) {
    sums.iterations[phase] += earlier.iterations[phase];
    sums.solutions_in_phase[phase] += earlier.solutions_in_phase[phase];
  }
  for (const auto count :
       {&CorrectorStatistics::refresh_cycles, &CorrectorStatistics::solutions, &CorrectorStatistics::phase_changes,
        &CorrectorStatistics::postponed_refreshes, &CorrectorStatistics::krylov_steps,
        &CorrectorStatistics::krylov_function_calls, &CorrectorStatistics::low_rank_updates,
        &CorrectorStatistics::threaded_factorizations, &CorrectorStatistics::plain_cycles})
    sums.*count += earlier.*count;
  for (const auto sum : {&CorrectorStatistics::work, &CorrectorStatistics::evaluation_seconds,
                         &CorrectorStatistics::factorization_seconds, &CorrectorStatistics::substitution_seconds,
                         &CorrectorStatistics::krylov_seconds})
    sums.*sum += earlier.*sum;
  return sums;
}

std::string CorrectorOptions::why_invalid() const {
  if (!(drop_tolerance >= 0 && drop_tolerance < 1))
    return concat("drop_tolerance is ", drop_tolerance,
                  "; expected a number in [0, 1): entries below this part of the largest of their row are dropped.");
  if (krylov_steps < 1) return concat("krylov_steps is ", krylov_steps, "; expected at least 1.");
  if (broyden_rank < 1 || broyden_rank > LowRankUpdates::largest_rank)
    return concat("broyden_rank is ", broyden_rank, "; expected 1 to ", LowRankUpdates::largest_rank, ".");
  if (!(broyden_damping > 0 && broyden_damping <= 1))
    return concat("broyden_damping is ", broyden_damping, "; expected above 0 and up to 1.");
  if (phases == CyclePhases{false, false, false})
    return "phases has none of the cycle's three phases; leave one at least on.";
  if (factor_delay < 0) return concat("factor_delay is ", factor_delay, "; expected >= 0.");
  if (factor_delay > 0 && method == CorrectorMethod::newton)
    return "factor_delay lets old factors serve on, and corrector 'newton' takes new ones at every iterate; leave it "
           "0, or take another corrector.";
  if (!schedule.empty() && method != CorrectorMethod::cycle)
    return concat("a schedule is given for corrector '", name_of(method), "', and only 'cycle' follows one.");
  return schedule.why_invalid();
}

bool CorrectorOptions::drops() const {
  if (method == CorrectorMethod::dropped_lu) return drop_tolerance > 0;
  if (method != CorrectorMethod::cycle) return false;
  if (schedule.empty()) return phases.dropped_lu && (adapts || drop_tolerance > 0);
  return std::any_of(schedule.intervals.begin(), schedule.intervals.end(),
                     [](const auto& interval) { return interval.phases.dropped_lu && interval.drop_tolerance > 0; });
}

std::unique_ptr<Corrector> make_corrector(ResidualFunction& system, const StateLayout& layout,
                                          const CorrectorOptions& options, const JacobianOptions& jacobian,
                                          IterationSolver solver) {
  if (const std::string why = options.why_invalid(); !why.empty()) throw ModelError(concat("CorrectorOptions: ", why));
  const CorrectorSchedule& schedule = options.schedule;
  if (!schedule.empty() && schedule.system != system_identity(system, layout.end))
    throw ModelError(concat("the corrector's schedule is that of '", schedule.model, "' with ", schedule.system,
                            ", and this system has ", system_identity(system, layout.end),
                            "; it is another model, formulation or set of parameters: analyse this one anew."));
  switch (options.method) {
    case CorrectorMethod::newton:
      return std::make_unique<ExactNewton>(system, layout, jacobian, solver, options);
    case CorrectorMethod::dropped_lu:
      return std::make_unique<DroppedLuNewton>(system, layout, jacobian, solver, options);
    case CorrectorMethod::krylov:
      return std::make_unique<KrylovNewton>(system, layout, jacobian, solver, options);
    case CorrectorMethod::broyden:
      return std::make_unique<BroydenNewton>(system, layout, jacobian, solver, options);
    case CorrectorMethod::cycle:
      return std::make_unique<CycleNewton>(system, layout, jacobian, solver, options);
    case CorrectorMethod::simplified:
      break;
  }
  return std::make_unique<SimplifiedNewton>(system, layout, jacobian, solver, options);
}

}  // namespace linkwork
