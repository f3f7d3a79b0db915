#include <linkwork/solvers/integrators/extrapolation.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/core/residual_text.hpp>
#include <linkwork/solvers/dae/unit_sizes.hpp>
#include <linkwork/solvers/integrators/extrapolation_tableau.hpp>
#include <linkwork/solvers/integrators/half_explicit_euler.hpp>
#include <linkwork/solvers/integrators/midpoint_rule.hpp>
#include <linkwork/solvers/integrators/order_control.hpp>
#include <linkwork/solvers/integrators/singular_position.hpp>
#include <linkwork/solvers/integrators/stability_probe.hpp>
#include <linkwork/solvers/integrators/stepping_integrator.hpp>
#include <linkwork/solvers/manifold/projection.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace linkwork {

namespace {

// A step within its tolerance ends about as far from the constraints. Where the projection moves it by more than this
// many tolerances and more than this part of the step itself, it has found another branch of them, e.g. another turn of
// a screw. Next to positions where constraints lose rank rounding errors alone are moved by more than a tight
// tolerance.
constexpr double branch_limit = 100, branch_share = 1e-3;
// Where constraints lose rank at one position of a smooth motion, shorter steps come ever nearer to it. As many longer
// ones, as long as before and twice that, are tried where that many could not be closed, or ended where accelerations
// are lost in rounding.
constexpr int most_longer_steps = 2, failures_before_longer_step = 3;
constexpr int most_rows_looked_at_on_the_way = 300;  // whether they depend on each other
// Of the terms of highest degree in what is interpolated, in units of the tolerance: what is left out is a third of
// them and less, and may be ten tolerances. How far below the step that would meet it the next one stays.
constexpr double curve_tolerance = 30, curve_safety = 0.9;
// A step that is only little too long is not repeated: the terms are several times what is left out.
constexpr double largest_curve_error = 5 * curve_tolerance;

/// Some components of a group that has all.
DensePolynomial::Group chosen(const DensePolynomial::Group& all, const std::vector<int>& components) {
  return {components, all.left_nodes, all.coefficients(components, Eigen::all), all.middle_nodes};
}

class Extrapolation final : public SteppingIntegrator {
 public:
  explicit Extrapolation(const ExtrapolationOptions& options)
      : SteppingIntegrator(stepping_options(options), {.stretch = 1.01}), options_(options) {}

  std::string_view name() const override { return "extrapolation"; }
  bool repeats_steps() const override { return true; }
  bool shift(const State& corrected) override;
  bool factors_force_jacobian() const override { return options_.discretisation == Discretisation::friction; }
  Outcome initialize(EquationsOfMotion& equations, LinearSolver& solver, const State& start) override;

 private:
  // The start.
  std::string_view options_name() const override { return "ExtrapolationOptions"; }
  double first_step(double /*t_limit*/) override { return options_.first_step; }
  Outcome check_equations(const EquationsOfMotion& equations) const;
  Outcome choose_scheme(EquationsOfMotion& equations, LinearSolver& solver);

  // One step, in the order in which its parts are done.
  void begin_attempts() override;
  Verdict attempt(const StepEnd& end) override;
  Outcome compute(const StepEnd& end);
  Outcome compute_lines(double H);
  double error_of(const Eigen::VectorXd& difference) const;
  double scaled_error_of_line();
  void take_result(double t_end);
  Outcome project_result();
  Outcome constraints_are_closed();
  Outcome begin_at_state();
  Outcome begin_at_trial_state();
  Outcome forces_were_foreseen();
  Outcome curves_are_good();
  Outcome accept(double H) override;
  void reject(double H, Verdict verdict, int attempts) override;
  void try_longer_step();
  std::vector<std::string> meeting_elements();
  std::string explanation() override;
  std::string why_so_short() override;
  std::string limiting_component() const override { return worst_component(); }
  bool is_limited_by_stability() const;
  void look_at_stability();
  const StepSequence& sequence() const { return scheme_->sequence(); }
  BasicScheme::Lines lines() const { return {history_, lines_, step_size_}; }
  std::string worst_component() const { return worst_component(tableau_.difference(tableau_.lines() - 1)); }
  std::string worst_component(const Eigen::VectorXd& difference) const;

  bool has_stepped() const override { return lines_ != 0; }
  void build_dense(bool all) override;
  void interpolate(const State& begin, const Eigen::VectorXd& begin_p_rate, const State& end,
                   const Eigen::VectorXd& end_p_rate, DensePolynomial& dense);

  ExtrapolationOptions options_;
  std::unique_ptr<BasicScheme> scheme_;
  std::unique_ptr<StabilityProbe> probe_;
  OrderControl control_{half_explicit_sequence, 3, 1};  // until equations are given

  State trial_;
  bool is_first_step_ = true;
  bool begun_ = false;                  // scheme_ has evaluated what belongs to state_
  int in_vain_ = 0, longer_steps_ = 0;  // attempts at a singular position, since a step had none
  bool was_in_vain_ = false;            // in this step
  int lines_ = 0;                       // of the last attempt
  double step_size_ = 0;                // likewise
  /// Why the last attempt failed.
  enum class Cause { breakdown, closing, large_error, unforeseen_force, curve } cause_ = Cause::breakdown;

  // A tableau entry holds the increments of p, v and r over the step.
  ExtrapolationTableau tableau_{half_explicit_sequence};
  BasicScheme::Result result_;
  Eigen::VectorXd entry_;
  std::vector<BasicScheme::History> history_;

  Eigen::VectorXd position_sizes_, row_sizes_;  // what counts as one of each position, and of each row of g
  Eigen::VectorXd previous_p_rate_;
  DensePolynomial curves_;  // of p and v over the last attempt
  double curve_step_ = 0;   // the longest step by what was interpolated in the last attempt
  struct CurveError {
    double step = 0, error = 0;     // [s], in tolerances
  } curve_error_;                   // of the last attempt that came so far
  bool was_cut_for_curve_ = false;  // in this step
};

// ------------------------------------------------------------------------------------------------ start

Outcome Extrapolation::check_equations(const EquationsOfMotion& equations) const {
  const Dimensions& n = equations.dimensions();
  if (n.w > 0 || n.s > 0)
    return Outcome::failure(concat("extrapolation: model '", equations.model_name(), "' has ", n.w,
                                   " auxiliary variables w and ", n.s,
                                   " contact coordinates s, which the half-explicit method does not treat; solve for "
                                   "them inside the force element or constraint."));
  return {};
}

Outcome Extrapolation::choose_scheme(EquationsOfMotion& equations, LinearSolver& solver) {
  const int rows = equations.dimensions().constraints();
  const bool reads = equations.forces_read_multipliers();
  Discretisation chosen = options_.discretisation;
  if (chosen == Discretisation::automatic)
    chosen = reads ? Discretisation::friction : rows == 0 ? Discretisation::midpoint : Discretisation::standard;
  if (chosen == Discretisation::standard && reads && equations.dimensions().servo > 0)
    return Outcome::failure(
        concat("extrapolation: the standard discretisation takes forces that read multipliers from the step before, "
               "which is none for servo '",
               equations.constraint_element(rows - 1), "' of model '", equations.model_name(),
               "', whose force follows from what it prescribes; take discretisation automatic or friction."));
  if (chosen != Discretisation::midpoint) {
    scheme_ = std::make_unique<HalfExplicitEuler>(equations, solver, chosen == Discretisation::friction);
  } else {
    if (rows > 0)
      return Outcome::failure(concat("extrapolation: the midpoint rule treats no constraints, and the ",
                                     equations.formulation_name(), " equations of model '", equations.model_name(),
                                     "' have ", rows, " constraint rows, among them ", equations.constraint_name(0),
                                     "; take discretisation automatic or standard, or relative coordinates where all "
                                     "joints form a tree."));
    if (reads)
      return Outcome::failure(
          concat("extrapolation: the midpoint rule treats no forces that read reactions, as those "
                 "of model '",
                 equations.model_name(), "' do; take discretisation automatic or friction."));
    scheme_ = std::make_unique<MidpointRule>(equations, solver);
  }
  control_ = OrderControl(sequence(), options_.maximum_order,
                          options_.rtol > 0 ? options_.rtol : component_tolerances().of_ratios());
  tableau_ = ExtrapolationTableau(sequence());
  return {};
}

Outcome Extrapolation::initialize(EquationsOfMotion& equations, LinearSolver& solver, const State& start) {
  if (Outcome fit = check_equations(equations); !fit) return fit;
  take_over(equations, solver, start);
  if (Outcome chosen = choose_scheme(equations, solver); !chosen) return chosen;
  const Dimensions& n = equations.dimensions();
  probe_ = std::make_unique<StabilityProbe>(equations, solver);
  lines_ = 0;
  position_sizes_ = position_sizes(equations);
  row_sizes_ = constraint_sizes(equations).head(n.lambda);
  history_.resize(StepSequence::maximum_lines);
  result_ = {};
  is_first_step_ = true;
  begun_ = false;
  curve_error_ = {};
  in_vain_ = longer_steps_ = 0;
  curves_.p.components = components({}, true, n.p);
  curves_.v.components = components({}, true, n.v);
  if (!options_.multipliers_given || state_.lambda.size() != n.constraints()) state_.lambda.setZero(n.constraints());
  try {
    equations.set(state_);
    if (Outcome projected = project_start(); !projected) return projected;
    if (Outcome begun = begin_at_state(); !begun) return begun;
  } catch (const RecoverableFailure& failure) {
    return Outcome::failure(concat("the initial state can't be evaluated: ", failure.what()), Failure::not_evaluated);
  }
  previous_ = state_;
  return {};
}

bool Extrapolation::shift(const State& corrected) {
  state_ = corrected;
  begun_ = false;
  return static_cast<bool>(begin_at_state());
}

// ------------------------------------------------------------------------------------------------ one step

Outcome Extrapolation::begin_at_state() {
  if (begun_) return {};
  Outcome outcome = scheme_->begin(state_, false);
  begun_ = static_cast<bool>(outcome);
  return outcome;
}

/// What the next step needs at its start is evaluated before this one is accepted: a state at which the forces can't be
/// evaluated is no end of a step.
Outcome Extrapolation::begin_at_trial_state() {
  previous_p_rate_ = scheme_->start_p_rate();
  begun_ = false;
  const bool is_factored = equations_->dimensions().constraints() > 0 && !has_kept_invariants();
  Outcome outcome = scheme_->begin(trial_, is_factored);
  if (outcome) outcome = forces_were_foreseen();
  if (outcome) outcome = curves_are_good();
  begun_ = static_cast<bool>(outcome);
  return outcome;
}

/// All lines agree without a force that sets in behind their last sub-steps, or is gone after their first ones: the
/// step is accepted only where they fit the accelerations at its ends.
Outcome Extrapolation::forces_were_foreseen() {
  const BasicScheme::Surprise surprise = scheme_->surprise(lines(), state_, trial_, weights_.v);
  if (surprise.size == 0) return {};
  cause_ = Cause::unforeseen_force;
  return Outcome::failure(concat("where the step ", surprise.at_start ? "begins" : "ends", ", the acceleration of ",
                                 equations_->velocity_name(surprise.component), " is ",
                                 surprise.at_start ? "another one than" : "not what",
                                 surprise.at_start ? " the rest of the step leads back to" : " the step has led to",
                                 ": within a sub-step it moves the velocity by ", surprise.size, " tolerances"));
}

/// What is interpolated inside the step is tested as its end is: by the terms of the highest degree, which are larger
/// than what is left out (E. Hairer, A. Ostermann (1990), Dense output for extrapolation methods). Where values between
/// steps are asked for, the next step is chosen by them too, except where the last one was shorter in vain: its error
/// had fallen by less than half of the order. A step that was cut in vain is accepted: no error of the interpolation.
Outcome Extrapolation::curves_are_good() {
  curve_step_ = std::numeric_limits<double>::infinity();
  if (!has_dense_output()) return {};
  interpolate(state_, previous_p_rate_, trial_, scheme_->start_p_rate(), curves_);
  const Dimensions& n = equations_->dimensions();
  Eigen::VectorXd terms = Eigen::VectorXd::Zero(n.p + n.v + n.r);
  terms.head(n.p) = curves_.p.last_term();
  terms.segment(n.p, n.v) = curves_.v.last_term();
  const CurveError now{step_size_, error_of(terms)}, before = std::exchange(curve_error_, now);
  if (now.error == 0) return {};
  const double order = curves_.differential_degree();
  const bool is_in_vain =
      now.step < before.step && now.error > before.error * std::pow(now.step / before.step, 0.5 * order);
  if (!is_in_vain) curve_step_ = now.step * curve_safety * std::pow(curve_tolerance / now.error, 1 / order);
  if (now.error <= largest_curve_error || (is_in_vain && was_cut_for_curve_)) return {};
  was_cut_for_curve_ = true;
  // What is not finite would cut nothing.
  if (!(curve_step_ < now.step)) curve_step_ = 0.5 * now.step;
  cause_ = Cause::curve;
  return Outcome::failure(concat("what is interpolated inside the step is off by ", now.error, " tolerances, worst in ",
                                 worst_component(terms)));
}

void Extrapolation::begin_attempts() {
  was_cut_for_curve_ = was_in_vain_ = false;
  try_longer_step();
}

void Extrapolation::reject(double /*H*/, Verdict /*verdict*/, int /*attempts*/) {
  step_ = std::min(control_.step(), curve_step_);
  if (cause_ == Cause::closing || cause_ == Cause::unforeseen_force) {
    was_in_vain_ = true;
    ++in_vain_;
  }
  try_longer_step();
}

void Extrapolation::try_longer_step() {
  if (in_vain_ < failures_before_longer_step || longer_steps_ == most_longer_steps) return;
  in_vain_ = 0;
  ++longer_steps_;
  const bool is_small = equations_->dimensions().constraints() <= most_rows_looked_at_on_the_way;
  if (is_small && !meeting_elements().empty()) step_ = std::ldexp(usual_step_, longer_steps_ - 1);
}

/// Of the last accepted state.
std::vector<std::string> Extrapolation::meeting_elements() {
  const int independent = equations_->dimensions().constraints() - static_cast<int>(solver_->redundant_rows().size());
  if (independent < 2) return {};
  try {
    equations_->set(state_);
    return elements_that_meet(*equations_, independent - 1);
  } catch (const RecoverableFailure&) {
    return {};
  }
}

std::string Extrapolation::explanation() {
  if (const std::vector<std::string> elements = meeting_elements(); !records_.empty() && !elements.empty())
    return concat(" The position is close to a singular one, where ", listed(elements),
                  " depend on each other: relative coordinates may pass it, other initial values or a slightly "
                  "different geometry avoid it.");
  if (!records_.empty() && (cause_ == Cause::breakdown || cause_ == Cause::closing)) return "";
  return " Loosen the tolerances, or look for a jump or a singularity of the forces at this time: an event begins anew "
         "at a jump, radau and bdf take stiff forces.";
}

std::string Extrapolation::why_so_short() {
  if (lines_ < 2) return "";
  if (!is_limited_by_stability()) return SteppingIntegrator::why_so_short();
  return concat(" Stability has held the last steps: something changes by a rate of ", probe_->fastest_rate(),
                " per second; take radau or bdf.");
}

bool Extrapolation::is_limited_by_stability() const {
  constexpr double share = 0.5;  // errors, also of what is interpolated, make steps go up and down below the limit
  return step_size_ * probe_->fastest_rate() > share * (sequence().stable + lines_ * sequence().stable_per_line);
}

/// A look now and then costs less than one evaluation in a hundred. A state beside the accepted one may be one that
/// elements can't evaluate.
void Extrapolation::look_at_stability() {
  constexpr std::int64_t steps_between = 10;
  if (statistics_.steps % steps_between == 0) {
    try {
      probe_->look(state_);
    } catch (const RecoverableFailure&) {
    }
  }
  if (is_limited_by_stability()) ++statistics_.stability_limited_steps;
}

Verdict Extrapolation::attempt(const StepEnd& end) {
  step_size_ = end.h;
  control_.begin(end.h, end.is_last || is_first_step_);
  cause_ = Cause::breakdown;
  curve_step_ = std::numeric_limits<double>::infinity();
  Outcome outcome;
  try {
    outcome = compute(end);
  } catch (const RecoverableFailure& failure) {
    outcome = Outcome::failure(failure.what());
  }
  if (outcome) return Verdict::accepted;
  records_.back().reason = outcome.reason();
  if (cause_ != Cause::large_error && cause_ != Cause::curve) control_.shrink();
  return cause_ == Cause::breakdown || cause_ == Cause::closing ? Verdict::failure : Verdict::large_error;
}

/// A step up to the projected trial state, with what the next one needs there.
Outcome Extrapolation::compute(const StepEnd& end) {
  if (Outcome begun = begin_at_state(); !begun) return begun;
  if (Outcome computed = compute_lines(end.h); !computed) {
    if (records_.back().order > 0) cause_ = Cause::large_error;
    return computed;
  }
  take_result(end.t);
  if (Outcome projected = project_result(); !projected) return projected;
  cause_ = Cause::breakdown;
  return begin_at_trial_state();
}

/// Line after line of the tableau until the order control accepts or gives up. `order` of the record stays 0 when a
/// line could not be computed.
Outcome Extrapolation::compute_lines(double H) {
  tableau_.clear();
  for (int line = 1;; ++line) {
    BasicScheme::History& history = history_[static_cast<std::size_t>(line - 1)];
    if (Outcome computed = scheme_->run(sequence().steps(line), H, result_, history); !computed) {
      records_.back().order = 0;
      return computed;
    }
    entry_.resize(result_.dp.size() + result_.dv.size() + result_.dr.size());
    entry_ << result_.dp, result_.dv, result_.dr;
    tableau_.add(entry_);
    lines_ = line;
    records_.back().order = line;
    if (line == 1) continue;
    const double error = scaled_error_of_line();
    switch (control_.judge(line, error)) {
      case OrderControl::Decision::next_line:
        break;
      case OrderControl::Decision::accept:
        return {};
      case OrderControl::Decision::reject:
        control_.reject(line);
        return Outcome::failure(
            concat("the error estimate is ", error, " times the tolerance, worst in ", worst_component()));
    }
  }
}

double Extrapolation::error_of(const Eigen::VectorXd& difference) const {
  const Dimensions& n = equations_->dimensions();
  const double p = scaled_norm(difference.head(n.p), weights_.p);
  const double v = scaled_norm(difference.segment(n.p, n.v), weights_.v);
  const double r = scaled_norm(difference.segment(n.p + n.v, n.r), weights_.r);
  return std::sqrt(p * p + v * v + r * r);
}

double Extrapolation::scaled_error_of_line() {
  const Dimensions& n = equations_->dimensions();
  const Eigen::VectorXd& result = tableau_.value();
  trial_.p = state_.p + result.head(n.p);
  trial_.v = state_.v + result.segment(n.p, n.v);
  trial_.r = state_.r + result.segment(n.p + n.v, n.r);
  weights_.renew(component_tolerances(), state_, trial_);
  StepRecord& record = records_.back();
  for (int k = 1; k < tableau_.lines(); ++k) record.tableau_errors.push_back(error_of(tableau_.difference(k)));
  record.error = record.tableau_errors.back();
  return record.error;
}

void Extrapolation::take_result(double t_end) {
  trial_.t = t_end;  // p, v and r are there already
  trial_.a.resize(state_.a.size());
  // Forces that read multipliers begin their search from those of the last sub-step.
  const Eigen::MatrixXd& multipliers = history_[static_cast<std::size_t>(lines_ - 1)].lambda;
  if (multipliers.cols() > 0)
    trial_.lambda = multipliers.rightCols<1>();
  else
    trial_.lambda = state_.lambda;
}

Outcome Extrapolation::project_result() {
  StepRecord& record = records_.back();
  const double motion = scaled_norm(trial_.p - state_.p, weights_.p);
  constexpr double rounding_share = 1e-8;  // rounding errors next to a singular position, of the velocity
  const double speed = scaled_norm(trial_.v, weights_.v);
  Outcome position = projection_->position(trial_.t, trial_.p, weights_.p);
  statistics_.newton_iterations += projection_->iterations();
  record.projection_iterations = projection_->iterations();
  record.position_projection = projection_->position_change();
  cause_ = Cause::closing;
  if (!position) return position;
  if (!(record.position_projection <= std::max(branch_limit, branch_share * motion)))
    return Outcome::failure(concat("closing the constraints after the step moves positions by ",
                                   record.position_projection, " times the tolerance, onto another branch"));
  if (Outcome closed = constraints_are_closed(); !closed) return closed;
  Outcome velocity = projection_->velocity(trial_.v, weights_.v);
  record.velocity_projection = projection_->velocity_change();
  if (velocity && !(record.velocity_projection <= std::max(branch_limit, rounding_share * speed)))
    return Outcome::failure(concat("closing the constraints after the step changes velocities by ",
                                   record.velocity_projection, " times the tolerance"));
  return velocity ? keep_invariants(trial_) : velocity;
}

/// Where constraints have lost rank the projection may come to rest with some of them open. Rows are compared with the
/// widest tolerance of a position, lengths and angles in units of the mechanism.
Outcome Extrapolation::constraints_are_closed() {
  const Eigen::VectorXd& g = equations_->g();
  if (g.size() == 0 || weights_.p.size() == 0) return {};  // nothing to be closed, or nothing that could
  Eigen::Index worst = 0;
  const double off = g.cwiseQuotient(row_sizes_).cwiseAbs().maxCoeff(&worst);
  const auto weights = weights_.p.array() / position_sizes_.array();
  const double tolerance = (weights < std::numeric_limits<double>::infinity()).select(weights, 0).maxCoeff();
  if (off <= tolerance || tolerance == 0) return {};  // no position is looked at
  return Outcome::failure(concat("closing the constraints after the step leaves ",
                                 equations_->constraint_name(static_cast<int>(worst)), " off by ",
                                 residual_text(*equations_, static_cast<int>(worst), g[worst]),
                                 ": the position is singular, as joint angles are where two of their axes meet"));
}

Outcome Extrapolation::accept(double /*H*/) {
  if (!was_in_vain_) in_vain_ = longer_steps_ = 0;
  is_first_step_ = false;
  std::swap(previous_, state_);
  std::swap(state_, trial_);
  control_.accept(lines_);
  step_ = std::min(control_.step(), curve_step_);
  look_at_stability();
  return invariants_conserved();
}

/// The component of an increment that is largest in units of the tolerance.
std::string Extrapolation::worst_component(const Eigen::VectorXd& difference) const {
  const Dimensions& n = equations_->dimensions();
  double worst = -1;
  std::string name = "no component";
  const auto look = [&](int offset, const Eigen::VectorXd& weights, auto name_of) {
    for (Eigen::Index i = 0; i < weights.size(); ++i) {
      const double size = std::abs(difference[offset + i]) / weights[i];
      if (size <= worst) continue;
      worst = std::isfinite(size) ? size : std::numeric_limits<double>::infinity();
      name = name_of(static_cast<int>(i));
    }
  };
  look(0, weights_.p, [&](int i) { return equations_->position_name(i); });
  look(n.p, weights_.v, [&](int i) { return concat("the velocity of ", equations_->velocity_name(i)); });
  look(n.p + n.v, weights_.r, [&](int i) { return equations_->state_name(i); });
  return name;
}

// ------------------------------------------------------------------------------------------------ dense output

void Extrapolation::build_dense(bool all) {
  const DenseSelection& s = dense_selection();
  dense_.p.components.clear();
  dense_.v.components.clear();
  dense_.r.components = components(s.r, all, state_.r.size());
  dense_.a.components = components(s.a, all, state_.a.size());
  dense_.lambda.components = components(s.lambda, all, state_.lambda.size());
  interpolate(previous_, previous_p_rate_, state_, scheme_->start_p_rate(), dense_);
  dense_.p = chosen(curves_.p, components(s.p, all, state_.p.size()));  // tested before the step was accepted
  dense_.v = chosen(curves_.v, components(s.v, all, state_.v.size()));
}

/// The chosen components over the last attempt.
void Extrapolation::interpolate(const State& begin, const Eigen::VectorXd& begin_p_rate, const State& end,
                                const Eigen::VectorXd& end_p_rate, DensePolynomial& dense) {
  Eigen::VectorXd begin_r_rate(begin.r.size()), end_r_rate(begin.r.size());
  if (!dense.r.components.empty()) {
    equations_->set(begin);
    begin_r_rate = equations_->r_rate();
    equations_->set(end);
    end_r_rate = equations_->r_rate();
  }
  dense.t_begin = begin.t;
  dense.t_end = end.t;
  scheme_->interpolate(lines(), options_.maximum_dense_degree,
                       {begin, end, begin_p_rate, end_p_rate, begin_r_rate, end_r_rate}, dense);
}

}  // namespace

std::string ExtrapolationOptions::why_invalid() const {
  if (std::string why = stepping_options(*this).why_invalid(); !why.empty()) return why;
  if (maximum_order < 3 || maximum_order > StepSequence::maximum_lines)
    return concat("maximum_order is ", maximum_order, "; expected 3 to ", StepSequence::maximum_lines, ".");
  if (!(std::isfinite(first_step) && first_step > 0)) return concat("first_step is ", first_step, " s; expected > 0.");
  if (maximum_dense_degree != 0 && maximum_dense_degree < 3)
    return concat("maximum_dense_degree is ", maximum_dense_degree, "; expected 3 or more, or 0 for no limit.");
  return "";
}

std::unique_ptr<Integrator> make_integrator(const ExtrapolationOptions& options) {
  if (const std::string why = options.why_invalid(); !why.empty())
    throw ModelError(concat("ExtrapolationOptions: ", why));
  return std::make_unique<Extrapolation>(options);
}

}  // namespace linkwork
