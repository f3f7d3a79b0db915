#pragma once

#include <linkwork/core/block_matrix.hpp>
#include <linkwork/core/dense_factors.hpp>

#include <vector>

namespace linkwork {

/// Cholesky factors of a mass matrix, one for each set of velocities that its blocks connect: a body in absolute
/// coordinates, a tree in joint coordinates.
class MassFactors {
 public:
  MassFactors() = default;
  explicit MassFactors(const BlockMatrix& M);

  /// @param M  with the blocks of the constructor
  /// @return whether M is positive definite, pivots at least singular_pivot times their diagonal entries
  bool factor(const BlockMatrix& M);
  /// x := M^-1 x
  void solve_in_place(Eigen::VectorXd& x);

 private:
  struct Component {
    std::vector<int> columns;
    Eigen::MatrixXd matrix;
    CholeskyFactors factors;
    Eigen::VectorXd x;
  };
  std::vector<Component> components_;
  std::vector<int> component_, place_;  // of each velocity: which, and the place there
};

}  // namespace linkwork
