#pragma once

#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/solvers/dae/kinematic_matrix.hpp>
#include <linkwork/solvers/linear/klu_factors.hpp>
#include <linkwork/solvers/linear/sparse_matrix.hpp>

#include <Eigen/Core>
#include <utility>
#include <vector>

namespace linkwork {

/// Rows of a selection or combination E of components, as (component, factor).
struct Combinations {
  std::vector<std::vector<std::pair<int, double>>> rows;

  int count() const { return static_cast<int>(rows.size()); }
  /// y = E x
  void apply(const Eigen::VectorXd& x, Eigen::VectorXd& y) const;
  /// One component in each row.
  static Combinations selection(const std::vector<int>& components);
  /// All components in all rows.
  static Combinations dense(const Eigen::MatrixXd& E);
};

/// The regular matrix [rows of C; E Z] or [rows of G; E] of a full system and of independent coordinates, which tells
/// the velocities that leave constraints and independent coordinates with given rates. Rows and columns in sizes that
/// no unit decides, factored as a sparse matrix.
class ConstraintSystem {
 public:
  /// @param kind      rows of C with E of positions, or rows of G with E of velocities
  /// @param chosen    independent constraint rows, as many as are missing
  ConstraintSystem(EquationsOfMotion& equations, RowKind kind, std::vector<int> chosen, Combinations E);

  const std::vector<int>& rows() const { return chosen_; }
  const Combinations& combinations() const { return E_; }

  /// At the position of the equations. @return whether the matrix is regular
  bool factor();
  /// Velocities x of right sides for the constraint rows and for E, one after the other; the same vector.
  void solve(Eigen::VectorXd& x);

 private:
  void place();
  void write_constraints();
  void write_combinations();
  const BlockMatrix& constraints();

  EquationsOfMotion& equations_;
  RowKind kind_;
  std::vector<int> chosen_;
  Combinations E_;
  KinematicMatrix Z_;
  std::vector<int> equation_of_row_;       // by constraint row; -1: left out
  Eigen::VectorXd row_factors_, columns_;  // of the matrix that is factored
  SparseMatrix matrix_;
  // Rows of a selection are blocks of their own: without them factors fill up where many coordinates are independent.
  KluFactors factors_{true, 1e-14};
};

}  // namespace linkwork
