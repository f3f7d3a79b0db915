#pragma once

#include <linkwork/core/dense_factors.hpp>
#include <linkwork/solvers/newton/algebraic_decomposition.hpp>

#include <Eigen/Core>
#include <vector>

namespace linkwork {

/// One level of the algebraic equations, A x = b with at least as many unknowns as rows: a particular solution, and the
/// directions that the rows leave open. The first `leading` rows and unknowns are a square block that is eliminated
/// first: contact coordinates by c_s, auxiliary variables by d_w.
class AlgebraicBlock {
 public:
  /// @param may_be_deficient  whether ranks are looked at closely, for rows that constrain positions or velocities;
  ///                      else a square block is factored with partial pivoting
  /// @param column_sizes  size of a typical change of each unknown behind the leading ones, and
  /// @param row_sizes     factors of the rows behind the leading ones, so that no unit decides about pivots
  AlgebraicDefect compute(const Eigen::MatrixXd& A, Eigen::Index leading, AlgebraicDecomposition method,
                          bool may_be_deficient, const Eigen::VectorXd& column_sizes, const Eigen::VectorXd& row_sizes);

  /// x with A x = B, column by column: unknowns that are no pivots stay zero; with svd x has the least norm.
  void solve(const Eigen::MatrixXd& B, Eigen::MatrixXd& x) const;
  /// A basis of the kernel of A, column by column.
  const Eigen::MatrixXd& kernel() const { return kernel_; }
  /// The unknowns, behind the leading ones, that the rows are solved for, ascending; with svd there is no such choice.
  const std::vector<int>& pivots() const { return pivots_; }
  /// Rows that depend on each other, behind the leading ones; of the last computation with AlgebraicDefect::rank.
  const std::vector<int>& dependent_rows() const { return dependent_rows_; }

 private:
  bool decompose();
  /// Basis of the kernel of [R1 R2] with a regular upper triangle R1, columns in the given order.
  Eigen::MatrixXd basic_kernel(const Eigen::MatrixXd& triangle, const Eigen::VectorXi& order) const;
  void take_pivots(const Eigen::VectorXi& order);
  void note_dependent_rows();

  AlgebraicDecomposition method_ = AlgebraicDecomposition::lu;
  Eigen::Index leading_ = 0;
  LuFactors leading_lu_;
  Eigen::MatrixXd leading_columns_, below_;  // L^-1 A_12 and A_21, with the leading block L
  Eigen::MatrixXd scaled_;                   // D (A_22 - A_21 L^-1 A_12) E
  Eigen::VectorXd row_factors_, column_factors_;
  bool is_simple_ = false;  // square, by partial pivoting
  LuFactors simple_lu_;
  FullyPivotedLu lu_;
  PivotedQr qr_;
  SingularValues svd_;
  Eigen::MatrixXd kernel_;
  std::vector<int> pivots_, dependent_rows_;
};

}  // namespace linkwork
