#include <linkwork/solvers/integrators/midpoint_rule.hpp>

#include <linkwork/solvers/integrators/centred_interpolation.hpp>
#include <linkwork/solvers/integrators/foresight.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace linkwork {

MidpointRule::MidpointRule(EquationsOfMotion& equations, LinearSolver& solver)
    : equations_(equations), solver_(solver) {}

Outcome MidpointRule::evaluate() {
  equations_.position_rate(p_rate_);
  r_rate_ = equations_.r_rate();
  return solver_.accelerations(a_, lambda_);
}

Outcome MidpointRule::begin(State& start, bool /*is_factored*/) {
  equations_.set(start);
  if (Outcome evaluated = evaluate(); !evaluated) return evaluated;
  start.a = a_;
  start.lambda = lambda_;
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

Outcome MidpointRule::run(int n, double H, Result& result, History& history) {
  const Dimensions& size = equations_.dimensions();
  const double h = H / n;
  history.p_rate.resize(size.p, n);
  history.a.resize(size.v, n);
  history.r_rate.resize(size.r, n);
  previous_.dp.setZero(size.p);
  previous_.dv.setZero(size.v);
  previous_.dr.setZero(size.r);
  p_rate_ = start_p_rate_;
  a_ = start_.a;
  r_rate_ = start_r_rate_;
  advance(previous_, h, result);
  for (int i = 0;; ++i) {
    history.p_rate.col(i) = p_rate_;
    history.a.col(i) = a_;
    history.r_rate.col(i) = r_rate_;
    if (i == n - 1) return {};
    if (i + 1 == n / 2) {
      history.middle_dp = result.dp;
      history.middle_dv = result.dv;
      history.middle_dr = result.dr;
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

namespace {

/// A component's accelerations in a row of sub-steps, from an end of the step on inwards.
using Row = std::array<double, 6>;

Row row_at(const Eigen::MatrixXd& a, Eigen::Index i, double outermost, bool at_start) {
  Row row = {outermost};
  const Eigen::Index last = a.cols() - 1;
  for (Eigen::Index k = 1; k < static_cast<Eigen::Index>(row.size()); ++k)
    row[static_cast<std::size_t>(k)] =
        at_start ? a(i, std::min(k, last)) : a(i, std::max<Eigen::Index>(last + 1 - k, 0));
  return row;
}

double bend_of(double outer, double middle, double inner) { return std::abs(middle - 0.5 * (outer + inner)); }

/// By more than a share of them: (omega h)^2 / 2 of what is resolved is below a tenth.
bool are_bent(double outer, double middle, double inner) {
  constexpr double share = 0.25;
  return bend_of(outer, middle, inner) > share * std::max({std::abs(outer), std::abs(middle), std::abs(inner)});
}

/// What the two sub-steps next to the end are off from its acceleration.
double distance_from_end(const Row& row) { return std::max(std::abs(row[1] - row[0]), std::abs(row[2] - row[0])); }

/// Sub-steps are off from the end by what extrapolation takes away: those of one kind are smooth among each other, and
/// in the line before all were as much farther off as h^2 was larger. So they are in components that move only because
/// constraints are not met between the ends.
bool is_of_the_expansion(const Row& row, const Row& of_line_before, double ratio_of_steps) {
  constexpr double allowed = 1.2;
  return !are_bent(row[1], row[3], row[5]) &&
         distance_from_end(row) <= allowed * ratio_of_steps * ratio_of_steps * distance_from_end(of_line_before);
}

}  // namespace

BasicScheme::Surprise MidpointRule::bend(const Lines& lines, const State& begin, const State& end,
                                         const Eigen::VectorXd& weights) const {
  constexpr double least = 1;  // tolerances
  const auto of_line = [&](int line) -> const Eigen::MatrixXd& {
    return lines.history[static_cast<std::size_t>(line)].a;
  };
  const Eigen::MatrixXd &a = of_line(lines.count - 1), &before = of_line(lines.count - 2);
  const double h = lines.H / static_cast<double>(a.cols());
  const double ratio = static_cast<double>(before.cols()) / static_cast<double>(a.cols());
  Surprise out;
  out.size = least;
  for (Eigen::Index i = 0; i < a.rows(); ++i)
    for (const bool at_start : {false, true}) {
      const double outermost = at_start ? begin.a[i] : end.a[i];
      const Row row = row_at(a, i, outermost, at_start);
      const double size = h * bend_of(row[0], row[1], row[2]) / weights[i];
      if (!are_bent(row[0], row[1], row[2]) || size <= out.size) continue;
      if (is_of_the_expansion(row, row_at(before, i, outermost, at_start), ratio)) continue;
      out = {size, static_cast<int>(i), at_start};
    }
  return out.size > least ? out : Surprise();
}

BasicScheme::Surprise MidpointRule::surprise(const Lines& lines, const State& begin, const State& end,
                                             const Eigen::VectorXd& weights) const {
  constexpr double share = 0.5;
  if (const Surprise found = bend(lines, begin, end, weights); found.size > 0) return found;
  const auto expected = [&](int count) {
    constexpr int no_limit = 0;
    return CentredInterpolation({lines.history, count, lines.H}, no_limit)
        .end_rate({&History::middle_dv, &History::a}, begin.v, end.v, begin.a);
  };
  const Foresight foresight{expected(lines.count), expected(lines.count - 1)};
  return foresight.surprise(end.a, lines.H / midpoint_sequence.steps(lines.count), weights, share);
}

void MidpointRule::interpolate(const Lines& lines, int maximum_degree, const StepEnds& ends,
                               DensePolynomial& dense) const {
  const CentredInterpolation interpolation(lines, maximum_degree);
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
