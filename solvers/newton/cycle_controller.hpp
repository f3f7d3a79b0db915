#pragma once

// Internal.

#include <linkwork/solvers/newton/corrector_options.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace linkwork {

/// What a refresh cycle does.
struct CycleSettings {
  CyclePhases phases;
  double drop_tolerance = 0;
  int krylov_steps = 1;
};

/// Work of a refresh cycle [multiply-adds].
struct CycleWork {
  double whole = 0;
  double refreshes = 0, substitutions = 0;  ///< of it: what Krylov steps, and what dropped entries can save at most

  friend CycleWork operator-(const CycleWork& a, const CycleWork& b) {
    return {a.whole - b.whole, a.refreshes - b.refreshes, a.substitutions - b.substitutions};
  }
};

/// Looks for the best of some settings in an order in which costs fall and then rise (DASSL+ 4.3.1 takes the gain for
/// unimodal in the drop tolerance): a neighbour of the best one, the plainest one or the given one is tried for some
/// cycles, and taken where they cost less for each solution. Trials in vain are repeated after twice as many cycles
/// each time, so that they cost little in the long run; what a setting has cost long ago is forgotten, as models change
/// on the way. Where the plainest setting is the best one, nothing is tried that could save but a small share of the
/// work even if it were for nothing: a run is too short to earn such trials back.
class SettingSearch {
 public:
  /// @param values  one at least; begins with the first one, the plainest
  /// @param given  number of one that the user takes for good
  SettingSearch(std::vector<double> values, std::size_t given);

  double value() const { return values_[trial_]; }
  bool is_on_trial() const { return trial_ != best_; }
  /// Cycles that the next trial is overdue; below 0: it is not time for one yet, or there is nothing to try.
  int overdue() const;
  void begin_trial();
  /// The present setting does not even converge.
  void abandon();
  /// What a cycle with value() has cost, for so many solutions that have converged.
  /// @param open_to_gains  the part of the work that another setting could save at most
  void note(double work, double open_to_gains, std::int64_t solutions);
  /// Of the best one, for each solution; 0: not known yet.
  double usual_work() const { return costs_[best_].mean(); }

 private:
  struct Cost {
    double work = 0, open_to_gains = 0, solutions = 0;
    double mean() const { return solutions > 0 ? work / solutions : 0; }
  };
  // The plainest setting, the plainer neighbour, the other neighbour, the given one.
  static constexpr int kinds_of_trial = 4;

  std::vector<double> values_;
  std::vector<Cost> costs_;
  std::size_t given_, best_ = 0, trial_ = 0;
  int kind_ = kinds_of_trial - 1;  // of the last trial
  int cycles_ = 0;                 // of this trial, or since the last one
  int wait_ = 1;                   // cycles until the next one
};

/// Chooses what the refresh cycles of a run do, by their simulation rate (DASSL+, definition 2.3): time over effort,
/// where time is counted in steps, whose sizes the error control chooses whatever the corrector is, and effort in
/// multiply-adds. Two searches, of which one tries something at a time: drop tolerance, 0 being no such phase, and
/// Krylov steps, 0 being none.
class CycleController {
 public:
  /// @param phases  those that may be used
  /// @param drop_tolerance, krylov_steps  given ones; other powers of ten and numbers are tried too
  CycleController(const CyclePhases& phases, double drop_tolerance, int krylov_steps, int most_krylov_steps);

  CycleSettings settings() const;
  /// Neither phase beside the simplified one pays at present.
  bool is_plain() const { return tolerances_.value() == 0 && steps_.value() == 0; }
  void end_cycle(const CycleWork& work, std::int64_t solutions);
  /// A solution has not converged: plain for now.
  void abandon();
  /// Of the best settings, for each solution, refreshes included; 0: not known yet.
  double usual_work() const { return steps_.usual_work(); }

 private:
  CyclePhases phases_;
  SettingSearch tolerances_, steps_;
};

}  // namespace linkwork
