#pragma once

#include <linkwork/solvers/linear/linear_solver.hpp>

#include <Eigen/Core>

namespace linkwork {

/// Symmetric scaling D A D of the augmented matrix A = [M, G^T - F; G, 0] that brings the largest entry of each row of
/// [M G^T; G 0] near 1. Accelerations and multipliers differ by the scale of the masses and of the units: pivots are
/// compared after scaling only. The factors are powers of two, so that scaling commits no rounding error.
/// Source: D. Ruiz, A scaling algorithm to equilibrate both rows and columns norms in matrices, RAL-TR-2001-034.
class Equilibration {
 public:
  /// Makes room, so that compute does not allocate.
  void resize(int unknowns);
  void compute(const AugmentedMatrix& matrix);
  bool is_computed() const { return computed_; }
  int unknowns() const { return static_cast<int>(factors_.size()); }
  /// Diagonal of D: accelerations first, then multipliers.
  const Eigen::VectorXd& factors() const { return factors_; }

  /// D A D as a full matrix; `A` must have its size.
  void write_scaled(const AugmentedMatrix& matrix, Eigen::MatrixXd& A) const;
  /// x = D [f; g]
  void scale(const Eigen::VectorXd& f, const Eigen::VectorXd& g, Eigen::VectorXd& x) const;
  /// [w; lambda] = D x
  void unscale(const Eigen::VectorXd& x, Eigen::VectorXd& w, Eigen::VectorXd& lambda) const;

 private:
  Eigen::VectorXd factors_, largest_;
  bool computed_ = false;
};

}  // namespace linkwork
