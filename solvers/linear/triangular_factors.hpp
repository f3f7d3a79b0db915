#pragma once

#include <complex>
#include <cstdint>
#include <vector>

namespace linkwork {

/// Columns of a triangular matrix without its diagonal.
template <class Scalar>
struct TriangularColumns {
  std::vector<int> starts, rows;
  std::vector<Scalar> values;
  int entries() const { return static_cast<int>(values.size()); }
};

/// The factors of a square matrix A whose rows and columns are exchanged, block by block of a block triangular form
/// (one block where there is none): P A Q = L U + B, with a unit lower triangle L, an upper triangle U, both block
/// diagonal, and what stands right of the diagonal blocks, B.
template <class Scalar>
struct TriangularFactorsOf {
  std::vector<int> row_order, column_order;  ///< row and column of A by row and column of the factors
  std::vector<int> blocks;                   ///< where each begins; the size at the end
  TriangularColumns<Scalar> lower, upper;    ///< L and U
  TriangularColumns<Scalar> beside;          ///< B
  std::vector<Scalar> pivots;                ///< the diagonal of U

  int size() const { return static_cast<int>(pivots.size()); }
  int block_count() const { return static_cast<int>(blocks.size()) - 1; }
  /// Multiply-adds of one solution.
  std::int64_t entries() const { return std::int64_t{size()} + lower.entries() + upper.entries() + beside.entries(); }
};

/// A copy of triangular factors without the entries off the diagonals of L and U that are small in their rows:
/// |a_ij| < tolerance max_k |a_ik| (DASSL+, definition 3.1, where the full factors are kept beside). B is no factor and
/// stays as it is. Substitutions with the copy cost as many multiply-adds as it has entries.
template <class Scalar>
class DroppedFactorsOf {
 public:
  /// @param tolerance  in [0, 1); 0 drops nothing
  void drop(const TriangularFactorsOf<Scalar>& factors, double tolerance);
  /// x := A~^-1 x
  void solve(Scalar* x);
  /// Multiply-adds of one solution, and with nothing dropped.
  std::int64_t entries() const { return kept_.entries(); }
  std::int64_t all_entries() const { return all_entries_; }
  bool drops_nothing() const { return entries() == all_entries(); }

 private:
  TriangularFactorsOf<Scalar> kept_;
  std::vector<double> largest_;  // of each row
  std::vector<Scalar> x_;
  std::int64_t all_entries_ = 0;
};

using TriangularFactors = TriangularFactorsOf<double>;
using DroppedFactors = DroppedFactorsOf<double>;

extern template class DroppedFactorsOf<double>;
extern template class DroppedFactorsOf<std::complex<double>>;

}  // namespace linkwork
