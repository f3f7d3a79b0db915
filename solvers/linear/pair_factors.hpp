#pragma once

#include <linkwork/solvers/linear/complete_pivoting.hpp>

#include <algorithm>

namespace linkwork {

/// Factors of the matrix [M^ G^T; G 0] of one body and its joint, by complete pivoting in memory of its own.
class PairFactors {
 public:
  static constexpr int most_unknowns = 12;

  /// @param A      n x n, symmetric, row by row
  /// @param scale  n entries, see factor_with_complete_pivoting
  /// @return false if a pivot is below 1e-12 of the largest
  bool factor(const double* A, int n, const double* scale) {
    n_ = n;
    std::copy_n(scale, n, scale_);
    std::copy_n(A, n * n, LU_);
    pivot_ratio_ = factor_with_complete_pivoting(n, LU_, scale_, row_, column_);
    return pivot_ratio_ > 0;
  }
  /// Smallest pivot relative to the largest.
  double pivot_ratio() const { return pivot_ratio_; }
  /// x := A^-1 x
  void solve(double* x) const { solve_with_complete_pivoting(n_, LU_, scale_, row_, column_, x); }

 private:
  int n_;
  double pivot_ratio_;
  double LU_[most_unknowns * most_unknowns], scale_[most_unknowns];
  int row_[most_unknowns], column_[most_unknowns];
};

}  // namespace linkwork
