#include <linkwork/solvers/integrators/dopri5.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/integrators/unconstrained_integrator.hpp>

#include <boost/numeric/odeint/algebra/vector_space_algebra.hpp>
#include <boost/numeric/odeint/external/eigen/eigen_resize.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>
#include <functional>

namespace linkwork {

namespace {

class Dopri5 final : public UnconstrainedIntegrator {
 public:
  explicit Dopri5(const Dopri5Options& options)
      : UnconstrainedIntegrator(stepping_options(options), {.stretch = 1.01}), first_step_(options.first_step) {}

  std::string_view name() const override { return "dopri5"; }
  bool repeats_steps() const override { return true; }

 private:
  using Vector = Eigen::VectorXd;
  using Stepper = boost::numeric::odeint::runge_kutta_dopri5<Vector, double, Vector, double,
                                                             boost::numeric::odeint::vector_space_algebra>;
  static constexpr int order = 5;

  std::string_view options_name() const override { return "Dopri5Options"; }
  double first_step(double t_limit) override { return first_step_ > 0 ? first_step_ : starting_step(order, t_limit); }
  // Between the limits for what oscillates, 1, and for what decays, 3.3.
  double stability_limit() const override { return 1.5; }

  Outcome begin() override {
    stepper_ = {};
    error_.setZero(system_->size());
    middle_ = error_;
    return {};
  }
  Verdict attempt(const StepEnd& end) override;
  double error_of_step();
  void find_middle(double h);
  /// Of the cubic by values and rates at both ends.
  auto part_of_end_in_middle(double h) const { return 0.5 * end_y_ - (h / 8) * end_rate_; }
  Outcome accept(double h) override;
  void build_dense(bool all) override;

  double first_step_;
  Stepper stepper_;
  Vector error_;
  Vector middle_;  // y in the middle of the step, by the method's continuous extension
};

Verdict Dopri5::attempt(const StepEnd& end) {
  StepRecord& record = records_.back();
  record.order = order;
  auto rates = [this](const Vector& y, Vector& y_rate, double t) { system_->rates(t, y, y_rate); };
  stepper_.do_step(std::ref(rates), y_, y_rate_, state_.t, end_y_, end_rate_, end.h, error_);
  record.error = error_of_step();
  if (!(record.error <= 1)) {
    record.reason =
        concat("the error estimate is ", record.error, " times the tolerance, worst in ", limiting_component());
    return Verdict::large_error;
  }
  if (has_dense_output()) find_middle(end.h);
  if (const Outcome settled = settle_end(end.t); !settled) {
    record.reason = settled.reason();
    return Verdict::failure;
  }
  if (has_dense_output()) middle_ += part_of_end_in_middle(end.h);
  return Verdict::accepted;
}

double Dopri5::error_of_step() {
  system_->copy_to_state(end_y_, end_);
  renew_weights(end_);
  return norm_(error_);
}

/// The polynomial of degree 4 follows from its middle and from y and y' at both ends. Here the middle is without the
/// part that the end has in it: where norms or invariants move the end, the method's own polynomial goes along by a
/// cubic.
void Dopri5::find_middle(double h) {
  stepper_.calc_state(0.5 * h, middle_, y_, y_rate_, 0.0, end_y_, end_rate_, h);
  middle_ -= part_of_end_in_middle(h);
}

Outcome Dopri5::accept(double h) {
  const bool was_repeated = records_.size() > 1;
  step_ = step_for(h, records_.back().error, order, was_repeated ? 1 : 5);
  return take_end(h);
}

void Dopri5::build_dense(bool all) {
  const double h = state_.t - previous_.t;
  Eigen::MatrixXd left(y_.size(), 2), right(y_.size(), 2);
  left << begin_y_, h * begin_rate_;
  right << y_, h * y_rate_;
  set_dense({{}, 2, hermite_coefficients(left, middle_, right), 1}, all);
}

}  // namespace

std::string Dopri5Options::why_invalid() const {
  if (std::string why = stepping_options(*this).why_invalid(); !why.empty()) return why;
  return why_invalid_first_step(first_step);
}

std::unique_ptr<Integrator> make_integrator(const Dopri5Options& options) {
  if (const std::string why = options.why_invalid(); !why.empty()) throw ModelError(concat("Dopri5Options: ", why));
  return std::make_unique<Dopri5>(options);
}

}  // namespace linkwork
