#include <linkwork/solvers/integrators/cvode.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/integrators/unconstrained_integrator.hpp>

#include <cvode/cvode.h>
#include <cvode/cvode_proj.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>
#include <algorithm>
#include <exception>
#include <type_traits>
#include <utility>

namespace linkwork {

namespace {

static_assert(std::is_same_v<sunrealtype, double>, "SUNDIALS was built for other numbers than double");

// Owners of the objects of SUNDIALS.
struct FreeCvodeContext {
  void operator()(SUNContext context) const { SUNContext_Free(&context); }
};
struct FreeCvodeVector {
  void operator()(N_Vector vector) const { N_VDestroy(vector); }
};
struct FreeCvodeMatrix {
  void operator()(SUNMatrix matrix) const { SUNMatDestroy(matrix); }
};
struct FreeCvodeLinearSolver {
  void operator()(SUNLinearSolver solver) const { SUNLinSolFree(solver); }
};
struct FreeCvodeIteration {
  void operator()(SUNNonlinearSolver solver) const { SUNNonlinSolFree(solver); }
};
struct FreeCvodeMemory {
  void operator()(void* memory) const { CVodeFree(&memory); }
};

/// One run of CVODE, from a start on. The order of the members is that in which they need each other.
struct CvodeRun {
  std::unique_ptr<std::remove_pointer_t<SUNContext>, FreeCvodeContext> context;
  std::unique_ptr<std::remove_pointer_t<N_Vector>, FreeCvodeVector> y, work;
  std::unique_ptr<std::remove_pointer_t<SUNMatrix>, FreeCvodeMatrix> matrix;
  std::unique_ptr<std::remove_pointer_t<SUNLinearSolver>, FreeCvodeLinearSolver> linear_solver;
  std::unique_ptr<std::remove_pointer_t<SUNNonlinearSolver>, FreeCvodeIteration> iteration;
  std::unique_ptr<void, FreeCvodeMemory> memory;
};

/// How often CVODE has done something, since its run began.
struct CvodeCounts {
  long evaluations = 0, error_failures = 0, iterations = 0, convergence_failures = 0, failed_solves = 0;
  long jacobians = 0, jacobian_evaluations = 0, factorizations = 0;
};

Eigen::Map<Eigen::VectorXd> entries(N_Vector vector) { return {NV_DATA_S(vector), NV_LENGTH_S(vector)}; }

/// What can only go wrong for want of memory or by a mistake here.
void expect_success(int flag, const char* function) {
  if (flag < 0) throw std::runtime_error(concat("SUNDIALS: ", function, " failed with ", flag, "."));
}

class Cvode final : public UnconstrainedIntegrator {
 public:
  explicit Cvode(const CvodeOptions& options) : UnconstrainedIntegrator(stepping_options(options)), options_(options) {}

  std::string_view name() const override { return options_.name(); }

 private:
  // The start.
  std::string_view options_name() const override { return "CvodeOptions"; }
  Outcome begin() override;
  void make_run();
  void choose_iteration();
  double first_step(double t_limit) override;

  // One step, in the order in which its parts are done.
  Verdict attempt(const StepEnd& end) override;
  int call(const StepEnd& end, double& t);
  std::string why_failed(int flag) const;
  void measure_error();
  void keep_derivatives(double h);
  Outcome accept(double h) override;
  void count();
  CvodeCounts counts() const;
  std::string explanation() override;

  void build_dense(bool all) override;

  // What CVODE calls. An exception may not go through it: it is kept, and thrown again behind it.
  static int rates_for_cvode(sunrealtype t, N_Vector y, N_Vector y_rate, void* self);
  static int weights_for_cvode(N_Vector y, N_Vector inverse_weights, void* self);
  static int project_for_cvode(sunrealtype t, N_Vector y, N_Vector change, sunrealtype, N_Vector, void* self);
  static void message_from_cvode(int code, const char* module, const char* function, char* text, void* self);
  template <class Function>
  int guarded(Function&& function);
  void renew_inverse_weights(const Eigen::Ref<const Eigen::VectorXd>& y, Eigen::Ref<Eigen::VectorXd> inverse);

  /// CVODE takes no system without unknowns: it gets one that rests.
  Eigen::Index unknowns() const { return std::max<Eigen::Index>(system_->size(), 1); }
  void* memory() const { return run_.memory.get(); }

  CvodeOptions options_;
  CvodeRun run_;
  IntegratorStatistics earlier_;  // of the runs before this one
  State weighed_;                 // where weights are asked for
  ErrorWeights asked_weights_;
  std::exception_ptr thrown_;
  std::string failure_, text_;  // in the last attempt: of what CVODE calls; its own
  std::string last_failure_;    // of what CVODE calls
  std::int64_t step_of_failure_ = 0;
  Eigen::MatrixXd derivatives_;  // by theta at the end of the last attempt, one column for each order, y first
};

// ------------------------------------------------------------------------------------------------ start

Outcome Cvode::begin() {
  if (has_kept_invariants() && options_.method == CvodeMethod::adams)
    return Outcome::failure(concat(name(), ": model '", equations_->model_name(),
                                   "' has solution invariants, which this method can't keep; turn keep_invariants off "
                                   "(--no-invariants), or take cvode-bdf, dopri5 or extrapolation."));
  make_run();
  earlier_ = statistics_;
  last_failure_.clear();
  return {};
}

void Cvode::make_run() {
  CvodeRun before;  // is destroyed in the order that its parts need, which an assignment does not keep to
  std::swap(run_, before);
  SUNContext context = nullptr;
  expect_success(SUNContext_Create(nullptr, &context), "SUNContext_Create");
  run_.context.reset(context);
  run_.y.reset(N_VNew_Serial(unknowns(), context));
  run_.work.reset(N_VNew_Serial(unknowns(), context));
  run_.memory.reset(CVodeCreate(options_.method == CvodeMethod::adams ? CV_ADAMS : CV_BDF, context));
  if (!run_.y || !run_.work || !run_.memory) throw std::bad_alloc();
  entries(run_.y.get()).setZero();
  entries(run_.y.get()).head(y_.size()) = y_;
  expect_success(CVodeSetErrHandlerFn(memory(), message_from_cvode, this), "CVodeSetErrHandlerFn");
  expect_success(CVodeInit(memory(), rates_for_cvode, state_.t, run_.y.get()), "CVodeInit");
  expect_success(CVodeSetUserData(memory(), this), "CVodeSetUserData");
  expect_success(CVodeWFtolerances(memory(), weights_for_cvode), "CVodeWFtolerances");
  if (options_.maximum_order > 0) expect_success(CVodeSetMaxOrd(memory(), options_.maximum_order), "CVodeSetMaxOrd");
  if (options_.maximum_step > 0) expect_success(CVodeSetMaxStep(memory(), options_.maximum_step), "CVodeSetMaxStep");
  if (options_.first_step > 0) expect_success(CVodeSetInitStep(memory(), options_.first_step), "CVodeSetInitStep");
  // Each failure cuts a step to a quarter or less: from there on time has no digits left.
  constexpr int most_error_failures = 20, most_convergence_failures = 25;
  expect_success(CVodeSetMaxErrTestFails(memory(), most_error_failures), "CVodeSetMaxErrTestFails");
  expect_success(CVodeSetMaxConvFails(memory(), most_convergence_failures), "CVodeSetMaxConvFails");
  expect_success(CVodeSetMaxHnilWarns(memory(), -1), "CVodeSetMaxHnilWarns");
  choose_iteration();
}

void Cvode::choose_iteration() {
  if (options_.method == CvodeMethod::adams) {
    run_.iteration.reset(SUNNonlinSol_FixedPoint(run_.y.get(), /*accelerated by*/ 0, run_.context.get()));
    expect_success(CVodeSetNonlinearSolver(memory(), run_.iteration.get()), "CVodeSetNonlinearSolver");
    return;
  }
  run_.matrix.reset(SUNDenseMatrix(unknowns(), unknowns(), run_.context.get()));
  run_.linear_solver.reset(SUNLinSol_Dense(run_.y.get(), run_.matrix.get(), run_.context.get()));
  expect_success(CVodeSetLinearSolver(memory(), run_.linear_solver.get(), run_.matrix.get()), "CVodeSetLinearSolver");
  if (is_tightened()) {
    // By default a Jacobian serves for 51 steps. With one of 30 steps before, Newton's method leaves errors in
    // directions that redundant constraints of a reduction hardly determine (bricard by Baumgarte's stabilisation errs
    // 9e-5 at 1e-8), with one of 20 not.
    constexpr long oldest_jacobian = 10;
    expect_success(CVodeSetJacEvalFrequency(memory(), oldest_jacobian), "CVodeSetJacEvalFrequency");
  }
  if (!has_kept_invariants()) return;
  expect_success(CVodeSetProjFn(memory(), project_for_cvode), "CVodeSetProjFn");
  expect_success(CVodeSetProjErrEst(memory(), SUNFALSE), "CVodeSetProjErrEst");
}

/// CVODE chooses the first one where none was given; up to then the whole way is its limit.
double Cvode::first_step(double t_limit) { return options_.first_step > 0 ? options_.first_step : t_limit - state_.t; }

// ------------------------------------------------------------------------------------------------ what CVODE calls

template <class Function>
int Cvode::guarded(Function&& function) {
  try {
    function();
    return 0;
  } catch (const RecoverableFailure& failure) {
    failure_ = last_failure_ = failure.what();
    step_of_failure_ = statistics_.steps;
    return 1;
  } catch (...) {
    thrown_ = std::current_exception();
    return -1;
  }
}

int Cvode::rates_for_cvode(sunrealtype t, N_Vector y, N_Vector y_rate, void* self) {
  Cvode& cvode = *static_cast<Cvode*>(self);
  return cvode.guarded([&] {
    const Eigen::Index n = cvode.system_->size();
    auto rate = entries(y_rate);
    rate.tail(rate.size() - n).setZero();
    cvode.system_->rates(t, entries(y).head(n), rate.head(n));
  });
}

int Cvode::weights_for_cvode(N_Vector y, N_Vector inverse_weights, void* self) {
  Cvode& cvode = *static_cast<Cvode*>(self);
  return cvode.guarded([&] { cvode.renew_inverse_weights(entries(y), entries(inverse_weights)); });
}

void Cvode::renew_inverse_weights(const Eigen::Ref<const Eigen::VectorXd>& y, Eigen::Ref<Eigen::VectorXd> inverse) {
  system_->copy_to_state(y.head(system_->size()), weighed_);
  asked_weights_.renew(component_tolerances(), weighed_, weighed_);
  inverse.setOnes();
  inverse.head(system_->size()) << asked_weights_.p.cwiseInverse(), asked_weights_.v.cwiseInverse(),
      asked_weights_.r.cwiseInverse();
}

int Cvode::project_for_cvode(sunrealtype t, N_Vector y, N_Vector change, sunrealtype, N_Vector, void* self) {
  Cvode& cvode = *static_cast<Cvode*>(self);
  return cvode.guarded([&] {
    const auto from = entries(y);
    auto by = entries(change);
    by = from;
    cvode.end_.t = t;
    cvode.system_->copy_to_state(from, cvode.end_);
    if (const Outcome moved = cvode.move_to_manifold(cvode.end_); !moved) throw RecoverableFailure(moved.reason());
    cvode.system_->copy_from_state(cvode.end_, by);
    by -= from;
  });
}

void Cvode::message_from_cvode(int /*code*/, const char* /*module*/, const char* /*function*/, char* text, void* self) {
  static_cast<Cvode*>(self)->text_ = text;
}

// ------------------------------------------------------------------------------------------------ one step

/// What CVODE takes for one step: it repeats that by itself, shorter, until it is good.
Verdict Cvode::attempt(const StepEnd& end) {
  StepRecord& record = records_.back();
  weights_.renew(component_tolerances(), state_, state_);
  double t = state_.t;
  const int flag = call(end, t);
  count();
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
  if (flag < 0 || !(t > state_.t)) {
    record.reason = why_failed(flag);
    return Verdict::hopeless;
  }
  record.step = t - state_.t;
  CVodeGetLastOrder(memory(), &record.order);
  end_y_ = entries(run_.y.get()).head(y_.size());
  measure_error();
  record.error = norm_.last();
  keep_derivatives(record.step);
  end_.t = t;
  system_->copy_to_state(end_y_, end_);
  equations_->set_position(t, end_.p);
  equations_->normalise(state_.p, end_.p);
  end_.a = system_->accelerations(end_rate_);
  return Verdict::accepted;
}

int Cvode::call(const StepEnd& end, double& t) {
  failure_.clear();
  text_.clear();
  if (end.is_last) CVodeSetStopTime(memory(), end.t);
  int flag = CVode(memory(), end.t, run_.y.get(), &t, CV_ONE_STEP);
  if (flag == CV_TOO_CLOSE) {  // to choose a first step by itself
    CVodeSetInitStep(memory(), end.h);
    flag = CVode(memory(), end.t, run_.y.get(), &t, CV_ONE_STEP);
  }
  if (flag == CV_TSTOP_RETURN) t = end.t;
  return flag;
}

std::string Cvode::why_failed(int flag) const {
  const std::string what = concat("the step size became too small at t = ", state_.t, " s; ");
  switch (flag) {
    case CV_SUCCESS:
    case CV_TSTOP_RETURN:
      return what + "steps are lost in the rounding of time: begin nearer to t = 0, or loosen the tolerances.";
    case CV_ERR_FAILURE:
      return concat(what, "the error tests failed, the last one for the error of ", limiting_component(),
                    ". Loosen the tolerances, or look for a jump or a singularity of the forces at this time: an event "
                    "begins anew at a jump.");
    case CV_CONV_FAILURE:
    case CV_LSETUP_FAIL:
    case CV_LSOLVE_FAIL:
      if (failure_.empty())
        return concat(what, "the corrector's iteration does not converge",
                      options_.method == CvodeMethod::adams
                          ? ": for stiff forces take cvode-bdf, bdf or radau."
                          : ": look for a jump or a singularity of the forces at this time.");
      [[fallthrough]];
    case CV_RHSFUNC_FAIL:
    case CV_FIRST_RHSFUNC_ERR:
    case CV_REPTD_RHSFUNC_ERR:
    case CV_UNREC_RHSFUNC_ERR:
    case CV_PROJFUNC_FAIL:
    case CV_REPTD_PROJFUNC_ERR:
      return concat(what, "the last attempt failed: ", as_sentence(failure_));
    default:
      return concat(what, "CVODE says: ", as_sentence(text_));
  }
}

/// By the weights at the start of the step, which CVODE has used, and its estimate.
void Cvode::measure_error() {
  norm_.renew(weights_);
  CVodeGetEstLocalErrors(memory(), run_.work.get());
  norm_(entries(run_.work.get()).head(y_.size()).eval());
}

/// The derivatives at the end of the attempt, all that the method knows; its rate is that of its polynomial.
void Cvode::keep_derivatives(double h) {
  const int known = has_dense_output() ? records_.back().order : 1;
  derivatives_.resize(y_.size(), known + 1);
  double power = 1;
  double t = 0;
  CVodeGetCurrentTime(memory(), &t);
  for (int k = 0; k <= known; ++k, power *= h) {
    expect_success(CVodeGetDky(memory(), t, k, run_.work.get()), "CVodeGetDky");
    derivatives_.col(k) = power * entries(run_.work.get()).head(y_.size());
  }
  derivatives_.col(0) = end_y_;
  end_rate_ = derivatives_.col(1) / h;
}

Outcome Cvode::accept(double /*h*/) {
  CVodeGetCurrentStep(memory(), &step_);
  return take_end(records_.back().step);
}

CvodeCounts Cvode::counts() const {
  CvodeCounts c;
  CVodeGetNumRhsEvals(memory(), &c.evaluations);
  CVodeGetNumErrTestFails(memory(), &c.error_failures);
  CVodeGetNumNonlinSolvIters(memory(), &c.iterations);
  CVodeGetNumNonlinSolvConvFails(memory(), &c.convergence_failures);
  CVodeGetNumStepSolveFails(memory(), &c.failed_solves);
  if (run_.linear_solver) {
    CVodeGetNumJacEvals(memory(), &c.jacobians);
    CVodeGetNumLinRhsEvals(memory(), &c.jacobian_evaluations);
    CVodeGetNumLinSolvSetups(memory(), &c.factorizations);
  }
  return c;
}

void Cvode::count() {
  const CvodeCounts c = counts();
  statistics_.rejected_steps = earlier_.rejected_steps + c.error_failures + c.failed_solves;
  statistics_.newton_iterations = earlier_.newton_iterations + c.iterations;
  statistics_.convergence_failures = earlier_.convergence_failures + c.failed_solves;
  statistics_.function_calls = earlier_.function_calls + c.evaluations + c.jacobian_evaluations;
  statistics_.jacobian_function_calls = earlier_.jacobian_function_calls + c.jacobian_evaluations;
  statistics_.jacobian_evaluations = earlier_.jacobian_evaluations + c.jacobians;
  statistics_.factorizations = earlier_.factorizations + c.factorizations;
}

/// Where elements fail behind a place, steps up to it become ever shorter.
std::string Cvode::explanation() {
  constexpr std::int64_t lately = 20;  // steps
  if (!last_failure_.empty() && statistics_.steps - step_of_failure_ <= lately)
    return concat(" Attempts at the last steps failed: ", as_sentence(last_failure_));
  return " Loosen the tolerances, or look for a jump or a singularity of the forces at this time: an event begins anew "
         "at a jump.";
}

// ------------------------------------------------------------------------------------------------ dense output

/// CVODE's own polynomial has steps at the ends of its steps, as large as errors: this one begins where the step before
/// has ended, in value and rate.
void Cvode::build_dense(bool all) {
  const double h = state_.t - previous_.t;
  Eigen::MatrixXd left(y_.size(), 2);
  left << begin_y_, h * begin_rate_;
  set_dense({{}, 2, hermite_coefficients(left, derivatives_)}, all);
}

}  // namespace

std::unique_ptr<Integrator> make_integrator(const CvodeOptions& options) {
  if (const std::string why = options.why_invalid(); !why.empty()) throw ModelError(concat("CvodeOptions: ", why));
  return std::make_unique<Cvode>(options);
}

}  // namespace linkwork
