#pragma once

#include <linkwork/solvers/linear/sparse_matrix.hpp>

#include <klu.h>

#include <memory>

namespace linkwork {

/// L U of a square sparse matrix by KLU: one symbolic analysis per pattern, and pivots that are kept for as long as
/// they are good for the values. The matrix should be scaled: nothing is scaled here.
class KluFactors {
 public:
  /// @param block_triangular  whether to look for a block triangular form; a mechanism's matrix of masses and
  ///                          constraints has none
  explicit KluFactors(bool block_triangular);
  KluFactors(const KluFactors&) = delete;  // the deleters point into this object
  KluFactors& operator=(const KluFactors&) = delete;

  bool is_analyzed() const { return symbolic_ != nullptr; }
  void analyze(const SparseMatrix& matrix);
  /// Factors with new pivots. @return the column whose pivot vanished, or -1
  int choose_pivots(const SparseMatrix& matrix);
  /// Factors with the pivots chosen last. @return whether they are still good
  bool refactor(const SparseMatrix& matrix);
  /// x := A^-1 x
  void solve(double* x);

 private:
  struct FreeSymbolic {
    klu_common* common;
    void operator()(klu_symbolic* symbolic) const { klu_free_symbolic(&symbolic, common); }
  };
  struct FreeNumeric {
    klu_common* common;
    void operator()(klu_numeric* numeric) const { klu_free_numeric(&numeric, common); }
  };

  double growth(const SparseMatrix& matrix);
  bool is_regular();
  int smallest_pivot() const;

  int size_ = 0;
  double growth_when_new_ = 1;
  klu_common common_;
  std::unique_ptr<klu_symbolic, FreeSymbolic> symbolic_{nullptr, FreeSymbolic{&common_}};
  std::unique_ptr<klu_numeric, FreeNumeric> numeric_{nullptr, FreeNumeric{&common_}};
};

}  // namespace linkwork
