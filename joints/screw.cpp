#include <linkwork/joints/screw.hpp>

#include <linkwork/core/checks.hpp>
#include <linkwork/joints/angles.hpp>
#include <linkwork/joints/motions.hpp>

namespace linkwork {

namespace {

double checked_pitch(double pitch) {
  detail::check_not_zero("Screw", "pitch", pitch, "m/rad", " (use Revolute for no advance)");
  return pitch;
}

}  // namespace

Screw::Screw(const Axis& axis, double pitch)
    : ComposedJoint(pieces::NoTravel<Spatial, 2>({axis.frame().col(0), axis.frame().col(1)}),
                    pieces::ParallelAxes(axis), pieces::Threaded(axis, checked_pitch(pitch))),
      axis_(axis),
      pitch_(pitch) {}

std::optional<ConstantMotion<Spatial>> Screw::constant_motion() const {
  return constant_motion_along<Spatial>(components<Spatial>(axis_.direction(), pitch_ * axis_.direction()));
}

void Screw::do_pose(Instant, const double* q, Pose<Spatial>& X) const {
  X.rotation = Eigen::AngleAxisd(q[0], axis_.direction()).toRotationMatrix();
  X.position = (pitch_ * q[0]) * axis_.direction();
}

void Screw::do_locate(Instant, const Pose<Spatial>& X, double* q) const {
  q[0] = nearest_turn(turn_about(axis_.direction(), X.rotation), axis_.direction().dot(X.position) / pitch_);
}

template class ComposedJoint<Spatial, pieces::NoTravel<Spatial, 2>, pieces::ParallelAxes, pieces::Threaded>;

}  // namespace linkwork
