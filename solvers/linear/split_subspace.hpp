#pragma once

#include <linkwork/core/joint.hpp>
#include <linkwork/core/joint_tree.hpp>
#include <linkwork/solvers/linear/singularity.hpp>

#include <Eigen/QR>
#include <cmath>

namespace linkwork {

/// What a radian counts among metres in a tree: the root mean square of the distances from joint to joint and to the
/// centres of mass [m].
template <class Space>
double length_of(const JointTree<Space>& tree) {
  double sum = 0;
  for (std::size_t label = 1; label < tree.links.size(); ++label) {
    const LinkInertia<Space>& inertia = tree.inertias[label];
    sum += tree.origin[label].squaredNorm();
    if (inertia.mass > 0) sum += (inertia.moment / inertia.mass).squaredNorm();
  }
  return sum > 0 ? std::sqrt(sum / static_cast<double>(tree.links.size())) : 1;
}

/// The motions S of a joint and what is reciprocal to them, by D S = Q [R; 0], where D makes radians of metres: no unit
/// decides which columns are nearly alike.
template <class Space>
class SplitSubspace {
 public:
  using Matrix = Eigen::Matrix<double, Space::n, Space::n>;

  /// @param length  that a radian counts [m], the same for one matrix
  /// @return the column that depends on those before it, or -1
  int split(const Subspace<Space>& S, double length) {
    freedoms_ = static_cast<int>(S.cols());
    D_.template tail<Space::dimension>().setConstant(1 / length);
    if (freedoms_ == 0) {
      basis_ = D_.asDiagonal();
      return -1;
    }
    const Subspace<Space> scaled = D_.asDiagonal() * S;
    const Eigen::HouseholderQR<Subspace<Space>> factors(scaled);
    basis_ = D_.asDiagonal() * Matrix(factors.householderQ() * Matrix::Identity());
    R_ = factors.matrixQR().topRows(freedoms_);
    for (int k = 0; k < freedoms_; ++k)
      if (!(std::abs(R_(k, k)) > singular_pivot * scaled.col(k).norm())) return k;
    return -1;
  }
  /// D Q, by columns: from freedoms() on a basis of what is reciprocal to S.
  const Matrix& basis() const { return basis_; }
  int freedoms() const { return freedoms_; }
  /// x with S x = the part of y in the range of S, by least squares of D y.
  void coordinates(const Components<Space>& y, double* x) const {
    if (freedoms_ == 0) return;
    Eigen::Map<Eigen::VectorXd> out(x, freedoms_);
    out.noalias() = basis_.leftCols(freedoms_).transpose() * y;
    R_.template triangularView<Eigen::Upper>().solveInPlace(out);
  }
  /// The y = D^2 S z, for some z, with S^T y = x.
  Components<Space> dual(const double* x) const {
    Components<Space> y = Components<Space>::Zero();
    if (freedoms_ == 0) return y;
    y.head(freedoms_) = Eigen::Map<const Eigen::VectorXd>(x, freedoms_);
    auto head = y.head(freedoms_);
    R_.template triangularView<Eigen::Upper>().transpose().solveInPlace(head);
    return basis_ * y;
  }

 private:
  Components<Space> D_ = Components<Space>::Ones();
  Matrix basis_ = Matrix::Identity();
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, Space::n, Space::n> R_;
  int freedoms_ = 0;
};

}  // namespace linkwork
