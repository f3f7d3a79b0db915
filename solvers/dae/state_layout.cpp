#include <linkwork/solvers/dae/state_layout.hpp>

namespace linkwork {

StateLayout::StateLayout(const Dimensions& n)
    : p(0), v(n.p), r(v + n.v), w(r + n.r), s(w + n.w), lambda(s + n.s), end(lambda + n.constraints()) {}

void StateLayout::copy_to_state(const Eigen::VectorXd& y, State& state) const {
  state.p = y.segment(p, v - p);
  state.v = y.segment(v, r - v);
  state.r = y.segment(r, w - r);
  if (s > w) state.w = y.segment(w, s - w);
  if (lambda > s) state.s = y.segment(s, lambda - s);
  state.lambda = y.segment(lambda, end - lambda);
}

void StateLayout::copy_from_state(const State& state, Eigen::VectorXd& y) const {
  y.head(w) << state.p, state.v, state.r;
  if (s > w) y.segment(w, s - w) = state.w;
  if (lambda > s) y.segment(s, lambda - s) = state.s;
  y.segment(lambda, state.lambda.size()) = state.lambda;
}

std::string StateLayout::name(const EquationsOfMotion& equations, int j) const {
  if (j < v) return equations.position_name(j);
  if (j < r) return "the velocity of " + equations.velocity_name(j - v);
  if (j < w) return equations.state_name(j - r);
  if (j < s) return equations.auxiliary_name(j - w);
  if (j < lambda) return equations.contact_name(j - s);
  return "the multiplier of " + equations.constraint_name(j - lambda);
}

}  // namespace linkwork
