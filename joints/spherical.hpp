#pragma once

#include <linkwork/joints/composed_joint.hpp>

namespace linkwork {

/// Spherical joint: the origins coincide. 3 freedoms; rows: g = r_son - r_father [m, ground axes].
/// q: a unit quaternion (w, x, y, z) of the son in the father; a tangent step is a rotation vector, v the angular
/// velocity, both in the son's axes: S = [1; 0].
class Spherical final : public ComposedJoint<Spatial, pieces::CommonOrigin<Spatial>> {
 public:
  Spherical() : ComposedJoint(pieces::CommonOrigin<Spatial>()) {}
  std::string_view type() const override { return "spherical"; }
  int coordinates() const override { return 4; }

 private:
  void do_pose(Instant, const double* q, Pose<Spatial>& X) const override;
  void do_home(double* q) const override;
  void do_retract(const double* q, const double* step, double* q_new) const override;
  void do_motion(Instant time, const double* q, JointMotion<Spatial>& out) const override;
  void do_motion_bias(Instant time, const double* q, const double* v, Components<Spatial>& bias) const override;
  void do_rate(const double* q, const double* v, double* q_rate) const override;
  void do_locate(Instant time, const Pose<Spatial>& X, double* q) const override;
};

extern template class ComposedJoint<Spatial, pieces::CommonOrigin<Spatial>>;

}  // namespace linkwork
