#include "reference_solution.hpp"

#include <linkwork/core/dense_factors.hpp>

#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

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
  // By rows [A b] and loops: decompositions of Eigen in long double are seconds of compile time.
  const Eigen::Index n = A.rows();
  Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> rows(n, n + 1);
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j < n; ++j) rows(i, j) = A(i, j);
    rows(i, n) = b[i];
  }
  std::vector<Eigen::Index> unknown(static_cast<std::size_t>(n));  // of each column
  std::iota(unknown.begin(), unknown.end(), Eigen::Index(0));
  const auto largest = [&](Eigen::Index k) {
    Eigen::Index row = k, column = k;
    for (Eigen::Index i = k; i < n; ++i)
      for (Eigen::Index j = k; j < n; ++j)
        if (std::abs(rows(i, j)) > std::abs(rows(row, column))) row = i, column = j;
    return std::pair(row, column);
  };
  for (Eigen::Index k = 0; k < n; ++k) {
    const auto [row, column] = largest(k);
    for (Eigen::Index j = 0; j <= n; ++j) std::swap(rows(k, j), rows(row, j));
    for (Eigen::Index i = 0; i < n; ++i) std::swap(rows(i, k), rows(i, column));
    std::swap(unknown[static_cast<std::size_t>(k)], unknown[static_cast<std::size_t>(column)]);
    for (Eigen::Index i = k + 1; i < n; ++i) {
      const long double factor = rows(i, k) / rows(k, k);
      for (Eigen::Index j = k; j <= n; ++j) rows(i, j) -= factor * rows(k, j);
    }
  }
  Eigen::VectorXd x(n);
  for (Eigen::Index k = n - 1; k >= 0; --k) {
    for (Eigen::Index j = k + 1; j < n; ++j) rows(k, n) -= rows(k, j) * rows(j, n);
    rows(k, n) /= rows(k, k);
    x[unknown[static_cast<std::size_t>(k)]] = static_cast<double>(rows(k, n));
  }
  return x;
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
