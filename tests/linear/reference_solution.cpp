#include "reference_solution.hpp"

#include <linkwork/core/dense_factors.hpp>

#include <Eigen/LU>

namespace linkwork {

Eigen::MatrixXd full_matrix(const AugmentedMatrix& matrix) {
  const int nv = matrix.M->rows(), rows = matrix.G->rows();
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(nv + rows, nv + rows);
  A.topLeftCorner(nv, nv) = matrix.M->dense();
  A.bottomLeftCorner(rows, nv) = matrix.G->dense();
  A.topRightCorner(nv, rows) = matrix.G->dense().transpose();
  if (matrix.F) A.topRightCorner(nv, rows) -= matrix.F->dense();
  return A;
}

double condition(const Eigen::MatrixXd& A) {
  if (A.size() == 0) return 1;
  const Eigen::VectorXd values = SingularValues(A, 0).values();
  return values[0] / values[values.size() - 1];
}

Eigen::VectorXd reference_solution(const Eigen::MatrixXd& A, const Eigen::VectorXd& b) {
  using Matrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
  const Matrix wide = A.cast<long double>();
  return wide.fullPivLu().solve(b.cast<long double>()).cast<double>();
}

Eigen::VectorXd solve(LinearSolver& solver, const Eigen::VectorXd& b, int nv) {
  Eigen::VectorXd w = b.head(nv), lambda = b.tail(b.size() - nv);
  solver.solve(w, lambda, w, lambda);
  Eigen::VectorXd x(b.size());
  x << w, lambda;
  return x;
}

double relative_error(const Eigen::VectorXd& x, const Eigen::VectorXd& reference) {
  return (x - reference).lpNorm<Eigen::Infinity>() / reference.lpNorm<Eigen::Infinity>();
}

}  // namespace linkwork
