#pragma once

#include <linkwork/core/block_matrix.hpp>

#include <Eigen/Core>
#include <algorithm>

namespace linkwork {

/// One step of iterative refinement, for factors that have lost digits: eliminations that keep to an order whatever the
/// numbers are do so where small pivots are differences of large numbers. With the matrix as it was before the
/// elimination, one step leaves an error as that of a stable one, as long as the factors have some right digits (Skeel,
/// Iterative refinement implies numerical stability for Gaussian elimination, Math. Comp. 35 (1980)).
class Refinement {
 public:
  /// The matrix [M, G^T - F; G, 0] that was factored. Allocates when its blocks have changed only.
  /// @param F  may be null
  void keep(const BlockMatrix& M, const BlockMatrix& G, const BlockMatrix* F = nullptr) {
    copy(M, M_);
    copy(G, G_);
    has_F_ = F != nullptr;
    if (F) copy(*F, F_);
  }
  /// @param solve  solve(f, g, w, lambda) with the factors; arrays may coincide
  template <class Solve>
  void operator()(Solve&& solve, const Eigen::VectorXd& f, const Eigen::VectorXd& g, Eigen::VectorXd& w,
                  Eigen::VectorXd& lambda) {
    f_ = f;
    g_ = g;
    solve(f, g, w, lambda);
    M_.multiply_add(-1, w, f_);
    G_.transpose_multiply_add(-1, lambda, f_);
    if (has_F_) F_.multiply_add(1, lambda, f_);
    G_.multiply_add(-1, w, g_);
    correct(solve, w, lambda);
  }
  /// The same for a solution that is there already, without keep.
  /// @param residual  residual(f, g) writes what the solution leaves of the right sides
  template <class Solve, class Residual>
  void improve(Solve&& solve, Residual&& residual, Eigen::VectorXd& w, Eigen::VectorXd& lambda) {
    residual(f_, g_);
    correct(solve, w, lambda);
  }

 private:
  static void copy(const BlockMatrix& from, BlockMatrix& to) {
    if (to.rows() == from.rows() && to.columns() == from.columns() && to.size() == from.size())
      std::copy_n(from.data(), from.size(), to.data());
    else
      to = from;
  }

  /// f_ and g_ hold the residual.
  template <class Solve>
  void correct(Solve&& solve, Eigen::VectorXd& w, Eigen::VectorXd& lambda) {
    w_.resize(w.size());
    lambda_.resize(lambda.size());
    solve(f_, g_, w_, lambda_);
    w += w_;
    lambda += lambda_;
  }

  BlockMatrix M_, G_, F_;
  bool has_F_ = false;
  Eigen::VectorXd f_, g_, w_, lambda_;  ///< residual and correction
};

}  // namespace linkwork
