#include <linkwork/solvers/integrators/extrapolation.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/solvers/integrators/extrapolation_tableau.hpp>
#include <linkwork/solvers/integrators/half_explicit_euler.hpp>
#include <linkwork/solvers/integrators/midpoint_rule.hpp>
#include <linkwork/solvers/integrators/order_control.hpp>
#include <linkwork/solvers/integrators/stepping_integrator.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace linkwork {

namespace {

// A step within its tolerance ends about as far from the constraints. Where the projection moves it more than this many
// tolerances, it has found another branch of them, e.g. another turn of a screw.
constexpr double branch_limit = 100;

class Extrapolation final : public SteppingIntegrator {
 public:
  explicit Extrapolation(const ExtrapolationOptions& options)
      : SteppingIntegrator(stepping_options(options)), options_(options) {}

  std::string_view name() const override { return "extrapolation"; }
  Outcome initialize(EquationsOfMotion& equations, LinearSolver& solver, const State& start) override;
  Outcome step(double t_limit) override;

 private:
  // The start.
  Outcome check_equations(const EquationsOfMotion& equations) const;
  Outcome choose_scheme(EquationsOfMotion& equations, LinearSolver& solver);
  Outcome settle_multipliers();

  // One step, in the order in which its parts are done.
  std::string why_too_small(double H, double smallest) const;
  Outcome attempt(double H, double t_end, bool tentative);
  Outcome compute_lines(double H);
  double error_of(const Eigen::VectorXd& difference) const;
  double scaled_error_of_line();
  void take_result(double t_end);
  Outcome project_result();
  void finish_step();
  Outcome begin_at_state();
  Outcome begin_at_trial_state();
  const StepSequence& sequence() const { return scheme_->sequence(); }
  Eigen::VectorXd first_algebraic_extrapolated(int lines) const;
  std::string worst_component() const;

  bool has_stepped() const override { return lines_ != 0; }
  void build_dense(bool all) override;

  ExtrapolationOptions options_;
  std::unique_ptr<BasicScheme> scheme_;
  OrderControl control_{half_explicit_sequence, 3, 1};  // until equations are given

  State trial_;
  bool is_first_step_ = true;
  bool begun_ = false;  // scheme_ has evaluated what belongs to state_
  double proposed_step_ = 0;
  int lines_ = 0;                 // of the last attempt
  bool error_too_large_ = false;  // why the last attempt failed

  // A tableau entry holds the increments of p, v and r over the step, then a and lambda where the scheme gives them.
  ExtrapolationTableau tableau_{half_explicit_sequence};
  BasicScheme::Result result_;
  Eigen::VectorXd entry_;
  std::vector<Eigen::VectorXd> first_algebraic_;  // (a, lambda) after the first sub-step, by line
  std::vector<BasicScheme::History> history_;

  Eigen::VectorXd previous_p_rate_;
};

// ------------------------------------------------------------------------------------------------ start

Outcome Extrapolation::check_equations(const EquationsOfMotion& equations) const {
  const Dimensions& n = equations.dimensions();
  if (n.w > 0 || n.s > 0)
    return Outcome::failure(concat("extrapolation: model '", equations.model_name(), "' has ", n.w,
                                   " auxiliary variables w and ", n.s,
                                   " contact coordinates s, which the half-explicit method does not treat; solve for "
                                   "them inside the force element or constraint."));
  expect_fit(n, "ExtrapolationOptions");
  return {};
}

Outcome Extrapolation::choose_scheme(EquationsOfMotion& equations, LinearSolver& solver) {
  const int rows = equations.dimensions().constraints();
  const bool reads = equations.forces_read_multipliers();
  Discretisation chosen = options_.discretisation;
  if (chosen == Discretisation::automatic)
    chosen = reads ? Discretisation::friction : rows == 0 ? Discretisation::midpoint : Discretisation::standard;
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
  control_ = OrderControl(sequence(), options_.maximum_order, options_.rtol > 0 ? options_.rtol : options_.atol);
  tableau_ = ExtrapolationTableau(sequence());
  return {};
}

Outcome Extrapolation::initialize(EquationsOfMotion& equations, LinearSolver& solver, const State& start) {
  if (Outcome fit = check_equations(equations); !fit) return fit;
  if (Outcome chosen = choose_scheme(equations, solver); !chosen) return chosen;
  const Dimensions& n = equations.dimensions();
  equations_ = &equations;
  solver_ = &solver;
  projection_ = std::make_unique<Projection>(equations, solver);
  proposed_step_ = options_.first_step;
  lines_ = 0;
  history_.resize(StepSequence::maximum_lines);
  first_algebraic_.resize(StepSequence::maximum_lines);
  result_ = {};
  is_first_step_ = true;
  begun_ = false;
  drop_dense();

  state_ = start;
  state_.a.setZero(n.v);
  const bool multipliers_given = options_.multipliers_given && state_.lambda.size() == n.constraints();
  if (!multipliers_given) state_.lambda.setZero(n.constraints());
  weights_ = ErrorWeights(equations);
  weights_.renew(tolerances(), state_, state_);
  try {
    equations.set(state_);
    if (Outcome projected = project_start(); !projected) return projected;
    equations.set_states(state_.r);
    equations.set_multipliers(state_.lambda);
    if (equations.forces_read_multipliers() && !multipliers_given) {
      if (Outcome settled = settle_multipliers(); !settled) return settled;
    }
    if (scheme_->begins_with_accelerations()) {
      if (Outcome begun = begin_at_state(); !begun) return begun;
    }
  } catch (const RecoverableFailure& failure) {
    return Outcome::failure(concat("the initial state can't be evaluated: ", failure.what()));
  }
  previous_ = state_;
  return {};
}

/// Where forces depend on multipliers, their value at the start is a fixed point: integrate a very short step and
/// extrapolate lambda back to its start, until it stays the same.
Outcome Extrapolation::settle_multipliers() {
  constexpr int maximum_repeats = 50;
  constexpr double settled = 1e-6;
  const double tiny = 1e-3 * options_.first_step;
  for (int repeat = 0; repeat < maximum_repeats; ++repeat) {
    if (Outcome begun = begin_at_state(); !begun) return begun;
    for (int line = 1; line <= 2; ++line) {
      if (Outcome outcome = scheme_->run(sequence().steps(line), tiny, result_, nullptr); !outcome) return outcome;
      first_algebraic_[static_cast<std::size_t>(line - 1)] = result_.first_lambda;
    }
    const Eigen::VectorXd lambda = first_algebraic_extrapolated(2);
    begun_ = false;
    if (!lambda.allFinite()) break;
    const double change = (lambda - state_.lambda).norm();
    state_.lambda = lambda;
    if (change <= settled * (1 + lambda.norm())) break;
  }
  return {};  // not settled: the error control finds out whether the method can go on from here
}

/// h-extrapolation of the values after the first sub-step of each line, to the start of the step (MEXX 2.4).
Eigen::VectorXd Extrapolation::first_algebraic_extrapolated(int lines) const {
  ExtrapolationTableau tableau(sequence());
  for (int line = 1; line <= lines; ++line) {
    Eigen::VectorXd value = first_algebraic_[static_cast<std::size_t>(line - 1)];
    tableau.add(value);
  }
  return tableau.value();
}

// ------------------------------------------------------------------------------------------------ one step

Outcome Extrapolation::begin_at_state() {
  if (begun_) return {};
  Outcome outcome = scheme_->begin(state_);
  begun_ = static_cast<bool>(outcome);
  return outcome;
}

/// What the next step needs at its start is evaluated before this one is accepted: a state at which the forces can't be
/// evaluated is no end of a step.
Outcome Extrapolation::begin_at_trial_state() {
  previous_p_rate_ = scheme_->start_p_rate();
  begun_ = false;
  Outcome outcome = scheme_->begin(trial_);
  begun_ = static_cast<bool>(outcome);
  return outcome;
}

Outcome Extrapolation::step(double t_limit) {
  if (Outcome begun = begin_step(); !begun) return begun;
  const double smallest = smallest_step(t_limit);
  for (double wish = proposed_step_;; wish = control_.step()) {
    double H = limited(wish);
    if (!(H > smallest)) return Outcome::failure(why_too_small(H, smallest));
    const double left = t_limit - state_.t;
    const bool last = 1.01 * H >= left;
    if (last) H = left;
    if (Outcome outcome = attempt(H, last ? t_limit : state_.t + H, last || is_first_step_)) {
      finish_step();
      return invariants_conserved();
    }
    ++statistics_.rejected_steps;
  }
}

std::string Extrapolation::why_too_small(double H, double smallest) const {
  const std::string what = concat("the step size became too small: ", H, " s at t = ", state_.t, " s; ");
  if (records_.empty())  // it was not the error control
    return what + why_lost_in_rounding(smallest);
  const StepRecord& last = records_.back();
  if (error_too_large_)
    return concat(what, last.reason,
                  "; loosen the tolerances, or look for a jump or a singularity of the forces at this time.");
  return what + as_sentence(last.reason);
}

/// Computes a step of size H up to the projected trial state, with a record of it.
Outcome Extrapolation::attempt(double H, double t_end, bool tentative) {
  StepRecord record;
  record.t = state_.t;
  record.step = H;
  records_.push_back(record);
  control_.begin(H, tentative);
  Outcome outcome;
  error_too_large_ = false;
  try {
    outcome = begin_at_state();
    if (outcome) outcome = compute_lines(H);
    error_too_large_ = !outcome && records_.back().order > 0;
    if (outcome) {
      take_result(t_end);
      outcome = project_result();
    }
    if (outcome) outcome = begin_at_trial_state();
  } catch (const RecoverableFailure& failure) {
    outcome = Outcome::failure(failure.what());
  }
  if (!outcome && !error_too_large_) {
    control_.shrink();
    ++statistics_.convergence_failures;
  }
  records_.back().accepted = static_cast<bool>(outcome);
  records_.back().reason = outcome.reason();
  return outcome;
}

/// Line after line of the tableau until the order control accepts or gives up. `order` of the record stays 0 when a
/// line could not be computed.
Outcome Extrapolation::compute_lines(double H) {
  tableau_.clear();
  for (int line = 1;; ++line) {
    BasicScheme::History* history = options_.dense_output ? &history_[static_cast<std::size_t>(line - 1)] : nullptr;
    if (Outcome computed = scheme_->run(sequence().steps(line), H, result_, history); !computed) {
      records_.back().order = 0;
      return computed;
    }
    if (is_first_step_ && !scheme_->begins_with_accelerations()) {
      Eigen::VectorXd& first = first_algebraic_[static_cast<std::size_t>(line - 1)];
      first.resize(result_.first_a.size() + result_.first_lambda.size());
      first << result_.first_a, result_.first_lambda;
    }
    entry_.resize(result_.dp.size() + result_.dv.size() + result_.dr.size() + result_.a.size() + result_.lambda.size());
    entry_ << result_.dp, result_.dv, result_.dr, result_.a, result_.lambda;
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
  weights_.renew(tolerances(), state_, trial_);
  StepRecord& record = records_.back();
  for (int k = 1; k < tableau_.lines(); ++k) record.tableau_errors.push_back(error_of(tableau_.difference(k)));
  record.error = record.tableau_errors.back();
  return record.error;
}

void Extrapolation::take_result(double t_end) {
  const Dimensions& n = equations_->dimensions();
  trial_.t = t_end;  // p, v and r are there already
  trial_.lambda.resize(n.constraints());
  if (scheme_->begins_with_accelerations()) return;
  trial_.a = tableau_.value().segment(n.p + n.v + n.r, n.v);
  trial_.lambda = tableau_.value().tail(n.constraints());
}

Outcome Extrapolation::project_result() {
  StepRecord& record = records_.back();
  Outcome position = projection_->position(trial_.t, trial_.p, weights_.p);
  statistics_.newton_iterations += projection_->iterations();
  record.projection_iterations = projection_->iterations();
  record.position_projection = projection_->position_change();
  if (!position) return position;
  if (!(record.position_projection <= branch_limit))
    return Outcome::failure(concat("closing the constraints after the step moves positions by ",
                                   record.position_projection, " times the tolerance, onto another branch"));
  Outcome velocity = projection_->velocity(trial_.v, weights_.v);
  record.velocity_projection = projection_->velocity_change();
  return velocity ? keep_invariants(trial_) : velocity;
}

void Extrapolation::finish_step() {
  if (is_first_step_ && !scheme_->begins_with_accelerations()) {
    const Eigen::VectorXd first = first_algebraic_extrapolated(lines_);
    state_.a = first.head(state_.a.size());
    // The step used the multipliers it was started with, where forces read them.
    if (!equations_->forces_read_multipliers()) state_.lambda = first.tail(state_.lambda.size());
  }
  is_first_step_ = false;
  std::swap(previous_, state_);
  std::swap(state_, trial_);
  drop_dense();
  ++statistics_.steps;
  control_.accept(lines_);
  proposed_step_ = control_.step();
}

std::string Extrapolation::worst_component() const {
  const Dimensions& n = equations_->dimensions();
  const Eigen::VectorXd& difference = tableau_.difference(tableau_.lines() - 1);
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
  EquationsOfMotion& e = *equations_;
  const Eigen::VectorXd& end_p_rate = scheme_->start_p_rate();
  Eigen::VectorXd begin_r_rate(state_.r.size()), end_r_rate(state_.r.size());
  if (state_.r.size() > 0) {
    e.set(previous_);
    begin_r_rate = e.r_rate();
    e.set(state_);
    end_r_rate = e.r_rate();
  }
  const DenseSelection& s = dense_selection();
  dense_.t_begin = previous_.t;
  dense_.t_end = state_.t;
  dense_.p.components = components(s.p, all, state_.p.size());
  dense_.v.components = components(s.v, all, state_.v.size());
  dense_.r.components = components(s.r, all, state_.r.size());
  dense_.a.components = components(s.a, all, state_.a.size());
  dense_.lambda.components = components(s.lambda, all, state_.lambda.size());

  scheme_->interpolate(history_, lines_, options_.maximum_dense_degree,
                       {previous_, state_, previous_p_rate_, end_p_rate, begin_r_rate, end_r_rate}, dense_);
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

std::unique_ptr<Integrator> make_extrapolation(const ExtrapolationOptions& options) {
  if (const std::string why = options.why_invalid(); !why.empty())
    throw ModelError(concat("ExtrapolationOptions: ", why));
  return std::make_unique<Extrapolation>(options);
}

}  // namespace linkwork
