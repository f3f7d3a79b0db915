#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace linkwork {

/// How a corrector solves: the phases of a refresh cycle in their order (DASSL+ 4.1), and what stands beside them.
enum class CorrectorPhase {
  dropped_lu,  ///< with factors of which small entries are dropped
  simplified,  ///< with the factors as they are
  krylov,      ///< by a few steps of GMRES, which the factors precondition
  newton,      ///< with a matrix of this iterate
  broyden      ///< with the factors and updates of low rank
};
inline constexpr std::size_t corrector_phases = 5;

/// What a corrector did since it was made. Work is counted in multiply-adds of the linear algebra: an evaluation of F
/// counts as many as CorrectorCosts says, so that no decision depends on a clock.
struct CorrectorStatistics {
  std::int64_t refresh_cycles = 0;  ///< matrices that were factored
  std::int64_t solutions = 0;       ///< of the equations of a step, begun with a prediction
  /// By CorrectorPhase: corrections, and the solutions that ended in it.
  std::array<std::int64_t, corrector_phases> iterations{}, solutions_in_phase{};
  std::int64_t phase_changes = 0;        ///< to a phase that contracts better, with the factors as they are
  std::int64_t postponed_refreshes = 0;  ///< changes of the leading coefficient that the old factors have borne
  std::int64_t krylov_steps = 0;
  std::int64_t krylov_function_calls = 0;  ///< of F along a direction; among those for Jacobians too
  std::int64_t low_rank_updates = 0;
  std::int64_t threaded_factorizations = 0;  ///< on the second thread
  std::int64_t plain_cycles = 0;     ///< those that a controller ran as simplified Newton alone, as it pays no more
  std::int64_t factor_entries = 0;   ///< of L and U, of the last matrix
  std::int64_t dropped_entries = 0;  ///< of them, left out of substitutions
  double factor_operations = 0;      ///< multiply-adds of one factorisation, of the last matrix
  double work = 0;                   ///< [multiply-adds] of evaluations, factorisations, substitutions, Krylov steps
  double drop_tolerance = 0;         ///< of the last cycle
  // Times [s], where they are measured; they decide about nothing.
  double evaluation_seconds = 0, factorization_seconds = 0, substitution_seconds = 0, krylov_seconds = 0;
};

/// Of two systems of one run, one after the other: sums, and of what is about the last matrix the later one's.
CorrectorStatistics operator+(const CorrectorStatistics& earlier, const CorrectorStatistics& later);

}  // namespace linkwork
