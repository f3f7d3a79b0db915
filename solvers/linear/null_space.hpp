#pragma once

// Internal: multipliers that redundant rows leave open.

#include <linkwork/core/block_matrix.hpp>
#include <linkwork/solvers/linear/linear_solver.hpp>
#include <linkwork/solvers/linear/redundancy.hpp>
#include <linkwork/solvers/linear/row_elimination.hpp>

#include <Eigen/Core>
#include <memory>

namespace linkwork {

/// The null space of G^T, in multipliers divided by their row scales: what may be added to multipliers, and what right
/// sides must not contain. Its dimension is that found once, also where drifting positions make redundant rows
/// independent by a little, so that it moves smoothly with the position.
class NullSpace {
 public:
  virtual ~NullSpace() = default;
  /// Goes to another position.
  /// @param independent  has factored the matrix of the independent rows there
  /// @return false where the choice of rows and columns is no good any more
  virtual bool follow(const BlockMatrix& G, LinearSolver& independent) = 0;
  /// Takes the part in the null space away. No allocation.
  virtual void drop_from(Eigen::VectorXd& x) = 0;
  /// Multiply-adds that another position costs; -1: not counted.
  virtual double operations() { return -1; }
  /// Whether the choice of rows that it was made with is as good as the one found now, of the same rank.
  virtual bool is_as_good_as(const SparseRank& found) const = 0;
};

/// By an orthonormal basis N, continued from position to position with the independent rows I and the redundant R:
///   [M, G_I^T; G_I, 0] [.; N_I] = [-G_R^T; 0],  N_R = 1
std::unique_ptr<NullSpace> make_dense_null_space(const Redundancy& redundancy, const Eigen::VectorXd& row_scales);
/// By independent columns C of the scaled rows, as the null space of G_C^T. What x has there is w of
///   [1, G_C; G_C^T, 0] [w; .] = [x; 0]
/// so that no basis is needed, and a projection costs as much as a solution by sparse-lu.
std::unique_ptr<NullSpace> make_sparse_null_space(const SparseRank& rank, const Eigen::VectorXd& row_scales,
                                                  const BlockMatrix& G);

}  // namespace linkwork
