// The tables and figures of DASSL+: how gains of refresh cycles are reckoned, and a short form of each figure.

#include "reproduce/dassl.hpp"
#include "corrector_runs.hpp"

#include "reproduce/cycle_gains.hpp"
#include "reproduce/whole_runs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace linkwork::apps {
namespace dassl_test {

// -------------------------------------------------------------------------------------------------------- gains

// The thesis prints total gains of 0.92 and 1.95, which do not follow from its own (4.4).
TEST(CycleGains, OfTheThesisByItsOwnFormula) {
  const CycleGains atv{1.54, 1.97, 0.28}, gimbal{3.51, 1.98, 0.38};
  EXPECT_NEAR(rate_of_three_phases(atv), 0.48, 0.005);
  EXPECT_NEAR(rate_of_three_phases(gimbal), 0.69, 0.005);
  EXPECT_NEAR(share_for_phase_3(atv), 0.75, 0.006);
  EXPECT_NEAR(share_for_phase_3(gimbal), 0.70, 0.006);
  // At its share, three phases are as fast as one.
  for (const CycleGains& gains : {atv, gimbal}) {
    const double share = share_for_three_phases(gains), factorization = share / (1 - share);
    EXPECT_NEAR(rate_of_three_phases(gains, factorization), 1 / (1 + factorization), 1e-12);
  }
}

StudiedSolution solution(std::int64_t cycle, int iterations, double radius, double dropped, double krylov_before) {
  StudiedSolution out;
  out.record = {
      .solution = {.h = 1, .iterations = iterations, .converged = true}, .cycle = cycle, .spectral_radius = radius};
  out.dropped = {dropped};
  out.kept = {0.5};
  out.krylov_of_last_cycle = krylov_before;
  return out;
}

// Three cycles of which the middle one is complete and not the start's: its first two solutions can be made with
// dropped factors, and the Krylov phase lasts for one more.
TEST(CycleGains, AreEstimatedByTheWorstObservedCase) {
  NewtonStudy study;
  study.solutions = {solution(1, 2, 0.1, 0.1, -1),  solution(2, 1, 0.05, 0.1, -1),  solution(2, 2, 0.2, 0.4, -1),
                     solution(2, 3, 0.5, 0.9, -1),  solution(3, 1, 0.05, 0.1, 0.3), solution(3, 2, 0.2, 0.3, 0.8),
                     solution(4, 2, 0.05, 0.1, 0.2)};
  const std::vector<CycleEstimate> cycles = estimate_cycles(study);
  ASSERT_EQ(cycles.size(), 2);
  const CycleEstimate& cycle = cycles[0];
  EXPECT_EQ(cycle.first, 1);
  EXPECT_EQ(cycle.end, 4);
  EXPECT_EQ(cycle.limit, 0.5);
  EXPECT_EQ(cycle.length, 3);
  EXPECT_EQ(cycle.effort, 6);
  EXPECT_EQ(cycle.dropped_length, 2);
  EXPECT_EQ(cycle.effort_12, 6 - 1 - 2 + 0.5 * (2 + 2));  // 2 iterations were the most at 0.1 and at 0.4
  EXPECT_EQ(cycle.krylov_length, 1);
  EXPECT_EQ(cycle.krylov_effort, 2 * 2);
  EXPECT_EQ(cycle.krylov_end, 5);
  const CycleGains gains = mean_gains({cycle});
  EXPECT_DOUBLE_EQ(gains.phases_12, 6.0 / 5);
  EXPECT_DOUBLE_EQ(gains.length, 4.0 / 3);
  EXPECT_DOUBLE_EQ(gains.phase_3, (1.0 / 3) / (4.0 / 6));
}

// ------------------------------------------------------------------------------------------------------ figures

/// Comma-separated values by column.
class Values {
 public:
  explicit Values(const std::string& text) {
    std::istringstream lines(text);
    std::string line;
    std::getline(lines, line);
    names_ = fields(line);
    while (std::getline(lines, line)) {
      rows_.push_back(fields(line));
      EXPECT_EQ(rows_.back().size(), names_.size()) << line;
    }
  }
  std::size_t count() const { return rows_.size(); }
  const std::string& text(std::size_t row, const std::string& column) const {
    const auto found = std::find(names_.begin(), names_.end(), column);
    EXPECT_NE(found, names_.end()) << column;
    return rows_[row].at(static_cast<std::size_t>(found - names_.begin()));
  }
  double number(std::size_t row, const std::string& column) const {
    const std::string& field = text(row, column);
    return field.empty() ? std::nan("") : std::stod(field);
  }
  /// The rows whose columns have these values.
  std::vector<std::size_t> where(const std::map<std::string, std::string>& values) const {
    std::vector<std::size_t> out;
    for (std::size_t row = 0; row < count(); ++row)
      if (std::all_of(values.begin(), values.end(),
                      [&](const auto& each) { return text(row, each.first) == each.second; }))
        out.push_back(row);
    return out;
  }
  std::size_t distinct(const std::vector<std::size_t>& rows, const std::string& column) const {
    std::set<std::string> values;
    for (const std::size_t row : rows) values.insert(text(row, column));
    return values.size();
  }

 private:
  static std::vector<std::string> fields(const std::string& line) {
    std::vector<std::string> out;
    std::istringstream rest(line + ',');
    for (std::string field; std::getline(rest, field, ',');) out.push_back(field);
    return out;
  }
  std::vector<std::string> names_;
  std::vector<std::vector<std::string>> rows_;
};

std::vector<NewtonCase> short_cases() {
  std::vector<NewtonCase> cases = dassl_cases();
  for (NewtonCase& each : cases) {
    each.solutions = each.krylov_solutions = 4;
    each.t_end = 0.001;
  }
  return cases;
}

/// The gimbal for some cycles.
std::vector<NewtonCase> toy() {
  NewtonCase gimbal = dassl_cases().front();
  gimbal.solutions = gimbal.krylov_solutions = 80;
  gimbal.t_end = 0.3;
  return {gimbal};
}

Values figure(const std::string& name, const std::vector<NewtonCase>& cases) {
  for (const DasslFigure& each : dassl_figures())
    if (each.name == name) {
      std::ostringstream out;
      each.write(out, cases);
      return Values(out.str());
    }
  ADD_FAILURE() << name;
  return Values("");
}

TEST(DasslFigures, AreThoseOfTheThesis) {
  std::set<std::string> names;
  for (const DasslFigure& each : dassl_figures()) names.insert(each.name);
  for (const char* name : {"4.1", "5.1", "figure-3.1", "figure-3.3", "figure-3.6", "figure-3.7", "figure-3.8",
                           "figure-4.4", "figure-4.5", "figure-4.6", "figure-4.7", "figure-4.8", "figure-4.9",
                           "figure-4.10", "figure-4.11", "figure-5.1", "figure-5.2", "figure-5.3", "figure-6.1"})
    EXPECT_TRUE(names.count(std::string("dassl-") + name)) << name;
}

// Positions are eliminated: 7 of each body, and all but those rows and columns are left.
TEST(DasslFigures, PatternsLoseTheRowsOfPositions) {
  const std::map<std::string, std::size_t> positions = {{"gimbal", 3 * 7}, {"atv", 33 * 7}, {"sprocket_chain", 54 * 7}};
  // Multiply-adds of a factorisation without by those with it, as solvers/README.md has them: the chain's order is
  // lost.
  const std::map<std::string, double> gains = {{"gimbal", 0.65}, {"atv", 1.4}, {"sprocket_chain", 0.015}};
  const Values patterns = figure("dassl-figure-5.1", short_cases()), table = figure("dassl-5.1", short_cases()),
               jacobians = figure("dassl-figure-3.1", short_cases());
  for (const auto& [model, lost] : positions) {
    SCOPED_TRACE(model);
    const auto whole = patterns.where({{"model", model}, {"matrix", "original"}}),
               reduced = patterns.where({{"model", model}, {"matrix", "reduced"}});
    EXPECT_EQ(patterns.distinct(reduced, "row"), patterns.distinct(whole, "row") - lost);
    EXPECT_EQ(patterns.distinct(reduced, "column"), patterns.distinct(whole, "column") - lost);
    EXPECT_EQ(jacobians.where({{"model", model}}).size(), whole.size());
    const auto of_table = [&](const char* source, const char* matrix, const char* column) {
      return table.number(table.where({{"model", model}, {"source", source}, {"matrix", matrix}}).at(0), column);
    };
    EXPECT_EQ(of_table("measured", "original", "nonzeros"), whole.size());
    EXPECT_EQ(of_table("measured", "reduced", "nonzeros"), reduced.size());
    const double gain =
        of_table("measured", "original", "factor_operations") / of_table("measured", "reduced", "factor_operations");
    EXPECT_NEAR(gain, gains.at(model), 0.4 * gains.at(model));  // pivots are chosen by size, at another time
    EXPECT_LT(of_table("thesis", "original", "equations"), of_table("measured", "original", "equations"));
  }
}

TEST(DasslFigures, FactorsAreTrianglesAndLoseSmallEntries) {
  const Values places = figure("dassl-figure-3.3", short_cases());
  for (const char* model : {"gimbal", "atv", "sprocket_chain"}) {
    const std::size_t kept = places.where({{"model", model}, {"is_kept", "1"}}).size();
    EXPECT_GT(kept, 0);
    EXPECT_LT(kept, places.where({{"model", model}}).size()) << model;
  }
  for (std::size_t row = 0; row < places.count(); ++row)
    EXPECT_EQ(places.text(row, "factor") == "L", places.number(row, "row") > places.number(row, "column"));
}

// A matrix of the present step contracts by next to nothing, whatever is made of it; an older one by its radius.
TEST(DasslFigures, RadiiBeginSmallInEachCycle) {
  const Values radii = figure("dassl-figure-3.6", toy()), dropped = figure("dassl-figure-3.7", toy()),
               krylov = figure("dassl-figure-3.8", toy()), beyond = figure("dassl-figure-4.10", toy());
  ASSERT_GE(radii.count(), 80);
  EXPECT_EQ(dropped.count(), 3 * radii.count());
  int begins = 0;
  double largest_of_begins = 0, largest = 0;
  for (std::size_t i = 1; i < radii.count(); ++i) {
    const double radius = radii.number(i, "spectral_radius");
    largest = std::max(largest, radius);
    EXPECT_NEAR(dropped.number(3 * i, "simplified"), radius, 1e-4 + 1e-2 * radius);
    EXPECT_LE(krylov.number(i, "krylov"), 1.5 * radius + 1e-3);
    if (radii.text(i, "cycle") == radii.text(i - 1, "cycle")) continue;
    ++begins;
    largest_of_begins = std::max(largest_of_begins, radius);
    if (begins > 1) {  // the matrix before is older, and GMRES has to make up for it
      EXPECT_GT(beyond.number(i, "krylov_of_last_cycle"), radius);
    }
  }
  EXPECT_GT(begins, 3);
  EXPECT_GT(largest, 0.1);
  EXPECT_LT(largest_of_begins, 1e-3);
}

// Where the step is that of the matrix there is nothing to match. On the chain the mean halves the radius elsewhere.
TEST(DasslFigures, MatchingMattersWhereTheStepHasChanged) {
  NewtonCase chain = dassl_cases().back();
  chain.solutions = 40;
  const Values ratios = figure("dassl-figure-5.2", {chain}), radii = figure("dassl-figure-5.3", {chain});
  std::vector<double> of_mean;
  for (std::size_t i = 0; i < ratios.count(); ++i) {
    const double change = ratios.number(i, "coefficient_ratio");
    EXPECT_NEAR(ratios.number(i, "rows"), radii.number(i, "rows") / radii.number(i, "unmatched"),
                1e-4 * ratios.number(i, "rows"));
    if (std::abs(change - 1) < 1e-12) {
      EXPECT_NEAR(ratios.number(i, "rows"), 1, 1e-3);
      EXPECT_NEAR(ratios.number(i, "mean"), 1, 1e-3);
    } else {
      of_mean.push_back(ratios.number(i, "mean"));
    }
  }
  ASSERT_GT(of_mean.size(), 10u);
  std::sort(of_mean.begin(), of_mean.end());
  EXPECT_NEAR(of_mean[of_mean.size() / 2], 0.47, 0.15);
}

// The matrix in use is nearer to the present one than that of a link-period ago, at each of the solutions.
TEST(DasslFigures, PeriodsPredictNoJacobian) {
  const Values radii = figure("dassl-periods", {dassl_cases().back()});
  int compared = 0;
  for (std::size_t i = 0; i < radii.count(); ++i) {
    if (radii.text(i, "period_before").empty()) continue;
    ++compared;
    EXPECT_LT(radii.number(i, "simplified"), radii.number(i, "period_before"));
  }
  EXPECT_GT(compared, 50);
}

TEST(DasslFigures, IterationsAreBoundedByTheWorstObservedCase) {
  const Values iterations = figure("dassl-figure-4.5", toy());
  ASSERT_GT(iterations.count(), 50);
  for (std::size_t i = 0; i < iterations.count(); ++i) {
    EXPECT_LE(iterations.number(i, "iterations"), iterations.number(i, "worst_observed"));
    if (i > 0) {
      EXPECT_GE(iterations.number(i, "worst_observed"), iterations.number(i - 1, "worst_observed"));
    }
  }
}

TEST(DasslFigures, GainsAreMeasuredBesideTheEstimates) {
  const Values first = figure("dassl-figure-4.7", toy()), third = figure("dassl-figure-4.11", toy()),
               tolerances = figure("dassl-figure-4.8", toy()), lengths = figure("dassl-figure-4.9", toy()),
               table = figure("dassl-4.1", toy());
  EXPECT_GT(first.count(), 0);
  for (std::size_t i = 0; i < third.count(); ++i) EXPECT_LE(third.number(i, "gain"), 2);
  EXPECT_EQ(tolerances.count(), 10);
  // At 1e-10 a quarter of the entries is dropped, and iterations are about as many.
  EXPECT_LT(tolerances.number(0, "kept"), 0.8);
  EXPECT_NEAR(tolerances.number(0, "measured_gain") * tolerances.number(0, "kept"), 0.87, 0.2);
  double estimated = 0, measured = 0;
  for (std::size_t i = 0; i < lengths.count(); ++i) {
    estimated += lengths.number(i, "estimated_share");
    measured += lengths.number(i, "measured_share");
  }
  EXPECT_NEAR(estimated, 1, 1e-4);
  EXPECT_NEAR(measured, 1, 1e-4);
  ASSERT_EQ(table.count(), 4);
  EXPECT_EQ(table.number(0, "total_gain"), 1.95);
  EXPECT_NEAR(table.number(1, "total_gain"), 0.69, 0.005);
  EXPECT_GT(table.number(3, "length"), 1);
  EXPECT_GT(table.number(3, "factorisation_share"), 0);
  EXPECT_LT(table.number(3, "factorisation_share"), 1);
}

TEST(DasslFigures, ProgressOfRunsEndsWithThem) {
  const Values progress = figure("dassl-figure-4.4", toy()), cycles = figure("dassl-figure-4.6", toy());
  const auto plain = progress.where({{"corrector", "one phase"}}),
             three = progress.where({{"corrector", "three phases"}});
  ASSERT_FALSE(plain.empty());
  EXPECT_NEAR(progress.number(plain.back(), "effort"), 1, 1e-4);
  EXPECT_GE(progress.number(three.back(), "t"), 0.3 * 0.999);
  ASSERT_EQ(cycles.count(), 6);
  EXPECT_EQ(cycles.number(0, "time"), 0);
  EXPECT_GT(cycles.number(5, "time"), cycles.number(2, "time"));  // three phases last longer than two
}

TEST(DasslFigures, IdeasAreComparedWithARunWithoutThem) {
  const Values ideas = figure("dassl-figure-6.1", toy());
  ASSERT_EQ(ideas.count(), 5);
  for (std::size_t i = 0; i < ideas.count(); ++i) EXPECT_GT(ideas.number(i, "work"), 0);
  EXPECT_LT(ideas.number(3, "factorisations"), 1);  // Krylov
}

// ----------------------------------------------------------------------------------------------------- whole runs

TEST(WholeRuns, BySchedulesAreNeverDearerThanBySimplifiedNewton) {
  std::vector<NewtonCase> cases;
  for (const auto& [model, t_end] : {std::pair("andrews", 0.01), std::pair("atv", 0.3)})
    cases.push_back({.model = model, .t_end = t_end, .formulation = Formulation::relative});
  std::ostringstream out;
  write_whole_runs(out, cases);
  const Values runs(out.str());
  ASSERT_EQ(runs.count(), 2 * (9 + 9 + 4));
  const auto value = [&](const char* model, const char* jacobian, const char* corrector, const char* column) {
    return runs.number(
        runs.where({{"model", model}, {"integrator", "bdf"}, {"jacobian", jacobian}, {"corrector", corrector}}).at(0),
        column);
  };
  for (const char* model : {"andrews", "atv"})
    for (const char* jacobian : {"partitioned updates", "differenced"}) {
      SCOPED_TRACE(model);
      EXPECT_EQ(value(model, jacobian, "simplified", "gain_in_work"), 1);
      EXPECT_EQ(value(model, jacobian, "simplified", "error_ratio"), 1);
      EXPECT_GE(value(model, jacobian, "cycle on its schedule", "gain_in_work"), 1);
      EXPECT_GT(value(model, jacobian, "cycle that adapts", "gain_in_work"), 0.8);
    }
  // Where every matrix takes a differenced Jacobian, the schedule has found the Krylov phase.
  EXPECT_GT(value("atv", "differenced", "cycle on its schedule", "gain_in_work"), 1.3);
  for (const std::size_t row : runs.where({{"integrator", "radau"}})) {
    EXPECT_GT(runs.number(row, "gain_in_evaluations"), 0.1);
    EXPECT_TRUE(runs.text(row, "work").empty());
  }
}

// --------------------------------------------------------------------------------------------------- long chains

// Work of an iteration as counted, evaluations and factorisations included, and entries of the factors.
TEST(LongChains, IterationsCostInProportionToTheLinks) {
  const auto cost = [](double links) {
    CorrectorOptions newton;
    newton.observe = [](const CorrectorRecord&) {};
    const IntegratorStatistics counts =
        corrector_runs::run("sprocket_chain", corrector_runs::bdf(newton, 1e-4), 1e-4, {{"links", links}}).counts;
    return std::pair(counts.corrector.work / static_cast<double>(counts.newton_iterations),
                     static_cast<double>(counts.corrector.factor_entries));
  };
  const auto [work_of_250, entries_of_250] = cost(250);
  const auto [work_of_1000, entries_of_1000] = cost(1000);
  EXPECT_LT(std::log(work_of_1000 / work_of_250) / std::log(4.0), 1.1);
  EXPECT_LT(std::log(entries_of_1000 / entries_of_250) / std::log(4.0), 1.1);
}

}  // namespace dassl_test
}  // namespace linkwork::apps
