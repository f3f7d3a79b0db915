#pragma once

#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/linear/sparse_matrix.hpp>

#include <cstdint>

namespace linkwork {

/// What KLU makes of a matrix, rows and columns brought to equal size.
struct FactorizationCosts {
  int unknowns = 0, nonzeros = 0;
  std::int64_t entries = 0;  ///< of the factors: multiply-adds of a solution
  double operations = 0;     ///< multiply-adds of a factorisation with pivots that are known
};

/// An iteration matrix as it is, and with its first unknowns, the positions, eliminated before it is factored (size
/// reduction, DASSL+ 5.1):
///   [J_11 J_12; J_21 J_22]  ->  J_22 - J_21 J_11^-1 J_12
/// J_11 is diagonal where p' = v; with p' = Z(p) (v - D G^T eta) it is block diagonal, a block for the positions that
/// depend on each other, those of a body mostly.
struct PositionElimination {
  FactorizationCosts whole, reduced;
  SparsityPattern reduced_pattern;       ///< of the reduced matrix
  double elimination_operations = 0;     ///< multiply-adds that lead to the reduced matrix
  std::int64_t elimination_entries = 0;  ///< multiply-adds of a solution beside those with its factors
  int largest_block = 0;
  /// What the solution by the reduced matrix leaves of an equation, relative to its largest sum of terms.
  double residual = 0;
};

/// Compares the two; for studies, as it factors both with new pivots.
/// @param J  square
/// @param positions  how many unknowns and equations, the first ones, are eliminated
/// Fails for matrices that are singular, with what is.
Outcome compare_position_elimination(const SparseMatrix& J, int positions, PositionElimination& comparison);

}  // namespace linkwork
