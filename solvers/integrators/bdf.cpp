#include <linkwork/solvers/integrators/bdf.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/solvers/integrators/bdf_history.hpp>
#include <linkwork/solvers/integrators/independent_rows.hpp>
#include <linkwork/solvers/integrators/stepping_integrator.hpp>
#include <linkwork/solvers/integrators/unknown_weights.hpp>
#include <linkwork/solvers/jacobian/jacobian.hpp>
#include <linkwork/solvers/newton/iteration_matrix.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace linkwork {

namespace {

// Newton's iteration ends when the error that is left, estimated from the rate of convergence, is below this part of
// the tolerance; a rate above the largest one means that it does not converge. What is left enters the differences of
// the history as noise. DASSL's value goes with matrices that are differenced whenever the iteration is slow; where
// updates keep an old dF/dy, it would take `andrews` several times the steps.
constexpr double tolerance_of_new_matrices = 0.33, tolerance_of_updated_matrices = 0.03;
constexpr double largest_rate = 0.9;
constexpr int most_iterations = 4;
// A correction below this part of the tolerance needs no rate.
constexpr double negligible_correction = 1e-4;
// What is left over after a correction, in units of it, as long as no rate is known: after a new matrix, and after a
// change of the coefficient.
constexpr double remainder_of_new_matrix = 20, remainder_of_old_matrix = 100;
// A rate that was measured in an earlier step is not trusted to be smaller than this: with a matrix that is kept for
// long, corrections that are large would pass unmeasured while the iteration has long become slow.
constexpr double least_remembered_remainder = 0.003;
// The coefficient may change by this ratio before the matrix is renewed. Where an update costs no evaluation, a smaller
// change is worth one as soon as a coefficient has stayed for some steps and still takes more than one iteration.
constexpr double coefficient_ratio = 0.6, settled_coefficient_ratio = 0.95;
constexpr int steps_to_settle = 4;
constexpr int most_failures = 10;  // of Newton's iteration in one step
constexpr int most_errors = 20;    // error tests in one step: each cuts it to a quarter
// Where constraints lose rank at one position on the way of a smooth motion, shorter steps come ever nearer to it. As
// many longer ones, each twice the one before, are tried where the matrix is singular, and where shorter steps have not
// converged for so many times.
constexpr int most_jumps = 2, failures_before_jump = 3;

class Bdf final : public SteppingIntegrator {
 public:
  explicit Bdf(const BdfOptions& options) : SteppingIntegrator(stepping_options(options)), options_(options) {}

  std::string_view name() const override { return "bdf"; }
  bool carries_auxiliary() const override { return true; }
  Outcome initialize(EquationsOfMotion& equations, LinearSolver& solver, const State& start) override;
  Outcome step(double t_limit) override;

 private:
  // The start.
  void pose_system();
  void begin_history();
  void renew_weights();
  double first_step(double t_limit);

  // One step, in the order in which its parts are done.
  enum class Verdict { accepted, error, convergence };
  Verdict attempt(double h, double t_end);
  Outcome solve_corrector(double h);
  bool coefficient_has_changed() const;
  Outcome renew_matrix(double h, JacobianCause cause);
  enum class Iteration { converged, slow };
  Iteration iterate(double h);
  bool motion_has_converged(double first_size, int m, double newton_tolerance) const;
  void correct();
  void evaluate(Eigen::VectorXd& F);
  double test_error();
  Outcome finish_step(double h);
  Outcome keep_on_manifold();
  void renew_characteristic_forces();
  int choose_order_and_step(double h);
  void reduce_after_error(double h, int failures);
  double growth(double estimate, int order) const;
  template <class Vector>
  double error_norm(const Vector& e) const;
  Outcome renew_redundancy();
  void take_counts();
  void close_accounts();

  // Messages.
  std::string why_too_small(double h, double smallest, double t_limit);
  std::string why_rejected();
  std::string why_near_singular_position();
  std::string why_no_convergence(double h) const;
  std::string worst_error() const;

  int history_size() const { return at().eta + reported_accelerations_ + reported_rows_; }
  const StabilisedLayout& at() const { return system_->layout(); }
  bool updates_matrix() const { return options_.jacobian.partitioned != PartitionedUpdates::off; }
  bool has_stepped() const override { return order_before_ != 0; }
  void build_dense(bool all) override;

  BdfOptions options_;
  std::optional<IndependentRows> independent_;  // where constraints are redundant
  int reported_rows_ = 0;                       // multipliers that the history carries for reports, then
  int reported_accelerations_ = 0;              // that it carries for dense output
  std::unique_ptr<StabilisedEquations> system_;
  std::unique_ptr<Jacobian> jacobian_;
  std::unique_ptr<IterationMatrix> matrix_;
  double matrix_alpha_ = 0;  // of the factored matrix; 0: there is none
  bool jacobian_is_new_ = false;
  bool matrix_is_singular_ = false;  // the last one
  bool met_singularity_ = false;     // in the present step

  UnknownWeights unknown_weights_;
  Eigen::VectorXd counts_as_error_;  // of p, v and r: 1, or 0 for what follows from others
  Eigen::VectorXd error_scales_;     // the inverse weights of those that count

  // The history carries y without eta, then v' for dense output, then the multipliers that are reported where
  // constraints are redundant.
  BdfHistory history_;
  Eigen::VectorXd predicted_, correction_;
  Eigen::VectorXd y_predicted_, y_rate_predicted_, y_, y_rate_, F_, F_predicted_, delta_;
  double alpha_ = 0, last_alpha_ = 0, t_new_ = 0;
  double remainder_ = remainder_of_old_matrix;  // what a correction leaves over, in units of it
  int iterations_ = 0, last_iterations_ = 0;    // of this attempt, and of the one before
  int steps_of_coefficient_ = 0;                // attempts with the present coefficient, this one included

  double start_speed_ = 0;  // the rates at the start, in tolerances per second
  double step_ = 0;         // the next one, a wish; 0: not chosen yet
  bool ramping_ = true;     // order and step grow with every step, until an error stops them
  int order_before_ = 0;    // of the last accepted step
  int lower_or_same_ = 1;   // order that the error test recommends
  double estimate_ = 0, lower_estimate_ = 0, term_ = 0, lower_term_ = 0;

  std::int64_t own_function_calls_ = 0;
};

// ------------------------------------------------------------------------------------------------ start

Outcome Bdf::initialize(EquationsOfMotion& equations, LinearSolver& solver, const State& start) {
  fit_to(equations, "BdfOptions");
  if (equations_ != &equations) system_.reset();
  return start_consistently(equations, solver, start, [this] {
    pose_system();
    begin_history();
    return Outcome();
  });
}

/// A new system where there is none yet, or where other rows have become redundant.
void Bdf::pose_system() {
  EquationsOfMotion& e = *equations_;
  const Dimensions& n = e.dimensions();
  const std::vector<int> rows_before = independent_ ? independent_->redundant_rows() : std::vector<int>();
  choose_independent_rows(independent_, e, *solver_, state_);
  const std::vector<int> rows = independent_ ? independent_->redundant_rows() : std::vector<int>();
  reported_rows_ = independent_ ? n.constraints() : 0;
  reported_accelerations_ = options_.dense_output ? n.v : 0;
  matrix_alpha_ = 0;
  if (system_ && rows == rows_before) return;
  if (jacobian_) close_accounts();
  matrix_.reset();
  system_ = std::make_unique<StabilisedEquations>(
      e, StabilisedEquations::Options{options_.formalism, options_.eta_derivative, rows});
  jacobian_ = std::make_unique<Jacobian>(*system_, options_.jacobian);
  unknown_weights_ = UnknownWeights(e, at(), tolerances());
  for (Eigen::VectorXd* vector : {&y_predicted_, &y_rate_predicted_, &y_, &y_rate_, &F_, &delta_})
    vector->setZero(at().size);
  counts_as_error_.setOnes(at().differential());
  for (const int i : weights_.dependent_p) counts_as_error_[at().p + i] = 0;
  for (const int i : weights_.dependent_v) counts_as_error_[at().v + i] = 0;
}

/// Order 1 from the state on.
void Bdf::begin_history() {
  unknown_weights_.renew_forces(*equations_, state_);
  Eigen::VectorXd z = Eigen::VectorXd::Zero(history_size()), z_rate = z, p_rate;
  equations_->set(state_);
  equations_->position_rate(p_rate);
  at().copy_from_state(state_, z);
  z.segment(at().eta, reported_accelerations_) = state_.a.head(reported_accelerations_);
  z_rate.head(at().w) << p_rate, state_.a, equations_->r_rate();
  if (independent_) {
    independent_->spread(state_.lambda);
    z.tail(reported_rows_) = state_.lambda;
  }
  step_ = options_.first_step;
  ramping_ = true;
  order_before_ = 0;
  history_.start(z, z_rate);
  renew_weights();
  start_speed_ = error_norm(z_rate);
}

/// Of the last point. What follows from others does not count as an error.
void Bdf::renew_weights() {
  unknown_weights_.renew(history_.difference(0));
  error_scales_ = counts_as_error_.cwiseProduct(unknown_weights_.inverse_values().head(at().differential()));
}

/// A step that an Euler step moves by half the tolerance, at most a thousandth of the run; under a tolerance that lies
/// in the rounding of fast motions, one that time can tell.
double Bdf::first_step(double t_limit) {
  const double longest = first_share(1e-3, t_limit);
  return start_speed_ > 0.5 / longest ? std::max(0.5 / start_speed_, 1.1 * smallest_step(t_limit)) : longest;
}

// ------------------------------------------------------------------------------------------------ one step

Outcome Bdf::step(double t_limit) {
  if (Outcome begun = begin_step(); !begun)
    return has_stepped()
               ? Outcome::failure(concat(as_sentence(begun.reason()), " The last step had ", history_.span(1),
                                         " s for the error of ", worst_error(), '.', why_near_singular_position()))
               : begun;
  const double smallest = smallest_step(t_limit);
  if (step_ == 0) step_ = first_step(t_limit);
  renew_weights();
  int errors = 0, no_convergence = 0, jumps = 0;
  double first = 0, shortest = 0, error_before = std::numeric_limits<double>::infinity();
  met_singularity_ = false;
  for (;;) {
    double h = limited(step_);
    const double left = t_limit - state_.t;
    if (!(h > smallest) && h < left) return Outcome::failure(why_too_small(h, smallest, t_limit));
    const bool last = h * (1 + 1e-6) >= left;
    if (last)
      h = left;
    else if (2 * h > left)
      h = 0.5 * left;  // a last step that is very short would leave multipliers with the noise of velocities over h
    if (records_.empty()) first = shortest = h;
    shortest = std::min(shortest, h);
    switch (attempt(h, last ? t_limit : state_.t + h)) {
      case Verdict::accepted:
        return finish_step(h);
      case Verdict::error:
        reduce_after_error(h, ++errors);
        // An error that is larger after a shorter step is no error of the formula: noise of directions that constraints
        // hardly hold.
        if (jumps < most_jumps && h == shortest && records_.back().error > error_before)
          step_ = std::ldexp(first, ++jumps);
        error_before = records_.back().error;
        break;
      case Verdict::convergence:
        ++statistics_.convergence_failures;
        ++no_convergence;
        step_ = 0.25 * shortest;
        if (jumps < most_jumps && (matrix_is_singular_ || no_convergence == failures_before_jump))
          step_ = std::ldexp(first, ++jumps);
        break;
    }
    ++statistics_.rejected_steps;
    ramping_ = false;
    if (errors == most_errors || no_convergence == most_failures)
      return Outcome::failure(concat(errors == most_errors ? most_errors : most_failures,
                                     errors == most_errors ? " error tests" : " Newton iterations",
                                     " failed in one step at t = ", state_.t, " s, the last one with a step of ", h,
                                     " s and order ", history_.order(), ": ", why_rejected()));
  }
}

Bdf::Verdict Bdf::attempt(double h, double t_end) {
  StepRecord& record = records_.emplace_back();
  record.t = state_.t;
  record.step = h;
  record.order = history_.order();
  t_new_ = t_end;
  matrix_is_singular_ = false;
  last_iterations_ = iterations_;
  iterations_ = 0;
  const Outcome solved = solve_corrector(h);
  record.projection_iterations = iterations_;
  take_counts();
  if (!solved) {
    record.reason = solved.reason();
    return Verdict::convergence;
  }
  record.error = test_error();
  if (!(record.error <= 1)) {
    record.reason = concat("the error estimate is ", record.error, " times the tolerance, worst in ", worst_error());
    return Verdict::error;
  }
  record.accepted = true;
  return Verdict::accepted;
}

void Bdf::evaluate(Eigen::VectorXd& F) {
  ++own_function_calls_;
  system_->evaluate(t_new_, y_, y_rate_, F);
}

/// y at the end of the step, from the prediction. The matrix is renewed when the coefficient has changed much, and when
/// Newton's iteration does not converge with it.
Outcome Bdf::solve_corrector(double h) {
  history_.prepare(h);
  alpha_ = history_.leading_coefficient();
  history_.predict(predicted_, y_rate_predicted_.head(at().differential()));
  y_predicted_.head(at().eta) = predicted_.head(at().eta);  // eta is predicted to be 0
  ++steps_of_coefficient_;
  if (alpha_ != last_alpha_) {
    remainder_ = remainder_of_old_matrix;
    steps_of_coefficient_ = 1;
  }
  last_alpha_ = alpha_;
  try {
    y_ = y_predicted_;
    y_rate_ = y_rate_predicted_;
    evaluate(F_predicted_);
    if (matrix_alpha_ == 0 || coefficient_has_changed()) {
      const JacobianCause cause = matrix_alpha_ == 0 ? JacobianCause::start : JacobianCause::coefficient;
      if (Outcome renewed = renew_matrix(h, cause); !renewed) return renewed;
    }
    for (;;) {
      F_ = F_predicted_;
      if (iterate(h) == Iteration::converged) return {};
      if (!jacobian_->can_improve(t_new_)) return Outcome::failure(why_no_convergence(h));
      y_ = y_predicted_;
      y_rate_ = y_rate_predicted_;
      if (Outcome renewed = renew_matrix(h, JacobianCause::convergence); !renewed) return renewed;
    }
  } catch (const RecoverableFailure& failure) {
    return Outcome::failure(failure.what());
  }
}

bool Bdf::coefficient_has_changed() const {
  const bool has_settled = updates_matrix() && steps_of_coefficient_ > steps_to_settle && last_iterations_ > 1;
  const double allowed = has_settled ? settled_coefficient_ratio : coefficient_ratio;
  const double ratio = matrix_alpha_ / alpha_;
  return ratio < allowed || ratio > 1 / allowed;
}

Outcome Bdf::renew_matrix(double h, JacobianCause cause) {
  const JacobianPoint point{t_new_, y_, y_rate_, alpha_, h, unknown_weights_.for_increments(history_.difference(0))};
  matrix_alpha_ = 0;
  if (Outcome renewed = jacobian_->renew(point, F_predicted_, cause); !renewed) return renewed;
  if (!matrix_) matrix_ = make_iteration_matrix(options_.matrix, jacobian_->matrix());
  if (Outcome factored =
          matrix_->factor(jacobian_->matrix(), jacobian_->alpha(), jacobian_->pattern_version(), *system_);
      !factored) {
    matrix_is_singular_ = met_singularity_ = true;
    return factored;
  }
  matrix_alpha_ = alpha_;
  remainder_ = remainder_of_new_matrix;
  jacobian_is_new_ = true;
  return {};
}

/// One simplified Newton iteration (CORR 14) after the other, F_ given for the first one. Where multipliers alone don't
/// converge, and no force reads them, the step has converged all the same: what they do is seen in the positions and
/// velocities that change with them. Near positions where constraints lose rank they go to infinity on smooth motions.
Bdf::Iteration Bdf::iterate(double h) {
  const double newton_tolerance = updates_matrix() ? tolerance_of_updated_matrices : tolerance_of_new_matrices;
  double first_size = 0, first_of_motion = 0;
  remainder_ = std::max(remainder_, least_remembered_remainder);
  for (int m = 0; m < most_iterations; ++m) {
    if (m > 0) evaluate(F_);
    correct();
    ++iterations_;
    ++statistics_.newton_iterations;
    const double size = unknown_weights_.norm(delta_, h);
    if (m == 0) {
      first_size = size;
      first_of_motion = unknown_weights_.norm_of_motion(delta_);
      if (size <= negligible_correction * newton_tolerance) return Iteration::converged;
    } else {
      const double rate = std::pow(size / first_size, 1.0 / m);
      const bool is_slow = !(rate <= largest_rate);
      if ((is_slow || m + 1 == most_iterations) && !equations_->forces_read_multipliers() &&
          motion_has_converged(first_of_motion, m, newton_tolerance))
        return Iteration::converged;
      if (is_slow) return Iteration::slow;
      remainder_ = rate / (1 - rate);
    }
    if (remainder_ * size <= newton_tolerance) return Iteration::converged;
  }
  return Iteration::slow;
}

/// @param m  iterations after the first one
bool Bdf::motion_has_converged(double first_size, int m, double newton_tolerance) const {
  const double size = unknown_weights_.norm_of_motion(delta_);
  if (size <= negligible_correction * newton_tolerance) return true;
  const double rate = std::pow(size / first_size, 1.0 / m);
  return rate <= largest_rate && rate / (1 - rate) * size <= newton_tolerance;
}

/// A matrix of another coefficient solves for other components than those that have derivatives as well as its own
/// does, when their equations are divided by the factor c of CORR (18) and the solutions of all but the multipliers are
/// multiplied by it: M alpha is then exact in the mean of the ratio, and constraints are closed at once.
void Bdf::correct() {
  const double c = 2 / (1 + alpha_ / matrix_alpha_);
  delta_ = F_;
  delta_.tail(at().size - at().differential()) /= c;
  matrix_->solve(delta_);
  delta_.head(at().lambda) *= c;
  y_ -= delta_;
  y_rate_.head(at().differential()) -= alpha_ * delta_.head(at().differential());
}

/// Root mean square of the p, v and r at the head of e.
template <class Vector>
double Bdf::error_norm(const Vector& e) const {
  const double squares = e.head(error_scales_.size()).cwiseProduct(error_scales_).squaredNorm();
  return std::sqrt(squares / std::max(counts_as_error_.sum(), 1.0));
}

/// The error of the step in units of the tolerance. Norms are normalised on the way, so that they are part of what is
/// tested; terms of the orders below are compared on the way.
double Bdf::test_error() {
  const Dimensions& n = equations_->dimensions();
  if (n.normalisation > 0) {
    Eigen::VectorXd p = y_.head(n.p);
    equations_->normalise(state_.p, p);
    y_.head(n.p) = p;
  }
  correction_.setZero(history_size());
  correction_.head(at().eta) = y_.head(at().eta) - predicted_.head(at().eta);
  correction_.segment(at().eta, reported_accelerations_) =
      y_rate_.segment(at().v, reported_accelerations_) - predicted_.segment(at().eta, reported_accelerations_);

  const int k = history_.order();
  const double size = error_norm(correction_);
  term_ = history_.term_factor() * size;
  estimate_ = term_ / (k + 1);
  lower_or_same_ = k;
  if (k > 1) {
    const auto difference = correction_ + history_.lower_difference(1);
    lower_term_ = history_.lower_term_factor(1) * error_norm(difference);
    lower_estimate_ = lower_term_ / k;
    double larger = 2 * lower_term_;  // at order 2 the order below must be clearly better
    if (k > 2)
      larger =
          std::max(lower_term_, history_.lower_term_factor(2) * error_norm(difference + history_.lower_difference(2)));
    if (larger <= term_) lower_or_same_ = k - 1;
  }
  return history_.error_factor() * size;
}

void Bdf::reduce_after_error(double h, int failures) {
  const int k = history_.order();
  if (failures == 1) {
    history_.set_order(lower_or_same_);
    const double estimate = lower_or_same_ < k ? lower_estimate_ : estimate_;
    step_ = h * std::clamp(0.9 * growth(estimate, lower_or_same_), 0.25, 0.9);
  } else {
    history_.set_order(failures == 2 ? lower_or_same_ : 1);
    step_ = 0.25 * h;
  }
}

/// Ratio of steps that brings the estimated term down to half the tolerance.
double Bdf::growth(double estimate, int order) const { return std::pow(2 * estimate + 1e-4, -1.0 / (order + 1)); }

/// After an accepted step that is not yet part of the history. While ramping, order and step grow without a look at the
/// estimates; later, order changes only where terms fall or rise clearly, and the step doubles or stays or shrinks.
/// @return the next order
int Bdf::choose_order_and_step(double h) {
  const int k = history_.order();
  const bool order_was_raised = k - order_before_ == 1;
  order_before_ = k;
  if (lower_or_same_ < k || k == options_.maximum_order) ramping_ = false;
  if (ramping_) {
    step_ = 2 * h;
    return k + 1;
  }
  int order = k;
  double estimate = estimate_;
  if (lower_or_same_ < k) {
    order = k - 1;
  } else if (k < options_.maximum_order && history_.allows_higher_order() && !order_was_raised) {
    const double higher_estimate = error_norm(correction_ - history_.higher_difference()) / (k + 2);
    const double higher_term = (k + 2) * higher_estimate;
    if (k > 1 && lower_term_ <= std::min(term_, higher_term)) {
      order = k - 1;
    } else if (higher_term < (k > 1 ? term_ : 0.5 * term_)) {
      order = k + 1;
      estimate = higher_estimate;
    }
  }
  if (order < k) estimate = lower_estimate_;
  const double ratio = growth(estimate, order);
  step_ = ratio >= 2 ? 2 * h : (ratio <= 1 ? h * std::clamp(ratio, 0.5, 0.9) : h);
  return order;
}

Outcome Bdf::finish_step(double h) {
  std::swap(previous_, state_);
  state_.t = t_new_;
  at().copy_to_state(y_, state_);
  state_.a = y_rate_.segment(at().v, at().r - at().v);
  if (Outcome kept = keep_on_manifold(); !kept) return kept;
  if (independent_) {
    equations_->set(state_);
    independent_->follow(*equations_);
    const std::string why = independent_->disagreement(*equations_, std::max(options_.rtol, tolerances().of_ratios()));
    if (!why.empty()) return Outcome::failure(why);
    independent_->spread(state_.lambda);
    correction_.tail(reported_rows_) = state_.lambda - predicted_.tail(reported_rows_);
  }
  const int next_order = choose_order_and_step(h);
  history_.accept(correction_);
  history_.set_order(next_order);
  drop_dense();
  ++statistics_.steps;
  if (jacobian_is_new_) renew_characteristic_forces();
  jacobian_is_new_ = false;
  return independent_ && independent_->has_changed() ? renew_redundancy() : Outcome();
}

/// Where they can't be evaluated at the end of a step, those of before serve as well.
void Bdf::renew_characteristic_forces() {
  try {
    unknown_weights_.renew_forces(*equations_, state_);
  } catch (const RecoverableFailure&) {
  }
}

/// The history gets the point on the constraints and the solution invariants; the change is a part of the error of the
/// step.
Outcome Bdf::keep_on_manifold() {
  const bool finishes = options_.finish && equations_->dimensions().constraints() > 0;
  if (!finishes && !keeps_invariants()) return {};
  const State before = state_;
  weights_.renew(tolerances(), previous_, previous_);
  if (Outcome kept = move_to_manifold(state_); !kept) return kept;
  if (Outcome conserved = invariants_conserved(); !conserved) return conserved;
  correction_.segment(at().p, state_.p.size()) += state_.p - before.p;
  correction_.segment(at().v, state_.v.size()) += state_.v - before.v;
  if (state_.s.size() > 0) correction_.segment(at().s, state_.s.size()) += state_.s - before.s;
  return {};
}

/// Other rows are independent now: their multipliers are others, so that the history of the old ones ends here. Rows
/// that nothing has kept so far are closed, or the first step would have an error of their size, however short it is.
Outcome Bdf::renew_redundancy() {
  if (options_.dense_output) keep_dense();  // of the step that has just been done, as long as its history is there
  weights_.renew(tolerances(), state_, state_);
  if (Outcome closed = move_to_manifold(state_); !closed) return closed;
  pose_system();
  begin_history();
  return {};
}

void Bdf::take_counts() {
  count_calls(jacobian_->statistics(), own_function_calls_);
  statistics_.factorizations = earlier_.factorizations + (matrix_ ? matrix_->statistics().factorizations : 0);
}

/// The counts so far, before another system takes the place of the one that has counted them.
void Bdf::close_accounts() {
  take_counts();
  earlier_ = statistics_;
  own_function_calls_ = 0;
}

// ------------------------------------------------------------------------------------------------ messages

std::string Bdf::why_too_small(double h, double smallest, double t_limit) {
  constexpr double far = 1e3;  // of what is left of the run
  const std::string what =
      concat("the step size became too small: ", h, " s at t = ", state_.t, " s, order ", history_.order(), "; ");
  if (!has_stepped() && records_.empty()) return what + why_lost_in_rounding(smallest);  // it was wished for
  const std::string cause = records_.empty() ? concat("steps shrink with the error of ", worst_error(),
                                                      ", as where a solution goes to infinity or jumps.")
                                             : concat("the last attempt failed: ", why_rejected());
  if (std::abs(state_.t) <= far * (t_limit - state_.t)) return what + cause;
  return concat(what, "time has no digits left for shorter steps so far from t = 0: begin nearer to it; ", cause);
}

/// The last attempt, and the singular position that it was near.
std::string Bdf::why_rejected() {
  const std::string reason = as_sentence(records_.back().reason);
  if (!met_singularity_) return reason + why_near_singular_position();
  const std::string singularity = as_sentence(matrix_->why_singular(*system_)) + why_near_singular_position();
  return matrix_is_singular_ ? singularity : concat(reason, " A step before met a singular position: ", singularity);
}

/// A sentence about the last accepted state, "" where rows are well independent.
std::string Bdf::why_near_singular_position() {
  const auto redundant = independent_ ? independent_->redundant_rows().size() : 0;
  equations_->set(state_);
  return linkwork::why_near_singular_position(*equations_,
                                              equations_->dimensions().constraints() - static_cast<int>(redundant));
}

/// Names the unknown that changed most in the last iteration, and the equation that is furthest from being satisfied
/// in units of what the tolerances of its unknowns make of it.
std::string Bdf::why_no_convergence(double h) const {
  const SparseMatrix& J = jacobian_->matrix();
  Eigen::VectorXd unit = Eigen::VectorXd::Constant(at().size, std::numeric_limits<double>::min());
  for (int j = 0; j < J.columns(); ++j)
    for (int place = J.begin(j); place < J.end(j); ++place)
      unit[J.row(place)] += std::abs(J.value(place)) * unknown_weights_.values()[j];
  int equation = 0;
  for (int i = 0; i < at().size; ++i)
    if (!(std::abs(F_[i]) / unit[i] <= std::abs(F_[equation]) / unit[equation])) equation = i;
  const int unknown = unknown_weights_.worst(delta_, h);
  return concat("Newton's iteration does not converge: after ", iterations_, " iterations ",
                system_->unknown_name(unknown), " still changes by ", delta_[unknown], ", and ",
                system_->equation_name(equation), " is off by ", F_[equation]);
}

std::string Bdf::worst_error() const {
  if (counts_as_error_.sum() == 0) return "no component";
  const Eigen::VectorXd error = correction_.head(error_scales_.size()).cwiseProduct(error_scales_).cwiseAbs();
  int worst = 0;
  for (int i = 0; i < error.size(); ++i)
    if (!(error[i] <= error[worst])) worst = i;  // what is not finite is worst of all
  return concat(system_->unknown_name(worst), ", which is ", y_[worst]);
}

// ------------------------------------------------------------------------------------------------ dense output

/// The polynomial through the last points in Newton's form on the nodes 0, 1, 1, ... of the step.
void Bdf::build_dense(bool all) {
  const Dimensions& n = equations_->dimensions();
  const int degree = history_.last_order();
  const double length = history_.span(1);
  dense_.t_begin = previous_.t;
  dense_.t_end = state_.t;
  // Newton's form on the points themselves, theta = 1, 0, -..., in units of the step.
  std::vector<double> nodes(static_cast<std::size_t>(degree));
  Eigen::VectorXd scale = Eigen::VectorXd::Ones(degree + 1);
  for (int i = 1; i <= degree; ++i) {
    nodes[static_cast<std::size_t>(i - 1)] = 1 - history_.span(i - 1) / length;
    scale[i] = scale[i - 1] * length / history_.span(i);
  }
  const auto set = [&](DensePolynomial::Group& group, const std::optional<std::vector<int>>& chosen, int first,
                       Eigen::Index count) {
    group.components = components(chosen, all, count);
    group.left_nodes = 1;
    group.middle_nodes = 0;
    Eigen::MatrixXd& c = group.coefficients;
    c.resize(static_cast<Eigen::Index>(group.components.size()), degree + 1);
    for (std::size_t row = 0; row < group.components.size(); ++row)
      for (int i = 0; i <= degree; ++i)
        c(static_cast<Eigen::Index>(row), i) = scale[i] * history_.difference(i)[first + group.components[row]];
    // Puts a node before the others, the last one falls out; the polynomial stays the same.
    std::vector<double> at_nodes = nodes;
    for (int k = 0; k < degree; ++k) {
      const double node = k + 1 < degree ? 1 : 0;
      for (int i = degree - 1; i >= 0; --i) c.col(i) += (node - at_nodes[static_cast<std::size_t>(i)]) * c.col(i + 1);
      std::copy_backward(at_nodes.begin(), at_nodes.end() - 1, at_nodes.end());
      at_nodes[0] = node;
    }
  };
  const DenseSelection& s = dense_selection();
  set(dense_.p, s.p, at().p, state_.p.size());
  set(dense_.v, s.v, at().v, state_.v.size());
  set(dense_.r, s.r, at().r, state_.r.size());
  set(dense_.w, s.w, at().w, n.w);
  set(dense_.s, s.s, at().s, n.s);
  set(dense_.a, s.a, at().eta, state_.a.size());
  set(dense_.lambda, s.lambda, independent_ ? history_size() - reported_rows_ : at().lambda, state_.lambda.size());
}

}  // namespace

std::string BdfOptions::why_invalid() const {
  if (std::string why = stepping_options(*this).why_invalid(); !why.empty()) return why;
  if (std::string why = jacobian.why_invalid(); !why.empty()) return why;
  if (maximum_order < 1 || maximum_order > BdfHistory::highest_order)
    return concat("maximum_order is ", maximum_order, "; expected 1 to ", BdfHistory::highest_order, ".");
  if (!(std::isfinite(first_step) && first_step >= 0))
    return concat("first_step is ", first_step, " s; expected > 0, or 0 for a choice by the rates at the start.");
  return "";
}

std::unique_ptr<Integrator> make_bdf(const BdfOptions& options) {
  if (const std::string why = options.why_invalid(); !why.empty()) throw ModelError(concat("BdfOptions: ", why));
  return std::make_unique<Bdf>(options);
}

}  // namespace linkwork
