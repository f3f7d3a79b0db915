#pragma once

#include <linkwork/core/exact.hpp>

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cmath>
#include <type_traits>

namespace linkwork {

/// The two spaces a model can live in. They are template parameters of the elements, so that block sizes are known at
/// compile time; the template ends at EquationsOfMotion.
struct Planar {
  static constexpr int dimension = 2;  ///< of a position
  static constexpr int angular = 1;    ///< freedoms of a rotation
  static constexpr int n = 3;          ///< freedoms of a rigid body: angular part first
  static constexpr const char* name = "planar";
  using Vector = Eigen::Vector2d;
  using Angular = double;  ///< angular velocity or torque, positive counter-clockwise
  using Rotation = Eigen::Matrix2d;
  using Orientation = double;  ///< angle [rad]
};

struct Spatial {
  static constexpr int dimension = 3;
  static constexpr int angular = 3;
  static constexpr int n = 6;
  static constexpr const char* name = "spatial";
  using Vector = Eigen::Vector3d;
  using Angular = Eigen::Vector3d;
  using Rotation = Eigen::Matrix3d;
  using Orientation = Eigen::Quaterniond;  ///< unit quaternion
};

template <class Space>
using Vector = typename Space::Vector;
template <class Space>
using Angular = typename Space::Angular;
template <class Space>
using Rotation = typename Space::Rotation;
template <class Space>
using Orientation = typename Space::Orientation;

/// The same where users give them: their braces must have all numbers (see Exact).
template <class Space>
using ExactVector = Exact<Space::dimension>;
template <class Space>
using ExactAngular = std::conditional_t<Space::dimension == 2, double, Exact<3>>;
template <class Space>
using ExactRotation = Exact<Space::dimension, Space::dimension>;
template <class Space>
using ExactOrientation = std::conditional_t<Space::dimension == 2, double, ExactQuaternion>;

/// Cross products of both spaces under one name: angular velocity x arm, and arm x force = torque.
inline Eigen::Vector2d cross(double angular, const Exact<2>& arm) { return {-angular * arm.y(), angular * arm.x()}; }
inline double cross(const Exact<2>& arm, const Exact<2>& force) { return arm.x() * force.y() - arm.y() * force.x(); }
inline Eigen::Vector3d cross(const Exact<3>& a, const Exact<3>& b) { return a.cross(b); }
inline double dot(double a, double b) { return a * b; }
inline double dot(const Exact<3>& a, const Exact<3>& b) { return a.dot(b); }

template <class Space>
Angular<Space> zero_angular() {
  if constexpr (Space::dimension == 2)
    return 0.0;
  else
    return Eigen::Vector3d::Zero();
}

/// Counter-clockwise in the plane of x and y.
template <class Space>
Angular<Space> z_axis() {
  if constexpr (Space::dimension == 2)
    return 1.0;
  else
    return Eigen::Vector3d::UnitZ();
}

/// Rotation matrix of a planar angle [rad].
inline Eigen::Matrix2d rotation_matrix(double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  Eigen::Matrix2d R;
  R << c, -s, s, c;
  return R;
}
inline Eigen::Matrix3d rotation_matrix(const ExactQuaternion& orientation) {
  return orientation.normalized().toRotationMatrix();
}

/// No rotation.
template <class Space>
Orientation<Space> no_rotation() {
  if constexpr (Space::dimension == 2)
    return 0.0;
  else
    return Eigen::Quaterniond::Identity();
}

/// Position and attitude of a frame in the ground: a point x of the frame is at position + rotation * x.
template <class Space>
struct Pose;

template <>
struct Pose<Planar> {
  Exact<2> position = Eigen::Vector2d::Zero();  ///< [m]
  Exact<2, 2> rotation = Eigen::Matrix2d::Identity();
  double angle = 0;  ///< [rad], counts full turns
};

template <>
struct Pose<Spatial> {
  Exact<3> position = Eigen::Vector3d::Zero();  ///< [m]
  Exact<3, 3> rotation = Eigen::Matrix3d::Identity();
};

/// Velocity of a frame (or its acceleration), both parts in ground axes; the linear part is that of the frame's origin.
template <class Space>
struct Twist {
  ExactAngular<Space> angular = zero_angular<Space>();  ///< [rad/s] or [rad/s^2]
  ExactVector<Space> linear = Vector<Space>::Zero();    ///< [m/s] or [m/s^2]
};

/// Force at a frame's origin and torque, both in ground axes.
template <class Space>
struct Wrench {
  ExactAngular<Space> torque = zero_angular<Space>();  ///< [N m]
  ExactVector<Space> force = Vector<Space>::Zero();    ///< [N]
};

/// Motion of a frame: where it is, how fast, and its acceleration as far as it does not depend on v'.
template <class Space>
struct FrameMotion {
  Pose<Space> pose;
  Twist<Space> velocity;
  Twist<Space> bias;  ///< acceleration at v' = 0
};

/// An axis of a joint, given in the axes of both joint frames; normalised at construction.
/// @throws ModelError if the direction is zero or not finite
class Axis {
 public:
  explicit Axis(const Exact<3>& direction);
  static Axis x() { return Axis(Eigen::Vector3d::UnitX()); }
  static Axis y() { return Axis(Eigen::Vector3d::UnitY()); }
  static Axis z() { return Axis(Eigen::Vector3d::UnitZ()); }
  const Eigen::Vector3d& direction() const { return direction_; }
  /// Right-handed frame whose third column is the axis; smooth for every axis, identity for z.
  Eigen::Matrix3d frame() const;

 private:
  Eigen::Vector3d direction_;
};

/// The shortest turn that takes one direction to the other's; half a turn about an axis across where they are opposite.
/// Eigen's FromTwoVectors compiles a decomposition by singular values for that case: ten seconds of each unit with it.
Eigen::Quaterniond turn_between(const Eigen::Vector3d& from, const Eigen::Vector3d& to);

}  // namespace linkwork
