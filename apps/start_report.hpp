#pragma once

#include <linkwork/solvers/simulation/simulation.hpp>

#include <nlohmann/json.hpp>
#include <ostream>
#include <vector>

namespace linkwork::apps {

/// A consistent start: all values by name, what determines them, and the other ways to close the loops.
struct StartReport {
  State state;
  InitialValues values;
  std::vector<AssemblyBranch> branches;  ///< the one taken first; empty where they were not looked for
};

/// The start of the last run, which had no step.
StartReport report_start(Simulation& simulation);
void print(std::ostream& out, const StartReport& report, const EquationsOfMotion& equations);
nlohmann::ordered_json to_json(const StartReport& report, const EquationsOfMotion& equations);

/// How conditions on the start were met; null where there were none.
nlohmann::ordered_json to_json(const InitialValues& values);

}  // namespace linkwork::apps
