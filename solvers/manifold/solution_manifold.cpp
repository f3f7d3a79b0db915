#include <linkwork/solvers/manifold/solution_manifold.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/core/dense_factors.hpp>
#include <linkwork/solvers/dae/unit_sizes.hpp>
#include <linkwork/solvers/manifold/consistent_accelerations.hpp>

#include <algorithm>
#include <cmath>

namespace linkwork {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr int most_corrections = 20;
constexpr double stale_contraction = 0.1;  // above it new directions are cheaper than more iterations
// Of the largest eigenvalue of the scaled Gram matrix: invariants that depend on each other, to the square of what
// differences can tell.
constexpr double dependent_rows = 1e-12;

}  // namespace

SolutionManifold::SolutionManifold(EquationsOfMotion& equations, LinearSolver& solver, Projection& projection,
                                   bool with_invariants)
    : equations_(equations),
      solver_(solver),
      projection_(projection),
      has_invariants_(with_invariants && equations.dimensions().e > 0 && equations.dimensions().v > 0),
      row_sizes_(constraint_sizes(equations).head(equations.dimensions().lambda)) {
  if (!has_invariants_) return;
  const Dimensions& n = equations.dimensions();
  directions_p_ = directions_v_ = Eigen::MatrixXd::Zero(n.v, n.e);
  rates_ = rate_limits_ = rounding_ = Eigen::VectorXd::Zero(n.e);
  position_sizes_ = position_sizes(equations);
  velocity_sizes_ = velocity_sizes(equations);
}

Outcome SolutionManifold::correct(State& state, const ErrorWeights& tolerances, double longest) {
  equations_.set(state);
  if (Outcome closed = close_constraints(state, tolerances); !closed) return closed;
  if (!has_invariants_) return {};
  jacobian_ = equations_.invariant_jacobian();
  State settled = state;
  if (Outcome found = settle_accelerations(equations_, solver_, settled); !found) return found;
  a_ = settled.a;
  find_rounding(state);
  find_rates();
  time_scale_ = time_scale();
  return close_invariants(state, tolerances, longest);
}

Outcome SolutionManifold::close_constraints(State& state, const ErrorWeights& tolerances) {
  if (Outcome closed = projection_.position(state.t, state.p, tolerances.p); !closed) return closed;
  refine(state);
  if (equations_.dimensions().s > 0) state.s = equations_.contacts();
  return projection_.velocity(state.v, tolerances.v);
}

/// Contact points go along where they are unknowns of the system.
void SolutionManifold::move_to(const State& state) {
  equations_.set_position(state.t, state.p);
  if (equations_.dimensions().s > 0) equations_.solve_contacts();
}

/// Further steps with the matrix of the projection, until g is rounding: it falls no more.
void SolutionManifold::refine(State& state) {
  constexpr int most_steps = 5;
  const Dimensions& n = equations_.dimensions();
  if (n.lambda == 0) return;
  right_.setZero(n.v);
  Eigen::VectorXd before;
  for (int step = 0; step < most_steps; ++step) {
    residual_ = -equations_.g();
    const double size = residual_.cwiseQuotient(row_sizes_).cwiseAbs().maxCoeff();
    if (size == 0) return;
    solver_.solve(right_, residual_, step_p_, multipliers_);
    before = state.p;
    equations_.position_step(step_p_, state.p);
    move_to(state);
    const double left = equations_.g().cwiseQuotient(row_sizes_).cwiseAbs().maxCoeff();
    if (left <= 0.5 * size) continue;
    if (left > size) {
      state.p = before;
      move_to(state);
    }
    return;
  }
}

/// What rounding leaves of e: that of its parts, which may cancel.
void SolutionManifold::find_rounding(const State& state) {
  constexpr double roundings = 4 * epsilon;
  const double largest = std::max(1.0, state.p.cwiseQuotient(position_sizes_).lpNorm<Eigen::Infinity>());
  const Eigen::VectorXd& values = equations_.invariants();
  for (Eigen::Index i = 0; i < rounding_.size(); ++i)
    rounding_[i] =
        roundings * (std::abs(values[i]) + jacobian_.v.row(i).cwiseAbs().dot(state.v.cwiseAbs()) +
                     largest * (jacobian_.p.row(i) * velocity_sizes_.asDiagonal()).lpNorm<Eigen::Infinity>());
}

/// de/dt along the motion, and how large it may be by the errors of differences.
void SolutionManifold::find_rates() {
  constexpr double of_terms = 1e-6;
  constexpr double of_rounding = 3e5;  // by the step of differences, 6e-6; in an entry of the derivatives
  const Eigen::VectorXd& v = equations_.velocity();
  rates_ = jacobian_.p * v + jacobian_.v * a_ + jacobian_.t;
  rate_limits_ = of_terms * (jacobian_.p.cwiseAbs() * v.cwiseAbs() + jacobian_.v.cwiseAbs() * a_.cwiseAbs() +
                             jacobian_.t.cwiseAbs()) +
                 of_rounding * (1 + (v.cwiseAbs() + a_.cwiseAbs()).cwiseQuotient(velocity_sizes_).sum()) * rounding_;
}

Outcome SolutionManifold::conserved() const {
  for (Eigen::Index i = 0; i < rates_.size(); ++i) {
    if (std::abs(rates_[i]) <= rate_limits_[i]) continue;
    const int index = static_cast<int>(i);
    const std::string unit = equations_.invariant_unit(index);
    return Outcome::failure(concat("invariant '", equations_.invariant_name(index), "' is not conserved: at t = ",
                                   equations_.time(), " s it changes by ", rates_[i], unit.empty() ? "" : " " + unit,
                                   " per second along the motion; leave it out, or what changes it (dampers, friction, "
                                   "drives), or turn keep_invariants off."));
  }
  return {};
}

double SolutionManifold::time_scale() {
  const auto largest = [this](const Eigen::VectorXd& x) {
    equations_.multiply_Z(x, change_);
    return change_.cwiseQuotient(position_sizes_).cwiseAbs().maxCoeff();
  };
  const double scale = std::min(1 / largest(equations_.velocity()), std::sqrt(1 / largest(a_)));
  return std::isfinite(scale) ? scale : 1.0;  // [s]; at rest for good
}

/// The directions along which the constraints stay closed, of steepest change of each invariant.
Outcome SolutionManifold::find_directions(const State& state) {
  constexpr double turning = 1e-8;  // relative size above which a moved position turns v out of its constraints' sight
  const Dimensions& n = equations_.dimensions();
  if (Outcome factored = solver_.factor(MatrixKind::velocity); !factored) return factored;
  nothing_.setZero(n.constraints());
  multipliers_.setZero(n.constraints());
  Eigen::MatrixXd rows(n.constraints(), n.e);
  change_.resize(n.v);
  for (int i = 0; i < n.e; ++i) {
    right_ = jacobian_.v.row(i).transpose();
    solver_.solve(right_, nothing_, change_, multipliers_);
    directions_v_.col(i) = change_;
    rows.col(i) = multipliers_;
  }
  for (int i = 0; i < n.e; ++i) {
    multipliers_ = rows.col(i);
    right_.setZero(n.v);
    equations_.G().transpose_multiply_add(1.0, multipliers_, right_);
    if (right_.norm() > turning * jacobian_.v.row(i).norm()) add_turned_velocities(state, i);
  }
  if (Outcome factored = solver_.factor(MatrixKind::position); !factored) return factored;
  nothing_.setZero(n.lambda);
  multipliers_.setZero(n.lambda);
  for (int i = 0; i < n.e; ++i) {
    right_ = jacobian_.p.row(i).transpose();
    solver_.solve(right_, nothing_, change_, multipliers_);
    directions_p_.col(i) = time_scale_ * time_scale_ * change_;
  }
  gram_ = jacobian_.p * directions_p_ + jacobian_.v * directions_v_;
  return {};
}

/// Where e_v has a part in the rows of G, a position that moves takes v along: the derivative with respect to p gets
/// -x^T d(G v + offset)/dp Z, x being the multipliers of that part (multipliers_).
void SolutionManifold::add_turned_velocities(const State& state, int i) {
  constexpr double relative_step = 6e-6;  // as in the differences of invariants
  Eigen::VectorXd unit = Eigen::VectorXd::Zero(state.v.size()), direction;
  State moved = state;
  const auto residual_at = [&](const Eigen::VectorXd& p) {
    moved.p = p;
    move_to(moved);
    return multipliers_.dot(equations_.velocity_residual());
  };
  for (Eigen::Index j = 0; j < unit.size(); ++j) {
    equations_.set_position(state.t, state.p);
    unit[j] = 1;
    equations_.multiply_Z(unit, direction);
    unit[j] = 0;
    const double size = std::max(1.0, state.p.cwiseQuotient(position_sizes_).cwiseAbs().maxCoeff());
    const double step = relative_step * size / direction.cwiseQuotient(position_sizes_).cwiseAbs().maxCoeff();
    const double ahead = residual_at(state.p + step * direction), behind = residual_at(state.p - step * direction);
    jacobian_.p(i, j) -= (ahead - behind) / (2 * step);
  }
  equations_.set(state);
}

/// step_p_ and step_v_ against e_, in the eigenvectors of the Gram matrix with its diagonal scaled to one.
/// @return whether nothing was left out
bool SolutionManifold::find_step(const ErrorWeights& tolerances, double longest) {
  const Dimensions& n = equations_.dimensions();
  step_p_.setZero(n.v);
  step_v_.setZero(n.v);
  Eigen::VectorXd scale(n.e);
  for (int i = 0; i < n.e; ++i) scale[i] = gram_(i, i) > 0 ? 1 / std::sqrt(gram_(i, i)) : 0.0;
  const Eigen::MatrixXd scaled = scale.asDiagonal() * gram_ * scale.asDiagonal();
  const SymmetricEigen parts(0.5 * (scaled + scaled.transpose()));
  bool whole = true;
  Eigen::VectorXd of_p, of_v, p_change;
  for (int k = 0; k < n.e; ++k) {
    const double size = parts.values[k];
    if (!(size > dependent_rows * parts.values[n.e - 1])) continue;
    const Eigen::VectorXd unit = scale.cwiseProduct(parts.vectors.col(k));
    const double factor = -unit.dot(e_) / size;
    of_p = factor * (directions_p_ * unit);
    of_v = factor * (directions_v_ * unit);
    equations_.multiply_Z(of_p, p_change);
    if (!(std::hypot(scaled_norm(p_change, tolerances.p), scaled_norm(of_v, tolerances.v)) <= longest)) {
      whole = false;
      continue;
    }
    step_p_ += of_p;
    step_v_ += of_v;
  }
  return whole && scale.minCoeff() > 0;
}

/// Newton's method along the directions, which are found anew where it is slow, until e is rounding or falls no more.
Outcome SolutionManifold::close_invariants(State& state, const ErrorWeights& tolerances, double longest) {
  const auto size = [this] {
    e_ = equations_.e();
    return e_.cwiseAbs().cwiseQuotient(rounding_.cwiseMax(std::numeric_limits<double>::min())).maxCoeff();
  };
  double now = size(), before = std::numeric_limits<double>::infinity();
  if (now <= 1) return {};
  ++corrections_;
  bool whole = true;
  State best = state;
  for (int iteration = 0; iteration < most_corrections; ++iteration) {
    if (now > stale_contraction * before || iteration == 0) {
      if (iteration > 0) jacobian_ = equations_.invariant_jacobian();
      if (Outcome found = find_directions(state); !found) return found;
    }
    whole = find_step(tolerances, longest) && whole;
    equations_.position_step(step_p_, change_);
    state.p = change_;
    state.v += step_v_;
    equations_.set_velocity(state.v);
    if (Outcome closed = close_constraints(state, tolerances); !closed) return closed;
    before = now;
    now = size();
    if (!(now < before)) break;
    best = state;
    if (now <= 1) break;
  }
  if (!(now < before)) {
    state = best;
    equations_.set(state);
  }
  if (!whole) ++gaps_;
  return {};
}

}  // namespace linkwork
