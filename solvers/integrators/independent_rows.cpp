#include <linkwork/solvers/integrators/independent_rows.hpp>

#include <linkwork/solvers/linear/redundancy.hpp>

#include <Eigen/QR>
#include <Eigen/SVD>

namespace linkwork {

void IndependentRows::find(EquationsOfMotion& equations, int known_rank) {
  const Eigen::MatrixXd G = equations.G().dense();
  scales_ = row_scales(equations);
  const Redundancy found = find_redundancy(G, scales_, equations.characteristic_length(), known_rank);
  rank_ = found.rank;
  if (known_rank < 0) {
    redundant_rows_ = found.redundant_rows;
    chosen_rank_ = rank_;
  }
  const Eigen::MatrixXd scaled = scales_.cwiseInverse().asDiagonal() * found.combinations;
  null_ = Eigen::HouseholderQR<Eigen::MatrixXd>(scaled).householderQ() *
          Eigen::MatrixXd::Identity(scaled.rows(), scaled.cols());
}

void IndependentRows::choose(EquationsOfMotion& equations) {
  find(equations, -1);
  has_changed_ = false;
}

void IndependentRows::follow(EquationsOfMotion& equations) {
  constexpr double nearly_dependent = 1e-3;
  find(equations, chosen_rank_);
  has_changed_ = rank_has_changed();
  independence_ = 1;
  if (has_changed_ || redundant_rows_.empty()) return;
  Eigen::MatrixXd part(static_cast<Eigen::Index>(redundant_rows_.size()), null_.cols());
  for (Eigen::Index i = 0; i < part.rows(); ++i) part.row(i) = null_.row(redundant_rows_[static_cast<std::size_t>(i)]);
  const Eigen::VectorXd sizes = Eigen::JacobiSVD<Eigen::MatrixXd>(part).singularValues();
  independence_ = sizes[sizes.size() - 1];
  has_changed_ = independence_ < nearly_dependent;
}

void IndependentRows::reduce(Eigen::VectorXd& lambda) const {
  if (redundant_rows_.empty()) return;
  const auto count = static_cast<Eigen::Index>(redundant_rows_.size());
  Eigen::MatrixXd part(count, null_.cols());
  Eigen::VectorXd wanted(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const int row = redundant_rows_[static_cast<std::size_t>(i)];
    part.row(i) = null_.row(row);
    wanted[i] = lambda[row] / scales_[row];
  }
  lambda -= scales_.asDiagonal() * (null_ * part.fullPivHouseholderQr().solve(wanted));
  for (const int row : redundant_rows_) lambda[row] = 0;
}

void IndependentRows::spread(Eigen::VectorXd& lambda) const {
  const Eigen::VectorXd forces = lambda.cwiseQuotient(scales_);
  lambda -= scales_.asDiagonal() * (null_ * (null_.transpose() * forces));
}

void choose_independent_rows(std::optional<IndependentRows>& rows, EquationsOfMotion& equations,
                             const LinearSolver& solver, State& state) {
  if (!rows && !solver.redundant_rows().empty()) rows.emplace();
  equations.set(state);
  if (!rows) return;
  rows->choose(equations);
  rows->reduce(state.lambda);
  equations.set(state);
}

}  // namespace linkwork
