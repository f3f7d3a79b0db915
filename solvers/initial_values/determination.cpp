#include <linkwork/solvers/initial_values/determination.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/core/dense_factors.hpp>
#include <linkwork/solvers/linear/redundancy.hpp>

#include <algorithm>
#include <cmath>

namespace linkwork {

namespace {

int rank_of(const Eigen::MatrixXd& rows) {
  return rows.rows() == 0 ? 0 : find_redundancy(rows, Eigen::VectorXd::Ones(rows.rows()), 1.0).rank;
}

/// Unknowns that can be chosen independently, as many as are free.
std::vector<int> free_unknowns(const Eigen::MatrixXd& rows, int rank) {
  const Eigen::Index columns = rows.cols(), free = columns - rank;
  if (free <= 0) return {};
  Eigen::MatrixXd N = Eigen::MatrixXd::Identity(columns, columns).rightCols(free);
  if (rank > 0) N = PivotedQr(rows.transpose()).Q_times(N);
  const PivotedQr choice(N.transpose());
  std::vector<int> out;
  for (Eigen::Index i = 0; i < free; ++i) out.push_back(choice.column_order()[i]);
  std::sort(out.begin(), out.end());
  return out;
}

/// Conditions that follow from the rows before them.
void find_redundant_conditions(Consistency& problem, const Eigen::MatrixXd& rows, std::vector<std::string>& out) {
  constexpr double share = 1e-3, negligible = 1e-7;
  const int constraints = problem.constraint_rows();
  int rank = rank_of(rows.topRows(constraints));
  for (std::size_t k = 0; k < problem.conditions().size(); ++k) {
    const Eigen::Index row = constraints + static_cast<Eigen::Index>(k);
    const int with = rank_of(rows.topRows(row + 1));
    if (with > rank) {
      rank = with;
      continue;
    }
    Eigen::VectorXd weights = Eigen::VectorXd::Zero(row);
    if (row > 0 && rows.cols() > 0)
      weights = OrthogonalFactors(rows.topRows(row).transpose(), negligible).solve(rows.row(row).transpose());
    std::vector<int> members;
    for (int i = 0; i < weights.size(); ++i)
      if (std::abs(weights[i]) > share) members.push_back(i);
    const std::string from = problem.named(members, nullptr);
    const std::string condition = concat("condition ", problem.conditions()[k]->text());
    out.push_back(from.empty() ? concat(condition, " holds here whatever may move: it determines nothing.")
                               : concat(condition, " follows from ", from, ": it determines nothing more."));
  }
}

}  // namespace

Determination determination(Consistency& problem, const State& x) {
  const Eigen::MatrixXd rows = problem.scaled_jacobian(x);
  Determination out;
  out.free = free_unknowns(rows, rank_of(rows));
  find_redundant_conditions(problem, rows, out.redundant_conditions);
  return out;
}

}  // namespace linkwork
