// Reduction to independent coordinates (REDUCE): its five methods beside direct integration.

#include "reproduce/tables.hpp"
#include "zoo/zoo.hpp"
#include "zoo_simulation.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/linear/linear_solver.hpp>
#include <linkwork/solvers/reductions/reduced_equations.hpp>
#include <linkwork/solvers/simulation/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

namespace linkwork::apps {
namespace {

constexpr double reduce_tolerance = 1e-8;

/// The accelerations' residual, over the largest acceleration of the rows.
double acceleration_violation(EquationsOfMotion& equations, const State& state) {
  equations.set(state);
  Eigen::VectorXd residual = -equations.gamma();
  if (residual.size() == 0 || state.a.size() == 0) return 0;
  equations.G().multiply_add(1.0, state.a, residual);
  return residual.lpNorm<Eigen::Infinity>() / std::max(1.0, equations.gamma().lpNorm<Eigen::Infinity>());
}

void add_reduced_run(TextTable& table, const ZooModel& model, double t, Reduction method) {
  SimulationOptions options{.integrator = ExtrapolationOptions{.rtol = reduce_tolerance, .atol = reduce_tolerance},
                            .reduction = {.method = method}};
  options.keep_dense_output = options.keep_steps = false;
  Simulation simulation = make_simulation(model, model.parameters_with({}), options);
  double accelerations = 0;
  simulation.observe([&](const State& state, EquationsOfMotion& equations) {
    accelerations = std::max(accelerations, acceleration_violation(equations, state));
    return true;
  });
  const std::string name = method == Reduction::none ? "direct" : name_of(method);
  try {
    simulation.run(0, t);
  } catch (const RunError& error) {
    table.add({model.name, name, concat("stops at ", number(error.time_reached(), 4), " s"), "", "", "", "", "", "", "",
               "", ""});
    return;
  }
  const SimulationStatistics& s = simulation.statistics();
  const ConstraintResidual& r = simulation.constraint_residual();
  table.add({model.name, name, std::to_string(s.integrator.steps), std::to_string(s.evaluations.force),
             number(1e3 * s.wall_seconds, 3), number(std::max(r.position_m, r.position_rad), 2),
             number(std::max(r.velocity_m_per_s, r.velocity_rad_per_s), 2), number(accelerations, 2),
             number(simulation.energy().max_drift, 2), std::to_string(s.integrator.coordinate_choices),
             std::to_string(s.integrator.constraint_corrections),
             number(final_reference_error(simulation, model, model.parameters_with({})), 2)});
}

}  // namespace

void reproduce_reduce(std::ostream& out) {
  struct Case {
    const char* name;
    double t;
  };
  TextTable table({"model", "reduction", "steps", "evaluations", "ms", "positions", "velocities", "accelerations",
                   "drift J", "choices", "corrections", "error"});
  for (const Case& each :
       {Case{"double_rod_pendulum", 10}, Case{"double_pendulum", 10}, Case{"andrews", 0.03}, Case{"bricard", 2},
        Case{"n_four_bar", 2}, Case{"spatial_slider_crank", 2}, Case{"chaplygin_sleigh", 2}})
    for (std::size_t i = 0; i < reduction_names().size(); ++i)
      add_reduced_run(table, find_model(each.name), each.t, static_cast<Reduction>(i));
  out << "Extrapolation at " << reduce_tolerance << ", absolute coordinates\n";
  table.print(out);
  out << "positions, velocities: largest violations at ends of steps [m, rad, s]; accelerations: relative to gamma; "
         "choices: of independent coordinates; corrections: Newton iterations at ends of steps; error: against the "
         "reference, where there is one\n";
}

/// Violations over time for several alpha = beta, and none.
void reproduce_reduce_violations(std::ostream& out) {
  const std::vector<double> alphas = {0, 1, 5, 10, 50};
  const ZooModel& model = find_model("double_rod_pendulum");
  out << "alpha,t,violation\n";
  for (const double alpha : alphas) {
    // A damping of next to nothing stands for none: 0 asks for a choice by the steps.
    constexpr double next_to_nothing = 1e-12;
    SimulationOptions options{
        .integrator = ExtrapolationOptions{.rtol = 1e-6, .atol = 1e-6, .maximum_step = 0.05},
        .reduction = {.method = Reduction::baumgarte, .alpha = alpha > 0 ? alpha : next_to_nothing}};
    Simulation simulation = make_simulation(model, model.parameters_with({}), options);
    simulation.observe([&](const State& state, EquationsOfMotion& equations) {
      equations.set(state);
      out << alpha << ',' << number(state.t, 6) << ',' << number(equations.g().lpNorm<Eigen::Infinity>(), 6) << '\n';
      return true;
    });
    simulation.run(0, 5);
  }
}

namespace {

/// The direction in which a reduction of a planar pendulum measures its independent velocity, and the share of a
/// velocity of 1 m/s along the circle that it sees.
struct Direction {
  double angle = 0, share = 0;
};
Direction direction_at(ReducedEquations& reduced, State state, double tangent) {
  const auto seen = [&](double x, double y) {
    state.v = Eigen::Vector2d(x, y);
    return reduced.reduced(state).v[0];
  };
  const double x = seen(1, 0), y = seen(0, 1), along = seen(std::cos(tangent), std::sin(tangent));
  return {std::atan2(y, x), std::abs(along) / std::hypot(x, y)};
}

}  // namespace

/// A pendulum that begins at the side, on its circle: partitions and singular values keep their first choice here, as
/// they do until their criteria are exceeded.
void reproduce_reduce_directions(std::ostream& out) {
  constexpr int points = 72;
  const ZooModel& model = find_model("pendulum");
  const auto equations = make_equations(model, model.parameters_with({}), {.formulation = Formulation::absolute});
  const auto solver = make_linear_solver("auto", *equations);
  State start = equations->initial_state();
  equations->set(start);
  if (const Outcome analysed = solver->analyze(*equations); !analysed) throw RunError(analysed.reason(), 0);
  std::vector<std::unique_ptr<ReducedEquations>> reductions;
  for (const Reduction method : {Reduction::partitioning, Reduction::svd, Reduction::null_space}) {
    reductions.push_back(make_reduced_equations(*equations, *solver, {.method = method}, {}));
    if (const Outcome begun = reductions.back()->begin(start); !begun) throw RunError(begun.reason(), 0);
  }
  out << "angle,partitioning,svd,null_space,share_partitioning,share_svd,share_null_space\n";
  for (int i = 0; i < points; ++i) {  // between the positions where a chosen coordinate stands still
    const double angle = std::numbers::pi + 2 * std::numbers::pi * (i + 0.5) / points;
    State state = start;
    state.p = Eigen::Vector2d(std::cos(angle), std::sin(angle));
    std::string angles, shares;
    for (const auto& reduced : reductions) {
      const Direction direction = direction_at(*reduced, state, angle + std::numbers::pi / 2);
      angles += ',' + number(direction.angle, 6);
      shares += ',' + number(direction.share, 6);
    }
    out << number(angle, 6) << angles << shares << '\n';
  }
}

}  // namespace linkwork::apps
