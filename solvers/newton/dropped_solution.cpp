#include <linkwork/solvers/newton/dropped_solution.hpp>

namespace linkwork {

void DroppedSolution::prepare(IterationMatrix& factors, double tolerance) {
  if (tolerance == 0) {
    if (is_dropped_) dropped_ = {};
    is_dropped_ = false;
    return;
  }
  if (has_copy_ && is_dropped_ && tolerance == tolerance_) return;
  if (!has_copy_) factors.extract(all_);
  dropped_.drop(all_, tolerance);
  tolerance_ = tolerance;
  has_copy_ = is_dropped_ = true;
}

void DroppedSolution::solve(IterationMatrix& factors, Eigen::VectorXd& x) {
  if (drops_nothing())
    factors.solve(x);
  else
    factors.solve(dropped_, x);
}

}  // namespace linkwork
