// What the READMEs say that runs cost and err: their tables are read, and each cell is run again.

#include "markdown.hpp"

#include "integrator_table.hpp"
#include "zoo_simulation.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/solvers/integrators/cvode.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <regex>
#include <string>
#include <vector>

namespace linkwork::apps {
namespace costs_test {

/// What stands in `marks`.
std::string quoted(const std::string& text) {
  static const std::regex code("`([^`]+)`");
  std::smatch match;
  return std::regex_search(text, match, code) ? match[1].str() : "";
}

/// The tables of a README whose first heading is a word.
std::vector<Markdown::Table> tables_headed(const char* file, const std::string& first) {
  std::vector<Markdown::Table> out;
  for (const Markdown::Table& table : read_markdown(source_folder() / file).tables)
    if (table.rows.front().front() == first) out.push_back(table);
  return out;
}

struct Cost {
  double steps = 0, evaluations = 0;
  std::optional<double> error;
};

/// "22 / 690, error 1e-2", "2278 / 16000: held by stability"; none of what is no cost.
std::optional<Cost> read_cost(const std::string& cell) {
  static const std::regex pattern("([0-9]+) / ([0-9]+)(, (error )?([0-9.]+e-[0-9]+))?(: held.*)?");
  std::smatch match;
  if (!std::regex_match(cell, match, pattern)) return {};
  Cost out{std::stod(match[1]), std::stod(match[2]), {}};
  if (match[5].matched) out.error = std::stod(match[5]);
  return out;
}

Simulation run(const ZooModel& model, const IntegratorOptions& integrator) {
  Simulation simulation = make_simulation(model, model.parameters_with({}),
                                          {.formulation = Formulation::relative, .integrator = integrator});
  simulation.run(0, model.t_end);
  return simulation;
}

IntegratorOptions integrator_at(const std::string& name, const ZooModel& model, double tolerance) {
  return find_integrator(name).make(model, {.rtol = tolerance, .atol = tolerance}, {});
}

/// By the zoo's reference, or from a run at 1e-11.
double error_of_end(Simulation& simulation, const ZooModel& model) {
  const double error = final_reference_error(simulation, model, model.parameters_with({}));
  if (!std::isnan(error)) return error;
  Simulation exact = run(model, integrator_at("extrapolation", model, 1e-11));
  const Eigen::VectorXd found = final_observables(simulation), expected = final_observables(exact);
  return ((found - expected).array() / expected.array().abs().max(1)).abs().maxCoeff();
}

/// Counts are written with two digits or all, and move by some percent with rounding; errors by their factor of some.
void expect_cost(const Cost& expected, const ZooModel& model, const std::string& integrator, double tolerance) {
  SCOPED_TRACE(concat(model.name, " by ", integrator, " at ", tolerance));
  Simulation simulation = run(model, integrator_at(integrator, model, tolerance));
  const SimulationStatistics& found = simulation.statistics();
  EXPECT_NEAR(static_cast<double>(found.integrator.steps), expected.steps, std::max(1.0, 0.05 * expected.steps));
  EXPECT_NEAR(static_cast<double>(found.evaluations.force), expected.evaluations, 0.1 * expected.evaluations);
  if (!expected.error) return;
  const double error = error_of_end(simulation, model);
  EXPECT_LT(error, 3 * *expected.error);
  EXPECT_GT(error, *expected.error / 10);
}

bool is_built(const std::string& integrator) {
  if (integrator.rfind("cvode", 0) != 0) return true;
  try {
    (void)make_integrator(CvodeOptions{});
  } catch (const ModelError&) {
    return false;
  }
  return true;
}

/// Rows of models, columns of integrators; a row without a model goes on with that of the row before.
int expect_costs(const Markdown::Table& table) {
  static const std::regex tolerance_at_end("(.*, )?(1e-[0-9]+)");
  int checked = 0;
  std::string model;
  for (std::size_t i = 1; i < table.rows.size(); ++i) {
    const std::vector<std::string>& row = table.rows[i];
    if (!quoted(row[0]).empty()) model = quoted(row[0]);
    std::smatch match;
    const double tolerance = std::regex_match(row[0], match, tolerance_at_end) ? std::stod(match[2]) : 1e-5;
    for (std::size_t j = 1; j < row.size(); ++j) {
      const std::optional<Cost> cost = read_cost(row[j]);
      EXPECT_TRUE(cost) << row[j];
      const std::string integrator = quoted(table.rows[0][j]);
      if (!cost || !is_built(integrator)) continue;
      expect_cost(*cost, find_model(model), integrator, tolerance);
      ++checked;
    }
  }
  return checked;
}

TEST(ReadmeCosts, OfIntegratorsAreThoseOfTheirRuns) {
  const std::vector<Markdown::Table> tables = tables_headed("solvers/README.md", "model");
  int checked = 0;
  for (const Markdown::Table& table : tables)
    if (read_cost(table.rows.at(1).at(1))) checked += expect_costs(table);
  EXPECT_GE(checked, 12);
}

TEST(ReadmeCosts, OfLibraryMethodsAreThoseOfTheirRuns) {
  const std::vector<Markdown::Table> tables = tables_headed("solvers/README.md", "model, tolerance");
  ASSERT_EQ(tables.size(), 1);
  EXPECT_GE(expect_costs(tables[0]), is_built("cvode-bdf") ? 24 : 16);
}

// The train carriage at 1e-4 for 15 s in relative coordinates: evaluations of the residual, whatever is published in
// brackets behind them.
TEST(ReadmeCosts, OfJacobiansAreThoseOfTheirRuns) {
  const std::vector<Markdown::Table> tables = tables_headed("solvers/README.md", "Jacobians");
  ASSERT_EQ(tables.size(), 1);
  const ZooModel& model = find_model("train_carriage");
  const auto count = [&](const std::string& jacobians, Formalism formalism) {
    BdfOptions bdf{.rtol = 1e-4, .atol = 1e-4, .formalism = formalism};
    bdf.jacobian.differences = jacobians.rfind("dense", 0) == 0 ? Differences::dense : Differences::grouped;
    const bool has_updates = jacobians.find("updates") != std::string::npos;
    bdf.jacobian.partitioned = has_updates ? PartitionedUpdates::on : PartitionedUpdates::off;
    Simulation simulation =
        make_simulation(model, model.parameters_with({}), {.formulation = Formulation::relative, .integrator = bdf});
    simulation.run(0, 15);
    return simulation.statistics().integrator;
  };
  for (std::size_t i = 1; i < tables[0].rows.size(); ++i) {
    const std::vector<std::string>& row = tables[0].rows[i];
    SCOPED_TRACE(row[0]);
    const IntegratorStatistics by_inverse = count(row[0], Formalism::explicit_inverse);
    EXPECT_NEAR(static_cast<double>(by_inverse.function_calls), std::stod(row[1]), 0.05 * std::stod(row[1]));
    EXPECT_EQ(by_inverse.jacobian_evaluations, std::stoi(row[3]));
    EXPECT_NEAR(static_cast<double>(count(row[0], Formalism::residual).function_calls), std::stod(row[2]),
                0.05 * std::stod(row[2]));
  }
}

}  // namespace costs_test
}  // namespace linkwork::apps
