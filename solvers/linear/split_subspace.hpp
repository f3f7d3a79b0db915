#pragma once

#include <linkwork/core/joint.hpp>
#include <linkwork/solvers/linear/singularity.hpp>

#include <Eigen/QR>
#include <cmath>

namespace linkwork {

/// The motions S of a joint and what is reciprocal to them, by S = Q [R; 0].
template <class Space>
class SplitSubspace {
 public:
  using Matrix = Eigen::Matrix<double, Space::n, Space::n>;

  /// @return the column that depends on those before it, or -1
  int split(const Subspace<Space>& S) {
    freedoms_ = static_cast<int>(S.cols());
    if (freedoms_ == 0) {
      Q_.setIdentity();
      return -1;
    }
    const Eigen::HouseholderQR<Subspace<Space>> factors(S);
    Q_ = factors.householderQ() * Matrix::Identity();
    R_ = factors.matrixQR().topRows(freedoms_);
    for (int k = 0; k < freedoms_; ++k)
      if (!(std::abs(R_(k, k)) > singular_pivot * S.col(k).norm())) return k;
    return -1;
  }
  /// By columns: first a basis of the range of S, from freedoms() on one of its complement.
  const Matrix& basis() const { return Q_; }
  int freedoms() const { return freedoms_; }
  /// x with S x = the part of y in the range of S.
  void coordinates(const Components<Space>& y, double* x) const {
    if (freedoms_ == 0) return;
    Eigen::Map<Eigen::VectorXd> out(x, freedoms_);
    out.noalias() = Q_.leftCols(freedoms_).transpose() * y;
    R_.template triangularView<Eigen::Upper>().solveInPlace(out);
  }
  /// The y in the range of S with S^T y = x.
  Components<Space> dual(const double* x) const {
    Components<Space> y = Components<Space>::Zero();
    if (freedoms_ == 0) return y;
    y.head(freedoms_) = Eigen::Map<const Eigen::VectorXd>(x, freedoms_);
    auto head = y.head(freedoms_);
    R_.template triangularView<Eigen::Upper>().transpose().solveInPlace(head);
    return Q_ * y;
  }

 private:
  Matrix Q_ = Matrix::Identity();
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, Space::n, Space::n> R_;
  int freedoms_ = 0;
};

}  // namespace linkwork
