#pragma once

#include <Eigen/Core>
#include <functional>

namespace linkwork {

/// The largest modulus of an eigenvalue of a square matrix that is known by its products: Arnoldi's method from a fixed
/// vector, whose Hessenberg matrix grows until the modulus has settled to a part in a thousand, to `most` columns at
/// most. Where that is the size of the matrix, the result is exact but for rounding. Conjugate pairs and several
/// eigenvalues of one modulus do not disturb it, as they do a power iteration.
/// @param apply  x := A x
/// Source: Y. Saad, Numerical Methods for Large Eigenvalue Problems (2011), chapter 6.
double spectral_radius(int size, const std::function<void(Eigen::VectorXd&)>& apply, int most = 60);

}  // namespace linkwork
