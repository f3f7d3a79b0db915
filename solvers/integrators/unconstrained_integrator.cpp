#include <linkwork/solvers/integrators/unconstrained_integrator.hpp>

#include <linkwork/core/concat.hpp>

#include <algorithm>
#include <utility>

namespace linkwork {

void ErrorNorm::renew(const ErrorWeights& weights) {
  inverse_weights_.resize(weights.p.size() + weights.v.size() + weights.r.size());
  inverse_weights_ << weights.p.cwiseInverse(), weights.v.cwiseInverse(), weights.r.cwiseInverse();
  counted_ = static_cast<double>((inverse_weights_.array() > 0).count());
}

// ------------------------------------------------------------------------------------------------ start

Outcome UnconstrainedIntegrator::initialize(EquationsOfMotion& equations, LinearSolver& solver, const State& start) {
  if (Outcome fit = FirstOrderSystem::takes(equations, name()); !fit) return fit;
  return start_consistently(equations, solver, start, [&] {
    system_.emplace(equations, solver);
    probe_.emplace(equations, solver);
    has_stepped_ = false;
    end_ = state_;
    for (Eigen::VectorXd* vector : {&y_, &y_rate_, &end_y_, &end_rate_, &begin_y_, &begin_rate_})
      vector->setZero(system_->size());
    system_->copy_from_state(state_, y_);
    system_->rates(state_.t, y_, y_rate_);
    renew_weights(state_);
    return begin();
  });
}

void UnconstrainedIntegrator::renew_weights(const State& end) {
  weights_.renew(component_tolerances(), state_, end);
  norm_.renew(weights_);
}

double UnconstrainedIntegrator::starting_step(int order, double t_limit) {
  constexpr double small = 1e-5, share_of_run = 1e-2;
  ErrorNorm norm = norm_;  // its accounts are those of errors
  const double longest = first_share(share_of_run, t_limit);
  const double size = norm(y_), speed = norm(y_rate_);
  const double by_euler = size < small || speed < small ? 0.1 * longest : std::min(longest, 0.01 * size / speed);
  end_y_ = y_ + by_euler * y_rate_;
  double bend = 0;
  try {
    system_->rates(state_.t + by_euler, end_y_, end_rate_);
    end_rate_ -= y_rate_;
    bend = norm(end_rate_) / by_euler;
  } catch (const RecoverableFailure&) {  // shorter, then
    return std::max(1e-3 * by_euler, first_share(0, t_limit));
  }
  const double fastest = std::max(speed, bend);
  const double by_order = fastest * longest > 1e-10 ? std::pow(0.01 / fastest, 1.0 / (order + 1)) : longest;
  return std::max(std::min({100 * by_euler, by_order, longest}), first_share(0, t_limit));
}

// ------------------------------------------------------------------------------------------------ one step

Outcome UnconstrainedIntegrator::settle_end(double t) {
  end_.t = t;
  system_->copy_to_state(end_y_, end_);
  if (equations_->dimensions().normalisation > 0 || has_kept_invariants()) {
    equations_->set_position(t, end_.p);
    equations_->normalise(state_.p, end_.p);
    if (Outcome kept = keep_invariants(end_); !kept) return kept;
    system_->copy_from_state(end_, end_y_);
    system_->rates(t, end_y_, end_rate_);
  }
  end_.a = system_->accelerations(end_rate_);
  return {};
}

Outcome UnconstrainedIntegrator::take_end(double h) {
  has_stepped_ = true;
  last_step_ = h;
  std::swap(previous_, state_);
  state_ = end_;
  std::swap(begin_y_, y_);
  std::swap(begin_rate_, y_rate_);
  y_ = end_y_;
  y_rate_ = end_rate_;
  look_at_stability();
  return invariants_conserved();
}

/// As little as extrapolation does: one evaluation in ten steps, beside a state where elements may fail.
void UnconstrainedIntegrator::look_at_stability() {
  constexpr std::int64_t steps_between = 10;
  if (stability_limit() == 0) return;
  if (statistics_.steps % steps_between == 0) {
    try {
      probe_->look(state_);
    } catch (const RecoverableFailure&) {
    }
  }
  if (is_limited_by_stability()) ++statistics_.stability_limited_steps;
}

bool UnconstrainedIntegrator::is_limited_by_stability() const {
  constexpr double share = 0.7;  // errors make the steps go up and down below the limit
  return stability_limit() > 0 && last_step_ * probe_->fastest_rate() > share * stability_limit();
}

// ------------------------------------------------------------------------------------------------ messages

std::string UnconstrainedIntegrator::limiting_component() const {
  return norm_.worst() < 0 ? "no component" : system_->unknown_name(norm_.worst());
}

std::string UnconstrainedIntegrator::why_so_short() {
  if (!has_stepped_ || !is_limited_by_stability()) return SteppingIntegrator::why_so_short();
  return concat(" Stability has held the last steps: something changes by a rate of ", probe_->fastest_rate(),
                " per second; take radau or bdf.");
}

std::string UnconstrainedIntegrator::explanation() {
  return " Loosen the tolerances, or look for a jump or a singularity of the forces at this time: an event begins anew "
         "at a jump, radau and bdf take stiff forces.";
}

std::string why_invalid_first_step(double first_step) {
  if (std::isfinite(first_step) && first_step >= 0) return "";
  return concat("first_step is ", first_step, " s; expected > 0, or 0 for a choice by the rates at the start.");
}

// ------------------------------------------------------------------------------------------------ dense output

void UnconstrainedIntegrator::set_dense(const DensePolynomial::Group& of_y, bool all) {
  const Dimensions& n = equations_->dimensions();
  const DenseSelection& s = dense_selection();
  const auto rows = [&](const std::optional<std::vector<int>>& chosen, int first, int count) {
    DensePolynomial::Group out = of_y;
    out.components = components(chosen, all, count);
    out.coefficients = of_y.coefficients.middleRows(first, count)(out.components, Eigen::all);
    return out;
  };
  dense_ = {};
  dense_.t_begin = previous_.t;
  dense_.t_end = state_.t;
  dense_.p = rows(s.p, 0, n.p);
  dense_.v = rows(s.v, n.p, n.v);
  dense_.r = rows(s.r, n.p + n.v, n.r);
  dense_.a = rows(s.a, n.p, n.v).derivative(state_.t - previous_.t);
  dense_.lambda = {{}, 1, Eigen::MatrixXd(0, 1)};
}

}  // namespace linkwork
