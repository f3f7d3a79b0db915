#include <linkwork/core/concat.hpp>
#include <linkwork/solvers/linear/linear_solver.hpp>

namespace linkwork {

Outcome LinearSolver::analyze(EquationsOfMotion& equations) {
  equations_ = &equations;
  statistics_ = {};
  rows_ = -1;
  return do_analyze();
}

Outcome LinearSolver::factor(const AugmentedMatrix& matrix) {
  if (!equations_) throw ModelError(concat(name(), ": factor was called before analyze; call analyze first."));
  const int nv = equations_->dimensions().v;
  if (!matrix.M || !matrix.G || matrix.M->rows() != nv || matrix.G->columns() != nv)
    throw ModelError(concat(name(), ": the matrices to factor do not belong to the analysed equations, which have ", nv,
                            " velocities; analyze again."));
  ++statistics_.factorizations;
  Outcome outcome = do_factor(matrix);
  rows_ = outcome ? matrix.G->rows() : -1;
  return outcome;
}

void LinearSolver::solve(const Eigen::VectorXd& f, const Eigen::VectorXd& g, Eigen::VectorXd& w,
                         Eigen::VectorXd& lambda) {
  if (rows_ < 0) throw ModelError(concat(name(), ": solve was called without a factored matrix; call factor first."));
  if (f.size() != equations_->dimensions().v || g.size() != rows_)
    throw ModelError(concat(name(), ": right side of ", f.size(), " + ", g.size(), " entries; expected ",
                            equations_->dimensions().v, " + ", rows_, "."));
  ++statistics_.solves;
  w.resize(f.size());
  lambda.resize(g.size());
  do_solve(f, g, w, lambda);
}

}  // namespace linkwork
