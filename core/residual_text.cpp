#include <linkwork/core/residual_text.hpp>

#include <linkwork/core/concat.hpp>

#include <cmath>

namespace linkwork {

std::string residual_text(const EquationNames& equations, int row, double residual) {
  constexpr double no_angle = 7;  // more than a full turn
  const Measure measure = equations.constraint_measure(row);
  if (measure == Measure::angle && std::abs(residual) > no_angle) return "about half a turn";
  return concat(std::abs(residual), measure == Measure::unknown ? "" : " ", unit_of(measure));
}

std::string rate_text(const EquationNames& equations, int row, double residual) {
  const Measure measure = equations.constraint_measure(row);
  return concat(std::abs(residual), measure == Measure::unknown ? "" : " ", rate_unit_of(measure));
}

}  // namespace linkwork
