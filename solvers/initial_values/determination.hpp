#pragma once

// Internal: how far the equations of a start determine it.

#include <linkwork/solvers/initial_values/consistency.hpp>

#include <string>
#include <vector>

namespace linkwork {

struct Determination {
  std::vector<int> free;  ///< unknowns that can be chosen independently, as many as the equations leave open
  std::vector<std::string> redundant_conditions;  ///< sentences: from what they follow
};

/// By the ranks of the chosen equations at a state that satisfies them. A condition is redundant if it depends on the
/// constraints and on conditions before it.
Determination determination(Consistency& problem, const State& x);

}  // namespace linkwork
