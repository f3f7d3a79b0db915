#include <linkwork/solvers/linear/redundancy.hpp>

#include <linkwork/core/dense_factors.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace linkwork {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// Pivots of redundant rows at exact positions are a few rounding errors; smaller ones say nothing more.
constexpr double pivot_rounding = 1e-15;
// Of what entries of a column are like: rounding errors stay below the limits for redundant rows even far from the
// origin, and arms of a millionth of the mechanism's length above.
constexpr double negligible_column_share = 1e-3;

/// The widest gap among small pivots.
int rank_by_gap(const Eigen::VectorXd& pivots, const RankLimits& limits) {
  const int rows = static_cast<int>(pivots.size());
  int rank = rows;
  double widest = limits.gap;
  for (int i = 0; i < rows; ++i) {
    if (pivots[i] > limits.redundant || gap_of_pivots(pivots, i) < widest) continue;
    widest = gap_of_pivots(pivots, i);
    rank = i;
  }
  return rank;
}

bool still_holds(const Eigen::VectorXd& pivots, int rank, const RankLimits& limits) {
  if (rank < 0 || rank >= pivots.size()) return false;
  return pivots[rank] <= limits.kept && gap_of_pivots(pivots, rank) >= limits.kept_gap;
}

/// Of rows without a column: nothing moves, and nothing is left to constrain.
Redundancy all_redundant(Eigen::Index rows) {
  Redundancy out;
  out.redundant_rows.resize(static_cast<std::size_t>(rows));
  std::iota(out.redundant_rows.begin(), out.redundant_rows.end(), 0);
  out.combinations = Eigen::MatrixXd::Identity(rows, rows);
  out.pivots = Eigen::VectorXd::Zero(rows);
  out.gap = infinity;
  return out;
}

}  // namespace

double negligible_column(double length) { return negligible_column_share * std::min(1.0, length); }

double gap_of_pivots(const Eigen::VectorXd& pivots, int rank) {
  if (rank >= pivots.size()) return infinity;
  const double before = rank == 0 ? 1.0 : pivots[rank - 1];
  return before / std::max(pivots[rank], pivot_rounding);
}

int rank_of_pivots(const Eigen::VectorXd& pivots, int known_rank, const RankLimits& limits) {
  const int rank = rank_by_gap(pivots, limits);
  // More redundant rows need a gap of their own; fewer ones only come when the known gap has closed.
  return still_holds(pivots, known_rank, limits) ? std::min(rank, known_rank) : rank;
}

std::vector<int> Redundancy::members(int j, const Eigen::VectorXd& row_scales, double share) const {
  const Eigen::VectorXd weights = combinations.col(j).cwiseQuotient(row_scales).cwiseAbs();
  const double least = share * weights.maxCoeff();
  std::vector<int> out;
  for (Eigen::Index i = 0; i < weights.size(); ++i)
    if (weights[i] >= least) out.push_back(static_cast<int>(i));
  return out;
}

Redundancy find_redundancy(const Eigen::MatrixXd& G, const Eigen::VectorXd& row_scales, double length, int known_rank,
                           bool force_known, const RankLimits& limits) {
  const Eigen::Index rows = G.rows();
  if (rows == 0 || G.cols() == 0) return all_redundant(rows);
  Redundancy out;
  Eigen::MatrixXd A = G.transpose() * row_scales.asDiagonal();
  for (Eigen::Index j = 0; j < A.rows(); ++j)
    A.row(j) /= std::max(A.row(j).cwiseAbs().maxCoeff(), negligible_column(length));
  const PivotedQr qr(A);

  out.pivots = Eigen::VectorXd::Zero(rows);
  const Eigen::Index diagonal = std::min(rows, A.rows());
  out.pivots.head(diagonal) = qr.packed().diagonal().cwiseAbs();
  out.pivots /= std::max(out.pivots[0], 1.0);
  const int rank = force_known ? known_rank : rank_of_pivots(out.pivots, known_rank, limits);
  out.rank = std::min(rank, static_cast<int>(diagonal));
  out.gap = gap_of_pivots(out.pivots, out.rank);

  const Eigen::VectorXi& places = qr.column_order();
  std::vector<int> order(static_cast<std::size_t>(rows));
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = places[static_cast<Eigen::Index>(i)];
  const auto border = order.begin() + out.rank;
  std::sort(border, order.end());
  out.redundant_rows.assign(border, order.end());

  // R = [R1 R2; 0 0]: the redundant rows are R2^T R1^-T times the independent ones.
  const Eigen::Index redundant = rows - out.rank;
  out.combinations = Eigen::MatrixXd::Zero(rows, redundant);
  Eigen::MatrixXd weights = qr.packed().topRightCorner(out.rank, redundant);
  if (weights.size() > 0)  // a triangular solution refers to a first entry
    qr.packed().topLeftCorner(out.rank, out.rank).triangularView<Eigen::Upper>().solveInPlace(weights);
  for (Eigen::Index k = 0; k < redundant; ++k) {
    const int row = places[out.rank + k];
    const auto found = std::lower_bound(out.redundant_rows.begin(), out.redundant_rows.end(), row);
    auto column = out.combinations.col(found - out.redundant_rows.begin());
    for (Eigen::Index i = 0; i < out.rank; ++i)
      column[places[i]] = -weights(i, k) * row_scales[places[i]] / row_scales[row];
    column[row] = 1;
  }
  std::sort(order.begin(), border);
  out.independent_rows.assign(order.begin(), border);
  return out;
}

double row_scale(const EquationsOfMotion& equations, int row, double length) {
  return equations.constraint_measure(row) == Measure::angle ? length : 1.0;
}

Eigen::VectorXd row_scales(const EquationsOfMotion& equations) {
  const double length = equations.characteristic_length();
  Eigen::VectorXd scales(equations.dimensions().constraints());
  for (Eigen::Index i = 0; i < scales.size(); ++i) scales[i] = row_scale(equations, static_cast<int>(i), length);
  return scales;
}

}  // namespace linkwork
