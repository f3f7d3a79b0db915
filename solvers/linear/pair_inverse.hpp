#pragma once

namespace linkwork {

/// Inverse of the matrix [M^ G^T; G 0] of one body and its joint, in place, row by row, by Gauss-Jordan elimination
/// with complete pivoting of the equilibrated matrix. The lower right part of the inverse, what the joint passes on to
/// the father, is cleaned of entries that are rounding errors, so that a massless body adds exactly nothing.
/// @param A  (size + rows)^2 numbers, size + rows <= 12
/// @return false if a pivot is below 1e-12 of the largest
bool invert_pair(double* A, int size, int rows);

}  // namespace linkwork
