#include <linkwork/core/dense_factors.hpp>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>

namespace linkwork {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using VectorIn = Eigen::Ref<const VectorXd>;
using VectorOut = Eigen::Ref<VectorXd>;

template <class T, class... Arguments>
detail::Hidden<T> hide(Arguments... arguments) {
  return {new T(arguments...), [](T* hidden) { delete hidden; }};
}

}  // namespace

template <class Scalar>
LuFactorsOf<Scalar>::LuFactorsOf() : factors_(hide<Eigen::PartialPivLU<Matrix>>()) {}
template <class Scalar>
void LuFactorsOf<Scalar>::compute(const Matrix& A) {
  factors_->compute(A);
}
template <class Scalar>
auto LuFactorsOf<Scalar>::packed() const -> const Matrix& {
  return factors_->matrixLU();
}
template <class Scalar>
PivotSizes LuFactorsOf<Scalar>::pivot_sizes() const {
  PivotSizes out;
  const auto pivots = packed().diagonal().cwiseAbs();
  out.largest = pivots.maxCoeff();
  out.smallest = pivots.minCoeff(&out.place);
  return out;
}
template <class Scalar>
void LuFactorsOf<Scalar>::solve(const Eigen::Ref<const Vector>& b, Eigen::Ref<Vector> x) const {
  x.noalias() = factors_->solve(b);
}
template <class Scalar>
auto LuFactorsOf<Scalar>::solve_columns(const Eigen::Ref<const Matrix>& B) const -> Matrix {
  return factors_->solve(B);
}
template <class Scalar>
void LuFactorsOf<Scalar>::solve_transposed(Vector& b, Vector& x) const {
  const Matrix& LU = packed();
  LU.template triangularView<Eigen::Upper>().transpose().solveInPlace(b);
  LU.template triangularView<Eigen::UnitLower>().transpose().solveInPlace(b);
  x.noalias() = factors_->permutationP().transpose() * b;
}

template class LuFactorsOf<double>;
template class LuFactorsOf<std::complex<double>>;

FullyPivotedLu::FullyPivotedLu() : factors_(hide<Eigen::FullPivLU<MatrixXd>>()) {}
void FullyPivotedLu::set_threshold(double ratio) { factors_->setThreshold(ratio); }
void FullyPivotedLu::compute(const MatrixXd& A) { factors_->compute(A); }
Eigen::Index FullyPivotedLu::rank() const { return factors_->rank(); }
const Eigen::VectorXi& FullyPivotedLu::column_order() const { return factors_->permutationQ().indices(); }
double FullyPivotedLu::pivot_ratio() const {
  const double largest = factors_->maxPivot();
  return largest > 0 ? factors_->matrixLU().diagonal().cwiseAbs().minCoeff() / largest : 0.0;
}
MatrixXd FullyPivotedLu::kernel() const { return factors_->kernel(); }
void FullyPivotedLu::solve(const VectorIn& b, VectorOut x) const { x = factors_->solve(b); }
MatrixXd FullyPivotedLu::solve_columns(const MatrixXd& B) const { return factors_->solve(B); }

CholeskyFactors::CholeskyFactors() : factors_(hide<Eigen::LLT<MatrixXd>>()) {}
bool CholeskyFactors::compute(const MatrixXd& A) { return factors_->compute(A).info() == Eigen::Success; }
const MatrixXd& CholeskyFactors::packed() const { return factors_->matrixLLT(); }
void CholeskyFactors::solve_in_place(VectorOut x) const { factors_->solveInPlace(x); }

LdltFactors::LdltFactors(Eigen::Index size) : factors_(hide<Eigen::LDLT<MatrixXd>>(size)) {}
void LdltFactors::compute(const MatrixXd& A) { factors_->compute(A); }
const MatrixXd& LdltFactors::packed() const { return factors_->matrixLDLT(); }
int LdltFactors::exchanged_with(Eigen::Index k) const { return factors_->transpositionsP().coeff(k); }
void LdltFactors::solve_in_place(VectorXd& x) const { factors_->solveInPlace(x); }

template <class Scalar>
QrFactorsOf<Scalar>::QrFactorsOf() : factors_(hide<Eigen::HouseholderQR<Matrix>>()) {}
template <class Scalar>
void QrFactorsOf<Scalar>::compute(const Matrix& A) {
  factors_->compute(A);
}
template <class Scalar>
auto QrFactorsOf<Scalar>::packed() const -> const Matrix& {
  return factors_->matrixQR();
}
template <class Scalar>
void QrFactorsOf<Scalar>::solve(const Eigen::Ref<const Vector>& b, Eigen::Ref<Vector> x) const {
  x = factors_->solve(b);
}
template <class Scalar>
auto QrFactorsOf<Scalar>::columns_of_Q(Eigen::Index count) const -> Matrix {
  return factors_->householderQ() * Matrix::Identity(factors_->rows(), count);
}

template class QrFactorsOf<double>;
template class QrFactorsOf<std::complex<double>>;

PivotedQr::PivotedQr() : factors_(hide<Eigen::ColPivHouseholderQR<MatrixXd>>()) {}
void PivotedQr::set_threshold(double ratio) { factors_->setThreshold(ratio); }
void PivotedQr::compute(const MatrixXd& A) { factors_->compute(A); }
Eigen::Index PivotedQr::rank() const { return factors_->rank(); }
const MatrixXd& PivotedQr::packed() const { return factors_->matrixQR(); }
const Eigen::VectorXi& PivotedQr::column_order() const { return factors_->colsPermutation().indices(); }
MatrixXd PivotedQr::Q_times(const MatrixXd& X) const { return factors_->householderQ() * X; }
void PivotedQr::solve(const VectorIn& b, VectorOut x) const { x = factors_->solve(b); }
MatrixXd PivotedQr::solve_columns(const MatrixXd& B) const { return factors_->solve(B); }

OrthogonalFactors::OrthogonalFactors() : factors_(hide<Eigen::CompleteOrthogonalDecomposition<MatrixXd>>()) {}
void OrthogonalFactors::set_threshold(double ratio) { factors_->setThreshold(ratio); }
void OrthogonalFactors::compute(const MatrixXd& A) { factors_->compute(A); }
Eigen::Index OrthogonalFactors::rank() const { return factors_->rank(); }
VectorXd OrthogonalFactors::solve(const VectorXd& b) const { return factors_->solve(b); }
MatrixXd OrthogonalFactors::solve_columns(const MatrixXd& B) const { return factors_->solve(B); }
VectorXd OrthogonalFactors::Q_times(const VectorXd& x) const { return factors_->matrixQ() * x; }
MatrixXd OrthogonalFactors::Q_transposed_times(const MatrixXd& X) const { return factors_->matrixQ().adjoint() * X; }
MatrixXd OrthogonalFactors::row_space() const {
  return factors_->matrixZ().topRows(rank()) * factors_->colsPermutation().transpose();
}

SingularValues::SingularValues() : factors_(hide<Eigen::JacobiSVD<MatrixXd>>()) {}
void SingularValues::set_threshold(double ratio) { factors_->setThreshold(ratio); }
void SingularValues::compute(const MatrixXd& A, unsigned vectors) { factors_->compute(A, vectors); }
Eigen::Index SingularValues::rank() const { return factors_->rank(); }
const VectorXd& SingularValues::values() const { return factors_->singularValues(); }
const MatrixXd& SingularValues::U() const { return factors_->matrixU(); }
const MatrixXd& SingularValues::V() const { return factors_->matrixV(); }
void SingularValues::solve(const VectorIn& b, VectorOut x) const { x = factors_->solve(b); }
MatrixXd SingularValues::solve_columns(const MatrixXd& B) const { return factors_->solve(B); }

SymmetricEigen::SymmetricEigen(const MatrixXd& A) {
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(A);
  values = solver.eigenvalues();
  vectors = solver.eigenvectors();
}

VectorXd symmetric_eigenvalues(const Eigen::Ref<const MatrixXd>& A) {
  return Eigen::SelfAdjointEigenSolver<MatrixXd>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

VectorXd solve_least_squares(const MatrixXd& A, const VectorXd& b) { return A.colPivHouseholderQr().solve(b); }

}  // namespace linkwork
