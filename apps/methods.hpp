#pragma once

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/simulation.hpp>

#include <algorithm>
#include <string>
#include <vector>

// Names of methods on the command line, beside formulation_names() and linear_solver_names() of the library.

namespace linkwork::apps {

/// @throws ModelError naming what there is
inline void expect_known(const char* what, const std::string& name, const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), name) != known.end()) return;
  throw ModelError(concat("unknown ", what, " '", name, "'; there are: ", listed(known), "."));
}

const std::vector<std::string>& integrator_names();
const std::vector<std::string>& discretisation_names();
/// @throws ModelError for an unknown name, listing the known ones
Discretisation discretisation_named(const std::string& name);

// Options of `bdf`. The functions that end in _named throw ModelError for an unknown name, listing the known ones.
const std::vector<std::string>& formalism_names();
Formalism formalism_named(const std::string& name);
const std::vector<std::string>& difference_names();
Differences differences_named(const std::string& name);
const std::vector<std::string>& partitioned_names();
PartitionedUpdates partitioned_named(const std::string& name);
const std::vector<std::string>& refresh_names();
JacobianRefresh refresh_named(const std::string& name);
const std::vector<std::string>& pattern_names();
JacobianPattern pattern_named(const std::string& name);
const std::vector<std::string>& increment_names();
Increments increments_named(const std::string& name);
const std::vector<std::string>& iteration_solver_names();
IterationSolver iteration_solver_named(const std::string& name);

// Options of `radau`, likewise.
const std::vector<std::string>& form_names();
EquationForm form_named(const std::string& name);
const std::vector<std::string>& algebraic_names();
AlgebraicDecomposition algebraic_named(const std::string& name);
const std::vector<std::string>& differential_names();
DifferentialDecomposition differential_named(const std::string& name);
const std::vector<std::string>& selector_names();
SelectorRenewal selectors_named(const std::string& name);
const std::vector<std::string>& stage_solver_names();
StageSolver stage_solver_named(const std::string& name);
const std::vector<std::string>& step_control_names();
StepControl step_control_named(const std::string& name);
const std::vector<std::string>& starting_value_names();
StartingValues starting_values_named(const std::string& name);
const std::vector<std::string>& matrix_point_names();
MatrixPoint matrix_point_named(const std::string& name);

/// "fewest-rows" and "shortest-loops".
const std::vector<std::string>& cut_strategy_names();
/// What --cuts takes, for --help.
std::string cuts_help();
/// How loops are cut: a name of the above, or names of joints and constraints with commas between them.
/// @throws ModelError for an empty text
TopologyOptions parse_cuts(const std::string& text);

}  // namespace linkwork::apps
