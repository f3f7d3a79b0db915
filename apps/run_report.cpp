#include "run_report.hpp"

#include "model_simulation.hpp"

#include <linkwork/solvers/files/json_number.hpp>
#include <linkwork/solvers/files/run_json.hpp>

namespace linkwork::apps {
namespace {

using Json = nlohmann::ordered_json;

Json singular_positions(const RunEnd& end) {
  if (!end.singular_positions) return nullptr;
  Json json = Json::array();
  for (const RankMonitor::Report& report : *end.singular_positions)
    json.push_back({{"t", report.t}, {"sentence", report.sentence}});
  return json;
}

const char* name_of(RunEnd::Status status) {
  switch (status) {
    case RunEnd::Status::done:
      return "done";
    case RunEnd::Status::failed:
      return "failed";
    case RunEnd::Status::interrupted:
      return "interrupted";
  }
  return "";
}

}  // namespace

Json run_report(Simulation& simulation, const CommandModel& model, const RunDescription& description,
                const RunEnd& end) {
  Json report = to_json(description);
  Json of_run = report_of_run(simulation);
  for (const auto& [name, value] : report.items()) of_run.erase(name);  // the command's own words
  report.update(of_run);
  report.update({{"t_begin", end.t_begin},
                 {"t_end", end.t_end},
                 {"status", name_of(end.status)},
                 {"reason", end.reason},
                 {"reference",
                  {{"source", model.reference_source},
                   {"max_error", number_or_null(final_reference_error(simulation, model, description.parameters))}}},
                 {"singular_positions", singular_positions(end)},
                 {"start", to_json(simulation.initial_values())},
                 {"state", end.start ? to_json(*end.start, simulation.equations()) : Json(nullptr)}});
  return report;
}

}  // namespace linkwork::apps
