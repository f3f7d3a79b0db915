#include <linkwork/solvers/simulation/simulation.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/solvers/analyses/quantities.hpp>
#include <linkwork/solvers/reductions/reduced_integrator.hpp>
#include <linkwork/solvers/simulation/remarks.hpp>
#include <linkwork/solvers/simulation/simulation_run.hpp>

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <iostream>
#include <mutex>
#include <sstream>

namespace linkwork {

namespace {

void warn_if_not_optimised() {
#ifndef __OPTIMIZE__
  static std::once_flag once;
  std::call_once(once, [] {
    std::cerr << "linkwork: this program was built without optimisation and runs many times slower; "
                 "set CMAKE_BUILD_TYPE to Release.\n";
  });
#endif
}

/// A line of the summary; "" where the tolerance has limited most steps.
std::string limit_of_stability(const IntegratorStatistics& s, const std::string& integrator) {
  constexpr std::int64_t least = 20;  // steps; fewer are not worth another integrator
  if (s.stability_limited_steps < least || 2 * s.stability_limited_steps < s.steps) return "";
  return concat("  stability       limited ", s.stability_limited_steps, " of the ", s.steps,
                " steps, not the tolerance: the model is stiff for ", integrator,
                "; integrator radau or bdf can take longer ones\n");
}

/// What a corrector with other phases than the simplified one did, and that a cycle has fallen back to that one.
std::string work_of_corrector(const CorrectorStatistics& c) {
  std::string phases;
  bool has_others = c.plain_cycles > 0;
  for (std::size_t phase = 0; phase < corrector_phases; ++phase) {
    if (c.iterations[phase] == 0) continue;
    has_others = has_others || static_cast<CorrectorPhase>(phase) != CorrectorPhase::simplified;
    phases += concat(phases.empty() ? "" : ", ", c.iterations[phase], ' ', name_of(static_cast<CorrectorPhase>(phase)));
  }
  if (!has_others) return "";
  const std::string fallen_back =
      c.plain_cycles > 0 ? concat("; ", c.plain_cycles, " of them fell back to simplified alone") : "";
  return concat("  corrector       ", c.refresh_cycles, " refresh cycles", fallen_back, "; iterations: ", phases, '\n');
}

}  // namespace

AuxiliaryUnknowns unknowns_for(const IntegratorOptions& options, Reduction reduction) {
  return reduction == Reduction::none && options.make()->carries_auxiliary() ? AuxiliaryUnknowns::carried
                                                                             : AuxiliaryUnknowns::eliminated;
}

Simulation::Simulation(std::unique_ptr<EquationsOfMotion> equations, SimulationOptions options)
    : options_(std::move(options)), equations_(std::move(equations)) {
  if (!equations_) throw ModelError("Simulation: the equations of motion are null; give an object.");
  make_integrator();
  make_solver();
  initial_state_ = equations_->initial_state();
}

Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) = default;
Simulation& Simulation::operator=(Simulation&&) = default;

void Simulation::Running::require_idle() const {
  if (now_)
    throw ModelError("Simulation: moved by one of its own callbacks while it runs; move it before or after the run.");
}

void Simulation::make_solver() {
  const bool friction = equations_->forces_read_multipliers() || integrator_->factors_force_jacobian();
  solver_ = options_.linear_solver.make(*equations_, friction);
}

bool Simulation::dense_output_wanted() const {
  return options_.keep_dense_output || options_.energy_balance || !events_.empty() || !outputs_.empty() ||
         equations_->switches() > 0;
}

void Simulation::make_integrator() {
  integrator_ = options_.integrator.make();
  if (options_.reduction.method != Reduction::none)
    integrator_ = make_reduced_integrator(std::move(integrator_), options_.reduction);
  integrator_->keep_dense_output(dense_output_wanted());
  require_carried_unknowns();
}

void Simulation::require_carried_unknowns() const {
  const Dimensions& n = equations_->dimensions();
  if (integrator_->carries_auxiliary() || (n.w == 0 && n.s == 0)) return;
  throw ModelError(
      concat("Simulation: model '", equations_->model_name(), "' has ", n.w, " auxiliary variables w and ", n.s,
             " contact-point coordinates s among its unknowns, which integrator '", integrator_->name(),
             "' does not solve for; make equations that eliminate them (AuxiliaryUnknowns::eliminated), or "
             "take an integrator that carries them."));
}

void Simulation::set_initial_state(const State& state) {
  require_here("set_initial_state");
  const Dimensions& n = equations_->dimensions();
  const auto check = [](const char* what, const Eigen::VectorXd& x, int expected, bool optional) {
    if (x.size() != expected && !(optional && x.size() == 0))
      throw ModelError(concat("Simulation::set_initial_state: ", what, " has ", x.size(), " entries; this model has ",
                              expected, "."));
    if (!x.allFinite())
      throw ModelError(
          concat("Simulation::set_initial_state: ", what, " has an entry that is not finite; give finite values."));
  };
  check("p", state.p, n.p, false);
  check("v", state.v, n.v, false);
  check("r", state.r, n.r, false);
  check("w", state.w, static_cast<int>(equations_->auxiliary().size()), true);
  check("s", state.s, static_cast<int>(equations_->contacts().size()), true);
  check("a", state.a, n.v, true);
  check("lambda", state.lambda, n.constraints(), true);
  initial_state_ = state;
  if (state.a.size() == 0) initial_state_.a.setZero(n.v);
  if (state.lambda.size() == 0) initial_state_.lambda.setZero(n.constraints());
  const State own = equations_->initial_state();
  if (state.w.size() == 0) initial_state_.w = own.w;
  if (state.s.size() == 0) initial_state_.s = own.s;
}

State Simulation::initial_state_at(double t) const {
  if (!std::isfinite(t)) throw ModelError(concat("Simulation: the start is at t = ", t, " s; expected a finite time."));
  State state = initial_state_;
  state.t = t;
  return state;
}

void Simulation::set_initial_conditions(InitialConditions conditions) {
  require_idle("set_initial_conditions");
  initial_conditions_ = std::move(conditions);
}

InitialValues Simulation::find_initial_values(double t) {
  require_idle("find_initial_values");
  return linkwork::find_initial_values(*equations_, initial_state_at(t),
                                       initial_conditions_.value_or(InitialConditions()));
}

InitialValues Simulation::check_initial_values(double t) {
  require_idle("check_initial_values");
  return linkwork::check_initial_values(*equations_, initial_state_at(t),
                                        initial_conditions_.value_or(InitialConditions()));
}

std::vector<AssemblyBranch> Simulation::assembly_branches(double t) {
  const InitialValues start = find_initial_values(t);
  if (!start.consistent) return {};
  return linkwork::assembly_branches(*equations_, start.state, initial_conditions_.value_or(InitialConditions()));
}

void Simulation::add_event(Event event) {
  require_idle("add_event");
  if (event.name.empty()) event.name = event.observable;
  if (event.name.empty()) throw ModelError("Simulation::add_event: the event has no name; give one.");
  if (const std::string why = event.why_invalid(); !why.empty())
    throw ModelError(concat("event '", event.name, "': ", why));
  for (const Event& other : events_)
    if (other.name == event.name)
      throw ModelError(concat("event '", event.name, "' exists already; give another name."));
  if (!event.observable.empty()) {
    const std::vector<std::string> names = equations_->observable_names();
    const auto found = std::find(names.begin(), names.end(), event.observable);
    const auto of_element = found == names.end() ? element_quantity_named(*equations_, event.observable) : std::nullopt;
    if (found == names.end() && !of_element)
      throw ModelError(concat("event '", event.name, "': model '", equations_->model_name(), "' has no observable '",
                              event.observable, "'; it has: ", names.empty() ? "none" : listed(names), "."));
    if (of_element) {
      event.function = of_element->value;
      event.period = of_element->period;
    } else {
      event.function = [index = found - names.begin(), values = Eigen::VectorXd()](
                           const State& state, EquationsOfMotion& equations) mutable {
        equations.observables(state, values);
        return values[index];
      };
    }
  }
  events_.push_back(std::move(event));
}

void Simulation::require_here(const char* function) const {
  if (!equations_)
    throw ModelError(concat("Simulation::", function, ": the simulation was moved away; use the new one."));
}

void Simulation::require_idle(const char* function) const {
  require_here(function);
  if (running_)
    throw ModelError(concat("Simulation::", function,
                            ": called by a callback while the simulation runs; call it before or after the run."));
}

void Simulation::observe(std::function<bool(const State&, EquationsOfMotion&)> observer) {
  require_idle("observe");
  if (!observer) throw ModelError("Simulation::observe: the observer is an empty function; give one.");
  observers_.push_back(std::move(observer));
}

void Simulation::on_output(OutputPoints points, std::function<void(const State&)> callback) {
  require_idle("on_output");
  if (const std::string why = points.why_invalid(); !why.empty()) throw ModelError(concat("OutputPoints: ", why));
  if (!callback) throw ModelError("Simulation::on_output: the callback is an empty function; give one.");
  outputs_.push_back({std::move(points), std::move(callback)});
}

void Simulation::on_progress(std::function<void(double t, double t_end)> callback) {
  require_idle("on_progress");
  if (!callback) throw ModelError("Simulation::on_progress: the callback is an empty function; give one.");
  progress_.push_back(std::move(callback));
}

Trajectory Simulation::run(double t_begin, double t_end) {
  require_idle("run");
  if (!(std::isfinite(t_begin) && std::isfinite(t_end) && t_begin <= t_end))
    throw ModelError(concat("Simulation::run: asked to run from t = ", t_begin, " s to ", t_end,
                            " s; expected finite times, the end not before the beginning."));
  warn_if_not_optimised();
  make_integrator();
  if (has_run_) make_solver();  // so that the statistics are those of one run
  has_run_ = true;
  trajectory_ = Trajectory({}, {}, equations_, options_.linear_solver);
  statistics_ = {};
  energy_ = {};
  residual_ = {};
  invariants_.clear();
  start_projection_ = {};
  initial_values_ = {};
  unknown_points_ = {};
  odd_observables_.clear();
  t_begin_ = t_begin;
  Run(*this, t_begin, t_end).execute();
  return trajectory_;
}

EquationsOfMotion& Simulation::equations() {
  require_here("equations");
  return *equations_;
}
const EquationsOfMotion& Simulation::equations() const {
  require_here("equations");
  return *equations_;
}
std::string Simulation::linear_solver_name() const {
  require_here("linear_solver_name");
  return std::string(solver_->name());
}
std::string Simulation::integrator_name() const {
  require_here("integrator_name");
  return std::string(integrator_->name());
}
Tolerances Simulation::tolerances() const {
  require_here("tolerances");
  return integrator_->tolerances();
}

/// A line of the summary; "" without redundant rows.
std::string Simulation::redundant_constraints() const {
  const std::vector<int> rows = solver_->redundant_rows();
  if (rows.empty()) return "";
  constexpr std::size_t shown_at_most = 6;
  return concat("  redundant       ",
                listed_up_to(shown_at_most, rows, [this](int row) { return equations_->constraint_name(row); }),
                "; these and the constraints that they depend on have reactions of least norm\n");
}

/// A line of the summary; "" for methods without Jacobians.
std::string Simulation::implicit_work() const {
  const IntegratorStatistics& s = statistics_.integrator;
  if (s.function_calls == 0) return "";
  return concat("  residual        ", s.function_calls, " calls, ", s.function_calls - s.jacobian_function_calls,
                " of them besides those for Jacobians; ", s.newton_iterations, " Newton iterations\n",
                "  Jacobians       ", s.jacobian_evaluations, " by differences, ", s.jacobian_refreshes, " in part, ",
                s.jacobian_updates, " updates; ", s.jacobian_groups, " groups of columns (at least ",
                s.jacobian_groups_lower_bound, ")\n", work_of_corrector(s.corrector));
}

std::vector<std::string> Simulation::remarks() const {
  require_here("remarks");
  std::vector<std::string> out = remarks_on(*equations_);
  const Dimensions& n = equations_->dimensions();
  if (n.v > 0 && n.constraints() - static_cast<int>(solver_->redundant_rows().size()) >= n.v)
    out.push_back(concat("mobility 0: ", n.constraints(), " constraint rows hold all ", n.v,
                         " velocities, and nothing moves but by drives; remove a constraint if it should."));
  return out;
}

/// One line of the summary for each.
std::string Simulation::kept_invariants() const {
  std::string lines;
  for (const InvariantReport& report : invariants_) {
    const std::string unit = report.unit.empty() ? "" : " " + report.unit;
    lines +=
        concat("  invariant       ", report.name, " = ", report.level, unit, ", drift ", report.max_drift, unit, '\n');
  }
  return lines;
}

std::string Simulation::summary() const {
  require_here("summary");
  const SimulationStatistics& s = statistics_;
  std::ostringstream out;
  out << "model '" << equations_->model_name() << "', " << equations_->formulation_name() << " formulation, "
      << integrator_name() << " with " << linear_solver_name() << '\n';
  if (trajectory_.empty()) {
    out << "  nothing was computed\n";
    return out.str();
  }
  const auto seconds = [](double x) { return concat(std::round(x * 1e6) * 1e-6, " s"); };
  out << "  time            " << t_begin_ << " s to " << trajectory_.t_end() << " s\n"
      << "  steps           " << s.integrator.steps << " accepted, " << s.integrator.rejected_steps << " rejected, "
      << s.integrator.convergence_failures << " failed\n"
      << "  evaluations     " << s.evaluations.force << " forces, " << s.evaluations.matrix << " matrices, "
      << s.evaluations.residual << " position residuals"
      << (s.evaluations.auxiliary > 0 ? concat(", ", s.evaluations.auxiliary, " for w and s") : "") << '\n'
      << limit_of_stability(s.integrator, integrator_name()) << implicit_work() << "  linear algebra  "
      << s.linear.factorizations << " factorizations of masses with constraints, " << s.linear.solves << " solves, "
      << s.linear.analyses << " analyses"
      << (s.integrator.factorizations > 0 ? concat("; ", s.integrator.factorizations, " of iteration matrices") : "")
      << '\n'
      << redundant_constraints() << "  events          " << s.events << ", restarts " << s.restarts << '\n'
      << "  residuals       position " << residual_.position_m << " m, " << residual_.position_rad << " rad; velocity "
      << residual_.velocity_m_per_s << " m/s, " << residual_.velocity_rad_per_s << " rad/s\n"
      << "  energy          " << energy_.initial << " J at the start, " << energy_.final << " J at the end, drift "
      << energy_.max_drift << " J";
  if (!(energy_.balance < 0)) out << ", balance " << energy_.balance << " J";
  out << '\n' << kept_invariants();
  if (start_projection_.position > 0 || start_projection_.velocity > 0) {
    out << "  start           the projection changed";
    if (start_projection_.position > 0)
      out << " positions by up to " << start_projection_.position << " (" << start_projection_.position_name << ")";
    if (start_projection_.position > 0 && start_projection_.velocity > 0) out << " and";
    if (start_projection_.velocity > 0)
      out << " velocities by up to " << start_projection_.velocity << " (" << start_projection_.velocity_name << ")";
    out << '\n';
  }
  if (unknown_points_.count > 0) out << "  unknown         " << unknown_points_.sentence() << '\n';
  for (const std::string& odd : odd_observables_) out << "  no number       " << odd << '\n';
  for (const std::string& remark : remarks()) out << "  remark          " << remark << '\n';
  out << "  wall time       " << seconds(s.wall_seconds) << " (dense output " << seconds(s.dense_seconds) << ", events "
      << seconds(s.event_seconds) << ", reports " << seconds(s.output_seconds) << ")";
  if (s.balance_seconds > 0) out << " and " << seconds(s.balance_seconds) << " for the energy balance";
  out << '\n';
  return out.str();
}

}  // namespace linkwork
