#include <linkwork/solvers/reductions/constraint_system.hpp>

#include <linkwork/core/at.hpp>
#include <linkwork/solvers/dae/sparse_patterns.hpp>
#include <linkwork/solvers/dae/unit_sizes.hpp>

#include <algorithm>
#include <cmath>

namespace linkwork {

void Combinations::apply(const Eigen::VectorXd& x, Eigen::VectorXd& y) const {
  y.setZero(count());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (const auto& [component, factor] : rows[i]) y[static_cast<Eigen::Index>(i)] += factor * x[component];
}

Combinations Combinations::selection(const std::vector<int>& components) {
  Combinations out;
  for (const int component : components) out.rows.push_back({{component, 1.0}});
  return out;
}

Combinations Combinations::dense(const Eigen::MatrixXd& E) {
  Combinations out;
  out.rows.resize(detail::at(E.rows()));
  for (int i = 0; i < E.rows(); ++i)
    for (int j = 0; j < E.cols(); ++j) out.rows[detail::at(i)].emplace_back(j, E(i, j));
  return out;
}

ConstraintSystem::ConstraintSystem(EquationsOfMotion& equations, RowKind kind, std::vector<int> chosen, Combinations E)
    : equations_(equations),
      kind_(kind),
      chosen_(std::move(chosen)),
      E_(std::move(E)),
      Z_(equations),
      columns_(velocity_sizes(equations, equations.characteristic_length())) {
  equation_of_row_.assign(detail::at(equations.dimensions().constraints()), -1);
  const Eigen::VectorXd sizes = constraint_sizes(equations, equations.characteristic_length());
  row_factors_.setOnes(equations.dimensions().v);
  for (std::size_t k = 0; k < chosen_.size(); ++k) {
    equation_of_row_[detail::at(chosen_[k])] = static_cast<int>(k);
    row_factors_[static_cast<Eigen::Index>(k)] = 1 / sizes[chosen_[k]];
  }
  place();
}

const BlockMatrix& ConstraintSystem::constraints() {
  return kind_ == RowKind::position ? equations_.C() : equations_.G();
}

void ConstraintSystem::place() {
  const int n = equations_.dimensions().v;
  SparsityPattern pattern(n, n);
  detail::visit_blocks(constraints(), [&](int i, int j, double) {
    if (const int row = equation_of_row_[detail::at(i)]; row >= 0) pattern.rows[detail::at(row)].push_back(j);
  });
  std::vector<std::vector<int>> columns_of(detail::at(equations_.dimensions().p));  // of Z, by row
  for (int j = 0; Z_.is_known() && j < n; ++j)
    for (const int i : Z_.rows(j)) columns_of[detail::at(i)].push_back(j);
  for (std::size_t k = 0; k < E_.rows.size(); ++k) {
    std::vector<int>& row = pattern.rows[chosen_.size() + k];
    if (kind_ == RowKind::velocity) {
      for (const auto& [component, factor] : E_.rows[k]) row.push_back(component);
    } else if (Z_.is_known()) {
      for (const auto& [component, factor] : E_.rows[k])
        row.insert(row.end(), columns_of[detail::at(component)].begin(), columns_of[detail::at(component)].end());
    } else {
      for (int j = 0; j < n; ++j) row.push_back(j);
    }
  }
  detail::sort_rows(pattern);
  matrix_ = SparseMatrix(pattern);
  if (n > 0) factors_.analyze(matrix_);
}

bool ConstraintSystem::factor() {
  if (matrix_.rows() == 0) return true;
  matrix_.set_zero();
  write_constraints();
  write_combinations();
  for (int j = 0; j < matrix_.columns(); ++j)
    for (int place = matrix_.begin(j); place < matrix_.end(j); ++place)
      matrix_.value(place) *= row_factors_[matrix_.row(place)] * columns_[j];
  for (const double value : matrix_.values())
    if (!std::isfinite(value)) return false;
  return (factors_.has_pivots() && factors_.refactor(matrix_)) || factors_.choose_pivots(matrix_) < 0;
}

void ConstraintSystem::write_constraints() {
  detail::visit_blocks(constraints(), [&](int i, int j, double value) {
    if (const int row = equation_of_row_[detail::at(i)]; row >= 0) detail::write(matrix_, row, j, value);
  });
}

/// E Z or E, and factors that make the largest entry of each row one.
void ConstraintSystem::write_combinations() {
  const int n = matrix_.rows(), first = static_cast<int>(chosen_.size());
  if (kind_ == RowKind::velocity) {
    for (std::size_t k = 0; k < E_.rows.size(); ++k)
      for (const auto& [component, factor] : E_.rows[k])
        detail::write(matrix_, first + static_cast<int>(k), component, factor);
  } else if (Z_.is_known()) {
    Z_.update();
    std::vector<std::vector<std::pair<int, double>>> rows_of(detail::at(equations_.dimensions().p));
    for (std::size_t k = 0; k < E_.rows.size(); ++k)
      for (const auto& [component, factor] : E_.rows[k])
        rows_of[detail::at(component)].emplace_back(first + static_cast<int>(k), factor);
    for (int j = 0; j < n; ++j)
      for (const int i : Z_.rows(j))
        for (const auto& [row, factor] : rows_of[detail::at(i)])
          detail::write(matrix_, row, j, factor * Z_.value(i, j));
  } else {
    Eigen::VectorXd image, combined;
    for (int j = 0; j < n; ++j) {
      equations_.multiply_Z(Eigen::VectorXd::Unit(n, j), image);
      E_.apply(image, combined);
      for (int k = 0; k < combined.size(); ++k) detail::write(matrix_, first + k, j, combined[k]);
    }
  }
  Eigen::VectorXd largest = Eigen::VectorXd::Zero(n);
  for (int j = 0; j < n; ++j)
    for (int place = matrix_.begin(j); place < matrix_.end(j); ++place)
      largest[matrix_.row(place)] = std::max(largest[matrix_.row(place)], std::abs(matrix_.value(place)) * columns_[j]);
  for (int row = first; row < n; ++row) row_factors_[row] = largest[row] > 0 ? 1 / largest[row] : 1;
}

void ConstraintSystem::solve(Eigen::VectorXd& x) {
  if (x.size() == 0) return;
  x.array() *= row_factors_.array();
  factors_.solve(x.data());
  x.array() *= columns_.array();
}

}  // namespace linkwork
