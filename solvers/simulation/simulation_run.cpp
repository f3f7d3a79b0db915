#include <linkwork/solvers/simulation/simulation_run.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/solvers/analyses/declarations.hpp>
#include <linkwork/solvers/analyses/servo_forces.hpp>

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <exception>
#include <limits>

namespace linkwork {

namespace {

// Zeros closer than this part of a step are one instant: two functions with one zero are located with different
// rounding.
constexpr double same_instant = 1e-9;

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

Simulation::Run::Run(Simulation& simulation, double t_begin, double t_end)
    : s_(simulation),
      equations_(*simulation.equations_),
      integrator_(*simulation.integrator_),
      t_begin_(t_begin),
      t_end_(t_end),
      reader_(simulation.equations_, simulation.options_.linear_solver),
      interior_(equations_, *simulation.solver_, integrator_, reader_,
                integrator_.tolerances().by_component(equations_), integrator_.keeps_invariants()),
      jumps_(equations_, integrator_.tolerances()),
      log_(simulation.options_.step_log),
      t_(t_begin),
      edge_(t_begin),
      counters_before_(equations_.counters()) {
  for (const Output& output : s_.outputs_) schedules_.emplace_back(output.points, t_begin, t_end);
  add_watches();
}

template <class Function>
decltype(auto) Simulation::Run::ask_user(const char* kind, const std::string& name, double t,
                                         Function&& function) const {
  try {
    return function();
  } catch (const ModelError&) {
    throw;
  } catch (const RecoverableFailure&) {
    throw;
  } catch (const RunError&) {
    throw;
  } catch (const std::exception& error) {
    fail_nested(kind, name, error.what(), t);
  } catch (...) {
    fail_nested(kind, name, "it is no std::exception, so that nothing more is known; throw one with a message", t);
  }
}

/// Called while the user's exception is being handled.
void Simulation::Run::fail_nested(const char* kind, const std::string& name, const std::string& what, double t) const {
  const std::string who = name.empty() ? kind : concat(kind, " '", name, "'");
  std::throw_with_nested(RunError(stopped_text(concat(who, " threw an exception: ", what), t), t));
}

void Simulation::Run::add_watches() {
  for (const Event& event : s_.events_) {
    const auto function = [this, &event](const State& state) {
      return ask_user("event", event.name, state.t, [&] {
        equations_.set(state);
        return event.function(state, equations_);
      });
    };
    watches_.emplace_back(event.name, function,
                          WatchOptions{.direction = event.direction,
                                       .threshold = event.residual_threshold,
                                       .period = event.period,
                                       .ends_step = event.action != Event::Action::report,
                                       .has_effect = event.action == Event::Action::change});
  }
  for (int i = 0; i < equations_.switches(); ++i) {
    const auto function = [this, i](const State& state) {
      equations_.set(state);
      return equations_.switching_function(i);
    };
    watches_.emplace_back(equations_.switch_name(i), function, WatchOptions{.ends_step = true});
  }
  monitors_.resize(watches_.size());
  counts_.resize(watches_.size(), 0);
}

void Simulation::Run::execute() {
  s_.running_ = true;
  try {
    ask_user("a function of the model", "", t_, [this] { start(); });
    while (!stopped_ && t_ < t_end_) ask_user("a function of the model", "", t_, [this] { advance(); });
  } catch (const RecoverableFailure& failure) {  // from a user's function that the driver called itself
    finish();
    fail(failure.what(), t_);
  } catch (...) {
    finish();
    throw;
  }
  finish();
  if (const Outcome closed = log_.close(); !closed) throw RunError(closed.reason(), t_);
}

std::string Simulation::Run::stopped_text(const std::string& reason, double t) const {
  return concat("model '", equations_.model_name(), "': the run stopped at t = ", t, " s: ", reason);
}

void Simulation::Run::fail(const std::string& reason, double t) const {
  equations_.set_position(t, equations_.position());
  throw RunError(stopped_text(reason + jumping_inputs(equations_), t), t);
}

void Simulation::Run::call_integrator(const std::function<Outcome()>& function, double t) {
  const auto call = [&] {
    const InPhase in(integration_, equations_);
    return function();
  };
  Outcome outcome;
  try {
    outcome = call();
  } catch (...) {  // the attempt by which a user's function ended the run is the one that is looked for
    keep_records();
    throw;
  }
  keep_records();
  if (!outcome) fail(outcome.reason(), t);
}

void Simulation::Run::keep_records() {
  const std::vector<StepRecord>& records = integrator_.records();
  log_.write(records);
  if (!s_.options_.keep_steps) return;
  for (const StepRecord& each : records)
    if (each.step > 0) s_.trajectory_.append({each.t, each.step, each.order, each.accepted});
}

void Simulation::Run::initialize(State state) {
  // What the equations solve for is none of the integrator's unknowns.
  if (equations_.dimensions().w == 0) state.w.resize(0);
  if (equations_.dimensions().s == 0) state.s.resize(0);
  call_integrator([&] { return integrator_.initialize(equations_, *s_.solver_, state); }, state.t);
  expect_whole_state(state.t);
  interior_.moved();
}

void Simulation::Run::expect_whole_state(double t) const {
  const Dimensions& n = equations_.dimensions();
  const State& state = integrator_.state();
  if (state.p.size() == n.p && state.v.size() == n.v && state.r.size() == n.r) return;
  fail(concat("integrator '", integrator_.name(), "' left a state of ", state.p.size(), " positions, ", state.v.size(),
              " velocities and ", state.r.size(), " states of elements, and the system has ", n.p, ", ", n.v, " and ",
              n.r, "; let it keep the state that it is started with."),
       t);
}

/// What an integrator hands back is looked at, because it may be a user's.
void Simulation::Run::step_towards(double limit) {
  call_integrator([&] { return integrator_.step(limit); }, t_);
  expect_whole_state(t_);
  const double from = integrator_.previous_state().t, to = integrator_.state().t;
  if (!(to > from && to <= limit))
    fail(concat("integrator '", integrator_.name(), "' went from t = ", from, " s to ", to,
                " s, and a step has to end behind its start and not behind the limit of ", limit, " s."),
         t_);
  interior_.moved();
}

State Simulation::Run::found_start(const State& given) {
  s_.initial_values_ = linkwork::find_initial_values(equations_, given, *s_.initial_conditions_);
  if (!s_.initial_values_.consistent) fail(s_.initial_values_.reason, t_begin_);
  return s_.initial_values_.state;
}

void Simulation::Run::start() {
  const State given = s_.initial_state_at(t_begin_);
  State state = given;
  if (s_.initial_conditions_) state = found_start(given);
  equations_.forget();
  equations_.release_invariants();
  equations_.set(state);
  constexpr double rate_tolerance = 1e-2;  // tables and fits are not refused, what can't be integrated is
  check_drives(equations_, rate_tolerance);
  equations_.remember(true, -1);
  check_functions(equations_);  // before what would fail by them
  check_servos(equations_);
  equations_.set(state);
  jumps_.begin(t_begin_);
  initialize(state);
  const State& projected = integrator_.state();
  StartProjection& change = s_.start_projection_;
  change.position =
      largest_change(given.p, projected.p, change.position_name, [&](int i) { return equations_.position_name(i); });
  change.velocity =
      largest_change(given.v, projected.v, change.velocity_name, [&](int i) { return equations_.velocity_name(i); });
  equations_.set(projected);
  equations_.remember(false, -1);
  renew_memory();
  if (!s_.observers_.empty()) ask_observers(known_end());
  measure(projected, false);  // last, so that the integrator finds the equations as it does without observers
  if (stopped_ || t_begin_ == t_end_) report_start(projected);
}

/// All that there is of a run without a step: with accelerations and multipliers, as the ends of steps have them.
void Simulation::Run::report_start(const State& projected) {
  State start = with_eliminated(projected);
  {
    const InPhase in(reports_, equations_);
    const Outcome found = reader_.complete(start);
    if (!found && !stopped_) fail(found.reason(), start.t);
    if (!found) forget_accelerations(start);
  }
  append({start, start, {}}, true);
}

void Simulation::Run::renew_memory() {
  Eigen::VectorXd now = memory_of(equations_);
  if (!memory_ || now != *memory_) memory_ = std::make_shared<const Eigen::VectorXd>(std::move(now));
}

const State& Simulation::Run::known_end() {
  const InPhase in(reports_, equations_);
  return interior_.end();
}

void Simulation::Run::advance() {
  renew_memory();
  if (integrator_.repeats_steps()) watches_before_ = watches_;
  step_towards(edge_ > t_ ? edge_ : t_end_);
  const std::optional<Instant> cut = find_and_treat_zeros();
  if (cut) {
    const double t = zeros_[cut->first].t;
    const bool is_inside = t < integrator_.state().t;
    State end = is_inside ? interior_.projected(t) : known_end();
    if (!(end.a.allFinite() && end.lambda.allFinite())) {  // the equations have none there: the integrator goes on
      const State own = is_inside ? interior_.interpolated(t) : integrator_.state();
      end.a = own.a;
      end.lambda = own.lambda;
    }
    close_segment(end);
    if (restarts(*cut)) restart(*cut, end);
  } else {
    close_segment(integrator_.state());
    if (!s_.observers_.empty()) ask_observers(known_end());
    equations_.set(integrator_.state());
    equations_.remember(false, -1);
  }
  for (const auto& callback : s_.progress_) ask_user("a progress callback", "", t_, [&] { callback(t_, t_end_); });
}

// ----------------------------------------------------------------------------------------------- its events

std::optional<Simulation::Run::Instant> Simulation::Run::find_and_treat_zeros() {
  // A function that fails ends the run, but the step was good up to there.
  const auto keeping_the_step = [this](const auto& function) {
    try {
      return function();
    } catch (...) {
      close_failed_segment();
      throw;
    }
  };
  reached_ = integrator_.state().t;
  const std::string refusal = keeping_the_step([this] {
    const std::string found = find_zeros();
    if (!found.empty() || !goes_over_an_edge()) return found;
    step_to_the_edge();
    return find_zeros();
  });
  if (!refusal.empty())  // the step leads to where an event should not let it
    fail(refusal, integrator_.previous_state().t);
  expect_no_jump();
  return keeping_the_step([this] { return treat_instants(); });
}

/// Of a drive, up to where an event begins the motion anew: a jump there is the event's business, and the event is
/// found to rounding. The end of the run is left out too, so that it may end there and another one begin.
void Simulation::Run::expect_no_jump() {
  const auto first = first_restart();
  const double end = first != zeros_.end() ? first->t : integrator_.state().t;
  const bool is_excused = first != zeros_.end() || end >= t_end_;
  if (const std::optional<JumpWatch::Jump> jump = jumps_.look(is_excused ? end - width_of_jumps(end) : end))
    fail(concat("no motion without a shock follows '", jump->input, "' from there on."), jump->t);
}

std::vector<Simulation::Run::Zero>::const_iterator Simulation::Run::first_restart() const {
  return std::find_if(zeros_.begin(), zeros_.end(), [this](const Zero& zero) { return restarts(zero.watch); });
}

/// Whether the motion begins anew inside the last step where forces have an edge. What is interpolated over an edge is
/// not as good as the ends of steps, and the run would go on from there.
bool Simulation::Run::goes_over_an_edge() {
  constexpr double as_good_as_ends = 1;  // tolerance
  // So near to the edge that a step over it is off by no more, and so far that the function has the sign of before.
  constexpr double nearness = 1e-4;
  if (!integrator_.repeats_steps()) return false;
  const auto found = first_restart();
  if (found == zeros_.end() || !(found->t < integrator_.state().t)) return false;
  const double begin = integrator_.previous_state().t;
  if (found->t - begin <= same_instant * (integrator_.state().t - begin)) return false;
  const InPhase in(events_, equations_);
  // Halfway to the edge too: at one point two curves may have the same slope by chance.
  const auto is_off = [&](double t) { return interior_.off_equations(t) > as_good_as_ends; };
  if (!is_off(found->t) && !is_off(begin + 0.5 * (found->t - begin))) return false;
  edge_ = found->t - nearness * (found->t - begin);
  return true;
}

/// The last step is not made, and the next ones end just before the edge, in front of which forces are smooth. The zero
/// is found again in the step behind that, near its beginning.
void Simulation::Run::step_to_the_edge() {
  watches_ = watches_before_;
  initialize(State(integrator_.previous_state()));
  step_towards(edge_);
  reached_ = integrator_.state().t;
}

/// Up to the instant that is treated, where it changes the motion: what comes after it may lead through a floor.
void Simulation::Run::close_failed_segment() {
  if (!(integrator_.state().t > t_)) return;  // the step was taken back
  try {
    const bool is_inside = reached_ < integrator_.state().t;
    close_segment(is_inside ? State(interior_.projected(reached_)) : integrator_.state());
  } catch (...) {  // the first exception tells more
  }
}

std::string Simulation::Run::find_zeros() {
  zeros_.clear();
  if (watches_.empty()) return "";
  const InPhase in(events_, equations_);
  for (std::size_t i = 0; i < watches_.size(); ++i) {
    found_.clear();
    if (const Outcome found = watches_[i].find_zeros(interior_, found_); !found)
      return concat(is_switch(i) ? "switch '" : "event '", watches_[i].name(), "': ", found.reason(), ".");
    for (const FoundZero& zero : found_) zeros_.push_back({zero.t, zero.exact, i});
  }
  std::stable_sort(zeros_.begin(), zeros_.end(), [](const Zero& a, const Zero& b) { return a.t < b.t; });
  return "";
}

std::optional<Simulation::Run::Instant> Simulation::Run::treat_instants() {
  const double length = integrator_.state().t - integrator_.previous_state().t;
  for (Instant instant{0, 0}; instant.first < zeros_.size(); instant.first = instant.last) {
    instant.last = instant.first;
    const double t = zeros_[instant.first].t;
    while (instant.last < zeros_.size() && zeros_[instant.last].t - t <= same_instant * length) ++instant.last;
    reached_ = restarts(instant) ? t : integrator_.state().t;
    record(instant);
    if (!s_.observers_.empty()) ask_observers(State(interior_.projected(t)));
    if (stopped_ || restarts(instant)) return instant;
  }
  return {};
}

bool Simulation::Run::restarts(const Instant& instant) const {
  return std::any_of(zeros_.begin() + static_cast<std::ptrdiff_t>(instant.first),
                     zeros_.begin() + static_cast<std::ptrdiff_t>(instant.last),
                     [&](const Zero& zero) { return restarts(zero.watch); });
}

/// Whether nothing but its time is wanted of its zeros.
bool Simulation::Run::is_reported(std::size_t watch) const {
  return !is_switch(watch) && s_.events_[watch].action == Event::Action::report;
}

bool Simulation::Run::restarts(std::size_t watch) const {
  return is_switch(watch) || s_.events_[watch].action == Event::Action::change;
}

void Simulation::Run::record(const Instant& instant) {
  for (std::size_t i = instant.first; i < instant.last; ++i) {
    const Zero& zero = zeros_[i];
    s_.trajectory_.append(EventRecord{watches_[zero.watch].name(), is_reported(zero.watch) ? zero.exact : zero.t});
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
  edge_ = t;
  std::vector<bool> triggered(watches_.size(), false);
  bool jumped = false;
  {
    const InPhase in(events_, equations_);
    for (std::size_t i = instant.first; i < instant.last; ++i) {
      const std::size_t watch = zeros_[i].watch;
      triggered[watch] = true;
      if (is_switch(watch) || s_.events_[watch].action != Event::Action::change) continue;
      equations_.set(state);
      jumped = true;
      const State before = state;
      ask_user("the effect of event", s_.events_[watch].name, t, [&] { s_.events_[watch].effect(state, equations_); });
      state.t = t;
      if (state.p.size() != before.p.size() || state.v.size() != before.v.size() || state.r.size() != before.r.size() ||
          state.w.size() != before.w.size() || state.s.size() != before.s.size() ||
          state.lambda.size() != before.lambda.size())
        fail(concat("the effect of event '", s_.events_[watch].name,
                    "' changed the size of the state; let it change values only."),
             t);
      if (!(state.p.allFinite() && state.v.allFinite() && state.r.allFinite() && state.w.allFinite() &&
            state.s.allFinite()))
        fail(concat("the effect of event '", s_.events_[watch].name,
                    "' left a state that is not finite; check its function."),
             t);
    }
    interior_.project(state);
    equations_.set(state);
    if (jumped) equations_.renew_invariants();
    bool mode_changed = false;
    for (std::size_t i = instant.first; i < instant.last; ++i)
      if (is_switch(zeros_[i].watch)) {
        equations_.remember(true, static_cast<int>(zeros_[i].watch - s_.events_.size()));
        mode_changed = true;
      }
    if (!mode_changed) equations_.remember(true, -1);
  }
  jumps_.begin(std::min(t + width_of_jumps(t), t_end_));
  initialize(state);
  ++s_.statistics_.restarts;
  for (std::size_t i = 0; i < watches_.size(); ++i) {
    watches_[i].restart(triggered[i], t);
    if (!triggered[i] || !restarts(i)) continue;
    if (const std::string why = monitors_[i].note(t, is_switch(i)); !why.empty())
      fail(concat(is_switch(i) ? "switch '" : "event '", watches_[i].name(), "': ", why, "."), t);
  }
  segment_starts_ = true;
  const State& after = integrator_.state();
  renew_memory();
  if (!s_.observers_.empty()) ask_observers(known_end());
  measure(after, true);  // last, as at the start
  if (stopped_ || t >= t_end_) append({known_end(), known_end(), {}}, true);
}

// ------------------------------------------------------------------------------------- segments and reports

State Simulation::Run::with_eliminated(State state) {
  const Dimensions& n = equations_.dimensions();
  if (equations_.auxiliary().size() == n.w && equations_.contacts().size() == n.s) return state;
  equations_.set(state);
  state.w = equations_.solved_auxiliary();
  state.s = equations_.solved_contacts();
  return state;
}

TrajectorySegment Simulation::Run::segment_to(const State& end) {
  const InPhase in(reports_, equations_);
  return {with_eliminated(integrator_.previous_state()), with_eliminated(end), {}};
}

void Simulation::Run::close_segment(const State& end) {
  TrajectorySegment segment = segment_to(end);
  const double begin = segment.begin.t;
  if (s_.options_.keep_dense_output || !schedules_.empty()) segment.dense = interior_.dense(false);
  append(std::move(segment), segment_starts_);
  segment_starts_ = false;
  if (s_.options_.energy_balance) integrate_power(begin, end.t);
  measure(end, false);
}

void Simulation::Run::append(TrajectorySegment segment, bool starts) {
  t_ = segment.end.t;
  segment.memory = memory_;
  Trajectory& path = s_.trajectory_;
  if (!s_.options_.keep_steps) path.clear_segments();
  path.append(std::move(segment));  // before callbacks, which may fail
  deliver(starts);
  if (!s_.options_.keep_dense_output) path.last_segment().dense.reset();
}

void Simulation::Run::deliver(bool starts) {
  if (schedules_.empty()) return;
  const InPhase in(reports_, equations_);
  const TrajectorySegment& segment = s_.trajectory_.segments().back();
  State state;
  for (std::size_t i = 0; i < schedules_.size(); ++i) {
    schedules_[i].next(segment.begin.t, segment.end.t, starts, times_);
    for (double t : times_) {
      if (const Outcome found = reader_.read(segment, t, state); !found) interior_.unknown().note(t, found.reason());
      equations_.set(state);
      ask_user("an output callback", "", t, [&] { s_.outputs_[i].callback(state); });
    }
  }
}

/// With what the equations remember now, so that they can be asked about the last state.
void Simulation::Run::finish() {
  s_.unknown_points_ = interior_.unknown();
  if (s_.trajectory_.empty()) return;
  const InPhase in(reports_, equations_);
  State& last = s_.trajectory_.last_segment().end;
  try {
    State known = last;
    if (const Outcome found = reader_.complete(known))
      last = std::move(known);
    else  // what the integrator has is kept
      s_.unknown_points_.note(last.t, found.reason());
  } catch (...) {  // of a function of the model, by which the run may have ended
    s_.unknown_points_.note(last.t, "a function of the model threw an exception.");
  }
  check_observables(last);
  equations_.set(last);
}

void Simulation::Run::check_observables(const State& last) {
  const std::vector<std::string> names = equations_.observable_names();
  Eigen::VectorXd values;
  try {
    equations_.observables(last, values);
    for (Eigen::Index i = 0; i < values.size(); ++i)
      if (!std::isfinite(values[i]))
        s_.odd_observables_.push_back(
            concat("observable '", names[static_cast<std::size_t>(i)], "' is ", values[i], " at the end"));
  } catch (const std::exception& error) {
    s_.odd_observables_.push_back(concat("observables can't be computed at the end: ", error.what()));
  } catch (...) {
    s_.odd_observables_.push_back("observables can't be computed at the end: one threw what is no std::exception");
  }
}

void Simulation::Run::integrate_power(double begin, double end) {
  const InPhase in(balance_, equations_);
  // Else the power does not depend on accelerations and multipliers.
  const bool by_reactions = equations_.inputs() > 0 || equations_.forces_read_multipliers();
  const auto power = [&](double t) {
    equations_.set(by_reactions ? interior_.whole(t) : interior_.interpolated(t));
    return equations_.element_power();
  };
  work_ += boost::math::quadrature::gauss<double, 10>::integrate(power, begin, end);
}

/// Constraint residuals and energies at an accepted state. An effect's jump of energy counts as work of its own.
void Simulation::Run::measure(const State& state, bool after_jump) {
  const InPhase in(reports_, equations_);
  equations_.set(state);
  if (s_.options_.check_declarations) check_declarations(equations_);
  take_larger(s_.residual_, equations_.constraint_residual());
  measure_invariants();
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
  const double off = std::abs(balance_error_);
  report.balance = off <= report.balance ? report.balance : off;  // NaN once, NaN for good
}

void Simulation::Run::measure_invariants() {
  const int count = equations_.dimensions().e;
  if (count == 0) return;
  if (!equations_.holds_invariants()) equations_.hold_invariants();  // an integrator that does not know them
  std::vector<InvariantReport>& reports = s_.invariants_;
  reports.resize(static_cast<std::size_t>(count));
  const Eigen::VectorXd& off = equations_.e();
  const Eigen::VectorXd& values = equations_.invariants();
  for (int i = 0; i < count; ++i) {
    InvariantReport& report = reports[static_cast<std::size_t>(i)];
    report.name = equations_.invariant_name(i);
    report.unit = equations_.invariant_unit(i);
    report.level = values[i] - off[i];
    report.max_drift = std::max(report.max_drift, std::abs(off[i]));
  }
}

void Simulation::Run::ask_observers(const State& state) {
  const InPhase in(reports_, equations_);
  const bool was_stopped = stopped_;
  for (const auto& observer : s_.observers_) {
    equations_.set(state);
    if (!ask_user("an observer", "", state.t, [&] { return observer(state, equations_); })) stopped_ = true;
  }
  if (stopped_ && !was_stopped) s_.trajectory_.append(EventRecord{"observer", state.t});
}

void Simulation::Run::sum_up() {
  SimulationStatistics& out = s_.statistics_;
  const Phase& dense = interior_.dense_phase();
  out.integrator = integrator_.statistics();
  out.evaluations = integration_.evaluations + dense.evaluations;
  out.driver_evaluations = equations_.counters() - counters_before_ - out.evaluations;
  out.linear = s_.solver_->statistics();
  out.balance_seconds = balance_.seconds;
  out.wall_seconds = std::chrono::duration<double>(InPhase::Clock::now() - wall_start_).count() - out.balance_seconds;
  out.dense_seconds = dense.seconds;
  out.event_seconds = events_.seconds;
  out.output_seconds = reports_.seconds;
}

}  // namespace linkwork
