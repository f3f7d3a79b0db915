#include "trajectory_file.hpp"

#include "cuts.hpp"
#include "model_simulation.hpp"

#include <linkwork/solvers/files/trajectory_bytes.hpp>

#include <memory>
#include <utility>

namespace linkwork::apps {

void write_trajectory(std::ostream& out, const RunDescription& description, const Trajectory& trajectory) {
  write_trajectory_bytes(trajectory, to_json(description), out);
}

SavedRun read_trajectory(const std::string& file, const ModelList& models) {
  TrajectoryBytes read = read_trajectory_bytes(file);
  SavedRun run;
  try {
    run.description = run_description_from(read.description);
  } catch (const nlohmann::ordered_json::exception& error) {
    refuse_content(file, error.what());
  }
  const RunDescription& description = run.description;
  const CommandModel& model = models.find(description.model);
  const EquationsOptions options{formulation_named(description.formulation), parse_cuts(description.cuts),
                                 read.carries_unknowns() ? AuxiliaryUnknowns::carried : AuxiliaryUnknowns::eliminated};
  std::shared_ptr<EquationsOfMotion> equations =
      make_equations(model, model.parameters_with(description.parameters), options);
  run.trajectory = Trajectory(std::move(read.segments), std::move(read.events), std::move(equations),
                              description.linear_solver, std::move(read.attempts));
  return run;
}

}  // namespace linkwork::apps
