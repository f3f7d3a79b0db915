#include <linkwork/solvers/jacobian/given_jacobian.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>

#include <algorithm>
#include <cmath>

namespace linkwork {

namespace {

constexpr double tolerance_of_entries = 1e-3;

/// A derivative of F along a direction of y, and how far differences with steps h and 2 h disagree about it.
struct DirectionalDifference {
  Eigen::VectorXd value, uncertainty;
};

DirectionalDifference difference_along(ResidualFunction& function, double t, const Eigen::VectorXd& y,
                                       const Eigen::VectorXd& y_rate, const Eigen::VectorXd& direction) {
  constexpr double step = 1e-5;  // near the cube root of the rounding, where errors of central differences are least
  const auto quotient = [&](double h) {
    Eigen::VectorXd ahead(function.equations()), behind(function.equations());
    function.evaluate(t, y + h * direction, y_rate, ahead);
    function.evaluate(t, y - h * direction, y_rate, behind);
    return Eigen::VectorXd((ahead - behind) / (2 * h));
  };
  const Eigen::VectorXd fine = quotient(step), coarse = quotient(2 * step);
  return {fine, (fine - coarse).cwiseAbs()};
}

}  // namespace

Outcome check_given_jacobian(ResidualFunction& function, const Eigen::MatrixXd& given, double t,
                             const Eigen::VectorXd& y, const Eigen::VectorXd& y_rate) {
  if (given.rows() != function.equations() || given.cols() != function.size())
    return Outcome::failure(concat("the Jacobian that was given has ", given.rows(), " x ", given.cols(),
                                   " entries; there are ", function.equations(), " equations and ", function.size(),
                                   " unknowns"));
  // Unknowns by their own sizes, with signs and factors that do not cancel.
  Eigen::VectorXd direction(y.size());
  for (Eigen::Index j = 0; j < y.size(); ++j)
    direction[j] =
        std::max(1.0, std::abs(y[j])) * (0.75 + 0.25 * std::sin(7.0 * static_cast<double>(j))) * (j % 3 == 1 ? -1 : 1);
  const auto is_off = [&](double entry, double expected, double uncertainty, double size) {
    return std::abs(entry - expected) > tolerance_of_entries * (size + std::abs(expected)) + 10 * uncertainty;
  };
  try {
    const DirectionalDifference along = difference_along(function, t, y, y_rate, direction);
    const Eigen::VectorXd claimed = given * direction, sizes = given.cwiseAbs() * direction.cwiseAbs();
    bool is_wrong = false;
    for (Eigen::Index i = 0; i < claimed.size(); ++i)
      is_wrong = is_wrong || is_off(claimed[i], along.value[i], along.uncertainty[i], sizes[i]);
    if (!is_wrong) return {};

    // Once more column by column, to name the worst entry.
    double worst = 0;
    std::string finding;
    for (Eigen::Index j = 0; j < y.size(); ++j) {
      Eigen::VectorXd unit = Eigen::VectorXd::Zero(y.size());
      unit[j] = std::abs(direction[j]);
      const DirectionalDifference column = difference_along(function, t, y, y_rate, unit);
      for (Eigen::Index i = 0; i < claimed.size(); ++i) {
        const double entry = given(i, j) * unit[j], gap = std::abs(entry - column.value[i]);
        if (gap <= worst || !is_off(entry, column.value[i], column.uncertainty[i], std::abs(entry))) continue;
        worst = gap;
        finding = concat("the Jacobian that was given is not the derivative of the equations: the entry of '",
                         function.equation_name(static_cast<int>(i)), "' by '",
                         function.unknown_name(static_cast<int>(j)), "' is ", given(i, j), ", and differences give ",
                         column.value[i] / unit[j], " at t = ", t, " s; mend it, or leave it out");
      }
    }
    if (!finding.empty()) return Outcome::failure(finding);
  } catch (const RecoverableFailure&) {  // no point to judge at
  }
  return {};
}

}  // namespace linkwork
