#include <linkwork/solvers/integrators/radau_coefficients.hpp>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <cmath>

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

RadauCoefficients compute() {
  RadauCoefficients out;
  const double root = std::sqrt(6.0);
  out.nodes << (4 - root) / 10, (4 + root) / 10, 1;
  out.error << -(13 + 7 * root) / 3, (-13 + 7 * root) / 3, -1.0 / 3;
  out.inverse = collocation_matrix(out.nodes).inverse();

  const Eigen::EigenSolver<Eigen::Matrix3d> solver(out.inverse);
  const Eigen::Vector3cd values = solver.eigenvalues();
  const Eigen::Matrix3cd vectors = solver.eigenvectors();
  for (int i = 0; i < 3; ++i) {
    if (std::abs(values[i].imag()) < 1e-6) {
      out.real = values[i].real();
      out.T.col(0) = vectors.col(i).real() / vectors.col(i).real().norm();
      if (out.T(2, 0) < 0) out.T.col(0) *= -1;
    } else if (values[i].imag() < 0) {
      // Columns u, w of an eigenvector u + i w of a - i b: A^-1 [u w] = [u w] [a, -b; b, a].
      out.complex_pair = std::conj(values[i]);
      const Eigen::Vector3cd vector = vectors.col(i) / vectors(2, i);
      out.T.col(1) = vector.real();
      out.T.col(2) = vector.imag();
    }
  }
  out.T_inverse = out.T.inverse();
  return out;
}

}  // namespace

const RadauCoefficients& radau_coefficients() {
  static const RadauCoefficients coefficients = compute();
  return coefficients;
}

}  // namespace linkwork
