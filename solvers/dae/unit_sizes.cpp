#include <linkwork/solvers/dae/unit_sizes.hpp>

#include <linkwork/core/power_of_two.hpp>
#include <linkwork/solvers/dae/sparse_patterns.hpp>

#include <cmath>
#include <vector>

namespace linkwork {

namespace {

/// The length for lengths, else 1.
template <class MeasureOf>
Eigen::VectorXd sizes(double length, int count, MeasureOf&& measure_of) {
  Eigen::VectorXd out(count);
  for (int i = 0; i < count; ++i) out[i] = measure_of(i) == Measure::length ? length : 1;
  return out;
}

}  // namespace

double rounded_length(const EquationsOfMotion& equations) {
  return detail::nearest_power_of_two(equations.characteristic_length());
}

Eigen::VectorXd position_sizes(const EquationsOfMotion& equations, double length) {
  return sizes(length, equations.dimensions().p, [&](int i) { return equations.position_measure(i); });
}

Eigen::VectorXd velocity_sizes(const EquationsOfMotion& equations, double length) {
  return sizes(length, equations.dimensions().v, [&](int i) { return equations.velocity_measure(i); });
}

Eigen::VectorXd constraint_sizes(const EquationsOfMotion& equations, double length) {
  const int rows = equations.dimensions().constraints();
  return sizes(length, rows, [&](int i) { return equations.constraint_measure(i); });
}

Eigen::VectorXd position_sizes(const EquationsOfMotion& equations) {
  return position_sizes(equations, rounded_length(equations));
}

Eigen::VectorXd velocity_sizes(const EquationsOfMotion& equations) {
  return velocity_sizes(equations, rounded_length(equations));
}

Eigen::VectorXd constraint_sizes(const EquationsOfMotion& equations) {
  return constraint_sizes(equations, rounded_length(equations));
}

Eigen::VectorXd velocity_metric(const EquationsOfMotion& equations) {
  return (velocity_sizes(equations) / rounded_length(equations)).cwiseAbs2();
}

Eigen::VectorXd stabilising_metric(EquationsOfMotion& equations) {
  constexpr double ease = 1024;  // errors in bodies are a thousandth then, and matrices are far from singular
  Eigen::VectorXd metric = velocity_metric(equations);
  std::vector<char> has_inertia(static_cast<std::size_t>(metric.size()), 0);
  detail::visit_blocks(equations.M(), [&](int i, int j, double) {
    if (i == j) has_inertia[static_cast<std::size_t>(i)] = 1;
  });
  for (Eigen::Index i = 0; i < metric.size(); ++i)
    if (has_inertia[static_cast<std::size_t>(i)] == 0) metric[i] *= ease;
  return metric;
}

UnitScaling unit_scaling(EquationsOfMotion& equations) {
  const double length = rounded_length(equations);
  const Eigen::VectorXd metric = velocity_metric(equations);
  Eigen::VectorXd mass = Eigen::VectorXd::Zero(metric.size());  // [kg], inertias over length^2
  detail::visit_blocks(equations.M(), [&](int i, int j, double value) {
    if (i == j) mass[i] = metric[i] * value;
  });
  const double largest = mass.size() > 0 && mass.maxCoeff() > 0 ? mass.maxCoeff() : 1.0;
  const double unit = detail::nearest_power_of_two(largest);
  UnitScaling scaling;
  scaling.velocities = length * metric.cwiseSqrt();
  for (Eigen::Index i = 0; i < mass.size(); ++i)
    if (mass[i] > 0) scaling.velocities[i] *= detail::nearest_power_of_two(std::sqrt(largest / mass[i]));
  scaling.dynamics = scaling.velocities / (unit * length * length);
  scaling.constraints = constraint_sizes(equations).cwiseInverse();
  scaling.stabilisers = length * length * scaling.constraints;
  scaling.multipliers = unit * scaling.stabilisers;
  return scaling;
}

}  // namespace linkwork
