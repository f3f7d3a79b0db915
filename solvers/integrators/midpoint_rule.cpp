#include <linkwork/solvers/integrators/midpoint_rule.hpp>

#include <linkwork/solvers/integrators/centred_interpolation.hpp>

namespace linkwork {

MidpointRule::MidpointRule(EquationsOfMotion& equations, LinearSolver& solver)
    : equations_(equations), solver_(solver) {}

Outcome MidpointRule::evaluate() {
  equations_.position_rate(p_rate_);
  r_rate_ = equations_.r_rate();
  return solver_.accelerations(a_, lambda_);
}

Outcome MidpointRule::begin(State& start) {
  equations_.set(start);
  if (Outcome evaluated = evaluate(); !evaluated) return evaluated;
  start.a = a_;
  start_ = start;
  start_p_rate_ = p_rate_;
  start_r_rate_ = r_rate_;
  return {};
}

void MidpointRule::advance(const Result& before, double factor, Result& gain) const {
  gain.dp = before.dp + factor * p_rate_;
  gain.dv = before.dv + factor * a_;
  gain.dr = before.dr + factor * r_rate_;
}

Outcome MidpointRule::run(int n, double H, Result& result, History* history) {
  const Dimensions& size = equations_.dimensions();
  const double h = H / n;
  if (history) {
    history->p_rate.resize(size.p, n);
    history->a.resize(size.v, n);
    history->r_rate.resize(size.r, n);
  }
  previous_.dp.setZero(size.p);
  previous_.dv.setZero(size.v);
  previous_.dr.setZero(size.r);
  p_rate_ = start_p_rate_;
  a_ = start_.a;
  r_rate_ = start_r_rate_;
  advance(previous_, h, result);
  for (int i = 0;; ++i) {
    if (history) {
      history->p_rate.col(i) = p_rate_;
      history->a.col(i) = a_;
      history->r_rate.col(i) = r_rate_;
    }
    if (i == n - 1) return {};
    if (history && i + 1 == n / 2) {
      history->middle_dp = result.dp;
      history->middle_dv = result.dv;
      history->middle_dr = result.dr;
    }
    p_ = start_.p + result.dp;
    v_ = start_.v + result.dv;
    r_ = start_.r + result.dr;
    equations_.set_position(start_.t + H * (i + 1) / n, p_);
    equations_.set_velocity(v_);
    equations_.set_states(r_);
    if (Outcome evaluated = evaluate(); !evaluated) return evaluated;
    advance(previous_, 2 * h, previous_);
    previous_.dp.swap(result.dp);
    previous_.dv.swap(result.dv);
    previous_.dr.swap(result.dr);
  }
}

void MidpointRule::interpolate(const std::vector<History>& history, int lines, int maximum_degree, const StepEnds& ends,
                               DensePolynomial& dense) const {
  const CentredInterpolation interpolation(history, lines, ends.size(), maximum_degree);
  const State &begin = ends.begin, &end = ends.end;
  interpolation.differential(dense.p, {&History::middle_dp, &History::p_rate}, begin.p, end.p, ends.begin_p_rate,
                             ends.end_p_rate);
  interpolation.differential(dense.v, {&History::middle_dv, &History::a}, begin.v, end.v, begin.a, end.a);
  interpolation.differential(dense.r, {&History::middle_dr, &History::r_rate}, begin.r, end.r, ends.begin_r_rate,
                             ends.end_r_rate);
  interpolation.algebraic(dense.a, &History::a, begin.a, end.a);
  dense.lambda = {};  // no rows, no multipliers
}

}  // namespace linkwork
