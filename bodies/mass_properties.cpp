#include <linkwork/bodies/mass_properties.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>

#include <cmath>
#include <numbers>
#include <utility>

namespace linkwork {

namespace {

/// `along` about the axis, `across` about every line at right angles to it.
Eigen::Matrix3d axial_inertia(double along, double across, const Axis& axis) {
  const Eigen::Vector3d& a = axis.direction();
  return across * Eigen::Matrix3d::Identity() + (along - across) * a * a.transpose();
}

}  // namespace

MassProperties::MassProperties(std::string recipe, double mass) : recipe_(std::move(recipe)), mass_(mass) {}

void MassProperties::require_positive(const char* what, double value, const char* unit) {
  if (problem_.empty() && !(std::isfinite(value) && value > 0))
    problem_ = concat("the ", what, " is ", value, " ", unit, "; expected > 0.");
}

MassProperties MassProperties::of_density(std::string recipe, double density) const {
  MassProperties out = *this;
  out.recipe_ = std::move(recipe);
  out.problem_.clear();
  out.require_positive("density", density, "kg/m^3");
  if (out.problem_.empty()) out.problem_ = problem_;
  return out;
}

MassProperties MassProperties::rod(double mass, double length, const Axis& axis) {
  MassProperties out("MassProperties::rod", mass);
  out.require_positive("length", length, "m");
  out.require_positive("mass", mass, "kg");
  out.inertia_ = axial_inertia(0, mass * length * length / 12, axis);
  return out;
}

MassProperties MassProperties::box(double mass, const Exact<3>& lengths) {
  MassProperties out("MassProperties::box", mass);
  for (const double length : lengths) out.require_positive("length", length, "m");
  out.require_positive("mass", mass, "kg");
  const Eigen::Vector3d squares = lengths.cwiseAbs2();
  out.inertia_.diagonal() = mass / 12 * (Eigen::Vector3d::Constant(squares.sum()) - squares);
  return out;
}

MassProperties MassProperties::sphere(double mass, double radius) {
  MassProperties out("MassProperties::sphere", mass);
  out.require_positive("radius", radius, "m");
  out.require_positive("mass", mass, "kg");
  out.inertia_.diagonal().setConstant(0.4 * mass * radius * radius);
  return out;
}

MassProperties MassProperties::cylinder(double mass, double radius, double length, const Axis& axis) {
  MassProperties out("MassProperties::cylinder", mass);
  out.require_positive("radius", radius, "m");
  out.require_positive("length", length, "m");
  out.require_positive("mass", mass, "kg");
  const double square = radius * radius;
  out.inertia_ = axial_inertia(mass * square / 2, mass * (3 * square + length * length) / 12, axis);
  return out;
}

MassProperties MassProperties::given(double mass, const Exact<3>& center_of_mass, const Exact<3, 3>& inertia) {
  MassProperties out("MassProperties::given", mass);
  out.center_of_mass_ = center_of_mass;
  out.inertia_ = inertia;
  return out;
}

MassProperties MassProperties::planar(double mass, double inertia_zz, const Exact<2>& center_of_mass) {
  MassProperties out("MassProperties::planar", mass);
  out.center_of_mass_.head<2>() = center_of_mass;
  out.inertia_(2, 2) = inertia_zz;
  out.planar_only_ = true;
  return out;
}

MassProperties MassProperties::box_of_density(double density, const Exact<3>& lengths) {
  return box(density * lengths.prod(), lengths).of_density("MassProperties::box_of_density", density);
}

MassProperties MassProperties::sphere_of_density(double density, double radius) {
  const double volume = 4.0 / 3.0 * std::numbers::pi * radius * radius * radius;
  return sphere(density * volume, radius).of_density("MassProperties::sphere_of_density", density);
}

MassProperties MassProperties::cylinder_of_density(double density, double radius, double length, const Axis& axis) {
  const double volume = std::numbers::pi * radius * radius * length;
  return cylinder(density * volume, radius, length, axis).of_density("MassProperties::cylinder_of_density", density);
}

MassProperties MassProperties::shifted(const Exact<3>& offset) const {
  MassProperties out = *this;
  out.center_of_mass_ += offset;
  return out;
}

template <class Space>
std::unique_ptr<Body<Space>> MassProperties::make_body() const {
  if (!problem_.empty()) throw ModelError(concat(recipe_, ": ", problem_));
  if constexpr (Space::dimension == 2) {
    return std::make_unique<RigidBody<Space>>(mass_, inertia_(2, 2), center_of_mass_.template head<2>());
  } else {
    if (planar_only_)
      throw ModelError(concat(recipe_,
                              ": has an inertia about z only, and the model is spatial; use "
                              "MassProperties::given, rod, box, sphere or cylinder."));
    return std::make_unique<RigidBody<Space>>(mass_, inertia_, center_of_mass_);
  }
}

template std::unique_ptr<Body<Planar>> MassProperties::make_body<Planar>() const;
template std::unique_ptr<Body<Spatial>> MassProperties::make_body<Spatial>() const;

}  // namespace linkwork
