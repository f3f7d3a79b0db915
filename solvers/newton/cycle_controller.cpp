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
// A Krylov phase halves the number of refreshes at best, and its steps cost evaluations: by the estimates of DASSL+ it
// pays from 0.48 to 0.75 on (4.4), so that trials where less than this share of the work is at stake are in vain.
constexpr double least_share_to_try = 0.3;

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

/// @param given  one of the values, or beyond the last
SettingSearch search_from(std::vector<double> values, double given) {
  const auto found = std::find(values.begin(), values.end(), given);
  const auto place = static_cast<std::size_t>(std::min(found, values.end() - 1) - values.begin());
  return SettingSearch(std::move(values), place);
}

}  // namespace

SettingSearch::SettingSearch(std::vector<double> values, std::size_t given)
    : values_(std::move(values)), costs_(values_.size()), given_(given) {}

void SettingSearch::note(double work, double open_to_gains, std::int64_t solutions) {
  Cost& cost = costs_[trial_];
  cost.work = remembered_share * cost.work + work;
  cost.open_to_gains = remembered_share * cost.open_to_gains + open_to_gains;
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
  const Cost& now = costs_[best_];
  const bool can_try = !is_on_trial() && values_.size() > 1 && now.solutions >= solutions_of_trial;
  const bool is_promising = best_ > 0 || now.open_to_gains >= least_share_to_try * now.work;
  return can_try && is_promising ? cycles_ - wait_ : -1;
}

/// The next kind of setting that there is beside the best one.
void SettingSearch::begin_trial() {
  const std::size_t settings[kinds_of_trial] = {0, best_ == 0 ? 0 : best_ - 1, std::min(best_ + 1, values_.size() - 1),
                                                given_};
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

CycleController::CycleController(const CyclePhases& phases, double drop_tolerance, int steps, int most_krylov_steps)
    : phases_(phases),
      tolerances_(search_from(drop_tolerances(phases.dropped_lu, drop_tolerance), drop_tolerance)),
      steps_(search_from(krylov_step_counts(phases.krylov, most_krylov_steps), steps)) {}

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
void CycleController::end_cycle(const CycleWork& work, std::int64_t solutions) {
  if (solutions == 0) return;
  const auto note_tolerance = [&] { tolerances_.note(work.whole, work.substitutions, solutions); };
  const auto note_steps = [&] { steps_.note(work.whole, work.refreshes, solutions); };
  if (tolerances_.is_on_trial()) return note_tolerance();
  if (steps_.is_on_trial()) return note_steps();
  note_tolerance();
  note_steps();
  SettingSearch& next = tolerances_.overdue() > steps_.overdue() ? tolerances_ : steps_;
  if (next.overdue() >= 0) next.begin_trial();
}

}  // namespace linkwork
