#pragma once

#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/solvers/linear/sparse_matrix.hpp>

#include <vector>

namespace linkwork {

/// Z of p' = Z v as a sparse matrix, found by products with sums of unit vectors whose images do not overlap.
class KinematicMatrix {
 public:
  /// Reads the places of Z from the equations, which outlive this object.
  explicit KinematicMatrix(EquationsOfMotion& equations);

  /// Whether the equations say where Z has entries; if not, the matrix is empty.
  bool is_known() const { return !rows_.empty(); }
  /// The rows in which a column has entries.
  const std::vector<int>& rows(int column) const { return rows_[static_cast<std::size_t>(column)]; }
  /// Z at the current position of the equations.
  void update();
  double value(int row, int column) const { return Z_.value(Z_.place(row, column)); }

 private:
  EquationsOfMotion& equations_;
  SparseMatrix Z_;
  std::vector<std::vector<int>> rows_, groups_;
  Eigen::VectorXd motion_, p_rate_;
};

}  // namespace linkwork
