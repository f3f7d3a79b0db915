#include <linkwork/core/block_matrix.hpp>

#include <gtest/gtest.h>

namespace linkwork {
namespace block_matrix_test {

/// [1 2 0; 3 4 0; 0 0 5; 0 0 6] with an empty column at the end.
BlockMatrix example() {
  BlockMatrix matrix(4, 4);
  const int square = matrix.add_block(0, 0, 2, 2);
  const int column = matrix.add_block(2, 2, 2, 1);
  for (int k = 0; k < 4; ++k) matrix.values(square)[k] = k + 1;
  for (int k = 0; k < 2; ++k) matrix.values(column)[k] = k + 5;
  return matrix;
}

TEST(BlockMatrix, NewBlocksAreZeroAndNumberedInOrder) {
  BlockMatrix matrix(3, 2);
  EXPECT_EQ(matrix.add_block(0, 0, 1, 2), 0);
  EXPECT_EQ(matrix.add_block(1, 0, 2, 1), 1);
  EXPECT_EQ(matrix.size(), 4u);
  EXPECT_TRUE(matrix.dense().isZero(0));
}

TEST(BlockMatrix, StoresBlocksRowByRow) {
  Eigen::MatrixXd expected = Eigen::MatrixXd::Zero(4, 4);
  expected.topLeftCorner(2, 2) << 1, 2, 3, 4;
  expected(2, 2) = 5;
  expected(3, 2) = 6;
  EXPECT_EQ(example().dense(), expected);
}

// Small integers: the products are exact.
TEST(BlockMatrix, MultipliesAsItsDenseForm) {
  const BlockMatrix matrix = example();
  const Eigen::Vector4d x(1, -2, 3, 4);
  Eigen::VectorXd y = Eigen::Vector4d(1, 1, 1, 1);
  matrix.multiply_add(2, x, y);
  EXPECT_EQ(y, Eigen::Vector4d(1, 1, 1, 1) + 2 * matrix.dense() * x);
}

TEST(BlockMatrix, TransposeMultipliesAsItsDenseForm) {
  const BlockMatrix matrix = example();
  const Eigen::Vector4d x(1, -2, 3, 4);
  Eigen::VectorXd y = Eigen::Vector4d(1, 1, 1, 1);
  matrix.transpose_multiply_add(-1, x, y);
  EXPECT_EQ(y, Eigen::Vector4d(1, 1, 1, 1) - matrix.dense().transpose() * x);
}

TEST(BlockMatrix, SetZeroKeepsTheBlocks) {
  BlockMatrix matrix = example();
  matrix.set_zero();
  EXPECT_EQ(matrix.blocks().size(), 2u);
  EXPECT_TRUE(matrix.dense().isZero(0));
}

}  // namespace block_matrix_test
}  // namespace linkwork
