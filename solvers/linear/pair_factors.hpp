#pragma once

namespace linkwork {

/// L U with complete pivoting of the equilibrated matrix [M^ G^T; G 0] of one body and its joint: the matrix is
/// indefinite, and M^ may be semidefinite or nearly so. Triangular solves, not an inverse: the joint's part of the
/// solution stays accurate when M^ is nearly singular.
class PairFactors {
 public:
  static constexpr int most_unknowns = 12;

  /// @param A  n x n, symmetric, row by row
  /// @return false if a pivot is below 1e-12 of the largest
  bool factor(const double* A, int n);
  /// Smallest pivot relative to the largest.
  double pivot_ratio() const { return pivot_ratio_; }
  /// x := A^-1 x
  void solve(double* x) const;

 private:
  void equilibrate();
  double& at(int i, int j) { return LU_[i * n_ + j]; }
  double at(int i, int j) const { return LU_[i * n_ + j]; }

  int n_;
  double pivot_ratio_;
  double LU_[most_unknowns * most_unknowns], D_[most_unknowns];
  int row_of_[most_unknowns], column_of_[most_unknowns];  ///< partners in the interchanges
};

}  // namespace linkwork
