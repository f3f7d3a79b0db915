#pragma once

#include <Eigen/Core>
#include <cmath>

namespace linkwork::test {

using Real = long double;

/// A function of time by its value and its first two derivatives.
struct Jet {
  Real f = 0, d = 0, dd = 0;
  Jet() = default;
  Jet(Real value) : f(value) {}  // NOLINT: a number is a constant function
  Jet(Real value, Real rate, Real acceleration) : f(value), d(rate), dd(acceleration) {}

  Jet& operator+=(const Jet& b) { return *this = {f + b.f, d + b.d, dd + b.dd}; }
  Jet& operator-=(const Jet& b) { return *this = {f - b.f, d - b.d, dd - b.dd}; }
  Jet& operator*=(const Jet& b) { return *this = {f * b.f, d * b.f + f * b.d, dd * b.f + 2 * d * b.d + f * b.dd}; }
  friend Jet operator+(Jet a, const Jet& b) { return a += b; }
  friend Jet operator-(Jet a, const Jet& b) { return a -= b; }
  friend Jet operator*(Jet a, const Jet& b) { return a *= b; }
  friend Jet operator-(const Jet& a) { return {-a.f, -a.d, -a.dd}; }
  /// g(a), given the value and the derivatives of g there.
  friend Jet chain(const Jet& a, Real g, Real g1, Real g2) { return {g, g1 * a.d, g2 * a.d * a.d + g1 * a.dd}; }
};

inline Jet inverse(const Jet& a) { return chain(a, 1 / a.f, -1 / (a.f * a.f), 2 / (a.f * a.f * a.f)); }
inline Jet operator/(const Jet& a, const Jet& b) { return a * inverse(b); }
inline Jet sqrt(const Jet& a) {
  const Real root = std::sqrt(a.f);
  return chain(a, root, 1 / (2 * root), -1 / (4 * root * a.f));
}
inline Jet sin(const Jet& a) { return chain(a, std::sin(a.f), std::cos(a.f), -std::sin(a.f)); }
inline Jet cos(const Jet& a) { return chain(a, std::cos(a.f), -std::sin(a.f), -std::cos(a.f)); }
/// The angle of the point (x, y).
inline Jet angle_of(const Jet& y, const Jet& x) {
  const Jet square = x * x + y * y;
  // d angle = (x dy - y dx) / square, differentiated once more
  const Jet rate_y{y.d, y.dd, 0}, rate_x{x.d, x.dd, 0};
  const Jet rate = (x * rate_y - y * rate_x) / square;
  return {std::atan2(y.f, x.f), rate.f, rate.d};
}

/// Vectors and matrices of jets: only what is needed, so that Eigen has to know nothing of jets.
struct JetVector {
  Jet x, y, z;
};
inline JetVector operator+(const JetVector& a, const JetVector& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline JetVector operator-(const JetVector& a, const JetVector& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline JetVector operator*(const Jet& s, const JetVector& a) { return {s * a.x, s * a.y, s * a.z}; }
inline Jet dot(const JetVector& a, const JetVector& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline JetVector cross(const JetVector& a, const JetVector& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline Jet norm(const JetVector& a) { return sqrt(dot(a, a)); }
inline JetVector unit(const JetVector& a) { return inverse(norm(a)) * a; }
/// Three columns.
struct JetMatrix {
  JetVector c0, c1, c2;
};
inline JetVector operator*(const JetMatrix& A, const JetVector& b) { return b.x * A.c0 + b.y * A.c1 + b.z * A.c2; }
inline JetMatrix operator*(const JetMatrix& A, const JetMatrix& B) { return {A * B.c0, A * B.c1, A * B.c2}; }

using RealVector3 = Eigen::Matrix<Real, 3, 1>;
using RealMatrix3 = Eigen::Matrix<Real, 3, 3>;
inline JetVector constant(const RealVector3& v) { return {v[0], v[1], v[2]}; }
inline JetVector jets(const RealVector3& f, const RealVector3& d, const RealVector3& dd) {
  return {{f[0], d[0], dd[0]}, {f[1], d[1], dd[1]}, {f[2], d[2], dd[2]}};
}
inline JetMatrix constant(const RealMatrix3& A) {
  return {constant(RealVector3(A.col(0))), constant(RealVector3(A.col(1))), constant(RealVector3(A.col(2)))};
}
/// Attitude of a frame that turns with the angular velocity w and acceleration a (ground axes).
inline JetMatrix turning(const RealMatrix3& R, const RealVector3& w, const RealVector3& a) {
  const auto column = [&](int i) {
    const RealVector3 e = R.col(i), first = w.cross(e);
    return jets(e, first, a.cross(e) + w.cross(first));
  };
  return {column(0), column(1), column(2)};
}

}  // namespace linkwork::test
