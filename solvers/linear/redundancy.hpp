#pragma once

#include <linkwork/core/equations_of_motion.hpp>

#include <Eigen/Core>
#include <vector>

namespace linkwork {

/// When a row counts as redundant. Sizes are those of the pivots of scaled rows (see find_redundancy), relative to the
/// first one or to 1, whichever is larger.
struct RankLimits {
  double redundant = 1e-6;  ///< pivots below may belong to redundant rows ...
  double gap = 1e3;         ///< ... if the ratio of neighbours at the border is at least this
  /// A rank found before is kept until the pivots of its redundant rows are larger than this ...
  double kept = 1e-3;
  double kept_gap = 30;  ///< ... or the ratio at the border is smaller than this
};

/// Which rows of a constraint matrix depend on the others.
struct RowRank {
  int rank = 0;
  std::vector<int> independent_rows;  ///< `rank` rows that span all rows, ascending
  std::vector<int> redundant_rows;    ///< the others, ascending
  /// Pivots of the scaled rows, descending, relative to the first one, or to 1 where that is smaller. About the ratios
  /// of the singular values.
  Eigen::VectorXd pivots;
  /// Ratio of the pivots at the border; infinite without redundant rows or where those vanish.
  double gap = 0;
};

/// And how they depend on them.
struct Redundancy : RowRank {
  /// Null space of G^T, rows x redundant rows: column j says how redundant row j (entry 1) depends on the independent
  /// ones, so that G^T combinations = 0. Unscaled: multipliers may change by these combinations.
  Eigen::MatrixXd combinations;

  /// Rows that take part in the j-th dependency, with weights of at least `share` of its largest one.
  std::vector<int> members(int j, const Eigen::VectorXd& row_scales, double share = 1e-3) const;
};

/// Rank of G by Householder QR of its scaled and transposed rows with column pivoting; every choice of rows and the
/// null space follow from it. Rows are scaled by `row_scales`, columns to a largest entry of 1, so that no unit
/// decides. A column of a thousandth of what columns are like (1 m/m, or `length` per radian) and less is not enlarged
/// further: a joint that closed loops hold or leave as it is has rounding errors there, and they constrain nothing. A
/// rank is decided by the widest gap in the pivots; where there is none below limits.redundant, all rows count.
/// @param G            rows x velocities, at positions that satisfy the constraints
/// @param row_scales   one per row, above 0 (see row_scales)
/// @param length       characteristic length of the mechanism [m]
/// @param known_rank   of an earlier position, kept while its gap is there (hysteresis); -1: none. With
///                     `force_known` it is taken without a look at the gap, to choose rows anew only
Redundancy find_redundancy(const Eigen::MatrixXd& G, const Eigen::VectorXd& row_scales, double length,
                           int known_rank = -1, bool force_known = false, const RankLimits& limits = {});

/// Of columns of scaled rows smaller than this, none is enlarged to a largest entry of 1.
double negligible_column(double length);
/// The rank that descending pivots tell, as in find_redundancy.
int rank_of_pivots(const Eigen::VectorXd& pivots, int known_rank, const RankLimits& limits);
/// Ratio of the last pivot of a rank to the next one; infinite where there is none.
double gap_of_pivots(const Eigen::VectorXd& pivots, int rank);

/// The characteristic length for a row of the constraints that measures an angle, else 1. A multiplier divided by its
/// scale is a force [N]; the norm of multipliers is that of these forces.
double row_scale(const EquationsOfMotion& equations, int row, double length);
/// Those of all rows.
Eigen::VectorXd row_scales(const EquationsOfMotion& equations);

}  // namespace linkwork
