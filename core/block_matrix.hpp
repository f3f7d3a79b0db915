#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <vector>

namespace linkwork {

/// A sparse matrix made of small dense blocks whose places never change; only the values do. Blocks may not overlap.
/// Values are stored row by row inside each block, blocks one after another.
class BlockMatrix {
 public:
  struct Block {
    int row = 0, column = 0, height = 0, width = 0;
    std::size_t offset = 0;  ///< of the first value in values()
  };

  BlockMatrix() = default;
  BlockMatrix(int rows, int columns) : rows_(rows), columns_(columns) {}

  int rows() const { return rows_; }
  int columns() const { return columns_; }
  const std::vector<Block>& blocks() const { return blocks_; }

  /// Adds a block of zeros and returns its number. @throws ModelError if it leaves the matrix
  int add_block(int row, int column, int height, int width);

  double* values(int block) { return values_.data() + blocks_[static_cast<std::size_t>(block)].offset; }
  const double* values(int block) const { return values_.data() + blocks_[static_cast<std::size_t>(block)].offset; }
  double* data() { return values_.data(); }
  const double* data() const { return values_.data(); }
  std::size_t size() const { return values_.size(); }
  void set_zero();

  /// y += factor * A x
  void multiply_add(double factor, const Eigen::VectorXd& x, Eigen::VectorXd& y) const;
  /// y += factor * A^T x
  void transpose_multiply_add(double factor, const Eigen::VectorXd& x, Eigen::VectorXd& y) const;
  /// The whole matrix, for tests and dense solvers.
  Eigen::MatrixXd dense() const;

 private:
  int rows_ = 0, columns_ = 0;
  std::vector<Block> blocks_;
  std::vector<double> values_;
};

}  // namespace linkwork
