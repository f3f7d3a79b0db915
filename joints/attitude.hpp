#pragma once

#include <linkwork/core/pose.hpp>

namespace linkwork {

/// An attitude as coordinates of a joint that turns freely: the angle [rad] in the plane, a unit quaternion (w, x, y,
/// z) of the son in the father in space. Steps and angular velocities are in the son's axes.
template <class Space>
struct Attitude;

template <>
struct Attitude<Planar> {
  static constexpr int coordinates = 1;
  static void home(double* q) { q[0] = 0; }
  /// Writes the rotation of X.
  static void read(const double* q, Pose<Planar>& X);
  /// q_new = q turned by a rotation vector; normalised. q and q_new may be one array.
  static void retract(const double* q, const double* step, double* q_new) { q_new[0] = q[0] + step[0]; }
  static void rate(const double* /*q*/, const double* angular_velocity, double* q_rate) {
    q_rate[0] = angular_velocity[0];
  }
  /// The coordinates of X's rotation; of all that are, those nearest to q.
  static void locate(const Pose<Planar>& X, double* q);
};

template <>
struct Attitude<Spatial> {
  static constexpr int coordinates = 4;
  static void home(double* q);
  static void read(const double* q, Pose<Spatial>& X);
  static void retract(const double* q, const double* step, double* q_new);
  /// q' = q (0, angular_velocity) / 2
  static void rate(const double* q, const double* angular_velocity, double* q_rate);
  static void locate(const Pose<Spatial>& X, double* q);
};

}  // namespace linkwork
