#include <linkwork/solvers/integrators/bdf.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/solvers/integrators/bdf_history.hpp>
#include <linkwork/solvers/integrators/implicit_integrator.hpp>
#include <linkwork/solvers/newton/newton_iteration.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace linkwork {

namespace {

// Each error test cuts the step to a quarter. A last step that is very short would leave multipliers with the noise of
// velocities over h.
constexpr StepRules bdf_rules{.halves_before_end = true, .most_errors = 20, .most_failures = 10};
// Where constraints lose rank at one position on the way of a smooth motion, shorter steps come ever nearer to it. As
// many longer ones, each twice the one before, are tried where the matrix is singular, and where shorter steps have not
// converged for so many times.
constexpr int most_jumps = 2, failures_before_jump = 3;
constexpr int errors_of_smooth_motions = 2;  // rejections of one step for its error, after which the order is 1
// What a quarter of the step leaves of the difference between prediction and solution, at most, at an edge of a force
// law; noise near singular positions falls less.
constexpr double fall_at_edges = 0.1;
// An event is followed by a start at order 1 and many short steps. Errors add up from step to step, and what an event
// hands on grows with all that follows: so many steps behind it have less of the tolerance, as far as there are digits.
constexpr int steps_behind_restarts = 200;
constexpr double share_behind_restarts = 0.02, least_tolerance_behind_restarts = 1e-12;

class Bdf final : public ImplicitIntegrator {
 public:
  explicit Bdf(const BdfOptions& options)
      : ImplicitIntegrator(stepping_options(options), bdf_rules), options_(options) {}

  std::string_view name() const override { return "bdf"; }
  bool shift(const State& corrected) override;
  bool can_shift() const override { return true; }

 private:
  // The start.
  std::string_view options_name() const override { return "BdfOptions"; }
  Outcome make_system(const std::vector<int>& redundant_rows) override;
  void begin_run() override;
  void begin_from_state() override;
  void renew_weights();
  /// That the present step may have.
  double share_of_tolerance() const { return careful_steps_ > 0 ? careful_share_ : 1; }
  double first_step(double t_limit) override;

  // One step, in the order in which its parts are done.
  void begin_attempts() override;
  Verdict attempt(const StepEnd& end) override;
  Outcome solve(const StepEnd& end);
  double test_error();
  Outcome accept(double h) override;
  Outcome keep_on_manifold();
  void renew_characteristic_forces();
  int choose_order_and_step(double h);
  void reject(double h, Verdict verdict, int attempts) override;
  void reduce_after_error(double h);
  double growth(double estimate, int order) const;
  template <class Vector>
  double error_norm(const Vector& e) const;
  const JacobianStatistics& jacobian_statistics() const override { return corrector_->jacobian_statistics(); }
  CorrectorStatistics corrector_statistics() const override;
  void count_own(IntegratorStatistics& sums) const override;

  // Messages.
  std::string explanation() override;
  std::string last_reason() override;
  std::string limiting_component() const override;

  int history_size() const { return at().eta + reported_accelerations_ + reported_rows_; }
  const MotionLayout& at() const { return system_->layout(); }
  bool has_stepped() const override { return order_before_ != 0; }
  void build_dense(bool all) override;

  BdfOptions options_;
  int reported_rows_ = 0;           // multipliers that the history carries for reports, where constraints are redundant
  int reported_accelerations_ = 0;  // that it carries for dense output
  std::unique_ptr<MotionResidual> system_;
  std::unique_ptr<Corrector> corrector_;
  std::unique_ptr<NewtonIteration> newton_;
  bool met_singular_matrix_ = false;  // in the present step

  Eigen::VectorXd counts_as_error_;  // of p, v and r: 1, or 0 for what follows from others
  Eigen::VectorXd error_scales_;     // the inverse weights of those that count

  // The history carries y without eta, then v' for dense output, then the multipliers that are reported where
  // constraints are redundant.
  BdfHistory history_;
  Eigen::VectorXd predicted_, correction_;
  Eigen::VectorXd y_, y_rate_;
  double t_new_ = 0;

  // Of the attempts at the present step.
  int errors_ = 0, failures_ = 0, jumps_ = 0;
  double first_attempt_ = 0, shortest_attempt_ = 0, error_before_ = 0;
  double smooth_error_ = 0;       // of the last attempt, as that of a smooth motion
  double difference_before_ = 0;  // of the last attempt, between prediction and solution [tolerances]

  double start_speed_ = 0;  // the rates at the start, in tolerances per second
  bool ramping_ = true;     // order and step grow with every step, until an error stops them
  int order_before_ = 0;    // of the last accepted step
  int careful_steps_ = 0;   // so many more have less of the tolerance
  double careful_share_ = 1;
  int lower_or_same_ = 1;  // order that the error test recommends
  double estimate_ = 0, lower_estimate_ = 0, term_ = 0, lower_term_ = 0;
};

// ------------------------------------------------------------------------------------------------ start

Outcome Bdf::make_system(const std::vector<int>& redundant_rows) {
  EquationsOfMotion& e = *equations_;
  newton_.reset();
  corrector_.reset();
  system_ = std::make_unique<MotionResidual>(e, MotionResidual::Options{.formalism = options_.formalism,
                                                                        .eta_derivative = options_.eta_derivative,
                                                                        .redundant_rows = redundant_rows});
  corrector_ = options_.corrector ? options_.corrector(*system_, at())
                                  : make_corrector(*system_, at(), options_.newton, options_.jacobian, options_.matrix);
  if (!corrector_) throw ModelError("BdfOptions: the factory of correctors gave none; return one.");
  unknown_weights_ = UnknownWeights(e, at(), component_tolerances());
  newton_ = std::make_unique<NewtonIteration>(*system_, at(), *corrector_, unknown_weights_);
  newton_->measure_times(options_.newton.measures_times);
  for (Eigen::VectorXd* vector : {&y_, &y_rate_}) vector->setZero(at().size);
  counts_as_error_.setOnes(at().differential());
  for (const int i : weights_.dependent_p) counts_as_error_[at().p + i] = 0;
  for (const int i : weights_.dependent_v) counts_as_error_[at().v + i] = 0;
  return {};
}

void Bdf::begin_run() {
  careful_steps_ = statistics_.steps > 0 ? steps_behind_restarts : 0;
  const Tolerances& allowed = component_tolerances();
  const double relative = allowed.rtol > 0 ? allowed.rtol : allowed.of_ratios();
  careful_share_ = std::clamp(least_tolerance_behind_restarts / relative, share_behind_restarts, 1.0);
}

/// Order 1 from the state on.
void Bdf::begin_from_state() {
  const Dimensions& n = equations_->dimensions();
  reported_rows_ = independent_ ? n.constraints() : 0;
  reported_accelerations_ = has_dense_output() ? n.v : 0;
  newton_->forget();
  unknown_weights_.renew_forces(*equations_, state_);
  Eigen::VectorXd z = Eigen::VectorXd::Zero(history_size()), z_rate = z, p_rate;
  equations_->set(state_);
  equations_->position_rate(p_rate);
  at().copy_from_state(state_, z);
  z.segment(at().eta, reported_accelerations_) = state_.a.head(reported_accelerations_);
  z_rate.head(at().w) << p_rate, state_.a, equations_->r_rate();
  if (independent_) {
    independent_->minimise_norm(state_.lambda);
    z.tail(reported_rows_) = state_.lambda;
  }
  step_ = options_.first_step;
  ramping_ = true;
  order_before_ = 0;
  history_.start(z, z_rate);
  renew_weights();
  start_speed_ = error_norm(z_rate);
}

bool Bdf::shift(const State& corrected) {
  Eigen::VectorXd change = Eigen::VectorXd::Zero(history_size());
  change.head(at().w) << corrected.p - state_.p, corrected.v - state_.v, corrected.r - state_.r;
  history_.shift(change);
  state_.p = corrected.p;
  state_.v = corrected.v;
  state_.r = corrected.r;
  return true;
}

/// Of the last point. What follows from others does not count as an error.
void Bdf::renew_weights() {
  unknown_weights_.renew(history_.difference(0));
  error_scales_ = counts_as_error_.cwiseProduct(unknown_weights_.inverse_values().head(at().differential()));
  error_scales_ /= share_of_tolerance();
}

/// A step that an Euler step moves by half the tolerance, at most a thousandth of the run; under a tolerance that lies
/// in the rounding of fast motions, one that time can tell.
double Bdf::first_step(double t_limit) {
  const double longest = first_share(1e-3, t_limit);
  return start_speed_ > 0.5 / longest ? std::max(0.5 / start_speed_, 1.1 * smallest_step(t_limit)) : longest;
}

// ------------------------------------------------------------------------------------------------ one step

void Bdf::begin_attempts() {
  renew_weights();
  errors_ = failures_ = jumps_ = 0;
  error_before_ = difference_before_ = std::numeric_limits<double>::infinity();
  met_singular_matrix_ = false;
}

Verdict Bdf::attempt(const StepEnd& end) {
  StepRecord& record = records_.back();
  record.order = history_.order();
  if (records_.size() == 1) first_attempt_ = shortest_attempt_ = end.h;
  shortest_attempt_ = std::min(shortest_attempt_, end.h);
  const Outcome solved = solve(end);
  record.projection_iterations = newton_->iterations();
  statistics_.newton_iterations += newton_->iterations();
  take_counts();
  if (!solved) {
    if (newton_->met_singular_matrix()) met_singular_matrix_ = true;
    record.reason = solved.reason();
    return Verdict::failure;
  }
  record.error = test_error();
  if (record.error <= 1) return Verdict::accepted;
  const std::string behind =
      careful_steps_ > 0 ? concat(" that steps behind a restart have, ", share_of_tolerance(), " of the usual one")
                         : "";
  record.reason = concat("the error estimate is ", record.error, " times the tolerance", behind, ", worst in ",
                         limiting_component());
  return Verdict::large_error;
}

/// y at the end of the step, from the prediction; eta is predicted to be 0.
Outcome Bdf::solve(const StepEnd& end) {
  t_new_ = end.t;
  history_.prepare(end.h);
  history_.predict(predicted_, y_rate_.head(at().differential()));
  y_.head(at().eta) = predicted_.head(at().eta);
  y_.tail(at().size - at().eta).setZero();
  y_rate_.tail(at().size - at().differential()).setZero();
  const Eigen::Ref<const Eigen::VectorXd> start = history_.difference(0);
  return newton_->solve({end.t, end.h, history_.leading_coefficient(), start, equations_->forces_read_multipliers(),
                         share_of_tolerance()},
                        y_, y_rate_);
}

/// Noise of directions that constraints hardly hold shows as an error that is larger after a shorter step, and a matrix
/// is singular at one position only: where constraints lose rank, longer steps are tried.
void Bdf::reject(double h, Verdict verdict, int /*attempts*/) {
  ramping_ = false;
  bool jumps = false;
  if (verdict == Verdict::large_error) {
    ++errors_;
    reduce_after_error(h);
    jumps = h == shortest_attempt_ && smooth_error_ > error_before_;
    error_before_ = smooth_error_;
  } else {
    ++failures_;
    step_ = 0.25 * shortest_attempt_;
    jumps = newton_->met_singular_matrix() || failures_ == failures_before_jump;
  }
  if (jumps && jumps_ < most_jumps) step_ = std::ldexp(first_attempt_, ++jumps_);
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
  // The error factor shrinks with the ratio of this step to the one before, which is right for smooth motions only. A
  // step that was rejected again and again has met an edge of a force law: half of the difference may be the error of
  // Euler's rule then. Noise, which does not fall with the step, counts as before.
  const bool has_met_edge = errors_ > errors_of_smooth_motions && size < fall_at_edges * difference_before_;
  difference_before_ = size;
  const double factor = history_.error_factor();
  smooth_error_ = factor * size;
  return has_met_edge ? std::max(smooth_error_, size / (k + 1)) : smooth_error_;
}

void Bdf::reduce_after_error(double h) {
  const int k = history_.order();
  if (errors_ == 1) {
    history_.set_order(lower_or_same_);
    const double estimate = lower_or_same_ < k ? lower_estimate_ : estimate_;
    step_ = h * std::clamp(0.9 * growth(estimate, lower_or_same_), 0.25, 0.9);
  } else {
    history_.set_order(errors_ <= errors_of_smooth_motions ? lower_or_same_ : 1);
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

Outcome Bdf::accept(double h) {
  std::swap(previous_, state_);
  state_.t = t_new_;
  at().copy_to_state(y_, state_);
  state_.a = y_rate_.segment(at().v, at().r - at().v);
  if (Outcome kept = keep_on_manifold(); !kept) return kept;
  if (independent_) {
    equations_->set(state_);
    independent_->follow(*equations_);
    if (Outcome agreed = rows_agree(); !agreed) return agreed;
    independent_->minimise_norm(state_.lambda);
    correction_.tail(reported_rows_) = state_.lambda - predicted_.tail(reported_rows_);
  }
  if (careful_steps_ > 0) --careful_steps_;
  const int next_order = choose_order_and_step(h);
  history_.accept(correction_);
  history_.set_order(next_order);
  if (newton_->take_news()) renew_characteristic_forces();
  return independent_ && independent_->has_changed() ? renew_rows() : Outcome();
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
  if (!finishes && !has_kept_invariants()) return {};
  const State before = state_;
  weights_.renew(component_tolerances(), previous_, previous_);
  if (Outcome kept = move_to_manifold(state_); !kept) return kept;
  if (Outcome conserved = invariants_conserved(); !conserved) return conserved;
  correction_.segment(at().p, state_.p.size()) += state_.p - before.p;
  correction_.segment(at().v, state_.v.size()) += state_.v - before.v;
  if (state_.s.size() > 0) correction_.segment(at().s, state_.s.size()) += state_.s - before.s;
  return {};
}

CorrectorStatistics Bdf::corrector_statistics() const {
  CorrectorStatistics counts = corrector_->statistics();
  counts.evaluation_seconds = newton_->evaluation_seconds();
  return counts;
}

void Bdf::count_own(IntegratorStatistics& sums) const {
  sums.function_calls += newton_->evaluations();
  sums.factorizations += corrector_->factorizations();
}

// ------------------------------------------------------------------------------------------------ messages

/// The singular position that an attempt before the last one has met, or that is near.
std::string Bdf::explanation() {
  if (!met_singular_matrix_) return why_near_singular();
  return concat(" A step before met a singular position: ", as_sentence(corrector_->why_singular()),
                why_near_singular());
}

std::string Bdf::last_reason() {
  if (!newton_->met_singular_matrix()) return SteppingIntegrator::last_reason();
  return as_sentence(corrector_->why_singular()) + why_near_singular();
}

std::string Bdf::limiting_component() const {
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
  if (std::string why = newton.why_invalid(); !why.empty()) return concat("newton: ", why);
  if (corrector && newton.method != CorrectorMethod::simplified)
    return concat("newton.method is '", name_of(newton.method),
                  "', and corrector is one of your own; leave one of them out.");
  if (maximum_order < 1 || maximum_order > BdfHistory::highest_order)
    return concat("maximum_order is ", maximum_order, "; expected 1 to ", BdfHistory::highest_order, ".");
  if (!(std::isfinite(first_step) && first_step >= 0))
    return concat("first_step is ", first_step, " s; expected > 0, or 0 for a choice by the rates at the start.");
  return "";
}

std::unique_ptr<Integrator> make_integrator(const BdfOptions& options) {
  if (const std::string why = options.why_invalid(); !why.empty()) throw ModelError(concat("BdfOptions: ", why));
  return std::make_unique<Bdf>(options);
}

}  // namespace linkwork
