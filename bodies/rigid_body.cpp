#include <linkwork/bodies/rigid_body.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/core/dense_factors.hpp>
#include <linkwork/core/errors.hpp>

#include <cmath>

namespace linkwork {

namespace {

/// Relative to the largest moment: moments that users computed or typed agree no better with their theory.
constexpr double rounding = 1e-9;

void require_moments(double inertia) {
  if (!(std::isfinite(inertia) && inertia > 0))
    throw ModelError(concat("RigidBody: the inertia about z is ", inertia,
                            " kg m^2; expected > 0 (a mass that does not rotate is a PointMass)."));
}

void require_moments(const Eigen::Matrix3d& inertia) {
  if (!inertia.allFinite()) throw ModelError("RigidBody: the inertia has an entry that is not finite [kg m^2].");
  const double size = inertia.cwiseAbs().maxCoeff();
  if ((inertia - inertia.transpose()).cwiseAbs().maxCoeff() > rounding * size)
    throw ModelError("RigidBody: the inertia is not symmetric; give both halves of the matrix.");
  const Eigen::Vector3d moments = symmetric_eigenvalues(inertia);  // ascending
  const std::string shown = concat("RigidBody: the principal moments of inertia are ", moments[0], ", ", moments[1],
                                   " and ", moments[2], " kg m^2; ");
  if (size == 0)
    throw ModelError(concat(shown, "expected a body with extension (a mass that does not rotate is a PointMass)."));
  if (moments[0] < -rounding * size) throw ModelError(concat(shown, "expected none below zero."));
  if (moments[2] > moments[0] + moments[1] + rounding * size)
    throw ModelError(concat(shown,
                            "no distribution of mass has one larger than the sum of the other two; check units "
                            "and signs."));
}

}  // namespace

template <class Space>
RigidBody<Space>::RigidBody(double mass, const Moments& inertia, const ExactVector<Space>& center_of_mass)
    : mass_(mass), inertia_(inertia), center_of_mass_(center_of_mass) {
  if (!(std::isfinite(mass) && mass > 0))
    throw ModelError(concat("RigidBody: the mass is ", mass,
                            " kg; expected > 0 (a body without mass is a MasslessNode or a MasslessFrame)."));
  require_moments(inertia);
  if (!center_of_mass.allFinite())
    throw ModelError("RigidBody: the centre of mass has a coordinate that is not finite [m].");
}

template class RigidBody<Planar>;
template class RigidBody<Spatial>;

}  // namespace linkwork
