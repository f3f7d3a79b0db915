#pragma once

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/core/body.hpp>

#include <memory>

namespace linkwork {

/// A rigid body with a rotor that turns in it at a constant rate: a wheel carrier whose wheel rolls at constant speed,
/// a frame with a gyroscope. The rotor adds the constant angular momentum h in body axes:
///
///   I omega' = -omega x (I omega + h) + torque
///
/// I and the mass are those of the whole. What keeps the rotor's rate is inside the body and does not show.
class RotorCarrier final : public Body<Spatial> {
 public:
  /// @param mass_properties  of the whole
  /// @param momentum  h [kg m^2/s], body axes
  /// @throws ModelError if the momentum is not finite, or what MassProperties throws
  RotorCarrier(const MassProperties& mass_properties, const Exact<3>& momentum);
  std::string_view type() const override { return "rotor carrier"; }
  double mass() const override { return body_->mass(); }
  Inertia inertia() const override { return body_->inertia(); }
  Eigen::Vector3d center_of_mass() const override { return body_->center_of_mass(); }
  Eigen::Vector3d gyroscopic_torque(const Eigen::Vector3d& omega) const override {
    return body_->gyroscopic_torque(omega) - omega.cross(momentum_);
  }

 private:
  std::unique_ptr<const Body<Spatial>> body_;
  Eigen::Vector3d momentum_;
};

}  // namespace linkwork
