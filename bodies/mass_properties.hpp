#pragma once

#include <linkwork/bodies/rigid_body.hpp>
#include <linkwork/core/space.hpp>

#include <memory>
#include <string>

namespace linkwork {

/// Mass, centre of mass and inertia of a rigid body: the recipe that Model::add_body makes one from, in the plane
/// (where only the inertia about z counts, and x, y of the centre of mass) or in space.
///
/// Bodies of uniform density, with the body's origin at their centre unless shifted. Numbers are checked when a body is
/// made from them, so that the message can name the body.
///
/// Source of the moments: any table, e.g. Goldstein, Classical Mechanics, ch. 5.
class MassProperties {
 public:
  /// Thin rod: m l^2 / 12 across, nothing about its own axis.
  /// @param mass  [kg], > 0      @param length  [m], > 0
  static MassProperties rod(double mass, double length, const Axis& axis = Axis::x());
  /// Box: m (b^2 + c^2) / 12 and so on. @param lengths  [m], along x, y, z; > 0
  static MassProperties box(double mass, const Exact<3>& lengths);
  /// Solid sphere: 2/5 m r^2.
  static MassProperties sphere(double mass, double radius);
  /// Solid cylinder: m r^2 / 2 about its axis, m (3 r^2 + l^2) / 12 across.
  static MassProperties cylinder(double mass, double radius, double length, const Axis& axis = Axis::z());
  /// @param center_of_mass  [m], from the body's origin, body axes
  /// @param inertia  [kg m^2], about the centre of mass, body axes
  static MassProperties given(double mass, const Exact<3>& center_of_mass, const Exact<3, 3>& inertia);
  /// For planar models only. @param inertia_zz  [kg m^2], about the centre of mass
  static MassProperties planar(double mass, double inertia_zz,
                               const Exact<2>& center_of_mass = Eigen::Vector2d::Zero());

  /// The same bodies by their density [kg/m^3], > 0.
  static MassProperties box_of_density(double density, const Exact<3>& lengths);
  static MassProperties sphere_of_density(double density, double radius);
  static MassProperties cylinder_of_density(double density, double radius, double length, const Axis& axis = Axis::z());

  /// The same with the centre of mass moved by `offset` [m] in the body's frame; the inertia about it stays.
  MassProperties shifted(const Exact<3>& offset) const;

  double mass() const { return mass_; }                                      ///< [kg]
  const Eigen::Vector3d& center_of_mass() const { return center_of_mass_; }  ///< [m]
  const Eigen::Matrix3d& inertia() const { return inertia_; }                ///< [kg m^2]; planar(): zz only

  /// @throws ModelError for a mass, density or length that is not finite or not positive, for an inertia that no body
  /// has (see RigidBody), and in space for a planar() recipe
  template <class Space>
  std::unique_ptr<Body<Space>> make_body() const;

 private:
  MassProperties(std::string recipe, double mass);
  /// Notes that `value` is not positive, if it is the first that is not.
  void require_positive(const char* what, double value, const char* unit);
  /// The same body under the name of a recipe that was given a density and not a mass.
  MassProperties of_density(std::string recipe, double density) const;

  std::string recipe_;   ///< "MassProperties::rod"
  std::string problem_;  ///< of the first number that was wrong; "" if none
  double mass_;
  Eigen::Vector3d center_of_mass_ = Eigen::Vector3d::Zero();
  Eigen::Matrix3d inertia_ = Eigen::Matrix3d::Zero();
  bool planar_only_ = false;
};

extern template std::unique_ptr<Body<Planar>> MassProperties::make_body<Planar>() const;
extern template std::unique_ptr<Body<Spatial>> MassProperties::make_body<Spatial>() const;

}  // namespace linkwork
