#include <linkwork/solvers/newton/position_elimination.hpp>

#include <linkwork/core/at.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/core/dense_factors.hpp>
#include <linkwork/solvers/linear/klu_factors.hpp>
#include <linkwork/solvers/newton/iteration_matrix.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <vector>

namespace linkwork {

namespace {

/// Entries of a row or column: numbers and values.
using SparseVector = std::map<int, double>;

struct EliminatedBlock {
  std::vector<int> unknowns, equations;
  Eigen::MatrixXd matrix;
};

/// Positions that equations of positions connect, in one block each.
std::vector<EliminatedBlock> find_eliminated_blocks(const SparseMatrix& J, int positions) {
  std::vector<int> father(detail::at(positions));
  std::iota(father.begin(), father.end(), 0);
  const auto root = [&](int i) {
    while (father[detail::at(i)] != i) i = father[detail::at(i)] = father[detail::at(father[detail::at(i)])];
    return i;
  };
  for (int j = 0; j < positions; ++j)
    for (int k = J.begin(j); k < J.end(j); ++k)
      if (J.row(k) < positions && J.value(k) != 0) father[detail::at(root(J.row(k)))] = root(j);
  std::vector<int> block_of(detail::at(positions), -1);
  std::vector<EliminatedBlock> blocks;
  for (int i = 0; i < positions; ++i) {
    int& block = block_of[detail::at(root(i))];
    if (block < 0) {
      block = static_cast<int>(blocks.size());
      blocks.emplace_back();
    }
    blocks[detail::at(block)].unknowns.push_back(i);
  }
  for (EliminatedBlock& block : blocks) {
    block.equations = block.unknowns;  // each equation stands beside its unknown
    const auto n = static_cast<Eigen::Index>(block.unknowns.size());
    block.matrix.setZero(n, n);
    for (Eigen::Index j = 0; j < n; ++j)
      for (Eigen::Index i = 0; i < n; ++i)
        if (const int place = J.place(block.equations[detail::at(i)], block.unknowns[detail::at(j)]); place >= 0)
          block.matrix(i, j) = J.value(place);
  }
  return blocks;
}

/// Solves with a matrix, and says what that costs.
class MeasuredFactors {
 public:
  Outcome factor(const SparseMatrix& J, FactorizationCosts& costs) {
    scaling_.compute(J);
    A_ = J;
    for (int j = 0; j < J.columns(); ++j)
      for (int k = J.begin(j); k < J.end(j); ++k) A_.value(k) = scaling_.scaled(J, k, j);
    factors_.analyze(A_);
    if (const int column = factors_.choose_pivots(A_); column >= 0)
      return Outcome::failure(concat("the matrix is singular at column ", column), Failure::singular);
    costs = {J.columns(), J.nonzeros(), factors_.entries(), factors_.operations()};
    return {};
  }
  void solve(Eigen::VectorXd& x) {
    x.array() *= scaling_.rows().array();
    factors_.solve(x.data());
    x.array() *= scaling_.columns().array();
  }

 private:
  RowColumnScaling scaling_;
  SparseMatrix A_;
  KluFactors factors_{true};
};

/// The reduced matrix, row by row, and what solutions need beside its factors.
class Elimination {
 public:
  Elimination(const SparseMatrix& J, int positions, PositionElimination& costs);
  SparseMatrix matrix() const;
  /// Right side of the reduced system.
  Eigen::VectorXd reduce(const Eigen::VectorXd& right) const;
  /// All unknowns, from those that are left.
  Eigen::VectorXd expand(const Eigen::VectorXd& right, const Eigen::VectorXd& left) const;

 private:
  void eliminate(const EliminatedBlock& block, PositionElimination& costs);

  int positions_, left_;
  std::vector<EliminatedBlock> blocks_;
  std::vector<LuFactors> factors_;
  std::vector<SparseVector> rows_;    // of the reduced matrix
  std::vector<SparseVector> above_;   // J_12 by row
  std::vector<SparseVector> beside_;  // J_21 by column
};

Elimination::Elimination(const SparseMatrix& J, int positions, PositionElimination& costs)
    : positions_(positions),
      left_(J.columns() - positions),
      blocks_(find_eliminated_blocks(J, positions)),
      factors_(blocks_.size()),
      rows_(detail::at(left_)),
      above_(detail::at(positions)),
      beside_(detail::at(positions)) {
  for (int j = 0; j < J.columns(); ++j)
    for (int k = J.begin(j); k < J.end(j); ++k) {
      const int row = J.row(k);
      if (j < positions && row >= positions) beside_[detail::at(j)][row - positions] = J.value(k);
      if (j >= positions && row < positions) above_[detail::at(row)][j - positions] = J.value(k);
      if (j >= positions && row >= positions) rows_[detail::at(row - positions)][j - positions] += J.value(k);
    }
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    factors_[b].compute(blocks_[b].matrix);
    eliminate(blocks_[b], costs);
  }
}

/// rows_ minus J_21 J_11^-1 J_12 of one block.
void Elimination::eliminate(const EliminatedBlock& block, PositionElimination& costs) {
  SparseVector columns;  // of J_12, by their place in the dense product below
  for (const int row : block.equations)
    for (const auto& [column, value] : above_[detail::at(row)]) columns.emplace(column, 0.0);
  const auto n = static_cast<Eigen::Index>(block.unknowns.size());
  Eigen::MatrixXd above = Eigen::MatrixXd::Zero(n, static_cast<Eigen::Index>(columns.size()));
  Eigen::Index place = 0;
  for (auto& [column, number] : columns) number = static_cast<double>(place++);
  for (Eigen::Index i = 0; i < n; ++i)
    for (const auto& [column, value] : above_[detail::at(block.equations[detail::at(i)])])
      above(i, static_cast<Eigen::Index>(columns[column])) = value;
  const Eigen::MatrixXd solved =
      block.matrix.size() > 0 ? factors_[detail::at(&block - blocks_.data())].solve_columns(above) : above;
  for (Eigen::Index i = 0; i < n; ++i)
    for (const auto& [row, value] : beside_[detail::at(block.unknowns[detail::at(i)])]) {
      for (const auto& [column, number] : columns)
        rows_[detail::at(row)][column] -= value * solved(i, static_cast<Eigen::Index>(number));
      costs.elimination_operations += static_cast<double>(columns.size());
      costs.elimination_entries += 1;
    }
  const auto size = static_cast<double>(n);
  costs.elimination_operations += size * size * size / 3 + size * size * static_cast<double>(columns.size());
  costs.elimination_entries += n * n + n * static_cast<std::int64_t>(columns.size());
  costs.largest_block = std::max(costs.largest_block, static_cast<int>(n));
}

SparseMatrix Elimination::matrix() const {
  SparsityPattern pattern(left_, left_);
  for (int i = 0; i < left_; ++i)
    for (const auto& [column, value] : rows_[detail::at(i)]) pattern.rows[detail::at(i)].push_back(column);
  SparseMatrix reduced(pattern);
  for (int i = 0; i < left_; ++i)
    for (const auto& [column, value] : rows_[detail::at(i)]) reduced.value(reduced.place(i, column)) = value;
  return reduced;
}

Eigen::VectorXd Elimination::reduce(const Eigen::VectorXd& right) const {
  Eigen::VectorXd reduced = right.tail(left_);
  const Eigen::VectorXd positions = expand(right, Eigen::VectorXd::Zero(left_)).head(positions_);
  for (int j = 0; j < positions_; ++j)
    for (const auto& [row, value] : beside_[detail::at(j)]) reduced[row] -= value * positions[j];
  return reduced;
}

Eigen::VectorXd Elimination::expand(const Eigen::VectorXd& right, const Eigen::VectorXd& left) const {
  Eigen::VectorXd all(positions_ + left_);
  all.tail(left_) = left;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const std::vector<int>& unknowns = blocks_[b].unknowns;
    Eigen::VectorXd own(static_cast<Eigen::Index>(unknowns.size())), solved = own;
    for (std::size_t i = 0; i < unknowns.size(); ++i) {
      double& entry = own[static_cast<Eigen::Index>(i)];
      entry = right[blocks_[b].equations[i]];
      for (const auto& [column, value] : above_[detail::at(blocks_[b].equations[i])]) entry -= value * left[column];
    }
    factors_[b].solve(own, solved);
    for (std::size_t i = 0; i < unknowns.size(); ++i) all[unknowns[i]] = solved[static_cast<Eigen::Index>(i)];
  }
  return all;
}

}  // namespace

Outcome compare_position_elimination(const SparseMatrix& J, int positions, PositionElimination& comparison) {
  comparison = {};
  MeasuredFactors whole, reduced;
  if (Outcome factored = whole.factor(J, comparison.whole); !factored) return factored;
  const Elimination elimination(J, positions, comparison);
  const SparseMatrix left_over = elimination.matrix();
  comparison.reduced_pattern = left_over.pattern();
  if (Outcome factored = reduced.factor(left_over, comparison.reduced); !factored) return factored;
  const Eigen::VectorXd expected = Eigen::VectorXd::LinSpaced(J.columns(), 1, 2);
  Eigen::VectorXd right = Eigen::VectorXd::Zero(J.rows());
  J.multiply_add(1, expected, right);
  Eigen::VectorXd left = elimination.reduce(right);
  reduced.solve(left);
  const Eigen::VectorXd x = elimination.expand(right, left);
  Eigen::VectorXd terms = right.cwiseAbs();
  for (int j = 0; j < J.columns(); ++j)
    for (int k = J.begin(j); k < J.end(j); ++k) terms[J.row(k)] += std::abs(J.value(k) * x[j]);
  J.multiply_add(-1, x, right);
  comparison.residual = (right.array().abs() / terms.array().max(std::numeric_limits<double>::min())).maxCoeff();
  return {};
}

}  // namespace linkwork
