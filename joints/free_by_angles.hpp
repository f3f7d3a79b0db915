#pragma once

#include <linkwork/joints/cardan_turning.hpp>
#include <linkwork/joints/composed_joint.hpp>

namespace linkwork {

/// Free motion near a frame, such as that of a vehicle's body near the frame that follows its road: as Free, 6 freedoms
/// and no rows, but with three angles in place of the quaternion, so that q' = v (see CardanTurning).
///   q: the angles about the three axes [rad], then the son's origin in the father's axes [m]
class FreeByAngles final : public CardanTurning<3, Joint<Spatial>> {
 public:
  explicit FreeByAngles(const CardanAxes& axes);
  std::string_view type() const override { return "free by angles"; }
  int freedoms() const override { return 6; }
  int memory_size() const override { return 0; }

 private:
  void do_residual(const Motion<Spatial>& /*m*/, double* /*g*/) const override {}
  void do_rows(const Motion<Spatial>& /*m*/, ConstraintRows<Spatial>& /*out*/) const override {}
  void do_bias(const Motion<Spatial>& /*m*/, double* /*bias*/) const override {}
  void do_remember(const Motion<Spatial>& /*m*/, bool /*restart*/, double* /*memory*/) const override {}
};

/// As PointOnPlane, the son turning by three angles: its origin stays in the plane through the father's origin across
/// the normal, 5 freedoms. A vehicle's body that follows a moving frame at its speed has the normal along the way.
///   q: the angles about the three axes [rad], then two displacements [m] along the first two columns of
///   Axis::frame() of the normal
/// Rows: 1 along the normal, fixed in the father [m].
class PointOnPlaneByAngles final : public CardanTurning<2, ComposedJoint<Spatial, pieces::NoTravel<Spatial, 1>>> {
 public:
  PointOnPlaneByAngles(const Axis& normal, const CardanAxes& axes);
  std::string_view type() const override { return "point on plane by angles"; }
};

extern template class CardanTurning<3, Joint<Spatial>>;
extern template class ComposedJoint<Spatial, pieces::NoTravel<Spatial, 1>>;  // of point_on_plane.cpp
extern template class CardanTurning<2, ComposedJoint<Spatial, pieces::NoTravel<Spatial, 1>>>;

}  // namespace linkwork
