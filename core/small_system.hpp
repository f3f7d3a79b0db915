#pragma once

// Linear and nonlinear equations with the few unknowns that one element leaves implicit. Nothing here allocates for up
// to eight unknowns.

#include <linkwork/core/errors.hpp>

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>

namespace linkwork::detail {

using SmallArray = boost::container::small_vector<double, 64>;

/// Solves A X = B by elimination with row exchanges, rows and columns of A brought to equal size before.
/// @param A  n x n, row-major; overwritten
/// @param B  n x m, row-major; becomes X
/// @return false where A is singular to working precision: a pivot below 1e-12 of the largest entry
bool solve_in_place(double* A, int n, double* B, int m);

/// "(1, 2)", for messages.
std::string listed_values(const double* x, int n);

/// What SmallNewton is asked to do.
struct SmallNewtonOptions {
  int maximum_iterations = 25;
  /// The last change, relative to max(|x|, typical), that makes a solution. Convergence is quadratic, with differences
  /// of the second order in place of the derivative: what is left is its square, the rounding of x.
  double last_change = 1e-8;
};

/// Newton's method for 0 = F(x) with few unknowns; the derivative by central differences, steps shortened until the
/// residual falls (in units of x). Finds the solution that the start leads to.
class SmallNewton {
 public:
  /// @param typical   size of a change of x[i] in which F bends little: typical(i)
  /// @param residual  residual(const double* x, double* F), n numbers
  /// @param x         the start; becomes the solution, or stays at the last iterate
  /// @return          why there is no solution: F not finite, its derivative singular, no convergence
  template <class Typical, class Residual>
  Outcome solve(int n, double* x, const Typical& typical, const Residual& residual,
                const SmallNewtonOptions& options = {}) {
    begin(n);
    residual(x, F_.data());
    if (!finite()) return not_finite(x);
    for (int iteration = 0; iteration < options.maximum_iterations; ++iteration) {
      for (int i = 0; i < n; ++i) scale_[at(i)] = std::max(std::abs(x[i]), typical(i));
      differentiate(x, residual);
      if (!newton_step()) return singular(x);
      const double size = residual_size(), change = step_size();
      std::copy_n(x, n, start_.begin());
      double length = 1;
      for (int halving = 0;; ++halving, length *= 0.5) {
        for (int i = 0; i < n; ++i) x[i] = start_[at(i)] + length * step_[at(i)];
        if (change <= options.last_change) return {};
        residual(x, F_.data());
        const double now = finite() ? residual_size() : std::numeric_limits<double>::infinity();
        if (now <= std::max((1 - 0.1 * length) * size, rounding)) break;
        if (halving == 10) return no_convergence(x, iteration + 1);
      }
    }
    return no_convergence(x, options.maximum_iterations);
  }

 private:
  static constexpr double rounding = 1e-12;  // of a residual, in units of x

  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  /// Central differences, rounding and truncation equal for F that bends over the typical size.
  template <class Residual>
  void differentiate(double* x, const Residual& residual) {
    constexpr double relative_step = 6e-6;
    for (int j = 0; j < n_; ++j) {
      const double here = x[j], h = relative_step * scale_[at(j)];
      x[j] = here + h;
      residual(x, high_.data());
      x[j] = here - h;
      residual(x, low_.data());
      x[j] = here;
      for (int i = 0; i < n_; ++i) jacobian_[at(i * n_ + j)] = (high_[at(i)] - low_[at(i)]) / (2 * h);
    }
  }
  void begin(int n);
  bool finite() const;
  /// step_ from F_ and jacobian_; the sizes of its rows are kept.
  bool newton_step();
  /// F by what a change of x of its typical size makes of it.
  double residual_size() const;
  double step_size() const;
  Outcome not_finite(const double* x) const;
  Outcome singular(const double* x) const;
  Outcome no_convergence(const double* x, int iterations) const;

  int n_ = 0;
  SmallArray F_, high_, low_, jacobian_, scale_, row_size_, step_, start_;
};

}  // namespace linkwork::detail
