#include <linkwork/solvers/linear/equilibration.hpp>

#include <linkwork/core/power_of_two.hpp>

#include <algorithm>
#include <cmath>

namespace linkwork {

namespace {

/// Calls visit(row, column, value) for the entries of a block matrix.
template <class Visit>
void for_each_entry(const BlockMatrix& matrix, Visit&& visit) {
  for (const BlockMatrix::Block& block : matrix.blocks()) {
    const double* value = matrix.data() + block.offset;
    for (int i = 0; i < block.height; ++i)
      for (int j = 0; j < block.width; ++j) visit(block.row + i, block.column + j, *value++);
  }
}

// Each sweep takes the square root of the imbalance: 2^-10 of its logarithm is left, a ratio of 1e12 becomes 1.03.
constexpr int equilibration_sweeps = 10;

}  // namespace

void Equilibration::resize(int unknowns) {
  factors_.resize(unknowns);
  largest_.resize(unknowns);
  computed_ = false;
}

/// Accelerations by 1 / sqrt(M_ii), so that M keeps no scale; what has no mass, and the rows, by what they are tied to.
void Equilibration::start_from_masses(const AugmentedMatrix& matrix) {
  const int nv = matrix.M->rows();
  largest_.setZero();
  for_each_entry(*matrix.M, [&](int i, int j, double value) {
    if (i == j) largest_[i] = std::abs(value);
  });
  for (int i = 0; i < nv; ++i) factors_[i] = largest_[i] > 0 ? 1 / std::sqrt(largest_[i]) : 0;
  largest_.tail(matrix.G->rows()).setZero();
  for_each_entry(*matrix.G, [&](int i, int j, double value) {
    largest_[nv + i] = std::max(largest_[nv + i], std::abs(value) * factors_[j]);
  });
  for (Eigen::Index i = nv; i < factors_.size(); ++i) factors_[i] = largest_[i] > 0 ? 1 / largest_[i] : 1;
  for_each_entry(*matrix.G, [&](int i, int j, double value) {
    if (factors_[j] == 0) largest_[j] = std::max(largest_[j], std::abs(value) * factors_[nv + i]);
  });
  for (int i = 0; i < nv; ++i)
    if (factors_[i] == 0) factors_[i] = largest_[i] > 0 ? 1 / largest_[i] : 1;
}

void Equilibration::compute(const AugmentedMatrix& matrix, Start start) {
  const int nv = matrix.M->rows();
  if (start == Start::masses)
    start_from_masses(matrix);
  else if (matrix.scale)
    factors_ = Eigen::VectorXd::Map(matrix.scale, factors_.size());
  else
    factors_.setOnes();
  for (int sweep = 0; sweep < equilibration_sweeps; ++sweep) {
    largest_.setZero();
    for_each_entry(*matrix.M, [&](int i, int j, double value) {
      largest_[i] = std::max(largest_[i], std::abs(value) * factors_[i] * factors_[j]);
    });
    for_each_entry(*matrix.G, [&](int i, int j, double value) {
      const double scaled = std::abs(value) * factors_[nv + i] * factors_[j];
      largest_[nv + i] = std::max(largest_[nv + i], scaled);
      largest_[j] = std::max(largest_[j], scaled);
    });
    for (Eigen::Index i = 0; i < factors_.size(); ++i)
      if (largest_[i] > 0) factors_[i] /= std::sqrt(largest_[i]);
  }
  for (double& factor : factors_) factor = detail::nearest_power_of_two(factor);
  computed_ = true;
}

void Equilibration::write_scaled(const AugmentedMatrix& matrix, Eigen::MatrixXd& A) const {
  const int nv = matrix.M->rows();
  A.setZero();
  for_each_entry(*matrix.M, [&](int i, int j, double value) { A(i, j) = value * factors_[i] * factors_[j]; });
  for_each_entry(*matrix.G, [&](int i, int j, double value) {
    A(nv + i, j) = A(j, nv + i) = value * factors_[nv + i] * factors_[j];
  });
  if (matrix.F)
    for_each_entry(*matrix.F,
                   [&](int i, int j, double value) { A(i, nv + j) -= value * factors_[i] * factors_[nv + j]; });
}

void Equilibration::scale(const Eigen::VectorXd& f, const Eigen::VectorXd& g, Eigen::VectorXd& x) const {
  x.head(f.size()) = f.cwiseProduct(factors_.head(f.size()));
  x.tail(g.size()) = g.cwiseProduct(factors_.tail(g.size()));
}

void Equilibration::unscale(const Eigen::VectorXd& x, Eigen::VectorXd& w, Eigen::VectorXd& lambda) const {
  w = x.head(w.size()).cwiseProduct(factors_.head(w.size()));
  lambda = x.tail(lambda.size()).cwiseProduct(factors_.tail(lambda.size()));
}

}  // namespace linkwork
