#include <linkwork/solvers/linear/pair_inverse.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace linkwork {

namespace {

constexpr int most_unknowns = 12;
constexpr double smallest_pivot = 1e-12;
constexpr double rounding = 1e-14;
constexpr int sweeps = 6;

/// D A D with rows of size near 1 (see Equilibration).
void equilibrate(double* A, int n, double* D) {
  std::fill(D, D + n, 1.0);
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    double change[most_unknowns];
    for (int i = 0; i < n; ++i) {
      double largest = 0;
      for (int j = 0; j < n; ++j) largest = std::max(largest, std::abs(A[i * n + j]));
      change[i] = largest > 0 ? 1 / std::sqrt(largest) : 1.0;
    }
    for (int i = 0; i < n; ++i) {
      D[i] *= change[i];
      for (int j = 0; j < n; ++j) A[i * n + j] *= change[i] * change[j];
    }
  }
}

/// In place; rows and columns are interchanged on the way and put back at the end.
bool invert(double* A, int n) {
  int row_of[most_unknowns], column_of[most_unknowns];
  double largest_pivot = 0;
  for (int k = 0; k < n; ++k) {
    int p = k, q = k;
    for (int i = k; i < n; ++i)
      for (int j = k; j < n; ++j)
        if (std::abs(A[i * n + j]) > std::abs(A[p * n + q])) p = i, q = j;
    const double pivot = A[p * n + q];
    largest_pivot = std::max(largest_pivot, std::abs(pivot));
    if (!(std::abs(pivot) > smallest_pivot * largest_pivot)) return false;
    row_of[k] = p;
    column_of[k] = q;
    for (int j = 0; j < n; ++j) std::swap(A[k * n + j], A[p * n + j]);
    for (int i = 0; i < n; ++i) std::swap(A[i * n + k], A[i * n + q]);
    A[k * n + k] = 1;
    for (int j = 0; j < n; ++j) A[k * n + j] /= pivot;
    for (int i = 0; i < n; ++i) {
      if (i == k) continue;
      const double factor = A[i * n + k];
      A[i * n + k] = 0;
      for (int j = 0; j < n; ++j) A[i * n + j] -= factor * A[k * n + j];
    }
  }
  for (int k = n - 1; k >= 0; --k) {
    for (int j = 0; j < n; ++j) std::swap(A[k * n + j], A[column_of[k] * n + j]);
    for (int i = 0; i < n; ++i) std::swap(A[i * n + k], A[i * n + row_of[k]]);
  }
  return true;
}

}  // namespace

bool invert_pair(double* A, int size, int rows) {
  const int n = size + rows;
  double D[most_unknowns];
  equilibrate(A, n, D);
  if (!invert(A, n)) return false;
  double largest = 0;
  for (int i = 0; i < n * n; ++i) largest = std::max(largest, std::abs(A[i]));
  for (int i = size; i < n; ++i)
    for (int j = size; j < n; ++j)
      if (std::abs(A[i * n + j]) < rounding * largest) A[i * n + j] = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) A[i * n + j] *= D[i] * D[j];
  return true;
}

}  // namespace linkwork
