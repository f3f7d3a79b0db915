#include <linkwork/joints/spherical.hpp>

#include <linkwork/joints/attitude.hpp>

namespace linkwork {

using SpatialAttitude = Attitude<Spatial>;

void Spherical::do_pose(Instant, const double* q, Pose<Spatial>& X) const { SpatialAttitude::read(q, X); }
void Spherical::do_home(double* q) const { SpatialAttitude::home(q); }
void Spherical::do_retract(const double* q, const double* step, double* q_new) const {
  SpatialAttitude::retract(q, step, q_new);
}
void Spherical::do_motion(Instant, const double* q, JointMotion<Spatial>& out) const {
  out.X = {};
  SpatialAttitude::read(q, out.X);
  out.S.setIdentity(Spatial::n, 3);
  out.drift.setZero();
}
void Spherical::do_motion_bias(Instant, const double*, const double*, Components<Spatial>& bias) const {
  bias.setZero();
}
void Spherical::do_rate(const double* q, const double* v, double* q_rate) const { SpatialAttitude::rate(q, v, q_rate); }
void Spherical::do_locate(Instant, const Pose<Spatial>& X, double* q) const { SpatialAttitude::locate(X, q); }

template class ComposedJoint<Spatial, pieces::CommonOrigin<Spatial>>;

}  // namespace linkwork
