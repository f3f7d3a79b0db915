#pragma once

namespace linkwork {

// L U with complete pivoting of a small symmetric matrix that is equilibrated first (by powers of two, see
// Equilibration): for indefinite pivot blocks whose parts may be semidefinite or nearly so. Triangular solves, not an
// inverse: the multipliers' part of the solution stays accurate where the mass is nearly singular. Nothing is
// allocated.

/// @param A  n x n, row by row; becomes the factors
/// @param scale        n entries: where the equilibration starts, as that of the whole matrix has it; becomes its end
/// @param row, column  n entries each: the partners in the interchanges
/// @return the smallest pivot relative to the largest; 0 if a pivot is below 1e-12 of the largest
double factor_with_complete_pivoting(int n, double* A, double* scale, int* row, int* column);

/// x := A^-1 x
void solve_with_complete_pivoting(int n, const double* factors, const double* scale, const int* row, const int* column,
                                  double* x);

}  // namespace linkwork
