#include <linkwork/solvers/newton/cycle_controller.hpp>

#include <algorithm>
#include <utility>

namespace linkwork {

namespace {

constexpr double remembered_share = 0.9;   // of what is known of a setting, with each further cycle of it
constexpr int cycles_of_trial = 3;         // so many tell a setting from its neighbour
constexpr double solutions_of_trial = 12;  // and so many solutions in them
constexpr int longest_wait = 128;          // in cycles: trials then take no more than some percent of them
constexpr double paying_ratio = 0.99;      // a setting that costs more than this of the best one is none that pays

std::vector<double> drop_tolerances(bool is_used, double given) {
  if (!is_used) return {0};
  std::vector<double> values = {0, 1e-12, 1e-10, 1e-8, 1e-6, 1e-4, 1e-2};
  if (std::find(values.begin(), values.end(), given) == values.end()) values.push_back(given);
  std::sort(values.begin(), values.end());
  return values;
}

std::vector<double> krylov_step_counts(bool is_used, int most) {
  std::vector<double> values = {0};
  for (int n = 1; is_used && n <= most; ++n) values.push_back(n);
  return values;
}

}  // namespace

SettingSearch::SettingSearch(std::vector<double> values) : values_(std::move(values)), costs_(values_.size()) {}

void SettingSearch::note(double work, std::int64_t solutions) {
  Cost& cost = costs_[trial_];
  cost.work = remembered_share * cost.work + work;
  cost.solutions = remembered_share * cost.solutions + static_cast<double>(solutions);
  ++cycles_;
  if (!is_on_trial() || cycles_ < cycles_of_trial || cost.solutions < solutions_of_trial) return;
  cycles_ = 0;
  if (cost.mean() < paying_ratio * costs_[best_].mean()) {
    best_ = trial_;
    wait_ = 1;
    kind_ = (kind_ + kinds_of_trial - 1) % kinds_of_trial;  // on the same way
  } else {
    trial_ = best_;
    wait_ = std::min(2 * wait_, longest_wait);
  }
}

int SettingSearch::overdue() const {
  const bool can_try = !is_on_trial() && values_.size() > 1 && costs_[best_].solutions >= solutions_of_trial;
  return can_try ? cycles_ - wait_ : -1;
}

/// The next kind of setting that there is beside the best one.
void SettingSearch::begin_trial() {
  const std::size_t settings[kinds_of_trial] = {0, best_ == 0 ? 0 : best_ - 1, std::min(best_ + 1, values_.size() - 1)};
  do {
    kind_ = (kind_ + 1) % kinds_of_trial;
    trial_ = settings[kind_];
  } while (trial_ == best_);
  costs_[trial_] = {};
  cycles_ = 0;
}

void SettingSearch::abandon() {
  if (!is_on_trial()) best_ = 0;
  trial_ = best_;
  cycles_ = 0;
  wait_ = std::min(2 * wait_, longest_wait);
}

CycleController::CycleController(const CyclePhases& phases, double drop_tolerance, int most_krylov_steps)
    : phases_(phases),
      tolerances_(drop_tolerances(phases.dropped_lu, drop_tolerance)),
      steps_(krylov_step_counts(phases.krylov, most_krylov_steps)) {}

CycleSettings CycleController::settings() const {
  CycleSettings settings{phases_, tolerances_.value(), std::max(static_cast<int>(steps_.value()), 1)};
  if (phases_.simplified || phases_.krylov) settings.phases.dropped_lu = tolerances_.value() > 0;
  if (settings.phases.simplified || settings.phases.dropped_lu) settings.phases.krylov = steps_.value() > 0;
  return settings;
}

void CycleController::abandon() {
  if (tolerances_.value() > 0) tolerances_.abandon();
  if (steps_.value() > 0) steps_.abandon();
}

/// What a trial costs is no news about the setting of the other search.
void CycleController::end_cycle(double work, std::int64_t solutions) {
  if (solutions == 0) return;
  if (tolerances_.is_on_trial()) return tolerances_.note(work, solutions);
  if (steps_.is_on_trial()) return steps_.note(work, solutions);
  tolerances_.note(work, solutions);
  steps_.note(work, solutions);
  SettingSearch& next = tolerances_.overdue() > steps_.overdue() ? tolerances_ : steps_;
  if (next.overdue() >= 0) next.begin_trial();
}

}  // namespace linkwork
