#pragma once

#include <linkwork/solvers/newton/corrector_options.hpp>
#include <linkwork/solvers/simulation/simulation.hpp>

#include <functional>
#include <string>
#include <vector>

namespace linkwork::apps {

/// What a run by one setting of the cycle has cost.
struct CorrectorTrial {
  CorrectorSchedule::Interval setting;
  std::vector<double> work;  ///< [multiply-adds] by interval
};

struct CorrectorAnalysis {
  CorrectorSchedule schedule;
  std::vector<CorrectorTrial> trials;  ///< the first one is plain simplified Newton
};

/// Runs a model by one setting of the cycle after the other, in `intervals` equal parts of its time, and takes for each
/// part the setting with the least counted work (DASSL+ 4.3.2, with what settings cost in place of estimates). Where a
/// run by these costs more than one by a single setting, it takes that for all the time: a schedule is never dearer
/// than plain simplified Newton.
/// @param run   runs the whole model with these options of its corrector
/// @param base  the user's; their method and settings are replaced
/// @param system  see corrector_system
CorrectorAnalysis analyse_corrector(const std::function<void(const CorrectorOptions&)>& run,
                                    const CorrectorOptions& base, const std::string& model, const std::string& system,
                                    double t_end, int intervals = 8);

/// What `system` is for the runs of a simulation by bdf.
std::string corrector_system(Simulation simulation);

/// "dropped-lu 1e-4, simplified, krylov 2"
std::string text_of(const CorrectorSchedule::Interval& setting);

}  // namespace linkwork::apps
