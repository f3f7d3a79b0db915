#include "model_simulation.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/linear/linear_solver.hpp>
#include <linkwork/solvers/manifold/consistent_accelerations.hpp>

#include <limits>
#include <memory>
#include <optional>
#include <utility>

namespace linkwork::apps {

namespace {

/// The initial state with multipliers that agree with the forces that read them. None if the system is singular or the
/// iteration does not settle; the integrator then looks for multipliers by itself.
std::optional<State> consistent_start(EquationsOfMotion& equations) {
  State state = equations.initial_state();
  equations.set(state);
  equations.remember(true, -1);
  if (!find_accelerations(equations, state)) return {};
  state.a.setZero();
  return state;
}

}  // namespace

std::unique_ptr<EquationsOfMotion> make_equations(const CommandModel& model, const Parameters& parameters,
                                                  const EquationsOptions& options) {
  if (std::unique_ptr<EquationsOfMotion> posed = model.pose ? model.pose(parameters) : nullptr) {
    if (options.formulation == Formulation::absolute) return posed;
    throw ModelError(
        concat(model.name, " is posed directly as equations here, in its own coordinates: there is no ",
               name_of(options.formulation),
               " formulation; leave it out, or choose parameters that give the model a graph of bodies, with --set."));
  }
  return std::visit([&](const auto& built) { return make_equations(built, options); }, model.build(parameters));
}

Simulation make_simulation(const CommandModel& model, const Parameters& parameters, SimulationOptions options) {
  std::unique_ptr<EquationsOfMotion> equations =
      make_equations(model, parameters,
                     {options.formulation, options.topology, unknowns_for(options.integrator, options.reduction.method),
                      options.rough_placement});
  std::optional<State> start;
  if (equations->forces_read_multipliers()) start = consistent_start(*equations);
  if (auto* extrapolation = options.integrator.get_if<ExtrapolationOptions>(); extrapolation && start)
    extrapolation->multipliers_given = true;
  Simulation simulation(std::move(equations), std::move(options));
  if (start) simulation.set_initial_state(*start);
  return simulation;
}

void add_offered_events(Simulation& simulation, const CommandModel& model) {
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

double final_reference_error(Simulation& simulation, const CommandModel& model, const Parameters& parameters) {
  const ReferencePoint* point =
      simulation.trajectory().empty() ? nullptr : model.reference_at(parameters, simulation.trajectory().t_end());
  if (!point) return std::numeric_limits<double>::quiet_NaN();
  return reference_error(*point, simulation.equations().observable_names(), final_observables(simulation));
}

}  // namespace linkwork::apps
