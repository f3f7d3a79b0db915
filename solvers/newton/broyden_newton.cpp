#include <linkwork/solvers/newton/broyden_newton.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/core/dense_factors.hpp>
#include <linkwork/solvers/linear/singularity.hpp>

#include <algorithm>

namespace linkwork {

namespace {

// From this contraction on the matrix counts as dated: below it a difference of residuals tells little that is new.
constexpr double dated_contraction = 0.1;

}  // namespace

BroydenNewton::BroydenNewton(ResidualFunction& system, const StateLayout& layout, const JacobianOptions& jacobian,
                             IterationSolver solver, const CorrectorOptions& options)
    : SimplifiedNewton(system, layout, jacobian, solver, options),
      kind_(options.broyden_updates),
      damping_(options.broyden_damping),
      updates_(system.size(), std::min(options.broyden_rank, std::max(system.size(), 1))) {
  if (kind_ == BroydenUpdates::singular_values && system.size() > largest_dense_diagnosis)
    throw ModelError(concat("corrector 'broyden' is to take updates by singular values of a full matrix, for up to ",
                            largest_dense_diagnosis, " unknowns, and the system has ", system.size(),
                            "; take those of the iteration, when-dated or at-last-iteration."));
  phase_ = CorrectorPhase::broyden;
  for (Eigen::VectorXd* vector : {&z_, &u_, &u_before_, &q_, &w_, &pair_q_, &pair_w_}) vector->setZero(system.size());
}

void BroydenNewton::note_new_factors() {
  updates_.clear();
  contraction_ = 0;
  has_last_ = has_pair_ = has_best_ = false;
  newer_time_ = std::numeric_limits<double>::quiet_NaN();
  if (kind_ == BroydenUpdates::singular_values) factored_ = jacobian_.matrix().dense();
}

void BroydenNewton::begin(double t, double new_alpha) {
  SimplifiedNewton::begin(t, new_alpha);
  if (new_alpha != updates_alpha_) updates_.clear();
  updates_alpha_ = new_alpha;
  has_last_ = has_pair_ = false;
}

void BroydenNewton::observe(double contraction) {
  SimplifiedNewton::observe(contraction);
  contraction_ = contraction;
}

void BroydenNewton::end(const CorrectorSolution& solution) {
  SimplifiedNewton::end(solution);
  if (kind_ != BroydenUpdates::at_last_iteration || !has_pair_ || !solution.converged) return;
  if (updates_.is_full()) updates_.clear();
  if (updates_.add(pair_q_, pair_w_)) ++statistics_.low_rank_updates;
}

void BroydenNewton::solve_in_phase(double new_alpha, Eigen::VectorXd& x) {
  solve(new_alpha, x);
  updates_.apply(x);
}

Outcome BroydenNewton::correct(const JacobianPoint& point, const Eigen::VectorXd& F, Eigen::VectorXd& delta) {
  begin_correction(CorrectorPhase::broyden, point, F);
  u_.swap(u_before_);
  u_ = F;
  solve(point.alpha, u_);
  if (has_last_ && kind_ != BroydenUpdates::singular_values) learn(point.weights);
  delta = u_;
  updates_.apply(delta);
  z_ = -delta;
  has_last_ = true;
  return {};
}

/// From the correction z_ and what it has made of the residual. q = beta A^-1 (f_(i+1) - f_i - G~ z), which is
/// beta A^-1 f_(i+1) but for rounding as long as z was made with the updates that there are; those that are full begin
/// anew with this one.
void BroydenNewton::learn(const Eigen::VectorXd& sizes) {
  const bool is_dated = contraction_ > dated_contraction;
  const bool at_end = kind_ == BroydenUpdates::at_last_iteration;
  if (!at_end && !is_dated) return;
  if (!at_end && updates_.is_full()) updates_.clear();
  updates_.multiply(z_, q_);
  q_ = damping_ * (u_ - u_before_ - q_);
  w_ = z_.cwiseQuotient(sizes.cwiseAbs2());
  const double square = w_.dot(z_);
  if (!(square > 0)) return;
  w_ /= square;
  if (at_end) {
    pair_q_ = q_;
    pair_w_ = w_;
    has_pair_ = true;
  } else if (updates_.add(q_, w_)) {
    ++statistics_.low_rank_updates;
  }
}

bool BroydenNewton::can_take_best() const {
  return kind_ == BroydenUpdates::singular_values && !has_best_ && alpha() > 0;
}

/// The best update is tried once with each matrix, before the matrix itself is renewed; its Jacobian is at hand then.
Outcome BroydenNewton::refresh(const JacobianPoint& point, const Eigen::VectorXd& F, JacobianCause cause) {
  if (cause == JacobianCause::convergence && can_take_best()) return take_best_update(point, F);
  return newer_time_ == point.t ? factor_here(point) : SimplifiedNewton::refresh(point, F, cause);
}

/// J - J~ = U S V^T in the scaling of the factors, where J~ is what these solve with for the present coefficient.
Outcome BroydenNewton::take_best_update(const JacobianPoint& point, const Eigen::VectorXd& F) {
  if (Outcome differenced = jacobian_.difference(point, F); !differenced) return differenced;
  has_best_ = true;
  newer_time_ = point.t;
  updates_.clear();
  const Eigen::VectorXd& rows = factors_->scaling().rows();
  const Eigen::VectorXd& columns = factors_->scaling().columns();
  Eigen::MatrixXd change = jacobian_.matrix().dense();
  subtract_matched(point.alpha, factored_, change);
  const SingularValues svd(rows.asDiagonal() * change * columns.asDiagonal(),
                           Eigen::ComputeThinU | Eigen::ComputeThinV);
  for (int k = 0; !updates_.is_full(); ++k) {
    if (k == system_.size() || !(svd.values()[k] > 0)) break;
    q_ = svd.values()[k] * svd.U().col(k).cwiseQuotient(rows);
    solve(point.alpha, q_);
    w_ = svd.V().col(k).cwiseQuotient(columns);
    if (updates_.add(q_, w_)) ++statistics_.low_rank_updates;
  }
  return {};
}

}  // namespace linkwork
