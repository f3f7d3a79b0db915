#include <linkwork/solvers/newton/spectral_radius.hpp>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace linkwork {

namespace {

constexpr double settled_ratio = 1e-3;
constexpr int columns_between_looks = 5;

double largest_modulus(const Eigen::MatrixXd& H) {
  return Eigen::EigenSolver<Eigen::MatrixXd>(H, false).eigenvalues().cwiseAbs().maxCoeff();
}

/// Parts along all eigenvectors, and none for a reason: the same numbers in every run.
Eigen::VectorXd start_vector(int size) {
  std::minstd_rand generator(1);
  Eigen::VectorXd x(size);
  for (double& entry : x) entry = static_cast<double>(generator()) / std::minstd_rand::max() - 0.5;
  return x / x.norm();
}

}  // namespace

double spectral_radius(int size, const std::function<void(Eigen::VectorXd&)>& apply, int most) {
  if (size == 0) return 0;
  const int columns = std::min(size, most);
  Eigen::MatrixXd basis(size, columns + 1), H = Eigen::MatrixXd::Zero(columns + 1, columns);
  basis.col(0) = start_vector(size);
  double radius = 0;
  for (int k = 0; k < columns; ++k) {
    Eigen::VectorXd x = basis.col(k);
    apply(x);
    const double size_before = x.norm();
    for (int sweep = 0; sweep < 2; ++sweep)  // the second one takes away what rounding has left
      for (int i = 0; i <= k; ++i) {
        const double part = basis.col(i).dot(x);
        H(i, k) += part;
        x -= part * basis.col(i);
      }
    H(k + 1, k) = x.norm();
    const bool is_invariant = H(k + 1, k) <= 1e2 * std::numeric_limits<double>::epsilon() * size_before;
    if (is_invariant || k + 1 == columns || k % columns_between_looks == columns_between_looks - 1) {
      const double before = radius;
      radius = largest_modulus(H.topLeftCorner(k + 1, k + 1));
      if (is_invariant || std::abs(radius - before) <= settled_ratio * radius) break;
    }
    basis.col(k + 1) = x / H(k + 1, k);
  }
  return radius;
}

}  // namespace linkwork
