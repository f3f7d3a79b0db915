#pragma once

#include <linkwork/solvers/linear/singularity.hpp>
#include <linkwork/solvers/linear/sparse_matrix.hpp>
#include <linkwork/solvers/linear/triangular_factors.hpp>

#include <klu.h>

#include <complex>
#include <concepts>
#include <cstdint>
#include <memory>

namespace linkwork {

/// L U of a square sparse matrix of real or complex numbers by KLU: one symbolic analysis per pattern, and pivots that
/// are kept for as long as they are good for the values. The matrix should be scaled: nothing is scaled here.
template <class Scalar>
class KluFactorsOf {
 public:
  /// @param block_triangular  whether to look for a block triangular form; a mechanism's matrix of masses and
  ///                          constraints has none
  /// @param smallest_pivot    of all, relative to the largest: matrices with a smaller one count as singular
  explicit KluFactorsOf(bool block_triangular, double smallest_pivot = singular_pivot);
  KluFactorsOf(const KluFactorsOf&) = delete;  // the deleters point into this object
  KluFactorsOf& operator=(const KluFactorsOf&) = delete;

  bool is_analyzed() const { return symbolic_ != nullptr; }
  void analyze(const SparseMatrix& places);
  /// Factors with new pivots. @return the column whose pivot vanished, or -1
  /// @param values  one for each place
  int choose_pivots(const SparseMatrix& places, const Scalar* values);
  /// Whether the pivots chosen last were none that vanished.
  bool has_pivots() const { return has_pivots_; }
  /// Factors with the pivots chosen last. @return whether they are still good
  bool refactor(const SparseMatrix& places, const Scalar* values);
  int choose_pivots(const SparseMatrix& matrix) requires std::same_as<Scalar, double> {
    return choose_pivots(matrix, matrix.values().data());
  }
  bool refactor(const SparseMatrix& matrix) requires std::same_as<Scalar, double> {
    return refactor(matrix, matrix.values().data());
  }
  /// Whether the pivots let entries grow so much that solutions deserve a step of iterative refinement.
  bool is_delicate() const { return common_.rgrowth < delicate_growth; }
  /// Multiply-adds of a factorisation with the pivots chosen last.
  double operations();
  /// Entries of L and U, and of what stands beside their diagonal blocks: multiply-adds of a solution.
  std::int64_t entries() const;
  /// A copy of the factors.
  void extract(TriangularFactorsOf<Scalar>& factors);
  /// x := A^-1 x
  void solve(Scalar* x);

 private:
  struct FreeSymbolic {
    klu_common* common;
    void operator()(klu_symbolic* symbolic) const { klu_free_symbolic(&symbolic, common); }
  };
  struct FreeNumeric {
    klu_common* common;
    void operator()(klu_numeric* numeric) const;
  };

  double growth(const SparseMatrix& places, const Scalar* values);
  bool is_regular();
  int smallest_pivot() const;

  /// Of the largest entry of a column of the matrix to that of U, the smallest over the columns.
  static constexpr double delicate_growth = 0.1;

  int size_ = 0;
  bool has_pivots_ = false;
  double least_ratio_of_pivots_;
  double growth_when_new_ = 1;
  klu_common common_;
  std::unique_ptr<klu_symbolic, FreeSymbolic> symbolic_{nullptr, FreeSymbolic{&common_}};
  std::unique_ptr<klu_numeric, FreeNumeric> numeric_{nullptr, FreeNumeric{&common_}};
};

using KluFactors = KluFactorsOf<double>;
using ComplexKluFactors = KluFactorsOf<std::complex<double>>;

extern template class KluFactorsOf<double>;
extern template class KluFactorsOf<std::complex<double>>;

}  // namespace linkwork
