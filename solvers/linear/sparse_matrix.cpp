#include <linkwork/solvers/linear/sparse_matrix.hpp>

#include <algorithm>

namespace linkwork {

SparseMatrix::SparseMatrix(const SparsityPattern& pattern) : rows_(static_cast<int>(pattern.rows.size())) {
  starts_.assign(static_cast<std::size_t>(pattern.columns) + 1, 0);
  for (const std::vector<int>& row : pattern.rows)
    for (int column : row) ++starts_[static_cast<std::size_t>(column) + 1];
  for (std::size_t column = 1; column < starts_.size(); ++column) starts_[column] += starts_[column - 1];
  row_numbers_.resize(static_cast<std::size_t>(starts_.back()));
  values_.assign(row_numbers_.size(), 0.0);
  std::vector<int> next(starts_.begin(), starts_.end() - 1);
  for (int row = 0; row < rows_; ++row)
    for (int column : pattern.rows[static_cast<std::size_t>(row)])
      row_numbers_[static_cast<std::size_t>(next[static_cast<std::size_t>(column)]++)] = row;
}

int SparseMatrix::place(int row, int column) const {
  const auto first = row_numbers_.begin() + begin(column), last = row_numbers_.begin() + end(column);
  const auto found = std::lower_bound(first, last, row);
  return found != last && *found == row ? static_cast<int>(found - row_numbers_.begin()) : -1;
}

void SparseMatrix::set_zero() { std::fill(values_.begin(), values_.end(), 0.0); }

void SparseMatrix::multiply_add(double factor, const Eigen::VectorXd& x, Eigen::VectorXd& y) const {
  for (int column = 0; column < columns(); ++column) {
    const double scaled = factor * x[column];
    for (int k = begin(column); k < end(column); ++k) y[row(k)] += value(k) * scaled;
  }
}

Eigen::MatrixXd SparseMatrix::dense() const {
  Eigen::MatrixXd full = Eigen::MatrixXd::Zero(rows_, columns());
  for (int column = 0; column < columns(); ++column)
    for (int k = begin(column); k < end(column); ++k) full(row(k), column) = value(k);
  return full;
}

SparsityPattern SparseMatrix::pattern() const {
  SparsityPattern pattern(rows_, columns());
  for (int column = 0; column < columns(); ++column)
    for (int k = begin(column); k < end(column); ++k) pattern.rows[static_cast<std::size_t>(row(k))].push_back(column);
  return pattern;
}

}  // namespace linkwork
