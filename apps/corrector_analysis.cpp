#include "corrector_analysis.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/dae/motion_residual.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

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

// A setting that has cost so many times the work of the whole plain run is given up: some creep.
constexpr double dearest_trial = 3;

double sum_of(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

/// Runs a model by one way to correct after the other, and counts their work by interval.
class Trials {
 public:
  Trials(const std::function<void(const CorrectorOptions&)>& run, double t_end, int intervals)
      : run_(run), t_end_(t_end), intervals_(intervals) {}

  /// The first one is plain; where others stop, or cost many times as much, their work is infinite.
  std::vector<double> work_of(CorrectorOptions options) {
    std::vector<double> work(static_cast<std::size_t>(intervals_), 0.0);
    double whole = 0;
    options.observe = [&](const CorrectorRecord& record) {
      const int part = static_cast<int>(intervals_ * record.solution.t / t_end_);
      work[static_cast<std::size_t>(std::clamp(part, 0, intervals_ - 1))] += record.work;
      whole += record.work;
      if (plain_ > 0 && whole > dearest_trial * plain_)
        throw RunError("this setting of the corrector costs too much to be tried to its end", record.solution.t);
    };
    try {
      run_(options);
    } catch (const RunError&) {
      if (!(plain_ > 0)) throw;
      std::fill(work.begin(), work.end(), std::numeric_limits<double>::infinity());
    }
    if (!(plain_ > 0)) plain_ = whole;
    return work;
  }

 private:
  const std::function<void(const CorrectorOptions&)>& run_;
  double t_end_;
  int intervals_;
  double plain_ = 0;  // work of the first one
};

CorrectorOptions with_setting(CorrectorOptions options, const CorrectorSchedule::Interval& setting) {
  options.phases = setting.phases;
  options.drop_tolerance = setting.drop_tolerance;
  options.krylov_steps = setting.krylov_steps;
  return options;
}

/// For each interval the best of the trials, where it is better than what the interval before has.
std::vector<CorrectorSchedule::Interval> best_by_interval(const std::vector<CorrectorTrial>& trials, double t_end,
                                                          int intervals) {
  std::vector<CorrectorSchedule::Interval> out;
  const CorrectorTrial* last = &trials.front();
  for (std::size_t part = 0; part < static_cast<std::size_t>(intervals); ++part) {
    const auto best =
        std::min_element(trials.begin(), trials.end(),
                         [&](const CorrectorTrial& a, const CorrectorTrial& b) { return a.work[part] < b.work[part]; });
    const bool changes = best->work[part] < (1 - least_gain_of_change) * last->work[part];
    if (changes) last = &*best;
    if (!changes && part > 0) continue;
    out.push_back(last->setting);
    out.back().from = t_end * static_cast<double>(part) / intervals;
  }
  return out;
}

}  // namespace

CorrectorAnalysis analyse_corrector(const std::function<void(const CorrectorOptions&)>& run,
                                    const CorrectorOptions& base, const std::string& model, const std::string& system,
                                    double t_end, int intervals) {
  CorrectorAnalysis analysis{{.model = model, .system = system, .intervals = {}, .costs = base.costs}, {}};
  CorrectorOptions options = base;
  options.method = CorrectorMethod::cycle;
  options.adapts = false;
  options.schedule = {};
  Trials trials(run, t_end, intervals);
  for (const CorrectorSchedule::Interval& setting : candidate_settings())
    analysis.trials.push_back({setting, trials.work_of(with_setting(options, setting))});
  analysis.schedule.intervals = best_by_interval(analysis.trials, t_end, intervals);

  // What was best in an interval of its own run need not be so after another one.
  const auto best = std::min_element(analysis.trials.begin(), analysis.trials.end(),
                                     [](const auto& a, const auto& b) { return sum_of(a.work) < sum_of(b.work); });
  options.schedule = analysis.schedule;
  if (sum_of(trials.work_of(options)) > sum_of(best->work)) analysis.schedule.intervals = {best->setting};
  return analysis;
}

std::string corrector_system(Simulation simulation) {
  const MotionResidual residual(simulation.equations(), MotionResidual::Options{});
  return system_identity(residual, residual.layout().end);
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
