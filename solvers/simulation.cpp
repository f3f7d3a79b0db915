#include <linkwork/solvers/simulation.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/solvers/event_location.hpp>
#include <linkwork/solvers/output_schedule.hpp>
#include <linkwork/solvers/phase.hpp>
#include <linkwork/solvers/step_log.hpp>

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <iomanip>
#include <iostream>
#include <limits>
#include <mutex>
#include <sstream>

namespace linkwork {

namespace {

// Zeros closer than this part of a step are one instant: two functions with one zero are located with different
// rounding.
constexpr double same_instant = 1e-9;

void warn_if_not_optimised() {
#ifndef __OPTIMIZE__
  static std::once_flag once;
  std::call_once(once, [] {
    std::cerr << "linkwork: this program was built without optimisation and runs many times slower; "
                 "set CMAKE_BUILD_TYPE to Release.\n";
  });
#endif
}

/// Tolerances of the integrator, for projections at events.
ExtrapolationOptions projection_tolerances(const IntegratorOptions& options) {
  if (const auto* extrapolation = std::get_if<ExtrapolationOptions>(&options)) return *extrapolation;
  return {.rtol = 1e-8, .atol = 1e-8};  // of an integrator that we don't know
}

void take_larger(ConstraintResidual& largest, const ConstraintResidual& other) {
  largest.position_m = std::max(largest.position_m, other.position_m);
  largest.position_rad = std::max(largest.position_rad, other.position_rad);
  largest.velocity_m_per_s = std::max(largest.velocity_m_per_s, other.velocity_m_per_s);
  largest.velocity_rad_per_s = std::max(largest.velocity_rad_per_s, other.velocity_rad_per_s);
  largest.normalisation = std::max(largest.normalisation, other.normalisation);
}

/// Largest change of a component and, through `name`, which one it is.
template <class Name>
double largest_change(const Eigen::VectorXd& from, const Eigen::VectorXd& to, std::string& text, Name&& name) {
  if (from.size() == 0) return 0;
  Eigen::Index worst = 0;
  const double change = (to - from).cwiseAbs().maxCoeff(&worst);
  if (change > 0) text = name(static_cast<int>(worst));
  return change;
}

}  // namespace

// --------------------------------------------------------------------------------------------------- one run

/// The loop of one run. It works on the simulation's parts and leaves its results there.
class Simulation::Run {
 public:
  Run(Simulation& simulation, double t_begin, double t_end);
  ~Run() {
    settle_accounts();
    s_.running_ = false;
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  void execute();

 private:
  struct Zero {
    double t;
    std::size_t watch;  // events come first, then the switches of elements
  };
  /// Zeros that count as one instant: [first, last) of zeros_.
  struct Instant {
    std::size_t first, last;
  };

  void start();
  void advance();
  void call_integrator(const std::function<Outcome()>& function, double t);
  void initialize(const State& state);
  void add_watches();

  void find_zeros();
  /// Treats the instants of the last step in the order of time. Returns the one that ends it early, if any.
  std::optional<Instant> treat_instants();
  void record(const Instant& instant);
  void restart(const Instant& instant, State state);
  bool restarts(const Instant& instant) const;
  bool is_switch(std::size_t watch) const { return watch >= s_.events_.size(); }

  void close_segment(const State& end);
  void append(TrajectorySegment segment, bool starts);
  void deliver(const TrajectorySegment& segment, bool starts);
  void integrate_power(double begin, double end);
  void measure(const State& state, bool after_jump);
  void ask_observers(const State& state);
  void settle_accounts();
  [[noreturn]] void fail(const std::string& reason, double t) const;

  Simulation& s_;
  EquationsOfMotion& equations_;
  Integrator& integrator_;
  const double t_begin_, t_end_;
  StepInterior interior_;
  StepLog log_;
  std::vector<OutputSchedule> schedules_;
  std::vector<Watch> watches_;
  std::vector<RestartMonitor> monitors_;
  std::vector<int> counts_;
  std::vector<Zero> zeros_;
  std::vector<double> times_;

  double t_ = 0;  // reached
  bool stopped_ = false;
  bool segment_starts_ = true;                                  // the next segment begins the run or follows a jump
  double mechanical_start_ = 0, work_ = 0, balance_error_ = 0;  // of the energy balance

  const InPhase::Clock::time_point wall_start_ = InPhase::Clock::now();
  const EvaluationCounters counters_before_;
  Phase integration_, events_, reports_;
};

Simulation::Run::Run(Simulation& simulation, double t_begin, double t_end)
    : s_(simulation),
      equations_(*simulation.equations_),
      integrator_(*simulation.integrator_),
      t_begin_(t_begin),
      t_end_(t_end),
      interior_(equations_, *simulation.solver_, integrator_, projection_tolerances(simulation.options_.integrator)),
      log_(simulation.options_.step_log),
      t_(t_begin),
      counters_before_(equations_.counters()) {
  for (const Output& output : s_.outputs_) schedules_.emplace_back(output.points, t_begin, t_end);
  add_watches();
}

void Simulation::Run::add_watches() {
  for (const Event& event : s_.events_) {
    const auto function = [this, &event](const State& state) {
      equations_.set(state);
      return event.function(state, equations_);
    };
    watches_.emplace_back(event.name, function, event.direction, event.residual_threshold, event.checking_points);
  }
  for (int i = 0; i < equations_.switches(); ++i) {
    const auto function = [this, i](const State& state) {
      equations_.set(state);
      return equations_.switching_function(i);
    };
    watches_.emplace_back(equations_.switch_name(i), function, Event::Direction::any, 0.0, 1);
  }
  monitors_.resize(watches_.size());
  counts_.resize(watches_.size(), 0);
}

void Simulation::Run::execute() {
  s_.running_ = true;
  try {
    start();
    while (!stopped_ && t_ < t_end_) advance();
  } catch (const RecoverableFailure& failure) {  // from a user's function that the driver called itself
    fail(failure.what(), t_);
  }
  if (const Outcome closed = log_.close(); !closed) throw RunError(closed.reason(), t_);
}

void Simulation::Run::fail(const std::string& reason, double t) const {
  throw RunError(concat("model '", equations_.model_name(), "': the run stopped at t = ", t, " s: ", reason), t);
}

void Simulation::Run::call_integrator(const std::function<Outcome()>& function, double t) {
  const auto call = [&] {
    const InPhase in(integration_, equations_);
    return function();
  };
  const Outcome outcome = call();
  log_.write(integrator_.records());
  if (!outcome) fail(outcome.reason(), t);
}

void Simulation::Run::initialize(const State& state) {
  call_integrator([&] { return integrator_.initialize(equations_, *s_.solver_, state); }, state.t);
}

void Simulation::Run::start() {
  State state = s_.initial_state_;
  state.t = t_begin_;
  equations_.forget();
  equations_.set(state);
  equations_.remember(true, -1);
  initialize(state);
  const State& projected = integrator_.state();
  StartProjection& change = s_.start_projection_;
  change.position =
      largest_change(state.p, projected.p, change.position_name, [&](int i) { return equations_.position_name(i); });
  change.velocity =
      largest_change(state.v, projected.v, change.velocity_name, [&](int i) { return equations_.velocity_name(i); });
  equations_.set(projected);
  equations_.remember(false, -1);
  measure(projected, false);
  ask_observers(projected);
  if (stopped_ || t_begin_ == t_end_) append({projected, projected, {}}, true);
}

void Simulation::Run::advance() {
  call_integrator([&] { return integrator_.step(t_end_); }, t_);
  find_zeros();
  const std::optional<Instant> cut = treat_instants();
  if (cut) {
    const double t = zeros_[cut->first].t;
    const State end = t < integrator_.state().t ? interior_.projected(t) : integrator_.state();
    close_segment(end);
    if (restarts(*cut)) restart(*cut, end);
  } else {
    close_segment(integrator_.state());
    ask_observers(integrator_.state());
    equations_.set(integrator_.state());
    equations_.remember(false, -1);
  }
  for (const auto& callback : s_.progress_) callback(t_, t_end_);
}

// ----------------------------------------------------------------------------------------------- its events

void Simulation::Run::find_zeros() {
  zeros_.clear();
  if (watches_.empty()) return;
  const InPhase in(events_, equations_);
  for (std::size_t i = 0; i < watches_.size(); ++i) {
    times_.clear();
    watches_[i].find_zeros(interior_, times_);
    for (double t : times_) zeros_.push_back({t, i});
  }
  std::stable_sort(zeros_.begin(), zeros_.end(), [](const Zero& a, const Zero& b) { return a.t < b.t; });
}

std::optional<Simulation::Run::Instant> Simulation::Run::treat_instants() {
  const double length = integrator_.state().t - integrator_.previous_state().t;
  for (Instant instant{0, 0}; instant.first < zeros_.size(); instant.first = instant.last) {
    instant.last = instant.first;
    const double t = zeros_[instant.first].t;
    while (instant.last < zeros_.size() && zeros_[instant.last].t - t <= same_instant * length) ++instant.last;
    record(instant);
    if (!s_.observers_.empty()) ask_observers(interior_.projected(t));
    if (stopped_ || restarts(instant)) return instant;
  }
  return {};
}

bool Simulation::Run::restarts(const Instant& instant) const {
  return std::any_of(zeros_.begin() + static_cast<std::ptrdiff_t>(instant.first),
                     zeros_.begin() + static_cast<std::ptrdiff_t>(instant.last), [&](const Zero& zero) {
                       return is_switch(zero.watch) || s_.events_[zero.watch].action == Event::Action::change;
                     });
}

void Simulation::Run::record(const Instant& instant) {
  for (std::size_t i = instant.first; i < instant.last; ++i) {
    const Zero& zero = zeros_[i];
    s_.trajectory_.events_.push_back({watches_[zero.watch].name(), zero.t});
    ++s_.statistics_.events;
    if (is_switch(zero.watch)) continue;
    const Event& event = s_.events_[zero.watch];
    if (++counts_[zero.watch] > event.maximum_count)
      fail(concat("event '", event.name, "' has had more than ", event.maximum_count,
                  " zeros; raise maximum_count if so many are expected, or stop the run earlier."),
           zero.t);
    if (event.action == Event::Action::stop) stopped_ = true;
  }
}

/// Applies the effects at an instant, projects the state and starts the integrator again.
void Simulation::Run::restart(const Instant& instant, State state) {
  const double t = state.t;
  std::vector<bool> triggered(watches_.size(), false);
  {
    const InPhase in(events_, equations_);
    for (std::size_t i = instant.first; i < instant.last; ++i) {
      const std::size_t watch = zeros_[i].watch;
      triggered[watch] = true;
      if (is_switch(watch) || s_.events_[watch].action != Event::Action::change) continue;
      equations_.set(state);
      const State before = state;
      s_.events_[watch].effect(state, equations_);
      state.t = t;
      if (state.p.size() != before.p.size() || state.v.size() != before.v.size() || state.r.size() != before.r.size() ||
          state.lambda.size() != before.lambda.size())
        fail(concat("the effect of event '", s_.events_[watch].name,
                    "' changed the size of the state; let it change values only."),
             t);
      if (!(state.p.allFinite() && state.v.allFinite() && state.r.allFinite()))
        fail(concat("the effect of event '", s_.events_[watch].name,
                    "' left a state that is not finite; check its function."),
             t);
    }
    interior_.project(state);
    equations_.set(state);
    bool mode_changed = false;
    for (std::size_t i = instant.first; i < instant.last; ++i)
      if (is_switch(zeros_[i].watch)) {
        equations_.remember(true, static_cast<int>(zeros_[i].watch - s_.events_.size()));
        mode_changed = true;
      }
    if (!mode_changed) equations_.remember(true, -1);
  }
  initialize(state);
  ++s_.statistics_.restarts;
  for (std::size_t i = 0; i < watches_.size(); ++i) {
    watches_[i].restart(triggered[i]);
    if (!triggered[i] || (!is_switch(i) && s_.events_[i].action != Event::Action::change)) continue;
    if (const std::string why = monitors_[i].note(t); !why.empty())
      fail(concat(is_switch(i) ? "switch '" : "event '", watches_[i].name(), "': ", why, "."), t);
  }
  segment_starts_ = true;
  const State& after = integrator_.state();
  measure(after, true);
  ask_observers(after);
  if (stopped_ || t >= t_end_) append({after, after, {}}, true);
}

// ------------------------------------------------------------------------------------- segments and reports

void Simulation::Run::close_segment(const State& end) {
  TrajectorySegment segment{integrator_.previous_state(), end, {}};
  if (s_.options_.energy_balance) integrate_power(segment.begin.t, end.t);
  if (s_.options_.keep_dense_output || !schedules_.empty()) segment.dense = interior_.dense(false);
  append(std::move(segment), segment_starts_);
  segment_starts_ = false;
  measure(end, false);
}

void Simulation::Run::append(TrajectorySegment segment, bool starts) {
  t_ = segment.end.t;
  deliver(segment, starts);
  if (!s_.options_.keep_dense_output) segment.dense.reset();
  std::vector<TrajectorySegment>& kept = s_.trajectory_.segments_;
  if (!s_.options_.keep_steps) kept.clear();
  kept.push_back(std::move(segment));
}

void Simulation::Run::deliver(const TrajectorySegment& segment, bool starts) {
  const InPhase in(reports_, equations_);
  for (std::size_t i = 0; i < schedules_.size(); ++i) {
    schedules_[i].next(segment.begin.t, segment.end.t, starts, times_);
    for (double t : times_) {
      const State state = interpolate(segment, equations_, t);
      equations_.set(state);
      s_.outputs_[i].callback(state);
    }
  }
}

void Simulation::Run::integrate_power(double begin, double end) {
  const InPhase in(reports_, equations_);
  const auto power = [&](double t) {
    equations_.set(interior_.interpolated(t));
    return equations_.energies().element_power;
  };
  work_ += boost::math::quadrature::gauss<double, 10>::integrate(power, begin, end);
}

/// Constraint residuals and energies at an accepted state. An effect's jump of energy counts as work of its own.
void Simulation::Run::measure(const State& state, bool after_jump) {
  const InPhase in(reports_, equations_);
  equations_.set(state);
  take_larger(s_.residual_, equations_.constraint_residual());
  const Energies now = equations_.energies();
  const double total = now.kinetic + now.potential, mechanical = total - now.element_storage;
  EnergyReport& report = s_.energy_;
  if (s_.trajectory_.empty()) {
    report.initial = total;
    mechanical_start_ = mechanical;
  }
  report.final = total;
  report.max_drift = std::max(report.max_drift, std::abs(total - report.initial));
  if (!s_.options_.energy_balance) return;
  if (after_jump) mechanical_start_ = mechanical - work_ - balance_error_;
  balance_error_ = mechanical - mechanical_start_ - work_;
  report.balance = std::max(report.balance, std::abs(balance_error_));
}

void Simulation::Run::ask_observers(const State& state) {
  const InPhase in(reports_, equations_);
  const bool was_stopped = stopped_;
  for (const auto& observer : s_.observers_) {
    equations_.set(state);
    if (!observer(state, equations_)) stopped_ = true;
  }
  if (stopped_ && !was_stopped) s_.trajectory_.events_.push_back({"observer", state.t});
}

void Simulation::Run::settle_accounts() {
  SimulationStatistics& out = s_.statistics_;
  const Phase& dense = interior_.dense_phase();
  out.integrator = integrator_.statistics();
  out.evaluations = integration_.evaluations + dense.evaluations;
  out.driver_evaluations = equations_.counters() - counters_before_ - out.evaluations;
  out.linear = s_.solver_->statistics();
  out.wall_seconds = std::chrono::duration<double>(InPhase::Clock::now() - wall_start_).count();
  out.dense_seconds = dense.seconds;
  out.event_seconds = events_.seconds;
  out.output_seconds = reports_.seconds;
}

// ------------------------------------------------------------------------------------------------ simulation

Simulation::Simulation(std::unique_ptr<EquationsOfMotion> equations, SimulationOptions options)
    : options_(std::move(options)), equations_(std::move(equations)) {
  if (!equations_) throw ModelError("Simulation: the equations of motion are null; give an object.");
  make_integrator();
  make_solver();
  initial_state_ = equations_->initial_state();
}

Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

void Simulation::make_solver() {
  bool friction = equations_->forces_read_multipliers();
  if (const auto* extrapolation = std::get_if<ExtrapolationOptions>(&options_.integrator))
    friction = extrapolation->discretisation == Discretisation::friction ||
               (extrapolation->discretisation == Discretisation::automatic && friction);
  solver_ = make_linear_solver(options_.linear_solver, *equations_, friction);
  if (const Outcome outcome = solver_->analyze(*equations_); !outcome) throw ModelError(outcome.reason());
}

bool Simulation::dense_output_wanted() const {
  return options_.keep_dense_output || options_.energy_balance || !events_.empty() || !outputs_.empty() ||
         equations_->switches() > 0;
}

void Simulation::make_integrator() {
  if (const auto* factory = std::get_if<IntegratorFactory>(&options_.integrator)) {
    integrator_ = *factory ? (*factory)() : nullptr;
    if (!integrator_) throw ModelError("Simulation: the integrator factory gave no integrator; return one.");
    return;
  }
  ExtrapolationOptions options = std::get<ExtrapolationOptions>(options_.integrator);
  options.dense_output = dense_output_wanted();
  integrator_ = make_extrapolation(options);
}

void Simulation::set_initial_state(const State& state) {
  const Dimensions& n = equations_->dimensions();
  const auto check = [](const char* what, const Eigen::VectorXd& x, int expected, bool optional) {
    if (x.size() != expected && !(optional && x.size() == 0))
      throw ModelError(concat("Simulation::set_initial_state: ", what, " has ", x.size(), " entries; this model has ",
                              expected, "."));
    if (!x.allFinite())
      throw ModelError(concat("Simulation::set_initial_state: ", what, " has an entry that is not finite."));
  };
  check("p", state.p, n.p, false);
  check("v", state.v, n.v, false);
  check("r", state.r, n.r, false);
  check("a", state.a, n.v, true);
  check("lambda", state.lambda, n.constraints(), true);
  initial_state_ = state;
  if (state.a.size() == 0) initial_state_.a.setZero(n.v);
  if (state.lambda.size() == 0) initial_state_.lambda.setZero(n.constraints());
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
    if (found == names.end())
      throw ModelError(concat("event '", event.name, "': model '", equations_->model_name(), "' has no observable '",
                              event.observable, "'; it has: ", names.empty() ? "none" : listed(names), "."));
    event.function = [index = found - names.begin(), values = Eigen::VectorXd()](const State& state,
                                                                                 EquationsOfMotion& equations) mutable {
      equations.observables(state, values);
      return values[index];
    };
  }
  events_.push_back(std::move(event));
}

void Simulation::require_idle(const char* function) const {
  if (!equations_)
    throw ModelError(concat("Simulation::", function, ": the simulation was moved away; use the new one."));
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

const Trajectory& Simulation::run(double t_begin, double t_end) {
  require_idle("run");
  if (!(std::isfinite(t_begin) && std::isfinite(t_end) && t_begin <= t_end))
    throw ModelError(concat("Simulation::run: asked to run from t = ", t_begin, " s to ", t_end,
                            " s; expected finite times, the end not before the beginning."));
  warn_if_not_optimised();
  if (has_run_) make_solver();  // so that the statistics are those of one run
  make_integrator();
  has_run_ = true;
  trajectory_ = Trajectory({}, {}, equations_);
  statistics_ = {};
  energy_ = {};
  residual_ = {};
  start_projection_ = {};
  t_begin_ = t_begin;
  Run(*this, t_begin, t_end).execute();
  return trajectory_;
}

std::string Simulation::linear_solver_name() const { return std::string(solver_->name()); }
std::string Simulation::integrator_name() const { return std::string(integrator_->name()); }

std::string Simulation::summary() const {
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
      << s.evaluations.residual << " residuals\n"
      << "  linear algebra  " << s.linear.factorizations << " factorizations, " << s.linear.solves << " solves, "
      << s.linear.analyses << " analyses\n"
      << "  events          " << s.events << ", restarts " << s.restarts << '\n'
      << "  residuals       position " << residual_.position_m << " m, " << residual_.position_rad << " rad; velocity "
      << residual_.velocity_m_per_s << " m/s, " << residual_.velocity_rad_per_s << " rad/s\n"
      << "  energy          " << energy_.initial << " J at the start, " << energy_.final << " J at the end, drift "
      << energy_.max_drift << " J";
  if (energy_.balance >= 0) out << ", balance " << energy_.balance << " J";
  out << '\n';
  if (start_projection_.position > 0 || start_projection_.velocity > 0) {
    out << "  start           the projection changed";
    if (start_projection_.position > 0)
      out << " positions by up to " << start_projection_.position << " (" << start_projection_.position_name << ")";
    if (start_projection_.velocity > 0)
      out << " velocities by up to " << start_projection_.velocity << " (" << start_projection_.velocity_name << ")";
    out << '\n';
  }
  out << "  wall time       " << seconds(s.wall_seconds) << " (dense output " << seconds(s.dense_seconds) << ", events "
      << seconds(s.event_seconds) << ", reports " << seconds(s.output_seconds) << ")\n";
  return out.str();
}

}  // namespace linkwork
