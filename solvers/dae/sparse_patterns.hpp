#pragma once

// Internal: what systems of equations have in common in building their patterns.

#include <linkwork/core/block_matrix.hpp>
#include <linkwork/core/dependencies.hpp>
#include <linkwork/solvers/linear/sparse_matrix.hpp>

#include <algorithm>
#include <vector>

namespace linkwork::detail {

/// Brings the rows of a pattern, filled in any order, into theirs.
inline void sort_rows(SparsityPattern& pattern) {
  for (std::vector<int>& row : pattern.rows) {
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
  }
}

inline bool contains(const std::vector<int>& sorted, int x) {
  return std::binary_search(sorted.begin(), sorted.end(), x);
}

/// Calls visit(row, column, value) for all entries of the blocks.
template <class Visit>
void visit_blocks(const BlockMatrix& matrix, const Visit& visit) {
  for (std::size_t b = 0; b < matrix.blocks().size(); ++b) {
    const BlockMatrix::Block& block = matrix.blocks()[b];
    const double* value = matrix.values(static_cast<int>(b));
    for (int i = 0; i < block.height; ++i)
      for (int j = 0; j < block.width; ++j) visit(block.row + i, block.column + j, *value++);
  }
}

/// Adds to an entry, where the matrix has a place for it.
inline void write(SparseMatrix& matrix, int row, int column, double value) {
  if (const int place = matrix.place(row, column); place >= 0) matrix.value(place) += value;
}

}  // namespace linkwork::detail
