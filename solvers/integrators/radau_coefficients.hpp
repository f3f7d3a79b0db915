#pragma once

#include <Eigen/Core>
#include <complex>

namespace linkwork {

/// The three-stage Radau IIA method of order 5 (GEOMS 17) and its transformation to one real and one complex system.
/// Source: E. Hairer, G. Wanner, Solving Ordinary Differential Equations II (1996), section IV.8.
struct RadauCoefficients {
  Eigen::Vector3d nodes;              ///< c, the last one is 1
  Eigen::Matrix3d inverse;            ///< A^-1: h y'_i = sum of A^-1_ij (y_j - y_0)
  double real = 0;                    ///< eigenvalue of A^-1 ...
  std::complex<double> complex_pair;  ///< ... and the other two, this one and its conjugate
  /// A^-1 = T [real, 0, 0; 0, a, -b; 0, b, a] T^-1 with complex_pair = a + i b.
  Eigen::Matrix3d T, T_inverse;
  /// The embedded formula of order 3: its error is (real/h E + J)^-1 F(t, y_0, y' = -sum of e_i (y_i - y_0) / h), up to
  /// the sign.
  Eigen::Vector3d error;
};

/// Computed once.
const RadauCoefficients& radau_coefficients();

}  // namespace linkwork
