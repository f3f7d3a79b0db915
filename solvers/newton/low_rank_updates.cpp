#include <linkwork/solvers/newton/low_rank_updates.hpp>

#include <Eigen/LU>

namespace linkwork {

namespace {

// The determinant of the matrix goes with that of I + W^T Q: an update that would take more than this of it is made of
// residuals that a step too long has left, and no derivative.
constexpr double least_ratio_of_determinants = 0.1;

}  // namespace

bool LowRankUpdates::add(const Eigen::VectorXd& q, const Eigen::VectorXd& w) {
  if (is_full()) return false;
  const Small before = capacitance_.topLeftCorner(rank_, rank_);
  Q_.col(rank_) = q;
  W_.col(rank_) = w;
  capacitance_.resize(rank_ + 1, rank_ + 1);
  capacitance_.topLeftCorner(rank_, rank_) = before;
  capacitance_.col(rank_).noalias() = W_.leftCols(rank_ + 1).transpose() * q;
  capacitance_.row(rank_).noalias() = w.transpose() * Q_.leftCols(rank_ + 1);
  capacitance_(rank_, rank_) += 1;
  const double determinant_before = rank_ > 0 ? before.partialPivLu().determinant() : 1;
  const double ratio = capacitance_.partialPivLu().determinant() / determinant_before;
  if (!(ratio >= least_ratio_of_determinants)) {
    capacitance_ = before;
    return false;
  }
  ++rank_;
  return true;
}

void LowRankUpdates::apply(Eigen::VectorXd& x) const {
  if (rank_ == 0) return;
  const SmallVector parts = W_.leftCols(rank_).transpose() * x;
  const SmallVector factors = capacitance_.topLeftCorner(rank_, rank_).partialPivLu().solve(parts);
  x.noalias() -= Q_.leftCols(rank_) * factors;
}

void LowRankUpdates::multiply(const Eigen::VectorXd& z, Eigen::VectorXd& x) const {
  x = z;
  if (rank_ == 0) return;
  const SmallVector parts = W_.leftCols(rank_).transpose() * z;
  x.noalias() += Q_.leftCols(rank_) * parts;
}

}  // namespace linkwork
