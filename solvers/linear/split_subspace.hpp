#pragma once

#include <linkwork/core/joint.hpp>
#include <linkwork/core/joint_tree.hpp>

#include <Eigen/Core>
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
  int split(const Subspace<Space>& S, double length);
  /// D Q, by columns: from freedoms() on a basis of what is reciprocal to S.
  const Matrix& basis() const { return basis_; }
  int freedoms() const { return freedoms_; }
  /// x with S x = the part of y in the range of S, by least squares of D y.
  void coordinates(const Components<Space>& y, double* x) const;
  /// The y = D^2 S z, for some z, with S^T y = x.
  Components<Space> dual(const double* x) const;

 private:
  Components<Space> D_ = Components<Space>::Ones();
  Matrix basis_ = Matrix::Identity();
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, Space::n, Space::n> R_;
  int freedoms_ = 0;
};

extern template class SplitSubspace<Planar>;
extern template class SplitSubspace<Spatial>;

}  // namespace linkwork
