#include <linkwork/solvers/integrators/radau_coefficients.hpp>

#include <Eigen/LU>
#include <cmath>
#include <complex>

namespace linkwork {

namespace {

/// A from the collocation conditions: sum_j A_ij c_j^(k-1) = c_i^k / k for k = 1, 2, 3.
Eigen::Matrix3d collocation_matrix(const Eigen::Vector3d& c) {
  Eigen::Matrix3d powers, integrals;
  for (int k = 0; k < 3; ++k) {
    powers.row(k) = c.array().pow(k).transpose();
    integrals.row(k) = (c.array().pow(k + 1) / (k + 1)).transpose();
  }
  return powers.partialPivLu().solve(integrals).transpose();
}

/// An eigenvector: orthogonal to the rows of A - value.
template <class Scalar>
Eigen::Matrix<Scalar, 3, 1> eigenvector(const Eigen::Matrix3d& A, const Scalar& value) {
  const Eigen::Matrix<Scalar, 3, 3> rows = A.cast<Scalar>() - value * Eigen::Matrix<Scalar, 3, 3>::Identity();
  // Without Eigen's product, which conjugates complex numbers.
  const auto product = [&](int i, int j) { return rows(0, i) * rows(1, j) - rows(0, j) * rows(1, i); };
  return {product(1, 2), product(2, 0), product(0, 1)};
}

/// Eigenvalues of A^-1 in closed form: Hairer and Wanner, Solving Ordinary Differential Equations II, section IV.8.
RadauCoefficients compute() {
  RadauCoefficients out;
  const double root = std::sqrt(6.0);
  out.nodes << (4 - root) / 10, (4 + root) / 10, 1;
  out.error << -(13 + 7 * root) / 3, (-13 + 7 * root) / 3, -1.0 / 3;
  out.inverse = collocation_matrix(out.nodes).inverse();

  const double third = std::cbrt(9.0);
  out.real = 30 / (6 + third * (third - 1));
  const std::complex<double> of_A((12 - third * (third - 1)) / 60, third * (third + 1) * std::sqrt(3.0) / 60);
  out.complex_pair = 1.0 / std::conj(of_A);

  out.T.col(0) = eigenvector(out.inverse, out.real).normalized();
  if (out.T(2, 0) < 0) out.T.col(0) *= -1;
  // Columns u, w of an eigenvector u + i w of a - i b: A^-1 [u w] = [u w] [a, -b; b, a].
  Eigen::Vector3cd vector = eigenvector(out.inverse, std::conj(out.complex_pair));
  vector /= std::complex<double>(vector[2]);
  out.T.col(1) = vector.real();
  out.T.col(2) = vector.imag();
  out.T_inverse = out.T.inverse();
  return out;
}

}  // namespace

const RadauCoefficients& radau_coefficients() {
  static const RadauCoefficients coefficients = compute();
  return coefficients;
}

}  // namespace linkwork
