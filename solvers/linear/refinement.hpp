#pragma once

#include <linkwork/solvers/linear/linear_solver.hpp>

#include <Eigen/Core>
#include <algorithm>

namespace linkwork {

/// One step of iterative refinement, for eliminations that keep to an order whatever the numbers are.
class Refinement {
 public:
  void resize(const AugmentedMatrix& matrix) {
    M_ = *matrix.M;
    G_ = *matrix.G;
    f_.resize(M_.rows());
    g_.resize(G_.rows());
    w_.resize(M_.rows());
    lambda_.resize(G_.rows());
  }
  /// The values of the matrix that was factored; blocks as they were.
  void keep(const AugmentedMatrix& matrix) {
    std::copy_n(matrix.M->data(), matrix.M->size(), M_.data());
    std::copy_n(matrix.G->data(), matrix.G->size(), G_.data());
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
    G_.multiply_add(-1, w, g_);
    solve(f_, g_, w_, lambda_);
    w += w_;
    lambda += lambda_;
  }

 private:
  BlockMatrix M_, G_;
  Eigen::VectorXd f_, g_, w_, lambda_;  ///< residual and correction
};

}  // namespace linkwork
