#include <linkwork/solvers/linear/complete_pivoting.hpp>

#include <linkwork/core/power_of_two.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace linkwork {

namespace {

constexpr double smallest_pivot_ratio = 1e-12;
constexpr int sweeps = 6;

/// D A D with rows of size near 1, from the given D. Each row in turn, with the new factors of those before it.
void equilibrate(int n, double* A, double* scale) {
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (int i = 0; i < n; ++i) {
      double largest = 0;
      for (int j = 0; j < n; ++j) largest = std::max(largest, std::abs(A[i * n + j]) * scale[i] * scale[j]);
      if (largest > 0) scale[i] /= std::sqrt(largest);
    }
  for (int i = 0; i < n; ++i) scale[i] = detail::nearest_power_of_two(scale[i]);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) A[i * n + j] *= scale[i] * scale[j];
}

}  // namespace

double factor_with_complete_pivoting(int n, double* A, double* scale, int* row, int* column) {
  equilibrate(n, A, scale);
  const auto at = [A, n](int i, int j) -> double& { return A[i * n + j]; };
  double largest = 0, ratio = 1;
  for (int k = 0; k < n; ++k) {
    int p = k, q = k;
    for (int i = k; i < n; ++i)
      for (int j = k; j < n; ++j)
        if (std::abs(at(i, j)) > std::abs(at(p, q))) {
          p = i;
          q = j;
        }
    row[k] = p;
    column[k] = q;
    for (int j = 0; j < n; ++j) std::swap(at(k, j), at(p, j));
    for (int i = 0; i < n; ++i) std::swap(at(i, k), at(i, q));
    const double pivot = at(k, k);
    largest = std::max(largest, std::abs(pivot));
    if (!(largest > 0)) return 0;
    ratio = std::min(ratio, std::abs(pivot) / largest);
    if (!(ratio > smallest_pivot_ratio)) return 0;
    for (int i = k + 1; i < n; ++i) {
      at(i, k) /= pivot;
      for (int j = k + 1; j < n; ++j) at(i, j) -= at(i, k) * at(k, j);
    }
  }
  return ratio;
}

void solve_with_complete_pivoting(int n, const double* factors, const double* scale, const int* row, const int* column,
                                  double* x) {
  for (int i = 0; i < n; ++i) x[i] *= scale[i];
  for (int k = 0; k < n; ++k) std::swap(x[k], x[row[k]]);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) x[i] -= factors[i * n + j] * x[j];
  for (int i = n - 1; i >= 0; --i) {
    for (int j = i + 1; j < n; ++j) x[i] -= factors[i * n + j] * x[j];
    x[i] /= factors[i * n + i];
  }
  for (int k = n - 1; k >= 0; --k) std::swap(x[k], x[column[k]]);
  for (int i = 0; i < n; ++i) x[i] *= scale[i];
}

}  // namespace linkwork
