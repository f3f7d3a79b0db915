#pragma once

#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/solvers/reductions/reduction_options.hpp>

#include <Eigen/Core>
#include <vector>

namespace linkwork {

/// Rows of a constraint matrix that are independent of each other, and a partition of its columns: the dependent ones
/// make a regular matrix with these rows, so that the others may have any velocities.
struct IndependentColumns {
  std::vector<int> rows, redundant_rows;
  std::vector<int> dependent, independent;  ///< velocities, ascending
};

/// The constraint matrix G (or C) in sizes that no unit decides: rows over what constraints measure, columns times what
/// counts as one of each velocity. dense: rows x velocities.
Eigen::MatrixXd scaled_rows(EquationsOfMotion& equations, const BlockMatrix& G);

/// At the position of the equations, which satisfies the constraints. The rank is that of find_redundancy.
/// @param G  of the equations, or C
IndependentColumns choose_columns(EquationsOfMotion& equations, const BlockMatrix& G, PartitionPivoting pivoting,
                                  bool scaled);

/// Velocities by columns, n_v x independent, that leave the rows as they are and move one independent velocity each.
Eigen::MatrixXd null_space_of(const BlockMatrix& G, const IndependentColumns& columns);

}  // namespace linkwork
