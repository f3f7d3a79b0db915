#include <linkwork/solvers/newton/simplified_newton.hpp>

namespace linkwork {

SimplifiedNewton::SimplifiedNewton(ResidualFunction& system, const StateLayout& layout, const JacobianOptions& options,
                                   IterationSolver solver)
    : system_(system), at_(layout), jacobian_(system, options), solver_(solver) {}

Outcome SimplifiedNewton::refresh(const JacobianPoint& point, const Eigen::VectorXd& F, JacobianCause cause) {
  alpha_ = 0;
  if (Outcome renewed = jacobian_.renew(point, F, cause); !renewed) return renewed;
  if (!factors_) factors_ = make_iteration_matrix(solver_, jacobian_.matrix());
  if (Outcome factored = factors_->factor(jacobian_.matrix(), jacobian_.alpha(), jacobian_.pattern_version(), system_);
      !factored)
    return factored;
  alpha_ = point.alpha;
  return {};
}

/// A matrix of another coefficient solves for other components than those that have derivatives as well as its own
/// does, when their equations are divided by the factor c of CORR (18) and the solutions of all but the multipliers are
/// multiplied by it: M alpha is then exact in the mean of the ratio, and constraints are closed at once.
Outcome SimplifiedNewton::correct(const JacobianPoint& point, const Eigen::VectorXd& F, Eigen::VectorXd& delta) {
  const double c = 2 / (1 + point.alpha / alpha_);
  delta = F;
  delta.tail(system_.size() - at_.differential()) /= c;
  factors_->solve(delta);
  delta.head(at_.lambda) *= c;
  return {};
}

}  // namespace linkwork
