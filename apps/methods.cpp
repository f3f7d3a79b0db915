#include "methods.hpp"

#include "comma_list.hpp"

namespace linkwork::apps {

const std::vector<std::string>& integrator_names() {
  static const std::vector<std::string> names = {"extrapolation", "bdf", "radau"};
  return names;
}

const std::vector<std::string>& discretisation_names() {
  static const std::vector<std::string> names = {"automatic", "standard", "friction", "midpoint"};
  return names;
}

Discretisation discretisation_named(const std::string& name) {
  expect_known("discretisation", name, discretisation_names());
  if (name == "standard") return Discretisation::standard;
  if (name == "friction") return Discretisation::friction;
  return name == "midpoint" ? Discretisation::midpoint : Discretisation::automatic;
}

namespace {

/// The enumerator whose number is the place of its name.
template <class Enum>
Enum named(const char* what, const std::string& name, const std::vector<std::string>& names) {
  expect_known(what, name, names);
  return static_cast<Enum>(std::find(names.begin(), names.end(), name) - names.begin());
}

}  // namespace

const std::vector<std::string>& formalism_names() {
  static const std::vector<std::string> names = {"residual", "explicit"};
  return names;
}
Formalism formalism_named(const std::string& name) { return named<Formalism>("formalism", name, formalism_names()); }

const std::vector<std::string>& difference_names() {
  static const std::vector<std::string> names = {"dense", "grouped"};
  return names;
}
Differences differences_named(const std::string& name) {
  return named<Differences>("kind of differences", name, difference_names());
}

const std::vector<std::string>& partitioned_names() {
  static const std::vector<std::string> names = {"off", "on", "extended"};
  return names;
}
PartitionedUpdates partitioned_named(const std::string& name) {
  return named<PartitionedUpdates>("kind of partitioned updates", name, partitioned_names());
}

const std::vector<std::string>& refresh_names() {
  static const std::vector<std::string> names = {"whole", "blocks"};
  return names;
}
JacobianRefresh refresh_named(const std::string& name) {
  return named<JacobianRefresh>("refresh", name, refresh_names());
}

const std::vector<std::string>& pattern_names() {
  static const std::vector<std::string> names = {"exact", "estimated"};
  return names;
}
JacobianPattern pattern_named(const std::string& name) {
  return named<JacobianPattern>("pattern", name, pattern_names());
}

const std::vector<std::string>& increment_names() {
  static const std::vector<std::string> names = {"weighted", "relative"};
  return names;
}
Increments increments_named(const std::string& name) {
  return named<Increments>("kind of increments", name, increment_names());
}

const std::vector<std::string>& iteration_solver_names() {
  static const std::vector<std::string> names = {"automatic", "dense", "klu", "umfpack"};
  return names;
}
IterationSolver iteration_solver_named(const std::string& name) {
  return named<IterationSolver>("solver of the iteration matrix", name, iteration_solver_names());
}

const std::vector<std::string>& form_names() {
  static const std::vector<std::string> names = {"psf", "pEoM1", "index3", "index2", "index1", "ggl", "psfI"};
  return names;
}
EquationForm form_named(const std::string& name) {
  return named<EquationForm>("form of the equations", name, form_names());
}

const std::vector<std::string>& algebraic_names() {
  static const std::vector<std::string> names = {"automatic", "lu", "qr", "svd"};
  return names;
}
AlgebraicDecomposition algebraic_named(const std::string& name) {
  return named<AlgebraicDecomposition>("decomposition of the algebraic part", name, algebraic_names());
}

const std::vector<std::string>& differential_names() {
  static const std::vector<std::string> names = {"lu", "qr"};
  return names;
}
DifferentialDecomposition differential_named(const std::string& name) {
  return named<DifferentialDecomposition>("decomposition of the differential part", name, differential_names());
}

const std::vector<std::string>& selector_names() {
  static const std::vector<std::string> names = {"adapted", "every-step"};
  return names;
}
SelectorRenewal selectors_named(const std::string& name) {
  return named<SelectorRenewal>("renewal of selectors", name, selector_names());
}

const std::vector<std::string>& stage_solver_names() {
  static const std::vector<std::string> names = {"automatic", "dense", "sparse"};
  return names;
}
StageSolver stage_solver_named(const std::string& name) {
  return named<StageSolver>("solver of the stages", name, stage_solver_names());
}

const std::vector<std::string>& step_control_names() {
  static const std::vector<std::string> names = {"predictive", "classical"};
  return names;
}
StepControl step_control_named(const std::string& name) {
  return named<StepControl>("step control", name, step_control_names());
}

const std::vector<std::string>& starting_value_names() {
  static const std::vector<std::string> names = {"extrapolated", "constant"};
  return names;
}
StartingValues starting_values_named(const std::string& name) {
  return named<StartingValues>("kind of starting values", name, starting_value_names());
}

const std::vector<std::string>& matrix_point_names() {
  static const std::vector<std::string> names = {"start", "stage1", "stage2", "stage3"};
  return names;
}
MatrixPoint matrix_point_named(const std::string& name) {
  return named<MatrixPoint>("point of the iteration matrix", name, matrix_point_names());
}

const std::vector<std::string>& cut_strategy_names() {
  static const std::vector<std::string> names = {"fewest-rows", "shortest-loops"};
  return names;
}

std::string cuts_help() {
  return "how loops are cut: " + listed(cut_strategy_names()) + ", or names of joints with commas between them";
}

TopologyOptions parse_cuts(const std::string& text) {
  const std::vector<std::string>& strategies = cut_strategy_names();
  if (text == strategies[0]) return {};
  if (text == strategies[1]) return {.strategy = CutStrategy::shortest_loops};
  return {.strategy = CutStrategy::given,
          .cuts = comma_list("--cuts", text,
                             concat(listed(strategies), ", or names of joints with one comma between them"))};
}

}  // namespace linkwork::apps
