#pragma once

#include <linkwork/solvers/integrators/integrator.hpp>
#include <linkwork/solvers/reductions/reduction_options.hpp>

#include <memory>

namespace linkwork {

/// An integrator of full equations that hands reduced ones to another integrator, so that any integrator works with any
/// reduction. Its states are full ones, with the accelerations and multipliers of the equations at the ends of steps;
/// inside of steps positions and velocities are a polynomial through full states of the other's continuous solution,
/// of at least its degree. Where other independent coordinates are chosen, or a state is corrected, the other one
/// starts again from there. Equations without constraints go to the other one as they are.
/// @throws ModelError for options that make no sense
std::unique_ptr<Integrator> make_reduced_integrator(std::unique_ptr<Integrator> integrator,
                                                    const ReductionOptions& options);

}  // namespace linkwork
