#include "methods.hpp"

#include <sstream>

namespace linkwork::apps {

const std::vector<std::string>& integrator_names() {
  static const std::vector<std::string> names = {"extrapolation", "bdf"};
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
  TopologyOptions options{.strategy = CutStrategy::given};
  std::istringstream names(text);
  for (std::string name; std::getline(names, name, ',');)
    if (!name.empty()) options.cuts.push_back(name);
  if (options.cuts.empty())
    throw ModelError(concat("--cuts '", text, "' names nothing; give ", strategies[0], ", ", strategies[1],
                            " or names of joints with commas between them."));
  return options;
}

}  // namespace linkwork::apps
