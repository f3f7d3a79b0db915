#include <linkwork/solvers/files/run_report.hpp>

#include <linkwork/core/atomic_file.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/files/json_number.hpp>
#include <linkwork/solvers/files/run_json.hpp>
#include <linkwork/solvers/newton/corrector_options.hpp>

#include <array>
#include <ostream>
#include <string>

namespace linkwork {
namespace {

using Json = nlohmann::ordered_json;

Json dimensions_of(const Dimensions& d) {
  return {{"p", d.p},   {"v", d.v},     {"r", d.r},
          {"w", d.w},   {"s", d.s},     {"lambda", d.lambda},
          {"mu", d.mu}, {"eta", d.eta}, {"normalisation", d.normalisation}};
}

/// w and s that the equations solve for; `dimensions` has those among the unknowns.
Json eliminated_in(const EquationsOfMotion& equations) {
  const Dimensions& d = equations.dimensions();
  return {{"w", equations.auxiliary().size() - d.w}, {"s", equations.contacts().size() - d.s}};
}

Json observables_of(Simulation& simulation) {
  Json json = Json::object();
  Eigen::VectorXd values;
  if (!simulation.trajectory().empty())
    simulation.equations().observables(simulation.trajectory().final_state(), values);
  const auto names = simulation.equations().observable_names();
  for (Eigen::Index i = 0; i < values.size(); ++i) json[names[static_cast<std::size_t>(i)]] = number_or_null(values[i]);
  return json;
}

Json invariants_of(const Simulation& simulation) {
  Json json = Json::object();
  for (const InvariantReport& report : simulation.invariants())
    json[report.name] = {{"level", report.level}, {"max_drift", report.max_drift}, {"unit", report.unit}};
  return json;
}

Json by_phase(const std::array<std::int64_t, corrector_phases>& counts) {
  Json json = Json::object();
  for (std::size_t phase = 0; phase < counts.size(); ++phase)
    json[std::string(name_of(static_cast<CorrectorPhase>(phase)))] = counts[phase];
  return json;
}

Json corrector_of(const CorrectorStatistics& c) {
  return {{"refresh_cycles", c.refresh_cycles},
          {"solutions", c.solutions},
          {"iterations", by_phase(c.iterations)},
          {"solutions_in_phase", by_phase(c.solutions_in_phase)},
          {"phase_changes", c.phase_changes},
          {"postponed_refreshes", c.postponed_refreshes},
          {"plain_cycles", c.plain_cycles},
          {"krylov_steps", c.krylov_steps},
          {"krylov_function_calls", c.krylov_function_calls},
          {"low_rank_updates", c.low_rank_updates},
          {"threaded_factorizations", c.threaded_factorizations},
          {"drop_tolerance", c.drop_tolerance},
          {"factor_entries", c.factor_entries},
          {"dropped_entries", c.dropped_entries},
          {"factor_operations", c.factor_operations},
          {"work", c.work},
          {"evaluation_seconds", c.evaluation_seconds},
          {"factorization_seconds", c.factorization_seconds},
          {"substitution_seconds", c.substitution_seconds},
          {"krylov_seconds", c.krylov_seconds}};
}

}  // namespace

/// The kinds of work that this integrator does not do are zero.
Json to_json(const SimulationStatistics& s) {
  return {{"steps", s.integrator.steps},
          {"rejected_steps", s.integrator.rejected_steps},
          {"force_evaluations", s.evaluations.force},
          {"matrix_evaluations", s.evaluations.matrix},
          {"position_matrix_evaluations", s.evaluations.position_matrix},
          {"residual_evaluations", s.evaluations.residual},
          {"force_jacobian_evaluations", s.evaluations.force_jacobian},
          {"auxiliary_evaluations", s.evaluations.auxiliary},
          {"invariant_evaluations", s.evaluations.invariant},
          {"factorizations", s.linear.factorizations + s.integrator.factorizations},
          {"system_factorizations", s.linear.factorizations},
          {"iteration_factorizations", s.integrator.factorizations},
          {"linear_solves", s.linear.solves},
          {"linear_iterations", s.linear.iterations},
          {"symbolic_analyses", s.linear.analyses},
          {"function_calls", s.integrator.function_calls},
          {"function_calls_without_jacobian", s.integrator.function_calls - s.integrator.jacobian_function_calls},
          {"jacobian_evaluations", s.integrator.jacobian_evaluations},
          {"jacobian_refreshes", s.integrator.jacobian_refreshes},
          {"jacobian_updates", s.integrator.jacobian_updates},
          {"jacobian_groups", s.integrator.jacobian_groups},
          {"jacobian_groups_lower_bound", s.integrator.jacobian_groups_lower_bound},
          {"newton_iterations", s.integrator.newton_iterations},
          {"convergence_failures", s.integrator.convergence_failures},
          {"invariant_corrections", s.integrator.invariant_corrections},
          {"invariant_gaps", s.integrator.invariant_gaps},
          {"selector_updates", s.integrator.selector_updates},
          {"algebraic_decompositions", s.integrator.algebraic_decompositions},
          {"stage_solves", s.integrator.stage_solves},
          {"coordinate_choices", s.integrator.coordinate_choices},
          {"constraint_corrections", s.integrator.constraint_corrections},
          {"constraint_closures", s.integrator.constraint_closures},
          {"corrector", corrector_of(s.integrator.corrector)},
          {"restarts", s.restarts},
          {"wall_seconds", s.wall_seconds},
          {"balance_seconds", s.balance_seconds},
          {"dense_seconds", s.dense_seconds},
          {"event_seconds", s.event_seconds},
          {"output_seconds", s.output_seconds}};
}

Json meaning_of_statistics() {
  return {
      {"residual_evaluations",
       "evaluations of the position constraints g alone, in projections and in residuals of implicit methods; 0 "
       "where there are no constraint rows, as in trees in joint coordinates"},
      {"matrix_evaluations", "evaluations of M, G and the velocity offset at once"},
      {"factorizations", "system_factorizations and iteration_factorizations together"},
      {"system_factorizations", "by the linear solver, of masses with constraint rows"},
      {"iteration_factorizations", "of the iteration matrices of bdf and radau"},
      {"coordinate_choices", "of independent coordinates by a reduction"},
      {"constraint_corrections", "Newton iterations of a reduction at ends of steps"},
      {"constraint_closures", "and where equations are evaluated, for dependent coordinates"},
      {"corrector",
       "of bdf and radau: refresh cycles and what they did in each phase; work in multiply-adds where it is counted, "
       "by cycles that adapt and with --corrector-log; times with --corrector-log"},
      {"wall_seconds", "of the whole run, without balance_seconds"},
      {"balance_seconds", "of integrating the energy balance, which this report asks for"}};
}

Json to_json(const ConstraintResidual& r) {
  return {{"position_m", r.position_m},
          {"position_rad", r.position_rad},
          {"velocity_m_per_s", r.velocity_m_per_s},
          {"velocity_rad_per_s", r.velocity_rad_per_s},
          {"normalisation", r.normalisation}};
}

Json to_json(const EnergyReport& e) {
  const Json balance = e.balance < 0 ? Json(nullptr) : number_or_null(e.balance);
  return {{"initial", e.initial}, {"final", e.final}, {"max_drift", e.max_drift}, {"balance", balance}};
}

Json report_of_run(Simulation& simulation) {
  const Trajectory& path = simulation.trajectory();
  const auto time_or_null = [&](double (Trajectory::*time)() const) {
    return path.empty() ? Json(nullptr) : Json((path.*time)());
  };
  Json events = Json::array();
  for (const EventRecord& event : path.events()) events.push_back({{"name", event.name}, {"t", event.t}});
  const EquationsOfMotion& equations = simulation.equations();
  return {{"model", equations.model_name()},
          {"space", equations.space_name()},
          {"formulation", equations.formulation_name()},
          {"linear_solver", simulation.linear_solver_name()},
          {"integrator", simulation.integrator_name()},
          {"rtol", simulation.tolerances().rtol},
          {"atol", simulation.tolerances().atol},
          {"t_begin", time_or_null(&Trajectory::t_begin)},
          {"t_reached", time_or_null(&Trajectory::t_end)},
          {"dimensions", dimensions_of(equations.dimensions())},
          {"eliminated", eliminated_in(equations)},
          {"statistics", to_json(simulation.statistics())},
          {"statistics_meaning", meaning_of_statistics()},
          {"remarks", simulation.remarks()},
          {"constraint_residual", to_json(simulation.constraint_residual())},
          {"energy", to_json(simulation.energy())},
          {"invariants", invariants_of(simulation)},
          {"observables", observables_of(simulation)},
          {"events", events}};
}

void write_json(Simulation& simulation, std::ostream& out) { out << report_of_run(simulation).dump(2) << '\n'; }

void write_json(Simulation& simulation, const std::string& file) {
  AtomicFile out(file);
  write_json(simulation, out.stream());
  if (const Outcome written = out.commit(); !written) throw ModelError(written.reason());
}

}  // namespace linkwork
