#pragma once

#include <linkwork/core/at.hpp>
#include <linkwork/core/dense_factors.hpp>
#include <linkwork/solvers/linear/closure_paths.hpp>
#include <linkwork/solvers/linear/singularity.hpp>

#include <Eigen/Core>
#include <algorithm>

namespace linkwork {

/// S = C T^-1 C^T of closures (end of MEXX 3.2), and the factors of D S D with a diagonal D that makes its rows
/// comparable. Its users write S and D before each factorisation, and the right side before each solution.
class ClosureSystem {
 public:
  explicit ClosureSystem(int rows = 0) : S_(rows, rows), scale_(rows), multipliers_(rows), factors_(rows) {}

  Eigen::MatrixXd& S() { return S_; }  ///< only its lower triangle is read; lost in factor()
  Eigen::VectorXd& scale() { return scale_; }
  Eigen::VectorXd& multipliers() { return multipliers_; }  ///< the right side, from solve() on the solution

  /// S += sum over `count` components of left right^T, of the columns that pass a stop.
  /// @param left, right  by entry, `stride` numbers each
  void add(const ClosurePaths& paths, const ClosurePaths::Stop& stop, int count, const double* left,
           const double* right, int stride) {
    for (int a = stop.first; a < stop.last; ++a)
      for (int b = stop.first; b <= a; ++b) {
        double sum = 0;
        for (int k = 0; k < count; ++k) sum += left[stride * a + k] * right[stride * b + k];
        S_(paths.entries[detail::at(a)].column, paths.entries[detail::at(b)].column) += sum;
      }
  }

  /// @param unit  what pivots are measured by where the largest is smaller
  /// @return a row that the others make superfluous, or -1
  int factor(double unit) {
    for (Eigen::Index j = 0; j < scale_.size(); ++j)
      for (Eigen::Index i = j; i < scale_.size(); ++i) S_(i, j) *= scale_[i] * scale_[j];
    factors_.compute(S_);
    Eigen::Index place = 0;
    const auto pivots = factors_.packed().diagonal();
    const double smallest = pivots.minCoeff(&place), largest = pivots.maxCoeff();
    is_delicate_ = smallest < delicate_pivot * S_.diagonal().maxCoeff();
    if (smallest >= singular_pivot * std::max(unit, largest) && largest > singular_pivot) return -1;
    for (Eigen::Index k = S_.rows() - 1; k >= 0; --k) {  // pivots stand in the order of elimination
      const Eigen::Index other = factors_.exchanged_with(k);
      if (place == k || place == other) place = k + other - place;
    }
    return static_cast<int>(place);
  }
  /// Whether a pivot of the last factorisation was what is left of one a thousand times larger.
  bool is_delicate() const { return is_delicate_; }

  void solve() {
    multipliers_.array() *= scale_.array();
    factors_.solve_in_place(multipliers_);
    multipliers_.array() *= scale_.array();
  }

 private:
  Eigen::MatrixXd S_;
  Eigen::VectorXd scale_, multipliers_;
  LdltFactors factors_;
  bool is_delicate_ = false;
};

}  // namespace linkwork
