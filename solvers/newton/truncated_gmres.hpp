#pragma once

// Internal.

#include <Eigen/Core>
#include <functional>

namespace linkwork {

/// A fixed number of steps of GMRES without a restart, from zero: of all z in the span of r, B r, ..., B^(n-1) r it
/// takes the one with the smallest |r - B z|, where r and B are preconditioned already. The polynomials of n steps of
/// z := z + r - B z are in that span, so that those never leave less; where B - I has rank k, n = k + 1 steps are
/// exact. Source: Y. Saad, Iterative Methods for Sparse Linear Systems (2003), 6.5.
class TruncatedGmres {
 public:
  /// product := B direction. @return whether it could be evaluated
  using Multiply = std::function<bool(const Eigen::VectorXd& direction, Eigen::VectorXd& product)>;

  /// @param most  steps that there is room for
  TruncatedGmres(Eigen::Index size, int most);

  /// z := the approximation to B^-1 r after so many steps, fewer where these span all that there is, or where a product
  /// can't be evaluated; r itself where none can.
  /// @return steps that were done. Allocates nothing.
  int solve(const Eigen::VectorXd& r, int steps, const Multiply& multiply, Eigen::VectorXd& z);
  /// |r - B z| / |r| of the last solution; 1 where no step could be done.
  double left() const { return left_; }

 private:
  bool extend(int column);
  void combine(int columns, Eigen::VectorXd& z);

  Eigen::MatrixXd basis_;  // by column, orthonormal
  Eigen::MatrixXd H_;      // Hessenberg, turned into a triangle
  double left_ = 1;
  Eigen::VectorXd cosines_, sines_, right_, direction_, product_;
};

}  // namespace linkwork
