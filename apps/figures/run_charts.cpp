#include "figures/run_charts.hpp"

#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/simulation/columns.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>

namespace linkwork::apps {

std::vector<Chart> charts_of(const Trajectory& path, const std::vector<std::string>& curves) {
  constexpr int points = 1000;
  Columns columns(path.equations(), path.segments());
  const std::vector<std::size_t> chosen = columns.as_curves("--curves", curves);
  std::vector<Chart> charts;
  std::vector<std::size_t> chart_of, series_of;
  for (const std::size_t i : chosen) {
    const std::string title = columns.title_of_chart(i);
    auto chart = std::find_if(charts.begin(), charts.end(), [&](const Chart& each) { return each.y.title == title; });
    if (chart == charts.end()) chart = charts.insert(chart, {"", {"t [s]"}, {title}, {}});
    chart_of.push_back(static_cast<std::size_t>(chart - charts.begin()));
    series_of.push_back(chart->series.size());
    chart->series.push_back({columns[i].name, {}, {}});
  }
  if (!charts.empty()) charts.front().title = path.equations().model_name();
  std::vector<double> row(chosen.size());
  path.visit(OutputPoints::equidistant(points - 2), [&](const State& state, EquationsOfMotion& equations) {
    try {
      columns.read(state, equations, chosen, row);
    } catch (const RecoverableFailure&) {  // a gap
      std::fill(row.begin(), row.end(), std::numeric_limits<double>::quiet_NaN());
    }
    for (std::size_t k = 0; k < row.size(); ++k) {
      ChartSeries& series = charts[chart_of[k]].series[series_of[k]];
      series.x.push_back(state.t);
      series.y.push_back(row[k]);
    }
  });
  return charts;
}

}  // namespace linkwork::apps
