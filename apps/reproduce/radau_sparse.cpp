#include "bench/cpu_clock.hpp"
#include "reproduce/tables.hpp"
#include "text_table.hpp"
#include "zoo_simulation.hpp"

#include <linkwork/solvers/integrators/radau.hpp>
#include <linkwork/solvers/simulation/simulation.hpp>

#include <string>

namespace linkwork::apps {
namespace {

constexpr double step = 1e-2;  // [s]

struct StepCost {
  double milliseconds = 0;  ///< of processor time per step, the first one apart: it finds the pattern
  int unknowns = 0;         ///< p, v, lambda and a
  Eigen::VectorXd end;
};

/// Steps of equal length with a new Jacobian each: no rate of convergence is below -1.
StepCost cost_of_steps(int bodies, StageSolver solver, int steps) {
  const ZooModel& model = find_model("pendulum_chain");
  SimulationOptions options;
  options.formulation = Formulation::absolute;
  options.integrator = RadauOptions{
      .rtol = 1e-4, .atol = 1e-4, .solver = solver, .kept_matrix_rate = -1, .first_step = step, .maximum_step = step};
  options.keep_dense_output = false;
  Simulation simulation = make_simulation(model, model.parameters_with({{"n", bodies}}), options);
  double first = 0, last = 0;
  simulation.observe([&](const State& state, EquationsOfMotion&) {
    last = cpu_seconds();
    if (state.t > 0 && first == 0) first = last;
    return true;
  });
  simulation.run(0, (steps + 1) * step);
  const Dimensions& n = simulation.equations().dimensions();
  const auto taken = static_cast<double>(simulation.statistics().integrator.steps - 1);
  return {1e3 * (last - first) / taken, n.p + 2 * n.v + n.constraints(), final_observables(simulation)};
}

}  // namespace

void reproduce_radau_sparse(std::ostream& out) {
  TextTable table({"bodies", "unknowns", "sparse, ms per step", "dense, ms per step", "ratio", "difference"});
  for (const int bodies : {25, 50, 100, 200}) {
    const int steps = 3;
    const StepCost sparse = cost_of_steps(bodies, StageSolver::sparse, steps),
                   dense = cost_of_steps(bodies, StageSolver::dense, steps);
    table.add({std::to_string(bodies), std::to_string(sparse.unknowns), number(sparse.milliseconds, 3),
               number(dense.milliseconds, 3), number(dense.milliseconds / sparse.milliseconds, 3),
               number((sparse.end - dense.end).lpNorm<Eigen::Infinity>(), 2)});
  }
  table.print(out);
  out << "\nChain of pendulums in absolute coordinates, steps of " << number(step)
      << " s with a Jacobian each; difference of the observables at the end.\n";
}

}  // namespace linkwork::apps
