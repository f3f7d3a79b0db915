#include <linkwork/solvers/integrators/radau.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/solvers/integrators/collocation_polynomial.hpp>
#include <linkwork/solvers/integrators/implicit_integrator.hpp>
#include <linkwork/solvers/integrators/interpolation_control.hpp>
#include <linkwork/solvers/integrators/radau_coefficients.hpp>
#include <linkwork/solvers/integrators/radau_interpolation.hpp>
#include <linkwork/solvers/integrators/radau_stages.hpp>
#include <linkwork/solvers/integrators/radau_tolerances.hpp>
#include <linkwork/solvers/integrators/singular_passage.hpp>
#include <linkwork/solvers/integrators/singular_position.hpp>
#include <linkwork/solvers/newton/coupled_stages.hpp>
#include <linkwork/solvers/newton/stage_matrix.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace linkwork {

namespace {

constexpr StepRules radau_rules{.most_errors = 20, .most_failures = 20};
// A law with an edge takes more than the step control knows of smooth ones: after so many failures steps are cut at
// least so far.
constexpr int failures_of_smooth_laws = 2;
constexpr double cut_at_edges = 0.2;
// In forms that lack a level the sparse finish is not as good.
constexpr int most_unknowns_of_dense_systems = 24, most_where_levels_lack = 120;
constexpr double step_after_divergence = 0.5;
constexpr double step_before_singular_end = 0.7;
constexpr double interpolation_tolerance = 10;  // of what is interpolated, in units of the tolerance
// The rate at which Newton's iteration converges grows with the step: no step is tried that is predicted a larger one.
constexpr double largest_predicted_rate = 0.3;
constexpr int middle_stage = 1, last_stage = 2;  // where matrices are taken anew within a step
// Of the tolerance, what equations at the end of a step may leave of rates and accelerations.
constexpr double most_left_over = 0.03;
// Corrections of the finish end when they are lost in rounding, or when they become no smaller any more.
constexpr int most_finish_iterations = 10;
// Ratio of singular values of the constraint rows below which a position counts as singular.
constexpr double singular_rows = 1e-6;
// Where the chosen rows are less independent than this, others are chosen: multipliers grow without bound otherwise,
// and Newton's iteration fails.
constexpr double least_independence = 5e-2;
// Of the largest force, in the unit of multipliers: where accelerations are algebraic unknowns, errors of multipliers
// are no errors of the motion.
constexpr double least_share_of_forces = 0.1;

SteppingOptions common_options(const RadauOptions& options) {
  SteppingOptions common = stepping_options(options);
  common.start_is_consistent = options.start_is_consistent;
  return common;
}

/// Whether what is interpolated at this tolerance changes by rounding.
bool is_in_rounding(const RadauOptions& options) {
  constexpr double largest = 0.9e-10;
  return (options.rtol > 0 ? options.rtol : options.atol) < largest;
}

class Radau final : public ImplicitIntegrator {
 public:
  explicit Radau(const RadauOptions& options)
      : ImplicitIntegrator(common_options(options), radau_rules),
        options_(options),
        control_(options.step_control),
        inside_(is_in_rounding(options)) {
    options_.jacobian.partitioned = PartitionedUpdates::off;  // dF/dy' is constant here: nothing to update
    options_.newton.adapts = false;                           // its cycle has no controller
  }

  std::string_view name() const override { return "radau"; }
  bool repeats_steps() const override { return true; }
  bool shift(const State& corrected) override;

 private:
  // The start.
  std::string_view options_name() const override { return "RadauOptions"; }
  Outcome make_system(const std::vector<int>& redundant_rows) override;
  void begin_run() override;
  void begin_from_state() override;
  double first_step(double t_limit) override;

  // One step, in the order in which its parts are done.
  void begin_attempts() override;
  Verdict attempt(const StepEnd& end) override;
  void choose_step(double h, double error);
  std::unique_ptr<StageSystem> make_stage_system(bool has_redundant_rows) const;
  StageMatrix::Point at_stage(double h, int stage);
  Outcome renew_at_stage(double h, int stage);
  Outcome factor(double h);
  Outcome solve_stages(double h);
  Outcome solve_stages_together(const RadauStages::Step& step);
  Outcome give_up_iteration();
  bool starts_near_singular_position();
  double estimate_error(double h);
  double error_norm(const Eigen::VectorXd& e) const;
  bool settles(const RadauStages::Step& step);
  double left_over(const RadauStages::Step& step);
  Verdict close_end(double h);
  void look_inside(double h);
  bool is_good_inside(double share);
  bool shorter_steps_help_inside(double h);
  Outcome accept(double h) override;
  void reject(double h, Verdict verdict, int attempts) override;
  Outcome move_onto_invariants();
  Outcome prepare_finish();
  void close_algebraic(double t, Eigen::VectorXd& y);
  Outcome watch_rank();
  void measure_scales(double h);
  double index_factor(int unknown, double h) const;
  void evaluate(double t, const Eigen::VectorXd& y, Eigen::VectorXd& F);
  const JacobianStatistics& jacobian_statistics() const override { return matrix_->statistics(); }
  CorrectorStatistics corrector_statistics() const override { return stages_->statistics(); }
  void count_own(IntegratorStatistics& sums) const override;

  // Messages.
  std::string what_happens_there() const;
  std::string why_no_convergence();
  std::string explanation() override;
  std::string limiting_component() const override;
  Eigen::Index largest_error() const;

  const MotionLayout& at() const { return system_->layout(); }
  /// What multipliers do to the motion shows in velocities; they themselves follow from these at the end of the step.
  bool multipliers_follow() const { return system_->selects_velocities() && options_.finish; }
  /// Accelerations at the ends of steps are those of the equations.
  bool interpolates() const { return system_->selects_velocities(); }
  bool has_stepped() const override { return !is_first_; }
  void build_dense(bool all) override;
  CollocationPolynomial spread_polynomial();

  RadauOptions options_;
  Tolerances controlled_;  // what steps are controlled with, by component
  RadauStepControl control_;
  std::unique_ptr<MotionResidual> system_;
  std::unique_ptr<StageMatrix> matrix_;
  std::unique_ptr<RadauStages> stages_;
  std::unique_ptr<CoupledStages> coupled_;  // for steps that pass a singular position

  Eigen::VectorXd increments_;
  Eigen::VectorXd motion_sizes_;   // what counts as one of each position and velocity; zero for other unknowns
  Eigen::VectorXd scales_;         // 1 / weight of each unknown, 0 for those that follow from others
  Eigen::VectorXd newton_scales_;  // those of Newton's test

  Eigen::VectorXd y_, F_;                // at the end of the last accepted step; F with y' = 0
  Eigen::VectorXd y_before_, F_before_;  // at its start
  Eigen::VectorXd y_rate_, error_, y_new_, F_new_, correction_, zero_rate_, y_moved_, F_end_;
  Eigen::Index worst_ = -1;  // unknown that made the last attempt fail; -1: something else did
  double t_new_ = 0;
  CollocationPolynomial polynomial_, attempted_;
  std::unique_ptr<RadauInterpolation> interpolation_;
  InterpolationControl inside_;
  double h_before_ = 0;             // of the polynomial
  bool start_is_singular_ = false;  // no smaller step helps
  bool is_first_ = true, was_rejected_ = false;
  std::optional<bool> is_near_singular_;  // of the position at the start of the step, where it was asked for
  bool ends_where_asked_ = false;         // this attempt: nowhere else
  SingularPassage passage_;
  double error_of_end_ = 0;         // of the last attempt
  Eigen::Index worst_inside_ = -1;  // unknown with that error, where it is one inside of the step
  bool end_is_singular_ = false;    // of the last attempt
};

// ------------------------------------------------------------------------------------------------ start

Outcome Radau::make_system(const std::vector<int>& rows) {
  EquationsOfMotion& e = *equations_;
  controlled_ = options_.transform_tolerances ? transformed_tolerances(component_tolerances()) : component_tolerances();
  if (!rows.empty() &&
      (options_.algebraic == AlgebraicDecomposition::lu || options_.algebraic == AlgebraicDecomposition::qr))
    return Outcome::failure(
        concat("radau: constraints are redundant, ", e.constraint_name(rows.front()),
               " depends on others, and the algebraic part is decomposed without singular values; set algebraic to svd "
               "or automatic."));
  if (options_.form == EquationForm::strangeness_free_with_invariants && e.dimensions().e == 0)
    return Outcome::failure(concat("radau: the form with invariants needs some, and model '", e.model_name(),
                                   "' has none; add one, or take another form."));
  system_ = std::make_unique<MotionResidual>(
      e, MotionResidual::Options{.form = options_.form, .acceleration_unknowns = true, .redundant_rows = rows});
  matrix_ = std::make_unique<StageMatrix>(*system_, options_.jacobian, options_.given_jacobian,
                                          make_stage_system(!rows.empty()));
  const double rtol = controlled_.rtol > 0 ? controlled_.rtol : controlled_.of_ratios();
  // A third of what is usual where multipliers count too.
  const double newton_tolerance =
      options_.newton_tolerance > 0 ? options_.newton_tolerance : std::min(0.01, std::sqrt(rtol) / 3);
  coupled_ = std::make_unique<CoupledStages>(*system_);
  stages_ = std::make_unique<RadauStages>(*system_, RadauStages::Options{newton_tolerance, options_.newton});
  unknown_weights_ = UnknownWeights(e, at(), controlled_, least_share_of_forces);
  interpolation_ = std::make_unique<RadauInterpolation>(e, at());
  inside_.serve(*system_, *interpolation_);
  zero_rate_ = y_rate_ = Eigen::VectorXd::Zero(system_->size());
  motion_sizes_ = zero_rate_;
  motion_sizes_.head(at().r) = system_->unknown_sizes().head(at().r);
  scales_ = Eigen::VectorXd::Zero(system_->size());
  return {};
}

std::unique_ptr<StageSystem> Radau::make_stage_system(bool has_redundant_rows) const {
  StageSystemOptions chosen{options_.algebraic, options_.differential, options_.selectors};
  if (chosen.algebraic == AlgebraicDecomposition::automatic)
    chosen.algebraic = has_redundant_rows ? AlgebraicDecomposition::svd : AlgebraicDecomposition::lu;
  const bool wants_dense =
      options_.algebraic != AlgebraicDecomposition::automatic ||
      options_.differential != DifferentialDecomposition::lu ||
      system_->size() <= (system_->selects_velocities() ? most_unknowns_of_dense_systems : most_where_levels_lack);
  const bool is_dense = options_.solver == StageSolver::dense ||
                        (options_.solver == StageSolver::automatic && wants_dense && !options_.newton.drops());
  return is_dense ? make_dense_stage_system(*system_, chosen) : make_sparse_stage_system(*system_, chosen);
}

void Radau::begin_run() {
  inside_.begin_run();
  polynomial_.clear();
  control_.restart();
  step_ = options_.first_step;
}

/// Without a step before it: a new run, or other rows that are independent.
void Radau::begin_from_state() {
  is_first_ = true;
  was_rejected_ = false;
  worst_ = worst_inside_ = -1;
  error_.resize(0);
  usual_step_ = 0;
  matrix_->forget_factors();
  matrix_->want(true);
  system_->read(state_, y_);
  unknown_weights_.renew_forces(*equations_, state_);
  measure_scales(0);
  evaluate(state_.t, y_, F_);
  if (independent_) independent_->minimise_norm(state_.lambda);
  take_counts();
}

bool Radau::shift(const State& corrected) {
  if (!matrix_->is_factored()) return false;
  state_.p = corrected.p;
  state_.v = corrected.v;
  state_.r = corrected.r;
  system_->read(state_, y_);
  evaluate(state_.t, y_, F_new_);
  close_algebraic(state_.t, y_);
  F_ = F_new_;
  system_->write(y_, state_);
  return true;
}

/// A hundredth of the time in which the state changes by its size, but one that time can tell.
double Radau::first_step(double t_limit) {
  const double longest = first_share(1e-2, t_limit);
  const int n = at().differential();
  Eigen::VectorXd size = Eigen::VectorXd::Zero(system_->size()), rate = size;
  size.head(n) = y_.head(n);
  rate.head(n) = F_.head(n);
  const double speed = error_norm(rate);
  const double wanted = speed > 0 ? 1e-2 * std::max(error_norm(size), 1.0) / speed : longest;
  return wanted < longest ? std::max(wanted, 1.1 * smallest_step(t_limit)) : longest;
}

// --------------------------------------------------------------------------------------------- measures

/// In forms of higher index, the error of an unknown is of a lower order in h: that much is counted less.
double Radau::index_factor(int unknown, double h) const {
  const bool is_velocity = unknown >= at().v && unknown < at().r;
  const bool is_algebraic = unknown >= at().lambda;
  switch (options_.form) {
    case EquationForm::index_3:
      return is_velocity ? h : is_algebraic ? h * h : 1;
    case EquationForm::index_2:
    case EquationForm::without_acceleration_level:
    case EquationForm::stabilised:
      return is_algebraic ? h : 1;
    default:
      return 1;
  }
}

void Radau::measure_scales(double h) {
  unknown_weights_.renew(y_);
  increments_ = unknown_weights_.for_increments(y_);
  for (int j = 0; j < at().a; ++j) scales_[j] = index_factor(j, h) / unknown_weights_.values()[j];
  newton_scales_ = scales_;
  if (multipliers_follow()) newton_scales_.segment(at().lambda, at().a - at().lambda).setZero();
  if (interpolates())  // accelerations at the ends are data of the interpolation
    newton_scales_.segment(at().a, state_.a.size()) = h * scales_.segment(at().v, state_.a.size());
}

double Radau::error_norm(const Eigen::VectorXd& e) const {
  const auto counted = static_cast<double>(std::max<Eigen::Index>((scales_.array() > 0).count(), 1));
  return (e.array() * scales_.array()).matrix().norm() / std::sqrt(counted);
}

// ------------------------------------------------------------------------------------------------ one step

void Radau::evaluate(double t, const Eigen::VectorXd& y, Eigen::VectorXd& F) {
  ++own_function_calls_;
  system_->evaluate(t, y, zero_rate_, F);
}

void Radau::begin_attempts() {
  inside_.begin_attempts();
  is_near_singular_.reset();
  passage_.begin(usual_step_);
  was_rejected_ = false;
}

/// Near a singular position Newton's iteration fails for other reasons than long steps.
void Radau::reject(double h, Verdict verdict, int attempts) {
  const bool has_passed = passage_.is_under_way();
  const bool has_diverged = verdict == Verdict::failure && !end_is_singular_;
  if (verdict == Verdict::large_error)
    step_ = is_first_
                ? 0.1 * h
                : control_.after_rejected(h, records_.back().error, stages_->iterations(), options_.maximum_iterations);
  else if (end_is_singular_)
    step_ = step_before_singular_end * h;  // matrices are singular at one position only: one beside it is as good
  else if (has_passed)
    step_ = SingularPassage::next_share * h;
  else
    matrix_->doubt_pattern(state_.t);
  if (!has_passed && attempts > failures_of_smooth_laws) step_ = std::min(step_, cut_at_edges * h);
  if (has_passed)
    passage_.shorten_to(step_);
  else
    passage_.come_nearer_by(step_);
  if (has_passed || (has_diverged && !is_first_ && passage_.has_length() && starts_near_singular_position()))
    step_ = passage_.next();
  was_rejected_ = true;
  matrix_->want(has_passed || matrix_->is_dated());
}

Verdict Radau::attempt(const StepEnd& end) {
  const double h = end.h;
  StepRecord& record = records_.back();
  record.order = 5;
  ends_where_asked_ = end.is_last;
  end_is_singular_ = false;
  t_new_ = end.t;
  worst_ = -1;
  measure_scales(h);
  const Outcome solved = solve_stages(h);
  record.projection_iterations = stages_->iterations();
  statistics_.newton_iterations += stages_->iterations();
  if (!solved) {
    record.reason = solved.reason();
    take_counts();
    return start_is_singular_ ? Verdict::hopeless : Verdict::failure;
  }
  worst_inside_ = -1;
  record.error = error_of_end_ = estimate_error(h);
  take_counts();
  if (!(record.error < 1) && multipliers_follow() && starts_near_singular_position()) {
    // There multipliers go to infinity on smooth motions.
    scales_.segment(at().lambda, at().a - at().lambda).setZero();
    record.error = error_of_end_ = error_norm(error_);
  }
  if (!(record.error < 1)) {
    worst_ = largest_error();
    record.reason = concat("the error estimate is ", record.error, " times the tolerance, worst in ",
                           system_->unknown_name(static_cast<int>(worst_)), ", by ", error_[worst_]);
    return Verdict::large_error;
  }
  return close_end(h);
}

/// The next one, after a step that passed its tests; and whether its matrix is kept.
void Radau::choose_step(double h, double error) {
  double h_next = limited(control_.after_accepted(h, error, stages_->iterations(), options_.maximum_iterations));
  if (was_rejected_) h_next = std::min(h_next, h);
  if (stages_->rate() > 0) h_next = std::min(h_next, std::max(1.0, largest_predicted_rate / stages_->rate()) * h);
  const bool keeps_matrix = stages_->rate() <= options_.kept_matrix_rate;
  if (keeps_matrix && h_next >= options_.least_kept_ratio * h && h_next <= options_.largest_kept_ratio * h) h_next = h;
  matrix_->want(!keeps_matrix);
  matrix_->grow_old();
  step_ = h_next;
}

/// At the present value of a stage.
StageMatrix::Point Radau::at_stage(double h, int stage) {
  y_new_ = y_ + stages_->increments().col(stage);
  const double t = state_.t + radau_coefficients().nodes[stage] * h;
  evaluate(t, y_new_, F_new_);
  return {t, y_new_, F_new_, increments_};
}

Outcome Radau::renew_at_stage(double h, int stage) { return matrix_->renew(at_stage(h, stage), h); }

Outcome Radau::factor(double h) {
  if (matrix_->is_factored_for(h)) return {};
  const RadauCoefficients& radau = radau_coefficients();
  if (Outcome factored = matrix_->factor(h, radau.real / h, radau.complex_pair / h); !factored) return factored;
  stages_->begin_cycle();
  return {};
}

Outcome Radau::solve_stages(double h) {
  step_ = step_after_divergence * h;  // unless it is known better
  start_is_singular_ = false;
  const RadauStages::Step step{state_.t, h, y_, newton_scales_, increments_};
  const bool extrapolates = options_.starting_values == StartingValues::extrapolated && !is_first_;
  stages_->begin(step, extrapolates ? &polynomial_ : nullptr, extrapolates ? h / h_before_ : 0);
  try {
    if (passage_.is_under_way() || options_.newton.method == CorrectorMethod::newton)
      return solve_stages_together(step);
    if (matrix_->is_wanted()) {
      const bool in_step = extrapolates && options_.matrix_point != MatrixPoint::start;
      const Outcome renewed = in_step ? renew_at_stage(h, static_cast<int>(options_.matrix_point) - 1)
                                      : matrix_->renew({state_.t, y_, F_, increments_}, h);
      start_is_singular_ = !renewed && !in_step;
      if (!renewed) return renewed;
    }
    for (int updates = options_.matrix_updates;; --updates) {
      if (Outcome factored = factor(h); !factored) return factored;
      RadauStages::Result result = stages_->iterate(step, matrix_->system(), options_.maximum_iterations);
      if (result == RadauStages::Result::converged && !settles(step)) result = RadauStages::Result::diverges;
      if (result == RadauStages::Result::converged) return {};
      step_ = h * (result == RadauStages::Result::slow ? stages_->step_factor() : step_after_divergence);
      if (result == RadauStages::Result::diverges || updates == 0) break;
      if (Outcome renewed = renew_at_stage(h, middle_stage); !renewed) return renewed;
    }
  } catch (const RecoverableFailure& failure) {
    return Outcome::failure(failure.what());
  }
  return give_up_iteration();
}

Outcome Radau::give_up_iteration() {
  matrix_->system().renew_selectors();
  matrix_->forget_factors();
  return Outcome::failure(why_no_convergence());
}

/// By Newton's method proper, with matrices of all stages. Selectors are those of the end, where the
/// equations are closed; the last matrix there is new enough for that and for the error.
Outcome Radau::solve_stages_together(const RadauStages::Step& step) {
  const auto renew = [&]() -> Outcome {
    std::vector<SparseMatrix> jacobians;
    for (int stage = 0; stage <= last_stage; ++stage) {
      const StageMatrix::Point point = at_stage(step.h, stage);
      const Outcome taken = stage == last_stage ? matrix_->renew(point, step.h) : matrix_->take(point, step.h);
      if (!taken) return taken;
      jacobians.push_back(matrix_->jacobian());
    }
    return coupled_->factor(jacobians, matrix_->system().selection(), radau_coefficients().inverse / step.h);
  };
  RadauStages::Result result{};
  if (Outcome iterated = stages_->iterate_together(step, *coupled_, renew, result); !iterated) return iterated;
  if (result != RadauStages::Result::converged) return give_up_iteration();
  if (Outcome factored = factor(step.h); !factored) return factored;
  y_new_ = y_ + stages_->increments().col(last_stage);
  return !interpolates() || left_over(step) <= most_left_over ? Outcome() : give_up_iteration();
}

bool Radau::starts_near_singular_position() {
  if (!is_near_singular_) {
    equations_->set(state_);
    is_near_singular_ = is_near_singular_position(*equations_, chosen_rank());
  }
  return *is_near_singular_;
}

/// Changes may be small for no other reason than that the matrix is stiffer than the equations, as where a contact ends
/// within the step. Then further iterations leave the equations as far from being closed as before.
bool Radau::settles(const RadauStages::Step& step) {
  constexpr int most = 5;
  constexpr double least_gain = 0.5;
  y_new_ = y_ + stages_->increments().col(last_stage);
  if (!interpolates()) return true;
  double before = 0;
  for (int more = 0;; ++more) {
    const double left = left_over(step);
    if (left <= most_left_over) return true;
    if (more == most || (more > 0 && !(left <= least_gain * before))) return false;
    before = left;
    if (stages_->iterate(step, matrix_->system(), options_.maximum_iterations) != RadauStages::Result::converged)
      return false;
    y_new_ = y_ + stages_->increments().col(last_stage);
  }
}

/// What the equations at the end of the step leave of rates and accelerations, in units of the tolerance of what they
/// make of velocities and positions in the step; the stiffness of the matrix has no part in it. F_end_ is F there.
double Radau::left_over(const RadauStages::Step& step) {
  const int n = at().differential();
  evaluate(t_new_, y_new_, F_end_);
  matrix_->system().solve_algebraic(F_end_, correction_);
  stages_->last_rate(step, y_rate_);
  y_rate_.head(n) += F_end_.head(n);
  matrix_->system().keep_chosen(y_rate_);
  const Eigen::Index count = state_.a.size();
  const double of_rates = y_rate_.head(n).cwiseProduct(scales_.head(n)).norm() / radau_coefficients().real;
  const double of_accelerations =
      correction_.segment(at().a, count).cwiseProduct(scales_.segment(at().v, count)).norm();
  return step.h * std::max(of_rates, of_accelerations) / std::sqrt(std::max(n, 1));
}

/// E. Hairer, G. Wanner (1996), IV.8 (8.19) and (8.20).
double Radau::estimate_error(double h) {
  const RadauStages::Increments& Z = stages_->increments();
  const int n = at().differential();
  constexpr double smallest_error = 1e-10;
  y_rate_.head(n) = -Z.topRows(n) * radau_coefficients().error / h;
  F_new_ = F_;
  F_new_.head(n) += y_rate_.head(n);
  matrix_->system().solve(F_new_, error_);
  double size = error_norm(error_);
  if (size >= 1 && (is_first_ || was_rejected_)) {
    try {
      y_moved_ = y_ + error_;
      ++own_function_calls_;
      system_->evaluate(state_.t, y_moved_, y_rate_, F_new_);
      matrix_->system().solve(F_new_, error_);
      size = error_norm(error_);
    } catch (const RecoverableFailure&) {
      // The first estimate stands.
    }
  }
  return std::max(size, smallest_error);
}

/// The end of a step that passed its tests: y_new_ and F_new_. Where it can't be evaluated, a smaller step may do.
Verdict Radau::close_end(double h) {
  StepRecord& record = records_.back();
  if (!system_->selects_positions() && equations_->dimensions().normalisation > 0) {
    Eigen::VectorXd p = y_new_.head(at().v);
    equations_->normalise(state_.p, p);
    y_new_.head(at().v) = p;
  }
  try {
    if (has_kept_invariants()) {
      if (Outcome moved = move_onto_invariants(); !moved) {
        record.reason = moved.reason();
        return Verdict::hopeless;
      }
    }
    if (interpolates() && !has_kept_invariants())
      F_new_ = F_end_;  // where y_new_ is what the stages have settled at
    else
      evaluate(t_new_, y_new_, F_new_);
    attempted_.set(y_, stages_->increments());
    // A gap that was given at the start is closed by the first step: no curve leads there.
    const bool looks_inside = interpolates() && inside_.is_due() && !(is_first_ && options_.start_is_consistent);
    if (looks_inside) {
      look_inside(h);
      if (!is_good_inside(1) && shorter_steps_help_inside(h)) return Verdict::large_error;
    }
    choose_step(h, record.error);
    const std::int64_t decompositions = matrix_->system().decompositions();
    const Outcome ready = prepare_finish();
    if (!ready && !ends_where_asked_) {
      record.reason = concat("no step can end here: ", ready.reason());
      control_.restart();
      matrix_->grow_old();
      end_is_singular_ = true;
      return Verdict::failure;
    }
    // Where the law of a force has changed within the step, the matrix of its start may have hidden errors.
    const bool is_renewed = ready && matrix_->system().decompositions() != decompositions;
    const bool is_seen = looks_inside && inside_.is_due();
    if (is_seen && is_renewed && !is_good_inside(std::min(1.0, h / step_)) && shorter_steps_help_inside(h)) {
      matrix_->grow_old();
      return Verdict::large_error;
    }
    if (looks_inside && inside_.is_due())
      inside_.pass();
    else if (looks_inside)  // cuts that were in vain are taken back, or steps would shrink and shrink
      step_ = std::max(step_, inside_.step_before_cuts());
    if (ready && options_.finish) close_algebraic(t_new_, y_new_);
  } catch (const RecoverableFailure& failure) {
    record.reason = concat("the end of the step can't be evaluated: ", failure.what());
    control_.restart();
    matrix_->forget_factors();
    matrix_->grow_old();
    step_ = step_after_divergence * h;
    return Verdict::failure;
  }
  return Verdict::accepted;
}

Outcome Radau::accept(double h) {
  stages_->set_end(y_new_ - y_);
  polynomial_.set(y_, stages_->increments());
  h_before_ = h;
  y_before_.swap(y_);
  F_before_.swap(F_);
  y_ = y_new_;
  F_ = F_new_;
  std::swap(previous_, state_);
  state_.t = t_new_;
  system_->write(y_, state_);
  unknown_weights_.renew_forces_here(*equations_, state_);
  inside_.accept_step();
  is_first_ = false;
  take_counts();
  return independent_ ? watch_rank() : Outcome();
}

void Radau::look_inside(double h) {
  inside_.look({state_.t, y_, F_}, {t_new_, y_new_, F_new_}, h, attempted_, matrix_->system());
  weights_.renew(component_tolerances(), state_, state_);
}

/// Whether the equations change what is interpolated by less than some tolerances; takes part in the record's error,
/// in units of the tolerance of an error that is of order 4: that of the interpolation is of order 5.
/// @param share  of the change that counts
bool Radau::is_good_inside(double share) {
  const InterpolationControl::Change change = inside_.largest_change(matrix_->system(), weights_);
  // Where nobody reads inside of steps, it is held as their ends are.
  const double leading = options_.atol > 0 ? controlled_.atol / options_.atol : controlled_.rtol / options_.rtol;
  const double allowed = has_dense_output() ? interpolation_tolerance : std::max(interpolation_tolerance, leading);
  const double error = std::pow(share * change.tolerances / allowed, 4.0 / 5);
  StepRecord& record = records_.back();
  if (error > record.error) {
    record.error = error;
    worst_inside_ = change.unknown;
  }
  if (record.error < 1) return true;
  worst_ = change.unknown;
  record.reason = concat("what is interpolated inside the step is off by more than ", allowed, " tolerances, ",
                         system_->unknown_name(change.unknown), " by ", change.amount);
  return false;
}

bool Radau::shorter_steps_help_inside(double h) {
  StepRecord& record = records_.back();
  if (inside_.shorter_steps_help(record.error, h)) return true;
  record.error = error_of_end_;
  record.reason.clear();
  worst_ = worst_inside_ = -1;
  return false;
}

/// Positions and velocities at the end of the step; what follows from them is left to the finish.
Outcome Radau::move_onto_invariants() {
  State end = state_;
  end.t = t_new_;
  system_->write(y_new_, end);
  weights_.renew(component_tolerances(), state_, end);
  if (Outcome moved = move_to_manifold(end); !moved) return moved;
  if (Outcome conserved = invariants_conserved(); !conserved) return conserved;
  y_new_.segment(at().p, end.p.size()) = end.p;
  y_new_.segment(at().v, end.v.size()) = end.v;
  if (at().lambda > at().s) y_new_.segment(at().s, at().lambda - at().s) = end.s;
  return {};
}

/// A new Jacobian is taken at the end of a step, for the finish and for the next step.
Outcome Radau::prepare_finish() {
  if (matrix_->is_wanted() && options_.matrix_point == MatrixPoint::start)
    if (Outcome renewed = matrix_->renew({t_new_, y_new_, F_new_, increments_}, step_); !renewed) return renewed;
  return factor(step_);
}

/// Brings the algebraic equations to rounding; F_new_ is F there. A position or velocity that is small counts as one of
/// the mechanism's size, a multiplier as one that holds the forces on its bodies.
void Radau::close_algebraic(double t, Eigen::VectorXd& y) {
  if (y.size() == 0) return;  // everything is prescribed
  constexpr double rounding = 8 * std::numeric_limits<double>::epsilon(), stagnation = 0.5;
  double size_before = std::numeric_limits<double>::infinity();
  for (int k = 0; k < most_finish_iterations; ++k) {
    matrix_->system().solve_algebraic(F_new_, correction_);
    y += correction_;
    evaluate(t, y, F_new_);
    const double size =
        (correction_.array().abs() / y.array().abs().max(increments_.array()).max(motion_sizes_.array())).maxCoeff();
    if (!(size > rounding && size < stagnation * size_before)) return;
    size_before = size;
  }
}

/// Stops where the constraints have another rank than at the start, or are about to have one.
Outcome Radau::watch_rank() {
  EquationsOfMotion& e = *equations_;
  e.set(state_);
  independent_->follow(e);
  independent_->minimise_norm(state_.lambda);
  if (Outcome agreed = rows_agree(); !agreed) return agreed;
  const bool is_singular = independence_of_rows(e, chosen_rank()) < singular_rows;
  if (!is_singular && !independent_->rank_has_changed())
    return independent_->independence() < least_independence ? renew_rows() : Outcome();
  const std::vector<std::string> elements = dependent_elements(e, is_singular ? chosen_rank() - 1 : -1);
  const char* what = elements.empty() ? " s: rows that depended on each other at the start have become independent; "
                                        "begin beside a position where they meet"
                                      : " s, a singular position, by rows of ";
  return Outcome::failure(concat("the rank of the constraints changes at t = ", state_.t, what, listed(elements)));
}

void Radau::count_own(IntegratorStatistics& sums) const {
  const StageSystem& system = matrix_->system();
  sums.function_calls += stages_->evaluations() + inside_.evaluations();
  sums.jacobian_evaluations += matrix_->given_jacobians();
  sums.factorizations += system.factorizations() + coupled_->factorizations();
  sums.algebraic_decompositions += system.decompositions();
  sums.stage_solves += system.solves();
  sums.selector_updates += system.selector_updates();
}

// ------------------------------------------------------------------------------------------------ messages

/// The state of the unknown that stopped the run, and what such stops come from.
std::string Radau::what_happens_there() const {
  if (worst_ < 0) return "";
  const int n = at().differential();
  const std::string name = system_->unknown_name(static_cast<int>(worst_));
  const std::string rate = worst_ < n ? concat(" and changes at a rate of ", -F_[worst_], " per second") : "";
  return concat(
      " There ", name, " is ", y_[worst_], rate,
      "; what moves it jumps, ends or grows without bound: smooth the law of the force or drive there, let an "
      "event switch it, or end the run before.");
}

std::string Radau::limiting_component() const {
  const Eigen::Index largest = largest_error();
  return largest < 0 ? "no component" : system_->unknown_name(static_cast<int>(largest));
}

/// The unknown whose error was the largest in the last attempt that was tested; -1: there was none.
Eigen::Index Radau::largest_error() const {
  if (worst_inside_ >= 0 || error_.size() == 0) return worst_inside_;
  Eigen::Index worst = 0;
  (error_.array() * scales_.array()).abs().maxCoeff(&worst);
  return worst;
}

/// Names the unknown that changed most in the last iteration.
std::string Radau::why_no_convergence() {
  const Eigen::VectorXd& change = stages_->last_change();
  (change.array() * newton_scales_.array()).abs().maxCoeff(&worst_);
  return concat("Newton's iteration does not converge: after ", stages_->iterations(), " iterations ",
                system_->unknown_name(static_cast<int>(worst_)), " still changes by ", change[worst_]);
}

/// A singular position explains more than what it does to one unknown.
std::string Radau::explanation() {
  if (records_.empty()) worst_ = largest_error();  // the steps before were cut by it
  const std::string singular = why_near_singular();
  return singular.empty() ? what_happens_there() : singular;
}

// ------------------------------------------------------------------------------------------------ dense output

void Radau::build_dense(bool all) {
  dense_.t_begin = previous_.t;
  dense_.t_end = state_.t;
  const auto collocated = [&](const std::optional<std::vector<int>>& chosen, int first, Eigen::Index count) {
    return polynomial_.group(first, components(chosen, all, count));
  };
  const DenseSelection& s = dense_selection();
  const Eigen::Index p = state_.p.size(), v = state_.v.size(), r = state_.r.size();
  if (interpolates()) {
    interpolation_->set({previous_.t, y_before_, F_before_}, {state_.t, y_, F_}, h_before_, polynomial_);
    dense_.p = interpolation_->positions(components(s.p, all, p));
    dense_.v = interpolation_->velocities(components(s.v, all, v));
    dense_.r = interpolation_->states(components(s.r, all, r));
  } else {
    dense_.p = collocated(s.p, at().p, p);
    dense_.v = collocated(s.v, at().v, v);
    dense_.r = collocated(s.r, at().r, r);
  }
  dense_.w = collocated(s.w, at().w, at().s - at().w);
  dense_.s = collocated(s.s, at().s, at().lambda - at().s);
  dense_.a = collocated(s.a, at().a, v);
  dense_.lambda = (independent_ ? spread_polynomial() : polynomial_)
                      .group(at().lambda, components(s.lambda, all, state_.lambda.size()));
}

/// That of reactions of least norm: the dependencies of rows are those of each node.
CollocationPolynomial Radau::spread_polynomial() {
  Eigen::VectorXd start;
  RadauStages::Increments stages(system_->size(), 3);
  State node = state_;
  const auto spread = [&](double theta, Eigen::VectorXd& y) {
    polynomial_.evaluate(theta, y);
    system_->write(y, node);
    equations_->set_position(previous_.t + theta * (state_.t - previous_.t), node.p);
    independent_->follow(*equations_);
    independent_->minimise_norm(node.lambda);
    y.segment(at().lambda, node.lambda.size()) = node.lambda;
  };
  spread(0, start);
  for (int i = 0; i < 3; ++i) {
    spread(radau_coefficients().nodes[i], y_new_);
    stages.col(i) = y_new_ - start;
  }
  CollocationPolynomial polynomial;
  polynomial.set(start, stages);
  return polynomial;
}

}  // namespace

std::unique_ptr<Integrator> make_integrator(const RadauOptions& options) {
  if (const std::string why = options.why_invalid(); !why.empty()) throw ModelError(concat("RadauOptions: ", why));
  return std::make_unique<Radau>(options);
}

}  // namespace linkwork
