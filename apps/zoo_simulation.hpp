#pragma once

#include "zoo/zoo.hpp"

#include <linkwork/solvers/formulations/formulation.hpp>
#include <linkwork/solvers/simulation/simulation.hpp>

#include <memory>

namespace linkwork::apps {

/// The equations of a model of the zoo: made from its graph, or as they were posed.
/// @throws ModelError for options that make no sense, and for joint coordinates of posed equations
std::unique_ptr<EquationsOfMotion> make_equations(const ZooModel& model, const Parameters& parameters,
                                                  const EquationsOptions& options);

/// A simulation of a model of the zoo. Where forces read multipliers it starts from consistent ones (MEXX 5.4), which
/// the integrator would otherwise spend some dozen evaluations on.
/// @throws ModelError for options that make no sense
Simulation make_simulation(const ZooModel& model, const Parameters& parameters, SimulationOptions options);

/// Watches the zeros that the zoo offers for the model; the run goes on.
void add_offered_events(Simulation& simulation, const ZooModel& model);

/// The model's observables at the end of a run; empty if nothing was computed.
Eigen::VectorXd final_observables(Simulation& simulation);

/// reference_error at the end of a run; NaN if the zoo knows nothing about that time and these parameters.
double final_reference_error(Simulation& simulation, const ZooModel& model, const Parameters& parameters);

}  // namespace linkwork::apps
