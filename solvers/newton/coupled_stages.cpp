#include <linkwork/solvers/newton/coupled_stages.hpp>

#include <linkwork/core/at.hpp>
#include <linkwork/solvers/newton/stage_system.hpp>

#include <algorithm>

namespace linkwork {

/// visit(row, column, value) for all summands of the entries.
template <class Visit>
void CoupledStages::visit_entries(const std::vector<SparseMatrix>& J, const Eigen::MatrixXd& coupling,
                                  const Visit& visit) const {
  const int differential = equations_.layout().differential();
  const auto visit_selected = [&](int equation, int stage, int column, double value) {
    for (int k = S_.begin(equation); k < S_.end(equation); ++k)
      visit(S_.row(k) * stages_ + stage, column, S_.value(k) * value);
  };
  for (int stage = 0; stage < stages_; ++stage) {
    const SparseMatrix& of_stage = J[detail::at(stage)];
    for (int j = 0; j < of_stage.columns(); ++j)
      for (int k = of_stage.begin(j); k < of_stage.end(j); ++k)
        visit_selected(of_stage.row(k), stage, j * stages_ + stage, of_stage.value(k));
    for (int j = 0; j < differential; ++j)  // E has the identity there
      for (int other = 0; other < stages_; ++other)
        visit_selected(j, stage, j * stages_ + other, coupling(stage, other));
  }
}

Outcome CoupledStages::factor(const std::vector<SparseMatrix>& J, const SparseMatrix& S,
                              const Eigen::MatrixXd& coupling) {
  ++factorizations_;
  stages_ = static_cast<int>(J.size());
  S_ = S;
  SparsityPattern places(S.rows() * stages_, equations_.size() * stages_);
  visit_entries(J, coupling, [&](int row, int column, double) { places.rows[detail::at(row)].push_back(column); });
  for (std::vector<int>& columns : places.rows) {
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  }
  matrix_ = SparseMatrix(places);
  visit_entries(J, coupling,
                [&](int row, int column, double value) { matrix_.value(matrix_.place(row, column)) += value; });
  if (matrix_.rows() == 0) return {};
  scale();
  factors_.analyze(matrix_);
  const int column = factors_.choose_pivots(matrix_);
  return column < 0 ? Outcome() : vanished_pivot(equations_, column / stages_);
}

/// From the sizes in which a single equation and its unknown are measured; a combination of equations has none.
void CoupledStages::scale() {
  Eigen::VectorXd rows = Eigen::VectorXd::Zero(equations_.equations()),
                  columns = Eigen::VectorXd::Zero(equations_.size());
  equations_.scale_by_coefficient(1, rows, columns);
  Eigen::VectorXd kept = Eigen::VectorXd::Zero(S_.rows());
  Eigen::VectorXi equations_in_row = Eigen::VectorXi::Zero(S_.rows());
  for (int j = 0; j < S_.columns(); ++j)
    for (int k = S_.begin(j); k < S_.end(j); ++k) kept[S_.row(k)] = ++equations_in_row[S_.row(k)] == 1 ? rows[j] : 0;
  scaling_.compute(matrix_, kept.replicate(1, stages_).transpose().reshaped(),
                   columns.replicate(1, stages_).transpose().reshaped());
  scaling_.write_scaled(matrix_, matrix_);
}

void CoupledStages::solve(const Eigen::Ref<const Eigen::MatrixXd>& F, Eigen::Ref<Eigen::MatrixXd> dy) {
  Eigen::MatrixXd right = Eigen::MatrixXd::Zero(stages_, equations_.size());
  for (int j = 0; j < S_.columns(); ++j)
    for (int k = S_.begin(j); k < S_.end(j); ++k) right.col(S_.row(k)) -= S_.value(k) * F.row(j).transpose();
  if (right.size() == 0) return;
  right.reshaped().array() *= scaling_.rows().array();
  factors_.solve(right.data());
  right.reshaped().array() *= scaling_.columns().array();
  dy = right.transpose();
}

}  // namespace linkwork
