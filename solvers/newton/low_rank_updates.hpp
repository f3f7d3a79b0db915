#pragma once

// Internal.

#include <Eigen/Core>

namespace linkwork {

/// The inverse of A + V W^T from that of A, by the formula of Sherman, Morrison and Woodbury (DASSL+ 5.13):
///   (A + V W^T)^-1 = A^-1 - Q (I + W^T Q)^-1 W^T A^-1,   Q = A^-1 V
class LowRankUpdates {
 public:
  static constexpr int largest_rank = 16;

  LowRankUpdates(int size, int rank) : Q_(size, rank), W_(size, rank) {}

  /// Without a column.
  void clear() { rank_ = 0; }
  int rank() const { return rank_; }
  bool is_full() const { return rank_ == Q_.cols(); }
  /// One more column of V, given as q = A^-1 v, and of W.
  /// @return whether it was added: not where it would make the matrix nearly singular
  bool add(const Eigen::VectorXd& q, const Eigen::VectorXd& w);
  /// x := (A + V W^T)^-1 b from x = A^-1 b
  void apply(Eigen::VectorXd& x) const;
  /// x := A^-1 (A + V W^T) z
  void multiply(const Eigen::VectorXd& z, Eigen::VectorXd& x) const;

 private:
  using Small = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, largest_rank, largest_rank>;
  using SmallVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, largest_rank, 1>;

  Eigen::MatrixXd Q_, W_;
  int rank_ = 0;
  Small capacitance_;  // I + W^T Q
};

}  // namespace linkwork
