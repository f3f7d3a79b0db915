#include "methods.hpp"

#include <sstream>

namespace linkwork::apps {

const std::vector<std::string>& integrator_names() {
  static const std::vector<std::string> names = {"extrapolation"};
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
