#pragma once

#include <linkwork/solvers/linear/sparse_matrix.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace linkwork {

/// L U of a square sparse matrix by UMFPACK: one symbolic analysis per pattern, new pivots for every matrix. Compiled
/// where UMFPACK is.
class UmfpackFactors {
 public:
  UmfpackFactors();
  ~UmfpackFactors();
  UmfpackFactors(const UmfpackFactors&) = delete;
  UmfpackFactors& operator=(const UmfpackFactors&) = delete;

  void analyze(const SparseMatrix& matrix);
  /// @return the column whose pivot vanished, or -1
  int factor(const SparseMatrix& matrix);
  /// x := A^-1 x
  void solve(double* x);
  /// Entries of L and U, and multiply-adds of the last factorisation.
  std::int64_t entries() const;
  double operations() const;

 private:
  int smallest_pivot();

  const SparseMatrix* matrix_ = nullptr;  // factored last, read again by solve
  void *symbolic_ = nullptr, *numeric_ = nullptr;
  std::vector<double> control_, info_, solution_, workspace_, pivots_;
  std::vector<int> integer_workspace_, column_order_;
};

}  // namespace linkwork
