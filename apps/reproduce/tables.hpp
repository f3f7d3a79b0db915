#pragma once

#include "figures/data_figure.hpp"
#include "text_table.hpp"

#include <cmath>
#include <functional>
#include <ostream>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

namespace linkwork::apps {

/// A published table or experiment, and how to repeat it.
struct PublishedTable {
  std::string name, title;
  std::function<void(std::ostream&)> reproduce;
  Figure figure = {};  ///< how its comma-separated values are drawn

  /// Comma-separated values, no table for people.
  bool is_data() const { return !std::holds_alternative<std::monostate>(figure); }
  bool is_figure() const { return is_data() && !std::holds_alternative<ValuesOnly>(figure); }
};

const std::vector<PublishedTable>& published_tables();

/// Ours and, in brackets, the published number where there is one.
template <class Ours, class Published>
std::string beside(Ours ours, Published published) {
  const auto text = [](auto value) {
    if constexpr (std::is_integral_v<decltype(value)>)
      return std::to_string(value);
    else
      return number(value, 6);
  };
  if constexpr (!std::is_integral_v<Published>)
    if (std::isnan(published)) return text(ours);
  return text(ours) + " (" + text(published) + ")";
}

// Lubich, Nowak, Poehle, Engstler: MEXX, chapter 5.
void reproduce_mexx_cable_drum(std::ostream& out);
void reproduce_mexx_seven_body(std::ostream& out);
void reproduce_mexx_truck(std::ostream& out);
void reproduce_mexx_insulator_dimensions(std::ostream& out);
void reproduce_mexx_insulator_runs(std::ostream& out);
void reproduce_mexx_insulator_solvers(std::ostream& out);
void reproduce_mexx_shapes(std::ostream& out);
void reproduce_mexx_roots(std::ostream& out);
void reproduce_mexx_dense(std::ostream& out);

// Arnold, Fuchs, Fuehrer: Efficient corrector iteration (CORR), chapter 4.
void reproduce_corr_train_carriage(std::ostream& out);
void reproduce_corr_pendulum_chain(std::ostream& out);
void reproduce_corr_lane_change(std::ostream& out);
void reproduce_corr_pattern(std::ostream& out);
void reproduce_corr_times(std::ostream& out);
void reproduce_corr_andrews(std::ostream& out);

// Steinbrecher: GEOMS, chapter 4.
void reproduce_geoms_slow_pendulum(std::ostream& out);
void reproduce_geoms_fast_pendulum(std::ostream& out);
void reproduce_geoms_energy(std::ostream& out);
void reproduce_geoms_pendulum_efficiency(std::ostream& out);
void reproduce_geoms_residuals(std::ostream& out);
void reproduce_geoms_motion(std::ostream& out);
void reproduce_geoms_truck_efficiency(std::ostream& out);

// Reduction to independent coordinates (REDUCE), chapters 2 to 6.
void reproduce_reduce(std::ostream& out);
void reproduce_reduce_violations(std::ostream& out);
void reproduce_reduce_directions(std::ostream& out);

// What is read of runs.
void reproduce_curves(std::ostream& out);

// Speed against other codes, and of one method against another.
void reproduce_pendulum_32(std::ostream& out);
void reproduce_radau_sparse(std::ostream& out);

// Errors of runs beside their tolerances.
void reproduce_tolerances(std::ostream& out);

}  // namespace linkwork::apps
