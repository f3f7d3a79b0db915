#pragma once

#include "reproduce/newton_study.hpp"

#include <vector>

// How DASSL+ (chapter 4) reckons what a refresh cycle of several phases gains. Its unit of time is the mean length of a
// cycle of simplified Newton, its unit of effort what the iterations of such a cycle take, so that those have the
// rate 1.

namespace linkwork::apps {

/// Of one cycle, or the mean of some.
struct CycleGains {
  double phases_12 = 1;  ///< how much faster the first two phases are than simplified Newton alone
  double length = 1;     ///< of all three phases
  double phase_3 = 1;    ///< how much faster the third one is; below 1: slower

  double effort_of_phases_12() const { return 1 / phases_12; }
  double added_length() const { return length - 1; }
  double effort_of_phase_3() const { return added_length() / phase_3; }
};

/// Simulated time by effort of the three phases (DASSL+ 4.4). @param factorization  effort of one
double rate_of_three_phases(const CycleGains& gains, double factorization = 0);

/// The share of factorisations in the effort of simplified Newton from which on three phases are faster than one.
double share_for_three_phases(const CycleGains& gains);
/// And from which on they are faster than the first two.
double share_for_phase_3(const CycleGains& gains);

/// What the thesis would say of one refresh cycle of a study. An effort is that of the iterations that the worst
/// observed case (4.3) gives, a step of GMRES counting as much as a substitution.
struct CycleEstimate {
  std::size_t first = 0, end = 0;               ///< its solutions, and the one behind
  double limit = 0;                             ///< spectral radius of the last one, which no phase may exceed
  double length = 0;                            ///< [s]
  double effort = 0;                            ///< iterations
  double dropped_length = 0;                    ///< of the first phase [s]
  double effort_12 = 0;                         ///< of the first two phases
  double krylov_length = 0, krylov_effort = 0;  ///< of the third one, as far as the next cycle went in the study
  std::size_t krylov_end = 0;                   ///< behind its last solution
};

/// The complete cycles of a study, from the second one on, as the first is that of the start.
/// @param tolerance  which of the study's drop tolerances
std::vector<CycleEstimate> estimate_cycles(const NewtonStudy& study, std::size_t tolerance = 0);
/// Sums over cycles, each by its length and effort.
CycleGains mean_gains(const std::vector<CycleEstimate>& cycles);

/// Iterations that a method of this spectral radius would take in the worst observed case (4.3); one at least.
double estimated_iterations(const NewtonStudy& study, double radius);

/// Effort of the iterations of a run [multiply-adds], without its factorisations.
/// @param run  whose evaluations count nothing: costs.evaluation = 0
double iteration_effort(const CorrectorRun& run);
/// Evaluations of F at CorrectorCosts().evaluation for each unknown, and all else.
double whole_work(const CorrectorRun& run);

/// What solutions that ended in a phase took in a run.
struct PhaseEffort {
  double length = 0, effort = 0;  ///< [s], [multiply-adds]
};
PhaseEffort effort_in(const CorrectorRun& run, CorrectorPhase phase);

/// The same gains measured.
/// @param plain, two, three  runs of one case by simplified Newton, the first two phases and all three
CycleGains measured_gains(const CorrectorRun& plain, const CorrectorRun& two, const CorrectorRun& three);

}  // namespace linkwork::apps
