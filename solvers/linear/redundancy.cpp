#include <linkwork/solvers/linear/redundancy.hpp>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace linkwork {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// Pivots of redundant rows at exact positions are a few rounding errors; smaller ones say nothing more.
constexpr double rounding = 1e-15;

double ratio_at(const Eigen::VectorXd& pivots, int rank) {
  if (rank >= pivots.size() || rank == 0) return infinity;
  return pivots[rank - 1] / std::max(pivots[rank], rounding);
}

/// The widest gap among small pivots.
int rank_by_gap(const Eigen::VectorXd& pivots, const RankLimits& limits) {
  const int rows = static_cast<int>(pivots.size());
  int rank = rows;
  double widest = limits.gap;
  for (int i = 1; i < rows; ++i) {
    if (pivots[i] > limits.redundant || ratio_at(pivots, i) < widest) continue;
    widest = ratio_at(pivots, i);
    rank = i;
  }
  return rank;
}

bool still_holds(const Eigen::VectorXd& pivots, int rank, const RankLimits& limits) {
  if (rank < 0 || rank >= pivots.size()) return false;
  return pivots[rank] <= limits.kept && ratio_at(pivots, rank) >= limits.kept_gap;
}

int decide(const Eigen::VectorXd& pivots, int known_rank, bool force_known, const RankLimits& limits) {
  const int rank = rank_by_gap(pivots, limits);
  if (force_known) return known_rank;
  // More redundant rows need a gap of their own; fewer ones only come when the known gap has closed.
  return still_holds(pivots, known_rank, limits) ? std::min(rank, known_rank) : rank;
}

}  // namespace

std::vector<int> Redundancy::members(int j, const Eigen::VectorXd& row_scales, double share) const {
  const Eigen::VectorXd weights = combinations.col(j).cwiseQuotient(row_scales).cwiseAbs();
  const double least = share * weights.maxCoeff();
  std::vector<int> out;
  for (Eigen::Index i = 0; i < weights.size(); ++i)
    if (weights[i] >= least) out.push_back(static_cast<int>(i));
  return out;
}

Redundancy find_redundancy(const Eigen::MatrixXd& G, const Eigen::VectorXd& row_scales, int known_rank,
                           bool force_known, const RankLimits& limits) {
  const Eigen::Index rows = G.rows();
  Redundancy out;
  out.gap = infinity;
  if (rows == 0) return out;
  Eigen::MatrixXd A = G.transpose() * row_scales.asDiagonal();
  for (Eigen::Index j = 0; j < A.rows(); ++j)
    if (const double largest = A.row(j).cwiseAbs().maxCoeff(); largest > 0) A.row(j) /= largest;
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(A);

  out.pivots = Eigen::VectorXd::Zero(rows);
  const Eigen::Index diagonal = std::min(rows, A.rows());
  out.pivots.head(diagonal) = qr.matrixQR().diagonal().cwiseAbs();
  if (const double largest = out.pivots[0]; largest > 0) out.pivots /= largest;
  out.rank = std::min(decide(out.pivots, known_rank, force_known, limits), static_cast<int>(diagonal));
  out.gap = ratio_at(out.pivots, out.rank);

  std::vector<int> order(static_cast<std::size_t>(rows));
  for (std::size_t i = 0; i < order.size(); ++i)
    order[i] = qr.colsPermutation().indices()[static_cast<Eigen::Index>(i)];
  const auto border = order.begin() + out.rank;
  std::sort(border, order.end());
  out.redundant_rows.assign(border, order.end());

  // R = [R1 R2; 0 0]: the redundant rows are R2^T R1^-T times the independent ones.
  const Eigen::Index redundant = rows - out.rank;
  out.combinations = Eigen::MatrixXd::Zero(rows, redundant);
  Eigen::MatrixXd weights = qr.matrixQR().topRightCorner(out.rank, redundant);
  if (weights.size() > 0)  // a triangular solution refers to a first entry
    qr.matrixQR().topLeftCorner(out.rank, out.rank).triangularView<Eigen::Upper>().solveInPlace(weights);
  const auto& places = qr.colsPermutation().indices();
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

double characteristic_length(const EquationsOfMotion& equations, const Eigen::MatrixXd& G) {
  std::vector<bool> angular(static_cast<std::size_t>(G.cols()), false);
  const auto measures_angle = [&](Eigen::Index row) {
    return equations.constraint_unit(static_cast<int>(row)) == "rad";
  };
  for (Eigen::Index i = 0; i < G.rows(); ++i)
    if (measures_angle(i))
      for (Eigen::Index j = 0; j < G.cols(); ++j)
        if (G(i, j) != 0) angular[static_cast<std::size_t>(j)] = true;
  constexpr double negligible = 1e-6;  // of the largest entry: no lever arm but a rounding error
  const double least = G.size() > 0 ? negligible * G.cwiseAbs().maxCoeff() : 0.0;
  double sum = 0;
  int count = 0;
  for (Eigen::Index i = 0; i < G.rows(); ++i) {
    if (measures_angle(i)) continue;
    for (Eigen::Index j = 0; j < G.cols(); ++j) {
      if (!angular[static_cast<std::size_t>(j)] || std::abs(G(i, j)) <= least) continue;
      sum += G(i, j) * G(i, j);
      ++count;
    }
  }
  return sum > 0 ? std::sqrt(sum / count) : 1.0;
}

Eigen::VectorXd row_scales(const EquationsOfMotion& equations, const Eigen::MatrixXd& G) {
  const double length = characteristic_length(equations, G);
  Eigen::VectorXd scales = Eigen::VectorXd::Ones(G.rows());
  for (Eigen::Index i = 0; i < G.rows(); ++i)
    if (equations.constraint_unit(static_cast<int>(i)) == "rad") scales[i] = length;
  return scales;
}

}  // namespace linkwork
