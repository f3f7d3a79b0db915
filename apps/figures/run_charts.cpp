#include "figures/run_charts.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/core/measure.hpp>
#include <linkwork/solvers/pictures/observable_units.hpp>

#include <fnmatch.h>

#include <algorithm>
#include <cstddef>
#include <limits>

namespace linkwork::apps {
namespace {

struct Quantity {
  std::string name, unit;
};

std::vector<Quantity> observables_of(const EquationsOfMotion& equations) {
  std::vector<Quantity> all;
  const std::vector<std::string> units = observable_units(equations);
  for (const std::string& name : equations.observable_names()) all.push_back({name, units[all.size()]});
  return all;
}

std::vector<Quantity> coordinates_of(const EquationsOfMotion& equations) {
  std::vector<Quantity> all;
  for (int i = 0; i < equations.dimensions().p; ++i)
    all.push_back({equations.position_name(i), unit_of(equations.position_measure(i))});
  return all;
}

bool is_chosen(const std::string& name, const std::vector<std::string>& patterns) {
  return patterns.empty() || std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
           return fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
         });
}

/// NaN where the equations have none.
Eigen::VectorXd values_at(const State& state, EquationsOfMotion& equations, bool has_observables, std::size_t count) {
  if (!has_observables) return state.p;
  Eigen::VectorXd values;
  try {
    equations.observables(state, values);
  } catch (const RecoverableFailure&) {
    values.setConstant(static_cast<Eigen::Index>(count), std::numeric_limits<double>::quiet_NaN());
  }
  return values;
}

}  // namespace

std::vector<Chart> charts_of(const Trajectory& path, const std::vector<std::string>& curves) {
  constexpr int points = 1000;
  std::vector<Quantity> quantities = observables_of(path.equations());
  const bool has_observables = !quantities.empty();
  if (!has_observables) quantities = coordinates_of(path.equations());
  std::vector<Chart> charts;
  std::vector<std::pair<std::size_t, std::size_t>> places(quantities.size());  // chart and series
  std::vector<bool> chosen;
  for (std::size_t i = 0; i < quantities.size(); ++i) {
    const auto& [name, unit] = quantities[i];
    chosen.push_back(is_chosen(name, curves));
    if (!chosen.back()) continue;
    const std::string axis = unit.empty() ? "" : concat("[", unit, "]");
    auto chart = std::find_if(charts.begin(), charts.end(), [&](const Chart& each) { return each.y.title == axis; });
    if (chart == charts.end()) {
      charts.push_back({charts.empty() ? path.equations().model_name() : std::string(), {"t [s]"}, {axis}, {}});
      chart = charts.end() - 1;
    }
    chart->series.push_back({name, {}, {}});
    places[i] = {static_cast<std::size_t>(chart - charts.begin()), chart->series.size() - 1};
  }
  path.visit(OutputPoints::equidistant(points - 2), [&](const State& state, EquationsOfMotion& equations) {
    const Eigen::VectorXd values = values_at(state, equations, has_observables, quantities.size());
    for (std::size_t i = 0; i < quantities.size(); ++i) {
      if (!chosen[i]) continue;
      ChartSeries& series = charts[places[i].first].series[places[i].second];
      series.x.push_back(state.t);
      series.y.push_back(values[static_cast<Eigen::Index>(i)]);
    }
  });
  return charts;
}

}  // namespace linkwork::apps
