#include <linkwork/solvers/linear/null_space.hpp>

#include <linkwork/core/at.hpp>
#include <linkwork/solvers/linear/refinement.hpp>
#include <linkwork/solvers/linear/sparse_factors.hpp>

#include <cstddef>
#include <vector>

namespace linkwork {

namespace {

using detail::at;

// Dependent rows are chosen anew when they are these combinations of the independent ones: that many times larger.
constexpr double largest_combination = 1e3;

class DenseNullSpace final : public NullSpace {
 public:
  DenseNullSpace(const Redundancy& redundancy, const Eigen::VectorXd& row_scales)
      : independent_(redundancy.independent_rows), redundant_(redundancy.redundant_rows), scales_(row_scales) {
    unit_.setZero(scales_.size());
    g_.setZero(redundancy.rank);
    lambda_.resize(redundancy.rank);
    N_ = scales_.cwiseInverse().asDiagonal() * redundancy.combinations;
    for (Eigen::Index j = 0; j < N_.cols(); ++j) orthonormalise(j);
  }

  bool follow(const BlockMatrix& G, LinearSolver& independent) override {
    f_.resize(G.columns());
    w_.resize(G.columns());
    for (Eigen::Index j = 0; j < N_.cols(); ++j) {
      const int row = redundant_[at(j)];
      unit_[row] = 1;
      f_.setZero();
      G.transpose_multiply_add(-1, unit_, f_);
      unit_[row] = 0;
      independent.solve(f_, g_, w_, lambda_);
      auto column = N_.col(j);
      column.setZero();
      column[row] = 1 / scales_[row];
      for (std::size_t i = 0; i < independent_.size(); ++i)
        column[independent_[i]] = lambda_[static_cast<Eigen::Index>(i)] / scales_[independent_[i]];
      orthonormalise(j);
    }
    return true;
  }

  void drop_from(Eigen::VectorXd& x) override {
    for (Eigen::Index j = 0; j < N_.cols(); ++j) x -= N_.col(j) * N_.col(j).dot(x);
  }

  bool is_as_good_as(const SparseRank& /*found*/) const override {
    for (Eigen::Index j = 0; j < N_.cols(); ++j) {
      const auto column = N_.col(j).cwiseAbs();
      if (column.maxCoeff() > largest_combination * column[redundant_[at(j)]]) return false;
    }
    return true;
  }

 private:
  /// Gram and Schmidt, twice, so that nothing is lost to rounding.
  void orthonormalise(Eigen::Index j) {
    for (int pass = 0; pass < 2; ++pass) {
      N_.col(j).normalize();
      for (Eigen::Index k = 0; k < j; ++k) N_.col(j) -= N_.col(k) * N_.col(k).dot(N_.col(j));
    }
    N_.col(j).normalize();
  }

  std::vector<int> independent_, redundant_;
  Eigen::VectorXd scales_;
  Eigen::MatrixXd N_;
  Eigen::VectorXd unit_, f_, g_, w_, lambda_;
};

/// Some columns of a block matrix as rows, times the scales of what become the columns.
class ColumnSelection {
 public:
  ColumnSelection(const BlockMatrix& matrix, const std::vector<int>& columns, const Eigen::VectorXd& scales)
      : scales_(scales), selected_(static_cast<int>(columns.size()), matrix.rows()) {
    std::vector<int> place(at(matrix.columns()), -1);
    for (std::size_t i = 0; i < columns.size(); ++i) place[at(columns[i])] = static_cast<int>(i);
    for (const BlockMatrix::Block& block : matrix.blocks())
      for (int j = 0; j < block.width;) {
        int count = 0;
        while (j + count < block.width && place[at(block.column + j + count)] >= 0) ++count;
        if (count > 0) {
          const int added = selected_.add_block(place[at(block.column + j)], block.row, count, block.height);
          runs_.push_back({block.offset + at(j), block.row, block.width, added});
        }
        j += count + 1;
      }
  }

  const BlockMatrix& take(const BlockMatrix& matrix) {
    for (const Run& run : runs_) {
      const BlockMatrix::Block& to = selected_.blocks()[at(run.block)];
      double* value = selected_.values(run.block);
      for (int j = 0; j < to.height; ++j)
        for (int i = 0; i < to.width; ++i)
          *value++ = matrix.data()[run.from + at(i * run.stride + j)] * scales_[run.row + i];
    }
    return selected_;
  }

 private:
  struct Run {
    std::size_t from = 0;
    int row = 0, stride = 0, block = 0;
  };
  Eigen::VectorXd scales_;
  BlockMatrix selected_;
  std::vector<Run> runs_;
};

class SparseNullSpace final : public NullSpace {
 public:
  SparseNullSpace(const SparseRank& rank, const Eigen::VectorXd& row_scales, const BlockMatrix& G)
      : rank_(rank), columns_(G, rank.independent_columns, row_scales), unit_(G.rows(), G.rows()) {
    for (int row = 0; row < G.rows(); ++row) *unit_.values(unit_.add_block(row, row, 1, 1)) = 1;
    zero_.setZero(rank.rank);
    y_.resize(rank.rank);
    part_.resize(G.rows());
  }

  bool follow(const BlockMatrix& G, LinearSolver& /*independent*/) override {
    const AugmentedMatrix matrix{MatrixKind::velocity, &unit_, &columns_.take(G), nullptr};
    refinement_.keep(*matrix.M, *matrix.G);
    return factors_.factor(matrix) < 0;
  }

  void drop_from(Eigen::VectorXd& x) override {
    refinement_([this](auto&&... sides) { factors_.solve(sides...); }, x, zero_, part_, y_);
    x -= part_;
  }

  double operations() override { return factors_.operations(); }

  bool is_as_good_as(const SparseRank& found) const override {
    return found.independent_rows == rank_.independent_rows && found.independent_columns == rank_.independent_columns;
  }

 private:
  SparseRank rank_;
  ColumnSelection columns_;
  BlockMatrix unit_;
  // The choice of columns says that they are independent. How small pivots become is a matter of how long chains are.
  SparseFactors factors_{/*smallest_pivot=*/0};
  Refinement refinement_;
  Eigen::VectorXd zero_, y_, part_;
};

}  // namespace

std::unique_ptr<NullSpace> make_dense_null_space(const Redundancy& redundancy, const Eigen::VectorXd& row_scales) {
  return std::make_unique<DenseNullSpace>(redundancy, row_scales);
}

std::unique_ptr<NullSpace> make_sparse_null_space(const SparseRank& rank, const Eigen::VectorXd& row_scales,
                                                  const BlockMatrix& G) {
  return std::make_unique<SparseNullSpace>(rank, row_scales, G);
}

}  // namespace linkwork
