#pragma once

#include <linkwork/core/dependencies.hpp>

#include <Eigen/Core>
#include <vector>

namespace linkwork {

/// A sparse matrix in compressed columns whose places never change; only the values do. Column j holds the places
/// column_starts()[j] to column_starts()[j + 1] - 1, their rows ascending: what KLU and UMFPACK read.
class SparseMatrix {
 public:
  SparseMatrix() = default;
  /// Places for the entries of the pattern, values zero.
  explicit SparseMatrix(const SparsityPattern& pattern);

  int rows() const { return rows_; }
  int columns() const { return static_cast<int>(starts_.size()) - 1; }
  int nonzeros() const { return static_cast<int>(values_.size()); }

  int begin(int column) const { return starts_[static_cast<std::size_t>(column)]; }
  int end(int column) const { return starts_[static_cast<std::size_t>(column) + 1]; }
  int row(int place) const { return row_numbers_[static_cast<std::size_t>(place)]; }
  double value(int place) const { return values_[static_cast<std::size_t>(place)]; }
  double& value(int place) { return values_[static_cast<std::size_t>(place)]; }
  /// Place of an entry, or -1 if the pattern has none there. Cost: logarithm of the column's entries.
  int place(int row, int column) const;

  const std::vector<int>& column_starts() const { return starts_; }
  const std::vector<int>& row_numbers() const { return row_numbers_; }
  const std::vector<double>& values() const { return values_; }
  std::vector<double>& values() { return values_; }

  void set_zero();
  /// y += factor * A x
  void multiply_add(double factor, const Eigen::VectorXd& x, Eigen::VectorXd& y) const;
  /// The whole matrix, for tests and dense solvers.
  Eigen::MatrixXd dense() const;
  SparsityPattern pattern() const;

 private:
  int rows_ = 0;
  std::vector<int> starts_ = {0}, row_numbers_;
  std::vector<double> values_;
};

}  // namespace linkwork
