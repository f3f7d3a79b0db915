#pragma once

#include "run_description.hpp"
#include "start_report.hpp"

#include <linkwork/solvers/analyses/rank_monitor.hpp>
#include <linkwork/solvers/simulation/simulation.hpp>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace linkwork::apps {

/// How a run ended.
struct RunEnd {
  double t_begin = 0, t_end = 0;  ///< asked for [s]
  enum class Status { done, failed, interrupted } status = Status::done;
  std::string reason;                                                  ///< of a failure or an interruption
  std::optional<std::vector<RankMonitor::Report>> singular_positions;  ///< where they were looked for
  std::optional<StartReport> start;                                    ///< of a run without a step
};

/// The JSON of `linkwork run`: that of write_json, and what the command knows besides.
nlohmann::ordered_json run_report(Simulation& simulation, const CommandModel& model, const RunDescription& description,
                                  const RunEnd& end);

}  // namespace linkwork::apps
