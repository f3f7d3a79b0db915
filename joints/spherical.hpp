#pragma once

#include <linkwork/joints/composed_joint.hpp>

namespace linkwork {

/// Spherical joint: the origins coincide. 3 freedoms; rows: g = r_son - r_father [m, ground axes].
/// q: a unit quaternion (w, x, y, z) of the son in the father; a tangent step is a rotation vector in the son's axes.
class Spherical final : public ComposedJoint<Spatial, pieces::CommonOrigin<Spatial>> {
 public:
  Spherical() : ComposedJoint(pieces::CommonOrigin<Spatial>()) {}
  std::string_view type() const override { return "spherical"; }
  int coordinates() const override { return 4; }

 private:
  void do_pose(double, const double* q, Pose<Spatial>& X) const override;
  void do_home(double* q) const override;
  void do_retract(const double* q, const double* step, double* q_new) const override;
};

}  // namespace linkwork
