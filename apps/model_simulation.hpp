#pragma once

#include "model_list.hpp"

#include <linkwork/solvers/formulations/formulation.hpp>
#include <linkwork/solvers/simulation/simulation.hpp>

#include <memory>

namespace linkwork::apps {

/// The equations of a model: made from its graph, or as they were posed.
/// @throws ModelError for options that make no sense, and for joint coordinates of posed equations
std::unique_ptr<EquationsOfMotion> make_equations(const CommandModel& model, const Parameters& parameters,
                                                  const EquationsOptions& options);

/// A simulation of a model. Where forces read multipliers it starts from consistent ones (MEXX 5.4), which
/// the integrator would otherwise spend some dozen evaluations on.
/// @throws ModelError for options that make no sense
Simulation make_simulation(const CommandModel& model, const Parameters& parameters, SimulationOptions options);

/// Watches the zeros that are offered with the model; the run goes on.
void add_offered_events(Simulation& simulation, const CommandModel& model);

/// The model's observables at the end of a run; empty if nothing was computed.
Eigen::VectorXd final_observables(Simulation& simulation);

/// reference_error at the end of a run; NaN if nothing is known about that time and these parameters.
double final_reference_error(Simulation& simulation, const CommandModel& model, const Parameters& parameters);

}  // namespace linkwork::apps
