#include <linkwork/solvers/simulation/step_interior.hpp>

#include <linkwork/core/concat.hpp>

#include <algorithm>
#include <utility>

namespace linkwork {

const DensePolynomial& StepInterior::dense(bool all) {
  const InPhase in(dense_phase_, equations_);
  return integrator_.dense(all);
}

const State& StepInterior::begin() {
  if (!begin_) begin_ = completed(integrator_.previous_state());
  return *begin_;
}

const State& StepInterior::end() {
  if (!end_) end_ = completed(integrator_.state());
  return *end_;
}

State StepInterior::completed(State state) {
  complete(state);
  return state;
}

void StepInterior::complete(State& state) {
  const Outcome found = reader_.complete(state);
  if (found) return;
  unknown_.note(state.t, found.reason());
  forget_accelerations(state);
  if (equations_.dimensions().w == 0) state.w = equations_.auxiliary();  // as far as they were found
  if (equations_.dimensions().s == 0) state.s = equations_.contacts();
}

const State& StepInterior::interpolated(double t) {
  const DensePolynomial& polynomial = dense(true);
  state_ = integrator_.previous_state();  // gives the sizes
  polynomial.evaluate(t, state_);
  equations_.normalise(state_.p, state_.p);  // signs of quaternions may change within a step
  return state_;
}

const State& StepInterior::shortly_after_begin(double dt) {
  state_ = begin();
  equations_.set_position(state_.t, state_.p);
  Eigen::VectorXd p;
  equations_.position_step(dt * state_.v, p);
  equations_.add_position_drift(dt, p);
  state_.t += dt;
  state_.p = p;
  if (state_.a.size() == state_.v.size() && state_.a.allFinite()) state_.v += dt * state_.a;
  return state_;
}

const State& StepInterior::whole(double t) {
  interpolated(t);
  close(state_);
  complete(state_);
  return state_;
}

const State& StepInterior::projected(double t) {
  interpolated(t);
  const bool is_closed = close(state_);
  if (is_closed && manifold_.has_invariants()) {
    weights_.renew(tolerances_, state_, state_);
    expect_projected(manifold_.correct(state_, weights_), t);
  }
  complete(state_);
  return state_;
}

double StepInterior::off_equations(double t) {
  // Near the end of a step the last stage is all that sees an edge, and counts for this share of the step in Radau IIA;
  // in other methods for less.
  constexpr double last_weight = 1.0 / 9;
  constexpr double share = 1e-3;  // of what counts, between the points of a difference of fourth order
  const DensePolynomial& polynomial = dense(true);
  const double way = std::min(t - polynomial.t_begin, polynomial.t_end - t);
  const double counted = std::max(way, last_weight * (t - polynomial.t_begin)), dt = share * counted;
  const State here = projected(t);
  if (here.v.size() == 0 || !(way > 0) || !here.a.allFinite()) return 0;
  const auto velocity = [&](double at) {
    Eigen::VectorXd v = here.v;
    polynomial.evaluate(polynomial.v, at, v);
    return v;
  };
  const Eigen::VectorXd near = velocity(t + dt) - velocity(t - dt), far = velocity(t + 2 * dt) - velocity(t - 2 * dt);
  const Eigen::VectorXd rate = (8 * near - far) / (12 * dt);
  weights_.renew(tolerances_, here, here);
  return counted * (rate - here.a).cwiseQuotient(weights_.v).cwiseAbs().maxCoeff();
}

void StepInterior::expect_projected(const Outcome& outcome, double t) const {
  if (!outcome)
    throw RunError(
        concat("model '", equations_.model_name(), "': the state at an event can't be projected: ", outcome.reason()),
        t);
}

void StepInterior::project(State& state) {
  expect_projected(reader_.project(state), state.t);
  find_auxiliary(state);
}

bool StepInterior::close(State& state) {
  closed_ = state;
  if (const Outcome closed = reader_.project(closed_); !closed) {
    unknown_.note(state.t, closed.reason());
    return false;
  }
  find_auxiliary(closed_);
  std::swap(state, closed_);
  return true;
}

void StepInterior::find_auxiliary(State& state) {
  if (equations_.dimensions().w == 0) return;
  equations_.solve_auxiliary();
  state.w = equations_.auxiliary();
}

}  // namespace linkwork
