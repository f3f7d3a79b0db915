#pragma once

// Internal: redundant rows of large systems.

#include <linkwork/core/block_matrix.hpp>
#include <linkwork/solvers/linear/redundancy.hpp>

#include <Eigen/Core>
#include <cstdint>
#include <vector>

namespace linkwork {

/// Up to that many rows their rank is decided by a full QR, which is the most reliable; beyond by sparse elimination.
inline constexpr int few_rows = 300;

/// Rank of a sparse matrix, and independent columns beside independent rows: velocities that the rows determine from
/// the others.
struct SparseRank : RowRank {
  std::vector<int> independent_columns;  ///< `rank`, ascending; with the independent rows a regular matrix
  std::int64_t operations = 0;           ///< multiply-adds of the elimination
};

/// What find_redundancy decides, by Gaussian elimination of the rows instead of a QR decomposition of all: rows and
/// columns are scaled and ranks decided as there. The row with the fewest entries comes next, in a column of few
/// entries (Markowitz) that is no smaller than a tenth of the row's largest one. A row that hardly anything is left of,
/// a thousandth of what it was, is kept aside; at the end the largest of those are eliminated as far as the gap in the
/// pivots tells. The cost is that of the fill: linear in the number of loops where they close within a bounded width.
/// Source: I. S. Duff, A. M. Erisman, J. K. Reid, Direct Methods for Sparse Matrices (2017), ch. 5 and 7.
/// @param G, row_scales, length, known_rank, force_known, limits  as in find_redundancy
/// @param known  rows and columns that are taken first, as long as their pivots do not fall to a thousandth; may be
///               null
SparseRank find_sparse_rank(const BlockMatrix& G, const Eigen::VectorXd& row_scales, double length, int known_rank = -1,
                            bool force_known = false, const RankLimits& limits = {}, const SparseRank* known = nullptr);

}  // namespace linkwork
