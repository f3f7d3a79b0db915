#include <linkwork/core/small_system.hpp>

#include <linkwork/core/concat.hpp>

namespace linkwork::detail {

namespace {

constexpr double smallest_pivot = 1e-12;  // of entries that are at most one

}  // namespace

bool solve_in_place(double* A, int n, double* B, int m) {
  const auto largest = [&](double* first, int stride) {
    double size = 0;
    for (int k = 0; k < n; ++k) size = std::max(size, std::abs(first[k * stride]));
    return size;
  };
  for (int i = 0; i < n; ++i) {
    const double size = largest(A + i * n, 1);
    if (!(size > 0) || !std::isfinite(size)) return false;
    for (int j = 0; j < n; ++j) A[i * n + j] /= size;
    for (int j = 0; j < m; ++j) B[i * m + j] /= size;
  }
  SmallArray column_size(static_cast<std::size_t>(n));
  for (int j = 0; j < n; ++j) {
    const double size = column_size[static_cast<std::size_t>(j)] = largest(A + j, n);
    if (!(size > 0)) return false;
    for (int i = 0; i < n; ++i) A[i * n + j] /= size;
  }
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i)
      if (std::abs(A[i * n + k]) > std::abs(A[pivot * n + k])) pivot = i;
    if (!(std::abs(A[pivot * n + k]) > smallest_pivot)) return false;
    if (pivot != k) {
      std::swap_ranges(A + k * n, A + (k + 1) * n, A + pivot * n);
      std::swap_ranges(B + k * m, B + (k + 1) * m, B + pivot * m);
    }
    for (int i = k + 1; i < n; ++i) {
      const double factor = A[i * n + k] / A[k * n + k];
      for (int j = k; j < n; ++j) A[i * n + j] -= factor * A[k * n + j];
      for (int j = 0; j < m; ++j) B[i * m + j] -= factor * B[k * m + j];
    }
  }
  for (int k = n - 1; k >= 0; --k)
    for (int j = 0; j < m; ++j) {
      double value = B[k * m + j];
      for (int i = k + 1; i < n; ++i) value -= A[k * n + i] * B[i * m + j];
      B[k * m + j] = value / A[k * n + k];
    }
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < m; ++j) B[k * m + j] /= column_size[static_cast<std::size_t>(k)];
  return true;
}

std::string listed_values(const double* x, int n) {
  std::string out = "(";
  for (int i = 0; i < n; ++i) out += concat(i > 0 ? ", " : "", x[i]);
  return out + ")";
}

void SmallNewton::begin(int n) {
  n_ = n;
  for (SmallArray* each : {&F_, &high_, &low_, &scale_, &row_size_, &step_, &start_}) each->resize(at(n));
  jacobian_.resize(at(n * n));
}

bool SmallNewton::finite() const {
  return std::all_of(F_.begin(), F_.end(), [](double value) { return std::isfinite(value); });
}

bool SmallNewton::newton_step() {
  for (int i = 0; i < n_; ++i) {
    row_size_[at(i)] = 0;
    for (int j = 0; j < n_; ++j)
      row_size_[at(i)] = std::max(row_size_[at(i)], std::abs(jacobian_[at(i * n_ + j)]) * scale_[at(j)]);
    step_[at(i)] = -F_[at(i)];
  }
  return solve_in_place(jacobian_.data(), n_, step_.data(), 1);
}

double SmallNewton::residual_size() const {
  double size = 0;
  for (int i = 0; i < n_; ++i) size = std::max(size, std::abs(F_[at(i)]) / row_size_[at(i)]);
  return size;
}

double SmallNewton::step_size() const {
  double size = 0;
  for (int i = 0; i < n_; ++i) size = std::max(size, std::abs(step_[at(i)]) / scale_[at(i)]);
  return size;
}

Outcome SmallNewton::not_finite(const double* x) const {
  return Outcome::failure(concat("the residual is ", listed_values(F_.data(), n_), " at ", listed_values(x, n_)),
                          Failure::not_evaluated);
}
Outcome SmallNewton::singular(const double* x) const {
  return Outcome::failure(concat("the derivative is singular at ", listed_values(x, n_)), Failure::singular);
}
Outcome SmallNewton::no_convergence(const double* x, int iterations) const {
  return Outcome::failure(concat("no convergence in ", iterations, " iterations; the last values are ",
                                 listed_values(x, n_), ", the residual ", listed_values(F_.data(), n_)),
                          Failure::no_convergence);
}

}  // namespace linkwork::detail
