#pragma once

#include <linkwork/solvers/linear/linear_solver.hpp>

#include <Eigen/Core>

namespace linkwork {

/// Symmetric scaling D A D of the augmented matrix A = [M, G^T - F; G, 0] that brings the largest entry of each row of
/// [M G^T; G 0] near 1. Accelerations and multipliers differ by the scale of the masses and of the units: pivots are
/// compared after scaling only. The factors are powers of two, so that scaling commits no rounding error.
///
/// Rows of that size leave a choice, and no choice suits all matrices. A light body that joints hold between heavy ones
/// moves as these do: its own mass is to vanish beside its rows, as it does from the units on. A light body that moves
/// by itself needs its mass at the size of the rows, as it has from the masses on, by 1 / sqrt(M_ii). Where one start
/// leaves a matrix singular the other one has to be asked (see by_either_start). Source: D. Ruiz, A scaling algorithm
/// to equilibrate both rows and columns norms in matrices, RAL-TR-2001-034.
class Equilibration {
 public:
  enum class Start { units, masses };

  Equilibration() = default;
  Equilibration(const AugmentedMatrix& matrix, Start start) {
    resize(matrix.M->rows() + matrix.G->rows());
    compute(matrix, start);
  }
  /// Makes room, so that compute does not allocate.
  void resize(int unknowns);
  void compute(const AugmentedMatrix& matrix, Start start);
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
  void start_from_masses(const AugmentedMatrix& matrix);

  Eigen::VectorXd factors_, largest_;
  bool computed_ = false;
};

/// A factorisation with new scales, from either start until one succeeds.
/// @param factor  factor(start) returns the unknown whose pivot vanished, or -1
/// @return -1, or what the first start returned
template <class Factor>
int by_either_start(Factor&& factor) {
  const int unknown = factor(Equilibration::Start::units);
  return unknown < 0 || factor(Equilibration::Start::masses) < 0 ? -1 : unknown;
}

}  // namespace linkwork
