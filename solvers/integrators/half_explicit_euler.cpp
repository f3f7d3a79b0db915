#include <linkwork/solvers/integrators/half_explicit_euler.hpp>

#include <linkwork/solvers/integrators/extrapolated_interpolation.hpp>
#include <linkwork/solvers/integrators/foresight.hpp>
#include <linkwork/solvers/manifold/consistent_accelerations.hpp>

namespace linkwork {

HalfExplicitEuler::HalfExplicitEuler(EquationsOfMotion& equations, LinearSolver& solver, bool friction)
    : equations_(equations), solver_(solver), friction_(friction) {}

Outcome HalfExplicitEuler::begin(State& start, bool is_factored) {
  EquationsOfMotion& e = equations_;
  if (!is_factored) e.set_position(start.t, start.p);
  e.set_velocity(start.v);
  e.set_states(start.r);
  if (e.forces_read_multipliers()) {
    if (Outcome settled = settle_accelerations(e, solver_, start); !settled) return settled;
  } else {
    if (!is_factored)
      if (Outcome factored = solver_.factor(MatrixKind::velocity); !factored) return factored;
    solver_.solve(e.f(), e.gamma(), start.a, start.lambda);
  }
  start_ = start;
  start_force_ = e.f();
  e.position_rate(start_p_rate_);
  if (friction_) start_force_jacobian_ = e.force_jacobian();
  return {};
}

Outcome HalfExplicitEuler::run(int n, double H, Result& result, History& history) {
  EquationsOfMotion& e = equations_;
  const Dimensions& size = e.dimensions();
  const double h = H / n;
  v_ = start_.v;
  r_ = start_.r;
  lambda_ = start_.lambda;
  result.dp.setZero(size.p);
  result.dv.setZero(size.v);
  result.dr.setZero(size.r);
  history.p_rate.resize(size.p, n);
  history.r_rate.resize(size.r, n);
  history.a.resize(size.v, n);
  history.lambda.resize(size.constraints(), n);
  for (int i = 0; i < n; ++i) {
    if (i == 0) {
      force_ = start_force_;
      p_rate_ = start_p_rate_;
    } else {
      e.set_velocity(v_);
      e.set_states(r_);
      e.set_multipliers(lambda_);
      force_ = e.f();
      e.position_rate(p_rate_);
    }
    result.dp += h * p_rate_;
    p_ = start_.p + result.dp;
    e.set_position(start_.t + H * (i + 1) / n, p_);
    if (i == 0) e.set_velocity(v_);

    // The increment of v solves (2.1b) without a product with M: right sides h f and -(G v_i + offset).
    const MatrixKind kind = friction_ ? MatrixKind::friction : MatrixKind::velocity;
    if (Outcome factored = solver_.factor(kind, friction_ ? &start_force_jacobian_ : nullptr); !factored)
      return factored;
    if (friction_) start_force_jacobian_.multiply_add(-1.0, lambda_, force_);
    force_ *= h;
    residual_ =
        -e.velocity_residual();  // of rows that are nonlinear in v a Newton step: what it leaves is of order h^2
    if (size.servo > 0) residual_.tail(size.servo) = h * e.gamma().tail(size.servo);
    solver_.solve(force_, residual_, increment_, impulse_);
    result.dv += increment_;
    v_ = start_.v + result.dv;
    lambda_ = impulse_ / h;
    increment_ /= h;  // now a

    if (size.r > 0) {
      e.set_velocity(v_);
      e.set_states(r_);
      e.set_multipliers(lambda_);
      const Eigen::VectorXd& rate = e.r_rate();
      result.dr += h * rate;
      r_ = start_.r + result.dr;
      history.r_rate.col(i) = rate;
    }
    history.p_rate.col(i) = p_rate_;
    history.a.col(i) = increment_;
    history.lambda.col(i) = lambda_;
  }
  return {};
}

BasicScheme::Surprise HalfExplicitEuler::surprise(const Lines& lines, const State& begin, const State& end,
                                                  const Eigen::VectorXd& weights) const {
  constexpr double share = 1;
  const double h = lines.H / half_explicit_sequence.steps(lines.count);
  Eigen::VectorXd value;
  const auto foresight = [&](auto sub_step) {
    ExtrapolationTableau tableau(half_explicit_sequence);
    Foresight out;
    for (int line = 1; line <= lines.count; ++line) {
      const Eigen::MatrixXd& a = lines.history[static_cast<std::size_t>(line - 1)].a;
      value = a.col(sub_step(a));
      tableau.add(value);
      if (line == lines.count - 1) out.by_one_line_less = tableau.value();
    }
    out.expected = tableau.value();
    return out;
  };
  const Foresight at_end = foresight([](const Eigen::MatrixXd& a) { return a.cols() - 1; });
  if (const Surprise found = at_end.surprise(end.a, h, weights, share); found.size > 0) return found;
  const Foresight at_start = foresight([](const Eigen::MatrixXd&) { return Eigen::Index{1}; });
  Surprise found = at_start.surprise(begin.a, h, weights, share);
  found.at_start = true;
  return found;
}

void HalfExplicitEuler::interpolate(const Lines& lines, int maximum_degree, const StepEnds& ends,
                                    DensePolynomial& dense) const {
  const ExtrapolatedInterpolation interpolation(lines, maximum_degree);
  const auto derivatives = [&](const DensePolynomial::Group& group, ExtrapolatedInterpolation::Sequence sequence) {
    return interpolation.derivatives(group.components, sequence);
  };
  const ExtrapolatedInterpolation::Derivatives of_a = derivatives(dense.a, &History::a);
  // v' is a, so that a's derivatives serve v too.
  const ExtrapolatedInterpolation::Derivatives of_v_rate =
      dense.v.components == dense.a.components ? of_a : derivatives(dense.v, &History::a);
  const State &begin = ends.begin, &end = ends.end;
  interpolation.differential(dense.p, derivatives(dense.p, &History::p_rate), begin.p, end.p, ends.begin_p_rate,
                             ends.end_p_rate);
  interpolation.differential(dense.v, of_v_rate, begin.v, end.v, begin.a, end.a);
  interpolation.differential(dense.r, derivatives(dense.r, &History::r_rate), begin.r, end.r, ends.begin_r_rate,
                             ends.end_r_rate);
  interpolation.algebraic(dense.a, of_a, begin.a, end.a);
  interpolation.algebraic(dense.lambda, derivatives(dense.lambda, &History::lambda), begin.lambda, end.lambda);
}

}  // namespace linkwork
