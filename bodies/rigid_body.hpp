#pragma once

#include <linkwork/core/body.hpp>

#include <type_traits>

namespace linkwork {

/// A rigid body: 3 freedoms in the plane, 6 in space.
///
///   [I 0; 0 m 1] [omega'; r''] = [torque - omega x I omega; force]
///
/// omega in body axes, r the centre of mass in ground axes. A thin rod, which has no inertia about its own axis, is
/// legal in space; some joint must then keep it from spinning freely about that axis.
template <class Space>
class RigidBody final : public Body<Space> {
 public:
  using typename Body<Space>::Inertia;
  /// A number in the plane, a 3 x 3 matrix in space.
  using Moments = std::conditional_t<Space::dimension == 2, double, Exact<3, 3>>;

  /// @param mass            [kg], > 0
  /// @param inertia         [kg m^2], about the centre of mass, body axes; in space symmetric, with principal moments
  ///                        of which none is negative or larger than the sum of the others; > 0 in the plane
  /// @param center_of_mass  [m], from the body's origin, body axes
  /// @throws ModelError otherwise
  RigidBody(double mass, const Moments& inertia, const ExactVector<Space>& center_of_mass = Vector<Space>::Zero());

  std::string_view type() const override { return "rigid body"; }
  double mass() const override { return mass_; }
  Inertia inertia() const override { return inertia_; }
  Vector<Space> center_of_mass() const override { return center_of_mass_; }
  bool is_plain() const override { return true; }

 private:
  double mass_;
  Inertia inertia_;
  Vector<Space> center_of_mass_;
};

extern template class RigidBody<Planar>;
extern template class RigidBody<Spatial>;

}  // namespace linkwork
