#include "zoo_simulation.hpp"

#include <limits>

namespace linkwork::apps {

Simulation make_simulation(const ZooModel& model, const Parameters& parameters, const SimulationOptions& options) {
  return std::visit([&](const auto& built) { return Simulation(built, options); }, model.build(parameters));
}

void add_offered_events(Simulation& simulation, const ZooModel& model) {
  for (const EventOffer& offer : model.events) {
    Event event;
    event.name = event.observable = offer.observable;
    event.residual_threshold = offer.residual_threshold;
    simulation.add_event(std::move(event));
  }
}

Eigen::VectorXd final_observables(Simulation& simulation) {
  Eigen::VectorXd values;
  if (!simulation.trajectory().empty())
    simulation.equations().observables(simulation.trajectory().final_state(), values);
  return values;
}

double final_reference_error(Simulation& simulation, const ZooModel& model, const Parameters& parameters) {
  const ReferencePoint* point =
      simulation.trajectory().empty() ? nullptr : model.reference_at(parameters, simulation.trajectory().t_end());
  if (!point) return std::numeric_limits<double>::quiet_NaN();
  return reference_error(*point, simulation.equations().observable_names(), final_observables(simulation));
}

}  // namespace linkwork::apps
