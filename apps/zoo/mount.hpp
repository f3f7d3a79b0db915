#pragma once

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/forces/bushing.hpp>

namespace linkwork::apps {

/// Elasticity and damping of a rubber mount, an air spring or the like, along the axes of its frames.
struct Mount {
  Components<Spatial> stiffness, damping;  ///< about x, y, z, then along x, y, z [N m/rad, N/m], [N m s/rad, N s/m]
};

/// A mount that carries a force [N] and a torque [N m] where it is not deformed.
inline Bushing<Spatial>::Options bushing(const Mount& mount, const Eigen::Vector3d& force = Eigen::Vector3d::Zero(),
                                         const Eigen::Vector3d& torque = Eigen::Vector3d::Zero()) {
  Bushing<Spatial>::Options out;
  out.stiffness = mount.stiffness.asDiagonal();
  out.damping = mount.damping.asDiagonal();
  out.preload << torque, force;
  return out;
}

/// @param moments  of inertia about the axes through the centre of mass [kg m^2]
inline MassProperties rigid(double mass, const Eigen::Vector3d& moments) {
  return MassProperties::given(mass, Eigen::Vector3d::Zero(), moments.asDiagonal());
}

}  // namespace linkwork::apps
