#pragma once

#include <linkwork/core/body.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>

#include <cmath>

namespace linkwork {

/// A mass without extension: m r'' = force. It has 2 (planar) or 3 (spatial) freedoms and does not rotate; its frames
/// stay parallel to the ground.
template <class Space>
class PointMass final : public Body<Space> {
 public:
  using typename Body<Space>::Inertia;

  /// @param mass  [kg], > 0
  /// @throws ModelError otherwise
  explicit PointMass(double mass) : mass_(mass) {
    if (!(std::isfinite(mass) && mass > 0))
      throw ModelError(
          concat("PointMass: the mass is ", mass, " kg; expected > 0 (a point without mass is a MasslessNode)."));
  }
  std::string_view type() const override { return "point mass"; }
  bool rotates() const override { return false; }
  double mass() const override { return mass_; }
  Inertia inertia() const override { return Inertia::Zero(); }

 private:
  double mass_;
};

}  // namespace linkwork
