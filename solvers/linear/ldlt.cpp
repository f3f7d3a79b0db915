#include <linkwork/solvers/linear/equilibration.hpp>
#include <linkwork/solvers/linear/linear_solvers.hpp>
#include <linkwork/solvers/linear/singularity.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

namespace linkwork {

namespace {

/// P A P^T = L D L^T of a symmetric indefinite matrix, D with blocks of one or two, in the lower triangle of A.
/// Source: Bunch and Kaufman, Some stable methods for calculating inertia and solving symmetric linear systems, Math.
/// Comp. 31 (1977), algorithm A; the interchanges are kept as in Golub and Van Loan, Matrix Computations, 4.4.
class BunchKaufman {
 public:
  void resize(int n) {
    A_.resize(n, n);
    partner_.resize(static_cast<std::size_t>(n));
    is_pair_.resize(static_cast<std::size_t>(n));
  }
  Eigen::MatrixXd& matrix() { return A_; }
  /// Whether a pivot of the last factorisation was small against the largest.
  bool is_delicate() const { return is_delicate_; }

  /// Factors matrix() in place. @return step with the pivot that vanished, or -1
  int factor() {
    const int n = size();
    double largest = 0, smallest = std::numeric_limits<double>::infinity();
    int smallest_step = -1;
    for (int k = 0; k < n;) {
      const int width = choose_pivot(k);
      const double pivot = width == 1 ? std::abs(A_(k, k)) : smallest_of_pair(k);
      largest = std::max(largest, pivot);
      if (!(pivot >= smallest)) {
        smallest = pivot;
        smallest_step = k;
      }
      if (!(pivot > 0)) return k;
      if (width == 1)
        eliminate_one(k);
      else
        eliminate_two(k);
      k += width;
    }
    is_delicate_ = smallest < delicate_pivot * largest;
    return smallest >= singular_pivot * largest ? -1 : smallest_step;
  }

  void solve(Eigen::VectorXd& x) const {
    const int n = size();
    for (int k = 0; k < n; k += width_at(k)) {
      const int below = n - k - width_at(k);
      if (width_at(k) == 1) {
        std::swap(x[k], x[partner(k)]);
        x.tail(below) -= x[k] * A_.col(k).tail(below);
        x[k] /= A_(k, k);
      } else {
        std::swap(x[k + 1], x[partner(k)]);
        x.tail(below) -= x[k] * A_.col(k).tail(below) + x[k + 1] * A_.col(k + 1).tail(below);
        solve_pair(k, x);
      }
    }
    for (int k = n; k > 0;) {
      const int width = is_pair_[static_cast<std::size_t>(k - 1)] ? 2 : 1;
      k -= width;
      const int below = n - k - width;
      for (int i = k; i < k + width; ++i) x[i] -= A_.col(i).tail(below).dot(x.tail(below));
      std::swap(x[k + width - 1], x[partner(k)]);
    }
  }

  /// Row and column of the given matrix that stand at a step after the interchanges so far.
  int original_index(int step) const {
    std::vector<int> order(static_cast<std::size_t>(size()));
    std::iota(order.begin(), order.end(), 0);
    for (int k = 0; k <= step; k += width_at(k))
      std::swap(order[static_cast<std::size_t>(k + width_at(k) - 1)], order[static_cast<std::size_t>(partner(k))]);
    return order[static_cast<std::size_t>(step)];
  }

 private:
  int size() const { return static_cast<int>(A_.rows()); }
  int partner(int k) const { return partner_[static_cast<std::size_t>(k)]; }
  int width_at(int k) const { return is_pair_[static_cast<std::size_t>(k)] ? 2 : 1; }

  /// Brings the pivot of step k to its place. @return its width
  int choose_pivot(int k) {
    static const double alpha = (1 + std::sqrt(17.0)) / 8;  // balances the growth of both widths
    const int below = size() - k - 1;
    int width = 1, chosen = k;
    Eigen::Index offset = 0;
    const double in_column = below > 0 ? A_.col(k).tail(below).cwiseAbs().maxCoeff(&offset) : 0.0;
    const double diagonal = std::abs(A_(k, k));
    if (diagonal < alpha * in_column) {
      const int other = k + 1 + static_cast<int>(offset);
      double in_row = A_.row(other).segment(k, other - k).cwiseAbs().maxCoeff();
      if (other + 1 < size()) in_row = std::max(in_row, A_.col(other).tail(size() - other - 1).cwiseAbs().maxCoeff());
      if (diagonal * in_row < alpha * in_column * in_column) {
        chosen = other;
        width = std::abs(A_(other, other)) >= alpha * in_row ? 1 : 2;
      }
    }
    interchange(k, width, chosen);
    return width;
  }

  void interchange(int k, int width, int chosen) {
    for (int i = k; i < k + width; ++i) {
      partner_[static_cast<std::size_t>(i)] = chosen;
      is_pair_[static_cast<std::size_t>(i)] = width == 2;
    }
    const int place = k + width - 1, n = size();
    if (chosen == place) return;
    A_.col(place).tail(n - chosen - 1).swap(A_.col(chosen).tail(n - chosen - 1));
    for (int i = place + 1; i < chosen; ++i) std::swap(A_(i, place), A_(chosen, i));
    std::swap(A_(place, place), A_(chosen, chosen));
    if (width == 2) std::swap(A_(k + 1, k), A_(chosen, k));
  }

  void eliminate_one(int k) {
    const int n = size();
    const double inverse = 1 / A_(k, k);
    for (int j = k + 1; j < n; ++j) A_.col(j).tail(n - j) -= (inverse * A_(j, k)) * A_.col(k).tail(n - j);
    A_.col(k).tail(n - k - 1) *= inverse;
  }

  void eliminate_two(int k) {
    const int n = size();
    const double scale = A_(k + 1, k), d11 = A_(k + 1, k + 1) / scale, d22 = A_(k, k) / scale;
    const double factor = 1 / ((d11 * d22 - 1) * scale);
    for (int j = k + 2; j < n; ++j) {
      const double first = factor * (d11 * A_(j, k) - A_(j, k + 1));
      const double second = factor * (d22 * A_(j, k + 1) - A_(j, k));
      A_.col(j).tail(n - j) -= first * A_.col(k).tail(n - j) + second * A_.col(k + 1).tail(n - j);
      A_(j, k) = first;
      A_(j, k + 1) = second;
    }
  }

  /// Lower bound within a factor of two of the smaller eigenvalue's size of a pivot of two.
  double smallest_of_pair(int k) const {
    const double determinant = A_(k, k) * A_(k + 1, k + 1) - A_(k + 1, k) * A_(k + 1, k);
    return std::abs(determinant) / (std::abs(A_(k + 1, k)) + std::max(std::abs(A_(k, k)), std::abs(A_(k + 1, k + 1))));
  }

  void solve_pair(int k, Eigen::VectorXd& x) const {
    const double scale = A_(k + 1, k), a = A_(k, k) / scale, b = A_(k + 1, k + 1) / scale;
    const double determinant = a * b - 1, first = x[k] / scale, second = x[k + 1] / scale;
    x[k] = (b * first - second) / determinant;
    x[k + 1] = (a * second - first) / determinant;
  }

  Eigen::MatrixXd A_;
  std::vector<int> partner_;
  std::vector<char> is_pair_;
  bool is_delicate_ = false;
};

class Ldlt final : public LinearSolver {
 public:
  std::string_view name() const override { return "ldlt"; }

 private:
  struct Factors {
    Equilibration scaling;
    BunchKaufman ldlt;
    Eigen::VectorXd x;

    void resize(int unknowns) {
      scaling.resize(unknowns);
      ldlt.resize(unknowns);
      x.resize(unknowns);
    }
    /// Number of the unknown whose pivot vanished, or -1.
    int factor(const AugmentedMatrix& matrix) {
      scaling.write_scaled(matrix, ldlt.matrix());
      const int step = ldlt.factor();
      return step < 0 ? -1 : ldlt.original_index(step);
    }
    int factor(const AugmentedMatrix& matrix, Equilibration::Start start) {
      scaling.compute(matrix, start);
      return factor(matrix);
    }
  };

  Outcome do_analyze() override {
    for (Factors& factors : factors_) factors.resize(0);
    return {};
  }

  Outcome do_factor(const AugmentedMatrix& matrix) override {
    if (matrix.kind == MatrixKind::friction) return Outcome::failure(friction_refusal(name()));
    current_ = &factors_[index_of(matrix.kind)];
    const int unknowns = matrix.M->rows() + matrix.G->rows();
    if (current_->scaling.unknowns() != unknowns) current_->resize(unknowns);
    const bool keeps_scales = current_->scaling.is_computed() && current_->factor(matrix) < 0;
    const int singular =
        keeps_scales ? -1 : by_either_start([&](auto start) { return current_->factor(matrix, start); });
    is_delicate_ = current_->ldlt.is_delicate();
    return singular < 0 ? Outcome() : singular_matrix(name(), *equations_, matrix, singular);
  }

  void do_solve(const Eigen::VectorXd& f, const Eigen::VectorXd& g, Eigen::VectorXd& w,
                Eigen::VectorXd& lambda) override {
    current_->scaling.scale(f, g, current_->x);
    current_->ldlt.solve(current_->x);
    current_->scaling.unscale(current_->x, w, lambda);
  }

  std::array<Factors, 2> factors_;  // velocity and position
  Factors* current_ = nullptr;
};

}  // namespace

std::unique_ptr<LinearSolver> make_ldlt() { return std::make_unique<Ldlt>(); }

}  // namespace linkwork
