#include <linkwork/solvers/linear/klu_factors.hpp>

#include <linkwork/core/at.hpp>

#include <algorithm>
#include <cmath>

namespace linkwork {

namespace {

// KLU's growth is the smallest ratio, over the columns, of the largest entry of the matrix to the largest entry of U.
// New pivots are chosen when old ones would cost more than four digits and two more than they did when they were new.
constexpr double smallest_growth = 1e-4;
constexpr double growth_lost = 1e-2;

// A pivot of the diagonal is taken where it is this times the largest of its column at least. COLAMD does not count on
// the diagonal, so that nothing is gained by KLU's own 1e-3, which costs up to three digits in every column.
constexpr double sound_pivot = 0.1;

// KLU's interface does not say const where it only reads.
int* starts_of(const SparseMatrix& matrix) { return const_cast<int*>(matrix.column_starts().data()); }
int* rows_of(const SparseMatrix& matrix) { return const_cast<int*>(matrix.row_numbers().data()); }
double* plain(const double* values) { return const_cast<double*>(values); }
double* plain(const std::complex<double>* values) {
  return const_cast<double*>(reinterpret_cast<const double*>(values));  // real and imaginary parts in turn
}

/// KLU's functions for a kind of numbers.
template <class Scalar>
struct Klu;
template <>
struct Klu<double> {
  static constexpr auto factor = klu_factor;
  static constexpr auto refactor = klu_refactor;
  static constexpr auto solve = klu_solve;
  static constexpr auto operations = klu_flops;
  static constexpr auto growth = klu_rgrowth;
  static constexpr auto condition = klu_rcond;
  static constexpr auto free_numeric = klu_free_numeric;
  static constexpr auto extract = klu_extract;
};
template <>
struct Klu<std::complex<double>> {
  static constexpr auto factor = klu_z_factor;
  static constexpr auto refactor = klu_z_refactor;
  static constexpr auto solve = klu_z_solve;
  static constexpr auto operations = klu_z_flops;
  static constexpr auto growth = klu_z_rgrowth;
  static constexpr auto condition = klu_z_rcond;
  static constexpr auto free_numeric = klu_z_free_numeric;
  /// With numbers in the order of their real and imaginary parts.
  static int extract(klu_numeric* numeric, klu_symbolic* symbolic, int* lower_starts, int* lower_rows,
                     std::complex<double>* lower, int* upper_starts, int* upper_rows, std::complex<double>* upper,
                     int* beside_starts, int* beside_rows, std::complex<double>* beside, int* row_order,
                     int* column_order, double* scaling, int* blocks, klu_common* common) {
    const auto count = [](int entries) { return detail::at(entries); };
    std::vector<double> re[3], im[3];
    const int sizes[] = {numeric->lnz, numeric->unz, numeric->nzoff};
    for (int part = 0; part < 3; ++part) {
      re[part].resize(count(sizes[part]));
      im[part].resize(count(sizes[part]));
    }
    const int done = klu_z_extract(numeric, symbolic, lower_starts, lower_rows, re[0].data(), im[0].data(),
                                   upper_starts, upper_rows, re[1].data(), im[1].data(), beside_starts, beside_rows,
                                   re[2].data(), im[2].data(), row_order, column_order, scaling, blocks, common);
    std::complex<double>* const parts[] = {lower, upper, beside};
    for (int part = 0; part < 3; ++part)
      for (std::size_t k = 0; k < re[part].size(); ++k) parts[part][k] = {re[part][k], im[part][k]};
    return done;
  }
};

/// Takes the diagonal out of columns, into a list of its own where there is one.
template <class Scalar>
void take_diagonal(TriangularColumns<Scalar>& columns, std::vector<Scalar>* diagonal) {
  std::size_t next = 0;
  int begin = 0;
  for (std::size_t column = 0; column + 1 < columns.starts.size(); ++column) {
    const int end = columns.starts[column + 1];
    for (int k = begin; k < end; ++k) {
      const std::size_t place = detail::at(k);
      if (columns.rows[place] == static_cast<int>(column)) {
        if (diagonal) (*diagonal)[column] = columns.values[place];
        continue;
      }
      columns.rows[next] = columns.rows[place];
      columns.values[next++] = columns.values[place];
    }
    begin = end;
    columns.starts[column + 1] = static_cast<int>(next);
  }
  columns.rows.resize(next);
  columns.values.resize(next);
}

}  // namespace

template <class Scalar>
void KluFactorsOf<Scalar>::FreeNumeric::operator()(klu_numeric* numeric) const {
  Klu<Scalar>::free_numeric(&numeric, common);
}

template <class Scalar>
KluFactorsOf<Scalar>::KluFactorsOf(bool block_triangular, double smallest_pivot)
    : least_ratio_of_pivots_(smallest_pivot) {
  klu_defaults(&common_);
  common_.scale = -1;  // no scaling, and no check of the pattern in every factorisation
  common_.btf = block_triangular;
  // COLAMD bounds the fill for all choices of pivots. AMD counts on those of the diagonal; without blocks to bring them
  // there, where rows and velocities without mass have zeros, its factors fill up (chains in mixed coordinates).
  if (!block_triangular) {
    common_.ordering = 1;
    common_.tol = sound_pivot;
  }
}

template <class Scalar>
void KluFactorsOf<Scalar>::analyze(const SparseMatrix& places) {
  size_ = places.columns();
  numeric_.reset();
  has_pivots_ = false;
  symbolic_.reset(klu_analyze(size_, starts_of(places), rows_of(places), &common_));
}

template <class Scalar>
int KluFactorsOf<Scalar>::choose_pivots(const SparseMatrix& places, const Scalar* values) {
  has_pivots_ = size_ == 0;  // KLU refuses matrices without rows
  if (has_pivots_) return -1;
  if (!symbolic_) return 0;
  numeric_.reset(Klu<Scalar>::factor(starts_of(places), rows_of(places), plain(values), symbolic_.get(), &common_));
  if (!numeric_ || common_.status != KLU_OK) return std::clamp<int>(common_.singular_col, 0, size_ - 1);
  growth_when_new_ = growth(places, values);
  has_pivots_ = is_regular();
  return has_pivots_ ? -1 : smallest_pivot();
}

template <class Scalar>
bool KluFactorsOf<Scalar>::refactor(const SparseMatrix& places, const Scalar* values) {
  if (!numeric_) return size_ == 0;
  if (!Klu<Scalar>::refactor(starts_of(places), rows_of(places), plain(values), symbolic_.get(), numeric_.get(),
                             &common_) ||
      common_.status != KLU_OK)
    return false;
  return is_regular() && !(growth(places, values) < std::min(smallest_growth, growth_lost * growth_when_new_));
}

template <class Scalar>
void KluFactorsOf<Scalar>::solve(Scalar* x) {
  if (size_ == 0) return;
  Klu<Scalar>::solve(symbolic_.get(), numeric_.get(), size_, 1, plain(x), &common_);
}

template <class Scalar>
double KluFactorsOf<Scalar>::operations() {
  Klu<Scalar>::operations(symbolic_.get(), numeric_.get(), &common_);
  return common_.flops / 2;
}

template <class Scalar>
std::int64_t KluFactorsOf<Scalar>::entries() const {
  return numeric_ ? std::int64_t{numeric_->lnz} - size_ + numeric_->unz + numeric_->nzoff : 0;
}

template <class Scalar>
void KluFactorsOf<Scalar>::extract(TriangularFactorsOf<Scalar>& factors) {
  const auto room = [this](TriangularColumns<Scalar>& columns, int entries) {
    columns.starts.resize(detail::at(size_) + 1);
    columns.rows.resize(detail::at(entries));
    columns.values.resize(detail::at(entries));
  };
  room(factors.lower, numeric_->lnz);
  room(factors.upper, numeric_->unz);
  room(factors.beside, numeric_->nzoff);
  factors.row_order.resize(detail::at(size_));
  factors.column_order.resize(detail::at(size_));
  factors.pivots.resize(detail::at(size_));
  factors.blocks.resize(detail::at(symbolic_->nblocks) + 1);
  Klu<Scalar>::extract(numeric_.get(), symbolic_.get(), factors.lower.starts.data(), factors.lower.rows.data(),
                       factors.lower.values.data(), factors.upper.starts.data(), factors.upper.rows.data(),
                       factors.upper.values.data(), factors.beside.starts.data(), factors.beside.rows.data(),
                       factors.beside.values.data(), factors.row_order.data(), factors.column_order.data(), nullptr,
                       factors.blocks.data(), &common_);
  take_diagonal<Scalar>(factors.lower, nullptr);
  take_diagonal(factors.upper, &factors.pivots);
}

template <class Scalar>
double KluFactorsOf<Scalar>::growth(const SparseMatrix& places, const Scalar* values) {
  Klu<Scalar>::growth(starts_of(places), rows_of(places), plain(values), symbolic_.get(), numeric_.get(), &common_);
  return common_.rgrowth;
}

template <class Scalar>
bool KluFactorsOf<Scalar>::is_regular() {
  Klu<Scalar>::condition(symbolic_.get(), numeric_.get(), &common_);
  return common_.rcond >= least_ratio_of_pivots_;
}

template <class Scalar>
int KluFactorsOf<Scalar>::smallest_pivot() const {
  const Scalar* pivots = static_cast<const Scalar*>(numeric_->Udiag);
  const auto smallest = std::min_element(pivots, pivots + size_,
                                         [](const Scalar& a, const Scalar& b) { return std::abs(a) < std::abs(b); });
  return symbolic_->Q[smallest - pivots];
}

template class KluFactorsOf<double>;
template class KluFactorsOf<std::complex<double>>;

}  // namespace linkwork
