#include <linkwork/solvers/newton/umfpack_factors.hpp>

#include <linkwork/solvers/linear/singularity.hpp>

#include <umfpack.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace linkwork {

UmfpackFactors::UmfpackFactors() : control_(UMFPACK_CONTROL), info_(UMFPACK_INFO) {
  umfpack_di_defaults(control_.data());
  control_[UMFPACK_SCALE] = UMFPACK_SCALE_NONE;
  control_[UMFPACK_IRSTEP] = 0;
}

UmfpackFactors::~UmfpackFactors() {
  umfpack_di_free_numeric(&numeric_);
  umfpack_di_free_symbolic(&symbolic_);
}

void UmfpackFactors::analyze(const SparseMatrix& matrix) {
  umfpack_di_free_numeric(&numeric_);
  umfpack_di_free_symbolic(&symbolic_);
  const auto size = static_cast<std::size_t>(matrix.columns());
  solution_.resize(size);
  workspace_.resize(size);
  pivots_.resize(size);
  integer_workspace_.resize(size);
  column_order_.resize(size);
  umfpack_di_symbolic(matrix.columns(), matrix.columns(), matrix.column_starts().data(), matrix.row_numbers().data(),
                      nullptr, &symbolic_, control_.data(), info_.data());
}

int UmfpackFactors::factor(const SparseMatrix& matrix) {
  matrix_ = &matrix;
  umfpack_di_free_numeric(&numeric_);
  if (!symbolic_) return 0;
  const int status = umfpack_di_numeric(matrix.column_starts().data(), matrix.row_numbers().data(),
                                        matrix.values().data(), symbolic_, &numeric_, control_.data(), info_.data());
  if (!numeric_) return 0;
  // UMFPACK's estimate of the condition is the ratio of the smallest to the largest pivot.
  return status == UMFPACK_OK && info_[UMFPACK_RCOND] >= singular_pivot ? -1 : smallest_pivot();
}

void UmfpackFactors::solve(double* x) {
  umfpack_di_wsolve(UMFPACK_A, matrix_->column_starts().data(), matrix_->row_numbers().data(), matrix_->values().data(),
                    solution_.data(), x, numeric_, control_.data(), info_.data(), integer_workspace_.data(),
                    workspace_.data());
  std::copy(solution_.begin(), solution_.end(), x);
}

std::int64_t UmfpackFactors::entries() const {
  return static_cast<std::int64_t>(info_[UMFPACK_LNZ] + info_[UMFPACK_UNZ]) -
         static_cast<std::int64_t>(solution_.size());
}

double UmfpackFactors::operations() const { return info_[UMFPACK_FLOPS] / 2; }

int UmfpackFactors::smallest_pivot() {
  umfpack_di_get_numeric(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, column_order_.data(),
                         pivots_.data(), nullptr, nullptr, numeric_);
  const auto smallest =
      std::min_element(pivots_.begin(), pivots_.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  return column_order_[static_cast<std::size_t>(smallest - pivots_.begin())];
}

}  // namespace linkwork
