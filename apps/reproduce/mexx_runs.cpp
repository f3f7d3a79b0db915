#include "reproduce/mexx_runs.hpp"

#include "text_table.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/simulation/simulation.hpp>

#include <algorithm>
#include <cmath>

namespace linkwork::apps {

namespace {

double median(std::vector<double> values) {
  if (values.empty()) return unknown;
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

WorkAndError over_first_steps(const ZooModel& model, const Parameters& changes, SimulationOptions options,
                              const ErrorMeasure& error) {
  WorkAndError out;
  std::vector<double> steps, evaluations, solves, errors;
  for (int k = -4; k <= 4; ++k) {
    options.integrator.get_if<ExtrapolationOptions>()->first_step = 1e-3 * std::pow(2, 0.5 * k);
    Simulation simulation = make_simulation(model, model.parameters_with(changes), options);
    try {
      simulation.run(0, model.t_end);
    } catch (const RunError& failure) {
      out.failure = concat("fails at t = ", failure.time_reached());
      continue;
    }
    const SimulationStatistics& statistics = simulation.statistics();
    steps.push_back(static_cast<double>(statistics.integrator.steps));
    evaluations.push_back(static_cast<double>(statistics.evaluations.matrix));
    solves.push_back(static_cast<double>(statistics.linear.solves));
    errors.push_back(error(simulation));
  }
  out.steps = median(steps);
  out.evaluations = median(evaluations);
  out.solves = median(solves);
  out.error = median(errors);
  out.worst_error = errors.empty() ? unknown : *std::max_element(errors.begin(), errors.end());
  return out;
}

WorkAndError over_first_steps(const ZooModel& model, const Parameters& changes, const SimulationOptions& options) {
  const Parameters parameters = model.parameters_with(changes);
  return over_first_steps(model, changes, options,
                          [&](Simulation& simulation) { return final_reference_error(simulation, model, parameters); });
}

double largest_angle_error(Simulation& simulation) {
  const ZooModel& model = find_model("andrews");
  const ReferencePoint* reference = model.reference_at(model.parameters_with({}), model.t_end);
  const Eigen::VectorXd values = final_observables(simulation);
  const auto names = simulation.equations().observable_names();
  double error = 0;
  for (const char* angle : {"beta", "theta", "gamma", "phi", "delta", "omega", "epsilon"}) {
    const auto at = std::find(names.begin(), names.end(), angle) - names.begin();
    for (const auto& [name, expected] : reference->values)
      if (name == angle) error = std::max(error, std::abs(values[at] / expected - 1));
  }
  return error;
}

double operations(const Simulation& simulation) {
  const SimulationStatistics& statistics = simulation.statistics();
  const auto calls = [](const EvaluationCounters& n) {
    return n.force + n.matrix + n.position_matrix + n.residual + n.state_rate + n.auxiliary + n.force_jacobian +
           n.invariant;
  };
  return static_cast<double>(calls(statistics.evaluations) + calls(statistics.driver_evaluations) +
                             statistics.linear.factorizations + statistics.linear.solves);
}

SimulationOptions mexx_options(double tolerance, const std::string& linear_solver) {
  SimulationOptions options;
  options.linear_solver = linear_solver;
  options.integrator = ExtrapolationOptions{.rtol = tolerance, .atol = tolerance, .first_step = 1e-3};
  options.keep_dense_output = false;
  options.keep_steps = false;
  return options;
}

const std::vector<CableDrumRow>& published_cable_drum() {
  constexpr auto standard = Discretisation::standard, friction = Discretisation::friction;
  // The published runs of the standard discretisation with mu = 1.25 and 1.5 failed after 47 and 23 steps.
  static const std::vector<CableDrumRow> rows = {{standard, 0.0, 7, 99, 107},
                                                 {standard, 0.125, 8, 102, 111},
                                                 {standard, 0.25, 9, 112, 122},
                                                 {standard, 0.5, 10, 162, 173},
                                                 {standard, 0.75, 23, 273, 297},
                                                 {standard, 1.0, 76, 1082, 1159},
                                                 {standard, 1.25, 47, unknown, unknown},
                                                 {standard, 1.5, 23, unknown, unknown},
                                                 {friction, 0.0, 7, 99, 107},
                                                 {friction, 0.125, 7, 99, 107},
                                                 {friction, 0.25, 7, 99, 107},
                                                 {friction, 0.5, 7, 99, 107},
                                                 {friction, 0.75, 7, 105, 114},
                                                 {friction, 1.0, 7, 87, 95},
                                                 {friction, 1.25, 9, 149, 159},
                                                 {friction, 1.5, 8, 114, 123}};
  return rows;
}

const std::vector<SevenBodyRow>& published_seven_body() {
  static const std::vector<SevenBodyRow> rows = {{1e-3, 17, 488, 511, 3.2},
                                                 {1e-5, 26, 925, 957, 6.2},
                                                 {1e-7, 23, 1530, 1563, 10.3},
                                                 {1e-9, 32, 2533, 2571, 17.3},
                                                 {1e-11, 37, 3554, 3611, 25.5}};
  return rows;
}

const std::vector<InsulatorRow>& published_insulators() {
  static const std::vector<InsulatorRow> rows = {
      {16, 1e-3, 13, 583, 597, 20.1}, {16, 1e-5, 13, 846, 862, 28.5},  {16, 1e-7, 17, 1396, 1414, 47.0},
      {32, 1e-3, 13, 473, 488, 30.4}, {32, 1e-5, 12, 759, 774, 47.8},  {32, 1e-7, 15, 1204, 1220, 75.3},
      {64, 1e-3, 13, 444, 460, 61.5}, {64, 1e-5, 15, 890, 906, 121.5}, {64, 1e-7, 15, 1164, 1180, 145.0}};
  return rows;
}

}  // namespace linkwork::apps
