#pragma once

#include "trajectory_file.hpp"
#include "zoo/zoo.hpp"

#include <linkwork/solvers/simulation.hpp>

#include <nlohmann/json.hpp>
#include <string>

namespace linkwork::apps {

/// How a run ended.
struct RunEnd {
  double t_begin = 0, t_end = 0;  ///< asked for [s]
  bool failed = false;
  std::string reason;  ///< of a failure
};

/// The JSON of `linkwork run`. Numbers that were not measured, or are not known, are null.
nlohmann::ordered_json run_report(Simulation& simulation, const ZooModel& model, const RunDescription& description,
                                  const RunEnd& end);

}  // namespace linkwork::apps
