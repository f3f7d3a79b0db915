#include <linkwork/solvers/integrators/bulirsch_stoer.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/core/dense_factors.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/integrators/extrapolation_tableau.hpp>
#include <linkwork/solvers/integrators/unconstrained_integrator.hpp>

#include <Eigen/Core>
#include <algorithm>
#include <boost/numeric/odeint/algebra/range_algebra.hpp>
#include <boost/numeric/odeint/stepper/bulirsch_stoer_dense_out.hpp>
#include <cmath>
#include <functional>
#include <optional>
#include <vector>

namespace linkwork::bulirsch_stoer_method {

/// Errors of one attempt at a step, line after line of the tableau.
struct MeasuredErrors {
  ErrorNorm& norm;
  int measured = 0;  // lines beyond the first
};

/// y, which knows how errors of it are measured.
struct MeasuredVector : std::vector<double> {
  using std::vector<double>::vector;
  MeasuredErrors* errors = nullptr;
};

/// As ranges are treated, but for the norm of errors: the library's.
struct MeasuredAlgebra : boost::numeric::odeint::range_algebra {
  static double norm_inf(const MeasuredVector& error) {
    ++error.errors->measured;
    return error.errors->norm(error);
  }
};

}  // namespace linkwork::bulirsch_stoer_method

namespace boost::numeric::odeint {

template <>
struct is_resizeable<linkwork::bulirsch_stoer_method::MeasuredVector> {
  using type = boost::true_type;
  static constexpr bool value = true;
};
template <>
struct same_size_impl<linkwork::bulirsch_stoer_method::MeasuredVector,
                      linkwork::bulirsch_stoer_method::MeasuredVector> {
  using Vector = linkwork::bulirsch_stoer_method::MeasuredVector;
  static bool same_size(const Vector& a, const Vector& b) { return a.size() == b.size() && a.errors == b.errors; }
};
template <>
struct resize_impl<linkwork::bulirsch_stoer_method::MeasuredVector, linkwork::bulirsch_stoer_method::MeasuredVector> {
  using Vector = linkwork::bulirsch_stoer_method::MeasuredVector;
  static void resize(Vector& vector, const Vector& like) {
    vector.resize(like.size());
    vector.errors = like.errors;
  }
};

}  // namespace boost::numeric::odeint

namespace linkwork {

namespace {

using bulirsch_stoer_method::MeasuredAlgebra;
using bulirsch_stoer_method::MeasuredErrors;
using bulirsch_stoer_method::MeasuredVector;

// What is interpolated may miss the ends of a step by as many tolerances, and its slopes there by as many within a
// sub-step; it is moved onto them.
constexpr double largest_gap = 20;

class BulirschStoer final : public UnconstrainedIntegrator {
 public:
  explicit BulirschStoer(const BulirschStoerOptions& options)
      : UnconstrainedIntegrator(stepping_options(options), {.stretch = 1.01}), first_step_(options.first_step) {}

  std::string_view name() const override { return "bulirsch-stoer"; }
  bool repeats_steps() const override { return true; }

 private:
  using Stepper =
      boost::numeric::odeint::bulirsch_stoer_dense_out<MeasuredVector, double, MeasuredVector, double, MeasuredAlgebra>;

  std::string_view options_name() const override { return "BulirschStoerOptions"; }
  double first_step(double t_limit) override { return first_step_ > 0 ? first_step_ : starting_step(7, t_limit); }
  double stability_limit() const override {  // of the same numbers of sub-steps
    return midpoint_sequence.stable + midpoint_sequence.stable_per_line * lines_;
  }

  Outcome begin() override;
  Verdict attempt(const StepEnd& end) override;
  bool step_with(double h);
  Outcome fit_interpolation(double h);
  void reject(double h, Verdict verdict, int attempts) override;
  Outcome accept(double h) override;
  void build_dense(bool all) override;

  double first_step_;
  MeasuredErrors errors_{norm_};
  std::optional<Stepper> stepper_;
  MeasuredVector from_, from_rate_, to_, to_rate_, inside_;
  int lines_ = 0;           // of the tableau, in the last attempt
  double proposed_ = 0;     // the next step, by the control of order and step
  Eigen::MatrixXd powers_;  // of the distance from the middle, in steps: what is interpolated over the last attempt
};

Eigen::Map<const Eigen::VectorXd> mapped(const MeasuredVector& vector) {
  return {vector.data(), static_cast<Eigen::Index>(vector.size())};
}
Eigen::Map<Eigen::VectorXd> mapped(MeasuredVector& vector) {
  return {vector.data(), static_cast<Eigen::Index>(vector.size())};
}

/// Its interpolation is asked for on [0, 1], which a step of a system at rest leaves it with: a step that is attempted
/// from outside sets no times of its own.
Outcome BulirschStoer::begin() {
  for (MeasuredVector* vector : {&from_, &from_rate_, &to_, &to_rate_, &inside_}) {
    vector->assign(static_cast<std::size_t>(system_->size()), 0.0);
    vector->errors = &errors_;
  }
  stepper_.emplace(/*absolute tolerance*/ 1.0, /*relative*/ 0.0, 0.0, 0.0);
  stepper_->adjust_size(from_);
  stepper_->initialize(from_, 0.0, 1.0);
  stepper_->do_step(
      [](const MeasuredVector&, MeasuredVector& rate, double) { std::fill(rate.begin(), rate.end(), 0.0); });
  lines_ = 0;
  return {};
}

Verdict BulirschStoer::attempt(const StepEnd& end) {
  StepRecord& record = records_.back();
  proposed_ = 0.25 * end.h;  // where the attempt breaks down
  renew_weights(state_);
  const bool is_accurate = step_with(end.h);
  record.order = 2 * lines_;
  record.error = norm_.last();
  if (!is_accurate) {
    record.reason =
        concat("the error estimate is ", record.error, " times the tolerance, worst in ", limiting_component());
    return Verdict::large_error;
  }
  if (const Outcome fitted = fit_interpolation(end.h); !fitted) {
    record.reason = fitted.reason();
    return Verdict::large_error;
  }
  if (const Outcome settled = settle_end(end.t); !settled) {
    record.reason = settled.reason();
    return Verdict::failure;
  }
  return Verdict::accepted;
}

/// Whether the control accepts a step. Where an error is no number, what it proposes is none either.
bool BulirschStoer::step_with(double h) {
  auto rates = [this](const MeasuredVector& y, MeasuredVector& y_rate, double t) {
    system_->rates(t, mapped(y), mapped(y_rate));
  };
  mapped(from_) = y_;
  mapped(from_rate_) = y_rate_;
  double t = state_.t, next = h;
  errors_.measured = 0;
  const bool accepted =
      stepper_->try_step(std::ref(rates), from_, from_rate_, t, to_, to_rate_, next) == boost::numeric::odeint::success;
  lines_ = errors_.measured + 1;
  const bool is_sound = std::isfinite(next) && next > 0 && (accepted || next < h);
  if (is_sound) proposed_ = next;
  end_y_ = mapped(to_);
  end_rate_ = mapped(to_rate_);
  return accepted;
}

/// The stepper's polynomial of degree 2 lines, by as many values and one more. Failure where it does not lead to the
/// ends: then forces are other ones there than the sub-steps have met.
Outcome BulirschStoer::fit_interpolation(double h) {
  const Eigen::Index count = 2 * lines_ + 1;
  const double pi = std::acos(-1.0);
  Eigen::MatrixXd values(count, y_.size()), powers(count, count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const double place = 0.5 * std::cos(pi * (static_cast<double>(i) + 0.5) / static_cast<double>(count));
    stepper_->calc_state(0.5 + place, inside_);
    values.row(i) = mapped(inside_).transpose();
    double power = 1;
    for (Eigen::Index k = 0; k < count; ++k, power *= 2 * place) powers(i, k) = power;
  }
  LuFactors factors;
  factors.compute(powers);
  powers_ = factors.solve_columns(values).transpose();
  for (Eigen::Index k = 0; k < count; ++k) powers_.col(k) *= std::ldexp(1.0, static_cast<int>(k));

  DensePolynomial::Group whole{{}, 0, powers_, static_cast<int>(count) - 1};
  const Eigen::VectorXd begin_gap = y_ - whole.value(0), end_gap = end_y_ - whole.value(1);
  const DensePolynomial::Group slope = whole.derivative(h);
  const Eigen::VectorXd begin_slope_gap = h * (y_rate_ - slope.value(0)),
                        end_slope_gap = h * (end_rate_ - slope.value(1));
  const double within_sub_step = 1.0 / midpoint_sequence.steps(lines_);
  ErrorNorm norm = norm_;
  double gap = std::max(norm(begin_gap), norm(end_gap));
  gap = std::max({gap, norm(begin_slope_gap) * within_sub_step, norm(end_slope_gap) * within_sub_step});
  if (!(gap <= largest_gap)) {
    const double shorter = 0.9 * h * std::pow(gap / largest_gap, -1.0 / static_cast<double>(count - 1));
    proposed_ = std::isfinite(shorter) ? std::clamp(shorter, 0.2 * h, 0.9 * h) : 0.25 * h;
    return Outcome::failure(concat("what is interpolated inside the step misses its ends by ", gap, " tolerances"));
  }
  return {};
}

void BulirschStoer::reject(double h, Verdict /*verdict*/, int /*attempts*/) { step_ = std::min(proposed_, 0.9 * h); }

Outcome BulirschStoer::accept(double h) {
  step_ = proposed_;
  return take_end(h);
}

/// Moved by the cubic that leads it to y and y' at both ends.
void BulirschStoer::build_dense(bool all) {
  const double h = state_.t - previous_.t;
  DensePolynomial::Group whole{{}, 0, powers_, static_cast<int>(powers_.cols()) - 1};
  const DensePolynomial::Group slope = whole.derivative(h);
  const Eigen::VectorXd d0 = begin_y_ - whole.value(0), d1 = y_ - whole.value(1);
  const Eigen::VectorXd s0 = h * (begin_rate_ - slope.value(0)), s1 = h * (y_rate_ - slope.value(1));
  whole.coefficients.col(0) += 0.5 * (d0 + d1) + 0.125 * (s0 - s1);
  whole.coefficients.col(1) += 1.5 * (d1 - d0) - 0.25 * (s0 + s1);
  whole.coefficients.col(2) += 0.5 * (s1 - s0);
  whole.coefficients.col(3) += 2 * (d0 - d1) + s0 + s1;
  set_dense(whole, all);
}

}  // namespace

std::string BulirschStoerOptions::why_invalid() const {
  if (std::string why = stepping_options(*this).why_invalid(); !why.empty()) return why;
  return why_invalid_first_step(first_step);
}

std::unique_ptr<Integrator> make_integrator(const BulirschStoerOptions& options) {
  if (const std::string why = options.why_invalid(); !why.empty())
    throw ModelError(concat("BulirschStoerOptions: ", why));
  return std::make_unique<BulirschStoer>(options);
}

}  // namespace linkwork
