#include "reproduce/dassl.hpp"

#include "reproduce/cycle_gains.hpp"
#include "text_table.hpp"

#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/newton/iteration_estimates.hpp>
#include <linkwork/solvers/newton/position_elimination.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace linkwork::apps {
namespace {

using Cases = std::vector<NewtonCase>;

// ------------------------------------------------------------------------------------------------------- output

/// Nothing for what was not measured.
std::string dassl_field(double value) { return std::isfinite(value) ? number(value, 6) : ""; }
std::string dassl_field(const std::string& text) { return text; }
std::string dassl_field(std::string_view text) { return std::string(text); }
std::string dassl_field(const char* text) { return text; }
template <class Integer>
requires std::is_integral_v<Integer> std::string dassl_field(Integer value) { return std::to_string(value); }

template <class First, class... Fields>
void write_row(std::ostream& out, const First& first, const Fields&... fields) {
  out << dassl_field(first);
  ((out << ',' << dassl_field(fields)), ...);
  out << '\n';
}

/// A spectral radius, if it was measured.
double measured(double radius) { return radius < 0 ? unknown : radius; }

// ------------------------------------------------------------------------------------------- figures by solution

/// The drop tolerances of a case: its own, and smaller and larger ones.
std::vector<double> tolerances_around(const NewtonCase& of) {
  return {of.drop_tolerance * 1e-2, of.drop_tolerance, of.drop_tolerance * 1e2};
}

/// Writes lines that begin with model, number and time of a solution.
class SolutionLines {
 public:
  SolutionLines(std::ostream& out, std::string model) : out_(out), model_(std::move(model)) {}
  void move_to(std::size_t number, double t) {
    number_ = number;
    t_ = t;
  }
  template <class... Fields>
  void operator()(const Fields&... fields) const {
    write_row(out_, model_, number_, t_, fields...);
  }

 private:
  std::ostream& out_;
  std::string model_;
  std::size_t number_ = 0;
  double t_ = 0;
};

/// Studies each case and hands on one solution after the other.
template <class Options, class Write>
void write_by_solution(std::ostream& out, const Cases& cases, const char* columns, const Options& options_of,
                       const Write& write) {
  out << "model,solution,t," << columns << '\n';
  for (const NewtonCase& each : cases) {
    const StudyOptions options = options_of(each);
    const NewtonStudy study = study_newton(each, options);
    SolutionLines lines(out, each.model);
    for (std::size_t i = 0; i < study.solutions.size(); ++i) {
      lines.move_to(i, study.solutions[i].record.solution.t);
      write(lines, study.solutions[i], options);
    }
  }
}

StudyOptions no_options(const NewtonCase&) { return {}; }
StudyOptions with_dropped(const NewtonCase& of) { return {.drop_tolerances = tolerances_around(of)}; }
StudyOptions with_krylov(const NewtonCase&) { return {.krylov = true}; }
StudyOptions with_krylov_beyond(const NewtonCase& of) {
  return {.drop_tolerances = {of.drop_tolerance}, .krylov_beyond = true};
}
StudyOptions with_matching(const NewtonCase&) { return {.matching = true}; }

void write_contractions(std::ostream& out, const Cases& cases) {
  write_by_solution(out, cases, "cycle,iterations,spectral_radius,contraction", no_options,
                    [](const SolutionLines& line, const StudiedSolution& s, const StudyOptions&) {
                      const CorrectorRecord& r = s.record;
                      line(r.cycle, r.solution.iterations, measured(r.spectral_radius),
                           r.solution.contraction > 0 ? r.solution.contraction : unknown);
                    });
}

void write_dropped_radii(std::ostream& out, const Cases& cases) {
  write_by_solution(out, cases, "cycle,drop_tolerance,kept,spectral_radius,simplified", with_dropped,
                    [](const SolutionLines& line, const StudiedSolution& s, const StudyOptions& options) {
                      for (std::size_t k = 0; k < s.dropped.size(); ++k)
                        line(s.record.cycle, options.drop_tolerances[k], s.kept[k], measured(s.dropped[k]),
                             measured(s.record.spectral_radius));
                    });
}

void write_krylov_radii(std::ostream& out, const Cases& cases) {
  write_by_solution(out, cases, "cycle,simplified,krylov,krylov_plain_norm", with_krylov,
                    [](const SolutionLines& line, const StudiedSolution& s, const StudyOptions&) {
                      line(s.record.cycle, measured(s.record.spectral_radius), measured(s.krylov),
                           measured(s.krylov_plain));
                    });
}

void write_extended_cycles(std::ostream& out, const Cases& cases) {
  write_by_solution(out, cases, "cycle,simplified,krylov_of_last_cycle", with_krylov_beyond,
                    [](const SolutionLines& line, const StudiedSolution& s, const StudyOptions&) {
                      line(s.record.cycle, measured(s.record.spectral_radius), measured(s.krylov_of_last_cycle));
                    });
}

void write_matching_ratios(std::ostream& out, const Cases& cases) {
  write_by_solution(out, cases, "coefficient_ratio,rows,mean", with_matching,
                    [](const SolutionLines& line, const StudiedSolution& s, const StudyOptions&) {
                      const double base = measured(s.unmatched);
                      line(s.record.solution.alpha / s.record.matrix_alpha, measured(s.by_rows) / base,
                           measured(s.record.spectral_radius) / base);
                    });
}

void write_matching_radii(std::ostream& out, const Cases& cases) {
  write_by_solution(out, cases, "coefficient_ratio,unmatched,rows,mean", with_matching,
                    [](const SolutionLines& line, const StudiedSolution& s, const StudyOptions&) {
                      line(s.record.solution.alpha / s.record.matrix_alpha, measured(s.unmatched), measured(s.by_rows),
                           measured(s.record.spectral_radius));
                    });
}

/// Of the chain in joint coordinates, where all links are alike: whether the matrix of one link-period ago, each link
/// in the place of the next one, is nearer to the present Jacobian than the one in use. Asked in DASSL+ 6.3.
void write_periods(std::ostream& out, const Cases& cases) {
  constexpr double link_period = 0.0254 / 2;  // pitch over speed [s]
  Cases chains;
  for (NewtonCase each : cases) {
    if (each.model != "sprocket_chain") continue;
    each.formulation = Formulation::relative;
    each.solutions *= 5;
    each.t_end = 0.1;
    chains.push_back(each);
  }
  write_by_solution(
      out, chains, "cycle,simplified,as_long_ago,period_before",
      [](const NewtonCase&) { return StudyOptions{.period = link_period}; },
      [](const SolutionLines& line, const StudiedSolution& s, const StudyOptions&) {
        line(s.record.cycle, measured(s.record.spectral_radius), measured(s.as_long_ago), measured(s.period_before));
      });
}

/// With the worst observed case at each spectral radius, and the iterations that would contract as the median does.
void write_iterations(std::ostream& out, const Cases& cases) {
  out << "model,spectral_radius,iterations,worst_observed,matched\n";
  for (const NewtonCase& each : cases) {
    const NewtonStudy study = study_newton(each, {});
    std::vector<CorrectorRecord> records;
    for (const StudiedSolution& s : study.solutions)
      if (s.record.spectral_radius > 0) records.push_back(s.record);
    std::sort(records.begin(), records.end(),
              [](const auto& a, const auto& b) { return a.spectral_radius < b.spectral_radius; });
    for (const CorrectorRecord& record : records) {
      const CorrectorRecord& usual = records[records.size() / 2];
      write_row(out, each.model, record.spectral_radius, record.solution.iterations,
                worst_observed_iterations(records, record.spectral_radius),
                matched_iterations(usual.spectral_radius, usual.solution.iterations, record.spectral_radius));
    }
  }
}

// ----------------------------------------------------------------------------------------------- figures by cycle

/// Each complete cycle of a study, and the study.
template <class Options, class Write>
void for_cycles(const Cases& cases, const Options& options_of, const Write& write) {
  for (const NewtonCase& each : cases) {
    const StudyOptions options = options_of(each);
    const NewtonStudy study = study_newton(each, options);
    for (std::size_t k = 0; k < options.drop_tolerances.size(); ++k)
      for (const CycleEstimate& cycle : estimate_cycles(study, k)) write(each, study, options, k, cycle);
  }
}

/// Speed of an estimated method over that of simplified Newton, at one solution.
double estimated_gain(const NewtonStudy& study, const StudiedSolution& at, double radius, double effort_of_iteration) {
  return at.record.solution.iterations / (estimated_iterations(study, radius) * effort_of_iteration);
}

void write_gains_of_phase_1(std::ostream& out, const Cases& cases) {
  out << "model,solution,t,cycle,drop_tolerance,gain\n";
  for_cycles(cases, with_dropped,
             [&](const NewtonCase& of, const NewtonStudy& study, const StudyOptions& options, std::size_t k,
                 const CycleEstimate& cycle) {
               bool is_in_phase = true;
               for (std::size_t i = cycle.first; i < cycle.end; ++i) {
                 const StudiedSolution& s = study.solutions[i];
                 is_in_phase = is_in_phase && s.dropped[k] <= cycle.limit;
                 write_row(out, of.model, i, s.record.solution.t, s.record.cycle, options.drop_tolerances[k],
                           is_in_phase ? estimated_gain(study, s, s.dropped[k], s.kept[k]) : 1.0);
               }
             });
}

void write_gains_of_phase_3(std::ostream& out, const Cases& cases) {
  out << "model,solution,t,cycle,gain\n";
  for_cycles(cases, with_krylov_beyond,
             [&](const NewtonCase& of, const NewtonStudy& study, const StudyOptions&, std::size_t,
                 const CycleEstimate& cycle) {
               for (std::size_t i = cycle.end; i < cycle.krylov_end; ++i) {
                 const StudiedSolution& s = study.solutions[i];
                 write_row(out, of.model, i, s.record.solution.t, s.record.cycle - 1,
                           estimated_gain(study, s, s.krylov_of_last_cycle, 2));
               }
             });
}

// -------------------------------------------------------------------------------------------------- runs of cycles

/// As the thesis counts: an evaluation of F for nothing.
constexpr CorrectorCosts thesis_costs{.evaluation = 0};

CorrectorOptions fixed_cycle(const NewtonCase& of, const CyclePhases& phases) {
  return {.method = CorrectorMethod::cycle,
          .drop_tolerance = of.drop_tolerance,
          .krylov_steps = 2,  // as many substitutions as the thesis's step, which begins at a correction
          .phases = phases,
          .adapts = false,
          .costs = thesis_costs};
}

/// A case by simplified Newton, by the first two phases and by all three.
struct PhaseRuns {
  CorrectorRun plain, two, three;
  explicit PhaseRuns(const NewtonCase& of)
      : plain(run_corrector(of, fixed_cycle(of, {false, true, false}))),
        two(run_corrector(of, fixed_cycle(of, {true, true, false}))),
        three(run_corrector(of, fixed_cycle(of, {true, true, true}))) {}
};

/// Share of the factorisations in all substitutions and factorisations.
double factorization_share(const CorrectorRun& run) { return 1 - iteration_effort(run) / run.counts.corrector.work; }

struct ThesisGains {
  const char* model;
  CycleGains gains;
  double total;  // as printed; (4.4) gives another one
};
constexpr std::array thesis_gains = {ThesisGains{"atv", {1.54, 1.97, 0.28}, 0.92},
                                     ThesisGains{"gimbal", {3.51, 1.98, 0.38}, 1.95}};

void write_table_4_1(std::ostream& out, const Cases& cases) {
  out << "model,source,gain_of_phases_1_2,length,gain_of_phase_3,total_gain,three_phases_pay_from_share,"
         "phase_3_pays_from_share,factorisation_share,whole_work_gain\n";
  const auto write = [&](const std::string& model, const char* source, const CycleGains& gains, double total,
                         double share = unknown, double whole = unknown) {
    write_row(out, model, source, gains.phases_12, gains.length, gains.phase_3, total, share_for_three_phases(gains),
              share_for_phase_3(gains), share, whole);
  };
  for (const NewtonCase& each : cases) {
    for (const ThesisGains& published : thesis_gains)
      if (published.model == each.model) {
        write(each.model, "thesis", published.gains, published.total);
        write(each.model, "thesis by (4.4)", published.gains, rate_of_three_phases(published.gains));
      }
    const CycleGains estimated = mean_gains(estimate_cycles(study_newton(each, with_krylov_beyond(each))));
    write(each.model, "estimated", estimated, rate_of_three_phases(estimated));
    const PhaseRuns runs(each);
    write(each.model, "measured", measured_gains(runs.plain, runs.two, runs.three),
          iteration_effort(runs.plain) / iteration_effort(runs.three), factorization_share(runs.plain),
          whole_work(runs.plain) / whole_work(runs.three));
  }
}

/// Time and effort of runs, both as shares of those of simplified Newton.
void write_progress(std::ostream& out, const Cases& cases) {
  out << "model,corrector,phase,t,effort\n";
  for (const NewtonCase& each : cases) {
    const PhaseRuns runs(each);
    for (const auto& [name, run] : {std::pair("one phase", &runs.plain), std::pair("three phases", &runs.three)}) {
      double effort = 0;
      for (const CorrectorRecord& record : run->records)
        write_row(out, each.model, name, name_of(record.phase), record.solution.t,
                  (effort += record.work) / runs.plain.counts.corrector.work);
    }
  }
}

/// The mean cycle: time and effort after the factorisation, the first two phases and the third one, in units of a cycle
/// of simplified Newton without its factorisation.
void write_mean_cycles(std::ostream& out, const Cases& cases) {
  out << "model,phases,after,effort,time\n";
  for (const NewtonCase& each : cases) {
    const PhaseRuns runs(each);
    const auto cycles_of = [](const CorrectorRun& run) {
      return static_cast<double>(run.counts.corrector.refresh_cycles);
    };
    const double cycle = cycles_of(runs.plain), effort = iteration_effort(runs.plain) / cycle;
    const double factorization = runs.plain.counts.corrector.factor_operations / effort;
    for (const auto& [name, run] : {std::pair("two", &runs.two), std::pair("three", &runs.three)}) {
      const PhaseEffort krylov = effort_in(*run, CorrectorPhase::krylov);
      const double cycles = cycles_of(*run), own = iteration_effort(*run) / cycles / effort, length = cycle / cycles,
                   krylov_effort = krylov.effort / cycles / effort, krylov_length = krylov.length / each.t_end * length;
      write_row(out, each.model, name, "factorisation", factorization, 0);
      write_row(out, each.model, name, "phases 1 and 2", factorization + own - krylov_effort, length - krylov_length);
      write_row(out, each.model, name, "phase 3", factorization + own, length);
    }
  }
}

/// On the first case, the gimbal, as in the thesis: what it estimates, and runs.
void write_gains_by_tolerance(std::ostream& out, const Cases& cases) {
  out << "model,drop_tolerance,kept,estimated_gain,measured_gain,whole_work_gain\n";
  NewtonCase of = cases.front();
  std::vector<double> tolerances;
  for (double tolerance = 1e-10; tolerance < 0.5; tolerance *= 10) tolerances.push_back(tolerance);
  const NewtonStudy study = study_newton(of, {.drop_tolerances = tolerances});
  const CorrectorRun plain = run_corrector(of, fixed_cycle(of, {false, true, false}));
  for (std::size_t k = 0; k < tolerances.size(); ++k) {
    of.drop_tolerance = tolerances[k];
    double gain = unknown, whole = unknown;
    try {
      const CorrectorRun run = run_corrector(of, fixed_cycle(of, {true, true, false}));
      gain = iteration_effort(plain) / iteration_effort(run);
      whole = whole_work(plain) / whole_work(run);
    } catch (const RunError&) {  // corrections by what is left of the factors are none any more
    }
    write_row(out, of.model, tolerances[k], study.solutions.back().kept[k],
              mean_gains(estimate_cycles(study, k)).phases_12, gain, whole);
  }
}

/// The time of the Krylov phase of each cycle of a run [s].
std::vector<double> krylov_lengths(const CorrectorRun& run) {
  std::map<std::int64_t, double> by_cycle;
  for (const CorrectorRecord& record : run.records)
    by_cycle[record.cycle] += record.phase == CorrectorPhase::krylov ? record.solution.h : 0;
  std::vector<double> lengths;
  for (const auto& [cycle, length] : by_cycle) lengths.push_back(length);
  return lengths;
}

/// How many cycles are longer by which share of a mean cycle of simplified Newton.
void write_added_lengths(std::ostream& out, const Cases& cases) {
  constexpr double width = 0.25;
  constexpr std::size_t bins = 20;  // the last one is open
  out << "model,from,to,estimated_share,measured_share\n";
  const auto histogram = [&](const std::vector<double>& lengths, double unit) {
    std::vector<double> shares(bins, 0.0);
    for (const double length : lengths)
      shares[std::min(static_cast<std::size_t>(length / unit / width), bins - 1)] +=
          1 / static_cast<double>(lengths.size());
    return shares;
  };
  for (const NewtonCase& each : cases) {
    std::vector<double> estimated;
    for (const CycleEstimate& cycle : estimate_cycles(study_newton(each, with_krylov_beyond(each))))
      estimated.push_back(cycle.krylov_length / cycle.length);
    const PhaseRuns runs(each);
    const double usual = each.t_end / static_cast<double>(runs.plain.counts.corrector.refresh_cycles);
    const std::vector<double> of_thesis = histogram(estimated, 1),
                              of_runs = histogram(krylov_lengths(runs.three), usual);
    for (std::size_t bin = 0; bin < bins; ++bin)
      write_row(out, each.model, width * static_cast<double>(bin),
                bin + 1 < bins ? width * static_cast<double>(bin + 1) : unknown, of_thesis[bin], of_runs[bin]);
  }
}

// ---------------------------------------------------------------------------------------------------- matrices

/// One matrix of each case, the last one of a short run.
template <class Write>
void for_matrices(const Cases& cases, const Write& write) {
  for (NewtonCase each : cases) {
    each.solutions = std::min(each.solutions, 20);
    write(each, study_newton(each, {}));
  }
}

void write_places(std::ostream& out, const std::string& prefix, const SparsityPattern& pattern) {
  for (std::size_t row = 0; row < pattern.rows.size(); ++row)
    for (const int column : pattern.rows[row]) write_row(out, prefix, row, column);
}

void write_jacobians(std::ostream& out, const Cases& cases) {
  out << "model,row,column\n";
  for_matrices(cases, [&](const NewtonCase& of, const NewtonStudy& study) {
    write_places(out, of.model, study.jacobian.pattern());
  });
}

/// Entries off the diagonal by row and column, and whether they are kept (definition 3.1).
void write_triangle(std::ostream& out, const std::string& prefix, const TriangularColumns<double>& triangle,
                    std::vector<double> largest, double tolerance) {
  const auto row_of = [&](int k) { return static_cast<std::size_t>(triangle.rows[static_cast<std::size_t>(k)]); };
  const auto size_of = [&](int k) { return std::abs(triangle.values[static_cast<std::size_t>(k)]); };
  for (int k = 0; k < triangle.entries(); ++k) largest[row_of(k)] = std::max(largest[row_of(k)], size_of(k));
  for (std::size_t column = 0; column + 1 < triangle.starts.size(); ++column)
    for (int k = triangle.starts[column]; k < triangle.starts[column + 1]; ++k)
      write_row(out, prefix, row_of(k), column, size_of(k) < tolerance * largest[row_of(k)] ? 0 : 1);
}

void write_factor_places(std::ostream& out, const Cases& cases) {
  out << "model,factor,row,column,is_kept\n";
  for_matrices(cases, [&](const NewtonCase& of, const NewtonStudy& study) {
    const TriangularFactors& factors = study.factors;
    std::vector<double> pivots;
    for (const double pivot : factors.pivots) pivots.push_back(std::abs(pivot));
    const std::vector<double> ones(pivots.size(), 1.0);
    write_triangle(out, of.model + ",L", factors.lower, ones, of.drop_tolerance);
    write_triangle(out, of.model + ",U", factors.upper, pivots, of.drop_tolerance);
  });
}

PositionElimination elimination_of(const NewtonStudy& study) {
  PositionElimination costs;
  if (const Outcome compared = compare_position_elimination(study.jacobian, study.positions, costs); !compared)
    throw RunError(compared.reason(), 0);
  return costs;
}

void write_reduced_jacobians(std::ostream& out, const Cases& cases) {
  out << "model,matrix,row,column\n";
  for_matrices(cases, [&](const NewtonCase& of, const NewtonStudy& study) {
    write_places(out, of.model + ",original", study.jacobian.pattern());
    write_places(out, of.model + ",reduced", elimination_of(study).reduced_pattern);
  });
}

struct ThesisSizes {
  const char* model;
  int equations, nonzeros, reduced_equations, reduced_nonzeros;
};
constexpr std::array thesis_sizes = {ThesisSizes{"atv", 612, 8216, 406, 5268}, ThesisSizes{"gimbal", 67, 522, 44, 317},
                                     ThesisSizes{"sprocket_chain", 1038, 11309, 658, 6702}};

/// Operations of a factorisation and of a solution: with those of the elimination, where there is one.
void write_table_5_1(std::ostream& out, const Cases& cases) {
  out << "model,source,matrix,equations,nonzeros,density,factor_operations,solution_operations\n";
  const auto write = [&](const std::string& model, const char* source, const char* matrix, int equations, int nonzeros,
                         double factor = unknown, double solution = unknown) {
    write_row(out, model, source, matrix, equations, nonzeros, static_cast<double>(nonzeros) / equations / equations,
              factor, solution);
  };
  for_matrices(cases, [&](const NewtonCase& of, const NewtonStudy& study) {
    for (const ThesisSizes& published : thesis_sizes)
      if (published.model == of.model) {
        write(of.model, "thesis", "original", published.equations, published.nonzeros);
        write(of.model, "thesis", "reduced", published.reduced_equations, published.reduced_nonzeros);
      }
    const PositionElimination costs = elimination_of(study);
    write(of.model, "measured", "original", costs.whole.unknowns, costs.whole.nonzeros, costs.whole.operations,
          static_cast<double>(costs.whole.entries));
    write(of.model, "measured", "reduced", costs.reduced.unknowns, costs.reduced.nonzeros,
          costs.reduced.operations + costs.elimination_operations,
          static_cast<double>(costs.reduced.entries + costs.elimination_entries));
  });
}

// ------------------------------------------------------------------------------------------------------ the ideas

struct Idea {
  const char* name;
  int place;  // in the thesis's list of recommendations
  CorrectorOptions corrector;
};

/// Whole runs by each idea beside those without any. Size reduction changes no count of a run: it is in table 5.1.
void write_figure_6_1(std::ostream& out, const Cases& cases) {
  out << "model,unknowns,idea,place_in_thesis,evaluations,factorisations,work\n";
  constexpr auto none = StepSizeMatching::none;
  for (const NewtonCase& each : cases) {
    CorrectorOptions dropped = fixed_cycle(each, {true, true, false}), krylov = fixed_cycle(each, {false, true, true}),
                     broyden{.method = CorrectorMethod::broyden, .matching = none, .costs = thesis_costs};
    dropped.matching = krylov.matching = none;
    const CorrectorRun plain = run_corrector(each, {.matching = none, .costs = thesis_costs});
    for (const Idea& idea :
         {Idea{"step size matching by rows", 1, {.matching = StepSizeMatching::rows, .costs = thesis_costs}},
          Idea{"step size matching by the mean", 1, {.costs = thesis_costs}}, Idea{"dropped LU", 3, dropped},
          Idea{"Krylov", 4, krylov}, Idea{"Broyden", 5, broyden}}) {
      double evaluations = unknown, factorizations = unknown, work = unknown;
      try {
        const CorrectorRun run = run_corrector(each, idea.corrector);
        const auto ratio = [](auto value, auto base) { return static_cast<double>(value) / static_cast<double>(base); };
        evaluations = ratio(run.counts.function_calls, plain.counts.function_calls);
        factorizations = ratio(run.counts.factorizations, plain.counts.factorizations);
        work = whole_work(run) / whole_work(plain);
      } catch (const RunError&) {  // it does not get to the end
      }
      write_row(out, each.model, plain.unknowns, idea.name, idea.place, evaluations, factorizations, work);
    }
  }
}

/// Quantities over the run, model by model.
CurveFigure by_solution(std::vector<std::vector<std::string>> charts) {
  return {"t [s]", std::move(charts), {"model"}, false, true, ChartSeries::Style::points};
}

}  // namespace

const std::vector<NewtonCase>& dassl_cases() {
  static const std::vector<NewtonCase> cases = {
      {.model = "gimbal", .drop_tolerance = 1e-6, .solutions = 200, .krylov_solutions = 200, .t_end = 2},
      {.model = "atv", .drop_tolerance = 1e-8, .solutions = 120, .krylov_solutions = 50, .t_end = 0.5},
      {.model = "sprocket_chain", .drop_tolerance = 1e-6, .solutions = 60, .krylov_solutions = 20, .t_end = 0.01}};
  return cases;
}

const std::vector<DasslFigure>& dassl_figures() {
  static const std::vector<DasslFigure> figures = {
      {"dassl-4.1", "DASSL+ table 4.1: gains of the phases of a refresh cycle", write_table_4_1, ValuesOnly{}},
      {"dassl-5.1", "DASSL+ table 5.1: the Jacobian and its reduced form", write_table_5_1, ValuesOnly{}},
      {"dassl-figure-3.1", "DASSL+ figure 3.1: places of the Jacobians", write_jacobians, PatternFigure{{"model"}}},
      {"dassl-figure-3.3", "DASSL+ figure 3.3: places of L and U, and what is kept of them", write_factor_places,
       PatternFigure{{"model", "factor"}, "is_kept"}},
      {"dassl-figure-3.6", "DASSL+ figure 3.6: spectral radius and measured contraction", write_contractions,
       by_solution({{"spectral_radius", "contraction"}})},
      {"dassl-figure-3.7", "DASSL+ figure 3.7: spectral radii with dropped factors", write_dropped_radii,
       by_solution({{"spectral_radius", "simplified"}})},
      {"dassl-figure-3.8", "DASSL+ figure 3.8: spectral radii of one Krylov step", write_krylov_radii,
       by_solution({{"simplified", "krylov", "krylov_plain_norm"}})},
      {"dassl-figure-4.4", "DASSL+ figure 4.4: time against effort, one phase and three", write_progress,
       CurveFigure{"effort", {{"t [s]"}}, {"model", "corrector"}}},
      {"dassl-figure-4.5", "DASSL+ figure 4.5: iterations by spectral radius", write_iterations,
       CurveFigure{
           "spectral_radius", {{"iterations", "worst_observed"}}, {"model"}, false, false, ChartSeries::Style::points}},
      {"dassl-figure-4.6", "DASSL+ figure 4.6: the mean cycle with and without its third phase", write_mean_cycles,
       CurveFigure{"effort [cycles]",
                   {{"time [cycles]"}},
                   {"model", "phases"},
                   false,
                   false,
                   ChartSeries::Style::line_with_points}},
      {"dassl-figure-4.7", "DASSL+ figure 4.7: estimated gain of dropped factors", write_gains_of_phase_1,
       by_solution({{"gain"}})},
      {"dassl-figure-4.8", "DASSL+ figure 4.8: gain by drop tolerance, gimbal", write_gains_by_tolerance,
       CurveFigure{"drop_tolerance",
                   {{"estimated_gain", "measured_gain", "whole_work_gain"}},
                   {"model"},
                   true,
                   false,
                   ChartSeries::Style::line_with_points}},
      {"dassl-figure-4.9", "DASSL+ figure 4.9: lengths of the Krylov phase", write_added_lengths,
       CurveFigure{"from",
                   {{"estimated_share", "measured_share"}},
                   {"model"},
                   false,
                   false,
                   ChartSeries::Style::line_with_points}},
      {"dassl-figure-4.10", "DASSL+ figure 4.10: spectral radii of Krylov beyond the cycle", write_extended_cycles,
       by_solution({{"simplified", "krylov_of_last_cycle"}})},
      {"dassl-figure-4.11", "DASSL+ figure 4.11: estimated gain of the Krylov phase", write_gains_of_phase_3,
       by_solution({{"gain"}})},
      {"dassl-figure-5.1", "DASSL+ figure 5.1: places of the original and the reduced Jacobian",
       write_reduced_jacobians, PatternFigure{{"model", "matrix"}}},
      {"dassl-figure-5.2", "DASSL+ figure 5.2: what step size matching makes of the spectral radius",
       write_matching_ratios,
       CurveFigure{"coefficient_ratio", {{"rows", "mean"}}, {"model"}, true, true, ChartSeries::Style::points}},
      {"dassl-figure-5.3", "DASSL+ figure 5.3: spectral radii with and without step size matching",
       write_matching_radii, by_solution({{"unmatched", "rows", "mean"}})},
      {"dassl-periods", "DASSL+ 6.3: spectral radii with the matrix of one link-period ago, sprocket_chain",
       write_periods, by_solution({{"simplified", "as_long_ago", "period_before"}})},
      {"dassl-figure-6.1", "DASSL+ figure 6.1: what each idea saves", write_figure_6_1,
       CurveFigure{"unknowns", {{"work"}}, {"idea"}, true, false, ChartSeries::Style::points}}};
  return figures;
}

}  // namespace linkwork::apps
