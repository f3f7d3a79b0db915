#pragma once

#include <linkwork/core/space.hpp>

#include <string_view>

namespace linkwork {

/// Extension point: a body. A body has a frame of its own (its origin and axes), a centre of mass fixed in that frame,
/// and a constant inertia. Bodies that do not rotate have 2 (planar) or 3 (spatial) freedoms, the others 3 or 6.
///
///   [I 0; 0 m 1] [omega'; r''] = [torque + gyroscopic_torque(omega); force]
///
/// omega in body axes, r the centre of mass in ground axes (MEXX 1.2).
template <class Space>
class Body {
 public:
  using Inertia = Eigen::Matrix<double, Space::angular, Space::angular>;

  virtual ~Body() = default;
  virtual std::string_view type() const = 0;
  /// Whether the body has rotational freedoms.
  virtual bool rotates() const { return true; }
  /// [kg], >= 0; zero for a massless node
  virtual double mass() const = 0;
  /// [kg m^2], about the centre of mass, body axes; symmetric, positive semidefinite. Not asked if !rotates().
  virtual Inertia inertia() const = 0;
  /// [m], centre of mass from the body's origin, body axes
  virtual Vector<Space> center_of_mass() const { return Vector<Space>::Zero(); }
  /// Torque of the body's own momentum, body axes [N m]: -omega x I omega, plus -omega x h of built-in rotors.
  /// @param omega  angular velocity in body axes [rad/s]
  virtual Angular<Space> gyroscopic_torque(const Angular<Space>& omega) const;
  /// Whether gyroscopic_torque is that of the rigid body alone, -omega x I omega; recursions then know it without a
  /// call.
  virtual bool is_plain() const { return false; }
  /// Kinetic energy of built-in parts beyond that of the rigid body [J].
  virtual double internal_energy() const { return 0; }

  int freedoms() const { return rotates() ? Space::n : Space::dimension; }
  /// Position coordinates: a planar angle or a quaternion (w, x, y, z), then the centre of mass.
  int coordinates() const { return rotates() && Space::dimension == 3 ? 7 : freedoms(); }
};

template <>
inline Angular<Planar> Body<Planar>::gyroscopic_torque(const Angular<Planar>&) const {
  return 0;
}
template <>
inline Angular<Spatial> Body<Spatial>::gyroscopic_torque(const Angular<Spatial>& omega) const {
  return -omega.cross(inertia() * omega);
}

}  // namespace linkwork
