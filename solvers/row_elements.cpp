#include <linkwork/solvers/row_elements.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/solvers/equations/graph_equations.hpp>

#include <cmath>

namespace linkwork {

std::vector<std::string> elements_of_row(const EquationsOfMotion& equations, int row) {
  if (const auto* planar = dynamic_cast<const GraphEquations<Planar>*>(&equations)) return planar->elements_of_row(row);
  if (const auto* spatial = dynamic_cast<const GraphEquations<Spatial>*>(&equations))
    return spatial->elements_of_row(row);
  return {equations.constraint_element(row)};
}

std::string residual_text(const EquationsOfMotion& equations, int row, double residual) {
  constexpr double no_angle = 7;  // more than a full turn
  const Measure measure = equations.constraint_measure(row);
  if (measure == Measure::angle && std::abs(residual) > no_angle) return "about half a turn";
  return concat(std::abs(residual), measure == Measure::unknown ? "" : " ", unit_of(measure));
}

std::string rate_text(const EquationsOfMotion& equations, int row, double residual) {
  const Measure measure = equations.constraint_measure(row);
  return concat(std::abs(residual), measure == Measure::unknown ? "" : " ", rate_unit_of(measure));
}

}  // namespace linkwork
