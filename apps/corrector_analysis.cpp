#include "corrector_analysis.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace linkwork::apps {
namespace {

// A setting that gains less than this share over the one of the interval before is noise, and changes nothing.
constexpr double least_gain_of_change = 0.01;

std::vector<CorrectorSchedule::Interval> candidate_settings() {
  const CyclePhases plain{false, true, false}, with_dropped{true, true, false}, with_krylov{false, true, true};
  return {{.phases = plain},
          {.phases = with_dropped, .drop_tolerance = 1e-6},
          {.phases = with_dropped, .drop_tolerance = 1e-4},
          {.phases = with_dropped, .drop_tolerance = 1e-2},
          {.phases = with_krylov, .krylov_steps = 1},
          {.phases = with_krylov, .krylov_steps = 2},
          {.phases = {true, true, true}, .drop_tolerance = 1e-4, .krylov_steps = 1},
          {.phases = {true, true, true}, .drop_tolerance = 1e-4, .krylov_steps = 2}};
}

/// Settings by which the run stops are worth nothing, but for the plain one, which the others are compared with.
CorrectorTrial try_setting(const std::function<void(const CorrectorOptions&)>& run, CorrectorOptions options,
                           const CorrectorSchedule::Interval& setting, double t_end, int intervals) {
  CorrectorTrial trial{setting, std::vector<double>(static_cast<std::size_t>(intervals), 0.0)};
  options.method = CorrectorMethod::cycle;
  options.adapts = false;
  options.schedule = {};
  options.phases = setting.phases;
  options.drop_tolerance = setting.drop_tolerance;
  options.krylov_steps = setting.krylov_steps;
  options.observe = [&](const CorrectorRecord& record) {
    const int part = static_cast<int>(intervals * record.solution.t / t_end);
    trial.work[static_cast<std::size_t>(std::clamp(part, 0, intervals - 1))] += record.work;
  };
  const bool is_plain = !setting.phases.dropped_lu && !setting.phases.krylov;
  try {
    run(options);
  } catch (const RunError&) {
    if (is_plain) throw;
    std::fill(trial.work.begin(), trial.work.end(), std::numeric_limits<double>::infinity());
  }
  return trial;
}

}  // namespace

CorrectorAnalysis analyse_corrector(const std::function<void(const CorrectorOptions&)>& run,
                                    const CorrectorOptions& base, const std::string& model, const std::string& system,
                                    double t_end, int intervals) {
  CorrectorAnalysis analysis{{.model = model, .system = system, .intervals = {}, .costs = base.costs}, {}};
  for (const CorrectorSchedule::Interval& setting : candidate_settings())
    analysis.trials.push_back(try_setting(run, base, setting, t_end, intervals));
  const CorrectorTrial* last = &analysis.trials.front();
  for (std::size_t part = 0; part < static_cast<std::size_t>(intervals); ++part) {
    const auto best =
        std::min_element(analysis.trials.begin(), analysis.trials.end(),
                         [&](const CorrectorTrial& a, const CorrectorTrial& b) { return a.work[part] < b.work[part]; });
    const bool changes = best->work[part] < (1 - least_gain_of_change) * last->work[part];
    if (changes) last = &*best;
    if (!changes && part > 0) continue;
    analysis.schedule.intervals.push_back(last->setting);
    analysis.schedule.intervals.back().from = t_end * static_cast<double>(part) / intervals;
  }
  return analysis;
}

std::string text_of(const CorrectorSchedule::Interval& setting) {
  std::string text;
  const auto add = [&](const std::string& phase) { text += (text.empty() ? "" : ", ") + phase; };
  if (setting.phases.dropped_lu) add(concat("dropped-lu ", setting.drop_tolerance));
  if (setting.phases.simplified) add("simplified");
  if (setting.phases.krylov) add(concat("krylov ", setting.krylov_steps));
  return text;
}

}  // namespace linkwork::apps
