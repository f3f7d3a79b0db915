#include "corrector_schedule_file.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>

#include <fstream>
#include <nlohmann/json.hpp>

namespace linkwork::apps {
namespace {

constexpr const char* schedule_format = "linkwork corrector schedule";

CorrectorSchedule schedule_from(const nlohmann::json& json) {
  if (json.at("format") != schedule_format) throw ModelError("its format is another one");
  CorrectorSchedule schedule;
  schedule.model = json.at("model");
  schedule.system = json.at("system");
  schedule.costs.evaluation = json.at("evaluation_cost");
  for (const nlohmann::json& each : json.at("intervals"))
    schedule.intervals.push_back({.from = each.at("from"),
                                  .phases = {each.at("dropped_lu"), each.at("simplified"), each.at("krylov")},
                                  .drop_tolerance = each.at("drop_tolerance"),
                                  .krylov_steps = each.at("krylov_steps")});
  if (schedule.empty()) throw ModelError("it has no intervals");
  return schedule;
}

}  // namespace

void write_corrector_schedule(std::ostream& out, const CorrectorSchedule& schedule) {
  nlohmann::ordered_json intervals = nlohmann::ordered_json::array();
  for (const CorrectorSchedule::Interval& each : schedule.intervals)
    intervals.push_back({{"from", each.from},
                         {"dropped_lu", each.phases.dropped_lu},
                         {"simplified", each.phases.simplified},
                         {"krylov", each.phases.krylov},
                         {"drop_tolerance", each.drop_tolerance},
                         {"krylov_steps", each.krylov_steps}});
  const nlohmann::ordered_json json = {{"format", schedule_format},
                                       {"model", schedule.model},
                                       {"system", schedule.system},
                                       {"evaluation_cost", schedule.costs.evaluation},
                                       {"intervals", intervals}};
  out << json.dump(2) << '\n';
}

CorrectorSchedule read_corrector_schedule(const std::string& file) {
  std::ifstream in(file);
  if (!in) throw ModelError(concat("the corrector's schedule '", file, "' can't be read."));
  try {
    return schedule_from(nlohmann::json::parse(in));
  } catch (const std::exception& error) {
    throw ModelError(
        concat("'", file, "' is no corrector's schedule: ", error.what(), "; write one by --analyse-corrector FILE."));
  }
}

}  // namespace linkwork::apps
