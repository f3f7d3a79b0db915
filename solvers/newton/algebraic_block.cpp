#include <linkwork/solvers/newton/algebraic_block.hpp>

#include <linkwork/solvers/linear/singularity.hpp>

#include <algorithm>
#include <cmath>

namespace linkwork {

namespace {

// Of pivots and singular values relative to the largest, rows scaled to a largest entry of 1: end points are closed to
// rounding, so that dependent rows leave pivots of rounding errors.
constexpr double smallest_block_pivot = 1e-11;
// Of motion equations: masses may be small beside rows of constraints.
constexpr double smallest_simple_pivot = 1e-14;

bool is_regular(const LuFactors& lu, const Eigen::MatrixXd& A) {
  const auto pivots = lu.packed().diagonal().cwiseAbs();
  return pivots.minCoeff() > smallest_simple_pivot * A.cwiseAbs().maxCoeff();
}

/// Factors that bring the largest entry of each row to 1; a row of rounding errors stays one.
Eigen::VectorXd row_factors(const Eigen::MatrixXd& A) {
  Eigen::VectorXd factors = A.cwiseAbs().rowwise().maxCoeff();
  const double largest = factors.maxCoeff();
  for (double& factor : factors) factor = factor > smallest_block_pivot * largest ? 1 / factor : 1 / largest;
  return largest > 0 ? factors : Eigen::VectorXd::Ones(A.rows());
}

/// Column by column where there are few: nothing is packed for products of matrices.
template <class Factors>
Eigen::MatrixXd solved(const Factors& factors, const Eigen::MatrixXd& B, Eigen::Index unknowns) {
  if (B.cols() > 2) return factors.solve_columns(B);
  Eigen::MatrixXd x(unknowns, B.cols());
  for (Eigen::Index j = 0; j < B.cols(); ++j) factors.solve(B.col(j), x.col(j));
  return x;
}

}  // namespace

AlgebraicDefect AlgebraicBlock::compute(const Eigen::MatrixXd& A, Eigen::Index leading, AlgebraicDecomposition method,
                                        bool may_be_deficient, const Eigen::VectorXd& column_sizes,
                                        const Eigen::VectorXd& row_sizes) {
  method_ = method;
  leading_ = leading;
  const Eigen::Index rows = A.rows() - leading, columns = A.cols() - leading;
  scaled_ = A.bottomRightCorner(rows, columns);
  if (leading > 0) {
    const Eigen::MatrixXd block =
        row_factors(A.topLeftCorner(leading, leading)).asDiagonal() * A.topLeftCorner(leading, leading);
    leading_lu_.compute(block);
    if (!is_regular(leading_lu_, block)) return AlgebraicDefect::leading_block;
    leading_lu_.compute(A.topLeftCorner(leading, leading));
    leading_columns_ = leading_lu_.solve_columns(A.topRightCorner(leading, columns));
    below_ = A.bottomLeftCorner(rows, leading);
    scaled_.noalias() -= below_ * leading_columns_;
  }
  column_factors_ = column_sizes;
  scaled_ = row_sizes.asDiagonal() * scaled_ * column_factors_.asDiagonal();
  row_factors_ = rows > 0 ? row_factors(scaled_) : Eigen::VectorXd(0);
  scaled_ = row_factors_.asDiagonal() * scaled_;
  row_factors_ = row_factors_.cwiseProduct(row_sizes);
  is_simple_ = rows == columns && method == AlgebraicDecomposition::lu && !may_be_deficient;
  if (rows > 0 && !decompose()) {
    note_dependent_rows();
    return AlgebraicDefect::rank;
  }
  Eigen::MatrixXd open;
  if (rows == 0)
    open = Eigen::MatrixXd::Identity(columns, columns);
  else if (rows == columns)
    open.resize(columns, 0);
  else if (method == AlgebraicDecomposition::lu)
    open = lu_.kernel();
  else if (method == AlgebraicDecomposition::qr)
    open = basic_kernel(qr_.packed().topRows(rows), qr_.column_order());
  else
    open = svd_.V().rightCols(columns - rows);
  kernel_.resize(A.cols(), open.cols());
  kernel_.bottomRows(columns) = column_factors_.asDiagonal() * open;
  if (leading > 0) kernel_.topRows(leading).noalias() = -leading_columns_ * kernel_.bottomRows(columns);
  return AlgebraicDefect::none;
}

/// @return whether the rows are independent
bool AlgebraicBlock::decompose() {
  pivots_.clear();
  switch (method_) {
    case AlgebraicDecomposition::qr:
      qr_.set_threshold(smallest_block_pivot);
      qr_.compute(scaled_);
      take_pivots(qr_.column_order());
      return qr_.rank() == scaled_.rows();
    case AlgebraicDecomposition::svd:
      svd_.set_threshold(smallest_block_pivot);
      svd_.compute(scaled_, Eigen::ComputeThinU | Eigen::ComputeFullV);
      return svd_.rank() == scaled_.rows();
    default:
      if (is_simple_) {
        simple_lu_.compute(scaled_);
        return is_regular(simple_lu_, scaled_);
      }
      lu_.set_threshold(smallest_block_pivot);
      lu_.compute(scaled_);
      take_pivots(lu_.column_order());
      return lu_.rank() == scaled_.rows();
  }
}

void AlgebraicBlock::take_pivots(const Eigen::VectorXi& order) {
  pivots_.assign(order.begin(), order.begin() + scaled_.rows());
  std::sort(pivots_.begin(), pivots_.end());
}

Eigen::MatrixXd AlgebraicBlock::basic_kernel(const Eigen::MatrixXd& triangle, const Eigen::VectorXi& order) const {
  const Eigen::Index rank = triangle.rows(), open = triangle.cols() - rank;
  Eigen::MatrixXd kernel(triangle.cols(), open);
  const Eigen::MatrixXd bound = -triangle.leftCols(rank).triangularView<Eigen::Upper>().solve(triangle.rightCols(open));
  for (Eigen::Index i = 0; i < rank; ++i) kernel.row(order[i]) = bound.row(i);
  for (Eigen::Index i = 0; i < open; ++i) kernel.row(order[rank + i]) = Eigen::MatrixXd::Identity(open, open).row(i);
  return kernel;
}

void AlgebraicBlock::note_dependent_rows() {
  FullyPivotedLu transposed;
  transposed.set_threshold(smallest_block_pivot);
  transposed.compute(scaled_.transpose());
  dependent_rows_ = members_of_columns(transposed.kernel());
  std::sort(dependent_rows_.begin(), dependent_rows_.end());
}

void AlgebraicBlock::solve(const Eigen::MatrixXd& B, Eigen::MatrixXd& x) const {
  const Eigen::Index rows = scaled_.rows(), columns = scaled_.cols();
  x.setZero(leading_ + columns, B.cols());
  if (leading_ > 0) x.topRows(leading_) = leading_lu_.solve_columns(B.topRows(leading_));
  if (rows == 0) return;
  Eigen::MatrixXd rest = B.bottomRows(rows);
  if (leading_ > 0) rest.noalias() -= below_ * x.topRows(leading_);
  rest = row_factors_.asDiagonal() * rest;
  if (method_ == AlgebraicDecomposition::qr)
    rest = solved(qr_, rest, columns);
  else if (method_ == AlgebraicDecomposition::svd)
    rest = solved(svd_, rest, columns);
  else if (is_simple_)
    rest = solved(simple_lu_, rest, columns);
  else
    rest = solved(lu_, rest, columns);
  x.bottomRows(columns) = column_factors_.asDiagonal() * rest;
  if (leading_ > 0) x.topRows(leading_).noalias() -= leading_columns_ * x.bottomRows(columns);
}

}  // namespace linkwork
