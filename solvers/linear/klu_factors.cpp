#include <linkwork/solvers/linear/klu_factors.hpp>

#include <linkwork/solvers/linear/singularity.hpp>

#include <algorithm>
#include <cmath>

namespace linkwork {

namespace {

// KLU's growth is the smallest ratio, over the columns, of the largest entry of the matrix to the largest entry of U.
// New pivots are chosen when old ones would cost more than four digits and two more than they did when they were new.
constexpr double smallest_growth = 1e-4;
constexpr double growth_lost = 1e-2;

// KLU's interface does not say const where it only reads.
int* starts_of(const SparseMatrix& matrix) { return const_cast<int*>(matrix.column_starts().data()); }
int* rows_of(const SparseMatrix& matrix) { return const_cast<int*>(matrix.row_numbers().data()); }
double* values_of(const SparseMatrix& matrix) { return const_cast<double*>(matrix.values().data()); }

}  // namespace

KluFactors::KluFactors(bool block_triangular) {
  klu_defaults(&common_);
  common_.scale = -1;  // no scaling, and no check of the pattern in every factorisation
  common_.btf = block_triangular;
  // COLAMD bounds the fill for all choices of pivots. AMD counts on those of the diagonal; without blocks to bring them
  // there, where rows and velocities without mass have zeros, its factors fill up (chains in mixed coordinates).
  if (!block_triangular) common_.ordering = 1;
}

void KluFactors::analyze(const SparseMatrix& matrix) {
  size_ = matrix.columns();
  numeric_.reset();
  symbolic_.reset(klu_analyze(size_, starts_of(matrix), rows_of(matrix), &common_));
}

int KluFactors::choose_pivots(const SparseMatrix& matrix) {
  if (!symbolic_) return 0;
  numeric_.reset(klu_factor(starts_of(matrix), rows_of(matrix), values_of(matrix), symbolic_.get(), &common_));
  if (!numeric_ || common_.status != KLU_OK) return std::clamp<int>(common_.singular_col, 0, size_ - 1);
  growth_when_new_ = growth(matrix);
  return is_regular() ? -1 : smallest_pivot();
}

bool KluFactors::refactor(const SparseMatrix& matrix) {
  if (!numeric_) return false;
  if (!klu_refactor(starts_of(matrix), rows_of(matrix), values_of(matrix), symbolic_.get(), numeric_.get(), &common_) ||
      common_.status != KLU_OK)
    return false;
  return is_regular() && !(growth(matrix) < std::min(smallest_growth, growth_lost * growth_when_new_));
}

void KluFactors::solve(double* x) { klu_solve(symbolic_.get(), numeric_.get(), size_, 1, x, &common_); }

double KluFactors::growth(const SparseMatrix& matrix) {
  klu_rgrowth(starts_of(matrix), rows_of(matrix), values_of(matrix), symbolic_.get(), numeric_.get(), &common_);
  return common_.rgrowth;
}

bool KluFactors::is_regular() {
  klu_rcond(symbolic_.get(), numeric_.get(), &common_);
  return common_.rcond >= singular_pivot;
}

int KluFactors::smallest_pivot() const {
  const double* pivots = static_cast<const double*>(numeric_->Udiag);
  const auto smallest =
      std::min_element(pivots, pivots + size_, [](double a, double b) { return std::abs(a) < std::abs(b); });
  return symbolic_->Q[smallest - pivots];
}

}  // namespace linkwork
