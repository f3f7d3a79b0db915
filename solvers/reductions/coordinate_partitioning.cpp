#include <linkwork/solvers/reductions/coordinate_partitioning.hpp>

#include <linkwork/core/at.hpp>
#include <linkwork/core/dense_factors.hpp>
#include <linkwork/solvers/reductions/independent_columns.hpp>

#include <algorithm>
#include <memory>

namespace linkwork {

namespace {

/// Positions that move with one velocity each alone, by velocity: where Z has one entry in its column and in its row.
/// -1 elsewhere.
std::vector<int> own_positions(EquationsOfMotion& equations) {
  const KinematicMatrix Z(equations);
  const Dimensions& n = equations.dimensions();
  std::vector<int> own(detail::at(n.v), -1), columns(detail::at(n.p), 0);
  for (int j = 0; Z.is_known() && j < n.v; ++j)
    for (const int i : Z.rows(j)) ++columns[detail::at(i)];
  for (int j = 0; Z.is_known() && j < n.v; ++j)
    if (Z.rows(j).size() == 1 && columns[detail::at(Z.rows(j).front())] == 1) own[detail::at(j)] = Z.rows(j).front();
  return own;
}

/// As many positions as N has columns, which Z N moves independently of each other.
std::vector<int> pivot_positions(EquationsOfMotion& equations, const Eigen::MatrixXd& N) {
  Eigen::MatrixXd rates(N.cols(), equations.dimensions().p);
  Eigen::VectorXd rate;
  for (Eigen::Index k = 0; k < N.cols(); ++k) {
    equations.multiply_Z(N.col(k), rate);
    rates.row(k) = rate;
  }
  const PivotedQr factors(rates);
  std::vector<int> positions(factors.column_order().data(), factors.column_order().data() + N.cols());
  std::sort(positions.begin(), positions.end());
  return positions;
}

}  // namespace

IndependentCoordinates::Choice CoordinatePartitioning::choose() {
  const IndependentColumns velocities = choose_columns(full_, full_.G(), options_.pivoting, options_.scaled);
  const Dimensions& n = full_.dimensions();
  // Without nonholonomic rows both levels have the same independent velocities.
  const IndependentColumns positions =
      n.mu == 0 ? velocities : choose_columns(full_, full_.C(), options_.pivoting, options_.scaled);
  std::vector<int> own = own_positions(full_);
  position_of_.clear();
  for (const int j : positions.independent) position_of_.push_back(own[detail::at(j)]);
  if (std::find(position_of_.begin(), position_of_.end(), -1) != position_of_.end())
    position_of_ = pivot_positions(full_, null_space_of(full_.C(), positions));
  velocity_of_ = velocities.independent;
  return {positions.rows, velocities.rows, Combinations::selection(position_of_),
          Combinations::selection(velocity_of_)};
}

std::unique_ptr<ReducedEquations> make_partitioned(EquationsOfMotion& full, LinearSolver& solver,
                                                   const ReductionOptions& options) {
  return std::make_unique<CoordinatePartitioning>(full, solver, options);
}

}  // namespace linkwork
