#include <linkwork/solvers/linear/pair_factors.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace linkwork {

namespace {
constexpr double smallest_pivot = 1e-12;
constexpr int sweeps = 6;
}  // namespace

/// D A D with rows of size near 1, D powers of two (see Equilibration).
void PairFactors::equilibrate() {
  std::fill(D_, D_ + n_, 1.0);
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    double change[most_unknowns];
    for (int i = 0; i < n_; ++i) {
      double largest = 0;
      for (int j = 0; j < n_; ++j) largest = std::max(largest, std::abs(at(i, j)) * D_[i] * D_[j]);
      change[i] = largest > 0 ? 1 / std::sqrt(largest) : 1.0;
    }
    for (int i = 0; i < n_; ++i) D_[i] *= change[i];
  }
  for (int i = 0; i < n_; ++i) D_[i] = std::exp2(std::round(std::log2(D_[i])));
  for (int i = 0; i < n_; ++i)
    for (int j = 0; j < n_; ++j) at(i, j) *= D_[i] * D_[j];
}

bool PairFactors::factor(const double* A, int n) {
  n_ = n;
  std::copy_n(A, n * n, LU_);
  equilibrate();
  double largest_pivot = 0;
  pivot_ratio_ = 1;
  for (int k = 0; k < n; ++k) {
    int p = k, q = k;
    for (int i = k; i < n; ++i)
      for (int j = k; j < n; ++j)
        if (std::abs(at(i, j)) > std::abs(at(p, q))) {
          p = i;
          q = j;
        }
    row_of_[k] = p;
    column_of_[k] = q;
    for (int j = 0; j < n; ++j) std::swap(at(k, j), at(p, j));
    for (int i = 0; i < n; ++i) std::swap(at(i, k), at(i, q));
    const double pivot = at(k, k);
    largest_pivot = std::max(largest_pivot, std::abs(pivot));
    if (!(largest_pivot > 0)) return false;
    pivot_ratio_ = std::min(pivot_ratio_, std::abs(pivot) / largest_pivot);
    if (!(pivot_ratio_ > smallest_pivot)) return false;
    for (int i = k + 1; i < n; ++i) {
      at(i, k) /= pivot;
      for (int j = k + 1; j < n; ++j) at(i, j) -= at(i, k) * at(k, j);
    }
  }
  return true;
}

void PairFactors::solve(double* x) const {
  for (int i = 0; i < n_; ++i) x[i] *= D_[i];
  for (int k = 0; k < n_; ++k) std::swap(x[k], x[row_of_[k]]);
  for (int i = 0; i < n_; ++i)
    for (int j = 0; j < i; ++j) x[i] -= at(i, j) * x[j];
  for (int i = n_ - 1; i >= 0; --i) {
    for (int j = i + 1; j < n_; ++j) x[i] -= at(i, j) * x[j];
    x[i] /= at(i, i);
  }
  for (int k = n_ - 1; k >= 0; --k) std::swap(x[k], x[column_of_[k]]);
  for (int i = 0; i < n_; ++i) x[i] *= D_[i];
}

}  // namespace linkwork
