#include <linkwork/solvers/newton/exact_newton.hpp>

namespace linkwork {

Outcome ExactNewton::correct(const JacobianPoint& point, const Eigen::VectorXd& F, Eigen::VectorXd& delta) {
  if (Outcome differenced = jacobian_.difference(point, F); !differenced) return differenced;
  if (Outcome factored = factor_here(point); !factored) return factored;
  begin_correction(CorrectorPhase::newton, point, F);
  delta = F;
  solve(point.alpha, delta);
  return {};
}

}  // namespace linkwork
