#include <linkwork/solvers/manifold/projection.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/solvers/dae/sparse_patterns.hpp>
#include <linkwork/solvers/dae/unit_sizes.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace linkwork {

namespace {

constexpr int maximum_iterations = 15;
constexpr double converged = 1e-2;        // MEXX 2.11: of the scaled norm of the last change
constexpr double slow_contraction = 0.3;  // above it a new matrix is cheaper than more iterations

}  // namespace

double scaled_norm(const Eigen::Ref<const Eigen::VectorXd>& x, const Eigen::VectorXd& weights) {
  const auto counted = (weights.array() < std::numeric_limits<double>::infinity()).count();
  return counted == 0 ? 0 : std::sqrt((x.array() / weights.array()).square().sum() / static_cast<double>(counted));
}

Projection::Projection(EquationsOfMotion& equations, LinearSolver& solver)
    : equations_(equations),
      solver_(solver),
      total_(Eigen::VectorXd::Zero(equations.dimensions().v)),
      right_v_(Eigen::VectorXd::Zero(equations.dimensions().v)),
      right_g_(Eigen::VectorXd::Zero(equations.dimensions().lambda)),
      right_velocity_(Eigen::VectorXd::Zero(equations.dimensions().constraints())) {}

/// Contact points go along where they are unknowns of the system.
void Projection::move_to(double t, const Eigen::VectorXd& p) {
  equations_.set_position(t, p);
  if (equations_.dimensions().s > 0) equations_.solve_contacts();
}

Outcome Projection::position(double t, Eigen::VectorXd& p, const Eigen::VectorXd& weights) {
  iterations_ = 0;
  converged_ = false;
  position_change_ = 0;
  start_ = p;
  equations_.normalise(start_, p);
  move_to(t, p);
  if (equations_.dimensions().lambda == 0) return {};
  if (Outcome factored = solver_.factor(MatrixKind::position); !factored) return factored;
  total_.setZero();
  double previous = 0;
  while (iterations_ < maximum_iterations) {
    equations_.multiply_mass(total_, right_v_);
    right_v_ = -right_v_;
    right_g_ = -equations_.g();
    solver_.solve(right_v_, right_g_, step_, multipliers_);
    total_ += step_;
    equations_.position_step(step_, change_);
    change_.swap(p);  // p is the new point, change_ the old one
    change_ = p - change_;
    move_to(t, p);
    ++iterations_;
    const double size = scaled_norm(change_, weights);
    if (!std::isfinite(size)) break;
    const bool is_slow = iterations_ > 1 && size > slow_contraction * previous;
    if (size <= converged || (is_slow && is_closed_to_rounding(p))) {
      equations_.normalise(start_, p);
      move_to(t, p);
      bool rank_changed = false;
      converged_ = true;
      if (Outcome decided = solver_.decide_rank(rank_changed); !decided) return decided;
      if (!rank_changed) {
        change_ = p - start_;
        position_change_ = scaled_norm(change_, weights);
        return {};
      }
      converged_ = false;
      if (Outcome factored = solver_.factor(MatrixKind::position); !factored) return factored;
    } else if (is_slow) {
      if (Outcome factored = solver_.factor(MatrixKind::position); !factored) return factored;
    }
    previous = size;
  }
  Eigen::Index worst = 0;
  const double residual = equations_.g().cwiseAbs().maxCoeff(&worst);
  return Outcome::failure(concat("the positions at t = ", t, " s can't be projected onto the constraints: after ",
                                 iterations_, " iterations ", equations_.constraint_name(static_cast<int>(worst)),
                                 " is off by ", residual, "; give positions that are nearer to closing it."),
                          Failure::no_convergence);
}

/// Near singular positions the last changes are rounding errors of the residual over small numbers: no smaller ones
/// come.
bool Projection::is_closed_to_rounding(const Eigen::VectorXd& p) {
  constexpr double rounding = 32 * std::numeric_limits<double>::epsilon();
  const double left =
      equations_.g().cwiseQuotient(constraint_sizes(equations_).head(right_g_.size())).cwiseAbs().maxCoeff();
  return left <= rounding * std::max(1.0, p.cwiseQuotient(position_sizes(equations_)).cwiseAbs().maxCoeff());
}

Outcome Projection::velocity(Eigen::VectorXd& v, const Eigen::VectorXd& weights) {
  velocity_change_ = 0;
  equations_.set_velocity(v);
  if (equations_.dimensions().constraints() == 0) return {};
  if (equations_.rows_read_velocity()) return velocity_by_iteration(v, weights);
  if (Outcome factored = solver_.factor(MatrixKind::velocity); !factored) return factored;
  right_v_.setZero();
  right_velocity_ = -equations_.velocity_residual();
  solver_.solve(right_v_, right_velocity_, step_, velocity_multipliers_);
  v += step_;
  velocity_change_ = scaled_norm(step_, weights);
  equations_.set_velocity(v);
  return {};
}

/// Whether each residual that is left is that of a change within the weights.
bool Projection::closes_velocities(const Eigen::VectorXd& weights) {
  const Eigen::VectorXd& residual = equations_.velocity_residual();
  Eigen::VectorXd allowed = Eigen::VectorXd::Zero(residual.size());
  detail::visit_blocks(equations_.G(), [&](int i, int j, double value) { allowed[i] += std::abs(value) * weights[j]; });
  return !(residual.cwiseAbs().array() > allowed.array()).any();
}

/// The whole change is the least that satisfies the rows, as that of positions is.
Outcome Projection::velocity_by_iteration(Eigen::VectorXd& v, const Eigen::VectorXd& weights) {
  total_.setZero();
  bool is_last = equations_.dimensions().nonlinear == 0;
  int iteration = 0;
  while (iteration++ < maximum_iterations) {
    if (Outcome factored = solver_.factor(MatrixKind::velocity); !factored) return factored;
    equations_.multiply_mass(total_, right_v_);
    right_v_ = -right_v_;
    right_velocity_ = -equations_.velocity_residual();
    solver_.solve(right_v_, right_velocity_, step_, velocity_multipliers_);
    total_ += step_;
    v += step_;
    equations_.set_velocity(v);
    const double size = scaled_norm(step_, weights);
    if (!std::isfinite(size)) break;
    if (is_last && !closes_velocities(weights)) break;
    if (is_last) {
      velocity_change_ = scaled_norm(total_, weights);
      return solver_.factor(MatrixKind::velocity);
    }
    is_last = size <= converged;
  }
  Eigen::Index worst = 0;
  const double residual = equations_.velocity_residual().cwiseAbs().maxCoeff(&worst);
  return Outcome::failure(
      concat("the velocities at t = ", equations_.time(), " s can't be projected onto the constraints: after ",
             std::min(iteration, maximum_iterations), " iterations ",
             equations_.constraint_name(static_cast<int>(worst)), " is off by ", residual,
             "; give velocities that are nearer to satisfying it."),
      Failure::no_convergence);
}

}  // namespace linkwork
