#pragma once

// Internal. Decompositions of dense matrices whose sizes are known at run time only, by the classes of Eigen of about
// the same names. Those are templates that take seconds of every file that uses them, so they are compiled once, behind
// these classes. compute() takes a matrix with at least one row and one column, and keeps its memory for the next one
// of that size. Right sides and solutions are different vectors where both are arguments.

#include <Eigen/Core>
#include <complex>
#include <memory>

namespace linkwork {

namespace detail {

/// An object whose class is complete in one .cpp only.
template <class T>
using Hidden = std::unique_ptr<T, void (*)(T*)>;

}  // namespace detail

/// Sizes of the pivots of an elimination.
struct PivotSizes {
  double smallest = 0, largest = 0;
  Eigen::Index place = 0;  ///< of the smallest

  /// Whether no pivot is smaller than this times the largest.
  bool are_above(double ratio) const { return largest > 0 && smallest >= ratio * largest; }
};

/// P A = L U of a square matrix of real or complex numbers, rows exchanged.
template <class Scalar>
class LuFactorsOf {
 public:
  using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;
  using Vector = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;

  LuFactorsOf();
  void compute(const Matrix& A);
  /// L below the diagonal, U on it and above.
  const Matrix& packed() const;
  PivotSizes pivot_sizes() const;
  void solve(const Eigen::Ref<const Vector>& b, Eigen::Ref<Vector> x) const;
  Matrix solve_columns(const Eigen::Ref<const Matrix>& B) const;
  /// x with A^T x = b; b is overwritten.
  void solve_transposed(Vector& b, Vector& x) const;

 private:
  detail::Hidden<Eigen::PartialPivLU<Matrix>> factors_;
};
using LuFactors = LuFactorsOf<double>;
extern template class LuFactorsOf<double>;
extern template class LuFactorsOf<std::complex<double>>;

/// P A Q = L U, rows and columns exchanged: reveals the rank.
class FullyPivotedLu {
 public:
  FullyPivotedLu();
  /// Pivots smaller than this times the largest count as zero; rounding errors by default.
  void set_threshold(double ratio);
  void compute(const Eigen::MatrixXd& A);
  Eigen::Index rank() const;
  /// Column of A by column of the factors.
  const Eigen::VectorXi& column_order() const;
  /// Of the smallest pivot to the largest; 0 where all vanish.
  double pivot_ratio() const;
  /// A basis of the vectors x with A x = 0, by columns: one column of zeros where there is none but zero.
  Eigen::MatrixXd kernel() const;
  /// A solution where there is one; unknowns without pivots are zero.
  void solve(const Eigen::Ref<const Eigen::VectorXd>& b, Eigen::Ref<Eigen::VectorXd> x) const;
  Eigen::MatrixXd solve_columns(const Eigen::MatrixXd& B) const;

 private:
  detail::Hidden<Eigen::FullPivLU<Eigen::MatrixXd>> factors_;
};

/// A = L L^T of a symmetric matrix, of which the lower triangle is read.
class CholeskyFactors {
 public:
  CholeskyFactors();
  /// @return whether A is positive definite, as far as pivots above zero say
  bool compute(const Eigen::MatrixXd& A);
  /// L in the lower triangle.
  const Eigen::MatrixXd& packed() const;
  void solve_in_place(Eigen::Ref<Eigen::VectorXd> x) const;

 private:
  detail::Hidden<Eigen::LLT<Eigen::MatrixXd>> factors_;
};

/// P A P^T = L D L^T of a symmetric semidefinite matrix, of which the lower triangle is read.
class LdltFactors {
 public:
  explicit LdltFactors(Eigen::Index size = 0);
  void compute(const Eigen::MatrixXd& A);
  /// D on the diagonal, L below it.
  const Eigen::MatrixXd& packed() const;
  /// The row that step k of the elimination exchanged with row k.
  int exchanged_with(Eigen::Index k) const;
  void solve_in_place(Eigen::VectorXd& x) const;

 private:
  detail::Hidden<Eigen::LDLT<Eigen::MatrixXd>> factors_;
};

/// A = Q R of a matrix with at least as many rows as columns, by Householder's reflections.
template <class Scalar>
class QrFactorsOf {
 public:
  using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;
  using Vector = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;

  QrFactorsOf();
  void compute(const Matrix& A);
  /// R on the diagonal and above.
  const Matrix& packed() const;
  void solve(const Eigen::Ref<const Vector>& b, Eigen::Ref<Vector> x) const;
  /// The first `count` columns of Q.
  Matrix columns_of_Q(Eigen::Index count) const;

 private:
  detail::Hidden<Eigen::HouseholderQR<Matrix>> factors_;
};
using QrFactors = QrFactorsOf<double>;
extern template class QrFactorsOf<double>;
extern template class QrFactorsOf<std::complex<double>>;

/// A P = Q R with columns exchanged: reveals the rank.
class PivotedQr {
 public:
  PivotedQr();
  explicit PivotedQr(const Eigen::MatrixXd& A) : PivotedQr() { compute(A); }
  /// As in FullyPivotedLu.
  void set_threshold(double ratio);
  void compute(const Eigen::MatrixXd& A);
  Eigen::Index rank() const;
  /// R on the diagonal and above.
  const Eigen::MatrixXd& packed() const;
  /// Column of A by column of the factors.
  const Eigen::VectorXi& column_order() const;
  /// Q X
  Eigen::MatrixXd Q_times(const Eigen::MatrixXd& X) const;
  /// By least squares; unknowns without pivots are zero.
  void solve(const Eigen::Ref<const Eigen::VectorXd>& b, Eigen::Ref<Eigen::VectorXd> x) const;
  Eigen::MatrixXd solve_columns(const Eigen::MatrixXd& B) const;

 private:
  detail::Hidden<Eigen::ColPivHouseholderQR<Eigen::MatrixXd>> factors_;
};

/// A = Q [T 0; 0 0] Z with T triangular and Q, Z orthogonal: solutions of least squares and, among these, of least
/// norm.
class OrthogonalFactors {
 public:
  OrthogonalFactors();
  explicit OrthogonalFactors(const Eigen::MatrixXd& A) : OrthogonalFactors() { compute(A); }
  OrthogonalFactors(const Eigen::MatrixXd& A, double threshold) : OrthogonalFactors() {
    set_threshold(threshold);
    compute(A);
  }
  /// As in FullyPivotedLu.
  void set_threshold(double ratio);
  void compute(const Eigen::MatrixXd& A);
  Eigen::Index rank() const;
  Eigen::VectorXd solve(const Eigen::VectorXd& b) const;
  Eigen::MatrixXd solve_columns(const Eigen::MatrixXd& B) const;
  Eigen::VectorXd Q_times(const Eigen::VectorXd& x) const;
  /// Q^T X; the first rank() columns of Q span the range of A.
  Eigen::MatrixXd Q_transposed_times(const Eigen::MatrixXd& X) const;
  /// Orthonormal rows that span the rows of A.
  Eigen::MatrixXd row_space() const;

 private:
  detail::Hidden<Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>> factors_;
};

/// A = U S V^T with U, V orthogonal and S diagonal, its values falling.
class SingularValues {
 public:
  SingularValues();
  /// @param vectors  0 or what is wanted of U and V: Eigen::ComputeThinU, ComputeFullU, ComputeThinV, ComputeFullV
  SingularValues(const Eigen::MatrixXd& A, unsigned vectors) : SingularValues() { compute(A, vectors); }
  /// As in FullyPivotedLu.
  void set_threshold(double ratio);
  void compute(const Eigen::MatrixXd& A, unsigned vectors);
  Eigen::Index rank() const;
  const Eigen::VectorXd& values() const;
  const Eigen::MatrixXd& U() const;
  const Eigen::MatrixXd& V() const;
  /// By least squares, of least norm; wants U and V.
  void solve(const Eigen::Ref<const Eigen::VectorXd>& b, Eigen::Ref<Eigen::VectorXd> x) const;
  Eigen::MatrixXd solve_columns(const Eigen::MatrixXd& B) const;

 private:
  detail::Hidden<Eigen::JacobiSVD<Eigen::MatrixXd>> factors_;
};

/// Eigenvalues of a symmetric matrix, rising, and orthonormal eigenvectors by columns.
struct SymmetricEigen {
  explicit SymmetricEigen(const Eigen::MatrixXd& A);
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};
Eigen::VectorXd symmetric_eigenvalues(const Eigen::Ref<const Eigen::MatrixXd>& A);

/// x with A x = b by least squares of a matrix of full rank: PivotedQr.
Eigen::VectorXd solve_least_squares(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);

}  // namespace linkwork
