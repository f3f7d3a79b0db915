#include <linkwork/joints/universal.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/joints/angles.hpp>
#include <linkwork/joints/motions.hpp>

#include <cmath>

namespace linkwork {

Universal::Universal(const Axis& first, const Axis& second)
    : ComposedJoint(pieces::CommonOrigin<Spatial>(), pieces::PerpendicularAxes(first, second)),
      first_(first),
      second_(second) {
  const double cosine = first.direction().dot(second.direction());
  if (std::abs(cosine) > 1e-9)
    throw ModelError(concat("Universal: the axes (", first.direction().transpose(), ") and (",
                            second.direction().transpose(), ") make an angle of ", std::acos(cosine),
                            " rad; expected perpendicular axes such as Axis::x() and Axis::y()."));
}

Eigen::Vector3d Universal::third() const { return first_.direction().cross(second_.direction()); }

void Universal::do_pose(Instant, const double* q, Pose<Spatial>& X) const {
  X.rotation =
      (Eigen::AngleAxisd(q[0], first_.direction()) * Eigen::AngleAxisd(q[1], second_.direction())).toRotationMatrix();
}

/// In the son's axes the first axis is cos(q_1) first + sin(q_1) third.
void Universal::do_motion(Instant time, const double* q, JointMotion<Spatial>& out) const {
  out.X = {};
  do_pose(time, q, out.X);
  out.S.setZero(Spatial::n, 2);
  out.S.col(0).head<3>() = std::cos(q[1]) * first_.direction() + std::sin(q[1]) * third();
  out.S.col(1).head<3>() = second_.direction();
  out.drift.setZero();
}

void Universal::do_motion_bias(Instant, const double* q, const double* v, Components<Spatial>& bias) const {
  bias = components<Spatial>(v[0] * v[1] * (std::cos(q[1]) * third() - std::sin(q[1]) * first_.direction()),
                             Eigen::Vector3d::Zero());
}

void Universal::do_locate(Instant, const Pose<Spatial>& X, double* q) const {
  const Eigen::Vector3d second = X.rotation * second_.direction();            // in the father
  const Eigen::Vector3d first = X.rotation.transpose() * first_.direction();  // in the son
  q[0] = nearest_turn(std::atan2(third().dot(second), second_.direction().dot(second)), q[0]);
  q[1] = nearest_turn(std::atan2(third().dot(first), first_.direction().dot(first)), q[1]);
}

template class ComposedJoint<Spatial, pieces::CommonOrigin<Spatial>, pieces::PerpendicularAxes>;

}  // namespace linkwork
