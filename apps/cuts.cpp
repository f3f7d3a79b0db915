#include "cuts.hpp"

#include "comma_list.hpp"

#include <linkwork/core/concat.hpp>

namespace linkwork::apps {

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
