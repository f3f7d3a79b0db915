#include <linkwork/solvers/linear/split_subspace.hpp>

#include <linkwork/solvers/linear/singularity.hpp>

#include <Eigen/QR>
#include <cmath>

namespace linkwork {

template <class Space>
int SplitSubspace<Space>::split(const Subspace<Space>& S, double length) {
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

template <class Space>
void SplitSubspace<Space>::coordinates(const Components<Space>& y, double* x) const {
  if (freedoms_ == 0) return;
  Eigen::Map<Eigen::VectorXd> out(x, freedoms_);
  out.noalias() = basis_.leftCols(freedoms_).transpose() * y;
  R_.template triangularView<Eigen::Upper>().solveInPlace(out);
}

template <class Space>
Components<Space> SplitSubspace<Space>::dual(const double* x) const {
  Components<Space> y = Components<Space>::Zero();
  if (freedoms_ == 0) return y;
  y.head(freedoms_) = Eigen::Map<const Eigen::VectorXd>(x, freedoms_);
  auto head = y.head(freedoms_);
  R_.template triangularView<Eigen::Upper>().transpose().solveInPlace(head);
  return basis_ * y;
}

template class SplitSubspace<Planar>;
template class SplitSubspace<Spatial>;

}  // namespace linkwork
