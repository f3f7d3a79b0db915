#include <linkwork/solvers/linear/triangular_factors.hpp>

#include <linkwork/core/at.hpp>

#include <algorithm>
#include <cmath>

namespace linkwork {

namespace {

template <class Scalar>
void take_largest(const TriangularColumns<Scalar>& columns, std::vector<double>& largest) {
  for (std::size_t k = 0; k < columns.values.size(); ++k) {
    double& of_row = largest[detail::at(columns.rows[k])];
    of_row = std::max(of_row, std::abs(columns.values[k]));
  }
}

template <class Scalar>
void copy_without_small(const TriangularColumns<Scalar>& all, const std::vector<double>& largest, double tolerance,
                        TriangularColumns<Scalar>& kept) {
  kept.starts.assign(1, 0);
  kept.rows.clear();
  kept.values.clear();
  for (std::size_t column = 0; column + 1 < all.starts.size(); ++column) {
    for (std::size_t k = detail::at(all.starts[column]); k < detail::at(all.starts[column + 1]); ++k) {
      if (std::abs(all.values[k]) < tolerance * largest[detail::at(all.rows[k])]) continue;
      kept.rows.push_back(all.rows[k]);
      kept.values.push_back(all.values[k]);
    }
    kept.starts.push_back(kept.entries());
  }
}

/// x -= x_j times column j.
template <class Scalar>
void subtract_column(const TriangularColumns<Scalar>& columns, int j, Scalar* x) {
  const Scalar factor = x[j];
  for (int k = columns.starts[detail::at(j)]; k < columns.starts[detail::at(j) + 1]; ++k)
    x[columns.rows[detail::at(k)]] -= columns.values[detail::at(k)] * factor;
}

}  // namespace

template <class Scalar>
void DroppedFactorsOf<Scalar>::drop(const TriangularFactorsOf<Scalar>& factors, double tolerance) {
  kept_.row_order = factors.row_order;
  kept_.column_order = factors.column_order;
  kept_.blocks = factors.blocks;
  kept_.pivots = factors.pivots;
  kept_.beside = factors.beside;
  largest_.assign(factors.pivots.size(), 1.0);  // the diagonal of L
  take_largest(factors.lower, largest_);
  copy_without_small(factors.lower, largest_, tolerance, kept_.lower);
  std::transform(factors.pivots.begin(), factors.pivots.end(), largest_.begin(),
                 [](const Scalar& pivot) { return std::abs(pivot); });
  take_largest(factors.upper, largest_);
  copy_without_small(factors.upper, largest_, tolerance, kept_.upper);
  all_entries_ = factors.entries();
  x_.resize(factors.pivots.size());
}

/// From the last block to the first, each minus what those behind it put beside it.
template <class Scalar>
void DroppedFactorsOf<Scalar>::solve(Scalar* x) {
  for (std::size_t i = 0; i < x_.size(); ++i) x_[i] = x[kept_.row_order[i]];
  for (int block = kept_.block_count() - 1; block >= 0; --block) {
    const int first = kept_.blocks[detail::at(block)], last = kept_.blocks[detail::at(block) + 1];
    for (int j = first; j < last; ++j) subtract_column(kept_.lower, j, x_.data());
    for (int j = last - 1; j >= first; --j) {
      x_[detail::at(j)] /= kept_.pivots[detail::at(j)];
      subtract_column(kept_.upper, j, x_.data());
    }
    for (int j = first; j < last; ++j) subtract_column(kept_.beside, j, x_.data());
  }
  for (std::size_t i = 0; i < x_.size(); ++i) x[kept_.column_order[i]] = x_[i];
}

template class DroppedFactorsOf<double>;
template class DroppedFactorsOf<std::complex<double>>;

}  // namespace linkwork
