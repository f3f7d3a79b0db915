#include <linkwork/solvers/manifold/kinematic_inverse.hpp>

#include <linkwork/core/at.hpp>
#include <linkwork/core/dense_factors.hpp>
#include <linkwork/topology/disjoint_sets.hpp>

#include <algorithm>
#include <numeric>

namespace linkwork {

namespace {

/// Z of one entry in each row and column, which depends on nothing.
bool is_constant_diagonal(const EquationsOfMotion& equations) {
  const Dimensions& n = equations.dimensions();
  const Dependencies places = equations.dependencies(EquationPart::position_rate, Unknown::factor);
  const Dependencies positions = equations.dependencies(EquationPart::position_rate, Unknown::p);
  if (n.p != n.v || !places.complete || !positions.complete) return false;
  for (int i = 0; i < n.p; ++i)
    if (places.pattern.rows[detail::at(i)] != std::vector<int>{i} || !positions.pattern.rows[detail::at(i)].empty())
      return false;
  return true;
}

}  // namespace

KinematicInverse::KinematicInverse(EquationsOfMotion& equations) : equations_(equations), Z_(equations) {
  const Dimensions& n = equations.dimensions();
  unit_ = Eigen::VectorXd::Ones(n.v);
  if (is_constant_diagonal(equations)) {
    equations.multiply_Z(unit_, image_);
    identity_ = image_ == unit_;
  }
  unit_.setZero();
  find_blocks();
}

void KinematicInverse::find_blocks() {
  const Dimensions& n = equations_.dimensions();
  if (n.v == 0) return;
  if (!Z_.is_known()) {
    full_.setZero(n.p, n.v);
    Block& all = blocks_.emplace_back();
    all.rows.resize(detail::at(n.p));
    all.columns.resize(detail::at(n.v));
    std::iota(all.rows.begin(), all.rows.end(), 0);
    std::iota(all.columns.begin(), all.columns.end(), 0);
    return;
  }
  DisjointSets sets(detail::at(n.p));
  for (int j = 0; j < n.v; ++j)
    for (const int row : Z_.rows(j)) sets.unite(row, Z_.rows(j).front());
  std::vector<int> block_of_set(detail::at(n.p), -1);
  for (int j = 0; j < n.v; ++j) {
    if (Z_.rows(j).empty()) continue;
    int& block = block_of_set[detail::at(sets.find(Z_.rows(j).front()))];
    if (block < 0) {
      block = static_cast<int>(blocks_.size());
      blocks_.emplace_back();
    }
    Block& to = blocks_[detail::at(block)];
    to.columns.push_back(j);
    to.rows.insert(to.rows.end(), Z_.rows(j).begin(), Z_.rows(j).end());
  }
  for (Block& block : blocks_) {
    std::sort(block.rows.begin(), block.rows.end());
    block.rows.erase(std::unique(block.rows.begin(), block.rows.end()), block.rows.end());
  }
}

double KinematicInverse::entry(int row, int column) const {
  if (!Z_.is_known()) return full_(row, column);
  const std::vector<int>& rows = Z_.rows(column);
  return std::find(rows.begin(), rows.end(), row) != rows.end() ? Z_.value(row, column) : 0.0;
}

void KinematicInverse::apply(const Eigen::VectorXd& p_rate, Eigen::VectorXd& v) {
  if (identity_) {
    v = p_rate;
    return;
  }
  if (Z_.is_known())
    Z_.update();
  else
    for (Eigen::Index j = 0; j < v.size(); ++j) {
      unit_[j] = 1;
      equations_.multiply_Z(unit_, image_);
      full_.col(j) = image_;
      unit_[j] = 0;
    }
  for (const Block& block : blocks_) correct(block, p_rate, v);
}

void KinematicInverse::correct(const Block& block, const Eigen::VectorXd& p_rate, Eigen::VectorXd& v) const {
  if (block.rows.size() == 1 && block.columns.size() == 1) {
    const double z = entry(block.rows[0], block.columns[0]);
    if (z != 0) v[block.columns[0]] = p_rate[block.rows[0]] / z;
    return;
  }
  const auto rows = static_cast<Eigen::Index>(block.rows.size());
  const auto columns = static_cast<Eigen::Index>(block.columns.size());
  Eigen::MatrixXd Z(rows, columns);
  Eigen::VectorXd left(rows);
  for (Eigen::Index i = 0; i < rows; ++i) {
    const int row = block.rows[detail::at(i)];
    left[i] = p_rate[row];
    for (Eigen::Index j = 0; j < columns; ++j) {
      const int column = block.columns[detail::at(j)];
      Z(i, j) = entry(row, column);
      left[i] -= Z(i, j) * v[column];
    }
  }
  const Eigen::VectorXd change = OrthogonalFactors(Z).solve(left);
  for (Eigen::Index j = 0; j < columns; ++j) v[block.columns[detail::at(j)]] += change[j];
}

}  // namespace linkwork
