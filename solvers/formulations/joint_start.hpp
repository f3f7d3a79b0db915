#pragma once

// Internal: coordinates and velocities of a joint from where the bodies that it joins are placed, and how they move.

#include <linkwork/core/model.hpp>
#include <linkwork/core/pose.hpp>

#include <string>

namespace linkwork {

/// Twist of the joint's frame on the son in the father, in the axes of that frame, from the initial velocities of the
/// bodies (-1: the ground).
/// @param frame  of the joint on the son, in the ground
template <class Space>
Components<Space> relative_velocity(const ModelData<Space>& data, int father, int son, const Pose<Space>& frame);

/// Of a coordinate of a joint: an angle where its motion turns the son, a length where it does not, unknown in a
/// quaternion.
template <class Space>
Measure coordinate_measure(const Joint<Space>& joint, int coordinate);
/// Of a velocity of a joint, also beside a quaternion.
template <class Space>
Measure velocity_measure(const Joint<Space>& joint, int velocity);

/// Restores the norm of redundant coordinates of a joint; of several that are one attitude, as q and -q, those nearest
/// to `near` are taken. `near` and q may be one array.
template <class Space>
void normalise_coordinates(const Joint<Space>& joint, double t, const double* near, double* q);

/// The coordinates of a joint nearest to a relative pose, and its velocities nearest to a relative twist.
template <class Space>
struct JointStart {
  /// @param X  of the son in the father; planar: its angle counts full turns
  /// @param V  of the son in the father, in the son's axes
  /// @param length  characteristic length [m]: what an angle counts
  /// @param q, v  are written
  /// @throws ModelError naming the joint if no coordinates are found near X
  JointStart(const Joint<Space>& joint, const std::string& name, const Pose<Space>& X, const Components<Space>& V,
             double length, double* q, double* v);

  Components<Space> position_gap;  ///< logarithm of X in the pose that was reached
  Components<Space> velocity_gap;
  double turns = 0;  ///< planar: full turns in X that no coordinate can take [rad]
  double speed = 0;  ///< the largest component of V, lengths over the characteristic one [1/s]
};

extern template Measure coordinate_measure(const Joint<Planar>&, int);
extern template Measure coordinate_measure(const Joint<Spatial>&, int);
extern template Measure velocity_measure(const Joint<Planar>&, int);
extern template Measure velocity_measure(const Joint<Spatial>&, int);
extern template void normalise_coordinates(const Joint<Planar>&, double, const double*, double*);
extern template void normalise_coordinates(const Joint<Spatial>&, double, const double*, double*);
extern template struct JointStart<Planar>;
extern template struct JointStart<Spatial>;
extern template Components<Planar> relative_velocity(const ModelData<Planar>&, int, int, const Pose<Planar>&);
extern template Components<Spatial> relative_velocity(const ModelData<Spatial>&, int, int, const Pose<Spatial>&);

}  // namespace linkwork
