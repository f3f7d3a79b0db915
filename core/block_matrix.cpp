#include <linkwork/core/block_matrix.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>

#include <algorithm>

namespace linkwork {

int BlockMatrix::add_block(int row, int column, int height, int width) {
  if (row < 0 || column < 0 || height < 0 || width < 0 || row + height > rows_ || column + width > columns_)
    throw ModelError(concat("BlockMatrix: a block of ", height, " x ", width, " entries at row ", row, ", column ",
                            column, " leaves the matrix, which has ", rows_, " x ", columns_, "; keep it inside."));
  blocks_.push_back({row, column, height, width, values_.size()});
  values_.resize(values_.size() + static_cast<std::size_t>(height) * static_cast<std::size_t>(width), 0.0);
  return static_cast<int>(blocks_.size()) - 1;
}

void BlockMatrix::set_zero() { std::fill(values_.begin(), values_.end(), 0.0); }

void BlockMatrix::multiply_add(double factor, const Eigen::VectorXd& x, Eigen::VectorXd& y) const {
  for (const Block& block : blocks_) {
    const double* value = values_.data() + block.offset;
    const double* from = x.data() + block.column;
    double* to = y.data() + block.row;
    for (int i = 0; i < block.height; ++i, value += block.width) {
      double sum = 0;
      for (int j = 0; j < block.width; ++j) sum += value[j] * from[j];
      to[i] += factor * sum;
    }
  }
}

void BlockMatrix::transpose_multiply_add(double factor, const Eigen::VectorXd& x, Eigen::VectorXd& y) const {
  for (const Block& block : blocks_) {
    const double* value = values_.data() + block.offset;
    const double* from = x.data() + block.row;
    double* to = y.data() + block.column;
    for (int i = 0; i < block.height; ++i, value += block.width) {
      const double scaled = factor * from[i];
      for (int j = 0; j < block.width; ++j) to[j] += scaled * value[j];
    }
  }
}

Eigen::MatrixXd BlockMatrix::dense() const {
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(rows_, columns_);
  for (const Block& block : blocks_) {
    const double* value = values_.data() + block.offset;
    for (int i = 0; i < block.height; ++i)
      for (int j = 0; j < block.width; ++j) out(block.row + i, block.column + j) += value[i * block.width + j];
  }
  return out;
}

}  // namespace linkwork
