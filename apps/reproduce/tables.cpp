#include "reproduce/tables.hpp"

#include "reproduce/dassl.hpp"
#include "reproduce/whole_runs.hpp"

namespace linkwork::apps {
namespace {

constexpr auto as_curve = ChartSeries::Style::line, as_measured = ChartSeries::Style::line_with_points,
               as_dots = ChartSeries::Style::points;

std::vector<PublishedTable> all_tables() {
  std::vector<PublishedTable> tables = {
      {"mexx-5.1", "MEXX table 5.1: cable drum, both discretisations", reproduce_mexx_cable_drum},
      {"mexx-5.2", "MEXX table 5.2: seven-body mechanism", reproduce_mexx_seven_body},
      {"mexx-5.3", "MEXX table 5.3: planar truck, and how far its roads are stiff", reproduce_mexx_truck},
      {"mexx-5.4", "MEXX table 5.4: sizes of the insulator chains", reproduce_mexx_insulator_dimensions},
      {"mexx-5.5", "MEXX table 5.5: insulator chains", reproduce_mexx_insulator_runs},
      {"mexx-5.6", "MEXX table 5.6: cost of one factorisation and one solution", reproduce_mexx_insulator_solvers},
      {"mexx-figure-5.4", "MEXX figure 5.4: shapes of the broken insulator chain", reproduce_mexx_shapes,
       CurveFigure{"x [m]", {{"y [m]"}}, {"t"}, false, false, as_measured}},
      {"mexx-roots", "MEXX 5.2 and 5.4: location of events", reproduce_mexx_roots},
      {"mexx-dense", "MEXX 5.2 and 5.4: cost of dense output and of events", reproduce_mexx_dense},
      {"corr-1", "CORR table 1: train carriage, Jacobian strategies", reproduce_corr_train_carriage},
      {"corr-2", "CORR table 2: chain of pendulums, Jacobian strategies", reproduce_corr_pendulum_chain},
      {"corr-3", "CORR table 3: passenger car, Jacobian strategies", reproduce_corr_lane_change},
      {"corr-figure-3", "CORR figures 3 to 5: Jacobian of the train carriage, with its groups of columns",
       reproduce_corr_pattern, PatternFigure{}},
      {"corr-times", "CORR figure 7: times of Jacobian evaluations", reproduce_corr_times,
       CurveFigure{"t [s]", {{"number"}}, {"updates", "evaluation"}, false, false, as_dots}},
      {"geoms-3", "GEOMS table 3: pendulum that stays below 45 degrees", reproduce_geoms_slow_pendulum},
      {"geoms-4", "GEOMS table 4: pendulum that passes through 45 degrees", reproduce_geoms_fast_pendulum},
      {"geoms-figure-1", "GEOMS figure 1: energy of the pendulum", reproduce_geoms_energy,
       CurveFigure{"t [s]", {{"energy_error [J]"}}, {"code"}, false, true, as_curve}},
      {"geoms-figure-2", "GEOMS figure 2: errors against time, pendulum", reproduce_geoms_pendulum_efficiency,
       CurveFigure{"milliseconds", {{"error_p"}, {"error_v"}}, {"code"}, true, true, as_measured}},
      {"geoms-figure-3", "GEOMS figure 3: the data of figure 2, multipliers", reproduce_geoms_pendulum_efficiency,
       CurveFigure{"milliseconds", {{"error_lambda"}}, {"code"}, true, true, as_measured}},
      {"geoms-figure-4", "GEOMS figure 4: residuals of the pendulum's constraints", reproduce_geoms_residuals,
       CurveFigure{"t [s]",
                   {{"position [m^2]"}, {"velocity [m^2/s]"}, {"acceleration [m^2/s^2]"}},
                   {"code"},
                   false,
                   true,
                   as_curve}},
      {"geoms-figure-6", "GEOMS figure 6: the pendulum's height by two initial velocities", reproduce_geoms_motion,
       CurveFigure{"t [s]", {{"p2 [m]"}}, {"velocity"}, false, false, as_curve}},
      {"geoms-figure-8", "GEOMS figure 8: errors against time, truck on the sine road",
       reproduce_geoms_truck_efficiency, CurveFigure{"milliseconds", {{"error"}}, {"code"}, true, true, as_measured}},
      {"reduce", "REDUCE: reductions to independent coordinates beside direct integration", reproduce_reduce},
      {"reduce-figure-2", "REDUCE figure 2: violations over time for several alpha", reproduce_reduce_violations,
       CurveFigure{"t [s]", {{"violation [m]"}}, {"alpha"}, false, true, as_curve}},
      {"reduce-figure-3", "REDUCE figure 3: independent coordinates of a pendulum", reproduce_reduce_directions,
       CurveFigure{"angle [rad]",
                   {{"partitioning [rad]", "svd [rad]", "null_space [rad]"},
                    {"share_partitioning", "share_svd", "share_null_space"}},
                   {},
                   false,
                   false,
                   as_curve}},
      {"curves", "Curves of every model at 1000 points, beside the ends of steps", reproduce_curves},
      {"corr-andrews", "Seven-body mechanism by bdf: work and precision", reproduce_corr_andrews},
      {"pendulum-32", "Pendulum of 32 rods: time for a drift of the energy", reproduce_pendulum_32},
      {"radau-sparse", "Chains of bodies by radau: sparse stages beside dense ones", reproduce_radau_sparse},
      {"tolerances", "What a tolerance means for the error of a run, by integrator", reproduce_tolerances}};
  tables.push_back({"dassl-whole-runs", "DASSL+ 6.3: whole runs by each corrector, beside simplified Newton",
                    [](std::ostream& out) { write_whole_runs(out, whole_run_cases()); },
                    CurveFigure{"unknowns",
                                {{"gain_in_evaluations"}},
                                {"integrator", "jacobian", "corrector"},
                                true,
                                true,
                                ChartSeries::Style::points}});
  for (const DasslFigure& figure : dassl_figures())
    tables.push_back({figure.name, figure.title,
                      [write = figure.write](std::ostream& out) { write(out, dassl_cases()); }, figure.figure});
  return tables;
}

}  // namespace

const std::vector<PublishedTable>& published_tables() {
  static const std::vector<PublishedTable> tables = all_tables();
  return tables;
}

}  // namespace linkwork::apps
