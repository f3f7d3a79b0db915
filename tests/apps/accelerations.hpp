#pragma once

#include "zoo/zoo.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/solvers/formulations/formulation.hpp>
#include <linkwork/solvers/linear/linear_solver.hpp>

#include <gtest/gtest.h>
#include <string>

namespace linkwork::test {

inline SpatialModel build(const char* name, const Parameters& changes = {}) {
  const apps::ZooModel& entry = apps::find_model(name);
  return std::get<SpatialModel>(entry.build(entry.parameters_with(changes)));
}

/// Accelerations of all bodies' origins as observables besides those of the model.
inline void observe_accelerations(SpatialModel& model) {
  for (const BodyEntry<Spatial>& entry : model.data().bodies) {
    const Frame<Spatial> origin = model.body(entry.name).origin();
    for (int i = 0; i < 6; ++i)
      model.add_observable(concat("acceleration ", i, " of ", entry.name), "", [=](const Snapshot<Spatial>& now) {
        const Twist<Spatial> a = now.acceleration(origin);
        return i < 3 ? a.angular[i] : a.linear[i - 3];
      });
  }
}

/// All observables with the accelerations and multipliers of the initial state, by a linear solver of that name.
inline Eigen::VectorXd report(const SpatialModel& model, Formulation formulation,
                              const std::string& linear_solver = "dense-lu") {
  const auto equations = make_equations(model, {.formulation = formulation});
  const auto solver = make_linear_solver(linear_solver, *equations);
  State state = equations->initial_state();
  equations->set(state);
  equations->remember(true, -1);
  const Outcome outcome = [&] {
    const Outcome analysed = solver->analyze(*equations);
    return analysed ? solver->accelerations(state.a, state.lambda) : analysed;
  }();
  EXPECT_TRUE(outcome) << outcome.reason();
  Eigen::VectorXd values;
  equations->observables(state, values);
  return values;
}

}  // namespace linkwork::test
