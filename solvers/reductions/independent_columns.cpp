#include <linkwork/solvers/reductions/independent_columns.hpp>

#include <linkwork/core/at.hpp>
#include <linkwork/core/dense_factors.hpp>
#include <linkwork/solvers/dae/unit_sizes.hpp>
#include <linkwork/solvers/linear/redundancy.hpp>

#include <algorithm>

namespace linkwork {

namespace {

/// Columns that Gaussian elimination takes as pivots of one row after the other. What stands below is the matrix's own.
std::vector<int> pivots_by_rows(Eigen::MatrixXd A) {
  std::vector<int> pivots;
  for (Eigen::Index row = 0; row < A.rows(); ++row) {
    Eigen::Index pivot = 0;
    A.row(row).cwiseAbs().maxCoeff(&pivot);
    pivots.push_back(static_cast<int>(pivot));
    const Eigen::Index left = A.rows() - row - 1;
    const Eigen::VectorXd factors = A.col(pivot).tail(left) / A(row, pivot);
    A.bottomRows(left) -= factors * A.row(row);
    A.col(pivot).tail(left).setZero();
  }
  return pivots;
}

std::vector<int> leading(const Eigen::VectorXi& order, Eigen::Index count) {
  return {order.data(), order.data() + count};
}

std::vector<int> pivot_columns(const Eigen::MatrixXd& A, PartitionPivoting pivoting) {
  if (A.rows() == 0) return {};
  if (pivoting == PartitionPivoting::partial) return pivots_by_rows(A);
  if (pivoting == PartitionPivoting::columns) return leading(PivotedQr(A).column_order(), A.rows());
  FullyPivotedLu factors;
  factors.compute(A);
  return leading(factors.column_order(), A.rows());
}

}  // namespace

Eigen::MatrixXd scaled_rows(EquationsOfMotion& equations, const BlockMatrix& G) {
  const Eigen::VectorXd rows =
      constraint_sizes(equations, equations.characteristic_length()).head(G.rows()).cwiseInverse();
  return rows.asDiagonal() * G.dense() * velocity_sizes(equations, equations.characteristic_length()).asDiagonal();
}

IndependentColumns choose_columns(EquationsOfMotion& equations, const BlockMatrix& G, PartitionPivoting pivoting,
                                  bool scaled) {
  const Redundancy rank =
      find_redundancy(G.dense(), row_scales(equations).head(G.rows()), equations.characteristic_length());
  IndependentColumns out;
  out.rows = rank.independent_rows;
  out.redundant_rows = rank.redundant_rows;
  const Eigen::MatrixXd all = scaled ? scaled_rows(equations, G) : G.dense();
  out.dependent = pivot_columns(all(out.rows, Eigen::all), pivoting);
  std::sort(out.dependent.begin(), out.dependent.end());
  for (int j = 0; j < G.columns(); ++j)
    if (!std::binary_search(out.dependent.begin(), out.dependent.end(), j)) out.independent.push_back(j);
  return out;
}

Eigen::MatrixXd null_space_of(const BlockMatrix& G, const IndependentColumns& columns) {
  const Eigen::MatrixXd all = G.dense();
  const auto count = static_cast<Eigen::Index>(columns.independent.size());
  Eigen::MatrixXd N = Eigen::MatrixXd::Zero(G.columns(), count);
  for (Eigen::Index k = 0; k < count; ++k) N(columns.independent[detail::at(k)], k) = 1;
  if (columns.rows.empty() || count == 0) return N;
  LuFactors factors;
  factors.compute(all(columns.rows, columns.dependent));
  const Eigen::MatrixXd of_dependent = factors.solve_columns(-all(columns.rows, columns.independent));
  for (std::size_t i = 0; i < columns.dependent.size(); ++i)
    N.row(columns.dependent[i]) = of_dependent.row(static_cast<Eigen::Index>(i));
  return N;
}

}  // namespace linkwork
